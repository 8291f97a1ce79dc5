"""Capacities of queues: percentages, weights such as 3w, resources such as [memory=1024,vcores=1], as
percentages of the parent and back.

In Hadoop  AbstractParentQueue.setChildQueues, CSQueueUtils, AbstractCSQueue.updateMaxMinResource
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.configuration.capacity_values import (
    AMOUNT_OF,
    NOTHING,
    PERCENTAGE,
    WEIGHT,
    Capacity,
    is_amount,
    is_vector,
    parse_amount,
    parse_capacity,
)
from engine.scenario.configuration.configuration_notes import NoteKind
from engine.scenario.configuration.flexible_capacities import flexible_percentages, is_flexible
from engine.scenario.configuration.java_values import java_float, nearest, trim
from engine.scenario.configuration.properties import Property, parse_kept_property, split_queues
from engine.scenario.configuration.property_table import Draft
from engine.scenario.configuration.value_parsing import (
    Size,
    Taken,
    format_plain,
    other_resources,
    quoted,
)
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT

CAPACITY_FILE = "capacity-scheduler.xml"
PRECISION = np.float32(0.0005)  # AbstractParentQueue's, of parts that must sum to 1
TOLERANCE = 1e-9
ALLOW_ZERO = "allow-zero-capacity-sum"


@dataclass(frozen=True)
class Level:
    """What a queue is for those in it. stated: its capacity; is_zero: it is guaranteed nothing; allows_zero:
    so may those in it; size: what it is guaranteed; maximum: the most that it may have as resources; part:
    what of the cluster it is guaranteed, as a float; is_flexible: capacities of any kind stand beside one
    another.
    """

    name: str
    stated: Capacity
    is_zero: bool
    allows_zero: bool
    size: Size
    maximum: Size = Size(0, 0)
    part: float = 1.0
    is_flexible: bool = False


class _CapacityError(ValueError):
    """What is wrong with the capacity of one queue."""

    def __init__(self, queue: str, message: str) -> None:
        super().__init__(message)
        self.queue = queue


def read_capacities(properties_by_queue: dict[str, dict[str, Property]], draft: Draft) -> dict[str, Level]:
    """Sets the capacities of all queues but root, parents first, and gives their levels; a queue that stands
    several times in the list of its parent counts as often. FormatError where Hadoop does not start with one
    or those of siblings do not go together.
    """
    _remark_other_resources(properties_by_queue, draft)
    root = _read_root(properties_by_queue, draft)
    levels = {ROOT: root}
    for parent, group in _children_by_parent(properties_by_queue).items():
        stated = {name: properties_by_queue[name].get("capacity") for name in group}
        where = next((prop.where for prop in stated.values() if prop), draft.queue_origins[parent])
        try:
            capacities = _parse_all(
                {name: prop.expanded if prop else None for name, prop in stated.items()}, levels[parent]
            )
            parts, remark = _percentages(
                capacities, levels[parent], draft.queue_counts[parent], draft.scheduler.get("resources")
            )
        except _CapacityError as wrong:
            wrong_property = stated.get(wrong.queue)
            raise (wrong_property.where if wrong_property else where).fault(str(wrong)) from None
        if not all(stated.values()):
            remark = remark or msg("scenario.queue_capacities.queues_without_capacity_get_as_in")
        if remark:
            draft.remarks.add(
                where, msg("scenario.queue_capacities.child_queues", parent=parent, remark=remark)
            )
        for name in group:
            values, prop = draft.queue(name), stated[name]
            values["capacity_pct"] = parts[name]
            draft.origins[name, "capacity_pct"] = prop.where if prop else where
            levels[name] = _level(name, capacities[name], parts[name], levels[parent])
            levels[name] = replace(levels[name], allows_zero=_allows_zero(properties_by_queue[name]))
            if maximum := properties_by_queue[name].get("maximum-capacity"):
                levels[name] = _set_maximum(draft, levels[name], levels[parent], maximum)
    _check_nameless(draft, levels)
    return levels


def _read_root(properties_by_queue: dict[str, dict[str, Property]], draft: Draft) -> Level:
    of_top = [
        stated["capacity"].expanded
        for name, stated in properties_by_queue.items()
        if name.count(".") == 1 and "capacity" in stated
    ]
    own = properties_by_queue[ROOT].get("capacity")
    root_capacity = _root_capacity(of_top, own.expanded if own else "")
    root = _root_level(draft, root_capacity, _allows_zero(properties_by_queue[ROOT]))
    if maximum := properties_by_queue[ROOT].get("maximum-capacity"):
        root = _set_maximum(draft, root, root, maximum)
    return root


def _check_nameless(draft: Draft, levels: dict[str, Level]) -> None:
    """A parent whose only listed child is blank may not have a capacity."""
    for name in draft.nameless:
        if not levels[name].is_zero and not levels[name].allows_zero:
            text = msg("scenario.queue_capacities.must_not_all_be_0", parent=name)
            raise draft.queue_origins[name].fault(text)


def _root_level(draft: Draft, stated: Capacity, allows_zero: bool) -> Level:
    return Level(
        ROOT,
        stated,
        stated.kind == WEIGHT,
        allows_zero,
        draft.size,
        is_flexible=is_flexible(draft, CAPACITY_FILE),
    )


def _root_capacity(texts: Iterable[str], own: str) -> Capacity:
    """Root's: resources where those of the queues in it are, else nothing, as it has the whole cluster; what
    is no percentage leaves its own 0 all the same.
    """
    if not any(map(is_amount, texts)):
        return Capacity(WEIGHT) if own.endswith("w") or is_amount(own) else Capacity()
    try:
        return Capacity(AMOUNT_OF, amount=parse_amount(own) if is_amount(own) else Size(0, 0))
    except ValueError:
        return Capacity(AMOUNT_OF)


def _allows_zero(properties: dict[str, Property]) -> bool:
    flag = properties.get(ALLOW_ZERO)
    return flag is not None and trim(flag.expanded).lower() == "true"


def _level(name: str, stated: Capacity, part: float, parent: Level) -> Level:
    size = Size(int(parent.size.memory_mb * part / 100), int(parent.size.vcores * part / 100))
    # a weight leaves a queue's own percentage 0, and so what those in it may sum to
    is_zero = stated.kind in (NOTHING, WEIGHT)
    of_cluster = float(np.float32(parent.part) * (np.float32(part) / np.float32(100)))
    return Level(name, stated, is_zero, False, size, parent.maximum, of_cluster, parent.is_flexible)


def _remark_other_resources(properties_by_queue: dict[str, dict[str, Property]], draft: Draft) -> None:
    for stated in (prop for texts in properties_by_queue.values() for prop in texts.values()):
        for name in other_resources(stated.expanded) if stated.expanded.strip().startswith("[") else ():
            draft.remarks.add(
                stated.where,
                msg("shared.names_which_not_modelled_kept_for", quoted=quoted(name)),
                NoteKind.NOT_MODELLED,
            )


def _set_maximum(draft: Draft, level: Level, parent: Level, maximum: Property) -> Level:
    """Sets a queue's maximum capacity, none where Hadoop takes the text for none; the level with it.

    FormatError where Hadoop does not start with it.
    """
    try:
        percentage, amount = _parse_maximum(
            maximum.expanded, level, parent, draft.size, draft.scheduler.get("resources")
        )
    except ValueError as fault:
        raise maximum.where.fault(str(fault)) from None
    if isinstance(percentage, Taken):
        draft.remarks.add(maximum.where, percentage.why, percentage.kind)
        percentage = percentage.value
    elif percentage is None and trim(maximum.expanded) not in ("-1", "-1.0") and not amount:
        draft.remarks.add(maximum.where, msg("scenario.queue_capacities.maximum_not_read"), NoteKind.NOT_READ)
    if percentage is not None:
        draft.queue(level.name)["max_capacity_pct"] = percentage
        draft.origins[level.name, "max_capacity_pct"] = maximum.where
        share = draft.queue(level.name).get("capacity_pct")
        if share is not None and percentage < share:
            draft.remarks.add(
                maximum.where,
                msg("scenario.queue_capacities.maximum_below_capacity", maximum=percentage, share=share),
            )
    return replace(level, maximum=amount) if amount else level


def _parse_maximum(
    text: str, level: Level, parent: Level, cluster: Size, resources: str | None
) -> tuple[Any, Size | None]:
    """(percentage of the parent, None for no maximum, resources that it is given as).

    Resources count where the queue's capacity is resources too, or it is root; a percentage where it isn't.
    """
    if is_vector(text):
        of_memory = parse_capacity(text, level.is_flexible)
        return (of_memory.value if of_memory.kind == PERCENTAGE else None), None
    if not is_amount(text):
        percentage = java_float(text)
        if level.stated.kind == AMOUNT_OF and not level.is_flexible or percentage == -1:
            return None, None
        return nearest(percentage, 0.0, 100.0), None
    amount = parse_amount(text)
    if not amount.memory_mb or level.stated.kind != AMOUNT_OF and not level.is_flexible:
        return None, None
    if _is_less(amount, level.stated.amount, cluster, resources):
        raise ValueError(msg("scenario.queue_capacities.maximum_below_resources", quoted=quoted(text)))
    if parent.maximum.memory_mb and _is_less(parent.maximum, amount, cluster, resources):
        raise ValueError(msg("scenario.queue_capacities.maximum_above_parents", quoted=quoted(text)))
    whole = min(parent.maximum.memory_mb or cluster.memory_mb, cluster.memory_mb)
    return min(100 * amount.memory_mb / max(whole, 1), 100.0), amount


def _parse_all(texts: dict[str, str | None], parent: Level) -> dict[str, Capacity]:
    capacities = {}
    for name, text in texts.items():
        try:
            capacities[name] = Capacity() if text is None else parse_capacity(text, parent.is_flexible)
        except ValueError as fault:
            raise _CapacityError(name, str(fault)) from None
    return capacities


def _percentages(
    capacities: dict[str, Capacity], parent: Level, counts: Counter[str], resources: str | None
) -> tuple[dict[str, float], str]:
    """The percentage of each queue of one parent, and what is to be told of it. counts: how often each is in
    the list; resources: what the calculator in use counts.
    """
    if parent.is_flexible:
        return flexible_percentages(capacities, parent.size.memory_mb), msg(
            "scenario.queue_capacities.of_any_kind"
        )
    kinds = _kinds(capacities)
    if len(kinds) > 1:
        raise _CapacityError(
            next(name for name, one in capacities.items() if one.kind != NOTHING),
            msg("scenario.queue_capacities.capacities_queues_one_parent_must_be"),
        )
    is_amount_in = AMOUNT_OF in kinds
    if is_amount_in != (parent.stated.kind == AMOUNT_OF) and parent.name != ROOT:
        raise _CapacityError(
            next(iter(capacities)),
            msg("scenario.queue_capacities.resources_above_and_below", parent=parent.name),
        )
    if is_amount_in:
        return _percentages_of_resources(capacities, parent, counts, resources)
    if WEIGHT in kinds:
        total = sum(one.value * counts[name] for name, one in capacities.items())
        return {name: 100 * one.value / total if total > 0 else 0.0 for name, one in capacities.items()}, msg(
            "scenario.queue_capacities.weights_converted_to_percentages"
        )
    _check_sum(capacities, parent, counts)
    return {name: 0.0 if math.isnan(one.value) else one.value for name, one in capacities.items()}, ""


def _kinds(capacities: dict[str, Capacity]) -> set[str]:
    """The kinds of capacities among siblings; Hadoop forgets percentages before resources
    (getCapacityConfigurationTypeForQueues).
    """
    kinds: set[str] = set()
    for one in capacities.values():
        if one.kind == AMOUNT_OF:
            kinds.discard(PERCENTAGE)
        kinds.add(one.kind)
    return kinds - {NOTHING}


def _check_sum(capacities: dict[str, Capacity], parent: Level, counts: Counter[str]) -> None:
    """Percentages sum to 100, or to 0 where their parent may be so (AbstractParentQueue.setChildQueues)."""
    total = np.float32(0)
    for name, one in capacities.items():
        for _ in range(counts[name]):
            total += np.float32(one.value) / np.float32(100)
    wrong = next((name for name in reversed(capacities) if capacities[name].kind != NOTHING), "")
    if total == 0:
        if not parent.is_zero and not parent.allows_zero:
            raise _CapacityError(
                wrong, msg("scenario.queue_capacities.must_not_all_be_0", parent=parent.name)
            )
    elif abs(total - np.float32(1)) > PRECISION:
        raise _CapacityError(
            wrong,
            msg("scenario.queue_capacities.capacities_and_its_siblings_sum_to", total=float(total) * 100),
        )
    elif parent.stated.kind == NOTHING and parent.is_zero:
        raise _CapacityError(wrong, msg("scenario.queue_capacities.parent_of_0", parent=parent.name))


def _percentages_of_resources(
    capacities: dict[str, Capacity], parent: Level, counts: Counter[str], resources: str | None
) -> tuple[dict[str, float], str]:
    """By memory; what comes to more than the parent has is scaled down to it."""
    total = Size(
        sum(one.amount.memory_mb * counts[name] for name, one in capacities.items()),
        sum(one.amount.vcores * counts[name] for name, one in capacities.items()),
    )
    if parent.stated.amount.memory_mb and _is_less(parent.stated.amount, total, parent.size, resources):
        raise _CapacityError(
            next(iter(capacities)),
            msg("scenario.queue_capacities.more_than_parent", parent=parent.name),
        )
    is_too_much = _is_less(parent.size, total, parent.size, resources)
    whole = max(total.memory_mb if is_too_much else parent.size.memory_mb, 1)
    percentages = {
        name: one.value if one.kind == PERCENTAGE else 100 * one.amount.memory_mb / whole
        for name, one in capacities.items()
    }
    of_vcores = max(total.vcores if is_too_much else parent.size.vcores, 1)
    is_uneven = any(
        abs(one.amount.memory_mb / whole - one.amount.vcores / of_vcores) > TOLERANCE
        for one in capacities.values()
    )
    remark = msg("scenario.queue_capacities.resources_converted_to_percentage_parents_me") + (
        msg("scenario.queue_capacities.although_percentage_vcores_differs") if is_uneven else ""
    )
    if is_too_much:
        percentage = 100 * total.memory_mb / max(parent.size.memory_mb, 1)
        remark = msg("scenario.queue_capacities.they_come_to_and_scaled_to", remark=remark, total=percentage)
    return percentages, remark


def _is_less(a: Size, b: Size, whole: Size, resources: str | None) -> bool:
    """Resources.lessThan with the calculator in use, Hadoop's default by memory alone."""
    if resources != "both":
        return a.memory_mb < b.memory_mb
    shares = [(one.memory_mb / max(whole.memory_mb, 1), one.vcores / max(whole.vcores, 1)) for one in (a, b)]
    return (max(shares[0]), min(shares[0])) < (max(shares[1]), min(shares[1]))


