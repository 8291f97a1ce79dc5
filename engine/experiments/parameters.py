"""Every number of a scenario and of its schedulers that can be turned, with a name for people, its unit, what is legal and a sensible range."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, get_args, get_origin

from pydantic.fields import FieldInfo

from engine.experiments.node_total import MOST_NODES, NODES_TOTAL
from engine.experiments.overrides import parts_of, with_rule
from engine.experiments.ranges import Range, suggested
from engine.scenario.field_types import Exponential, Listed, Spread, Uniform, Value
from engine.scenario.field_words import FieldWords, field_words, named_by
from engine.scenario.model import Scenario
from engine.schedulers.names import Part, parse
from engine.schedulers.policy import Parameter

DISTRIBUTIONS = (Spread, Uniform, Exponential, Listed)
MOST_GROUPS = 60  # entries of a list that are offered one by one
MOST_BROWSER = 2**53
SCALE_HELP = "Multiplies it: 2 is twice as long."
TOTAL_HELP = "All nodes of the cluster. What is added or left out spreads over the node groups in proportion."
NOT_SET, MIXED = "not set", "mixed values"
PARTS_OF = {"mean": "mean {}", "sd": "standard deviation of the {}", "low": "shortest {}", "high": "longest {}"}
IN_TOTAL = ("cluster.nodes.count",)  # of all entries of a list: their sum is offered instead
WHOLE_PARAMETERS = ("vcores", "memory_mb")
SLOWSTART = "slowstart"
BY_SLOWSTART = (SLOWSTART, "ramp-up")  # reduce-start rules that ask each job for its share


@dataclass(frozen=True)
class Tunable:
    """One number, or one choice, that can be turned.

    value: the present one, None where none is given or entries differ, which `without` says; low, high: legal, infinite without a limit;
    range: a sensible part of it; choices: what may be chosen instead of a number.
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
    without: str = NOT_SET


def tunables(scenario: Scenario, schedulers: Sequence[str]) -> list[Tunable]:
    """Those of the cluster, of node groups, queues, jobs and schedulers, each list's common ones first; long lists are cut at MOST_GROUPS."""
    cluster = scenario.cluster
    nodes = sum(group.count for group in cluster.nodes)
    found = [_ranged(Tunable(NODES_TOTAL, "Cluster", "Nodes, total", "nodes", TOTAL_HELP, nodes, 1, MOST_NODES, True))] if nodes <= MOST_NODES else []
    found += _of(cluster, "cluster", "Cluster", "")
    seed = Tunable("seed", "Cluster", "Seed", "", Scenario.model_fields["seed"].description or "", scenario.seed, 0, MOST_BROWSER, True)
    found.append(_ranged(seed))
    found += _listed(cluster.nodes, "cluster.nodes", "node", "node groups")
    found += _listed(scenario.queues, "queues", "queue", "")
    found += _with_effect(_listed(scenario.jobs, "jobs", "job", "jobs"), schedulers)
    largest = {key: max(getattr(node, key) for node in cluster.nodes) for key in ("memory_mb", "vcores")}
    found = [_fitting(tunable, largest) for tunable in found if not isinstance(tunable.value, int) or abs(tunable.value) < MOST_BROWSER]
    each = [list(_parameters(place, name)) for place, name in enumerate(schedulers)]
    return [*found, *_of_several(each, schedulers), *(tunable for one in each for tunable in one)]


def _with_effect(found: list[Tunable], schedulers: Sequence[str]) -> list[Tunable]:
    """The jobs' slow start says under which schedulers it does nothing: those whose rule for reduces has a share of its own, or goes by something else."""
    chosen = {name: parse(name).reduce_start for name in schedulers}
    without = [name for name, rule in chosen.items() if rule.policy.name not in BY_SLOWSTART or rule.given.get("at") is not None]
    if not without:
        return found
    return [replace(one, help=f"{one.help} No effect under {', '.join(without)}.") if one.path.endswith("].slowstart") else one for one in found]


def _listed(items: Sequence[Value], path: str, noun: str, every: str) -> list[Tunable]:
    each = [list(_of(item, f"{path}[{place}]", *_named(item, noun, place))) for place, item in enumerate(items)]
    common = list(_common(each, path, every)) if every and len(items) > 1 else []
    return common + [tunable for one in each[:MOST_GROUPS] for tunable in one]


def _named(item: Value, noun: str, place: int) -> tuple[str, str]:
    name = item.name or f"{noun}{place + 1}"
    return f"{ {'node': 'Node group'}.get(noun, noun.capitalize()) } {name}", f"{name}: "


def _common(each: list[list[Tunable]], path: str, every: str) -> Iterator[Tunable]:
    """Of the fields that all entries have; a duration is scaled, for distributions of several kinds have no number in common."""
    of = [{tunable.path.split("].", 1)[1]: tunable for tunable in one} for one in each]
    for field, first in of[0].items():
        if all(field in one for one in of) and f"{path}.{field}" not in IN_TOTAL:
            values = {one[field].value for one in of}
            value = first.value if len(values) == 1 else None
            title = f"All {every}: {first.title.split(': ', 1)[1]}"
            tunable = replace(first, path=f"{path}[*].{field}", group=f"All {every}", title=title, value=value, without=NOT_SET if len(values) == 1 else MIXED)
            yield replace(tunable, range=_ranged(replace(tunable, value=max(values))).range)


