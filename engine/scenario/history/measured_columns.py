"""The columns of `measured`: every attempt of every job, every driver and executor, in the order of start,
and the tasks that ran in the slots of executors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from engine.codes import EXECUTOR, KINDS, MAP, OUTCOMES, REDUCE, UNKNOWN
from engine.messages import msg
from engine.scenario.formats.import_notes import Notes
from engine.scenario.history.job_run import JobRun
from engine.scenario.history.spark.spark_attempts import slot_tasks, spark_attempts
from engine.scenario.history.spark.spark_runs import SparkRun
from engine.scenario.measured import MeasuredContainers, MeasuredTasks

KIND_CODES = {name: code for code, name in enumerate(KINDS)}
OUTCOME_CODES = {name: code for code, name in enumerate(OUTCOMES)}


class Places(NamedTuple):
    """node_index: host -> index of its node, of so many `nodes`."""

    node_index: Mapping[str, int]
    nodes: int


def measured_record(
    runs: Sequence[JobRun],
    spark: Sequence[SparkRun],
    others: Sequence[int],
    places: Places,
    origin: int,
    notes: Notes,
) -> dict[str, Any]:
    """`measured` without its fingerprint. The scenario's jobs are `runs`, then `spark`, then `others`, which
    are known by when they ended alone, ms from time 0, which is `origin`, ms since 1970.
    """
    attempts = chain((run.all for run in runs), (spark_attempts(run, notes) for run in spark))
    rows = sorted(
        (attempt.start, job_index, KIND_CODES[attempt.kind], attempt.index, attempt.number, attempt)
        for job_index, of_job in enumerate(attempts)
        for attempt in of_job
    )
    columns: list[list[int]] = [[] for _ in MeasuredContainers.model_fields]
    unplaced_count = 0
    for start, job_index, kind, index, number, attempt in rows:
        node = places.node_index.get(attempt.host)
        if node is None:
            node = unplaced_count % places.nodes
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
    executor_rows = {
        (job_index, index): row
        for row, (_, job_index, kind, index, *_) in enumerate(rows)
        if kind == EXECUTOR
    }
    return {
        "source": _source(len(runs), len(spark)),
        "began_ms": origin,
        "jobs": _jobs(runs, spark, others, origin),
        "containers": dict(zip(MeasuredContainers.model_fields, columns)),
        **_tasks(spark, len(runs), executor_rows, origin, notes),
    }


def _jobs(
    runs: Sequence[JobRun], spark: Sequence[SparkRun], others: Sequence[int], origin: int
) -> dict[str, list[int]]:
    """An application whose log has no end counts as failed: what it ran at last is not known."""
    asked = [run.first_request - origin if run.first_request != UNKNOWN else UNKNOWN for run in runs]
    return {
        "asked_ms": [*asked, *(run.ready_ms - origin for run in spark), *[UNKNOWN] * len(others)],
        "finish_ms": [
            *(run.finish - origin for run in runs),
            *(run.end_ms - origin for run in spark),
            *others,
        ],
        "failed": [
            *(int(run.failed) for run in runs),
            *(int(run.app.end_ms == UNKNOWN) for run in spark),
            *[0] * len(others),
        ],
    }


def _source(runs: int, spark: int) -> str:
    histories = (
        msg("scenario.measured_columns.job_histories", runs=runs)
        if runs > 1
        else msg("scenario.measured_columns.job_history")
    )
    logs = (
        msg("scenario.measured_columns.event_logs", logs=spark)
        if spark > 1
        else msg("scenario.measured_columns.event_log")
    )
    return ", ".join([histories] * (runs > 0 or not spark) + [logs] * (spark > 0))


def _tasks(
    spark: Sequence[SparkRun],
    first_job: int,
    executor_rows: Mapping[tuple[int, int], int],
    origin: int,
    notes: Notes,
) -> dict[str, Any]:
    """`tasks`, where there are any. executor_rows: job and place of an executor -> its container."""
    ran = sorted(
        (
            task.start - origin,
            executor_rows[job_index, task.executor],
            task.slot,
            task.stage,
            task.index,
            task.number,
            task.end - origin,
            OUTCOME_CODES[task.outcome],
        )
        for job_index, run in enumerate(spark, first_job)
        for task in slot_tasks(run, notes)
    )
    if not ran:
        return {}
    start, container, slot, stage, index, attempt, end, outcome = map(list, zip(*ran))
    columns = (container, slot, stage, index, attempt, start, end, outcome)
    return {"tasks": dict(zip(MeasuredTasks.model_fields, columns))}
