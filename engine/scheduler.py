"""Scheduler = order + reduce start + admission; its name, its parser and the catalogue.

A new policy is a new file under engine/policies and one line here.
"""

from __future__ import annotations

import difflib
import importlib.util
import math
import re
from dataclasses import dataclass
from pathlib import Path

from engine.errors import SchedulerError
from engine.policies.admission.admit_all import ADMIT_ALL
from engine.policies.order.capacity import CAPACITY_ORDER
from engine.policies.order.drf import DRF_ORDER
from engine.policies.order.fair import FAIR_ORDER
from engine.policies.order.fifo import FIFO_ORDER
from engine.policies.policy import ADMISSION, ORDER, REDUCE_START, Parameter, Policy
from engine.policies.reduce_start.slowstart import SLOWSTART

CATALOGUE: dict[str, dict[str, Policy]] = {
    role: {policy.name: policy for policy in policies}
    for role, policies in {
        ORDER: (FIFO_ORDER, FAIR_ORDER, DRF_ORDER, CAPACITY_ORDER),
        REDUCE_START: (SLOWSTART,),
        ADMISSION: (ADMIT_ALL,),
    }.items()
}
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
        extras = [str(part) for role, part in self.rules if str(part) != DEFAULTS[role]]
        return "+".join([str(self.order), *extras])

    @property
    def rules(self) -> list[tuple[str, Part]]:
        return [(REDUCE_START, self.reduce_start), (ADMISSION, self.admission)]

    @property
    def memory_only(self) -> bool:
        """Must only memory fit (resources=memory)?"""
        return ("resources", "memory") in [(p.name, v) for p, v in zip(self.order.policy.parameters, self.order.values, strict=True)]


def parse(text: str, files: bool = False) -> Scheduler:
    """`ORDER[(key=value, …)][+RULE[(…)]]…` as a Scheduler; `files`: ORDER may be the path of a Python file.

    Raises SchedulerError naming the part that is wrong and the nearest known name.
    """
    pieces = _split(text)
    order = _part(pieces[0], {ORDER}, files)
    rules: dict[str, Part] = {}
    for piece in pieces[1:]:
        part = _part(piece, {REDUCE_START, ADMISSION}, False)
        if part.policy.role in rules:
            names = f"{rules[part.policy.role].policy.name} and {part.policy.name}"
            raise SchedulerError(f"scheduler {text!r}: two {part.policy.role} rules, {names}; one is allowed")
        rules[part.policy.role] = part
    for role, name in DEFAULTS.items():
        rules.setdefault(role, _part(name, {role}, False))
    return Scheduler(order, rules[REDUCE_START], rules[ADMISSION])


def _split(text: str) -> list[str]:
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
    for item in filter(None, (item.strip() for item in text.split(","))):
        key, _, value = (side.strip() for side in item.partition("="))
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1, cutoff=0.4)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(known) or 'none'}"
            raise SchedulerError(f"{policy.name} has no parameter {key!r}; {hint}")
        values[key] = _read(policy, known[key], value)
    return Part(policy, tuple(values.values()))


def _read(policy: Policy, parameter: Parameter, text: str) -> float | str:
    where = f"{policy.name}({parameter.name}={text})"
    if parameter.choices:
        if text not in parameter.choices:
            raise SchedulerError(f"{where}: must be {' or '.join(parameter.choices)}")
        return text
    try:
        value = float(text)
    except ValueError:
        raise SchedulerError(f"{where}: must be a number") from None
    if not (math.isfinite(value) and parameter.low <= value <= parameter.high):
        raise SchedulerError(f"{where}: must be from {parameter.low:g} to {parameter.high:g}")
    return value


def load(path: str) -> Policy:
    """The Policy that a Python file defines; SchedulerError when it can't be read or defines none."""
    try:
        spec = importlib.util.spec_from_file_location(Path(path).stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception as error:
        raise SchedulerError(f"{path}: can't be loaded: {type(error).__name__}: {error}") from None
    found = [value for value in vars(module).values() if isinstance(value, Policy) and value.role == ORDER]
    own = [policy for policy in found if policy.function.__module__ == module.__name__]
    if len(own) != 1:
        raise SchedulerError(f"{path}: must define one Policy of role 'order' with a function of its own, it defines {len(own)}")
    return own[0]


def _number(parameter: Parameter, value: float | str | None) -> float:
    if value is None:
        return math.nan
    return float(parameter.choices.index(value)) if parameter.choices else float(value)


def _text(value: float | str | None) -> str:
    return value if isinstance(value, str) else f"{value:g}"