def _of(item: Value, path: str, group: str, start: str, owner: tuple[str, FieldWords] | None = None) -> Iterator[Tunable]:
    """The numbers of one object and of those within; owner: the field that holds it, where a field does."""
    for key, field in type(item).model_fields.items():
        value, words = getattr(item, key), field_words(key, field)
        name = owner[1].inside(owner[0], words) if owner else words.name
        title = start + name if start else name[:1].upper() + name[1:]
        if isinstance(value, DISTRIBUTIONS) or key.endswith("duration_s"):
            yield from _duration(value, f"{path}.{key}", group, title, field)
        elif isinstance(value, Value):
            yield from _of(value, f"{path}.{key}", group, start, (key, words))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield _ranged(_tunable(f"{path}.{key}", group, title, value, field))


def _duration(value: Any, path: str, group: str, title: str, field: FieldInfo) -> Iterator[Tunable]:
    if isinstance(value, (int, float)):
        yield _ranged(_tunable(path, group, title, value, field))
    else:
        owner, _, said = title.rpartition(": ")
        named = lambda words: f"{owner}: {words}" if owner else words[:1].upper() + words[1:]
        said = said if owner else said[:1].lower() + said[1:]
        for part in (part for part in PARTS_OF if hasattr(value, part)):
            own = type(value).model_fields[part]
            yield _ranged(replace(_tunable(f"{path}.{part}", group, named(PARTS_OF[part].format(said)), getattr(value, part), own), unit="s"))
    yield _ranged(Tunable(f"{path}.scale", group, f"{title}, scaled", "x", SCALE_HELP, 1.0, 0.0, 1e6))


def _tunable(path: str, group: str, title: str, value: float, field: FieldInfo) -> Tunable:
    words, (low, high) = field_words(path.rpartition(".")[2], field), limits(field)
    return Tunable(path, group, title, words.unit, words.help, value, low, high, whole=float not in _types(field.annotation))


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


def _ranged(tunable: Tunable) -> Tunable:
    start = tunable.value if tunable.value is not None else min(max(0.0, tunable.low), tunable.high)
    return replace(tunable, range=suggested(start, tunable.low, tunable.high, whole=tunable.whole, unit=tunable.unit))


def _fitting(tunable: Tunable, largest: dict[str, int]) -> Tunable:
    """Containers larger than every node are refused: their range ends there."""
    owner, _, field = tunable.path.rpartition(".")
    if field not in largest or not owner.endswith((".am", ".maps", ".reduces")):
        return tunable
    start = tunable.value if tunable.value is not None else tunable.range.first
    return replace(tunable, range=suggested(start, tunable.low, tunable.high, whole=tunable.whole, unit=tunable.unit, most=largest[field]))


def _parameters(place: int, name: str) -> Iterator[Tunable]:
    """A scheduler's own; and slow start, by which every scheduler may go that has no rule of its own."""
    chosen = parse(name)
    own = parts_of(chosen)
    for part in own:
        yield from (_parameter(place, chosen.name, part, parameter) for parameter in part.policy.parameters)
    for part in (part for part in with_rule(chosen, SLOWSTART) if part.policy.name == SLOWSTART and part not in own):
        instead = chosen.reduce_start.policy.name
        for parameter in part.policy.parameters:
            tunable = _parameter(place, chosen.name, part, parameter)
            yield replace(tunable, help=f"{tunable.help} It takes the place of {instead}.", without=instead)


def _parameter(place: int, name: str, part: Part, parameter: Parameter) -> Tunable:
    said, unit = named_by(parameter.name)
    if part.policy.name not in name:
        said = _with_policy(part, parameter)
    tunable = Tunable(
        f"schedulers[{place}].{part.policy.name}.{parameter.name}",
        f"Scheduler {name}",
        f"{name}: {said}",
        unit,
        f"{parameter.meaning[:1].upper()}{parameter.meaning[1:]}.",
        part.given[parameter.name],
        parameter.low,
        parameter.high,
        parameter.name in WHOLE_PARAMETERS,
        choices=parameter.choices,
        without=parameter.words or NOT_SET,
    )
    return tunable if parameter.choices else _ranged(tunable)


def _with_policy(part: Part, parameter: Parameter) -> str:
    """A parameter's name where the scheduler's does not say whose it is."""
    said, policy = named_by(parameter.name)[0], part.policy
    return policy.title.lower() + (f", {said}" if len(policy.parameters) > 1 else "")


def _of_several(each: Sequence[Sequence[Tunable]], schedulers: Sequence[str]) -> Iterator[Tunable]:
    """What two or more schedulers have, once for all of them."""
    having: dict[str, list[Tunable]] = {}
    for tunable in (tunable for one in each for tunable in one):
        having.setdefault(tunable.path.split("].", 1)[1], []).append(tunable)
    parts = {part.policy.name: part for name in schedulers for part in (*parts_of(parse(name)), *with_rule(parse(name), SLOWSTART))}
    for key, same in having.items():
        if len(same) > 1:
            policy, _, field = key.partition(".")
            said = next(_with_policy(parts[policy], parameter) for parameter in parts[policy].policy.parameters if parameter.name == field)
            values, without = {tunable.value for tunable in same}, {tunable.without for tunable in same}
            every = "All schedulers" if len(same) == len(schedulers) else f"{len(same)} schedulers"
            value = same[0].value if len(values) == 1 else None
            words = {"group": "Several schedulers", "title": f"{every}: {said}", "without": MIXED if len(values | without) > 2 else same[0].without}
            yield replace(same[0], path=f"schedulers[*].{key}", value=value, **words)
