"""Whose a bar is: the largest have a colour each, the same under every scheduler."""

from __future__ import annotations

import numpy as np

from engine import Scenario, simulate
from engine.codes import NONE
from engine.schedulers.view import MAP, REDUCE
from tests.spark_jobs import MIXED
from tests.webapp.handmade_runs import run
from webapp import theme
from webapp.figures.timeline.colouring import BY_PHASE, COLOURINGS, OWNER_COLOURS, colouring
from webapp.figures.timeline.scene import Scene

MAPS = [{"kind": MAP, "start": 0, "end": 9, "job": job} for job in range(3)]


def scenario(jobs: list[dict], queues: tuple[str, ...] = ()) -> Scenario:
    task = {"memory_mb": 1024, "vcores": 1, "duration_s": 1}
    listed = [{**job, "maps": {"count": job.get("maps", 1), **task}} for job in jobs]
    nodes = [{"count": 4, "memory_mb": 4096, "vcores": 4}]
    return Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": nodes},
            "queues": [{"name": name} for name in queues],
            "jobs": listed,
        }
    )


def test_a_stage_has_one_colour_and_what_is_of_none_has_its_phases() -> None:
    made = simulate(Scenario.of(MIXED), "fair")
    result = colouring(made, "stage")
    assert result.names == ("scan", "stage2", "join", "maps", "reduces")
    scene = Scene(made)
    assert scene.task is not None and made.tasks is not None
    colour = result.of_slices(made, scene.container, scene.task)
    is_task = scene.task != NONE
    assert (colour[is_task] == made.tasks.stage[scene.task[is_task]] - 1).all()
    kind = made.containers.kind[scene.container[~is_task]]
    expected = np.select([kind == MAP, kind == REDUCE], [3, 4], NONE)
    assert (colour[~is_task] == expected).all()
    assert colouring(run(MAPS, jobs=3), "stage") == BY_PHASE


def test_by_phase_nothing_is_asked() -> None:
    assert colouring(run(MAPS, jobs=3), "phase") == BY_PHASE
    assert colouring(run(MAPS, jobs=3), "planet") == BY_PHASE
    assert COLOURINGS[0] == "phase"


def test_each_job_queue_or_user_has_its_colour() -> None:
    jobs = [
        {"name": "a", "queue": "root.q", "user": "eve"},
        {"name": "b", "queue": "root.q", "user": "bob"},
        {"name": "c", "queue": "root.p", "user": "bob"},
    ]
    made = simulate(scenario(jobs, ("root.p", "root.q")), "fair")
    by_name = {by: colouring(made, by) for by in ("job", "queue", "user")}
    assert {by: one.names for by, one in by_name.items()} == {
        "job": ("a", "b", "c"),
        "queue": ("root.q", "root.p"),
        "user": ("eve", "bob"),
    }
    assert {by: one.owner_colour.tolist() for by, one in by_name.items()} == {
        "job": [0, 1, 2],
        "queue": [0, 0, 1],
        "user": [0, 1, 1],
    }
    assert all(one.others == 0 for one in by_name.values())


def test_of_many_those_with_most_tasks_have_a_colour_in_the_order_of_the_file() -> None:
    most = len(theme.GROUPS)
    jobs = [{"name": f"j{number}", "maps": 1 if number in (1, 4) else 5} for number in range(most + 2)]
    result = colouring(simulate(scenario(jobs), "fifo"), "job")
    assert result.names == tuple(f"j{number}" for number in range(most + 2) if number not in (1, 4))
    assert result.others == 2
    assert result.owner_colour[[1, 4]].tolist() == [most, most + 1]  # two greys by turns
    assert OWNER_COLOURS[most:] == theme.OTHER_GROUPS
    assert sorted(result.owner_colour.tolist()) == [*range(most), most, most + 1]


def test_a_job_has_its_colour_under_every_scheduler() -> None:
    jobs = [{"name": name, "maps": count} for name, count in (("a", 3), ("b", 9), ("c", 1))]
    one, other = (colouring(simulate(scenario(jobs), name), "job") for name in ("fifo", "fair"))
    assert (one.names, one.owner_colour.tolist()) == (other.names, other.owner_colour.tolist())
