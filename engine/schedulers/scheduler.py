"""Scheduler = order + reduce start + admission; its name and its parser."""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.codes import (
    ACTIVATE,
    BY_WEIGHT,
    COUNTED,
    FAIR_SHARE,
    FREE,
    NEVER,
    NO_DELAYS,
    NO_QUEUES,
    NO_RESERVATIONS,
    STARVED,
    WALKED,
)
from engine.errors import SchedulerError
from engine.messages import msg
from engine.schedulers.capabilities import QUEUE_SHARE
from engine.schedulers.catalogue import CATALOGUE, load
from engine.schedulers.measured_policy import MEASURED
from engine.schedulers.policy import ADMISSION, ORDER, REDUCE_START, Parameter, Policy

PART = re.compile(r"\s*([^()+]+?)\s*(?:\((.*)\))?\s*", re.DOTALL)


@dataclass(frozen=True)
class Part:
    """One policy with the values of its parameters, in their order; None where a parameter is not given and
    has no default.
    """

    policy: Policy
    values: tuple[float | str | None, ...]

    @classmethod
    def of(cls, policy: Policy) -> Part:
        """A policy with its defaults."""
        return cls(policy, tuple(parameter.default for parameter in policy.parameters))

    @property
    def numbers(self) -> list[float]:
        """What the policy reads as `parameters`: numbers, a choice's index, NaN for None."""
        return [
            _number(parameter, value)
            for parameter, value in zip(self.policy.parameters, self.values, strict=True)
        ]

    @cached_property
    def given(self) -> dict[str, float | str | None]:
        """Its parameters by name; not to be changed."""
        return dict(zip((parameter.name for parameter in self.policy.parameters), self.values, strict=True))

    def number(self, name: str, default: float = math.nan) -> float:
        """The value of a parameter that is a number; `default` where it is not given, or the policy has
        none of this name.
        """
        value = self.given.get(name)
        assert not isinstance(value, str), f"{name} is a choice"
        return default if value is None else value

    @property
    def window_ms(self) -> int:
        """How long its windows are, 0 without."""
        windows = self.policy.windows
        return max(1, math.floor(1000 * self.number(windows.seconds) + 0.5)) if windows else 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with a policy of the catalogue by its name: small, and that very policy again."""
        policy = self.policy
        if _known(policy.role, policy.name) is policy:
            return _unpickled, (policy.role, policy.name, self.values)
        return Part, (policy, self.values)

    def __str__(self) -> str:
        changed = [
            f"{p.name}={_text(v)}"
            for p, v in zip(self.policy.parameters, self.values, strict=True)
            if v != p.default
        ]
        return f"{self.policy.name}({', '.join(changed)})" if changed else self.policy.name


@dataclass(frozen=True)
class Scheduler:
    """Which request gets a node, when reduces are asked for, which masters may start."""

    order: Part
    reduce_start: Part
    admission: Part

    @classmethod
    def of(cls, order: Part) -> Scheduler:
        """An order with the rules that it is named without."""
        return cls(order, default_rule(order, REDUCE_START), default_rule(order, ADMISSION))

    @cached_property
    def name(self) -> str:
        """The canonical text: parameters in their order, defaults left out."""
        return "+".join(
            [
                str(self.order),
                *(str(part) for role, part in self.rules if part != default_rule(self.order, role)),
            ]
        )

    @property
    def rules(self) -> list[tuple[str, Part]]:
        return [(REDUCE_START, self.reduce_start), (ADMISSION, self.admission)]

    def is_paired(self, rule: Part) -> bool:
        """Is it the reduce-start rule that the order brings, with parameters of the order's?"""
        return rule.policy.role == REDUCE_START and self.order.policy.defaults.is_paired

    @property
    def windows_ms(self) -> tuple[int, int]:
        """How long the order's and the reduce-start rule's windows are, 0 without."""
        order, rule = (part.window_ms for part in (self.order, self.reduce_start))
        return order, rule

    @property
    def stops_job(self) -> int:
        """NEVER, UNSERVED, FITTING or ALWAYS; maps and reduces on typed slots do not stand in each other's
        way.
        """
        return NEVER if _has_typed_slots(self.order) else self.order.policy.assignment.stops_job

    @property
    def reserves(self) -> int:
        """NO_RESERVATIONS, or which requests may reserve a node; Hadoop 1, which has typed slots, reserves
        none.
        """
        return (
            self.order.policy.assignment.reserves
            if self.order.given.get("reservations") == "yes" and not _has_typed_slots(self.order)
            else NO_RESERVATIONS
        )

    @property
    def spreads_load(self) -> bool:
        """Does a node take no more tasks of a kind than its part of those there are? As Hadoop 1 does, on its
        typed slots.
        """
        return self.order.policy.assignment.spreads_load or _has_typed_slots(self.order)

    @property
    def delays(self) -> int:
        """NO_DELAYS, RELAXED or COUNTED; Hadoop 1's Fair on typed slots is taken to have none."""
        delays = self.order.policy.assignment.delays
        waits = delays == COUNTED or min(self.locality) >= 0
        return delays if waits and not _has_typed_slots(self.order) else NO_DELAYS

    @property
    def locality(self) -> tuple[float, float]:
        """Under RELAXED: which parts of the nodes a job lets pass, for its blocks' nodes, then for their
        racks.
        """
        return self.order.number("locality_node", -1.0), self.order.number("locality_rack", -1.0)

    @property
    def preempts(self) -> bool:
        """Are containers of some jobs killed for others?"""
        return self.order.given.get("preemption") == "yes"

    @property
    def max_off_switch(self) -> int:
        """The most containers far from their maps' blocks that a node is given on a heartbeat, 0 for no limit
        of their own.
        """
        return math.floor(self.order.number("maximum_offswitch_assignments", 0.0))

    @property
    def limits_users(self) -> bool:
        """Are the users of queues limited?"""
        return self.order.given.get("user_limits") == "yes"

    @property
    def ranks_by(self) -> int:
        """FAIR or DRF where the order goes by that rank of the job alone, 0 where it does not."""
        ranked = self.order.policy.ranked
        return ranked.by if ranked and not _has_typed_slots(self.order) else 0

    @property
    def walks_always(self) -> bool:
        """Does another rule read what the order's walks leave behind?"""
        return self.order.policy.assignment.reserves == WALKED and (
            self.admission.policy.masters.overtaking == ACTIVATE or self.headroom != FREE
        )

    @property
    def headroom(self) -> int:
        """FREE, FAIR_SHARE or QUEUE_LIMIT, where masters ask for it."""
        return self.order.policy.queues.headroom if self.reduce_start.policy.preempt else FREE

    @property
    def needs_fair_shares(self) -> bool:
        """Does a part read FairScheduler's fair shares?"""
        return (
            self.preempts_for_starved
            or self.reserves == STARVED
            or self.headroom == FAIR_SHARE
            or (self.is_fair_scheduler and self.admission.policy.masters.held_by == QUEUE_SHARE)
        )

    @property
    def update_ms(self) -> int:
        """Between FairScheduler's updates, 0 for one at each heartbeat; Hadoop 1's Fair is updated at
        each.
        """
        return 0 if _has_typed_slots(self.order) else math.floor(self.order.number("update_ms", 0.0) + 0.5)

    @property
    def monitor_ms(self) -> int:
        """Between rounds of CapacityScheduler's monitor that kills for queues below their guarantees, 0
        without.
        """
        return (
            math.floor(self.order.number("monitoring_interval_ms") + 0.5)
            if "monitoring_interval_ms" in self.order.given and self.preempts
            else 0
        )

    @property
    def preempts_for_starved(self) -> bool:
        """Does FairScheduler kill for starved jobs?"""
        return self.preempts and self.is_fair_scheduler

    @property
    def uses_dynamic_max_assign(self) -> bool:
        """Is a node given containers until half of what it had free is exceeded?"""
        return self.order.given.get("dynamic_max_assign") == "yes" and not _has_typed_slots(self.order)

    @property
    def normalizes_vcores_to_one(self) -> bool:
        """Does each container count as one vcore, whatever was asked (DefaultResourceCalculator.normalize)?
        FairScheduler has its own calculators.
        """
        return self.memory_only and not self.is_fair_scheduler

    @property
    def is_fair_scheduler(self) -> bool:
        """Is the order one of FairScheduler's, or made of one?"""
        return self.order.policy.queues.scheme == BY_WEIGHT

    @property
    def knows_queues(self) -> bool:
        """Does the order look at queues?"""
        return self.order.policy.queues.scheme != NO_QUEUES

    @property
    def is_measured(self) -> bool:
        """Is it what a cluster did, which nothing simulates?"""
        return self.order.policy is MEASURED

    @property
    def memory_only(self) -> bool:
        """Must only memory fit (resources=memory)?"""
        return self.order.given.get("resources") == "memory"


