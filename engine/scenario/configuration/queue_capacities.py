"""Capacities of queues: percentages, weights such as 3w, resources such as [memory=1024,vcores=1], as
percentages of the parent and back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.configuration.configuration_notes import Where
from engine.scenario.configuration.properties import Property, parse_kept_property
from engine.scenario.configuration.property_table import Draft
from engine.scenario.configuration.value_parsing import (
    Size,
    format_plain,
    other_resources,
    parse_number,
    quoted,
)
from engine.scenario.queue_validation import ROOT

CAPACITY_FILE = "capacity-scheduler.xml"
RESOURCE = re.compile(r"\[\s*([\w.=,/\- ]{1,200})\s*\]", re.ASCII)
AMOUNT = re.compile(r"([0-9]{1,15})([kMGTP]|[KMGTP]i)?", re.ASCII)
IN_MB = {"Ki": 2**-10, "Mi": 1, "Gi": 2**10, "Ti": 2**20, "Pi": 2**30} | {
    unit: 10 ** (3 * place) / 2**20 for place, unit in enumerate("kMGTP", 1)
}
WEIGHT = re.compile(r"([0-9.]{1,60})w", re.ASCII)
TOLERANCE = 1e-9
Texts = dict[str, str | None]


def read_capacities(properties_by_queue: dict[str, dict[str, Property]], draft: Draft) -> None:
    """Sets the capacities of all queues but root, parents first. FormatError where one can't be read or those
    of siblings do not go together.
    """
    sizes = {ROOT: draft.size}
    _remark_other_resources(properties_by_queue, draft)
    for parent, group in _children_by_parent(properties_by_queue).items():
        stated = {name: properties_by_queue[name].get("capacity") for name in group}
        where = next((prop.where for prop in stated.values() if prop), Where(CAPACITY_FILE))
        try:
            parts, remark = _percentages(
                {name: prop.expanded if prop else None for name, prop in stated.items()}, sizes[parent]
            )
        except _CapacityError as wrong:
            wrong_property = stated.get(wrong.queue)
            raise (wrong_property.where if wrong_property else where).fault(str(wrong)) from None
        if remark:
            draft.remarks.add(
                where, msg("scenario.queue_capacities.child_queues", parent=parent, remark=remark)
            )
        for name in group:
            values, prop = draft.queue(name), stated[name]
            if parts[name] is not None:
                values["capacity_pct"] = parts[name]
                draft.origins[name, "capacity_pct"] = prop.where if prop else where
            sizes[name] = _child_size(sizes[parent], parts[name], len(group))
            if maximum := properties_by_queue[name].get("maximum-capacity"):
                _set_maximum(draft, name, maximum, sizes[parent])


def _remark_other_resources(properties_by_queue: dict[str, dict[str, Property]], draft: Draft) -> None:
    for stated in (prop for texts in properties_by_queue.values() for prop in texts.values()):
        for name in other_resources(stated.expanded) if stated.expanded.strip().startswith("[") else ():
            draft.remarks.add(
                stated.where, msg("shared.names_which_not_modelled_kept_for", quoted=quoted(name))
            )


def _set_maximum(draft: Draft, name: str, maximum: Property, parent_size: Size) -> None:
    """Sets a queue's maximum capacity, none where the text says that it has none. FormatError where it can't
    be read.
    """
    try:
        percentage = _parse_maximum(maximum.expanded, parent_size)
    except ValueError as fault:
        raise maximum.where.fault(str(fault)) from None
    if percentage is not None:
        draft.queue(name)["max_capacity_pct"] = percentage
        draft.origins[name, "max_capacity_pct"] = maximum.where


def capacity_texts(draft: Draft) -> dict[str, dict[str, str]]:
    """capacity and maximum-capacity of every queue: what was read where it still says the same, else
    percentages that sum to 100.

    FormatError where a queue without a capacity gets more than its maximum, which Hadoop refuses.
    """
    texts: dict[str, dict[str, str]] = {name: {} for name in draft.queues}
    sizes = {ROOT: draft.size}
    texts[ROOT] = {
        key: text
        for key in ("capacity", "maximum-capacity")
        if (text := _kept_text(draft, ROOT, key)[0]) is not None
    }
    for parent, group in _children_by_parent(draft.queues).items():
        percentages = {name: draft.queues[name].get("capacity_pct") for name in group}
        kept_texts = {name: _kept_text(draft, name, "capacity", percentages[name]) for name in group}
        shares = _fill_missing(percentages)
        is_unchanged = _say_the_same(kept_texts, percentages, sizes[parent])
        for name in group:
            kept_text = kept_texts[name][0]
            if not is_unchanged:
                texts[name]["capacity"] = format_plain(shares[name])
            elif kept_text is not None:
                texts[name]["capacity"] = kept_text
            sizes[name] = _child_size(sizes[parent], shares[name], len(group))
            maximum_text = _maximum_text(draft, name, shares[name], sizes[parent])
            if maximum_text is not None:
                texts[name]["maximum-capacity"] = maximum_text
    return texts


def _say_the_same(
    kept_texts: dict[str, tuple[str | None, str | None]], percentages: dict[str, float | None], size: Size
) -> bool:
    """Whether the kept capacities of one parent's queues still read as these percentages."""
    if not any(text for text, _ in kept_texts.values()):
        return False
    try:
        parts, _ = _percentages({name: expanded for name, (_, expanded) in kept_texts.items()}, size)
    except _CapacityError:
        return False
    return parts == percentages


