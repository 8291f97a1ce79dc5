"""What-if questions: the catalogue, and a scenario changed as one of them says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.messages import msg
from engine.prediction.changed_configuration import ConfigurationFile, configuration_files
from engine.prediction.cluster_questions import NODES, RACK
from engine.prediction.conversion_question import CONVERSION
from engine.prediction.dynamic_allocation_question import ALLOCATION
from engine.prediction.executor_questions import COUNT, SIZE
from engine.prediction.held_container_questions import KEPT, REUSE
from engine.prediction.job_questions import GROWTH, MOVE, SHIFT, SIZES, SLOWSTART_QUESTION
from engine.prediction.question import (
    Question,
    QuestionError,
    QuestionField,
    require_choice,
    without_record,
)
from engine.prediction.queue_questions import DRAIN, LIMIT, SCHEDULER, SHARE
from engine.scenario.configuration.configuration_reader import Configuration
from engine.scenario.configuration.configured_scenario import configure_scenario
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler, as_scheduler

QUESTIONS: dict[str, Question] = {
    question.key: question
    for question in (
        NODES,
        SHARE,
        LIMIT,
        SCHEDULER,
        CONVERSION,
        SLOWSTART_QUESTION,
        SIZES,
        SHIFT,
        MOVE,
        DRAIN,
        GROWTH,
        RACK,
        COUNT,
        ALLOCATION,
        SIZE,
        REUSE,
        KEPT,
    )
}


@dataclass(frozen=True)
class ChangedScenario:
    """A scenario as a question has it, without its record, under a scheduler; title: what has changed; files:
    the changed configuration.
    """

    key: str
    scenario: Scenario
    scheduler: Scheduler
    title: str
    caveats: tuple[str, ...]
    files: tuple[ConfigurationFile, ...]


def question(key: str) -> Question:
    """The question of this key; QuestionError with the nearest one."""
    return QUESTIONS[require_choice(key, list(QUESTIONS), "question")]


def question_fields(scenario: Scenario, scheduler: Scheduler | str, key: str) -> tuple[QuestionField, ...]:
    """What the question asks, with defaults of this scenario; QuestionError where there is nothing to ask."""
    return question(key).fields(scenario, _simulated(scheduler))


def question_values(
    scenario: Scenario, scheduler: Scheduler | str, key: str, values: Mapping[str, Any] | None = None
) -> dict[str, float | str]:
    """The values of a question's fields as they were typed or sent, defaults filled in, but where what was
    given asks for something else; QuestionError for one that it does not have or can't have.
    """
    given = values or {}
    fields = {field.key: field for field in question_fields(scenario, scheduler, key)}
    for name in given:
        if name not in fields:
            raise QuestionError(
                msg(
                    "prediction.questions.has_values_not",
                    key=key,
                    fields=", ".join(fields),
                    name=str(name)[:40],
                )
            )
    defaults = {
        name: "" if any(key in given for key in field.unless) else field.default
        for name, field in fields.items()
    }
    return {name: field.read(given.get(name, defaults[name])) for name, field in fields.items()}


def apply_question(
    scenario: Scenario, scheduler: Scheduler | str, key: str, values: Mapping[str, Any] | None = None
) -> ChangedScenario:
    """The scenario with the change; what `values` does not name is as `question_values` says.

    QuestionError, SchedulerError or ScenarioError where that makes no sense.
    """
    change = question(key).change(
        scenario, _simulated(scheduler), question_values(scenario, scheduler, key, values)
    )
    changed_scenario = Scenario.of(change.plain)
    files, missing = configuration_files(changed_scenario, change)
    return ChangedScenario(
        key, changed_scenario, change.scheduler, change.title, (*change.caveats, *missing), files
    )


def apply_configuration(scenario: Scenario, configuration: Configuration) -> ChangedScenario:
    """The scenario under another configuration of its cluster, whose placement rules its jobs follow.
    FormatError as `configure_scenario`.
    """
    made = configure_scenario(Scenario.of(without_record(scenario)), configuration)
    names = ", ".join(document.file for document in configuration.documents)
    title = msg("prediction.questions.configuration_instead", names=names)
    scheduler = _simulated(made.scheduler or "fair")
    return ChangedScenario("configuration", made.scenario, scheduler, title, tuple(map(str, made.notes)), ())


def _simulated(scheduler: Scheduler | str) -> Scheduler:
    chosen = as_scheduler(scheduler)
    if chosen.is_measured:
        raise QuestionError(msg("prediction.questions.measured_what_cluster_did_ask_under"))
    return chosen
