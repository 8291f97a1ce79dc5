"""Numbers that are worked out: those of the run are right, usual mistakes are named, the steps lead there."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.codes import NONE, TAKEN, request_of
from engine.errors import GantryError
from engine.exercises import exercise as exercises
from engine.exercises.course import course_exercise
from engine.exercises.model import Exercise
from engine.exercises.question import AnswerError
from engine.exercises.reader import ExerciseError
from engine.exercises.worked_terms import CAN_BE_WORKED
from engine.explanation.explain import explain
from engine.resource_types import MEMORY
from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.engine.exercises.answers import SCHEDULERS, malformed, on_run, some_container
from tests.engine.exercises.small_exercises import exercise
from tests.examples import examples
from tests.phrases import phrase
from tests.strategies import BUSY, among, scenarios

FAIR = "fair(reservations=no, update_ms=0)+admit-all"
MAPS = {"count": 20, "memory_mb": 1024, "vcores": 1, "duration_s": 20}
JOBS = [
    {"name": "etl", "maps": MAPS, "queue": "root.prod"},
    {"name": "ml", "maps": MAPS | {"memory_mb": 2048}, "queue": "root.prod", "weight": 2.0, "arrival_s": 1},
    {"name": "web", "maps": MAPS | {"vcores": 2}, "queue": "root.dev", "arrival_s": 1},
]
SHARE = {"quantity": "term", "container": "ml/1/map/0", "term": "share"}
QUEUES = [{"name": "root.prod", "weight": 3.0}, {"name": "root.dev"}, {"name": "root.idle", "weight": 4.0}]
NODES = [{"name": "n", "count": 4, "memory_mb": 4096, "vcores": 4}]
SCENARIO = {"version": 1, "cluster": {"nodes": NODES, "heartbeat_ms": 0}, "queues": QUEUES, "jobs": JOBS}


def computed(quantity: str, scheduler: str = FAIR, **task: Any) -> Exercise:
    whole = {"kind": "compute", "quantity": quantity, **task}
    return exercise(whole, scenario=SCENARIO, schedulers=[scheduler])


def said(asked: Exercise, value: float | str) -> str:
    verdict = exercises.check(asked, {"value": value})
    assert not verdict.correct
    return verdict.sentence


def test_a_fair_share_is_worked_from_root_down() -> None:
    """16 GB: prod has 3 of 4 parts, as idle has no jobs, and of its 12 GB ml 2 of 3."""
    asked = computed("fair share", job="ml", at_s=5)
    assert exercises.check(asked, {"value": 8}).correct and exercises.check(asked, {"value": "8.05"}).correct
    assert exercises.solution(asked).steps == (
        phrase("exercises.root_is_shared"),
        "root.prod: 16 GB × 3 / 4 = 12 GB",
        phrase("exercises.prod_is_shared"),
        "ml: 12 GB × 2 / 3 = 8 GB",
    )
    assert said(asked, 8192) == phrase("exercises.in_mb")
    assert said(asked, 4) == phrase("exercises.all_had_same_weight")
    assert said(asked, 12) == phrase("exercises.share_of_the_whole_queue")
    assert said(asked, 50) == phrase("exercises.share_in_percent")
    assert (said(asked, 1), said(asked, 100)) == (phrase("exercises.more"), phrase("exercises.less"))
    queue = computed("fair share", job="root.dev", at_s=5)
    assert exercises.check(queue, {"value": 4}).correct


def test_idle_queues_that_are_counted_and_what_it_holds_are_named() -> None:
    """48 GB, of which teaching has 1 of 3 parts; admin would make them 4, root.default 5."""
    asked = course_exercise("fair-share")
    assert asked is not None
    assert said(asked, 6) == phrase("exercises.counted_idle", "root.admin")
    assert said(asked, 4.8) == phrase("exercises.counted_idle", "root.admin, root.default")
    assert said(asked, 4) == phrase("exercises.what_it_holds")


def test_a_dominant_share_is_the_larger_of_both() -> None:
    """At 20 s dev is given the half of the vcores: memory for its weight is what fair compares."""
    asked = computed("dominant share", job="web", at_s=25)
    (memory, vcores, larger) = exercises.solution(asked).steps
    assert memory.startswith("Memory of web: ") and vcores.startswith("Vcores of web: ")
    assert larger == phrase("exercises.larger_is_vcores", 50)
    assert exercises.check(asked, {"value": 50}).correct
    assert said(asked, 0.5) == phrase("exercises.share_of_one")
    assert said(asked, 25) == phrase("exercises.other_resource")
    assert said(asked, 200) == phrase("exercises.share_of_one_node")
    assert said(asked, 75) == phrase("exercises.sum_of_both")


def test_a_term_is_worked_with_the_numbers_of_the_decision() -> None:
    """An empty node of 4 GB and 4 vcores: ml's map asks for half its memory and a quarter of its vcores."""
    asked = computed("term", "haste", container="ml/1/map/0", term="fitness")
    assert exercises.check(asked, {"value": 0.75}).correct
    assert said(asked, 0.5) == phrase("exercises.memory_alone")
    assert said(asked, 0.25) == phrase("exercises.vcores_alone")
    assert exercises.solution(asked).steps[1:] == (
        "Memory: (2 GB / 4 GB) × (4 GB / 4 GB) = 0.5",
        "Vcores: (1 / 4) × (4 / 4) = 0.25",
        "Together: 0.5 + 0.25 = 0.75",
    )


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (
            {"quantity": "fair share", "scheduler": "capacity", "job": "ml", "at_s": 5},
            phrase("exercises.no_fair_shares"),
        ),
        ({"quantity": "fair share", "job": "ml", "at_s": 0}, phrase("exercises.none_of_it_runs")),
        ({"quantity": "dominant share", "job": "web", "at_s": 9_999}, phrase("exercises.all_have_finished")),
        ({**SHARE, "term": "fitness"}, phrase("exercises.no_such_number")),
        ({**SHARE, "job": "etl", "request": "reduce"}, phrase("exercises.no_such_candidate")),
    ],
)
def test_what_the_run_has_no_number_of_is_no_exercise(task: dict, said: str) -> None:
    with pytest.raises(ExerciseError, match=said):
        exercises.check_exercise(computed(**task))


