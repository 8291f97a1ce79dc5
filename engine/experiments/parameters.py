"""Every number of a scenario and of its schedulers that can be changed, with its title, unit, legal values
and a sensible range.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, get_args, get_origin

from pydantic.fields import FieldInfo

from engine.experiments.node_total import MAX_NODES, NODES_TOTAL
from engine.experiments.overrides import parts_of, with_rule
from engine.experiments.ranges import Range, suggested_range
from engine.messages import msg
from engine.scenario.application_validation import fields_without_meaning, stage_fields_without_meaning
from engine.scenario.field_descriptions import FieldDescription, describe_field, name_and_unit
from engine.scenario.field_types import Exponential, Listed, Spread, Uniform, Value
from engine.scenario.model import Job, Scenario
from engine.schedulers.policy import Parameter
from engine.schedulers.scheduler import Part, Scheduler, as_scheduler

DISTRIBUTIONS = (Spread, Uniform, Exponential, Listed)
MAX_LISTED = 60  # entries of a list that are offered one by one
MAX_SAFE_INTEGER = 2**53
SCALE_HELP = msg("experiments.parameters.multiplies_twice_as_long")
TOTAL_HELP = msg("experiments.parameters.all_nodes_cluster_what_added_or")
NOT_SET, MIXED = msg("experiments.parameters.not_set"), msg("experiments.parameters.mixed_values")
PARTS_OF = {
    "mean": "mean {}",
    "sd": msg("experiments.parameters.standard_deviation"),
    "low": "shortest {}",
    "high": "longest {}",
}
IN_TOTAL = ("cluster.nodes.count",)  # of all entries of a list: their sum is offered instead
WHOLE_PARAMETERS = ("vcores", "memory_mb")
SLOWSTART = "slowstart"
BY_SLOWSTART = (SLOWSTART, "ramp-up")  # reduce-start rules that ask each job for its share


@dataclass(frozen=True)
class Tunable:
    """One number, or one choice, that can be changed.

    value: the present one, None where none is given or entries differ, which `without` says; low, high:
    legal, infinite without a limit;
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


def tunables(scenario: Scenario, schedulers: Sequence[str | Scheduler]) -> list[Tunable]:
    """Those of the cluster, of node groups, queues, jobs and schedulers, each list's common ones first; long
    lists are cut at MAX_LISTED.
    """
    parsed = [as_scheduler(scheduler) for scheduler in schedulers]
    cluster = scenario.cluster
    nodes = sum(group.count for group in cluster.nodes)
    offered = (
        [
            _ranged(
                Tunable(
                    NODES_TOTAL,
                    "Cluster",
                    msg("experiments.parameters.nodes_total"),
                    "nodes",
                    TOTAL_HELP,
                    nodes,
                    1,
                    MAX_NODES,
                    True,
                )
            )
        ]
        if nodes <= MAX_NODES
        else []
    )
    offered += _numeric_fields(cluster, "cluster", "Cluster", "")
    if any(job.stages for job in scenario.jobs):
        offered = [tunable for tunable in offered if tunable.path != "cluster.contention"]
    seed = Tunable(
        "seed",
        "Cluster",
        "Seed",
        "",
        Scenario.model_fields["seed"].description or "",
        scenario.seed,
        0,
        MAX_SAFE_INTEGER,
        True,
    )
    offered.append(_ranged(seed))
    offered += _list_tunables(
        cluster.nodes, "cluster.nodes", "node", msg("experiments.parameters.node_groups")
    )
    offered += _list_tunables(scenario.queues, "queues", "queue", "")
    offered += _note_without_effect(_list_tunables(scenario.jobs, "jobs", "job", "jobs"), parsed)
    largest = {key: max(getattr(node, key) for node in cluster.nodes) for key in ("memory_mb", "vcores")}
    offered = [
        _limited_to_nodes(tunable, largest)
        for tunable in offered
        if not isinstance(tunable.value, int) or abs(tunable.value) < MAX_SAFE_INTEGER
    ]
    by_scheduler = [list(_parameters(index, chosen)) for index, chosen in enumerate(parsed)]
    return [
        *offered,
        *_shared_parameters(by_scheduler, parsed),
        *(tunable for own_parameters in by_scheduler for tunable in own_parameters),
    ]


def _note_without_effect(offered: list[Tunable], schedulers: Sequence[Scheduler]) -> list[Tunable]:
    """The jobs' slow start says under which schedulers it does nothing: those whose rule for reduces has a
    share of its own, or goes by something else.
    """
    rules = {scheduler.name: scheduler.reduce_start for scheduler in schedulers}
    unaffected = [
        name
        for name, rule in rules.items()
        if rule.policy.name not in BY_SLOWSTART or rule.given.get("at") is not None
    ]
    if not unaffected:
        return offered
    return [
        replace(
            tunable,
            help=msg(
                "experiments.parameters.no_effect_under", help=tunable.help, unaffected=", ".join(unaffected)
            ),
        )
        if tunable.path.endswith("].slowstart")
        else tunable
        for tunable in offered
    ]


