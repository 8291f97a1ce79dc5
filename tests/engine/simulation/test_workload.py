"""How the requests of a workload are numbered."""

from __future__ import annotations

import numpy as np

from engine.codes import EXECUTOR, MAP, MASTER, REDUCE, job_of, kind_of, request_of
from engine.simulation.workload import workload
from tests.small_scenarios import job, master, node, scenario, tasks


def test_requests_stand_job_by_job_the_master_before_reduces_before_maps() -> None:
    """A job has each kind, asked for or not: b has maps alone, of 3 MB."""
    jobs = [job("a", tasks(1, memory=2), tasks(1, memory=1), am=master(1.0)), job("b", tasks(1, memory=3))]
    work = workload(scenario([node(4, 4)], jobs))
    requests = np.arange(len(work.request_job))
    assert [(work.job_names[job_of(work, one)], kind_of(work, one)) for one in requests] == [
        (name, kind) for name in "ab" for kind in (MASTER, REDUCE, MAP)
    ]
    assert (request_of(work, work.request_job, work.request_kind) == requests).all()
    assert work.job_first_request.tolist() == [0, 3, len(requests)]
    assert work.request_memory[request_of(work, np.array([0, 1]), MAP)].tolist() == [2, 3]
    assert work.request_memory[request_of(work, 1, MASTER)] == 0


def test_a_spark_application_has_a_request_for_executors_behind_the_others() -> None:
    """Asked for with the overhead: 640 MB and 384, the least there is."""
    executors = {"memory_mb": 640, "vcores": 2}
    application = {
        "framework": "spark",
        "am": {"memory_mb": 1, "vcores": 1},
        "executors": executors,
        "stages": [{"tasks": 3, "duration_s": 1}],
    }
    work = workload(scenario([node(2000, 4)], [application, job("b", tasks(1, memory=3))]))
    assert work.job_first_request.tolist() == [0, 4, 7]
    assert work.request_kind.tolist() == [MASTER, REDUCE, MAP, EXECUTOR, MASTER, REDUCE, MAP]
    assert work.request_resource[:, request_of(work, 0, EXECUTOR)].tolist() == [1024, 2]
    assert work.job_tasks.tolist() == [3, 1]
