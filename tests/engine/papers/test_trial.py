"""Conditions change what they name and nothing else; a trial's parts add up to the whole."""

from __future__ import annotations

import pytest

from engine.papers.measuring import run_trial
from engine.papers.trial import Conditions, Trial
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse

TASK = {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 10}
JOB = {
    "am": {"memory_mb": 1024, "vcores": 1, "startup_s": 2},
    "maps": TASK,
    "reduces": {**TASK, "count": 1},
    "shuffle_mb_per_map": 100,
}
FAIR = "fair(reservations=no, update_ms=0)+slowstart+admit-all"


def scenario(**job) -> Scenario:
    node = {"count": 2, "memory_mb": 4096, "vcores": 4}
    return Scenario.of({"version": 1, "cluster": {"nodes": [node]}, "jobs": [{**JOB, **job}]})


def test_nothing_is_changed_by_no_condition() -> None:
    one = scenario()
    assert Conditions().apply_to(one) is one
    assert Conditions().apply_to_scheduler(parse(FAIR)) == parse(FAIR)


@pytest.mark.parametrize(
    ("conditions", "path", "value"),
    [
        (Conditions(fetch_mb_s=5), ("cluster", "shuffle_mb_s"), 5),
        (Conditions(contention=0.5), ("cluster", "contention"), 0.5),
        (Conditions(launch_s=3), ("cluster", "launch_s"), 3),
        (Conditions(slowstart=1.0), ("jobs", 0, "slowstart"), 1.0),
        (Conditions(stagger_s=6), ("jobs", 0, "am", "startup_s"), {"dist": "uniform", "low": 2, "high": 8}),
        (Conditions(stagger_s=0), ("jobs", 0, "am", "startup_s"), 2),
    ],
)
def test_a_condition_changes_what_it_names_alone(conditions: Conditions, path: tuple, value) -> None:
    before, after = (
        Scenario.of(one.plain()).model_dump() for one in (scenario(), conditions.apply_to(scenario()))
    )
    *way, last = path
    was, now = before, after
    for step in way:
        was, now = was[step], now[step]
    assert now[last] == value
    was[last] = value
    assert before == after


def test_masters_that_start_late_already_do_so_over_another_span() -> None:
    drawn = scenario(am={**JOB["am"], "startup_s": {"dist": "uniform", "low": 4, "high": 10}})
    assert Conditions(stagger_s=1).apply_to(drawn).jobs[0].am.startup_s.high == 5
    assert Conditions(stagger_s=0).apply_to(drawn).jobs[0].am.startup_s == 4
    assert Conditions(stagger_s=9).apply_to(scenario(am=None)).jobs[0].am is None


def test_reservations_are_those_of_schedulers_that_have_them() -> None:
    assert Conditions(reservations=True).apply_to_scheduler(parse(FAIR)).order.given["reservations"] == "yes"
    assert Conditions(reservations=True).apply_to_scheduler(parse(FAIR)).order.given["update_ms"] == 0
    assert Conditions(reservations=True).apply_to_scheduler(parse("fifo")) == parse("fifo")


def test_a_run_is_under_the_trials_conditions() -> None:
    slow = run_trial(scenario(), FAIR, Trial(conditions=Conditions(fetch_mb_s=1)))
    assert slow.until_ms > run_trial(scenario(), FAIR).until_ms + 300_000  # 400 MB at 1 MB/s


def test_the_progress_of_parts_is_that_of_the_whole() -> None:
    observed = []
    complete = Trial(lambda *at: observed.append(at), seeds=range(1, 11))
    for place in range(2):
        complete.part(place, 2).progress(1, 2)
        complete.part(place, 2).progress(2, 2)
    assert observed == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert list(complete.part(0, 2).at_most(3).seeds) == [1, 2, 3]