def parse(text: str, files: bool = False) -> Scheduler:
    """`ORDER[(key=value, …)][+RULE[(…)]]…` as a Scheduler; `files`: ORDER may be the path of a Python file.

    Raises SchedulerError naming the part that is wrong and the nearest known name.
    """
    part_texts = split_parts(text)
    if not all(part_text.strip() for part_text in part_texts):
        raise SchedulerError(msg("schedulers.scheduler.scheduler_cant_be_read_write_name", text=text))
    if part_texts[0].strip() == MEASURED.name:
        if len(part_texts) > 1:
            raise SchedulerError(
                msg("schedulers.scheduler.scheduler_measured_record_cluster_and_has", text=text)
            )
        return Scheduler.of(Part(MEASURED, ()))
    order = _parse_part(part_texts[0], {ORDER}, files)
    rules: dict[str, Part] = {}
    for part_text in part_texts[1:]:
        part = _parse_part(part_text, {REDUCE_START, ADMISSION}, False)
        if part.policy.role in rules:
            names = msg(
                "schedulers.scheduler.and", name=rules[part.policy.role].policy.name, name2=part.policy.name
            )
            raise SchedulerError(
                msg(
                    "schedulers.scheduler.scheduler_two_rules_one_allowed",
                    text=text,
                    role=part.policy.role,
                    names=names,
                )
            )
        rules[part.policy.role] = part
    scheduler = Scheduler(
        order, *(rules.get(role) or default_rule(order, role) for role in (REDUCE_START, ADMISSION))
    )
    _check(scheduler)
    return scheduler


