"""A decision foretold: the scheduler's own choice is right, every other one is told why not."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exercises import exercise as exercises
from engine.exercises.question import AnswerError
from engine.exercises.reader import ExerciseError
from engine.explanation.explain import explain
from engine.scenario.model import Scenario
from tests.engine.exercises.answers import SCHEDULERS, all_answers, asked_on_run, malformed
from tests.engine.exercises.small_exercises import exercise
from tests.examples import examples
from tests.phrases import phrase
from tests.strategies import BUSY, among, scenarios

SMALL = {"maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}
WIDE = {"name": "wide", "maps": {"count": 2, "memory_mb": 1024, "vcores": 3, "duration_s": 10}}
NODES = [{"name": "n", "count": 2, "memory_mb": 4096, "vcores": 4}]


def decided(ask: str, container: str, scheduler: str, jobs: Any, **cluster: Any) -> Any:
    scenario = {"version": 1, "cluster": {"nodes": NODES, **cluster}, "jobs": jobs}
    task = {"kind": "predict", "ask": ask, "container": container}
    return exercise(task, scenario=scenario, schedulers=[scheduler])


def said(asked: Any, **answer: str) -> tuple[bool, str]:
    verdict = exercises.check(asked, answer)
    return verdict.correct, verdict.sentence


def test_a_node_without_room_is_said_first() -> None:
    """a and b fill n-1 but for one vcore, which is less than wide's map needs."""
    jobs = [{"name": "a", **SMALL}, {"name": "b", **SMALL}, {**WIDE, "arrival_s": 1}]
    asked = decided("place", "wide/1/map/0", "fifo", jobs, heartbeat_ms=1000, containers_per_heartbeat=3)
    question = exercises.question(asked)
    assert question.charts_until_ms == 1500
    assert [choice.value for choice in question.fields[0].choices] == ["n-1", "n-2"]
    assert said(asked, node="n-1", request="wide/map") == (False, phrase("exercises.node_has_left", 1, 3))
    assert said(asked, node="n-2", request="wide/map")[0]


def test_another_node_s_heartbeat_is_told_with_both_times() -> None:
    """Both nodes have room: n-2 sends its heartbeat half a second after n-1."""
    jobs = [{"name": "a", **SMALL}, {"name": "b", **SMALL, "arrival_s": 0.2}]
    asked = decided("place", "b/1/map/0", "fifo", jobs, heartbeat_ms=1000, containers_per_heartbeat=None)
    assert said(asked, node="n-1", request="b/map") == (False, phrase("exercises.sends_its_heartbeat"))
    assert said(asked, node="n-2", request="b/map")[0]


def test_without_heartbeats_equal_nodes_are_equally_right() -> None:
    """Which of two empty nodes is visited first is a rule of the simulation alone."""
    jobs = [{"name": "a", **SMALL}, {"name": "b", **SMALL}]
    asked = decided("place", "a/1/map/0", "fifo", jobs, heartbeat_ms=0)
    assert [said(asked, node=node, request="a/map")[0] for node in ("n-1", "n-2")] == [True, True]
    assert said(asked, node="n-2", request="b/map") == (False, phrase("exercises.was_not_chosen_batch"))


def test_the_number_that_decided_is_told() -> None:
    jobs = [{"name": "a", **SMALL, "weight": 2.0}, {"name": "b", **SMALL}]
    asked = decided("next", "b/1/map/0", "fair(update_ms=0)", jobs, heartbeat_ms=0)
    question = exercises.question(asked)
    assert [table.title for table in question.tables] == ["Nodes", "Waiting requests", "Jobs"]
    assert [choice.value for choice in question.fields[0].choices] == ["a", "b"]
    assert said(asked, job="a") == (False, phrase("exercises.map_of_a_was_not_chosen"))
    solution = exercises.solution(asked)
    assert solution.steps[1:] == (phrase("exercises.map_of_b_was_ahead"),)
    assert solution.answer == exercises.check(asked, {"job": "b"}).sentence
    assert exercises.histogram_label(asked, {"job": "a"}) == "a"


def test_a_tie_is_told_with_what_breaks_it() -> None:
    """Neither job holds the least."""
    jobs = [{"name": "a", **SMALL}, {"name": "b", **SMALL}]
    verdict = exercises.check(decided("next", "a/1/map/0", "fair", jobs, heartbeat_ms=0), {"job": "a"})
    assert verdict.correct
    assert verdict.details[0].endswith(phrase("explanation.tie_in_the_list_of_jobs") + ".")


def test_a_node_sends_heartbeats_only_where_there_are_some() -> None:
    jobs = [{"name": "a", **SMALL}, {"name": "b", **SMALL}]
    prompts = [
        exercises.question(decided("next", "a/1/map/0", "fifo", jobs, heartbeat_ms=ms)).prompt
        for ms in (0, 1000)
    ]
    assert ["heartbeat" in prompt for prompt in prompts] == [False, True]
    assert prompts[0].startswith("n-1 is visited at 0:00.")


def test_a_decision_without_a_choice_is_no_exercise() -> None:
    asked = decided("next", "a/1/map/0", "fifo", [{"name": "a", **SMALL}])
    with pytest.raises(ExerciseError, match=phrase("exercises.only_a_waited")):
        exercises.check_exercise(asked)
    with pytest.raises(ExerciseError, match="no such container"):
        exercises.question(decided("next", "a/1/map/9", "fifo", [{"name": "a", **SMALL}]))


def test_a_run_of_too_many_decisions_is_no_exercise() -> None:
    """They are made again for each answer."""
    with pytest.raises(ExerciseError, match=phrase("exercises.there_are_so_many", 51, "jobs", 50)):
        decided("next", "a/1/map/0", "fifo", [{"name": "a", **SMALL, "count": 51}])
    many = {"name": "a", "maps": SMALL["maps"] | {"count": 1001}}
    with pytest.raises(
        ExerciseError, match=phrase("exercises.there_are_so_many", "1,001", "containers", "1,000")
    ):
        decided("next", "a/1/map/0", "fifo", [many])


@examples(40, 400)
@given(scenarios(BUSY), among(*SCHEDULERS), st.integers(0, 1000), among("next", "place"), st.data())
def test_the_scheduler_s_choice_is_right_and_no_other(
    case: Scenario, scheduler: str, place: int, ask: str, data: st.DataObject
) -> None:
    task = {"kind": "predict", "ask": ask}
    run, container, asked, question = asked_on_run(case, scheduler, place, task)
    told = explain(run, scheduler, container)
    chosen = next(row for row in told["candidates"] if row["chosen"])
    nodes = {choice.value: choice.detail for choice in question.fields[0].choices}
    for answer in all_answers(question):
        verdict = exercises.check(asked, answer)
        if ask == "next":
            assert verdict.correct == (answer["job"] == chosen["job"])
        elif answer["request"] != f"{chosen['job']}/{chosen['kind']}":
            assert not verdict.correct
        elif answer["node"] == told["node"]:
            assert verdict.correct
        elif verdict.correct:
            assert case.cluster.heartbeat_ms == 0 and nodes[answer["node"]] == nodes[told["node"]]
        assert verdict.sentence.endswith(".") and exercises.histogram_label(asked, answer)
    assert exercises.solution(asked).answer
    with suppress(AnswerError):
        exercises.check(asked, data.draw(malformed(question)))
