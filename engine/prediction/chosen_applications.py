"""Which applications a question changes: all of a framework, or one; and what they have now, in words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar

from engine import quantities
from engine.messages import msg
from engine.prediction.question import QuestionField, require_choice, to_choices

ALL = "all"
Kept = TypeVar("Kept")
Named = dict[int, tuple[str, Kept]]  # name and what the question is about, by the job's index in the file


def application_field(named: Named[Kept], every: str) -> QuestionField:
    """Which of these; every: what all are called."""
    choices = to_choices([ALL, *(f"job:{name}" for name, _ in named.values())], lambda one: title(one, every))
    return QuestionField("application", "Application", "", ALL, choices=choices)


def title(choice: str, every: str) -> str:
    """What is chosen, in words."""
    return every if choice == ALL else choice.removeprefix("job:")


def chosen(named: Named[Kept], choice: str, what: str) -> Named[Kept]:
    """Those that are chosen; QuestionError for none of them. what: one of them is."""
    keys = [ALL, *(f"job:{name}" for name, _ in named.values())]
    require_choice(choice, keys, what)
    return {index: one for index, one in named.items() if choice in (ALL, f"job:{one[0]}")}


def was(values: Iterable[float | None], unit: str = "") -> str:
    """What they have now: "4", "4 to 8" or "no limit"."""
    known = sorted(set(values), key=lambda value: math.inf if value is None else value)
    words = [
        msg("shared.no_limit") if value is None else f"{quantities.number(value, exact=True)}{unit}"
        for value in known
    ]
    return words[0] if len(words) == 1 else f"{words[0]} to {words[-1]}"