def as_scheduler(scheduler: str | Scheduler) -> Scheduler:
    """What a person's script, or the page, may give as text."""
    return parse(scheduler) if isinstance(scheduler, str) else scheduler


def default_rule(order: Part, role: str) -> Part:
    """The rule of an order that is named without: as Hadoop, or the order's paper, has it."""
    defaults = order.policy.defaults
    if role == ADMISSION:
        return Part.of(CATALOGUE[role][defaults.admission])
    rule = CATALOGUE[role]["slowstart" if _has_typed_slots(order) else defaults.reduce_start]
    if defaults.is_paired:
        return Part(rule, tuple(order.given[parameter.name] for parameter in rule.parameters))
    return Part.of(rule)


def _known(role: str, name: str) -> Policy | None:
    return MEASURED if name == MEASURED.name else CATALOGUE[role].get(name)


def _unpickled(role: str, name: str, values: tuple[float | str | None, ...]) -> Part:
    policy = _known(role, name)
    assert policy is not None  # pickled by another Gantry
    return Part(policy, values)


def _has_typed_slots(order: Part) -> bool:
    """Hadoop 1's Fair, whose slots take maps or reduces."""
    return order.given.get("shares") == "kind"


def _check(scheduler: Scheduler) -> None:
    """SchedulerError for a combination that makes no sense, with the reason."""
    default_start, start = default_rule(scheduler.order, REDUCE_START), scheduler.reduce_start
    if scheduler.order.policy.defaults.is_paired and start != default_start:
        raise SchedulerError(
            msg(
                "schedulers.scheduler.has_its_own_reduce_start_rule",
                name=scheduler.order.policy.name,
                default_start=default_start,
                start=start,
            )
        )
    if scheduler.preempts_for_starved and scheduler.update_ms == 0:
        raise SchedulerError(
            msg("schedulers.scheduler.looks_for_starved_jobs_at_fairschedulers", order=scheduler.order)
        )
    rule, given = scheduler.admission, scheduler.admission.given
    if rule.policy.name == "reserve" and all(value is None for value in given.values()):
        raise SchedulerError(msg("schedulers.scheduler.reserve_needs_amount_vcores_memory_mb"))
    if scheduler.memory_only and (
        given.get("vcores") is not None
        or given.get("fraction") is not None
        or given.get("resource") in ("vcores", "both")
    ):
        remedy = "autoadmin(resource=memory)" if rule.policy.name == "autoadmin" else "reserve(memory_mb=…)"
        raise SchedulerError(
            msg(
                "schedulers.scheduler.keeps_vcores_which_does_not_count",
                rule=rule,
                order=scheduler.order,
                remedy=remedy,
            )
        )