def _list_tunables(items: Sequence[Value], path: str, noun: str, every: str) -> list[Tunable]:
    by_item = [
        list(_numeric_fields(item, f"{path}[{index}]", *_named(item, noun, index)))
        for index, item in enumerate(items)
    ]
    common = list(_common(by_item, path, every)) if every and len(items) > 1 else []
    return common + [tunable for item_tunables in by_item[:MAX_LISTED] for tunable in item_tunables]


def _named(item: Value, noun: str, index: int) -> tuple[str, str]:
    name = getattr(item, "name", "") or f"{noun}{index + 1}"
    return f"{ {'node': 'Node group'}.get(noun, noun.capitalize()) } {name}", f"{name}: "


def _common(by_item: list[list[Tunable]], path: str, plural: str) -> Iterator[Tunable]:
    """Of the fields that all entries have; a duration is scaled, for distributions of several kinds have no
    number in common.
    """
    by_field = [{tunable.path.split("].", 1)[1]: tunable for tunable in fields} for fields in by_item]
    for field, first in by_field[0].items():
        if all(field in fields for fields in by_field) and f"{path}.{field}" not in IN_TOTAL:
            values = {fields[field].value for fields in by_field}
            largest = max(value for value in values if isinstance(value, (int, float)))
            value = first.value if len(values) == 1 else None
            title = f"All {plural}: {first.title.split(': ', 1)[1]}"
            tunable = replace(
                first,
                path=f"{path}[*].{field}",
                group=f"All {plural}",
                title=title,
                value=value,
                without=NOT_SET if len(values) == 1 else MIXED,
            )
            yield replace(tunable, range=_ranged(replace(tunable, value=largest)).range)


def _numeric_fields(
    item: Value, path: str, group: str, start: str, owner: tuple[str, FieldDescription] | None = None
) -> Iterator[Tunable]:
    """The numbers of one object and of those within; owner: the field that holds it, where a field does."""
    foreign = fields_without_meaning(item.framework) if isinstance(item, Job) else []
    for key, field in type(item).model_fields.items():
        if key in foreign:
            continue
        value, description = getattr(item, key), describe_field(key, field)
        name = owner[1].nested_name(owner[0], description) if owner else description.name
        title = start + name if start else name[:1].upper() + name[1:]
        if isinstance(value, DISTRIBUTIONS) or key.endswith("duration_s"):
            yield from _duration(value, f"{path}.{key}", group, title, field)
        elif isinstance(item, Job) and key == "stages":
            for number, (stage, stage_name) in enumerate(zip(item.stages, item.stage_names)):
                at = f"{path}.stages[{number}]"
                lacking = {f"{at}.{key}" for key in stage_fields_without_meaning(item.framework, stage.after)}
                fields = _numeric_fields(stage, at, group, f"{start}{stage_name}: ")
                yield from (one for one in fields if one.path not in lacking)
        elif isinstance(value, Value):
            yield from _numeric_fields(value, f"{path}.{key}", group, start, (key, description))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield _ranged(_tunable(f"{path}.{key}", group, title, value, field))


def _duration(value: Any, path: str, group: str, title: str, field: FieldInfo) -> Iterator[Tunable]:
    if isinstance(value, (int, float)):
        yield _ranged(_tunable(path, group, title, value, field))
    else:
        owner, _, phrase = title.rpartition(": ")
        named = lambda description: (
            f"{owner}: {description}" if owner else description[:1].upper() + description[1:]
        )
        phrase = phrase if owner else phrase[:1].lower() + phrase[1:]
        for part in (part for part in PARTS_OF if hasattr(value, part)):
            field_of_part = type(value).model_fields[part]
            yield _ranged(
                replace(
                    _tunable(
                        f"{path}.{part}",
                        group,
                        named(PARTS_OF[part].format(phrase)),
                        getattr(value, part),
                        field_of_part,
                    ),
                    unit="s",
                )
            )
    yield _ranged(
        Tunable(
            f"{path}.scale",
            group,
            msg("experiments.parameters.scaled", title=title),
            "x",
            SCALE_HELP,
            1.0,
            0.0,
            1e6,
        )
    )


def _tunable(path: str, group: str, title: str, value: float, field: FieldInfo) -> Tunable:
    description, (low, high) = describe_field(path.rpartition(".")[2], field), limits(field)
    return Tunable(
        path,
        group,
        title,
        description.unit,
        description.help,
        value,
        low,
        high,
        whole=float not in _types(field.annotation),
    )


def limits(field: FieldInfo) -> tuple[float, float]:
    """The least and the largest legal number of a field; where more than a bound is asked for, the least is a
    thousandth above it.
    """
    low, high = -math.inf, math.inf
    for mark in _field_constraints(field.annotation, field.metadata):
        ge, gt, le, lt = (getattr(mark, name, None) for name in ("ge", "gt", "le", "lt"))
        low = max(low, low if ge is None else ge, low if gt is None else gt + 0.001)
        high = min(high, high if le is None else le, high if lt is None else lt)
    return low, high


