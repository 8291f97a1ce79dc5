"""The columns of `measured`: every attempt of every job, in the order of start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.scenario.formats.assumptions import Notes
from engine.scenario.history.job_run import JobRun
from engine.scenario.history.records import FAILED, FINISHED, KILLED, RUNNING, UNKNOWN

KINDS = {"am": 0, "reduce": 1, "map": 2}  # as schedulers.view.KINDS has them
OUTCOMES = {FINISHED: 0, KILLED: 1, RUNNING: 2, FAILED: 3}  # as simulation.run.OUTCOMES has them


def record_of(runs: Sequence[JobRun], others: Sequence[int], place: Mapping[str, int], nodes: int, origin: int, notes: Notes) -> dict[str, Any]:
    """`measured` without its fingerprint. The scenario's jobs are `runs`, then `others`, which are known by when they ended alone, ms from time 0.

    place: host -> index of its node, of so many `nodes`; origin: time 0, ms since 1970.
    """
    rows = sorted((one.start, at, KINDS[one.kind], one.index, one.number, one) for at, run in enumerate(runs) for one in run.all)
    columns: list[list[int]] = [[] for _ in range(11)]
    unplaced = 0
    for start, at, kind, index, number, one in rows:
        node = place.get(one.host)
        if node is None:
            node = unplaced % nodes
            unplaced += 1
        # A reduce of a job without maps stands as a map.
        as_map = kind == 1 and not runs[at].maps
        shuffled = UNKNOWN if as_map or one.shuffle_end == UNKNOWN else one.shuffle_end - origin
        values = (
            at, 2 if as_map else kind, index, number, node, max(0, one.requested - origin), start - origin, one.begin - origin, shuffled, one.end - origin,
            OUTCOMES[one.outcome],
        )  # fmt: skip
        for column, value in zip(columns, values):
            column.append(value)
    notes.count("attempt", "name no node: they stand on the nodes by turns", unplaced)
    names = ("job", "kind", "index", "attempt", "node", "requested_ms", "start_ms", "begin_ms", "shuffle_end_ms", "end_ms", "outcome")
    source = f"{len(runs):,} job histories" if len(runs) > 1 else "1 job history"
    asked = [run.asked - origin if run.asked != UNKNOWN else UNKNOWN for run in runs] + [UNKNOWN] * len(others)
    finish = [run.finish - origin for run in runs] + [*others]
    failed = [int(run.failed) for run in runs] + [0] * len(others)
    return {
        "source": source,
        "began_ms": origin,
        "jobs": {"asked_ms": asked, "finish_ms": finish, "failed": failed},
        "containers": dict(zip(names, columns)),
    }
