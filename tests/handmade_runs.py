"""Runs written by hand, so that what is measured of them can be worked out on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.scenario.model import Scenario
from engine.schedulers.view import KINDS, MAP, REDUCE
from engine.simulation.run import NONE, OUTCOMES, Containers, JobTimes, Run, Waiting
from engine.simulation.workload import workload


def scenario(
    nodes: Sequence[tuple[int, int]],
    jobs: Sequence[dict[str, Any]],
    queues: Sequence[str] = (),
    **cluster: Any,
) -> Scenario:
    """nodes: (memory, vcores) each; queues: their names."""
    listed = [{"count": 1, "memory_mb": memory, "vcores": vcores} for memory, vcores in nodes]
    return Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": listed, **cluster},
            "queues": [{"name": name} for name in queues],
            "jobs": list(jobs),
        }
    )


def stage(count: int, memory: int, vcores: int, seconds: float = 1.0) -> dict[str, Any]:
    return {"count": count, "memory_mb": memory, "vcores": vcores, "duration_s": seconds}


def container(job: int, kind: str, node: int, start: int, end: int | None, **given: Any) -> dict[str, Any]:
    """One container; end None: it runs for ever. given: requested and begin (default start), fetched, killed,
    outcome, stage, index, attempt.
    """
    where = {"job": job, "kind": kind, "node": node, "stage": 1, "index": 0, "attempt": 1}
    return {
        **where,
        "start": start,
        "end": end,
        "requested": start,
        "begin": start,
        "fetched": NONE,
        "killed": False,
        **given,
    }


def run(
    scenario_: Scenario,
    rows: Sequence[dict[str, Any]],
    waiting: Sequence[tuple[int, str, int, int]] = (),
    memory_only: bool = False,
    failed: Sequence[int] = (),
) -> Run:
    """The Run with these containers; a deadlock when one never ends or `waiting` holds requests (job, kind,
    count, since).

    A job finishes with its last container; those in `failed` fail then.
    """
    work = workload(scenario_)
    rows = sorted(rows, key=lambda row: row["start"])
    stuck = bool(waiting) or any(row["end"] is None for row in rows)
    column = lambda key: np.array([NONE if row[key] is None else row[key] for row in rows], np.int64)
    outcome = [
        OUTCOMES.index(
            row.get("outcome", "killed" if row["killed"] else "running" if row["end"] is None else "finished")
        )
        for row in rows
    ]
    kind = np.array([KINDS.index(row["kind"]) for row in rows], np.int64)
    keys = ("node", "requested", "start", "fetched", "end")
    task = (column("job"), column("stage"), kind, column("index"), column("attempt"))
    containers = Containers(*task, *map(column, keys), np.array(outcome, np.int64), column("begin"))
    unserved = {job for job, *_ in waiting}
    requests = [(job, KINDS.index(kind), count, since) for job, kind, count, since in waiting]
    times = []
    for job, arrival in enumerate(work.job_arrival.tolist()):
        rows_of_job = [row for row in rows if row["job"] == job]
        is_finished = (
            bool(rows_of_job) and job not in unserved and all(row["end"] is not None for row in rows_of_job)
        )
        last = lambda kind, key, rows_of_job=rows_of_job: max(
            (row[key] for row in rows_of_job if KINDS.index(row["kind"]) == kind and row[key] is not None),
            default=NONE,
        )
        finish = max(row["end"] for row in rows_of_job) if is_finished else NONE
        times.append(
            (
                arrival,
                rows_of_job[0]["start"] if rows_of_job else NONE,
                last(MAP, "end"),
                last(REDUCE, "fetched"),
                finish,
                job in failed,
            )
        )
    return Run(
        scenario=scenario_,
        scheduler="by hand",
        status="deadlock" if stuck else "finished",
        at_ms=max(
            (time for row in rows for time in (row["start"], row["end"]) if time is not None),
            default=int(work.job_arrival.max()),
        ),
        because="made so" if stuck else None,
        workload=work,
        containers=containers,
        jobs=JobTimes(*(np.array(column, np.int64) for column in zip(*times))),
        waiting=Waiting(*np.array(requests, np.int64).reshape(-1, 4).T),
        memory_only=memory_only,
    )
