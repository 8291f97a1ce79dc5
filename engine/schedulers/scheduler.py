"""Scheduler = order + reduce start + admission; its name and its parser."""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from functools import cached_property

from engine.errors import SchedulerError
from engine.schedulers.catalogue import CATALOGUE, load
from engine.schedulers.measured_policy import MEASURED
from engine.schedulers.policy import (
    ACTIVATE,
    ADMISSION,
    COUNTED,
    FAIR_SHARE,
    FREE,
    NEVER,
    NO_DELAYS,
    NO_RESERVATIONS,
    ORDER,
    REDUCE_START,
    STARVED,
    WALKED,
    Parameter,
    Policy,
)

PART = re.compile(r"\s*([^()+]+?)\s*(?:\((.*)\))?\s*", re.DOTALL)


@dataclass(frozen=True)
class Part:
    """One policy with the values of its parameters, in their order; None where a parameter is not given and has no default."""

    policy: Policy
    values: tuple[float | str | None, ...]

    @property
    def numbers(self) -> list[float]:
        """What the policy reads as `parameters`: numbers, a choice's index, NaN for None."""
        return [_number(parameter, value) for parameter, value in zip(self.policy.parameters, self.values, strict=True)]

    @cached_property
    def given(self) -> dict[str, float | str | None]:
        """Its parameters by name; not to be changed."""
        return dict(zip((parameter.name for parameter in self.policy.parameters), self.values, strict=True))

    @property
    def window_ms(self) -> int:
        """How long its windows are, 0 without."""
        return max(1, math.floor(1000 * self.given[self.policy.window] + 0.5)) if self.policy.window else 0

    def __str__(self) -> str:
        changed = [f"{p.name}={_text(v)}" for p, v in zip(self.policy.parameters, self.values, strict=True) if v != p.default]
        return f"{self.policy.name}({', '.join(changed)})" if changed else self.policy.name


