"""Random scenarios with Spark applications, alone and beside MapReduce jobs: other random scenarios, some of
whose jobs are made such applications.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.scenario.model import Scenario
from tests.physics import DRAWN, fetch_weights, locality, outages, stragglers
from tests.strategies import BUSY, among, durations, scenarios

OF_MAPREDUCE = ("maps", "reduces", "shuffle_mb_per_map", "slowstart", "iterations", "input_mb", "speculation")
MASTER = {"memory_mb": 1, "vcores": 1}


@st.composite
def spark_scenarios(draw: DrawFn, beats: tuple[float, ...] = (0.0, 0.0, 0.3, 1.0, 3.0)) -> Scenario:
    """beats: of the drivers."""
    plain = draw(scenarios() | scenarios(BUSY)).plain()
    plain["cluster"]["heartbeat_ms"] = draw(among(0, 0, 100, 1000))
    plain["cluster"]["launch_contention"] = draw(among(0.0, 0.37, 1.0))
    only_spark = draw(st.booleans())
    for number, job in enumerate(plain["jobs"]):
        if number == 0 or only_spark or draw(st.booleans()):
            make_spark(draw, job, beats)
    for part in (stragglers, outages, fetch_weights, locality):
        if draw(st.integers(0, 2)) == 0:
            part(draw, plain)
    return Scenario.of(plain)


def make_spark(draw: DrawFn, job: dict, beats: tuple[float, ...]) -> None:
    """Of a MapReduce job."""
    size = {key: job["maps"][key] for key in ("memory_mb", "vcores")}
    for key in OF_MAPREDUCE:
        job.pop(key, None)
    job["framework"] = "spark"
    job["am"] = {**(job.get("am") or MASTER), "startup_s": draw(DRAWN), "heartbeat_s": draw(among(*beats))}
    job["executors"] = {
        **size,
        "memory_overhead_mb": 0,
        "slots": draw(among(1, 1, 2, 3)),
        "launch_s": draw(DRAWN),
        "registered_ratio": draw(among(0.0, 0.5, 0.8, 1.0)),
        "registered_wait_s": draw(among(0.0, 0.5, 3.0)),
        "locality_wait_s": draw(among(0.0, 0.1, 0.4, 1.0, 3.0)),
        "excluded_s": draw(st.lists(among(0.0, 0.0, 0.3, 1.0, 2.5, 7.0), max_size=4)),
    }
    if draw(st.booleans()):
        job["executors"]["count"] = draw(among(None, 1, 2, 3, 5))
    else:
        job["executors"]["dynamic"] = draw(_dynamic())
    job["stages"] = draw(dags())
    for stage in job["stages"]:
        stage["result"] = draw(among(False, False, True))
    if draw(st.booleans()):
        pools(draw, job)
    if draw(st.booleans()):
        job["executors"]["speculation"] = {
            "quantile": draw(among(0.0, 0.1, 0.5, 0.75, 1.0)),
            "multiplier": draw(among(0.0, 0.5, 1.0, 1.5, 2.0)),
            "interval_s": draw(among(0.1, 0.1, 0.03, 0.7)),
            "minimum_s": draw(among(0.0, 0.1, 0.05)),
        }


def pools(draw: DrawFn, job: dict) -> None:
    """Up to three, one perhaps the default one, and stages in them."""
    names = draw(
        st.lists(among("default", "a", "b", "\U0001f600", "\uffee"), min_size=1, max_size=3, unique=True)
    )
    job["pools"] = [
        {
            "name": name,
            "weight": draw(among(1, 1, 2, 3)),
            "minimum_share": draw(among(0, 0, 1, 2, 4)),
            "mode": draw(among("fifo", "fair")),
        }
        for name in names
    ]
    for stage in job["stages"]:
        stage["pool"] = draw(st.sampled_from([None, *names]))


@st.composite
def _dynamic(draw: DrawFn) -> dict[str, Any]:
    minimum, initial = draw(among(0, 0, 1, 2)), draw(among(None, 0, 1, 3))
    maximum = draw(among(None, 1, 2, 4))
    return {
        "minimum": minimum,
        "initial": initial,
        "maximum": None if maximum is None else max(maximum, minimum, initial or 0),
        "backlog_s": draw(among(0.05, 0.2, 1.0)),
        "sustained_backlog_s": draw(among(None, 0.1, 0.5)),
        "idle_s": draw(among(0.0, 0.05, 0.1, 0.3, 1.0, 60.0)),
        "ratio": draw(among(1.0, 1.0, 0.5, 0.3)),
        "shuffle_tracking": draw(st.booleans()),
    }


@st.composite
def dags(draw: DrawFn) -> list[dict[str, Any]]:
    """One to five stages, each after some of those before it."""
    stages: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 5))):
        tasks = draw(st.integers(1, 6))
        stages.append(
            {
                "name": draw(among(None, f"s{number}")),
                "after": [
                    one["name"] or f"stage{place}"
                    for place, one in enumerate(stages, start=1)
                    if draw(st.booleans())
                ],
                "tasks": tasks,
                "duration_s": draw(durations(tasks)),
            }
        )
    return stages