def _field_constraints(annotation: Any, metadata: Sequence[Any] = ()) -> Iterator[Any]:
    for mark in metadata:
        yield from mark.metadata if isinstance(mark, FieldInfo) else [mark]
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        yield from _field_constraints(inner, marks)
    else:
        for part in get_args(annotation):
            yield from _field_constraints(part)


def _types(annotation: Any) -> set[Any]:
    parts = get_args(annotation)
    if get_origin(annotation) is Annotated:
        return _types(parts[0])
    return {kind for part in parts for kind in _types(part)} if parts else {annotation}


def _number_or(value: float | str | None, default: float) -> float:
    """The value of a number; the default where none is given."""
    assert not isinstance(value, str)
    return default if value is None else value


def _ranged(tunable: Tunable) -> Tunable:
    start = _number_or(tunable.value, min(max(0.0, tunable.low), tunable.high))
    return replace(
        tunable,
        range=suggested_range(start, tunable.low, tunable.high, is_integer=tunable.whole, unit=tunable.unit),
    )


def _limited_to_nodes(tunable: Tunable, largest: dict[str, int]) -> Tunable:
    """Containers larger than every node are refused: their range ends there."""
    owner, _, field = tunable.path.rpartition(".")
    is_container = owner.endswith((".am", ".maps", ".reduces", ".executors")) or ".stages[" in owner
    if field not in largest or not is_container:
        return tunable
    start = _number_or(tunable.value, tunable.range.first)
    return replace(
        tunable,
        range=suggested_range(
            start,
            tunable.low,
            tunable.high,
            is_integer=tunable.whole,
            unit=tunable.unit,
            max_value=largest[field],
        ),
    )


def _parameters(index: int, chosen: Scheduler) -> Iterator[Tunable]:
    """A scheduler's own; and slow start, by which every scheduler may go that has no rule of its own."""
    parts = parts_of(chosen)
    for part in parts:
        yield from (_parameter(index, chosen.name, part, parameter) for parameter in part.policy.parameters)
    for part in (
        part for part in with_rule(chosen, SLOWSTART) if part.policy.name == SLOWSTART and part not in parts
    ):
        replaced_rule = chosen.reduce_start.policy.name
        for parameter in part.policy.parameters:
            tunable = _parameter(index, chosen.name, part, parameter)
            yield replace(
                tunable,
                help=msg("experiments.parameters.replaces", help=tunable.help, replaced_rule=replaced_rule),
                without=replaced_rule,
            )


def _parameter(index: int, name: str, part: Part, parameter: Parameter) -> Tunable:
    phrase, unit = name_and_unit(parameter.name)
    if part.policy.name not in name:
        phrase = _with_policy(part, parameter)
    tunable = Tunable(
        f"schedulers[{index}].{part.policy.name}.{parameter.name}",
        msg("experiments.parameters.scheduler", name=name),
        f"{name}: {phrase}",
        unit,
        f"{parameter.meaning[:1].upper()}{parameter.meaning[1:]}.",
        part.given[parameter.name],
        parameter.low,
        parameter.high,
        parameter.name in WHOLE_PARAMETERS,
        choices=parameter.choices,
        without=parameter.none_word or NOT_SET,
    )
    return tunable if parameter.choices else _ranged(tunable)


def _with_policy(part: Part, parameter: Parameter) -> str:
    """A parameter's name where the scheduler's does not say whose it is."""
    phrase, policy = name_and_unit(parameter.name)[0], part.policy
    return policy.title.lower() + (f", {phrase}" if len(policy.parameters) > 1 else "")


def _shared_parameters(
    by_scheduler: Sequence[Sequence[Tunable]], schedulers: Sequence[Scheduler]
) -> Iterator[Tunable]:
    """What two or more schedulers have, once for all of them."""
    by_parameter: dict[str, list[Tunable]] = {}
    for tunable in (tunable for own_parameters in by_scheduler for tunable in own_parameters):
        by_parameter.setdefault(tunable.path.split("].", 1)[1], []).append(tunable)
    parts = {
        part.policy.name: part
        for scheduler in schedulers
        for part in (*parts_of(scheduler), *with_rule(scheduler, SLOWSTART))
    }
    for key, shared in by_parameter.items():
        if len(shared) > 1:
            policy, _, field = key.partition(".")
            phrase = next(
                _with_policy(parts[policy], parameter)
                for parameter in parts[policy].policy.parameters
                if parameter.name == field
            )
            values, without = {tunable.value for tunable in shared}, {tunable.without for tunable in shared}
            subject = (
                msg("experiments.parameters.all_schedulers")
                if len(shared) == len(schedulers)
                else msg("experiments.parameters.schedulers", shared=len(shared))
            )
            value = shared[0].value if len(values) == 1 else None
            yield replace(
                shared[0],
                path=f"schedulers[*].{key}",
                value=value,
                group=msg("experiments.parameters.several_schedulers"),
                title=f"{subject}: {phrase}",
                without=MIXED if len(values | without) > 2 else shared[0].without,
            )
