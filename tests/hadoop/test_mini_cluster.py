"""The runs recorded on a real cluster, played with the times that were measured: no job's finish is further
off than it was found to be.

These are no predictions, but what is left to explain when the times of the parts are known; mini_cluster.py
says which stand in the durations.
"""

from __future__ import annotations

import numpy as np
import pytest

from engine.simulation.simulate import simulate
from tests.hadoop.mini_cluster import STEPS, recorded

MEASURED_BEFORE = (
    "fair(update_ms=0)+admit-all"  # how the engine was when the errors beside the recordings were measured
)
# Errors of a job's finish in %: median, 90 %. "beats" was not measured there.
BEFORE = dict(zip(STEPS, ((14.7, 19.7), (4.7, 9.3), (1.6, 4.3), (1.6, 4.3), (1.6, 4.3))))
NOW = dict(zip(STEPS, ((12.3, 20.4), (4.1, 8.2), (0.8, 1.6), (0.9, 1.6), (1.3, 2.3))))
ONE = dict(zip(STEPS, (35.8, 10.1, 2.0, 2.0, 2.8)))


def errors(run, step: str, scheduler: str) -> np.ndarray:
    """|simulated - measured| / measured of each job's finish, in %, times from the first submission on."""
    played = simulate(run.scenario(step), scheduler, plain=True)
    measured = run.finish_s()
    return 100 * np.array(
        [
            abs(finish / 1000 / measured[name] - 1)
            for name, finish in zip(played.workload.job_names, played.jobs.finish.tolist())
        ]
    )


@pytest.fixture(scope="module")
def seven_jobs(shared):
    return recorded(shared("data/mini-cluster/fair-onesize"))


@pytest.mark.parametrize(
    ("scheduler", "most"), [(MEASURED_BEFORE, BEFORE), ("fair", NOW)], ids=["as then", "as now"]
)
@pytest.mark.parametrize("step", STEPS)
def test_seven_jobs_on_a_real_cluster_finish_as_measured(seven_jobs, step, scheduler, most):
    result = errors(seven_jobs, step, scheduler)
    assert np.median(result) <= most[step][0] + 0.05
    assert np.quantile(result, 0.9) <= most[step][1] + 0.05


@pytest.mark.parametrize("step", STEPS)
def test_one_job_on_a_real_cluster_finishes_as_measured(shared, step):
    assert errors(recorded(shared("data/mini-cluster/one")), step, "fair").max() <= ONE[step]


def test_what_was_recorded_is_read_whole(seven_jobs):
    assert [job.name for job in seven_jobs.jobs] == [f"f{number}" for number in range(1, 8)]
    assert [(len(job.of("MAP")), len(job.of("REDUCE"))) for job in seven_jobs.jobs] == [
        (8, 2),
        (6, 2),
        (10, 1),
        (8, 2),
        (6, 1),
        (4, 1),
        (8, 1),
    ]
    assert round(seven_jobs.finish_s()["f7"], 2) == 136.34