@dataclass(frozen=True)
class Scheduler:
    """Which request gets a node, when reduces are asked for, which masters may start."""

    order: Part
    reduce_start: Part
    admission: Part

    @property
    def name(self) -> str:
        """The canonical text: parameters in their order, defaults left out."""
        return "+".join([str(self.order), *(str(part) for role, part in self.rules if part != default_rule(self.order, role))])

    @property
    def rules(self) -> list[tuple[str, Part]]:
        return [(REDUCE_START, self.reduce_start), (ADMISSION, self.admission)]

    @property
    def windows_ms(self) -> tuple[int, int]:
        """How long the order's and the reduce-start rule's windows are, 0 without."""
        order, rule = (part.window_ms for part in (self.order, self.reduce_start))
        return order, rule

    @property
    def stops_job(self) -> int:
        """NEVER, UNSERVED, FITTING or ALWAYS; maps and reduces on typed slots do not stand in each other's way."""
        return NEVER if _by_kind(self.order) else self.order.policy.stops_job

    @property
    def reserves(self) -> int:
        """NO_RESERVATIONS, or which requests may reserve a node; Hadoop 1, which has typed slots, reserves none."""
        return self.order.policy.reserves if self.order.given.get("reservations") == "yes" and not _by_kind(self.order) else NO_RESERVATIONS

    @property
    def spreads_load(self) -> bool:
        """Does a node take no more tasks of a kind than its part of those there are? As Hadoop 1 does, on its typed slots."""
        return self.order.policy.spreads_load or _by_kind(self.order)

    @property
    def delays(self) -> int:
        """NO_DELAYS, RELAXED or COUNTED; Hadoop 1's Fair on typed slots is taken to have none."""
        waits = self.order.policy.delays == COUNTED or min(self.locality) >= 0
        return self.order.policy.delays if waits and not _by_kind(self.order) else NO_DELAYS

    @property
    def locality(self) -> tuple[float, float]:
        """Under RELAXED: which parts of the nodes a job lets pass, for its blocks' nodes, then for their racks."""
        return self.order.given.get("locality_node", -1.0), self.order.given.get("locality_rack", -1.0)

    @property
    def preempts(self) -> bool:
        """Are containers of some jobs killed for others?"""
        return self.order.given.get("preemption") == "yes"

    @property
    def off_switch(self) -> int:
        """The most containers far from their maps' blocks that a node is given on a beat, 0 for no limit of their own."""
        return math.floor(self.order.given.get("maximum_offswitch_assignments") or 0)

    @property
    def limits_users(self) -> bool:
        """Are the users of queues limited?"""
        return self.order.given.get("user_limits") == "yes"

    @property
    def ranks_by(self) -> int:
        """FAIR or DRF where the order goes by that rank of the job alone, 0 where it does not."""
        return 0 if _by_kind(self.order) else self.order.policy.ranks_by

    @property
    def walks_always(self) -> bool:
        """Does another rule read what the order's walks leave behind?"""
        return self.order.policy.reserves == WALKED and (self.admission.policy.line == ACTIVATE or self.headroom != FREE)

    @property
    def headroom(self) -> int:
        """FREE, FAIR_SHARE or QUEUE_LIMIT, where masters ask for it."""
        return self.order.policy.headroom if self.reduce_start.policy.preempt else FREE

    @property
    def keeps_shares(self) -> bool:
        """Does a part read FairScheduler's fair shares?"""
        return (
            self.kills_for_starved
            or self.reserves == STARVED
            or self.headroom == FAIR_SHARE
            or (self.order.policy.limits == "max_share" and self.admission.policy.name == "am-share")
        )

    @property
    def update_ms(self) -> int:
        """Between FairScheduler's updates, 0 for one at each beat; Hadoop 1's Fair is updated at each."""
        return 0 if _by_kind(self.order) else math.floor(self.order.given.get("update_ms", 0.0) + 0.5)

    @property
    def monitor_ms(self) -> int:
        """Between rounds of CapacityScheduler's monitor that kills for queues below their guarantees, 0 without."""
        return math.floor(self.order.given["monitoring_interval_ms"] + 0.5) if "monitoring_interval_ms" in self.order.given and self.preempts else 0

    @property
    def kills_for_starved(self) -> bool:
        """Does FairScheduler kill for starved jobs?"""
        return self.preempts and self.order.policy.limits == "max_share"

    @property
    def assigns_half(self) -> bool:
        """Is a node given containers until half of what it had free is exceeded?"""
        return self.order.given.get("dynamic_max_assign") == "yes" and not _by_kind(self.order)

    @property
    def books_one_vcore(self) -> bool:
        """Does each container count as one vcore, whatever was asked (DefaultResourceCalculator.normalize)? FairScheduler has its own calculators."""
        return self.memory_only and not self.is_fair_scheduler

    @property
    def is_fair_scheduler(self) -> bool:
        """Is the order one of FairScheduler's, or made of one?"""
        return self.order.policy.limits == "max_share"

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
    pieces = pieces_of(text)
    if not all(piece.strip() for piece in pieces):
        raise SchedulerError(f"scheduler {text!r} can't be read; write NAME or NAME(key=value, …) for each part between + signs")
    if pieces[0].strip() == MEASURED.name:
        if len(pieces) > 1:
            raise SchedulerError(f"scheduler {text!r}: measured is what the cluster did, it takes no rule; write measured alone")
        order = Part(MEASURED, ())
        return Scheduler(order, *(default_rule(order, role) for role in (REDUCE_START, ADMISSION)))
    order = _part(pieces[0], {ORDER}, files)
    rules: dict[str, Part] = {}
    for piece in pieces[1:]:
        part = _part(piece, {REDUCE_START, ADMISSION}, False)
        if part.policy.role in rules:
            names = f"{rules[part.policy.role].policy.name} and {part.policy.name}"
            raise SchedulerError(f"scheduler {text!r}: two {part.policy.role} rules, {names}; one is allowed")
        rules[part.policy.role] = part
    chosen = Scheduler(order, *(rules.get(role) or default_rule(order, role) for role in (REDUCE_START, ADMISSION)))
    _check(chosen)
    return chosen


def default_rule(order: Part, role: str) -> Part:
    """The rule of an order that is named without: as Hadoop, or the order's paper, has it."""
    policy = order.policy
    if role == REDUCE_START and policy.made_with:
        rule = CATALOGUE[role][policy.made_with]
        return Part(rule, tuple(order.given[parameter.name] for parameter in rule.parameters))
    if role == REDUCE_START:
        rule = CATALOGUE[role]["slowstart" if _by_kind(order) else policy.default_reduce_start]
    else:
        rule = CATALOGUE[role][policy.default_admission]
    return Part(rule, tuple(parameter.default for parameter in rule.parameters))


def _by_kind(order: Part) -> bool:
    """Hadoop 1's Fair, whose slots take maps or reduces."""
    return order.given.get("shares") == "kind"


