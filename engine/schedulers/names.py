"""Scheduler = order + reduce start + admission; its name and its parser."""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass

from engine.errors import SchedulerError
from engine.schedulers.catalogue import CATALOGUE, load
from engine.schedulers.policy import ADMISSION, NEVER, NO_RESERVATIONS, ORDER, REDUCE_START, Parameter, Policy

DEFAULTS = {REDUCE_START: "slowstart", ADMISSION: "admit-all"}
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

    @property
    def given(self) -> dict[str, float | str | None]:
        """Its parameters by name."""
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
        extras = [str(part) for role, part in self.rules if str(part) != DEFAULTS[role] and part.policy.name != self.order.policy.default_reduce_start]
        return "+".join([str(self.order), *extras])

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
        return NEVER if self.order.given.get("shares") == "kind" else self.order.policy.stops_job

    @property
    def reserves(self) -> int:
        """NO_RESERVATIONS, or which requests may reserve a node."""
        return self.order.policy.reserves if self.order.given.get("reservations") == "yes" else NO_RESERVATIONS

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
    order = _part(pieces[0], {ORDER}, files)
    rules: dict[str, Part] = {}
    for piece in pieces[1:]:
        part = _part(piece, {REDUCE_START, ADMISSION}, False)
        if part.policy.role in rules:
            names = f"{rules[part.policy.role].policy.name} and {part.policy.name}"
            raise SchedulerError(f"scheduler {text!r}: two {part.policy.role} rules, {names}; one is allowed")
        rules[part.policy.role] = part
    if order.policy.default_reduce_start:
        _add_default_reduce_start(order, rules)
    for role, name in DEFAULTS.items():
        rules.setdefault(role, _part(name, {role}, False))
    chosen = Scheduler(order, rules[REDUCE_START], rules[ADMISSION])
    _check(chosen)
    return chosen


def _add_default_reduce_start(order: Part, rules: dict[str, Part]) -> None:
    """The reduce-start rule that an order is made with, with the order's own values for its parameters."""
    policy = CATALOGUE[REDUCE_START][order.policy.default_reduce_start]
    its_own = Part(policy, tuple(order.given[parameter.name] for parameter in policy.parameters))
    given = rules.setdefault(REDUCE_START, its_own)
    if given != its_own:
        raise SchedulerError(
            f"{order.policy.name} starts reduces by its own {its_own}, here stands {given}; batch-finish+{given} is batch finish with that rule"
            if order.policy.name == "omo"
            else f"{order.policy.name} starts reduces by its own {its_own}, here stands {given}"
        )


def _check(chosen: Scheduler) -> None:
    """SchedulerError for a combination that makes no sense, with the reason."""
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
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
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
            close = difflib.get_close_matches(key, known, n=1, cutoff=0.4)
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
