"""The columns of `measured`: every attempt of every job, in the order of start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.codes import KINDS, MAP, OUTCOMES, REDUCE, UNKNOWN
from engine.messages import msg
from engine.scenario.formats.import_notes import Notes
from engine.scenario.history.job_run import JobRun

KIND_CODES = {name: code for code, name in enumerate(KINDS)}
OUTCOME_CODES = {name: code for code, name in enumerate(OUTCOMES)}


def measured_record(
    runs: Sequence[JobRun],
    others: Sequence[int],
    node_index: Mapping[str, int],
    nodes: int,
    origin: int,
    notes: Notes,
) -> dict[str, Any]:
    """`measured` without its fingerprint. The scenario's jobs are `runs`, then `others`, which are known by
    when they ended alone, ms from time 0.

    node_index: host -> index of its node, of so many `nodes`; origin: time 0, ms since 1970.
    """
    rows = sorted(
        (attempt.start, job_index, KIND_CODES[attempt.kind], attempt.index, attempt.number, attempt)
        for job_index, run in enumerate(runs)
        for attempt in run.all
    )
    columns: list[list[int]] = [[] for _ in range(11)]
    unplaced_count = 0
    for start, job_index, kind, index, number, attempt in rows:
        node = node_index.get(attempt.host)
        if node is None:
            node = unplaced_count % nodes
            unplaced_count += 1
        # A reduce of a job without maps stands as a map.
        is_map = kind == REDUCE and not runs[job_index].maps
        shuffle_end = UNKNOWN if is_map or attempt.shuffle_end == UNKNOWN else attempt.shuffle_end - origin
        values = (
            job_index,
            MAP if is_map else kind,
            index,
            number,
            node,
            max(0, attempt.requested - origin),
            start - origin,
            attempt.begin - origin,
            shuffle_end,
            attempt.end - origin,
            OUTCOME_CODES[attempt.outcome],
        )
        for column, value in zip(columns, values):
            column.append(value)
    notes.count("attempt", msg("scenario.measured_columns.name_no_node_they_stand_on"), unplaced_count)
    names = (
        "job",
        "kind",
        "index",
        "attempt",
        "node",
        "requested_ms",
        "start_ms",
        "begin_ms",
        "shuffle_end_ms",
        "end_ms",
        "outcome",
    )
    source = (
        msg("scenario.measured_columns.job_histories", runs=len(runs))
        if len(runs) > 1
        else msg("scenario.measured_columns.job_history")
    )
    first_request = [
        run.first_request - origin if run.first_request != UNKNOWN else UNKNOWN for run in runs
    ] + [UNKNOWN] * len(others)
    finish = [run.finish - origin for run in runs] + [*others]
    failed = [int(run.failed) for run in runs] + [0] * len(others)
    return {
        "source": source,
        "began_ms": origin,
        "jobs": {"asked_ms": first_request, "finish_ms": finish, "failed": failed},
        "containers": dict(zip(names, columns)),
    }
