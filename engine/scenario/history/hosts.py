"""The hosts of a history as node groups: equal ones on a rack are one group, in the natural order of their
names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple, Protocol

from engine.errors import TooLarge
from engine.messages import msg
from engine.scenario.applications import container_memory_mb
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.nodes import DEFAULT_RACK, Node
from engine.scenario.formats.unique_names import UniqueNames, sanitize
from engine.scenario.history.records import History
from engine.scenario.scenario_limits import MAX_NODE_GROUPS

RESOURCES = ("memory_mb", "vcores")
PORT = re.compile(r"(.*):([0-9]{1,5})", re.DOTALL | re.ASCII)
DIGITS = re.compile(r"([0-9]+)", re.ASCII)


class HeldContainer(NamedTuple):
    """A container as it held room: place, a host as in the records or a queue, ms, MB, vcores."""

    place: str
    start_ms: int
    end_ms: int
    memory_mb: int
    vcores: int


class LeastRoom(Protocol):
    """What nodes must have beside what ran at a time; resource: index in RESOURCES."""

    def least_total(self, resource: int) -> int: ...

    def least_node(self, resource: int, nodes: int) -> int: ...


class HostTable:
    """All hosts that a history, or a nodes file, names. `node_names`: name as in the records -> the node's,
    with its port only where a host has several; without those that may be any of several.
    """

    def __init__(self, history: History, nodes: set[Node] | None) -> None:
        self._racks: dict[str, str] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        host_names = _hosts_of_runs(history)
        self._restarted = of_another_start(host_names, history.nodes)
        host_names |= dict.fromkeys(host for host in history.nodes if host not in self._restarted)
        ports_by_name: dict[str, dict[str, None]] = defaultdict(dict)
        for host in host_names:
            name, port = _split_port(host)
            ports_by_name[name].setdefault(port)
        named = {host: self._node_name(host, ports_by_name) for host in host_names}
        self.node_names = {host: name for host, name in named.items() if name}
        for job in history.jobs:
            for attempt in job.attempts:
                if attempt.rack and attempt.host in self.node_names:
                    self._racks[self.node_names[attempt.host]] = attempt.rack.strip("/") or DEFAULT_RACK
        for key, record in history.nodes.items():
            self._add(
                self.node_names[self._restarted.get(key, key)],
                record.rack.strip("/"),
                record.memory_mb,
                record.vcores,
            )
        for node in nodes or ():
            self._add(node.host, node.rack, node.memory_mb or 0, node.vcores or 0)
        self.names = sorted({*self.node_names.values(), *self._sizes}, key=_natural_key)
        if len(self.names) > MAX_NODE_GROUPS:
            raise TooLarge(msg("shared.more_than_different_nodes", max_node_groups=MAX_NODE_GROUPS))

    def _node_name(self, host: str, ports: dict[str, dict[str, None]]) -> str:
        """Its name without the port; with it where the host has several, and then nothing for a name without
        one, as it may be any of them.
        """
        name, port = _split_port(host)
        known_ports = [known_port for known_port in ports[name] if known_port]
        return name if len(known_ports) <= 1 else host if port else ""

    def _add(self, name: str, rack: str, memory_mb: int, vcores: int) -> None:
        if rack:
            self._racks[name] = rack
        self._sizes[name] = (memory_mb if memory_mb > 0 else 0, vcores if vcores > 0 else 0)

    @property
    def knows_sizes(self) -> bool:
        """Does an answer or a nodes file say how large a node is?"""
        return any(map(all, self._sizes.values()))

    def groups(
        self,
        held: Iterable[HeldContainer],
        configured_size: dict[str, int],
        largest: tuple[int, int],
        least: LeastRoom,
        notes: Notes,
    ) -> tuple[list[dict[str, Any]], dict[str, int]]:
        """Node groups, and the index of each host, as the records name it, among all nodes.

        configured_size: what the jobs' configuration gives for a node; where nothing does, the most that ran
        at a time on one, and at least what `least` says. largest: container, which must fit.
        """
        if not self.names:
            self.names = ["node"]
            notes.count("node", msg("scenario.hosts.stand_in_as_record_names_none"))
        notes.count("node", msg("scenario.hosts.of_another_start"), len(self._restarted))
        default_size = self._default_size(held, configured_size, largest, least)
        hosts_by_size: dict[tuple[Any, ...], list[str]] = defaultdict(list)
        for name in self.names:
            hosts_by_size[
                (
                    self._racks.get(name, DEFAULT_RACK),
                    *self._size(name, default_size, configured_size, notes),
                )
            ].append(name)
        names, node_groups = UniqueNames(), []
        node_index: dict[str, int] = {}
        for (rack, memory_mb, vcores), hosts in sorted(
            hosts_by_size.items(), key=lambda item: (_natural_key(item[0][0]), item[0][1:])
        ):
            for host in hosts:
                node_index[host] = len(node_index)
            group = {
                "name": names.claim(sanitize(_common_prefix(hosts)), len(hosts)),
                "count": len(hosts),
                "rack": sanitize(rack),
            }
            node_groups.append(group | {"memory_mb": memory_mb, "vcores": vcores, "x_hosts": hosts})
        return node_groups, {item: node_index[name] for item, name in self.node_names.items()}

    def _default_size(
        self,
        held: Iterable[HeldContainer],
        configured_size: dict[str, int],
        largest: tuple[int, int],
        least: LeastRoom,
    ) -> tuple[int, ...]:
        """What a node has whose own size no answer and no nodes file says."""
        peak = self._peak_of_a_node(held) if len(configured_size) < len(RESOURCES) else (0, 0)
        sizes = []
        for resource, key in enumerate(RESOURCES):
            if key in configured_size:
                sizes.append(max(configured_size[key], largest[resource]))
                continue
            known = [self._reported(name)[resource] for name in self.names]
            missing = max(0, least.least_total(resource) - sum(known))
            each = -(-missing // max(1, known.count(0)))
            least_node = least.least_node(resource, len(self.names))
            sizes.append(max(peak[resource], largest[resource], least_node, each))
        return tuple(sizes)

    def _peak_of_a_node(self, held: Iterable[HeldContainer]) -> tuple[int, ...]:
        """The most memory and vcores held at a time on one; where the record names none, all ran on it."""
        peaks = peak_held(
            container._replace(place=self.node_names.get(container.place, ""))
            for container in held
            if container.place or not self.node_names
        )
        return tuple(max((peak[resource] for peak in peaks.values()), default=0) for resource in (0, 1))

    def _reported(self, name: str) -> tuple[int, int]:
        return self._sizes.get(name, (0, 0))

    def _size(
        self, name: str, default_size: tuple[int, ...], configured_size: dict[str, int], notes: Notes
    ) -> tuple[int, ...]:
        for reported, amount, key, noun, unit in zip(
            self._reported(name), default_size, RESOURCES, ("memory", "vcores"), (" MB", " vcores")
        ):
            if not reported:
                notes.count(
                    "node",
                    msg(
                        "scenario.hosts.have_their_from_jobs_configuration", noun=noun, size=amount, unit=unit
                    )
                    if key in configured_size
                    else msg("scenario.hosts.have_no_recorded_size_assumed_maximum", size=amount, unit=unit),
                    about=key,
                )
        return tuple(reported or amount for reported, amount in zip(self._reported(name), default_size))


def _hosts_of_runs(history: History) -> dict[str, None]:
    """Those on which anything ran, in the order of the records."""
    of_jobs = (run.host for job in history.jobs for runs in (job.masters, job.attempts) for run in runs)
    of_spark = (host for app in history.spark.values() for host in app.hosts())
    return dict.fromkeys(host for host in chain(of_jobs, of_spark) if host)


def of_another_start(ran: Iterable[str], told: Iterable[str]) -> dict[str, str]:
    """Of the nodes that the ResourceManager tells of, those that it had at another start of the cluster: each
    with the one that it stands for, on which something ran. NodeManagers that share a host, as in a test's
    cluster, choose other ports at each start; those in containers have other names.
    """
    ran_of, told_of = _by_name(ran), _by_name(told)
    new, old = ([host for hosts in of.values() for host in hosts] for of in (ran_of, told_of))
    shared = ran_of.keys() & told_of.keys()
    if new and len(new) <= len(old) and not shared:
        return _paired(old, new)
    stands_for: dict[str, str] = {}
    for name in shared:
        old, new = ([host for host in of[name] if host != name] for of in (told_of, ran_of))
        stands_for |= _paired(set(old) - set(new), set(new) - set(old))
    return stands_for


def _by_name(hosts: Iterable[str]) -> dict[str, list[str]]:
    """By their names without the ports."""
    found: dict[str, list[str]] = defaultdict(list)
    for host in hosts:
        found[_split_port(host)[0]].append(host)
    return found


def _paired(old: Iterable[str], new: Iterable[str]) -> dict[str, str]:
    return dict(zip(sorted(old, key=_natural_key), sorted(new, key=_natural_key)))


def task_sizes(job: Mapping[str, Any]) -> list[Mapping[str, int]]:
    """What has the sizes of a job's containers beside its master: maps and reduces, executors, or stages."""
    if executors := job.get("executors"):
        memory_mb = container_memory_mb(executors["memory_mb"], executors.get("memory_overhead_mb"))
        return [{"memory_mb": memory_mb, "vcores": executors["vcores"]}]
    return [job[key] for key in ("maps", "reduces") if key in job] + [*job.get("stages", ())]


