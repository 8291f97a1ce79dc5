"""A scenario and its schedulers with some of their numbers changed.

A number's path is the JSON path that faults have, such as `cluster.nodes[0].count`, with five more forms:
`jobs[*].slowstart` is that of every job, `jobs[0].maps.duration_s.scale` multiplies a duration or all numbers
of a distribution, `cluster.nodes.total` spreads a number of nodes over the groups,
`jobs[0].executors.dynamic.total` is the maximum of dynamic allocation, which lowers its other numbers with
it, and `schedulers[1].saf.alpha` is a policy's parameter, `schedulers[*].slowstart.at` that of every
scheduler that can have it: a rule that it does not have takes the place of the one of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from engine.errors import Fault, ScenarioError, SchedulerError
from engine.experiments.executor_total import DYNAMIC_TOTAL, with_maximum
from engine.experiments.node_total import NODES_TOTAL, scale_groups
from engine.messages import msg
from engine.scenario.json_values import number
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ADMISSION, REDUCE_START
from engine.schedulers.scheduler import Part, Scheduler, as_scheduler, parse

STEP = re.compile(r"([a-z_0-9]{1,40})(?:\[(\d{1,7}|\*)\])?")
PARAMETER = re.compile(r"schedulers\[(\d{1,4}|\*)\]\.([a-z0-9-]{1,60})\.([a-z_0-9]{1,40})")
CHOICE = re.compile(r"[a-z-]{1,40}")
SCALE = "scale"
EVERY = "*"
RULES = {**CATALOGUE[REDUCE_START], **CATALOGUE[ADMISSION]}
MAX_PATH_LENGTH = 200
DIGITS = 12  # of a scaled duration: 0.1 times 3 is 0.3

Overrides = Iterable[tuple[str, float | str]]
S = TypeVar("S", str, Scheduler)  # texts in, texts out


def with_overrides(
    scenario: dict, schedulers: Sequence[S], changes: Overrides
) -> tuple[Scenario, tuple[S, ...]]:
    """The scenario's JSON values and the schedulers with these numbers, checked: ScenarioError or
    SchedulerError where they make no sense.
    """
    plain, changed = apply_overrides(scenario, schedulers, changes)
    return Scenario.of(plain), changed


def apply_overrides(
    scenario: dict, schedulers: Sequence[S], changes: Overrides
) -> tuple[dict, tuple[S, ...]]:
    """The same without the check of the scenario, as JSON values; what is changed is copied. Schedulers keep
    their places.
    """
    changed: list[Any] = list(schedulers)
    for path, value in changes:
        if parameter := PARAMETER.fullmatch(path):
            target, policy, key = parameter.groups()
            for index in _scheduler_indices(path, changed, policy, key) if target == EVERY else [int(target)]:
                if index >= len(changed):
                    raise SchedulerError(
                        msg("experiments.overrides.there_schedulers_first", path=path, names=len(changed))
                    )
                present = changed[index]
                scheduler = _with_parameter(as_scheduler(present), policy, key, value)
                changed[index] = scheduler.name if isinstance(present, str) else scheduler
        else:
            scenario = _set_at(scenario, _steps(path), path, value)
    return scenario, tuple(changed)


def scheduler_of_path(path: str) -> int | None:
    """The index of the scheduler that a path belongs to; None for a path of the scenario or of several
    schedulers.
    """
    match = PARAMETER.fullmatch(path)
    return int(match[1]) if match and match[1] != EVERY else None


def parts_of(chosen: Scheduler) -> list[Part]:
    """Those of a scheduler that have parameters of their own; a rule that its order brings follows the
    order's.
    """
    if chosen.is_measured:
        return [chosen.order]
    return [
        chosen.order,
        *(part for _, part in chosen.rules if not chosen.is_paired(part)),
    ]


def with_rule(chosen: Scheduler, policy: str) -> list[Part]:
    """The scheduler's parts with this policy among them: a rule takes the place of the one of its kind, but
    for one that the order brings.
    """
    parts = parts_of(chosen)
    rule = RULES.get(policy)
    if (
        rule is None
        or chosen.is_measured
        or any(part.policy is rule for part in parts)
        or (rule.role == REDUCE_START and chosen.order.policy.defaults.is_paired)
    ):
        return parts
    return [*(part for part in parts if part.policy.role != rule.role), Part.of(rule)]


def can_have(chosen: Scheduler, policy: str, parameter: str) -> bool:
    """Does the scheduler have a parameter, or can it?"""
    return any(part.policy.name == policy and parameter in part.given for part in with_rule(chosen, policy))


def _scheduler_indices(path: str, schedulers: Sequence[S], policy: str, parameter: str) -> list[int]:
    """Of the schedulers that have a parameter, or can."""
    has = lambda scheduler: can_have(as_scheduler(scheduler), policy, parameter)
    indices = [index for index, scheduler in enumerate(schedulers) if has(scheduler)]
    if not indices:
        raise SchedulerError(
            msg(
                "experiments.overrides.no_scheduler_has_parameter",
                path=path,
                policy=policy,
                parameter=parameter,
            )
        )
    return indices


def _steps(path: str) -> list[str | int]:
    """cluster.nodes[0].count as ["cluster", "nodes", 0, "count"]; * stands for every entry."""
    steps: list[str | int] = []
    for text in path.split(".") if len(path) <= MAX_PATH_LENGTH else [""]:
        match = STEP.fullmatch(text)
        if not match:
            raise ScenarioError([Fault(path[:MAX_PATH_LENGTH], msg("shared.no_path_number_such_as_cluster"))])
        steps.append(match[1])
        if match[2]:
            steps.append(match[2] if match[2] == EVERY else int(match[2]))
    return steps


def _set_at(owner: Any, steps: list[str | int], path: str, value: float | str) -> Any:
    """A copy with the value at the end of the steps."""
    if not steps:
        return value
    step, *remaining = steps
    if isinstance(step, int) or step == EVERY:
        if not isinstance(owner, list) or (isinstance(step, int) and step >= len(owner)):
            raise ScenarioError([Fault(path, msg("experiments.overrides.there_no_entry", step=step))])
        return [
            _set_at(item, remaining, path, value) if step in (EVERY, index) else item
            for index, item in enumerate(owner)
        ]
    if step == SCALE and not remaining:
        return _scaled(owner, path, value)
    if not remaining and path == NODES_TOTAL:
        return scale_groups(owner, path, value)
    if not remaining and DYNAMIC_TOTAL.fullmatch(path):
        return with_maximum(owner, path, value)
    owner = {} if owner is None else owner  # an object that is left out, such as a queue's least share
    if not isinstance(owner, dict):
        raise ScenarioError([Fault(path, msg("experiments.overrides.there_nothing_has_field", step=step))])
    return {**owner, step: _set_at(owner.get(step), remaining, path, value)}


def _scaled(duration: Any, path: str, factor: Any) -> Any:
    if not isinstance(factor, (int, float)) or isinstance(factor, bool):
        raise ScenarioError([Fault(path, msg("experiments.overrides.multiplied_by_number"))])
    if isinstance(duration, dict):
        return {key: _scaled(item, path, factor) if key != "dist" else item for key, item in duration.items()}
    if isinstance(duration, list):
        return [_scaled(item, path, factor) for item in duration]
    return (
        float(f"{duration * factor:.{DIGITS}g}") if number(duration) is not None and factor != 1 else duration
    )


def _with_parameter(chosen: Scheduler, policy: str, parameter: str, value: float | str) -> Scheduler:
    """A scheduler with one parameter changed, its value checked as a text's is; what an order brings along
    follows it.
    """
    words = {"name": chosen.name, "policy": policy, "parameter": parameter}
    if not can_have(chosen, policy, parameter):
        raise SchedulerError(msg("experiments.overrides.has_no_parameter", **words))
    if isinstance(value, str) and not CHOICE.fullmatch(value):
        raise SchedulerError(msg("experiments.overrides.must_be_number_or_one_its", **words))
    changed = lambda part: {parameter: value} if part.policy.name == policy else {}
    return parse("+".join(_part_text(part, changed(part)) for part in with_rule(chosen, policy)))


def _part_text(part: Part, changed: dict[str, float | str]) -> str:
    arguments = [
        f"{key}={value if isinstance(value, str) else repr(value)}"
        for key, value in (part.given | changed).items()
        if value is not None
    ]
    return f"{part.policy.name}({', '.join(arguments)})"