def capacity_texts(draft: Draft) -> dict[str, dict[str, str]]:
    """capacity and maximum-capacity of every queue: what was read where it still says the same, else
    percentages.

    Adds root.default, which a run always has, where it is not listed and is guaranteed something.
    FormatError where those of one parent do not sum to 100, which Hadoop refuses.
    """
    texts: dict[str, dict[str, str]] = {name: {} for name in draft.queues}
    levels = {ROOT: _write_root(draft, texts[ROOT])}
    for parent, group in _children_by_parent(draft.queues).items():
        percentages = {name: draft.queues[name].get("capacity_pct") for name in group}
        # a flexible queue without a capacity is not one of 0: it may have nothing at all
        unwritten = {0.0} if levels[parent].is_flexible else set()
        kept_texts = {
            name: _kept_text(draft, name, "capacity", None if share in unwritten else share)
            for name, share in percentages.items()
        }
        counts = _kept_counts(draft, parent, group)
        read = _read_again(kept_texts, levels[parent], counts, draft)
        is_unchanged = read is not None and read[1] == percentages
        if parent == ROOT and not is_unchanged and _leaves_some(percentages):
            draft.queues[DEFAULT_QUEUE], texts[DEFAULT_QUEUE] = {}, {}
            percentages[DEFAULT_QUEUE] = None
            group.append(DEFAULT_QUEUE)
        shares = _fill_missing(percentages)
        if not is_unchanged:
            capacities = _checked_shares(shares, levels[parent], group)
        for name in group:
            if not is_unchanged:
                texts[name]["capacity"] = format_plain(shares[name])
            elif (kept_text := kept_texts[name][0]) is not None:
                texts[name]["capacity"] = kept_text
            stated = read[0][name] if is_unchanged and read else capacities[name]
            levels[name] = _level(name, stated, shares[name], levels[parent])
            levels[name] = replace(levels[name], allows_zero=_kept_flag(draft, name))
            levels[name] = _write_maximum(draft, levels[name], levels[parent], texts[name])
    return texts