def simpler(case: Scenario) -> Scenario:
    """Without heartbeats, limits of running jobs and leaves of their own policy; with GB in the place of MB,
    so that whole MB are fine steps.
    """
    plain = scaled(case.plain()) | {"users": []}
    plain["cluster"] |= {"heartbeat_ms": 0, "user_max_running_apps": None}
    for queue in plain.get("queues", []):
        queue |= {"max_running_apps": None, "policy": None}
    return Scenario.of(plain)


def scaled(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: value * 1024 if key == "memory_mb" else scaled(value) for key, value in part.items()}
    return [scaled(one) for one in part] if isinstance(part, list) else part


def filled(total: float, parts: list[tuple[float, float, float]]) -> list[float]:
    """Of each (weight, least, most): its share of a total, by bisection."""
    total = min(total, sum(min(high, total) for *_, high in parts))
    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        shared = sum(between(weight * middle, *limits) for weight, *limits in parts)
        low, high = (middle, high) if shared < total else (low, middle)
    return [between(weight * high, *limits) for weight, *limits in parts]


def between(number: float, low: float, high: float) -> float:
    return min(max(number, low), high)


def path(run: Run, job: int) -> list[int]:
    """Its queues, from root down."""
    queue, found = int(run.workload.job_queue[job]), []
    while queue >= 0:
        found.insert(0, queue)
        queue = int(run.workload.queues.parent[queue])
    return found


def naive_share(run: Run, job: int, at_ms: int) -> float:
    """The fair share of memory of a job, in MB, of who is there then."""
    tree, work, jobs = run.workload.queues, run.workload, run.jobs
    is_there = (jobs.arrival <= at_ms) & ((jobs.finish == NONE) | (jobs.finish > at_ms))
    there = np.flatnonzero(is_there).tolist()
    share = float(work.node_memory.sum())
    for parent, child in zip(path(run, job), path(run, job)[1:]):
        children = sorted({one for other in there for one in path(run, other) if tree.parent[one] == parent})
        limits = []
        for one in children:
            least, most = float(tree.min_resource[MEMORY, one]), float(tree.max_resource[MEMORY, one])
            limits.append((float(tree.weight[one]), least, most if tree.weight[one] else min(least, most)))
        share = filled(share, limits)[children.index(child)]
    beside = [one for one in there if work.job_queue[one] == work.job_queue[job]]
    return filled(share, [(float(work.job_weight[one]), 0.0, 1e12) for one in beside])[beside.index(job)]


