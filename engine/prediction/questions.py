"""What-if questions: the catalogue, and a scenario changed as one of them says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.prediction.cluster_questions import NODES, RACK
from engine.prediction.job_questions import GROWTH, SHIFT, SIZES, SLOW
from engine.prediction.question import Question, QuestionError, QuestionField, one_of
from engine.prediction.queue_questions import DRAIN, LIMIT, SCHEDULER, SHARE
from engine.prediction.take_back import TakeBack, take_back
from engine.scenario.model import Scenario
from engine.schedulers.names import Scheduler, parse

QUESTIONS: dict[str, Question] = {question.key: question for question in (NODES, SHARE, LIMIT, SCHEDULER, SLOW, SIZES, SHIFT, DRAIN, GROWTH, RACK)}


@dataclass(frozen=True)
class Changed:
    """A scenario as a question has it, without its record, under a scheduler; title: what has changed; files: the configuration to take back."""

    key: str
    scenario: Scenario
    scheduler: str
    title: str
    caveats: tuple[str, ...]
    files: tuple[TakeBack, ...]


def question(key: str) -> Question:
    """The question of this key; QuestionError with the nearest one."""
    return QUESTIONS[one_of(key, list(QUESTIONS), "question")]


def question_fields(scenario: Scenario, scheduler: Scheduler | str, key: str) -> tuple[QuestionField, ...]:
    """What the question asks, with defaults of this scenario; QuestionError where there is nothing to ask."""
    return question(key).fields(scenario, _simulated(scheduler))


def question_values(scenario: Scenario, scheduler: Scheduler | str, key: str, values: Mapping[str, Any] | None = None) -> dict[str, float | str]:
    """The values of a question's fields as they were typed or sent, defaults filled in; QuestionError for one that it does not have or can't have."""
    known = {field.key: field for field in question_fields(scenario, scheduler, key)}
    for name in values or {}:
        if name not in known:
            raise QuestionError(f"{key} asks for {', '.join(known)}, not {str(name)[:40]!r}")
    return {name: field.read((values or {}).get(name, field.default)) for name, field in known.items()}


def changed(scenario: Scenario, scheduler: Scheduler | str, key: str, values: Mapping[str, Any] | None = None) -> Changed:
    """The scenario with the change; what `values` does not name is as its default.

    QuestionError, SchedulerError or ScenarioError where that makes no sense.
    """
    made = question(key).change(scenario, _simulated(scheduler), question_values(scenario, scheduler, key, values))
    found = Scenario.of(made.plain)
    files, missing = take_back(found, made)
    return Changed(key, found, made.scheduler, made.title, (*made.caveats, *missing), files)


def _simulated(scheduler: Scheduler | str) -> Scheduler:
    chosen = parse(scheduler) if isinstance(scheduler, str) else scheduler
    if chosen.is_measured:
        raise QuestionError("measured is what the cluster did: ask under the scheduler it ran, such as fair or capacity")
    return chosen
