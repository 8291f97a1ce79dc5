"""A job's page: every part of it says what the run says, whatever became of the job."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dash import Dash, no_update
from hypothesis import given, settings

from engine import simulate
from engine.dashboard import NONE
from tests.handmade_runs import container, run, scenario, stage
from tests.phrases import phrase
from tests.strategies import BUSY, scenarios, scheduler_text, schedulers
from tests.webapp.layout_reading import words
from webapp import theme
from webapp.panels.job import job, life, reasons
from webapp.runs import saved_tasks
from webapp.runs.cache import SharedCache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

MASTER = {"memory_mb": 512, "vcores": 1, "startup_s": 1}
OF = scenario(
    [(4096, 4)],
    [
        {"name": "a", "am": MASTER, "maps": stage(2, 1024, 1), "reduces": stage(1, 1024, 2)},
        {"name": "b", "maps": stage(1, 2048, 1)},
    ],
)
BY_HAND = run(
    OF,
    [
        container(0, "am", 0, 10_000, 120_000, requested=0),
        container(1, "map", 0, 0, 9500),
        container(0, "map", 0, 20_000, 50_000),
        container(0, "map", 0, 30_000, 75_000, requested=20_000, index=1),
        container(0, "reduce", 0, 50_000, 55_000, killed=True),
        container(0, "reduce", 0, 60_000, 120_000, fetched=80_000, attempt=2),
    ],
)
STUCK = run(
    OF,
    [container(0, "am", 0, 0, None), container(0, "map", 0, 1000, 2000)],
    waiting=[(0, "map", 1, 1000), (1, "map", 1, 0)],
)


def cells(box: Any) -> list[list[str]]:
    """The rows of a table's bodies, heads first."""
    head, *bodies = box.children.children
    return [
        [words(cell) for cell in row.children]
        for part in (head, *bodies)
        for row in (part.children if isinstance(part.children, list) else [part.children])
    ]


def test_the_life_is_a_column_a_scheduler() -> None:
    columns = [
        life.column("one", BY_HAND, "a"),
        life.column("two", STUCK, "a"),
        life.column("three", BY_HAND, "gone"),
    ]
    assert cells(life.life_table(columns)) == [
        ["", "one", "two", "three"],
        ["Submitted", "0:00", "0:00", "no such job"],
        ["ApplicationMaster started", "0:10", "0:00", "no such job"],
        ["First map started", "0:20", "0:01", "no such job"],
        ["First reduce requested", "0:50", "never", "no such job"],
        [phrase("job.maps_finished_by_then"), "50 %", "–", "no such job"],
        ["Last map ended", "1:15", "never", "no such job"],
        ["First reduce started", "0:50", "never", "no such job"],
        ["Last reduce started", "1:00", "never", "no such job"],
        ["Last shuffle ended", "1:20", "never", "no such job"],
        ["Finished", "2:00", "never", "no such job"],
    ]


def test_moments_that_a_map_only_job_has_not_are_left_out() -> None:
    rows = cells(life.life_table([life.column("one", BY_HAND, "b"), life.column("two", STUCK, "b")]))
    assert rows == [
        ["", "one", "two"],
        ["Submitted", "0:00", "0:00"],
        ["First map started", "0:00", "never"],
        ["Last map ended", "0:09.500", "never"],
        ["Finished", "0:09.500", "never"],
    ]


def test_the_bars_of_a_life() -> None:
    results = life.parts(life.column("one", BY_HAND, "a").profile.life, 120_000)
    assert [(bar.phase, bar.start, bar.end, bar.row) for bar in results] == [
        ("", 0, 10_000, 0),
        ("master", 10_000, 20_000, 0),
        ("map", 20_000, 75_000, 0),
        ("shuffle", 50_000, 80_000, 1),
        ("reduce", 80_000, 120_000, 1),
    ]
    never = life.parts(life.column("two", STUCK, "b").profile.life, 2000)
    assert [(bar.phase, bar.start, bar.end) for bar in never] == [("", 0, 2000)]


def test_strips_share_one_time_and_say_it() -> None:
    drawn = life.strips([life.column("one", BY_HAND, "a"), life.column("two", STUCK, "a")])
    assert words(drawn).endswith("0:00 2:00")
    assert "55 s" in words(drawn)  # the maps, 46 % of the strip; the master's 8 % have no room for their text
    assert "10 s" not in words(drawn)
    maps = drawn.children[0].children[1].children[2]
    assert (maps.style["left"], maps.style["width"], maps.title) == (
        "16.667%",
        "45.833%",
        "Maps: 0:20 to 1:15",
    )


