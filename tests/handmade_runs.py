"""Runs written by hand, so that what is measured of them can be worked out on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.codes import NONE, OUTCOMES, TAKEN
from engine.scenario.model import Scenario
from engine.schedulers.view import KINDS, MAP, REDUCE
from engine.simulation.run import Containers, JobTimes, Run, TaskRuns, Waiting
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


def _outcome(row: dict[str, Any]) -> str:
    if row["killed"]:
        return "killed"
    return "running" if row["end"] is None else "finished"


def _job_times(rows: Sequence[dict[str, Any]], is_unserved: bool) -> tuple[int, int, int, int]:
    """A job's first start, the last end of its maps, the last fetch of its reduces and its finish, by its
    containers in the order of their starts.
    """
    is_finished = bool(rows) and not is_unserved and all(row["end"] is not None for row in rows)
    last = lambda kind, key: max(
        (row[key] for row in rows if KINDS.index(row["kind"]) == kind and row[key] is not None),
        default=NONE,
    )
    return (
        rows[0]["start"] if rows else NONE,
        last(MAP, "end"),
        last(REDUCE, "fetched"),
        max(row["end"] for row in rows) if is_finished else NONE,
    )


def run(
    scenario_: Scenario,
    rows: Sequence[dict[str, Any]],
    waiting: Sequence[tuple[int, str, int, int]] = (),
    memory_only: bool = False,
    failed: Sequence[int] = (),
    tasks: Sequence[tuple[int, ...]] = (),
) -> Run:
    """The Run with these containers; a deadlock when one never ends or `waiting` holds requests (job, kind,
    count, since).

    A job finishes with its last container; those in `failed` fail then. tasks: (place of the executor among
    the containers by their start, slot, stage from 1, index, start, end and, of Tez, the end of its shuffle),
    in the order of their starts.
    """
    work = workload(scenario_)
    rows = sorted(rows, key=lambda row: row["start"])
    stuck = bool(waiting) or any(row["end"] is None for row in rows)
    column = lambda key: np.array([NONE if row[key] is None else row[key] for row in rows], np.int64)
    outcome = [OUTCOMES.index(row.get("outcome", _outcome(row))) for row in rows]
    kind = np.array([KINDS.index(row["kind"]) for row in rows], np.int64)
    keys = ("node", "requested", "start", "fetched", "end")
    task = (column("job"), column("stage"), kind, column("index"), column("attempt"))
    containers = Containers(*task, *map(column, keys), np.array(outcome, np.int64), column("begin"))
    unserved = {job for job, *_ in waiting}
    requests = [(job, KINDS.index(kind), count, since) for job, kind, count, since in waiting]
    times = []
    for job, arrival in enumerate(work.job_arrival.tolist()):
        rows_of_job = [row for row in rows if row["job"] == job]
        times.append((arrival, *_job_times(rows_of_job, job in unserved), job in failed, TAKEN))
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
        waiting=Waiting(*np.array(requests, np.int64).reshape(-1, 4).T, np.zeros(len(requests), np.int64)),
        memory_only=memory_only,
        tasks=_task_runs(tasks) if tasks else None,
    )


def _task_runs(tasks: Sequence[tuple[int, ...]]) -> TaskRuns:
    rows = [row if len(row) == 7 else (*row, NONE) for row in tasks]
    container, slot, stage, index, start, end, fetched = np.array(rows, np.int64).T
    finished = np.full(len(tasks), OUTCOMES.index("finished"))
    return TaskRuns(container, slot, stage, index, np.ones_like(index), start, end, finished, fetched)
