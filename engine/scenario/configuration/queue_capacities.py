"""Capacities of queues: percentages, weights such as 3w, resources such as [memory=1024,vcores=1], as percentages of the parent and back."""

from __future__ import annotations

import re
from typing import Any

from engine.errors import FormatError
from engine.scenario.configuration.mapping import Draft
from engine.scenario.configuration.notes import Where
from engine.scenario.configuration.properties import Property, text_of_plain
from engine.scenario.configuration.quantities import Size, number, other_resources, plain, shown
from engine.scenario.queue_validation import ROOT

CAPACITY_FILE = "capacity-scheduler.xml"
RESOURCE = re.compile(r"\[\s*([\w.=,/\- ]{1,200})\s*\]", re.ASCII)
AMOUNT = re.compile(r"([0-9]{1,15})([kMGTP]|[KMGTP]i)?", re.ASCII)
IN_MB = {"Ki": 2**-10, "Mi": 1, "Gi": 2**10, "Ti": 2**20, "Pi": 2**30} | {unit: 10 ** (3 * place) / 2**20 for place, unit in enumerate("kMGTP", 1)}
WEIGHT = re.compile(r"([0-9.]{1,60})w", re.ASCII)
NEARLY = 1e-9
Texts = dict[str, str | None]


def take_capacities(of_queues: dict[str, dict[str, Property]], draft: Draft) -> None:
    """Sets the capacities of all queues but root, parents first. FormatError where one can't be read or those of siblings do not go together."""
    sizes = {ROOT: draft.size}
    for given in (one for texts in of_queues.values() for one in texts.values()):
        for name in other_resources(given.read) if given.read.strip().startswith("[") else ():
            draft.told.add(given.where, f"names {shown(name)}, which is not modelled; it is kept for writing the file back")
    for parent, group in _groups(of_queues).items():
        given = {name: of_queues[name].get("capacity") for name in group}
        place = next((one.where for one in given.values() if one), Where(CAPACITY_FILE))
        try:
            parts, remark = _parts({name: one.read if one else None for name, one in given.items()}, sizes[parent])
        except _WrongText as wrong:
            raise (given[wrong.queue].where if given.get(wrong.queue) else place).fault(str(wrong)) from None
        if remark:
            draft.told.add(place, f"of {parent}'s queues: {remark}")
        for name in group:
            values = draft.queue(name)
            if parts[name] is not None:
                values["capacity_pct"] = parts[name]
                draft.origin[name, "capacity_pct"] = given[name].where if given[name] else place
            sizes[name] = _of(sizes[parent], parts[name], len(group))
            if most := of_queues[name].get("maximum-capacity"):
                try:
                    found = _most(most.read, sizes[parent])
                except ValueError as fault:
                    raise most.where.fault(str(fault)) from None
                if found is not None:
                    values["max_capacity_pct"] = found
                    draft.origin[name, "max_capacity_pct"] = most.where


def capacity_texts(draft: Draft) -> dict[str, dict[str, str]]:
    """capacity and maximum-capacity of every queue: what was read where it still says the same, else percentages that sum to 100.

    FormatError where a queue without a capacity gets more than its maximum, which Hadoop refuses.
    """
    found: dict[str, dict[str, str]] = {name: {} for name in draft.queues}
    sizes = {ROOT: draft.size}
    found[ROOT] = {key: text for key in ("capacity", "maximum-capacity") if (text := _kept(draft, ROOT, key)[0]) is not None}
    for parent, group in _groups(draft.queues).items():
        own = {name: draft.queues[name].get("capacity_pct") for name in group}
        before = {name: _kept(draft, name, "capacity", own[name]) for name in group}
        shares = _filled(own)
        try:
            same = any(text for text, _ in before.values()) and _parts({name: read for name, (_, read) in before.items()}, sizes[parent])[0] == own
        except _WrongText:
            same = False
        for name in group:
            if not same:
                found[name]["capacity"] = plain(shares[name])
            elif before[name][0] is not None:
                found[name]["capacity"] = before[name][0]
            sizes[name] = _of(sizes[parent], shares[name], len(group))
            most = draft.queues[name].get("max_capacity_pct")
            if most is not None and most < shares[name]:
                raise FormatError(f"{name} can't be written: the {shares[name]:.4g} % that it gets of its parent are above its maximum of {most:g} %")
            text, read = _kept(draft, name, "maximum-capacity")
            try:
                kept = text is not None and _most(read, sizes[parent]) == most
            except ValueError:
                kept = False
            if kept or most is not None:
                found[name]["maximum-capacity"] = text if kept else plain(most)
    return found


class _WrongText(ValueError):
    """What is wrong with the capacity of one queue."""

    def __init__(self, queue: str, said: str) -> None:
        super().__init__(said)
        self.queue = queue


