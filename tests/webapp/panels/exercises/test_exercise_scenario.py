"""An exercise's scenario in lines, with marks at what may be changed."""

from __future__ import annotations

import pytest
from dash import Dash

from engine.dashboard import Exercise, question
from tests.engine.exercises.small_exercises import (
    FIRST,
    LARGE,
    NODES,
    SHORT,
    SLOWSTART,
    exercise,
    makespan,
    reach,
)
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from webapp.panels.exercises import exercise_scenario

REDUCES = {"count": 2, "memory_mb": 2048, "vcores": 1, "duration_s": 15}


@pytest.fixture(autouse=True)
def app() -> Dash:
    return Dash("test")


def told(asked: Exercise) -> str:
    return words(exercise_scenario.layout(asked, question(asked)))


def test_nodes_and_jobs_are_told_with_their_units_and_what_is_usual_is_left_out() -> None:
    text = told(
        exercise(FIRST, jobs=(LARGE, {**SHORT, "arrival_s": 5, "reduces": REDUCES, "slowstart": 0.8}))
    )
    assert "2 × n 2 GB 2" in text
    assert phrase("pages.large_arrives_maps", "0:00", 8, 20, 1, 1) in text
    assert "small Arrives 0:05" in text
    assert phrase("pages.reduces_slow_start", 2, 15, 2, 1, 0.8) in text
    assert not any(word in text for word in ("Speed", "Rack", "Priority", "Queues", "Iterations"))
    assert phrase("pages.all_of_it_is_locked") in text


def test_queues_copies_and_spread_durations_are_told() -> None:
    jobs = (
        {**LARGE, "count": 3, "interval_s": 5, "queue": "root.a"},
        {
            "maps": {**SHORT["maps"], "duration_s": {"dist": "uniform", "low": 5, "high": 9}},
            "queue": "root.b",
        },
    )
    queues = [{"name": "root.a", "weight": 3}, {"name": "root.b", "capacity_pct": 20.0}]
    scenario = exercise(FIRST).scenario | {"jobs": list(jobs), "queues": queues}
    text = told(exercise(FIRST, scenario=scenario))
    assert phrase("pages.large_copies_arrive", 3, "0:00", 5, "root.a") in text
    assert "job2 " in text
    assert "2 of uniform(5, 9) s" in text
    assert "root.a 3 – root.b 1 20 %" in text


def test_what_may_be_changed_is_marked_where_it_stands() -> None:
    jobs = ({**LARGE, "reduces": REDUCES}, {**SHORT, "reduces": REDUCES})
    slow = exercise(reach(makespan(30)), jobs=jobs, change=[SLOWSTART])
    text = told(slow)
    assert text.count("can change") == 2  # of all jobs
    assert phrase("pages.may_change_slow_start") in text
    one = exercise(reach(makespan(30)), jobs=jobs, change=[{**SLOWSTART, "path": "jobs[1].slowstart"}])
    assert told(one).count("can change") == 1
    assert (
        told(exercise(reach(makespan(30)), change=[NODES])).count("can change") == 0
    )  # no cell has the total


def test_its_schedulers_lead_to_their_pages() -> None:
    asked = exercise(FIRST, schedulers=["fair", "fifo+admit-all"])
    text = as_json(exercise_scenario.layout(asked, question(asked)))
    assert '"/schedulers/fair"' in text
    assert "fifo+admit-all" in text


def test_what_is_fetched_is_told_with_its_rate_and_a_short_list_of_durations_in_full() -> None:
    maps = {**LARGE["maps"], "duration_s": {"values": [1, 2, 3, 4, 5, 6, 7, 8]}}
    text = told(
        exercise(FIRST, jobs=({**SHORT, "maps": maps, "reduces": REDUCES, "shuffle_mb_per_map": 50}, LARGE))
    )
    assert "100 MB/s" in text
    assert "50 MB" in text
    assert "8 of 1, 2, 3, 4, 5, 6, 7, 8 s" in text
    assert "MB/s" not in told(exercise(FIRST))
    long = {**LARGE["maps"], "count": 9, "duration_s": {"values": [9, 30, 3, 4, 5, 6, 7, 8, 1]}}
    assert "9 of 1 to 30 s" in told(exercise(FIRST, jobs=({**SHORT, "maps": long}, LARGE)))


def test_copies_that_come_together_are_told_so() -> None:
    assert phrase("pages.large_copies_together", 3, "0:00") in told(
        exercise(FIRST, jobs=({**LARGE, "count": 3}, SHORT))
    )


@pytest.mark.parametrize(
    ("heartbeat_ms", "one", "some"),
    [
        (0, phrase("pages.node_at_once", 1), phrase("pages.nodes_at_once", 2)),
        (2000, phrase("pages.node_heartbeat", 1, 2), phrase("pages.nodes_heartbeat", 2, 2)),
    ],
)
def test_when_nodes_get_containers_is_told(heartbeat_ms: int, one: str, some: str) -> None:
    for number, sentence in ((1, one), (2, some)):
        nodes = [{"count": number, "memory_mb": 2048, "vcores": 2}]
        cluster = {"nodes": nodes, "heartbeat_ms": heartbeat_ms}
        assert sentence in told(exercise(FIRST, cluster=cluster))