def _maximum_text(draft: Draft, name: str, share: float, parent_size: Size) -> str | None:
    """A queue's maximum-capacity: what was read where it still says the same; None for none.

    FormatError where it is below the queue's share.
    """
    maximum = draft.queues[name].get("max_capacity_pct")
    if maximum is not None and maximum < share:
        raise FormatError(
            msg(
                "scenario.queue_capacities.cant_be_written_gets_its_parent",
                name=name,
                shares=share,
                maximum=maximum,
            )
        )
    text, expanded = _kept_text(draft, name, "maximum-capacity")
    try:
        is_kept = expanded is not None and _parse_maximum(expanded, parent_size) == maximum
    except ValueError:
        is_kept = False
    if is_kept:
        return text
    return None if maximum is None else format_plain(maximum)


class _CapacityError(ValueError):
    """What is wrong with the capacity of one queue."""

    def __init__(self, queue: str, message: str) -> None:
        super().__init__(message)
        self.queue = queue


def _children_by_parent(queues: Any) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in queues:
        if name != ROOT:
            groups.setdefault(name.rpartition(".")[0], []).append(name)
    return groups


def _percentages(texts: Texts, size: Size) -> tuple[Mapping[str, float | None], str]:
    """The percentage of each queue of one parent of this size, None where none gives any, and what is to be
    told of it.
    """
    stated = {name: text.strip() for name, text in texts.items() if text is not None}
    if not stated:
        return dict.fromkeys(texts), ""
    weighted = [name for name, text in stated.items() if text.endswith("w")]
    sized = [name for name, text in stated.items() if text.startswith("[")]
    if len(weighted) not in (0, len(stated)) or len(sized) not in (0, len(stated)):
        raise _CapacityError(
            next(iter(stated)),
            msg("scenario.queue_capacities.capacities_queues_one_parent_must_be"),
        )
    absent = (
        msg("scenario.queue_capacities.queues_without_capacity_get_as_in") if len(stated) < len(texts) else ""
    )
    if weighted:
        weights = {name: _parse_weight(name, text) for name, text in stated.items()}
        total = sum(weights.values())
        if not total:
            raise _CapacityError(
                weighted[0], msg("scenario.queue_capacities.weights_queues_one_parent_must_not")
            )
        return {name: 100 * weights.get(name, 0.0) / total for name in texts}, msg(
            "scenario.queue_capacities.weights_converted_to_percentages"
        )
    if sized:
        return _percentages_of_resources(texts, stated, size)
    percentages = {name: _parse_percentage(name, stated[name]) if name in stated else 0.0 for name in texts}
    total = sum(percentages.values())
    if abs(total - 100) > 1e-3:  # ParentQueue's PRECISION
        raise _CapacityError(
            list(stated)[-1],
            msg("scenario.queue_capacities.capacities_and_its_siblings_sum_to", total=total),
        )
    return percentages, absent