def test_durations_and_waits_by_quarters() -> None:
    rows = cells(life.tasks_table([life.column("one", BY_HAND, "a"), life.column("two", STUCK, "b")]))
    assert rows[:7] == [
        ["", "one", "two"],
        ["Map duration", "2", "–"],
        ["Least", "30 s", "–"],
        ["25 %", "30 s", "–"],
        ["Median", "30 s", "–"],
        ["75 %", "45 s", "–"],
        ["Most", "45 s", "–"],
    ]
    of_mapreduce = [
        title for key, title in life.MEASURES.items() if "task" not in key and "executor" not in key
    ]
    assert [row[0] for row in rows if row[0] in life.MEASURES.values()] == of_mapreduce
    assert ["Shuffle duration", "20 s", "–"] in rows  # of one reduce


def test_containers_in_the_order_of_start() -> None:
    rows, count = job.containers(BY_HAND, "a")
    assert count == "5 containers: 4 finished, 1 killed."
    assert [row["task"] for row in rows] == ["master", "map 0", "map 1", "reduce 0", "reduce 0"]
    assert rows[2] == {
        "task": "map 1",
        "attempt": 1,
        "node": "node1",
        "requested": 20.0,
        "started": 30.0,
        "ended": 75.0,
        "waited": 10.0,
        "outcome": "finished",
    }
    rows, count = job.containers(STUCK, "a")
    assert count == phrase("job.containers_finished_running_requested_never", 2, 1, 1, 1)
    assert rows[0]["ended"] is None
    assert job.containers(STUCK, "b") == ([], phrase("job.no_container_started_requested_never", 1))


def test_of_very_many_containers_the_first_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "MAX_CONTAINERS", 3)
    rows, count = job.containers(BY_HAND, "a")
    assert len(rows) == 3
    assert count == phrase("job.first_containers_finished_killed_export", 3, 5, 4, 1)


def test_whose_job_it_is_and_its_neighbours() -> None:
    assert job.about(BY_HAND, "a").endswith(
        phrase("job.ueue_maps_gb_and_vcore", "root.default", 2, 1, 1, 1, 1, 2)
    )
    assert job.about(BY_HAND, "b").endswith(phrase("job.ueue_map_gb_and_vcore", "root.default", 1, 2, 1))
    previous, following, highlight, fit = (part.to_plotly_json()["props"] for part in job.tools(BY_HAND, "a"))
    assert previous["disabled"] and "data-open-job" not in previous
    assert (following["data-open-job"], following["title"]) == ("b", "Next job: b")
    assert (highlight["data-select"], fit["data-job-fit"]) == ("job:a", "a")


@pytest.fixture
def task(small: dict[str, Any], cache: SharedCache) -> Task:
    """Two equal jobs on a node that has room for one and a half of them."""
    small["cluster"] = {
        "nodes": [{"count": 1, "memory_mb": 3072, "vcores": 3}],
        "heartbeat_ms": 0,
        "containers_per_heartbeat": None,
    }
    small["jobs"].append(small["jobs"][0] | {"name": "two"})
    results = build_task(RunRequest(small, ("fifo+slowstart(at=1)", "fair+slowstart(at=1)")))
    saved_tasks.save_task(results)
    return results


def test_the_longest_waits_say_who_held_the_cluster_and_the_decision_that_ended_them(task) -> None:
    text = words(reasons.content(task.shown[0], "two"))
    # Under fifo one map of two starts with the two of one; the other waits for their ends, at 10 s.
    held = phrase("job.one_two_itself_free", 66.7, 66.7, 33.3, 33.3, 0, 0)
    assert text.startswith(phrase("job.waited_time_while_nothing_started", 1, 10, 10, "0:00", "0:10"))
    assert phrase("job.earlier_map_tasks_were_ahead", "two") in text
    assert phrase("job.held_meanwhile", held) in text
    assert "Then  two/1/map/1/1  started" in text
    assert text.endswith(" " + phrase("job.started_on_had_mb_and", "node1", "node1", "2 GB", 2, "0:10"))


def test_a_wait_that_never_ends_says_why_the_run_is_stuck(small, cache) -> None:
    first = small["jobs"][0]
    small["jobs"] = [
        first
        | {
            "am": {"memory_mb": 3072, "vcores": 1, "startup_s": 20},
            "maps": first["maps"] | {"memory_mb": 2048},
        }
    ]
    shown = build_task(RunRequest(small, ("fifo",))).shown[0]
    text = words(reasons.content(shown, "one"))
    assert shown.outcome.run.status == "deadlock"
    assert text.startswith(phrase("job.waited_time_while_nothing_started_s", 1, 0, "0:20"))
    assert phrase("job.no_node_has", "2 GB", "1 vcore", "1 GB", 3) in text
    assert text.endswith("one, itself 75 % 25 % Free 25 % 75 %")


