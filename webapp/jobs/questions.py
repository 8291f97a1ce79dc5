"""What-if questions about a result: what can be asked, and answers as pieces of work, with the band of its
record's replay where it has one.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from engine import GantryError, Scenario, answer
from engine.dashboard import (
    EDITED,
    QUESTIONS,
    Answer,
    Price,
    apply_edits,
    apply_question,
    configuration_scheduler,
    has_record,
    question_fields,
    question_values,
    scenario_as_read,
    unvalidated_baseline,
    validated_baseline,
)
from webapp.jobs import prediction
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_type
from webapp.jobs.page_request import Number, PageRequest
from webapp.jobs.run_job import start_runs
from webapp.jobs.whatif import check_container_count
from webapp.messages import msg
from webapp.runs.cache import shared_cache
from webapp.runs.saved_tasks import load_task, require_task
from webapp.runs.task import Task

RUNS_PER_ANSWER = 2  # of an answer: before and after
MAX_VALUES = 10
Text = Annotated[str, Meta(max_length=400)]
DEFAULT_SCHEDULER = "fair"  # where nothing names a scheduler


class QuestionRequest(PageRequest, frozen=True):
    """A question about a task; values as they were typed."""

    key: Text
    scheduler: Text
    question: Text
    values: Annotated[dict[str, Text | Number], Meta(max_length=MAX_VALUES)]
    price: Text

    @property
    def id(self) -> str:
        """Of the question, whoever asks it."""
        text = json.dumps(self.plain(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


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
    pinned = task.pinned
    return pinned if pinned and has_record(pinned.scenario) and not has_record(task.scenario) else task


def questionable_schedulers(task: Task, chosen: str | None = None) -> list[str]:
    """Those that it can be asked under; of a task that shows what was measured alone the one that was chosen,
    its configuration's, or fair.
    """
    return prediction.replayable_schedulers(task) or [
        chosen or configuration_scheduler(task.scenario) or DEFAULT_SCHEDULER
    ]


def offered_questions(task: Task, scheduler: str) -> list[dict[str, Any]]:
    """Every question that is about something there, with its fields, or why there is nothing to ask, as JSON
    values.
    """
    offered = []
    for question in QUESTIONS.values():
        if not question.is_about(task.scenario):
            continue
        fields, because = [], ""
        try:
            fields = [
                {
                    "key": field.key,
                    "title": field.title,
                    "unit": field.unit,
                    "value": field.default,
                    "empty": field.empty,
                    "choices": [choice._asdict() for choice in field.choices],
                }
                for field in question_fields(task.scenario, scheduler, question.key)
            ]
        except GantryError as error:
            because = str(error)
        facts = {"key": question.key, "title": question.title, "about": question.about}
        offered.append(facts | {"fields": fields, "because": because})
    return [_edited_question(task, scheduler), *offered]


def _edited_question(task: Task, scheduler: str) -> dict[str, Any]:
    because = ""
    try:
        scenario_as_read(task.scenario, scheduler)
    except GantryError as error:
        because = str(error)
    title, about = msg("jobs.questions.edited"), msg("jobs.questions.edited_about")
    return {"key": EDITED, "title": title, "about": about, "fields": [], "because": because}


def asked_about(task: Task, request: QuestionRequest) -> Scenario:
    """What is before the change: the task's scenario, or that with the queues that were edited as they were
    opened. GantryError where nothing was edited.
    """
    if request.question == EDITED:
        return scenario_as_read(task.scenario, request.scheduler)
    return task.scenario


def checked_task(request: QuestionRequest) -> Task:
    """The task it is about; GantryError for a question that can't be asked, before anything is run. Raises
    ResultExpired for an unknown one.
    """
    task = require_task(request.key)
    if request.question != EDITED:
        question_values(task.scenario, request.scheduler, request.question, request.values)
    Price.of(request.price)
    return task


def find_answer(request: QuestionRequest) -> AnsweredQuestion | None:
    """The answer, if it is there."""
    answered = shared_cache.get(f"question:{request.id}")
    return answered if answered and load_task(request.key) else None


def begin_answer(request: QuestionRequest, timeout_s: float) -> tuple[str, Progress]:
    """Answer it, as a piece of work; its id and how far it is. Raises what `checked_task` does."""
    task = checked_task(request)
    count = RUNS_PER_ANSWER
    scenario = asked_about(task, request)
    if has_record(scenario) and not prediction.find_prediction(scenario, request.scheduler):
        count += prediction.STEPS
    return start_runs("question", task, request.plain(), count, timeout_s)


@job_type("question")
def _do_answer(arguments: dict, control: JobControl) -> None:
    request = QuestionRequest.of(arguments)
    if find_answer(request):
        return
    task = require_task(request.key)
    scenario = asked_about(task, request)
    if has_record(scenario):
        baseline = validated_baseline(prediction.require_prediction(scenario, request.scheduler, control))
    else:
        baseline = unvalidated_baseline(scenario, request.scheduler)
    control.step(control.total - RUNS_PER_ANSWER, msg("jobs.questions.before_and_after"))
    if request.question == EDITED:
        after = apply_edits(baseline.scenario, task.scenario, baseline.scheduler)
    else:
        after = apply_question(baseline.scenario, baseline.scheduler, request.question, request.values)
    check_container_count(after.scenario.plain())
    found = answer(baseline, after, control.cancel_token, Price.of(request.price))
    if control.cancelled():
        raise Cancelled
    shared_cache.put(f"question:{request.id}", AnsweredQuestion(request, found, after.scenario))
