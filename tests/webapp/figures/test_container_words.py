"""What containers of each framework are called, where the page names one."""

from __future__ import annotations

import numpy as np
import pytest

from engine import Run, Scenario, simulate
from engine.codes import KINDS, TASK
from tests.phrases import phrase
from tests.spark_jobs import SPARK
from tests.stage_jobs import DEMAND, STAGES, on_one_node
from webapp.figures import Scene, rows
from webapp.figures.container_words import task_text
from webapp.figures.timeline import gantt, node_boxes, raster
from webapp.figures.timeline.colouring import colouring
from webapp.figures.timeline.slices import visible_slices
from webapp.figures.timeline.time_scale import TimeScale
from webapp.figures.timeline.tooltips import container_lines

AM = {"am": {"memory_mb": 1024, "vcores": 1}}
MAPREDUCE = {"name": "mr", "maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 3}, **AM}


@pytest.fixture(scope="module")
def made() -> Run:
    return simulate(Scenario.of(on_one_node(40, STAGES | AM, DEMAND, SPARK, MAPREDUCE)), "fifo")


def first(made: Run, job: int, kind: str, stage: int = 1) -> int:
    c = made.containers
    return int(((c.job == job) & (c.kind == KINDS.index(kind)) & (c.stage == stage)).argmax())


def test_each_framework_has_its_words(made: Run) -> None:
    assert task_text(made, first(made, 0, "am")) == "master"
    assert task_text(made, first(made, 0, "task", 2)) == phrase("container_words.task")
    assert task_text(made, first(made, 1, "task")) == phrase("container_words.container")
    assert task_text(made, first(made, 2, "am")) == "driver"
    assert task_text(made, first(made, 2, "executor")) == "executor 0"
    assert task_text(made, first(made, 3, "map")) == "map 0"


def test_the_pointer_is_told_what_a_task_fetched_and_what_it_waited_for() -> None:
    alone = simulate(Scenario.of(on_one_node(2, STAGES)), "fifo")
    lines = container_lines(alone, first(alone, 0, "task", 2))
    assert lines[0] == phrase("container_words.dag_task")
    assert lines[3:] == [
        "shuffle 5 s, 0:04 to 0:09",
        phrase("container_words.fetching_and_waiting"),
        "task 2 s, 0:09 to 0:11",
    ]
    held = simulate(Scenario.of(on_one_node(1, DEMAND)), "fifo")
    assert container_lines(held, 0)[-1] == "held 10 s, 0:03 to 0:13"


def test_a_node_tells_what_it_runs(made: Run) -> None:
    drawn = node_boxes.draw_nodes(Scene(made), 5000, 600, 300)
    assert phrase("container_words.in_a_node") in drawn.svg


def test_only_tasks_in_slots_have_their_executor_around_them(made: Run) -> None:
    scene = Scene(made)
    layout, scale = rows([scene]), TimeScale((0, made.until_ms), (0, made.until_ms), 900)
    drawn = gantt.draw_bars(made, visible_slices(scene, layout), layout, scale)
    assert made.tasks is not None
    ground = drawn.partition('class="p-executor_idle-ground" d="')[2].partition('"')[0]
    assert ground.count("M") == len(made.tasks.start)


def test_tasks_of_stages_are_in_the_legend_and_have_their_stages_colours() -> None:
    alone = simulate(Scenario.of(on_one_node(2, STAGES)), "fifo")
    scene = Scene(alone)
    assert "task" in scene.legend and "executor_idle" not in scene.legend
    by_stage = colouring(alone, "stage")
    assert by_stage.names == ("scan", "sum")
    assert (alone.containers.kind == TASK).all()
    assert (
        by_stage.of_slices(alone, scene.container, None) == alone.containers.stage[scene.container] - 1
    ).all()
    pixels, *_ = raster.draw_pixels(scene, rows([scene]), (0, 11_000), 110, None, by_stage)
    shown = {int(pixel - 1) // raster.SHADES for pixel in np.unique(pixels[pixels > 0])}
    assert shown == {0, 1}
