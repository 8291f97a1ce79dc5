"""Random scenarios with Tez applications, alone and beside jobs of the other frameworks: other random
scenarios, some of whose jobs are made such applications.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.scenario.model import Scenario
from tests.physics import DRAWN, latencies, launches, lingering, outages, stragglers
from tests.spark_scenarios import MASTER, OF_MAPREDUCE, dags, make_spark
from tests.stages_scenarios import BEATS, SIZE, make_stages
from tests.strategies import BUSY, among, scenarios


@st.composite
def tez_scenarios(draw: DrawFn) -> Scenario:
    """The first job is such an application."""
    plain = draw(scenarios() | scenarios(BUSY)).plain()
    plain["cluster"]["heartbeat_ms"] = draw(among(0, 0, 100, 1000))
    del plain["jobs"][3:]
    alone = draw(st.booleans())
    for number, job in enumerate(plain["jobs"]):
        framework = draw(among("tez", "tez", "stages", "demand", "spark", "mapreduce"))
        if number == 0 or alone or framework == "tez":
            _make_tez(draw, job)
        elif framework == "spark":
            make_spark(draw, job, BEATS)
        elif framework != "mapreduce":
            make_stages(draw, job, framework)
    if draw(st.integers(0, 3)):
        for key in SIZE:  # room for all masters
            plain["cluster"]["nodes"][0][key] += sum(
                job.get("count", 1) for job in plain["jobs"] if job.get("am")
            )
    for part in (launches, latencies, lingering, stragglers, outages):
        if draw(st.integers(0, 2)) == 0:
            part(draw, plain)
    return Scenario.of(plain)


def _make_tez(draw: DrawFn, job: dict) -> None:
    """Of a MapReduce job; a vertex's container is no larger than one of it."""
    parts = [job["maps"], job.get("reduces") or job["maps"]]
    for key in OF_MAPREDUCE:
        job.pop(key, None)
    job["framework"] = "tez"
    job["am"] = {**(job.get("am") or MASTER), "startup_s": draw(DRAWN), "heartbeat_s": draw(among(*BEATS))}
    job["containers"] = draw(_containers())
    job["stages"] = []
    start = 0.0
    for number in range(draw(st.integers(1, 3))):
        dag = draw(dags())
        start += draw(among(0.001, 0.1, 0.5, 2.0)) if number else draw(among(0.0, 0.0, 0.1))
        _place_behind(job["stages"], dag, round(start, 3))
        for vertex in dag:
            vertex |= {key: draw(st.integers(1, draw(among(*(one[key] for one in parts))))) for key in SIZE}
            vertex["output_mb"] = draw(among(0.0, 0.0, 0.01, 0.1, 1.0))


def _place_behind(vertices: list[dict[str, Any]], dag: list[dict[str, Any]], start: float) -> None:
    """The vertices of a DAG after those of the DAGs before it, with names that are no other's."""
    names = {}
    for place, vertex in enumerate(dag, start=1):
        own = f"stage{len(vertices) + 1}"
        names[vertex["name"] or f"stage{place}"] = own
        vertices.append(vertex)
        vertex |= {"name": own, "after": [names[name] for name in vertex["after"]], "start_s": start}


@st.composite
def _containers(draw: DrawFn) -> dict[str, Any]:
    idle = sorted([draw(IDLE), draw(IDLE)])
    slow = sorted([draw(SHARES), draw(SHARES)])
    return {
        "reuse": draw(among(True, True, True, False)),
        "reuse_delay_s": draw(among(0.0, 0.05, 0.25, 1.0, 5.0)),
        "idle_minimum_s": idle[0],
        "idle_maximum_s": idle[1],
        "slow_start_minimum": slow[0],
        "slow_start_maximum": slow[1],
    }


IDLE = among(0.0, 0.05, 0.3, 1.0, 5.0)
SHARES = among(0.0, 0.0, 0.25, 0.3, 0.5, 0.75, 1.0)
