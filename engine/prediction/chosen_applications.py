"""Which applications a question changes: all of a framework, or one; and what they have now, in words."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from engine import quantities
from engine.messages import msg
from engine.prediction.question import QuestionField, require_choice, to_choices

ALL = "all"
Kept = TypeVar("Kept")
Named = dict[int, tuple[str, Kept]]  # name and what the question is about, by the job's index in the file


Parts = Mapping[str, tuple[str, Collection[int]]]  # what some of them are called, and which they are, by key
NO_PARTS: Parts = MappingProxyType({})


def application_field(
    named: Named[Kept], every: str, parts: Parts = NO_PARTS, default: str = ALL
) -> QuestionField:
    """Which of these: all, called `every`, a part of them, or one; default: a part, where that is there."""
    choices = to_choices([ALL, *parts, *_singles(named)], lambda one: title(one, every, parts))
    first = default if default in parts else ALL
    return QuestionField("application", "Application", "", first, choices=choices)


def _singles(named: Named[Kept]) -> list[str]:
    return list(dict.fromkeys(f"job:{name}" for name, _ in named.values()))


def title(choice: str, every: str, parts: Parts = NO_PARTS) -> str:
    """What is chosen, in words."""
    if choice in parts:
        return parts[choice][0]
    return every if choice == ALL else choice.removeprefix("job:")


def chosen(named: Named[Kept], choice: str, what: str, parts: Parts = NO_PARTS) -> Named[Kept]:
    """Those that are chosen; QuestionError for none of them. what: one of them is."""
    require_choice(choice, [ALL, *parts, *_singles(named)], what)
    if choice in parts:
        return {index: named[index] for index in sorted(parts[choice][1])}
    return {index: one for index, one in named.items() if choice in (ALL, f"job:{one[0]}")}


def was(values: Iterable[float | None], unit: str = "") -> str:
    """What they have now: "4", "4 to 8" or "no limit"."""
    known = sorted(set(values), key=lambda value: math.inf if value is None else value)
    words = [
        msg("shared.no_limit") if value is None else f"{quantities.number(value, exact=True)}{unit}"
        for value in known
    ]
    return words[0] if len(words) == 1 else f"{words[0]} to {words[-1]}"
