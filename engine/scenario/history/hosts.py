"""The hosts of a history as node groups: equal ones on a rack are one group, in the natural order of their names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.errors import TooLarge
from engine.scenario.bounds import MOST_NODE_GROUPS
from engine.scenario.formats.assumptions import Notes
from engine.scenario.formats.nodes import DEFAULT_RACK, Node
from engine.scenario.formats.unique_names import Names, label
from engine.scenario.history.records import History

PORT = re.compile(r"(.*):([0-9]{1,5})", re.DOTALL | re.ASCII)
DIGITS = re.compile(r"([0-9]+)", re.ASCII)


class Held(NamedTuple):
    """A container as it held room: host as in the records, ms, MB, vcores."""

    host: str
    start_ms: int
    end_ms: int
    memory_mb: int
    vcores: int


class Hosts:
    """All hosts that a history, or a nodes file, names. `known`: name as in the records -> the node's, with its port only where a host has several."""

    def __init__(self, history: History, nodes: set[Node] | None) -> None:
        self._racks: dict[str, str] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        given = dict.fromkeys(one.host for job in history.jobs for one in (*job.masters, *job.attempts) if one.host)
        given |= dict.fromkeys(history.nodes)
        ports: dict[str, dict[str, None]] = defaultdict(dict)
        for one in given:
            name, port = _parted(one)
            ports[name].setdefault(port)
        self.known = {one: self._called(one, ports) for one in given}
        for job in history.jobs:
            for one in job.attempts:
                if one.rack and one.host:
                    self._racks[self.known[one.host]] = one.rack.strip("/") or DEFAULT_RACK
        for key, node in history.nodes.items():
            self._add(self.known[key], node.rack.strip("/"), node.memory_mb, node.vcores)
        for node in nodes or ():
            self._add(node.host, node.rack, node.memory_mb or 0, node.vcores or 0)
        self.names = sorted({*self.known.values(), *self._sizes}, key=_natural)
        if len(self.names) > MOST_NODE_GROUPS:
            raise TooLarge(f"more than {MOST_NODE_GROUPS:,} different nodes")

    def _called(self, one: str, ports: dict[str, dict[str, None]]) -> str:
        """Its name without the port; with it where the host has several, of which one without a port can only be the one there is."""
        name, port = _parted(one)
        numbered = [known for known in ports[name] if known]
        return one if len(numbered) > 1 and port else name

    def _add(self, name: str, rack: str, memory_mb: int, vcores: int) -> None:
        if rack:
            self._racks[name] = rack
        self._sizes[name] = (memory_mb if memory_mb > 0 else 0, vcores if vcores > 0 else 0)

    def groups(self, held: Iterable[Held], stand_in: dict[str, int], largest: tuple[int, int], notes: Notes) -> tuple[list[dict[str, Any]], dict[str, int]]:
        """Node groups, and the index of each host, as the records name it, among all nodes.

        stand_in: what the jobs' configuration gives for a node; where nothing does, the most that ran at a time on one. largest: container, which must fit.
        """
        most = _most_held(held, self.known) if self._unsized(stand_in) else (0, 0)
        if not self.names:
            self.names = ["node"]
            notes.count("node", "stand in, as the record names none")
        by: dict[tuple[str, int, int], list[str]] = defaultdict(list)
        for name in self.names:
            by[(self._racks.get(name, DEFAULT_RACK), *self._size(name, stand_in, most, largest, notes))].append(name)
        names, made, place = Names(), [], {}
        for (rack, memory_mb, vcores), hosts in sorted(by.items(), key=lambda one: (_natural(one[0][0]), one[0][1:])):
            for host in hosts:
                place[host] = len(place)
            group = {"name": names.give(label(_common(hosts)), len(hosts)), "count": len(hosts), "rack": label(rack)}
            made.append(group | {"memory_mb": memory_mb, "vcores": vcores, "x_hosts": hosts})
        return made, {one: place[name] for one, name in self.known.items()}

    def _unsized(self, stand_in: dict[str, int]) -> bool:
        return any(key not in stand_in and not all(self._sizes.get(name, (0, 0))[at] for name in self.names) for at, key in enumerate(("memory_mb", "vcores")))

    def _size(self, name: str, stand_in: dict[str, int], most: tuple[int, int], largest: tuple[int, int], notes: Notes) -> tuple[int, int]:
        found = []
        units = (("memory_mb", "memory", " MB"), ("vcores", "vcores", " vcores"))
        for at, (key, what, unit) in enumerate(units):
            known = self._sizes.get(name, (0, 0))[at]
            if known:
                found.append(known)
            elif key in stand_in:
                found.append(max(stand_in[key], largest[at]))
                notes.count("node", f"have their {what} from the jobs' configuration: {found[-1]:,}{unit}")
            else:
                found.append(max(most[at], largest[at]))
                notes.count("node", f"have a size that nothing says: {found[-1]:,}{unit}, the most that ran on one at a time")
        return found[0], found[1]


def _most_held(held: Iterable[Held], known: dict[str, str]) -> tuple[int, int]:
    """The most memory and vcores that containers held at a time on one host."""
    changes: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for one in held:
        if one.host:
            changes[known[one.host]] += ((one.start_ms, one.memory_mb, one.vcores), (one.end_ms, -one.memory_mb, -one.vcores))
    most_memory = most_vcores = 0
    for own in changes.values():
        memory = vcores = 0
        for _, more, cores in sorted(own):
            memory, vcores = memory + more, vcores + cores
            most_memory, most_vcores = max(most_memory, memory), max(most_vcores, vcores)
    return most_memory, most_vcores


def _parted(host: str) -> tuple[str, str]:
    found = PORT.fullmatch(host)
    return (found[1], found[2]) if found else (host, "")


def _natural(name: str) -> list[tuple[int, str]]:
    """node2 before node10."""
    return [(int(part), "") if at % 2 and len(part) < 20 else (-1, part) for at, part in enumerate(DIGITS.split(name))]


def _common(hosts: list[str]) -> str:
    """The host's name, or what several begin with alike."""
    if len(hosts) == 1:
        return hosts[0]
    first, last = min(hosts), max(hosts)
    same = next((at for at, (one, other) in enumerate(zip(first, last)) if one != other), min(len(first), len(last)))
    return first[:same].rstrip("0123456789-_.: ") or "node"
