from __future__ import annotations

import pytest

from engine.output.run_table import table
from engine.scenario.applications import noun
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.spark_jobs import MIXED, SPARK


@pytest.mark.parametrize(
    ("frameworks", "called"),
    [
        (["mapreduce", "mapreduce"], "jobs"),
        (["spark", "spark"], "applications"),
        (["mapreduce", "spark"], "applications"),
        (["demand"], "applications"),
    ],
)
def test_what_runs_together_is_called(frameworks: list[str], called: str) -> None:
    assert noun(frameworks) == called


def test_a_run_counts_jobs_or_applications() -> None:
    jobs = (MIXED["jobs"], "2 applications"), ([MIXED["jobs"][1]], "1 job"), ([SPARK], "1 application")
    for batch, counted in jobs:
        scenario = Scenario.of({**MIXED, "jobs": batch})
        run = simulate(scenario, "fair")
        assert f": {counted}, " in repr(run)
        assert table(scenario, [run]).startswith(f"Scenario: {counted} on ")
