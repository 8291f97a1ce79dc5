"""Conditions are reached by what may be changed, and a naive loop over the grid finds nothing cheaper."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.metrics import summary
from engine.exercises.course import course_exercise
from engine.exercises.exercise import check, check_exercise, histogram_label, question, solution
from engine.exercises.model import Exercise
from engine.exercises.question import AnswerError
from engine.exercises.reach import best_setting, cost_of, longest_wait_s
from engine.exercises.reader import ExerciseError
from engine.experiments.overrides import with_overrides
from engine.simulation.simulate import simulate
from tests.engine.exercises.small_exercises import (
    LARGE,
    NODES,
    SHORT,
    SLOWSTART,
    STUCK,
    exercise,
    makespan,
    reach,
)
from tests.examples import examples
from tests.phrases import phrase

NODE, SCHEDULER = "cluster.nodes.total", {"path": "schedulers[0]", "choices": ["fifo", "fair"]}
LONGEST = phrase("exercises.longest_wait")
NO_DEADLOCK = {"metric": "deadlock", "at_most": 0}


def wait(seconds: float) -> dict[str, Any]:
    return {"metric": "longest_wait_s", "at_most": seconds}


def test_a_verdict_says_what_does_not_hold_and_what_does() -> None:
    """Ten maps, four at a time: large 0:40, small 0:50, and its maps wait 40 s; with three nodes 0:40."""
    asked = exercise(reach(makespan(45), wait(40)), change=[NODES])
    verdict = check(asked, {NODE: 2})
    assert not verdict.correct
    assert verdict.sentence == phrase("exercises.is_but_must_be", "Makespan", "0:50", "at most 0:45")
    assert verdict.details == (phrase("exercises.is_within", LONGEST, "40 s", "at most 40 s"),)
    right = check(asked, {NODE: "3"})
    assert right.correct and right.sentence == phrase("exercises.all_hold")
    assert right.scenario.cluster.nodes[0].count == 3 and right.schedulers == ("fifo",)
    assert right.details[0] == phrase("exercises.is_within", "Makespan", "0:40", "at most 0:45")
    assert solution(asked).answer == phrase("exercises.all_hold_with", "Nodes, total at 3 nodes")
    assert histogram_label(asked, {NODE: 3}) == "3 nodes"


def test_a_parameter_is_moved_in_words() -> None:
    """Of the scheduler alone that has it; the unit is said once."""
    asked = course_exercise("reserve-for-tasks")
    assert asked is not None
    assert solution(asked).answer == phrase("exercises.all_hold_with", "reserve's vcores at 10")


def test_a_question_tells_fields_conditions_and_costs() -> None:
    asked = question(exercise(reach(makespan(45), NO_DEADLOCK, nodes=2), change=[NODES, SCHEDULER]))
    nodes, scheduler = asked.fields
    assert (nodes.key, nodes.unit, nodes.low, nodes.high, nodes.step, nodes.value) == (
        NODE,
        "nodes",
        1,
        6,
        1,
        2,
    )
    assert nodes.is_number and nodes.help and nodes.title == "Nodes, total"
    assert [choice.value for choice in scheduler.choices] == ["fifo", "fair"] and scheduler.value == "fifo"
    assert asked.prompt.endswith(phrase("exercises.wanted", "0:45")) and asked.charts_until_ms is None
    conditions, costs = asked.tables
    assert conditions.rows == (("Makespan", "at most 0:45", "0:50"), ("Deadlock", "no", "no"))
    assert costs.rows == (("Nodes, total", "1 node", "2"),)


def test_the_cheapest_setting_is_asked_for_and_not_given_away() -> None:
    asked = exercise(reach(makespan(45), nodes=2), change=[NODES])
    dear, least = check(asked, {NODE: 5}), check(asked, {NODE: 3})
    assert not dear.correct and dear.sentence == phrase("exercises.cheaper_exists", "6")
    assert least.correct and least.sentence == phrase("exercises.none_is_cheaper", "2")
    assert solution(asked).answer == phrase("exercises.least_cost", "2", "Nodes, total at 3 nodes")
    assert not check(asked, {NODE: 2}).correct and cost_of(asked, {NODE: 1}) == 0


def test_values_that_make_no_sense_together_are_refused() -> None:
    memory = {"path": "cluster.nodes[0].memory_mb", "low": 512, "high": 4096, "step": 512}
    with pytest.raises(AnswerError, match="memory_mb"):
        check(exercise(reach(makespan(45)), change=[memory]), {memory["path"]: 512})


@pytest.mark.parametrize("limit", [50, 1])
def test_what_holds_already_or_never_is_refused(limit: float) -> None:
    with pytest.raises(ExerciseError, match="task.conditions"):
        check_exercise(exercise(reach(makespan(limit)), change=[NODES]))


def test_a_deadlock_is_no_way_to_hold_a_condition() -> None:
    """Of three jobs' masters one node more lets a map run; with two nodes four masters fill them."""
    asked = exercise(reach(NO_DEADLOCK, wait(1e6), nodes=1), jobs=STUCK, change=[NODES])
    verdict = check(asked, {NODE: 2})
    assert not verdict.correct and verdict.sentence.count("deadlock") == 1 and not verdict.details
    assert check(asked, {NODE: 3}).correct
    wanted = exercise(reach({"metric": "deadlock", "at_least": 1}), jobs=[*STUCK[:3], SHORT], change=[NODES])
    assert question(wanted).tables[0].rows == (("Deadlock", "yes", "no"),)
    assert not check(wanted, {NODE: 3}).correct and check(wanted, {NODE: 1}).correct


