"""A Run written as the oracle writes its results, so that both can be compared and held to the same
invariants.
"""

from __future__ import annotations

from engine.codes import OUTCOMES
from engine.schedulers.view import KINDS
from engine.simulation.run import Run
from tests.oracle.result import Container, JobTimes, Result, Target, TaskRun


def result_of(run: Run) -> Result:
    """The Run as the oracle's Result; `seen` is the node's first beat at or after the end (HEARTBEAT-1,
    HEARTBEAT-3), out of band the end itself.
    """
    work = run.workload
    cluster, nodes = run.scenario.cluster, len(work.node_names)
    heartbeat = 0 if cluster.out_of_band_heartbeats else cluster.heartbeat_ms
    containers = []
    rows = zip(*(column.tolist() for column in run.containers), strict=True)
    for job, stage, kind, index, attempt, node, requested, start, shuffle_end, end, outcome, begin in rows:
        seen = None if end < 0 else next_beat(end, node, nodes, heartbeat)
        names = (work.job_names[job], stage, KINDS[kind], index, attempt, work.node_names[node])
        containers.append(
            Container(
                *(*names, requested, start, _known(shuffle_end), _known(end)),
                *(OUTCOMES[outcome], seen, _known(begin)),
            )
        )
    columns = [[_known(time) for time in column.tolist()] for column in run.jobs[:5]]
    failed, refused = run.jobs.failed.tolist(), run.jobs.refused.tolist()
    jobs = [JobTimes(*row) for row in zip(work.job_names, *columns, failed, refused, strict=True)]
    slots = zip(*(column.tolist() for column in run.tasks or ()), strict=True)
    tasks = [
        TaskRun(*numbers, _known(end), OUTCOMES[outcome], _known(fetched))
        for *numbers, end, outcome, fetched in slots
    ]
    lines = zip(*(column.tolist() for column in run.targets or ()), strict=True)
    targets = [(time, job, Target(work.job_names[job], time, *numbers)) for job, time, *numbers in lines]
    targets.sort(key=lambda one: one[:2])
    at_ms = run.at_ms if run.status == "deadlock" else None
    return Result(run.status, at_ms, containers, jobs, tasks, [line for _, _, line in targets])


def next_beat(time: int, node: int, nodes: int, heartbeat: int) -> int:
    if heartbeat == 0:
        return time
    offset = node * heartbeat // nodes
    return offset + max(0, -(-(time - offset) // heartbeat)) * heartbeat


def _known(time: int) -> int | None:
    return None if time < 0 else time
