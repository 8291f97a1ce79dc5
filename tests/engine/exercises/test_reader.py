"""An exercise's file: what it says is read and written again, and what is wrong is said with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exercises.exercise import check_exercise
from engine.exercises.reader import ExerciseError, exercise_of_values, read_exercise
from tests.conftest import ROOT
from tests.engine.exercises.small_exercises import (
    FIRST,
    LARGE,
    MAKESPAN,
    NODES,
    SLOWSTART,
    exercise,
    makespan,
    reach,
    values,
)
from tests.phrases import phrase

SCHEDULER = {"path": "schedulers[0]", "choices": ["fifo", "fair"]}
EXERCISES = [
    values(FIRST),
    values(MAKESPAN, hints=["One.", "Two."]),
    values(reach(makespan(30), {"metric": "deadlock", "at_most": 0}, nodes=2), change=[NODES, SCHEDULER]),
    values({"kind": "explain", "container": "large/1/map/7", "which": "first"}),
    values({"kind": "compute", "quantity": "term", "container": "large/1/map/7", "term": "score"}),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


def refused(data: Any) -> str:
    with pytest.raises(ExerciseError) as caught:
        exercise_of_values(data)
    return str(caught.value)


@pytest.mark.parametrize("data", EXERCISES)
def test_what_is_read_is_written_and_read_again(data: dict) -> None:
    read = read_exercise(json.dumps(data))
    again = read_exercise(read.json())
    assert again == read and again.json() == read.json() and hash(again) == hash(read)
    assert read.json().startswith('{\n  "version": 1,\n  "title"')


@pytest.mark.parametrize(
    "text, said",
    [
        ("{", "$: not JSON: Expecting"),
        (b"\xff\xfe", "$: "),
        ("[" * 100_000, "$: "),
        ("9" * 5_000, "$: "),
        ("[]", "$: "),
        ('"' + "a" * 1_000_001, "$: "),
        ('{"version": 2}', "version: 2 "),
        ('{"version": 1e400}', "version: "),
        ('{"a": ' * 60 + "1" + "}" * 60, "$: "),
    ],
)
def test_what_is_no_exercise_is_refused(text: str | bytes, said: str) -> None:
    with pytest.raises(ExerciseError) as caught:
        read_exercise(text)
    assert str(caught.value).startswith(said) and "\n" not in str(caught.value)[:-1].split(said)[0]


CHANGED: list[tuple[dict[str, Any], str, str]] = [
    ({"titel": "A"}, "titel", "mean title?"),
    ({"title": ""}, "title", "not be empty"),
    ({"title": 5}, "title", "be text"),
    ({"hints": "one"}, "hints", "a list"),
    ({"schedulers": []}, "schedulers", "at least one"),
    ({"schedulers": ["fare"]}, "schedulers[0]", ""),
    ({"schedulers": ["measured"]}, "schedulers[0]", ""),
    ({"scenario": {"version": 1}}, "scenario.cluster", "\nscenario.jobs: "),
    ({"scenario": []}, "scenario", "an object"),
    ({"task": {}}, "task.kind", "required"),
    ({"task": {"kind": "guess"}}, "task.kind", "predict, reach"),
    ({"task": 3}, "task", "an object"),
    ({"task": {**FIRST, "aks": 1}}, "task.aks", "mean ask?"),
    ({"task": {**FIRST, "ask": "last"}}, "task.ask", "'place'"),
    ({"task": {**FIRST, "scheduler": 1}}, "task.scheduler", "schedulers, 1"),
    ({"task": {**FIRST, "ask": "place"}}, "task.container", "required"),
    ({"task": {**FIRST, "ask": "place", "container": "large"}}, "task.container", "JOB/STAGE/KIND/INDEX"),
    ({"task": {**FIRST, "ask": "next", "container": "a/1/map/0"}}, "task.container", "first is 'large'"),
    ({"task": {**MAKESPAN, "tolerance": 0}}, "task.tolerance", "more than 0"),
    ({"task": {"kind": "compute", "quantity": "fair share"}}, "task.job", "\ntask.at_s: "),
    (
        {"task": {"kind": "compute", "quantity": "term", "container": "large/1/map/0"}},
        "task.term",
        "required",
    ),
    ({"task": reach()}, "task.conditions", "at least one"),
    ({"task": reach(makespan(1)), "change": []}, "change", "reach"),
    ({"task": reach({"metric": "makespan"})}, "task.conditions[0].metric", "mean makespan_s?"),
    ({"task": reach({"metric": "makespan_s"})}, "task.conditions[0]", "at_most or at_least"),
    ({"task": reach({"metric": "deadlock", "at_most": 1})}, "task.conditions[0]", "at_most 0"),
    ({"task": reach({**makespan(1), "at_least": 2})}, "task.conditions[0].at_least", "at_most, 1"),
    ({"task": reach({**makespan(1), "scheduler": 1})}, "task.conditions[0].scheduler", "schedulers, 1"),
    ({"task": reach(makespan(1), nodes=1), "change": [SLOWSTART]}, "task.cost[0].path", "in change"),
    (
        {"task": reach(makespan(1), nodes=1), "change": [{**NODES, "high": 12}, SLOWSTART, SCHEDULER]},
        "change",
        "504 settings",
    ),
    ({"change": [{**SLOWSTART, "path": "jobs[0].slowstat"}]}, "change[0].path", "mean jobs[0].slowstart?"),
    ({"change": [NODES, NODES]}, "change[1].path", "listed twice"),
    ({"change": [{**NODES, "step": 0.5}]}, "change[0].step", "whole number"),
    ({"change": [{**NODES, "step": 0}]}, "change[0].step", "more than 0"),
    ({"change": [{**NODES, "low": 0}]}, "change[0].low", "from 1 to"),
    ({"change": [{**NODES, "low": 3}]}, "change[0]", "value, 2,"),
    ({"change": [{**NODES, "high": 1}]}, "change[0].high", "lowest value, 1"),
    ({"change": [{**SLOWSTART, "step": 1e-9}]}, "change[0].step", "1,000 values"),
    ({"change": [{**SLOWSTART, "step": 0.2}]}, "change[0]", "value, 0.05,"),
    ({"change": [{**NODES, "choices": ["a", "b"]}]}, "change[0].choices", "Nodes, total"),
    ({"change": [{**NODES, "high": 600}]}, "change", "600 nodes"),
    ({"change": [{"path": "schedulers[1]", "choices": ["fifo", "fair"]}]}, "change[0].path", "1 schedulers"),
    ({"change": [{"path": "schedulers[0]"}]}, "change[0].choices", "two different"),
    (
        {"change": [{"path": "schedulers[0]", "choices": ["fifo", "fifo()"]}]},
        "change[0].choices",
        "two different",
    ),
    ({"change": [{"path": "schedulers[0]", "choices": ["drf", "fair"]}]}, "change[0].choices", "too, fifo"),
    ({"change": [{"path": "schedulers[0]", "choices": ["fifo", "fare"]}]}, "change[0].choices[1]", ""),
    ({"change": [{**SCHEDULER, "low": 1}]}, "change[0].low", "choice"),
    ({"change": [{"path": "schedulers[0].slowstart.at"}]}, "change[0].path", "own"),
    (
        {"change": [{"path": "schedulers[0].fifo.resources", "choices": ["both", "x"]}]},
        "change[0].choices[1]",
        "",
    ),
]


@pytest.mark.parametrize("changed, path, said", CHANGED)
def test_a_fault_is_told_with_its_place(changed: dict[str, Any], path: str, said: str) -> None:
    fault = refused(values(FIRST, change=[NODES]) | changed)
    assert fault.startswith(f"{path}: ") and said in fault


def test_first_needs_two_jobs_and_an_exercise_is_small() -> None:
    assert refused(values(FIRST, jobs=[LARGE])).startswith("task.ask: ")
    many = {**LARGE, "maps": {**LARGE["maps"], "count": 5_001}}  # type: ignore[dict-item]
    assert refused(values(MAKESPAN, jobs=[many])).startswith("scenario.jobs: 5,001 containers")
    groups = refused(values(MAKESPAN, jobs=[{**LARGE, "name": f"j{place}"} for place in range(201)]))
    assert groups.startswith("scenario.jobs: 201 entries")
    deep = [{"name": f"root.q{place}." + ".".join("abcdefgh")} for place in range(25)]
    data = values(MAKESPAN)
    queues = refused(data | {"scenario": data["scenario"] | {"queues": deep}})
    assert queues.startswith("scenario.queues: 226 entries")


def test_a_word_of_a_scheduler_may_be_chosen() -> None:
    change = [{"path": "schedulers[0].fifo.resources", "choices": ["both", "memory"]}]
    assert exercise(FIRST, change=change).change[0].choices == ["both", "memory"]


@given(JSON)
def test_any_value_is_read_or_refused(data: Any) -> None:
    with pytest.raises(ExerciseError):
        exercise_of_values(data)


def test_the_example_of_the_document_is_solved() -> None:
    text = (ROOT / "engine/docs/reference/exercises.md").read_text("utf-8")
    asked = read_exercise(text.partition("```json\n")[2].partition("```")[0])
    assert phrase("exercises.least_cost", "1", "Nodes, total at 3 nodes") == check_exercise(asked).answer