def test_a_job_that_is_given_up_is_no_way_to_be_quick() -> None:
    limit = {"path": "cluster.max_applications", "low": 1, "high": 3, "step": 1}
    asked = exercise(
        reach(makespan(15)),
        jobs=[SHORT, {**LARGE, "arrival_s": 1}],
        change=[limit],
        schedulers=["capacity"],
        cluster={"max_applications": 2},
    )
    verdict = check(asked, {limit["path"]: 1})
    assert not verdict.correct and "1 job more" in verdict.sentence


def test_each_condition_is_of_the_run_of_its_scheduler() -> None:
    conditions = [{"metric": "max_turnaround_s", "at_most": 45, "scheduler": place} for place in (0, 1)]
    asked = exercise(reach(*conditions), schedulers=["fifo", "fair"], change=[NODES])
    runs = [simulate(asked.checked_scenario, name) for name in asked.schedulers]
    held = [summary(run)["max_turnaround_s"] <= 45 for run in runs]
    rows = question(asked).tables[0].rows
    assert [row[0] for row in rows] == [
        phrase("exercises.turnaround_under", name) for name in asked.schedulers
    ]
    assert check(asked, {NODE: 2}).correct == all(held)


GRIDS = [
    [NODES],
    [NODES, SCHEDULER],
    [NODES, {**SLOWSTART, "step": 0.19, "low": 0.05}],
    [NODES, {"path": "jobs[0].maps.memory_mb", "low": 512, "high": 2048, "step": 512}],
]


@examples(15, 100)
@given(
    st.sampled_from(GRIDS),
    st.sampled_from([15, 25, 30, 35, 45, 50]),
    st.sampled_from([0, 10, 25, 40]),
    st.sampled_from([0.0, 1.0, 2.5]),
)
def test_no_setting_of_the_grid_is_cheaper(grid: list, limit: float, waits: float, each: float) -> None:
    """The oracle: every setting, run and compared with the limits."""
    asked = exercise(reach(makespan(limit), wait(waits), nodes=each), change=grid)
    holding = [setting for setting in naive(asked) if holds(asked, setting, limit, waits)]
    best = best_setting(asked, simulate)
    if best is None:
        assert not holding
        return
    assert best in holding and check(asked, best).correct
    costs = {str(setting): each * max(0, setting[NODE] - 2) for setting in holding}
    assert cost_of(asked, best) == min(costs.values())
    for setting in holding[:5]:
        assert check(asked, setting).correct == (costs[str(setting)] == min(costs.values()))


def naive(asked: Exercise) -> list[dict[str, Any]]:
    values = []
    for change in asked.change:
        if change.choices:
            values.append(change.choices)
        else:
            count = round((change.high - change.low) / change.step + 0.49999)
            values.append([round(change.low + change.step * place, 9) for place in range(count + 1)])
            values[-1] = [value for value in values[-1] if value <= change.high]
    paths = [change.path for change in asked.change]
    return [dict(zip(paths, chosen)) for chosen in itertools.product(*values)]


def holds(asked: Exercise, setting: dict[str, Any], limit: float, waits: float) -> bool:
    numbers = [(path, value) for path, value in setting.items() if path != "schedulers[0]"]
    scenario, _ = with_overrides(asked.scenario, (), numbers)
    run = simulate(scenario, setting.get("schedulers[0]", "fifo"))
    longest = max(
        (start - asked_at) for start, asked_at in zip(run.containers.start, run.containers.requested)
    )
    assert longest == 1000 * longest_wait_s(run)
    return run.status == "finished" and summary(run)["makespan_s"] <= limit and longest <= 1000 * waits
