"""What a conversion tells: each setting with what became of it."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Outcome(Enum):
    """What became of a setting, those last that say the least."""

    LOST = "lost"  # nothing stands for it
    CHANGED = "changed"  # what stands for it does something else
    CONVERTED = "converted"


class ConversionRule(NamedTuple):
    """One setting. queue: "" for the whole scheduler's; given: as it was; written: what stands for it, "" for
    nothing; why: what that changes, "" where it is the same.
    """

    outcome: Outcome
    queue: str
    given: str
    written: str = ""
    why: str = ""


class Rules:
    """Rules as they are applied."""

    def __init__(self) -> None:
        self._rules: list[ConversionRule] = []

    def converted(self, queue: str, given: str, written: str) -> None:
        """It is the same in other words."""
        self._rules.append(ConversionRule(Outcome.CONVERTED, queue, given, written))

    def changed(self, queue: str, given: str, written: str, why: str) -> None:
        """Something near stands for it."""
        self._rules.append(ConversionRule(Outcome.CHANGED, queue, given, written, why))

    def lost(self, queue: str, given: str, why: str) -> None:
        """Nothing stands for it."""
        self._rules.append(ConversionRule(Outcome.LOST, queue, given, "", why))

    def sorted(self) -> tuple[ConversionRule, ...]:
        """Those first that say the most, else as they were applied."""
        order = list(Outcome)
        return tuple(sorted(self._rules, key=lambda rule: order.index(rule.outcome)))