def _check(chosen: Scheduler) -> None:
    """SchedulerError for a combination that makes no sense, with the reason."""
    own, start = default_rule(chosen.order, REDUCE_START), chosen.reduce_start
    if chosen.order.policy.made_with and start != own:
        raise SchedulerError(
            f"{chosen.order.policy.name} starts reduces by its own {own}, here stands {start}; batch-finish+{start} is batch finish with that rule"
            if chosen.order.policy.name == "omo"
            else f"{chosen.order.policy.name} starts reduces by its own {own}, here stands {start}"
        )
    if chosen.preempts and chosen.order.policy.limits == "max_share" and chosen.update_ms == 0:
        raise SchedulerError(f"{chosen.order} looks for starved jobs at FairScheduler's updates; give update_ms above 0, and leave shares=all")
    rule, given = chosen.admission, chosen.admission.given
    if rule.policy.name == "reserve" and all(value is None for value in given.values()):
        raise SchedulerError("reserve needs an amount: vcores, memory_mb or fraction, such as reserve(vcores=21)")
    if chosen.memory_only and (given.get("vcores") is not None or given.get("fraction") is not None or given.get("resource") in ("vcores", "both")):
        must = "autoadmin(resource=memory)" if rule.policy.name == "autoadmin" else "reserve(memory_mb=…)"
        raise SchedulerError(f"{rule} keeps vcores, which {chosen.order} does not count; write {must}")


def pieces_of(text: str) -> list[str]:
    """The parts between + signs that stand outside brackets."""
    pieces, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "+" and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return pieces


def _part(text: str, roles: set[str], files: bool) -> Part:
    if files and text.strip().endswith(".py"):
        return _given(load(text.strip()), "")
    match = PART.fullmatch(text)
    if not match:
        raise SchedulerError(f"scheduler part {text.strip()!r} can't be read; write NAME or NAME(key=value, …)")
    name, inner = match[1], match[2]
    known = {policy.name: policy for role in roles for policy in CATALOGUE[role].values()}
    if name not in known:
        elsewhere = [role for role, policies in CATALOGUE.items() if name in policies]
        if elsewhere:
            raise SchedulerError(f"{name!r} is a part of kind {elsewhere[0]}, here stands {' or '.join(sorted(roles))}")
        close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.4)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
        raise SchedulerError(f"no {' or '.join(sorted(roles))} is named {name!r}; {hint}")
    return _given(known[name], inner or "")


def _given(policy: Policy, text: str) -> Part:
    values = {parameter.name: parameter.default for parameter in policy.parameters}
    known = {parameter.name: parameter for parameter in policy.parameters}
    given_keys: set[str] = set()
    for item in filter(None, (item.strip() for item in text.split(","))):
        key, _, value = (side.strip() for side in item.partition("="))
        if key not in known:
            close = difflib.get_close_matches(key.lower(), known, n=1, cutoff=0.4)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(known) or 'none'}"
            raise SchedulerError(f"{policy.name} has no parameter {key!r}; {hint}")
        if key in given_keys:
            raise SchedulerError(f"{policy.name} is given {key} twice")
        given_keys.add(key)
        values[key] = _read(policy, known[key], value)
    return Part(policy, tuple(values.values()))


def _read(policy: Policy, parameter: Parameter, text: str) -> float | str:
    where = f"{policy.name}({parameter.name}={text})"
    if parameter.choices:
        if text not in parameter.choices:
            raise SchedulerError(f"{where}: must be {' or '.join(parameter.choices)}")
        return text
    if parameter.words and text == parameter.words:
        return None
    try:
        value = float(text) if text.isascii() and "_" not in text else float("")
    except ValueError:
        raise SchedulerError(f"{where}: must be a number{f' or {parameter.words}' if parameter.words else ''}") from None
    if not (math.isfinite(value) and parameter.low <= value <= parameter.high):
        raise SchedulerError(f"{where}: must be from {parameter.low:g} to {parameter.high:g}")
    if value == parameter.never:
        raise SchedulerError(f"{where}: must not be {parameter.never:g}, where it is not defined")
    return value


def _number(parameter: Parameter, value: float | str | None) -> float:
    if value is None:
        return math.nan
    return float(parameter.choices.index(value)) if parameter.choices else float(value)


def _text(value: float | str | None) -> str:
    return value if isinstance(value, str) else repr(float(value)).removesuffix(".0")
