"""Every number of a scenario and of its schedulers that can be turned, with a name for people, its unit, what is legal and a sensible range."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, get_args, get_origin

from pydantic.fields import FieldInfo

from engine.policies.policy import Parameter
from engine.ranges import Range, suggested
from engine.scenario import Scenario
from engine.scheduler import Part, parse
from engine.values import Exponential, Listed, Spread, Uniform, Value

DISTRIBUTIONS = (Spread, Uniform, Exponential, Listed)
MOST_GROUPS = 60  # entries of a list that are offered one by one
MOST_BROWSER = 2**53
SCALE_HELP = "Multiplies it: 2 is twice as long."
WORDS = {
    "cluster": {
        "heartbeat_ms": "Heartbeat",
        "containers_per_heartbeat": "Containers given on a beat",
        "shuffle_mb_s": "Bandwidth of the shuffle",
        "contention": "Contention",
    },
    "nodes": {
        "count": "nodes",
        "memory_mb": "memory of a node",
        "vcores": "vcores of a node",
        "speed": "speed of a node",
        "map_slots": "maps at once on a node",
        "reduce_slots": "reduces at once on a node",
    },
    "queues": {
        "min_share.memory_mb": "memory below which it goes first",
        "min_share.vcores": "vcores below which it goes first",
        "max_share.memory_mb": "most memory",
        "max_share.vcores": "most vcores",
        "capacity_pct": "guaranteed part of its parent",
        "max_capacity_pct": "largest part of its parent",
    },
    "jobs": {
        "arrival_s": "arrival",
        "count": "copies",
        "interval_s": "time between copies",
        "min_share.memory_mb": "memory below which it is needy",
        "min_share.vcores": "vcores below which it is needy",
        "input_mb": "input",
        "estimate_s": "estimated run time",
        "am.memory_mb": "memory of the master",
        "am.vcores": "vcores of the master",
        "am.startup_s": "start-up of the master",
        "maps.count": "maps",
        "maps.memory_mb": "memory of a map",
        "maps.vcores": "vcores of a map",
        "maps.duration_s": "duration of a map",
        "reduces.count": "reduces",
        "reduces.memory_mb": "memory of a reduce",
        "reduces.vcores": "vcores of a reduce",
        "reduces.duration_s": "duration of a reduce",
        "shuffle_mb_per_map": "output of a map",
        "slowstart": "slow start",
    },
}
PARTS_OF = {"mean": "mean {}", "sd": "standard deviation of the {}", "low": "shortest {}", "high": "longest {}"}
PARAMETER_UNITS = {"vcores": "vcores", "memory_mb": "MB", "split_mb": "MB", "window_s": "s", "heartbeat_s": "s"}
WHOLE_PARAMETERS = ("vcores", "memory_mb")


@dataclass(frozen=True)
class Knob:
    """One number, or one choice, that can be turned.

    value: the present one, None where none is given or entries differ; low, high: legal, infinite without a limit; range: a sensible part of it;
    choices: what may be chosen instead of a number.
    """

    path: str
    group: str
    title: str
    unit: str
    help: str
    value: float | str | None
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    range: Range = Range(0, 1, 0.05)
    choices: tuple[str, ...] = ()


def knobs(scenario: Scenario, schedulers: Sequence[str]) -> list[Knob]:
    """Those of the cluster, of node groups, queues and jobs, each list's common ones first, and those of the schedulers; long lists are cut at MOST_GROUPS."""
    cluster = scenario.cluster
    found = list(_of(cluster, "cluster", "Cluster", "", "cluster"))
    seed = Knob("seed", "Cluster", "Seed", "", Scenario.model_fields["seed"].description or "", scenario.seed, 0, MOST_BROWSER, True)
    found.append(_ranged(seed))
    found += _listed(cluster.nodes, "cluster.nodes", "nodes", "node", "node groups")
    found += _listed(scenario.queues, "queues", "queues", "queue", "")
    found += _listed(scenario.jobs, "jobs", "jobs", "job", "jobs")
    largest = {key: max(getattr(node, key) for node in cluster.nodes) for key in ("memory_mb", "vcores")}
    found = [_fitting(knob, largest) for knob in found if not isinstance(knob.value, int) or abs(knob.value) < MOST_BROWSER]
    for place, name in enumerate(schedulers):
        found += _parameters(place, name)
    return found


def _listed(items: Sequence[Value], path: str, words: str, noun: str, every: str) -> list[Knob]:
    each = [list(_of(item, f"{path}[{place}]", *_named(item, noun, place), words)) for place, item in enumerate(items)]
    common = list(_common(each, path, every)) if every and len(items) > 1 else []
    return common + [knob for one in each[:MOST_GROUPS] for knob in one]


def _named(item: Value, noun: str, place: int) -> tuple[str, str]:
    name = item.name or f"{noun}{place + 1}"
    return f"{ {'node': 'Node group'}.get(noun, noun.capitalize()) } {name}", f"{name}: "