def _write_root(draft: Draft, texts: dict[str, str]) -> Level:
    of_top = [_kept_text(draft, name, "capacity")[1] or "" for name in draft.queues if name.count(".") == 1]
    kept_capacity, expanded = _kept_text(draft, ROOT, "capacity")
    root_capacity = _root_capacity(of_top, expanded or "")
    root = _root_level(draft, root_capacity, _kept_flag(draft, ROOT))
    if kept_capacity is not None:
        texts["capacity"] = kept_capacity
    return _write_maximum(draft, root, root, texts)


def _checked_shares(shares: dict[str, float], parent: Level, group: list[str]) -> dict[str, Capacity]:
    """Of the queues of one parent, as percentages. FormatError where they do not sum to 100."""
    capacities = {name: parse_capacity(format_plain(share)) for name, share in shares.items()}
    try:
        _check_sum(capacities, parent, Counter(group))
    except _CapacityError as wrong:
        name = wrong.queue or group[-1]
        raise FormatError(msg("scenario.queue_capacities.cant_be_written", name=name, fault=wrong)) from None
    return capacities


def _read_again(
    kept_texts: dict[str, tuple[str | None, str | None]], parent: Level, counts: Counter[str], draft: Draft
) -> tuple[dict[str, Capacity], dict[str, float]] | None:
    """What the kept capacities of one parent's queues say and come to, None where there are none or they are
    wrong now.
    """
    if not any(text for text, _ in kept_texts.values()):
        return None
    try:
        capacities = _parse_all({name: expanded for name, (_, expanded) in kept_texts.items()}, parent)
        return capacities, _percentages(capacities, parent, counts, draft.scheduler.get("resources"))[0]
    except _CapacityError:
        return None