def split_parts(text: str) -> list[str]:
    """The parts between + signs that stand outside brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "+" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _parse_part(text: str, roles: set[str], files: bool) -> Part:
    if files and text.strip().endswith(".py"):
        return _parse_values(load(text.strip()), "")
    match = PART.fullmatch(text)
    if not match:
        raise SchedulerError(
            msg("schedulers.scheduler.scheduler_part_cant_be_read_write", strip=text.strip())
        )
    name, inner = match[1], match[2]
    policies_by_name = {policy.name: policy for role in roles for policy in CATALOGUE[role].values()}
    if name not in policies_by_name:
        roles_elsewhere = [role for role, policies in CATALOGUE.items() if name in policies]
        if roles_elsewhere:
            raise SchedulerError(
                msg(
                    "schedulers.scheduler.kind_but_expected_here",
                    name=name,
                    roles_elsewhere=roles_elsewhere[0],
                    roles=" or ".join(sorted(roles)),
                )
            )
        matches = difflib.get_close_matches(name.lower(), policies_by_name, n=1, cutoff=0.4)
        hint = (
            msg("schedulers.scheduler.did_you_mean", matches=matches[0])
            if matches
            else msg("schedulers.scheduler.there", policies_by_name=", ".join(policies_by_name))
        )
        raise SchedulerError(
            msg("schedulers.scheduler.no_named", roles=" or ".join(sorted(roles)), name=name, hint=hint)
        )
    return _parse_values(policies_by_name[name], inner or "")


def _parse_values(policy: Policy, text: str) -> Part:
    values = {parameter.name: parameter.default for parameter in policy.parameters}
    parameters = {parameter.name: parameter for parameter in policy.parameters}
    given_keys: set[str] = set()
    for item in filter(None, (item.strip() for item in text.split(","))):
        key, _, value = (side.strip() for side in item.partition("="))
        if key not in parameters:
            matches = difflib.get_close_matches(key.lower(), parameters, n=1, cutoff=0.4)
            hint = (
                msg("schedulers.scheduler.did_you_mean", matches=matches[0])
                if matches
                else msg("schedulers.scheduler.its_parameters", value=", ".join(parameters) or "none")
            )
            raise SchedulerError(
                msg("schedulers.scheduler.has_no_parameter", name=policy.name, key=key, hint=hint)
            )
        if key in given_keys:
            raise SchedulerError(msg("schedulers.scheduler.given_twice", name=policy.name, key=key))
        given_keys.add(key)
        values[key] = _parse_value(policy, parameters[key], value)
    return Part(policy, tuple(values.values()))


def _parse_value(policy: Policy, parameter: Parameter, text: str) -> float | str | None:
    where = f"{policy.name}({parameter.name}={text})"
    if parameter.choices:
        if text not in parameter.choices:
            raise SchedulerError(
                msg("schedulers.scheduler.must_be", where=where, choices=" or ".join(parameter.choices))
            )
        return text
    if parameter.none_word and text == parameter.none_word:
        return None
    try:
        value = float(text) if text.isascii() and "_" not in text else float("")
    except ValueError:
        raise SchedulerError(
            msg(
                "schedulers.scheduler.must_be_number",
                where=where,
                ending=f" or {parameter.none_word}" if parameter.none_word else "",
            )
        ) from None
    if not (math.isfinite(value) and parameter.low <= value <= parameter.high):
        raise SchedulerError(
            msg("schedulers.scheduler.must_be_from_to", where=where, low=parameter.low, high=parameter.high)
        )
    if value == parameter.excluded:
        raise SchedulerError(
            msg(
                "schedulers.scheduler.must_not_be_where_not_defined", where=where, excluded=parameter.excluded
            )
        )
    return value


def _number(parameter: Parameter, value: float | str | None) -> float:
    if value is None:
        return math.nan
    return float(parameter.choices.index(value)) if parameter.choices else float(value)


def _text(value: float | str | None) -> str:
    assert value is not None  # no parameter with a default may be turned off
    return value if isinstance(value, str) else repr(float(value)).removesuffix(".0")