def _groups(queues: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in queues:
        if name != ROOT:
            found.setdefault(name.rpartition(".")[0], []).append(name)
    return found


def _parts(texts: Texts, size: Size) -> tuple[dict[str, float | None], str]:
    """The percentage of each queue of one parent of this size, None where none gives any, and what is to be told of it."""
    given = {name: text.strip() for name, text in texts.items() if text is not None}
    if not given:
        return dict.fromkeys(texts), ""
    weighted = [name for name, text in given.items() if text.endswith("w")]
    sized = [name for name, text in given.items() if text.startswith("[")]
    if len(weighted) not in (0, len(given)) or len(sized) not in (0, len(given)):
        raise _WrongText(next(iter(given)), "capacities of the queues of one parent must be all percentages, all weights or all resources")
    absent = "queues without a capacity get 0, as in Hadoop" if len(given) < len(texts) else ""
    if weighted:
        weights = {name: _weight(name, text) for name, text in given.items()}
        total = sum(weights.values())
        if not total:
            raise _WrongText(weighted[0], "the weights of the queues of one parent must not all be 0")
        return {name: 100 * weights.get(name, 0.0) / total for name in texts}, "weights are taken as the percentages that they come to"
    if sized:
        return _sized(texts, given, size)
    found = {name: _percentage(name, given[name]) if name in given else 0.0 for name in texts}
    total = sum(found.values())
    if abs(total - 100) > 1e-3:  # ParentQueue's PRECISION
        raise _WrongText(list(given)[-1], f"the capacities of it and its siblings sum to {total:.6g} %, they must sum to 100")
    return found, absent


def _sized(texts: Texts, given: dict[str, str], size: Size) -> tuple[dict[str, float | None], str]:
    found, uneven = {}, False
    for name in texts:
        parts = _resource(name, given[name], size) if name in given else (0.0, 0.0)
        found[name] = 100 * parts[0]
        uneven = uneven or abs(parts[0] - parts[1]) > NEARLY
    total = sum(found.values())
    if not total:
        raise _WrongText(next(iter(given)), "the resources of the queues of one parent must not all be 0")
    remark = "resources are taken as the part of their parent's memory that they are" + (", though of vcores it is another one" if uneven else "")
    if abs(total - 100) <= 1e-6:
        return found, remark
    return {name: 100 * part / total for name, part in found.items()}, f"{remark}; they come to {total:.6g} % and are scaled to 100"


def _weight(name: str, text: str) -> float:
    match = WEIGHT.fullmatch(text)
    try:
        found = number(match[1]) if match else -1.0
    except ValueError:
        found = -1.0
    if not 0 <= found <= 10_000:
        raise _WrongText(name, f"{shown(text)} must be a weight from 0 to 10,000, such as 3w")
    return found


def _percentage(name: str, text: str) -> float:
    try:
        found = number(text)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 100:
        raise _WrongText(name, f"{shown(text)} must be a percentage from 0 to 100, a weight such as 3w or resources such as [memory=1024,vcores=1]")
    return found


def _resource(name: str, text: str, size: Size) -> tuple[float, float]:
    """The parts of memory and vcores that a text such as [memory=1024,vcores=1] is."""
    match = RESOURCE.fullmatch(text)
    pairs = dict(part.split("=", 1) for part in match[1].replace(" ", "").split(",") if "=" in part) if match else {}
    memory, vcores = (AMOUNT.fullmatch(pairs.get(key, pairs.get(other, ""))) for key, other in (("memory", "memory-mb"), ("vcores", "vcores")))
    if any("/" not in key for key in set(pairs) - {"memory", "memory-mb", "vcores"}) or not memory or not vcores or vcores[2]:
        raise _WrongText(name, f"{shown(text)} must give memory in MB and vcores as whole numbers, such as [memory=1024,vcores=1]")
    return min(int(int(memory[1]) * IN_MB[memory[2] or "Mi"]) / max(size.memory_mb, 1), 1.0), min(int(vcores[1]) / max(size.vcores, 1), 1.0)


def _most(text: str, size: Size) -> float | None:
    text = text.strip()
    if text.startswith("["):
        part = _resource("", text, size)[0]
        return 100 * part if part else None
    found = number(text)
    if found in (-1.0, 0.0):  # CSQueueUtils.getAbsoluteMaximumCapacity and CapacitySchedulerConfiguration.getNonLabeledQueueMaximumCapacity: none
        return None
    if not 0 < found <= 100:
        raise ValueError(f"{shown(text)} must be a percentage up to 100")
    return found


def _filled(own: dict[str, float | None]) -> dict[str, float]:
    """Queues without a percentage share equally what the others leave."""
    left = max(0.0, 100 - sum(share for share in own.values() if share is not None))
    empty = sum(share is None for share in own.values())
    return {name: left / empty if share is None else share for name, share in own.items()}


def _of(size: Size, part: float | None, siblings: int) -> Size:
    share = 1 / siblings if part is None else part / 100
    return Size(int(size.memory_mb * share), int(size.vcores * share))


def _kept(draft: Draft, queue: str, suffix: str, share: float | None = None) -> tuple[str | None, str | None]:
    """The kept text and what it reads as, or where none is kept what a share is written as."""
    hadoop = draft.queues.get(queue, {}).get("x_hadoop")
    kept = hadoop.get(CAPACITY_FILE) if isinstance(hadoop, dict) else None
    if not isinstance(kept, dict) or suffix not in kept:
        return (None, None) if share is None else (plain(share), plain(share))
    return text_of_plain(kept[suffix])[:2]