def _write_maximum(draft: Draft, level: Level, parent: Level, texts: dict[str, str]) -> Level:
    """Adds a queue's maximum-capacity: what was read where it still says the same, nothing for none; the
    level with it.
    """
    maximum = draft.queues[level.name].get("max_capacity_pct")
    text, expanded = _kept_text(draft, level.name, "maximum-capacity")
    try:
        read, amount = (
            (None, None)
            if expanded is None
            else _parse_maximum(expanded, level, parent, draft.size, draft.scheduler.get("resources"))
        )
    except ValueError:
        text = None
    else:
        if text is not None and (read.value if isinstance(read, Taken) else read) == maximum:
            texts["maximum-capacity"] = text
            return replace(level, maximum=amount) if amount else level
    if maximum is not None:
        texts["maximum-capacity"] = format_plain(maximum)
    return level


def _children_by_parent(queues: Any) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in queues:
        if name != ROOT:
            groups.setdefault(name.rpartition(".")[0], []).append(name)
    return groups


def _leaves_some(percentages: dict[str, float | None]) -> bool:
    """Whether the queues of root leave a root.default that is not among them more than what Hadoop takes for
    100.
    """
    stated = [share for share in percentages.values() if share is not None]
    tolerance = 100 * float(PRECISION) if len(stated) == len(percentages) else TOLERANCE
    return DEFAULT_QUEUE not in percentages and 100 - sum(stated) > tolerance


