"""The record that a real cluster would have left, had it done what a simulated run did: what was measured is
then known to be true.
"""

from __future__ import annotations

import numpy as np

from engine import Run, Scenario
from engine.dashboard import KINDS, MASTER
from engine.scenario.measured import fingerprint
from engine.simulation.workload import workload


def written_out(scenario: Scenario) -> Scenario:
    """The same with each copy of a job as a job of its own, as histories have them."""
    plain, work = scenario.plain(), workload(scenario)
    jobs = []
    for name, group, arrival in zip(work.job_names, work.job_group.tolist(), work.job_arrival.tolist()):
        fields = {
            key: value for key, value in plain["jobs"][group].items() if key not in ("count", "interval_s")
        }
        jobs.append({**fields, "name": name, "arrival_s": arrival / 1000})
    return Scenario.of({**plain, "jobs": jobs})


def recorded(run: Run) -> Scenario:
    """The run's scenario, whose jobs have no copies, with all of its attempts as `measured`."""
    c, group = run.containers, run.workload.job_group
    asked = np.full(len(group), -1)
    order = np.argsort(c.start, kind="stable")
    for number in order[c.kind[order] != MASTER]:
        if asked[c.job[number]] < 0:
            asked[c.job[number]] = c.requested[number]
    of_job = np.argsort(group)
    whole = lambda values: [int(value) for value in values]
    columns = {"kind": c.kind, "index": c.index, "attempt": c.attempt, "node": c.node, "outcome": c.outcome}
    times = {
        "requested_ms": c.requested,
        "start_ms": c.start,
        "begin_ms": c.begin,
        "shuffle_end_ms": c.shuffle_end,
        "end_ms": c.end,
    }
    containers = {
        "job": whole(group[c.job[order]]),
        **{name: whole(column[order]) for name, column in (columns | times).items()},
    }
    jobs = {
        "asked_ms": whole(asked[of_job]),
        "finish_ms": whole(run.jobs.finish[of_job]),
        "failed": whole(run.jobs.failed[of_job]),
    }
    return Scenario.of(
        {
            **run.scenario.plain(),
            "measured": {"of": fingerprint(run.scenario), "jobs": jobs, "containers": containers},
        }
    )


assert KINDS[:3] == ("am", "reduce", "map")  # as the record numbers them
