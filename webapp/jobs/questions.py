"""What-if questions about a result: what can be asked, and answers as pieces of work, with the band of its
record's replay where it has one.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from engine import GantryError, Scenario, ScenarioError, answer
from engine.dashboard import (
    QUESTIONS,
    Answer,
    Fault,
    Price,
    TooLarge,
    apply_question,
    configuration_scheduler,
    container_count,
    has_record,
    question_fields,
    question_values,
    unvalidated_baseline,
    validated_baseline,
)
from webapp import settings
from webapp.jobs import prediction
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_manager, job_type
from webapp.messages import msg
from webapp.runs.cache import shared_cache
from webapp.runs.saved_tasks import load_task, require_task, save_task
from webapp.runs.task import Task
from webapp.runs.time_estimates import estimate_seconds

RUNS_PER_ANSWER = 2  # of an answer: before and after
MAX_VALUES = 10
MAX_VALUE_CHARS = 400  # characters of a value
DEFAULT_SCHEDULER = "fair"  # where nothing names a scheduler


@dataclass(frozen=True)
class QuestionRequest:
    """A question about a task; values as they were typed."""

    key: str
    scheduler: str
    question: str
    values: tuple[tuple[str, Any], ...]
    price: str

    @classmethod
    def of(cls, data: Any) -> QuestionRequest:
        """From what the page sent, which may be anything; ScenarioError for what is none."""
        data = data if isinstance(data, dict) else {}
        values, words = (
            data.get("values"),
            [data.get(name) for name in ("key", "scheduler", "question", "price")],
        )
        is_valid = (
            isinstance(values, dict)
            and len(values) <= MAX_VALUES
            and all(isinstance(value, (str, int, float)) for value in values.values())
        )
        if not is_valid or not all(
            isinstance(word, str) and len(word) <= MAX_VALUE_CHARS
            for word in [*words, *(str(value) for value in values.values())]
        ):
            raise ScenarioError(
                [Fault("question", msg("jobs.questions.must_have_key_scheduler_question_values"))]
            )
        key, scheduler, question, price = words
        return cls(key, scheduler, question, tuple(sorted(values.items())), price)

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        return asdict(self) | {"values": dict(self.values)}

    @property
    def id(self) -> str:
        """Of the question, whoever asks it."""
        return hashlib.sha256(
            json.dumps(self.plain(), sort_keys=True).encode("utf-8", "replace")
        ).hexdigest()[:24]


@dataclass(frozen=True)
class AnsweredQuestion:
    """An answer, with the scenario that it is about after the change."""

    request: QuestionRequest
    answer: Answer
    scenario: Scenario


def questioned_task(task: Task) -> Task:
    """What questions are about: the result shown, or what is pinned beside it where that alone has a record,
    such as once an answer is shown in the charts.
    """
    return (
        task.pinned
        if task.pinned and has_record(task.pinned.scenario) and not has_record(task.scenario)
        else task
    )


def questionable_schedulers(task: Task, chosen: str | None = None) -> list[str]:
    """Those that it can be asked under; of a task that shows what was measured alone the one that was chosen,
    its configuration's, or fair.
    """
    return prediction.replayable_schedulers(task) or [
        chosen or configuration_scheduler(task.scenario) or DEFAULT_SCHEDULER
    ]


def offered_questions(task: Task, scheduler: str) -> list[dict[str, Any]]:
    """Every question with its fields, or why there is nothing to ask, as JSON values."""
    offered = []
    for question in QUESTIONS.values():
        entry: dict[str, Any] = {
            "key": question.key,
            "title": question.title,
            "about": question.about,
            "fields": [],
            "because": "",
        }
        try:
            fields = question_fields(task.scenario, scheduler, question.key)
            entry["fields"] = [
                {
                    "key": field.key,
                    "title": field.title,
                    "unit": field.unit,
                    "value": field.default,
                    "choices": [choice._asdict() for choice in field.choices],
                }
                for field in fields
            ]
        except GantryError as error:
            entry["because"] = str(error)
        offered.append(entry)
    return offered


def checked_task(request: QuestionRequest) -> Task:
    """The task it is about; GantryError for a question that can't be asked, before anything is run. Raises
    ResultExpired for an unknown one.
    """
    task = require_task(request.key)
    question_values(task.scenario, request.scheduler, request.question, dict(request.values))
    Price.of(request.price)
    return task


def find_answer(request: QuestionRequest) -> AnsweredQuestion | None:
    """The answer, if it is there."""
    answered = shared_cache.get(f"question:{request.id}")
    return answered if answered and load_task(request.key) else None


def begin_answer(request: QuestionRequest, timeout_s: float) -> tuple[str, Progress]:
    """Answer it, as a piece of work; its id and how far it is. Raises what `checked_task` does."""
    task = checked_task(request)
    count = RUNS_PER_ANSWER + (
        prediction.STEPS
        if has_record(task.scenario) and not prediction.find_prediction(task.scenario, request.scheduler)
        else 0
    )
    return job_manager.start(
        "question",
        request.plain(),
        count,
        estimate_seconds(task.scenario, count),
        timeout_s,
        after=save_task(task),
    )


@job_type("question")
def _do_answer(arguments: dict, control: JobControl) -> None:
    request = QuestionRequest.of(arguments)
    if find_answer(request):
        return
    scenario = require_task(request.key).scenario
    is_recorded = has_record(scenario)
    baseline = (
        validated_baseline(prediction.require_prediction(scenario, request.scheduler, control))
        if is_recorded
        else unvalidated_baseline(scenario, request.scheduler)
    )
    control.step(control.total - RUNS_PER_ANSWER, msg("jobs.questions.before_and_after"))
    after = apply_question(baseline.scenario, baseline.scheduler, request.question, dict(request.values))
    count, limit = container_count(after.scenario.plain()), settings.max_containers()
    if count > limit:
        raise TooLarge(msg("shared.containers_server_runs_at_most", count=count, limit=limit))
    answered = AnsweredQuestion(
        request, answer(baseline, after, control.cancel_token, Price.of(request.price)), after.scenario
    )
    if control.cancelled():
        raise Cancelled
    shared_cache.put(f"question:{request.id}", answered)