def test_a_refused_job_says_why(small, cache) -> None:
    small["jobs"].append(small["jobs"][0] | {"name": "y", "rejected": "unwanted"})
    task = build_task(RunRequest(small, ("fifo", "fair")))
    text = words(job.numbers(task, "y"))
    assert text.count("refused: unwanted") == 2 and "never" not in text
    assert text.endswith("Finished refused refused")
    assert "refused: unwanted" not in words(job.numbers(task, "one"))
    assert "unwanted" in words(reasons.content(task.shown[0], "y"))


def test_one_that_never_waited_says_so(small, cache) -> None:
    small["cluster"]["heartbeat_ms"] = 0
    assert (
        words(reasons.content(build_task(RunRequest(small, ("fifo+slowstart(at=1)",))).shown[0], "one"))
        == reasons.NO_WAIT
    )


def callback(name: str):
    """A callback of the panel by its name, as Dash would call it."""
    app = Dash("test")
    app.layout = job.layout()
    job.register(app)
    return next(
        one["callback"].__wrapped__
        for one in app.callback_map.values()
        if "callback" in one and one["callback"].__wrapped__.__name__ == name
    )


def test_what_is_opened_fills_the_page(task) -> None:
    fill, listed = callback("fill"), callback("list_containers")
    asked = {"key": task.key, "job": "two", "scheduler": 1}
    title, where, tools, numbers, choices, chosen, without_executors, hidden = fill(asked)
    assert (title, chosen, without_executors, hidden) == ("two", "1", True, False)
    assert [one["label"] for one in choices] == list(task.names)
    assert phrase("job.maps_gb_and_vcore", 2, 1, 1) in where and len(tools) == 4
    assert words(numbers).startswith("Life")
    grid, count, explained = listed(asked, "1")
    assert (len(grid.rowData), count, explained) == (3, "3 containers: 3 finished.", [])
    assert listed(None, None) == ([], "", [])


def test_a_job_that_is_not_there_and_nothing_are_said(task) -> None:
    fill = callback("fill")
    assert fill({"key": task.key, "job": "gone", "scheduler": 0})[:2] == (
        "gone",
        phrase("job.this_result_has_no_such"),
    )
    assert fill(None)[1] == job.HINT
    assert fill(None)[-1]


@pytest.mark.parametrize("place", ["7", "-1", "x", 0, None, ["0"]])
def test_a_scheduler_that_the_result_has_not_lists_nothing(task, place) -> None:
    """As between another result and the choice that it brings."""
    asked = {"key": task.key, "job": "two", "scheduler": 0}
    assert callback("list_containers")(asked, place) == ([], "", [])
    assert callback("explain")(1, asked, place) is no_update
    assert callback("list_containers")(asked | {"job": "gone"}, "0") == ([], "", [])


@pytest.mark.parametrize("asked", [None, 3, {}, {"key": 1, "job": "a"}, {"key": "x", "job": None}])
def test_the_store_may_hold_anything(asked) -> None:
    assert job.opened(asked) == (None, "", 0)


@settings(max_examples=40)
@given(scenarios(BUSY), schedulers(), schedulers())
def test_any_job_of_any_run_can_be_shown(of, first, second) -> None:
    results = [simulate(of, scheduler_text(chosen)) for chosen in (first, second)]
    for name in results[0].workload.job_names:
        columns = [life.column(one.scheduler, one, name) for one in results]
        for part in (life.strips(columns), life.life_table(columns), life.tasks_table(columns)):
            text = words(part)
            assert not {"nan", "None", "-1"} & set(text.split())
        for one in columns:
            for bar in life.parts(one.profile.life, one.run.until_ms):
                assert 0 <= bar.start < bar.end <= max(one.run.until_ms, one.profile.life.submitted)
            rows, _ = job.containers(one.run, name)
            json.dumps(rows, allow_nan=False)
            assert len(rows) == len(one.profile.containers)
            assert (one.profile.life.finish == NONE) == (
                "never" in words(life.life_table([one])).split(" Finished ")[-1]
            )


def test_every_bar_has_a_phase_of_the_page() -> None:
    for of, name in ((BY_HAND, "a"), (BY_HAND, "b"), (STUCK, "a")):
        profile = life.column("one", of, name).profile
        assert {bar.phase for bar in life.parts(profile.life, of.until_ms)} - {""} <= set(theme.PHASES_BY_KEY)