def peak_held(held: Iterable[HeldContainer]) -> dict[str, tuple[int, int]]:
    """The most memory and vcores that containers held at a time, by place."""
    changes: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for container in held:
        changes[container.place] += (
            (container.start_ms, container.memory_mb, container.vcores),
            (container.end_ms, -container.memory_mb, -container.vcores),
        )
    peaks = {}
    for place, place_changes in changes.items():
        memory = vcores = peak_memory = peak_vcores = 0
        for _, memory_change, vcore_change in sorted(place_changes):
            memory, vcores = memory + memory_change, vcores + vcore_change
            peak_memory, peak_vcores = max(peak_memory, memory), max(peak_vcores, vcores)
        peaks[place] = peak_memory, peak_vcores
    return peaks


def _split_port(host: str) -> tuple[str, str]:
    match = PORT.fullmatch(host)
    return (match[1], match[2]) if match else (host, "")


def _natural_key(name: str) -> list[tuple[int, str]]:
    """node2 before node10."""
    return [
        (int(part), "") if position % 2 and len(part) < 20 else (-1, part)
        for position, part in enumerate(DIGITS.split(name))
    ]


def _common_prefix(hosts: list[str]) -> str:
    """The host's name, or what several begin with alike."""
    if len(hosts) == 1:
        return hosts[0]
    first, last = min(hosts), max(hosts)
    prefix_length = next(
        (position for position, (a, b) in enumerate(zip(first, last)) if a != b), min(len(first), len(last))
    )
    return first[:prefix_length].rstrip("0123456789-_.: ") or "node"