def naive_dominant_share(run: Run, job: int, at_ms: int) -> float:
    """Of what runs then."""
    c, work = run.containers, run.workload
    runs = (c.job == job) & (c.start <= at_ms) & ((c.end == NONE) | (c.end > at_ms))
    requests = request_of(run.workload, c.job[runs], c.kind[runs])
    return max(
        work.request_memory[requests].sum() / work.node_memory.sum(),
        work.request_vcores[requests].sum() / work.node_vcores.sum(),
    )


@examples(25, 300)
@given(scenarios(BUSY), st.integers(0, 100), st.floats(0, 1), among("fair", "drf"), st.data())
def test_shares_are_those_of_a_naive_computation(
    case: Scenario, place: int, when: float, order: str, data: st.DataObject
) -> None:
    case, scheduler = simpler(case), f"{order}(update_ms=0)+admit-all"
    try:
        run = simulate(case, scheduler)
    except GantryError:
        assume(False)
    assume((run.jobs.refused == TAKEN).all())
    job = place % len(run.workload.job_names)
    name, at_ms = run.workload.job_names[job], run.first_ms + int(when * (run.until_ms - run.first_ms))
    for quantity, naive, steps in (
        ("fair share", naive_share, 4 * len(path(run, job))),
        ("dominant share", naive_dominant_share, 0),
    ):
        task = {"kind": "compute", "quantity": quantity, "job": name, "at_s": at_ms / 1000}
        asked = on_run(case, scheduler, task)
        try:
            question = exercises.question(asked)
        except ExerciseError:
            continue
        expected = naive(run, job, at_ms) * (100 if quantity == "dominant share" else 1 / 1024)
        unit = question.fields[0].unit
        assert unit == ("%" if quantity == "dominant share" else "GB")
        near = [expected + part * steps / 1024 for part in (0, -1, -0.5, 0.5, 1)]  # whole MB at each level
        assert any(exercises.check(asked, {"value": value}).correct for value in near), (
            name,
            at_ms,
            expected,
        )
        assert not exercises.check(asked, {"value": 3 * expected + 1}).correct
        assert exercises.solution(asked).steps
        with suppress(AnswerError):
            exercises.check(asked, data.draw(malformed(question)))


@examples(25, 300)
@given(scenarios(BUSY), among(*SCHEDULERS), st.integers(0, 1000), st.data())
def test_a_term_is_the_order_s_own_and_the_steps_lead_to_it(
    case: Scenario, scheduler: str, place: int, data: st.DataObject
) -> None:
    try:
        run = simulate(case, scheduler)
        assume(len(run.containers.job) > 0)
        container = some_container(run, place)
    except GantryError:
        assume(False)
    told = explain(run, scheduler, container)
    row = data.draw(st.sampled_from(told["candidates"])) if told["candidates"] else {"terms": {}}
    chosen = next((one for one in told["candidates"] if one["chosen"]), None)
    queues = next((one["terms"] for one in told["queues"] if chosen and one["name"] == chosen["queue"]), {})
    values = {fact["name"]: fact["value"] for fact in told["facts"]} | row["terms"]
    values = {name: value for name, value in (values | queues).items() if name in CAN_BE_WORKED}
    assume(any(value is not None for value in values.values()))
    term = data.draw(st.sampled_from([name for name, value in values.items() if value is not None]))
    task = {"kind": "compute", "quantity": "term", "container": container, "term": term}
    if term in row["terms"]:
        task |= {"job": row["job"], "request": row["kind"]}
    try:
        asked = on_run(case, scheduler, task)
        question = exercises.question(asked)
    except ExerciseError:
        return  # it reserved its node, or can't be worked out by hand
    value = values[term]
    factor = {"%": 100, "s": 0.001, "GB": 1 / 1024}.get(question.fields[0].unit, 1)
    assert exercises.check(asked, {"value": factor * value}).correct
    assert not exercises.check(asked, {"value": factor * value + 1 + abs(factor * value)}).correct
    numbers = re.findall(r"[−]?[\d,.]*\d", exercises.solution(asked).steps[-1])
    last = float(numbers[-1].replace("−", "-").replace(",", ""))
    assert any(abs(last - factor * times * value) <= 0.02 * abs(last) + 0.06 for times in (1, 1024))