def _percentages_of_resources(
    texts: Texts, stated: dict[str, str], size: Size
) -> tuple[dict[str, float], str]:
    percentages, is_uneven = {}, False
    for name in texts:
        parts = _parse_resource(name, stated[name], size) if name in stated else (0.0, 0.0)
        percentages[name] = 100 * parts[0]
        is_uneven = is_uneven or abs(parts[0] - parts[1]) > TOLERANCE
    total = sum(percentages.values())
    if not total:
        raise _CapacityError(
            next(iter(stated)), msg("scenario.queue_capacities.resources_queues_one_parent_must_not")
        )
    remark = msg("scenario.queue_capacities.resources_converted_to_percentage_parents_me") + (
        msg("scenario.queue_capacities.although_percentage_vcores_differs") if is_uneven else ""
    )
    if abs(total - 100) <= 1e-6:
        return percentages, remark
    return {name: 100 * part / total for name, part in percentages.items()}, msg(
        "scenario.queue_capacities.they_come_to_and_scaled_to", remark=remark, total=total
    )


def _parse_weight(name: str, text: str) -> float:
    match = WEIGHT.fullmatch(text)
    try:
        weight = parse_number(match[1]) if match else -1.0
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 10_000:
        raise _CapacityError(
            name, msg("scenario.queue_capacities.must_be_weight_from_to_such", quoted=quoted(text))
        )
    return weight


def _parse_percentage(name: str, text: str) -> float:
    try:
        percentage = parse_number(text)
    except ValueError:
        percentage = -1.0
    if not 0 <= percentage <= 100:
        raise _CapacityError(
            name,
            msg("scenario.queue_capacities.must_be_percentage_from_to_weight", quoted=quoted(text)),
        )
    return percentage


def _parse_resource(name: str, text: str, size: Size) -> tuple[float, float]:
    """The parts of memory and vcores that a text such as [memory=1024,vcores=1] is."""
    match = RESOURCE.fullmatch(text)
    pairs = (
        dict(part.split("=", 1) for part in match[1].replace(" ", "").split(",") if "=" in part)
        if match
        else {}
    )
    memory, vcores = (
        AMOUNT.fullmatch(pairs.get(key, pairs.get(other, "")))
        for key, other in (("memory", "memory-mb"), ("vcores", "vcores"))
    )
    if (
        any("/" not in key for key in set(pairs) - {"memory", "memory-mb", "vcores"})
        or not memory
        or not vcores
        or vcores[2]
    ):
        raise _CapacityError(
            name,
            msg("scenario.queue_capacities.must_give_memory_in_mb_and", quoted=quoted(text)),
        )
    return min(int(int(memory[1]) * IN_MB[memory[2] or "Mi"]) / max(size.memory_mb, 1), 1.0), min(
        int(vcores[1]) / max(size.vcores, 1), 1.0
    )


def _parse_maximum(text: str, size: Size) -> float | None:
    text = text.strip()
    if text.startswith("["):
        part = _parse_resource("", text, size)[0]
        return 100 * part if part else None
    percentage = parse_number(text)
    if (
        percentage in (-1.0, 0.0)
        # CSQueueUtils.getAbsoluteMaximumCapacity and
        # CapacitySchedulerConfiguration.getNonLabeledQueueMaximumCapacity: none
    ):
        return None
    if not 0 < percentage <= 100:
        raise ValueError(msg("scenario.queue_capacities.must_be_percentage_up_to", quoted=quoted(text)))
    return percentage


def _fill_missing(percentages: dict[str, float | None]) -> dict[str, float]:
    """Queues without a percentage share equally what the others leave."""
    remainder = max(0.0, 100 - sum(share for share in percentages.values() if share is not None))
    empty = sum(share is None for share in percentages.values())
    return {name: remainder / empty if share is None else share for name, share in percentages.items()}


def _child_size(size: Size, part: float | None, siblings: int) -> Size:
    share = 1 / siblings if part is None else part / 100
    return Size(int(size.memory_mb * share), int(size.vcores * share))


def _kept_text(
    draft: Draft, queue: str, suffix: str, share: float | None = None
) -> tuple[str | None, str | None]:
    """The kept text and what it reads as, or where none is kept what a share is written as."""
    hadoop = draft.queues.get(queue, {}).get("x_hadoop")
    stored = hadoop.get(CAPACITY_FILE) if isinstance(hadoop, dict) else None
    if not isinstance(stored, dict) or suffix not in stored:
        return (None, None) if share is None else (format_plain(share), format_plain(share))
    return parse_kept_property(stored[suffix])[:2]