def _fill_missing(percentages: dict[str, float | None]) -> dict[str, float]:
    """Queues without a percentage share equally what the others leave."""
    remainder = max(0.0, 100 - sum(share for share in percentages.values() if share is not None))
    empty = sum(share is None for share in percentages.values())
    return {name: remainder / empty if share is None else share for name, share in percentages.items()}


def _kept_record(draft: Draft, queue: str) -> dict[str, Any]:
    hadoop = draft.queues.get(queue, {}).get("x_hadoop")
    stored = hadoop.get(CAPACITY_FILE) if isinstance(hadoop, dict) else None
    return stored if isinstance(stored, dict) else {}


def _kept_text(
    draft: Draft, queue: str, suffix: str, share: float | None = None
) -> tuple[str | None, str | None]:
    """The kept text and what it reads as, or where none is kept what a share is written as."""
    stored = _kept_record(draft, queue)
    if suffix not in stored:
        return (None, None) if share is None else (format_plain(share), format_plain(share))
    return parse_kept_property(stored[suffix])[:2]


def _kept_flag(draft: Draft, queue: str) -> bool:
    stored = _kept_record(draft, queue)
    return ALLOW_ZERO in stored and trim(parse_kept_property(stored[ALLOW_ZERO])[1]).lower() == "true"


def _kept_counts(draft: Draft, parent: str, group: list[str]) -> Counter[str]:
    """How often each queue stands in the kept list of its parent, once where none is kept."""
    stored = _kept_record(draft, parent).get("queues")
    if stored is not None:
        listed = Counter(f"{parent}.{name}" for name in split_queues(parse_kept_property(stored)[1]))
        if set(listed) == set(group):
            return listed
    return Counter(group)
