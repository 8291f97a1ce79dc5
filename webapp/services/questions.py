"""What-if questions about a result: what can be asked, and answers as pieces of work, with the band of its record's replay where it has one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from engine import (
    QUESTIONS,
    Answer,
    Fault,
    GantryError,
    Price,
    Scenario,
    ScenarioError,
    TooLarge,
    answer,
    bare_ground,
    changed,
    container_count,
    has_record,
    judged_ground,
    kept_scheduler,
    question_fields,
    question_values,
)
from webapp import settings
from webapp.services import prediction
from webapp.services.cache import shared
from webapp.services.held import Latest
from webapp.services.run_seconds import seconds_of
from webapp.services.runs import Task, keep, known, needed
from webapp.services.tasks import Cancelled, Progress, TaskControl, kind, works

RUNS = 2  # of an answer: before and after
MOST_ANSWERS = 16  # held ready
MOST_VALUES = 10
LONGEST = 400  # characters of a value
UNDER = "fair"  # where nothing names a scheduler


@dataclass(frozen=True)
class Asked:
    """A question about a task; values as they were typed."""

    key: str
    scheduler: str
    question: str
    values: tuple[tuple[str, Any], ...]
    price: str

    @classmethod
    def of(cls, data: Any) -> Asked:
        """From what the page sent, which may be anything; ScenarioError for what is none."""
        data = data if isinstance(data, dict) else {}
        values, words = data.get("values"), [data.get(name) for name in ("key", "scheduler", "question", "price")]
        fits = isinstance(values, dict) and len(values) <= MOST_VALUES and all(isinstance(one, (str, int, float)) for one in values.values())
        if not fits or not all(isinstance(word, str) and len(word) <= LONGEST for word in [*words, *(str(one) for one in values.values())]):
            raise ScenarioError([Fault("question", "must have a key, a scheduler, a question, values and a price")])
        key, scheduler, question, price = words
        return cls(key, scheduler, question, tuple(sorted(values.items())), price)

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        return asdict(self) | {"values": dict(self.values)}

    @property
    def id(self) -> str:
        """Of the question, whoever asks it."""
        return hashlib.sha256(json.dumps(self.plain(), sort_keys=True).encode("utf-8", "replace")).hexdigest()[:24]


@dataclass(frozen=True)
class Answered:
    """An answer, with the scenario that it is about after the change."""

    asked: Asked
    answer: Answer
    scenario: Scenario


def about(task: Task) -> Task:
    """What questions are about: the result shown, or what is pinned beside it where that alone has a record, such as once an answer is shown in the charts."""
    return task.pinned if task.pinned and has_record(task.pinned.scenario) and not has_record(task.scenario) else task


def schedulers(task: Task, chosen: str | None = None) -> list[str]:
    """Those that it can be asked under; of a task that shows what was measured alone the one that was chosen, its configuration's, or fair."""
    return prediction.simulated(task) or [chosen or kept_scheduler(task.scenario) or UNDER]


def offered(task: Task, scheduler: str) -> list[dict[str, Any]]:
    """Every question with its fields, or why there is nothing to ask, as JSON values."""
    found = []
    for question in QUESTIONS.values():
        one: dict[str, Any] = {"key": question.key, "title": question.title, "about": question.about, "fields": [], "because": ""}
        try:
            fields = question_fields(task.scenario, scheduler, question.key)
            one["fields"] = [
                {"key": field.key, "title": field.title, "unit": field.unit, "value": field.default, "choices": [choice._asdict() for choice in field.choices]}
                for field in fields
            ]
        except GantryError as error:
            one["because"] = str(error)
        found.append(one)
    return found


def checked(asked: Asked) -> Task:
    """The task it is about; GantryError for a question that can't be asked, before anything is run. Raises NotAtHand for an unknown one."""
    task = needed(asked.key)
    question_values(task.scenario, asked.scheduler, asked.question, dict(asked.values))
    Price.of(asked.price)
    return task


def answered(asked: Asked) -> Answered | None:
    """The answer, if it is there."""
    found = _answers.get(asked.id) or shared.get(f"question:{asked.id}")
    return found if isinstance(found, Answered) and known(asked.key) else None


def begin(asked: Asked, patience_s: float) -> tuple[str, Progress]:
    """Answer it, as a piece of work; its id and how far it is. Raises what `checked` does."""
    task = checked(asked)
    count = RUNS + (prediction.STEPS if has_record(task.scenario) and not prediction.predicted(task.scenario, asked.scheduler) else 0)
    return works.start("question", asked.plain(), count, seconds_of(task.scenario, count), patience_s, after=keep(task))


@kind("question")
def _do_answer(plain: dict, control: TaskControl) -> None:
    asked = Asked.of(plain)
    if answered(asked):
        return
    scenario = needed(asked.key).scenario
    has = has_record(scenario)
    ground = judged_ground(prediction.made(scenario, asked.scheduler, control)) if has else bare_ground(scenario, asked.scheduler)
    control.step(control.of - RUNS, "before and after")
    after = changed(ground.scenario, ground.scheduler, asked.question, dict(asked.values))
    count, most = container_count(after.scenario.plain()), settings.most_containers()
    if count > most:
        raise TooLarge(f"That is {count:,} containers; this server runs at most {most:,}.")
    found = Answered(asked, answer(ground, after, control.halt, Price.of(asked.price)), after.scenario)
    if control.cancelled():
        raise Cancelled
    _answers.put(asked.id, found)
    shared.put(f"question:{asked.id}", found)


_answers: Latest[Answered] = Latest(MOST_ANSWERS)
