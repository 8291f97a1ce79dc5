"""Questions as the page asks them: what is sent is checked, answered once, and about what has a record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import GantryError
from engine.dashboard import answer_text
from tests.engine.prediction import edited_queues as edits
from tests.engine.prediction.histories import history, truth
from tests.phrases import phrase
from tests.spark_jobs import MIXED
from tests.webapp.task_waiting import ended
from webapp.jobs import questions
from webapp.jobs.questions import QuestionRequest
from webapp.runs import saved_tasks
from webapp.runs.task import Task, build_task
from webapp.url import url_state


@pytest.fixture
def task(cache) -> Task:
    result = build_task(url_state.RunRequest(history(truth(4)).plain(), ("measured", "fair")))
    saved_tasks.save_task(result).result()
    return result


def asked(task: Task, question: str = "nodes", price: str = "", **values: object) -> QuestionRequest:
    return QuestionRequest.of(
        {"key": task.key, "scheduler": "fair", "question": question, "values": values, "price": price}
    )


def test_an_answer_is_made_once_and_kept(task) -> None:
    one = asked(task, nodes=8, price="2 EUR")
    assert QuestionRequest.of(one.plain()) == one and questions.find_answer(one) is None
    progress = ended(*questions.begin_answer(one, 60))
    assert progress.state == "finished", progress.because
    result = questions.find_answer(one)
    assert (
        result.answer.title == phrase("common.nodes_instead_more", 8, 4, 4)
        and result.answer.metrics[0].band is not None
        and result.answer.cost
    )
    assert (
        sum(group.count for group in result.scenario.cluster.nodes) == 8 and result.scenario.measured is None
    )
    assert "held-out jobs" in answer_text(result.answer)


def test_each_question_is_offered_with_its_fields_or_the_reason_why_not(task) -> None:
    offered = {
        offered_question["key"]: offered_question
        for offered_question in questions.offered_questions(task, "fair")
    }
    assert offered["nodes"]["fields"] == [
        {"key": "nodes", "title": "Nodes in all", "unit": "nodes", "value": 5, "empty": "", "choices": []}
    ]
    assert (
        offered["drain"]["because"].startswith(phrase("services.all_jobs_in_one_queue"))
        and not offered["drain"]["fields"]
    )
    assert questions.questionable_schedulers(task) == ["fair"]
    assert not {"instances", "dynamic", "executors"} & set(offered)  # nothing of Spark is there


def test_questions_of_executors_are_offered_where_spark_runs(cache) -> None:
    mixed = build_task(url_state.RunRequest(MIXED, ("fair",)))
    offered = {one["key"]: one for one in questions.offered_questions(mixed, "fair")}
    assert [field["key"] for field in offered["instances"]["fields"]] == ["application", "count"]
    maximum, minimum = offered["dynamic"]["fields"][1:3]
    assert (maximum["value"], maximum["empty"]) == (3, "6")  # half of what it is
    assert (minimum["value"], minimum["empty"]) == ("", "0")
    assert [choice["title"] for choice in offered["dynamic"]["fields"][0]["choices"]] == [
        phrase("services.all_spark_applications"),
        "etl",
    ]


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        {},
        {"key": 1},
        {"key": "k", "scheduler": "fair", "question": "nodes", "values": {"nodes": [1]}, "price": ""},
    ],
)
def test_what_is_no_question_is_refused(sent: object) -> None:
    with pytest.raises(GantryError, match=phrase("services.cant_be_read")):
        QuestionRequest.of(sent)


def test_what_can_not_be_asked_is_said_before_anything_runs(task) -> None:
    for one in (
        asked(task, nodes="x"),
        asked(task, "drain"),
        asked(task, price="much"),
        asked(task, "nodez"),
    ):
        with pytest.raises(GantryError):
            questions.begin_answer(one, 0)


def test_beside_an_opened_answer_questions_are_about_what_is_pinned(task) -> None:
    changed = build_task(
        url_state.RunRequest(
            {key: value for key, value in task.scenario.plain().items() if key != "measured"}, ("fair",)
        )
    )
    assert questions.questioned_task(replace(changed, pinned=task)) is task
    assert (
        questions.questioned_task(changed) is changed
        and questions.questioned_task(replace(task, pinned=changed)).key == task.key
    )
    alone = build_task(url_state.RunRequest(task.scenario.plain(), ("measured",)))
    assert questions.questionable_schedulers(alone, "capacity") == [
        "capacity"
    ] and questions.questionable_schedulers(alone) == ["fair"]


def test_the_queues_as_edited_are_asked_about_with_those_opened_before(cache) -> None:
    after = edits.edited(edits.opened(), 100.0)
    task = build_task(url_state.RunRequest(after.plain(), ("measured", edits.SCHEDULER)))
    saved_tasks.save_task(task).result()
    first = questions.offered_questions(task, edits.SCHEDULER)[0]
    assert (first["key"], first["because"]) == ("edited", "")
    one = QuestionRequest(task.key, edits.SCHEDULER, "edited", {}, "")
    assert questions.asked_about(task, one).queues == edits.opened().queues
    progress = ended(*questions.begin_answer(one, 60))
    assert progress.state == "finished", progress.because
    found = questions.find_answer(one)
    assert found.answer.metrics[0].band is not None
    assert [gain.name for gain in found.answer.gainers("queue")] == ["root.b"]
