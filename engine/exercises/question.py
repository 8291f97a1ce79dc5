"""What is asked, what is said of an answer, and how it is solved: the same for every kind of task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine.errors import GantryError
from engine.messages import msg
from engine.scenario.json_values import number
from engine.scenario.model import Scenario
from engine.simulation.run import Run

Answer = Mapping[str, str | float]  # by the keys of the question's fields
Simulate = Callable[[Scenario, str], Run]  # the page's takes them from its cache


class AnswerError(GantryError):
    """An answer that is not complete, or no answer to this question."""


class Choice(NamedTuple):
    """One of a field's choices. detail: what is known of it, such as what a node has free."""

    value: str
    label: str
    detail: str = ""


class Field(NamedTuple):
    """What is to be answered or changed: one of `choices`, or a number in `unit` (low, high, step: None
    without). value: to start with; help: what the number means.
    """

    key: str
    title: str
    choices: tuple[Choice, ...] = ()
    unit: str = ""
    low: float | None = None
    high: float | None = None
    step: float | None = None
    value: str | float | None = None
    help: str = ""

    @property
    def is_number(self) -> bool:
        """Is a number asked for?"""
        return not self.choices


def number_of(answer: Answer, field: Field) -> float:
    """The number that an answer gives to a field, which a form may give as a text. AnswerError where it is
    none.
    """
    given: object = answer.get(field.key)
    if isinstance(given, str):
        try:
            given = float(given)
        except ValueError:
            given = None
    found = number(given)
    if found is None:
        raise AnswerError(msg("exercises.question.no_number", title=field.title))
    return found


def choice_of(answer: Answer, field: Field) -> str:
    """The choice that an answer gives to a field. AnswerError where it is none of those there are."""
    given = answer.get(field.key)
    if not isinstance(given, str) or given not in {choice.value for choice in field.choices}:
        raise AnswerError(msg("exercises.question.no_choice", title=field.title))
    return given


class Table(NamedTuple):
    """The state that a question is about, such as what the nodes have free."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Question(NamedTuple):
    """prompt: one sentence; charts_until_ms: how far charts may be seen before the answer, None: all."""

    prompt: str
    fields: tuple[Field, ...]
    tables: tuple[Table, ...] = ()
    charts_until_ms: int | None = None


class Verdict(NamedTuple):
    """sentence: that it is right, or what is wrong; scenario, schedulers: what the charts show after it."""

    correct: bool
    sentence: str
    scenario: Scenario
    schedulers: tuple[str, ...]
    details: tuple[str, ...] = ()


class Solution(NamedTuple):
    """answer: a sentence; steps: how it is worked out; explanation: the author's paragraphs; scenario,
    schedulers: what the charts show with it.
    """

    answer: str
    steps: tuple[str, ...]
    explanation: tuple[str, ...]
    scenario: Scenario
    schedulers: tuple[str, ...]
