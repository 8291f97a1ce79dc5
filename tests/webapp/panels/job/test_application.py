"""A Spark application's stages and executors in its job's view, and in the words of a container."""

from __future__ import annotations

import pytest

from engine import Run, Scenario, simulate
from engine.codes import EXECUTOR, MASTER
from tests.engine.studies.made_curves import FIXED
from tests.phrases import phrase
from tests.simulated_records import recorded
from tests.spark_jobs import MIXED
from tests.stage_jobs import DEMAND, STAGES, on_one_node
from tests.tez_jobs import tez_run
from webapp.figures import Scene, rows
from webapp.figures.timeline.tooltips import container_lines, task_lines
from webapp.panels.job import application, life
from webapp.panels.timeline import picking


@pytest.fixture(scope="module")
def made() -> Run:
    return simulate(Scenario.of(MIXED), "fair")


def test_the_life_of_an_application_has_its_stages(made: Run) -> None:
    column = life.column("fair", made, "etl")
    bars = life.application_parts(column, made.until_ms)
    assert [(bar.phase, bar.row) for bar in bars[-3:]] == [("task", 1), ("task", 2), ("task", 3)]
    stages = application.stages(made, 0)
    assert [stage.is_critical for stage in stages] == [bar.is_critical for bar in bars[-3:]]
    assert stages[-1].is_critical
    assert application.stage_title(stages[-1]) == phrase("application.critical_stage")
    assert life.application_parts(life.column("fair", made, "mr"), made.until_ms) == []


def test_a_table_says_when_stages_ran_and_how_many_executors_there_were(made: Run) -> None:
    told = dict(application.rows(made, 0))
    assert [title for title in told if title.startswith("Stage")] == [
        "Stage scan",
        "Stage stage2",
        "Stage join",
    ]
    assert 1 <= int(told[phrase("application.most_executors")]) <= 6
    assert application.rows(made, 1) == []


def test_executors_over_time_begin_and_end_at_none(made: Run) -> None:
    _, drawn = application.curves(made, 0, 0, made.until_ms)
    assert len(drawn.children) == 3
    for curve in drawn.children:
        points = curve.style["clipPath"].removeprefix("polygon(").removesuffix(")").split(", ")
        assert points[0].endswith(" 100%") and points[-1].endswith(" 100%") and len(points) > 4
    assert application.curves(made, 1, 0, made.until_ms) == []
    assert application.legend(made, 1) is None


def test_what_a_driver_wanted_is_told_of_no_record() -> None:
    made = simulate(recorded(simulate(FIXED, "fair")), "measured")
    name, _ = application.curves(made, 0, 0, made.until_ms)
    assert name.children == phrase("application.executors_recorded", "4 executors", "100 %")


def test_containers_over_time_of_stages_and_of_demand() -> None:
    made = simulate(Scenario.of(on_one_node(2, STAGES)), "fifo")
    name, drawn = application.curves(made, 0, 0, made.until_ms)
    assert name.children == phrase("application.containers_at_most")
    # 3, 2, 1 of 3 that are asked for, until 4, 8 and 11 s
    assert drawn.children[0].style["clipPath"] == (
        "polygon(0.0% 100%, 0.0% 100%, 0.0% 0.0%, 36.36% 0.0%, 36.36% 33.33%, "
        "72.73% 33.33%, 72.73% 66.67%, 100.0% 66.67%, 100.0% 100.0%, 100.0% 100%)"
    )
    bars = life.application_parts(life.column("fifo", made, "dag"), made.until_ms)
    assert [(bar.name, bar.start, bar.end, bar.is_critical) for bar in bars] == [
        ("scan", 0, 8000, True),
        ("sum", 4000, 11_000, True),
    ]
    assert dict(application.rows(made, 0))[phrase("application.most_containers")] == "2"
    held = simulate(Scenario.of(on_one_node(1, DEMAND)), "fifo")
    assert len(application.curves(held, 0, 0, held.until_ms)[1].children) == 2
    assert not any(stage.is_critical for stage in application.stages(held, 0))


def test_of_many_stages_the_longest_and_the_critical_are_drawn() -> None:
    size = {"memory_mb": 1024, "vcores": 1}
    stages = [{"name": f"s{number}", "tasks": 1, "duration_s": 9 + number, **size} for number in range(25)]
    made = simulate(Scenario.of(on_one_node(25, STAGES | {"stages": stages})), "fifo")
    assert [stage.name for stage in application.stages(made, 0)] == [f"s{number}" for number in range(5, 25)]
    assert application.legend(made, 0).children[-1] == phrase("application.without_shorter")


def test_a_stage_without_room_has_its_words_beside_it() -> None:
    bar = life.Bar("task", "Stage a", 0, 1000, 1, False, "a")
    drawn, words = life._bar(bar, 0.1, 0.01)
    assert (drawn.children, words.children, words.style["left"]) == ("", "a 1 s", "11.000%")
    assert life._bar(bar, 0.9, 0.01)[1].style["right"] == "10.000%"
    assert [part.children for part in life._bar(bar, 0.1, 0.5)] == ["a 1 s"]


def test_the_pointer_finds_a_task_in_its_slot(made: Run) -> None:
    scene, tasks = Scene(made), made.tasks
    assert tasks is not None
    layout = rows([scene])
    for task in (0, len(tasks.start) - 1):
        container, slot = int(tasks.container[task]), int(tasks.slot[task])
        row = float(layout.rows_of(scene)[container]) - 0.5 + (slot + 0.5) / 3
        at = (int(tasks.start[task]) + int(tasks.end[task])) / 2
        assert picking.container_at(scene, layout, row, at, 0, 0) == container
        assert picking.task_at(scene, layout, container, row, at) == task
        assert picking.task_at(scene, layout, container, row, float(made.containers.start[container])) is None
    assert task_lines(made, 0)[0] == phrase("application.first_task")


def test_containers_of_spark_are_called_as_spark_calls_them(made: Run) -> None:
    kinds = made.containers.kind.tolist()
    assert container_lines(made, kinds.index(MASTER))[0] == "etl driver"
    executor = kinds.index(EXECUTOR)
    lines = container_lines(made, executor)
    assert lines[0] == "etl executor 0" and lines[-1].endswith("tasks in 3 slots")


def test_containers_of_tez_are_held_idle_busy_or_computing() -> None:
    made = tez_run()
    name, drawn = application.curves(made, 0, 0, made.until_ms)
    assert name.children == phrase("application.held_over_time")
    assert [curve.className for curve in drawn.children] == [
        "job-curve job-asked",
        "job-curve swatch-held_idle",
        "job-curve swatch-shuffle",
        "job-curve swatch-task",
    ]
    assert phrase("application.held_fetching") in str(application.legend(made, 0))
    assert dict(application.rows(made, 0))[phrase("application.idle_share_of_containers")] == "20 %"
    assert phrase("application.wait_container") in str(life.tasks_table([life.column("fifo", made, "query")]))


def test_the_pointer_is_told_what_a_held_container_and_its_tasks_do() -> None:
    made = tez_run()
    lines = container_lines(made, 1)
    assert lines[0] == phrase("application.held_container")
    assert lines[-2:] == ["held 5 s, 0:00 to 0:05", "2 tasks"]
    assert task_lines(made, 0) == [phrase("application.task_of_scan"), "task 1 s, 0:00 to 0:01"]
    assert task_lines(made, 2) == [
        phrase("application.task_of_join"),
        "shuffle 3 s, 0:01 to 0:04",
        phrase("application.of_this_fetching"),
        "task 1 s, 0:04 to 0:05",
    ]
