"""What a what-if question is: its fields with what the scenario says of them, and what it makes of the
scenario.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine import quantities
from engine.codes import BY_CAPACITY
from engine.errors import GantryError
from engine.messages import msg
from engine.scenario.model import VERSION, Scenario
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT
from engine.schedulers.scheduler import Scheduler

MAX_CHOICES = 200  # choices of a field; others can be typed


class QuestionError(GantryError):
    """A question that this scenario or scheduler leaves nothing to ask, or a value that it can't have; one
    sentence.
    """


class Choice(NamedTuple):
    """One of the values of a field, and how it is called."""

    value: str
    title: str


@dataclass(frozen=True)
class QuestionField:
    """A number from low to high in `unit`, whole where that says so, or one of `choices`; its default comes
    from the scenario. empty: what stands where it is left empty, "" where it may not be; unless: keys of
    fields, of which a given one leaves this one empty where it is not given itself.
    """

    key: str
    title: str
    unit: str
    default: float | str
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    choices: tuple[Choice, ...] = ()
    empty: str = ""
    unless: tuple[str, ...] = ()

    def read(self, raw: Any) -> float | str:
        """A value as it was typed or sent, "" for none; QuestionError for one that it can't have."""
        text = str(raw).strip()
        if (self.empty and not text) or (isinstance(self.default, str) and not self.empty):
            return text
        try:
            if isinstance(raw, bool):
                raise ValueError
            value = float(
                raw.strip().removesuffix("%").removesuffix(self.unit) if isinstance(raw, str) else raw
            )
        except (TypeError, ValueError, OverflowError):
            value = math.nan
        if not self.low <= value <= self.high or (self.whole and value != int(value)):
            kind = msg("prediction.question.whole_number") if self.whole else msg("shared.number")
            raise QuestionError(
                msg(
                    "prediction.question.must_be_from_to_not",
                    title=self.title,
                    kind=kind,
                    format_number=quantities.number(self.low, exact=True),
                    format_number2=quantities.number(self.high, exact=True),
                    ending=f" {self.unit}" if self.unit else "",
                    raw=str(raw)[:40],
                )
            )
        return int(value) if self.whole else value


class ScenarioChange(NamedTuple):
    """What a question makes: JSON values of the scenario, the scheduler, what has changed in a
    sentence, and what to take back.

    files: kinds of Hadoop's configuration that say the change; properties: of mapred-site.xml or
    capacity-scheduler.xml (file), one a row; spark: properties of each Spark application that is changed.
    """

    plain: dict[str, Any]
    scheduler: Scheduler
    title: str
    caveats: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    properties: Mapping[str, str] = {}
    file: str = ""
    spark: Mapping[str, dict[str, str]] = {}


Values = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """fields and change raise QuestionError where there is nothing to ask; about: what it answers, in a
    sentence; framework: it is about the applications of one.
    """

    key: str
    title: str
    about: str
    fields: Callable[[Scenario, Scheduler], tuple[QuestionField, ...]]
    change: Callable[[Scenario, Scheduler, Values], ScenarioChange]
    framework: str | None = None

    def is_about(self, scenario: Scenario) -> bool:
        """Does the scenario have what it is about?"""
        return self.framework is None or any(job.framework == self.framework for job in scenario.jobs)


def without_record(scenario: Scenario) -> dict[str, Any]:
    """The scenario's JSON values without its record, which a changed scenario has no more."""
    return {"version": VERSION, **scenario.model_dump(exclude_defaults=True, exclude={"measured"})}


def is_capacity(chosen: Scheduler) -> bool:
    """Do queues have capacities under it, as under CapacityScheduler?"""
    return chosen.order.policy.queues.scheme == BY_CAPACITY


def require_queues(chosen: Scheduler) -> None:
    """QuestionError under an order that does not look at queues."""
    if not chosen.knows_queues:
        raise QuestionError(
            msg("prediction.question.ignores_queues_ask_question_under_fair", name=chosen.order.policy.name)
        )


def queue_names(scenario: Scenario) -> list[str]:
    """Every queue below root, listed, implied by a name or used by a job, in the order of the file."""
    used = dict.fromkeys([*(queue.name for queue in scenario.queues), *(job.queue for job in scenario.jobs)])
    names: dict[str, None] = {}
    for name in used or [DEFAULT_QUEUE]:
        parts = name.split(".")
        names |= dict.fromkeys(".".join(parts[:end]) for end in range(2, len(parts) + 1))
    return [name for name in names if name != ROOT]


def leaves(names: Sequence[str]) -> list[str]:
    """Those that are no parent of another."""
    parents = {name.rpartition(".")[0] for name in names}
    return [name for name in names if name not in parents]


def require_choice(value: str, choices: Sequence[str], what: str) -> str:
    """The value, which must be known; QuestionError with the nearest one."""
    if value in choices:
        return value
    close = difflib.get_close_matches(value, choices, 1, 0.4)
    hint = (
        msg("prediction.question.did_you_mean", close=close[0])
        if close
        else msg(
            "prediction.question.choose_one",
            choices=", ".join(choices[:5]),
            ending=" and others" if len(choices) > 5 else "",
        )
    )
    raise QuestionError(msg("prediction.question.there_no", what=what, value=value[:80], hint=hint))


def to_choices(values: Sequence[str], title: Callable[[str], str] = str) -> tuple[Choice, ...]:
    """Choices of a field, the first of many."""
    return tuple(Choice(value, title(value)) for value in values[:MAX_CHOICES])


def short_name(queue: str) -> str:
    """A queue's name without root."""
    return queue.removeprefix(f"{ROOT}.")