def _common(each: list[list[Knob]], path: str, every: str) -> Iterator[Knob]:
    """Of the fields that all entries have; a duration is scaled, for distributions of several kinds have no number in common."""
    of = [{knob.path.split("].", 1)[1]: knob for knob in one} for one in each]
    for field, first in of[0].items():
        if all(field in one for one in of):
            values = {one[field].value for one in of}
            value = first.value if len(values) == 1 else None
            knob = replace(first, path=f"{path}[*].{field}", group=f"All {every}", title=f"All {every}: {first.title.split(': ', 1)[1]}", value=value)
            yield replace(knob, range=_ranged(replace(knob, value=max(values))).range)


def _of(item: Value, path: str, group: str, start: str, words: str, inner: str = "") -> Iterator[Knob]:
    """The numbers of one object and of those within."""
    for name, field in type(item).model_fields.items():
        value, key = getattr(item, name), f"{inner}{name}"
        said = WORDS[words].get(key, key.replace("_", " "))
        if isinstance(value, DISTRIBUTIONS) or name.endswith("duration_s"):
            yield from _duration(value, f"{path}.{key}", group, start + said, field)
        elif isinstance(value, Value):
            yield from _of(value, path, group, start, words, f"{key}.")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield _ranged(_knob(f"{path}.{key}", group, start + said, value, field))


def _duration(value: Any, path: str, group: str, title: str, field: FieldInfo) -> Iterator[Knob]:
    if isinstance(value, (int, float)):
        yield _ranged(_knob(path, group, title, value, field))
    else:
        name, said = title.rsplit(": ", 1)
        for part in (part for part in PARTS_OF if hasattr(value, part)):
            own = type(value).model_fields[part]
            yield _ranged(replace(_knob(f"{path}.{part}", group, f"{name}: {PARTS_OF[part].format(said)}", getattr(value, part), own), unit="s"))
    yield _ranged(Knob(f"{path}.scale", group, f"{title}, scaled", "x", SCALE_HELP, 1.0, 0.0, 1e6))


def _knob(path: str, group: str, title: str, value: float, field: FieldInfo) -> Knob:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    low, high = limits(field)
    whole = float not in _types(field.annotation)
    return Knob(path, group, title, str(extra.get("unit", "")), field.description or "", value, low, high, whole)


def limits(field: FieldInfo) -> tuple[float, float]:
    """The least and the largest legal number of a field; where more than a bound is asked for, the least is a thousandth above it."""
    low, high = -math.inf, math.inf
    for mark in _marks(field.annotation, field.metadata):
        low = max(low, getattr(mark, "ge", None) if getattr(mark, "ge", None) is not None else low)
        low = max(low, mark.gt + 0.001 if getattr(mark, "gt", None) is not None else low)
        high = min(high, getattr(mark, "le", None) if getattr(mark, "le", None) is not None else high)
        high = min(high, getattr(mark, "lt", None) if getattr(mark, "lt", None) is not None else high)
    return low, high


def _marks(annotation: Any, metadata: Sequence[Any] = ()) -> Iterator[Any]:
    for mark in metadata:
        yield from mark.metadata if isinstance(mark, FieldInfo) else [mark]
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        yield from _marks(inner, marks)
    else:
        for part in get_args(annotation):
            yield from _marks(part)


def _types(annotation: Any) -> set[Any]:
    parts = get_args(annotation)
    if get_origin(annotation) is Annotated:
        return _types(parts[0])
    return {kind for part in parts for kind in _types(part)} if parts else {annotation}


def _ranged(knob: Knob) -> Knob:
    start = knob.value if knob.value is not None else min(max(0.0, knob.low), knob.high)
    return replace(knob, range=suggested(start, knob.low, knob.high, whole=knob.whole, unit=knob.unit))


def _fitting(knob: Knob, largest: dict[str, int]) -> Knob:
    """Containers larger than every node are refused: their range ends there."""
    owner, _, field = knob.path.rpartition(".")
    if field not in largest or not owner.endswith((".am", ".maps", ".reduces")):
        return knob
    start = knob.value if knob.value is not None else knob.range.first
    return replace(knob, range=suggested(start, knob.low, knob.high, whole=knob.whole, unit=knob.unit, most=largest[field]))


def _parameters(place: int, name: str) -> Iterator[Knob]:
    """A scheduler's; those of a rule that its order brings follow the order's own."""
    chosen = parse(name)
    for part in (chosen.order, *(part for _, part in chosen.rules)):
        if part.policy.name != chosen.order.policy.brings:
            yield from (_parameter(place, chosen.name, part, parameter) for parameter in part.policy.parameters)


def _parameter(place: int, name: str, part: Part, parameter: Parameter) -> Knob:
    said = parameter.name.replace("_s", "").replace("_mb", "").replace("_", " ")
    if part.policy.name not in name:
        said = part.policy.title.lower() + (f", {said}" if len(part.policy.parameters) > 1 else "")
    knob = Knob(
        f"schedulers[{place}].{part.policy.name}.{parameter.name}",
        f"Scheduler {name}",
        f"{name}: {said}",
        PARAMETER_UNITS.get(parameter.name, ""),
        f"{parameter.meaning[:1].upper()}{parameter.meaning[1:]}.",
        part.given[parameter.name],
        parameter.low,
        parameter.high,
        parameter.name in WHOLE_PARAMETERS,
        choices=parameter.choices,
    )
    return knob if parameter.choices else _ranged(knob)
