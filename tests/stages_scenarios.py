"""Random scenarios with applications of stages and of demand, alone and beside MapReduce jobs and Spark
applications: other random scenarios, some of whose jobs are made such applications.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.scenario.model import Scenario
from tests.physics import DRAWN, latencies, launches, lingering, outages, startups, stragglers
from tests.spark_scenarios import OF_MAPREDUCE, dags, make_spark
from tests.strategies import BUSY, among, scenarios, seconds

BEATS = (0.0, 0.0, 0.3, 1.0, 3.0)


@st.composite
def stages_scenarios(draw: DrawFn) -> Scenario:
    """The first job is such an application."""
    plain = draw(scenarios() | scenarios(BUSY)).plain()
    plain["cluster"]["heartbeat_ms"] = draw(among(0, 0, 100, 1000))
    alone = draw(st.booleans())
    for number, job in enumerate(plain["jobs"]):
        framework = draw(among("stages", "stages", "demand", "spark", "mapreduce"))
        if number == 0 or alone or framework in ("stages", "demand"):
            make_stages(draw, job, "demand" if framework == "demand" else "stages")
        elif framework == "spark":
            make_spark(draw, job, BEATS)
    for part in (launches, latencies, lingering, stragglers, outages):
        if draw(st.integers(0, 2)) == 0:
            part(draw, plain)
    return Scenario.of(plain)


def make_stages(draw: DrawFn, job: dict, framework: str) -> None:
    """Of a MapReduce job; a stage's container is no larger than one of it."""
    parts = [job["maps"], job.get("reduces") or job["maps"]]
    for key in OF_MAPREDUCE:
        job.pop(key, None)
    job["framework"] = framework
    if job.get("am"):
        job["am"] |= {"startup_s": draw(DRAWN), "heartbeat_s": draw(among(*BEATS))}
    job["stages"] = draw(dags())
    for stage in job["stages"]:
        stage |= {key: draw(st.integers(1, draw(among(*(part[key] for part in parts))))) for key in SIZE}
        stage |= draw(_demand() if framework == "demand" else _of_stages())


SIZE = ("memory_mb", "vcores")


def _demand() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"after": st.just([]), "start_s": among(0.0, 0.0, 0.05, 0.5, 1.0, 3.0)})


def _of_stages() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "output_mb": among(0.0, 0.0, 0.01, 0.1, 1.0),
            "slow_start": among(0.0, 0.05, 0.5, 1.0, 1.0),
        }
    )


@st.composite
def as_mapreduce_and_stages(draw: DrawFn) -> tuple[Scenario, Scenario]:
    """The same batch twice, of MapReduce jobs and of applications of two stages. Nothing in it is drawn by
    the kind of a task, and nodes have no slots.
    """
    plain = draw(scenarios() | scenarios(BUSY)).plain()
    plain["cluster"]["launch_s"] = draw(among(0.0, 0.003, 0.1, 0.5))
    for part in (latencies, lingering, startups):
        part(draw, plain)
    for group in plain["cluster"]["nodes"]:
        group |= {"map_slots": None, "reduce_slots": None}
    for job in plain["jobs"]:
        job |= {"slowstart": 1.0, "iterations": 1}
        if job.get("am"):
            job["am"]["heartbeat_s"] = draw(among(*BEATS))
        for part in (job["maps"], job.get("reduces") or {}):
            if "dist" in str(part.get("duration_s")):
                part["duration_s"] = draw(seconds())
    return Scenario.of(plain), Scenario.of(plain | {"jobs": [_as_stages(job) for job in plain["jobs"]]})


def _as_stages(job: dict) -> dict:
    maps, reduces = dict(job["maps"]), dict(job.get("reduces") or {"count": 0})
    stages = [maps | {"tasks": maps.pop("count"), "output_mb": job.get("shuffle_mb_per_map", 0.0)}]
    if count := reduces.pop("count"):
        stages.append(reduces | {"tasks": count, "after": ["stage1"]})
    kept = {key: value for key, value in job.items() if key not in OF_MAPREDUCE}
    return kept | {"framework": "stages", "stages": stages}
