"""What a conversion tells: each setting with what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any, NamedTuple

from engine.messages import msg

MAX_NAMED = 3  # queues of one rule, the others are counted


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


def rule_sentences(rules: Iterable[ConversionRule]) -> list[str]:
    """One for each setting, queues together where they have the same of it."""
    together: dict[ConversionRule, list[str]] = {}
    for rule in rules:
        together.setdefault(rule._replace(queue=""), []).append(rule.queue)
    return [_sentence(rule, [name for name in names if name]) for rule, names in together.items()]


def _sentence(rule: ConversionRule, queues: list[str]) -> str:
    more = msg("conversion.conversion_rule.and_more", count=len(queues) - MAX_NAMED)
    names = ", ".join(queues[:MAX_NAMED]) + (more if len(queues) > MAX_NAMED else "")
    values = {
        "given": msg("conversion.conversion_rule.of_queues", given=rule.given, names=names)
        if names
        else rule.given,
        "written": rule.written,
        "why": rule.why,
    }
    if rule.outcome == Outcome.LOST:
        return msg("conversion.conversion_rule.lost", **values)
    if rule.outcome == Outcome.CHANGED:
        return msg("conversion.conversion_rule.changed", **values)
    return msg("conversion.conversion_rule.converted", **values)


def rules_plain(rules: Iterable[ConversionRule]) -> list[dict[str, Any]]:
    """As JSON values."""
    return [rule._asdict() | {"outcome": rule.outcome.value} for rule in rules]
