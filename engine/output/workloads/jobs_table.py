"""jobs.csv: a row a job as it was submitted, sizes and mean times; where a cluster's times were measured,
those too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.messages import msg
from engine.output.result_format import csv_text
from engine.output.workloads.sls_file import APPLICATIONS, SUBMITTED
from engine.output.workloads.workload_format import WorkloadFormat
from engine.scenario.formats.import_notes import Notes
from engine.scenario.measured import fingerprint
from engine.scenario.model import Scenario
from engine.simulation.durations import mean_ms
from engine.simulation.workload import workload

PLAIN = ("priority", "weight", "slowstart", "iterations", "shuffle_mb_per_map", "input_mb", "estimate_s")
STAGES = ("maps", "reduces")
COLUMNS = (
    "name",
    "user",
    "queue",
    "arrival_s",
    "am_memory_mb",
    "am_vcores",
    *(
        column
        for stage in STAGES
        for column in (stage, f"{stage}_memory_mb", f"{stage}_vcores", f"{stage}_mean_s")
    ),
    *PLAIN,
)
MEASURED = ("measured_asked_s", "measured_finish_s", "measured_failed")
SUPPORTED = frozenset(
    {
        "nodes",
        *SUBMITTED,
        *(f"jobs.{key}" for key in PLAIN),
        "jobs.am.memory_mb",
        "jobs.am.vcores",
        "jobs.maps",
        "jobs.reduces",
        "scenario.measured",
    }
    - APPLICATIONS
)


def table_text(scenario: Scenario, notes: Notes) -> Iterator[str]:
    """The table, jobs by arrival; times in seconds, empty where there is nothing; texts inert in a
    spreadsheet.
    """
    notes.add(msg("output.jobs_table.nodes"))
    work = workload(scenario)
    record = scenario.measured
    if record is not None and record.of != fingerprint(scenario):
        notes.add(msg("output.jobs_table.what_was_measured_other_nodes_or"))
        record = None
    yield ",".join(COLUMNS + (MEASURED if record else ())) + "\n"
    spread = False
    for number, group in enumerate(work.job_group.tolist()):
        job = scenario.jobs[group]
        cells: list[Any] = [work.job_names[number], job.user, job.queue, int(work.job_arrival[number]) / 1000]
        cells += [job.am.memory_mb, job.am.vcores] if job.am else [None, None]
        for name in STAGES:
            stage = getattr(job, name)
            cells += (
                [stage.count, stage.memory_mb, stage.vcores, mean_ms(stage.duration_s) / 1000]
                if stage and stage.count
                else [0, None, None, None]
            )
            spread |= bool(stage) and not isinstance(stage.duration_s, (int, float))
        cells += [getattr(job, key) for key in PLAIN]
        if record:
            requested_ms = record.jobs.asked_ms[group]
            cells += [
                None if requested_ms < 0 else requested_ms / 1000,
                record.jobs.finish_ms[group] / 1000,
                record.jobs.failed[group],
            ]
        yield ",".join(_cell(cell) for cell in cells) + "\n"
    if spread:
        notes.add(msg("output.jobs_table.times_single_tasks_their_means_written"))


def _cell(value: Any) -> str:
    return "" if value is None else csv_text(value) if isinstance(value, str) else str(value)


JOBS_TABLE = WorkloadFormat(
    "jobs-csv",
    "jobs.csv",
    msg("output.jobs_table.table_jobs_sizes_mean_times_what"),
    SUPPORTED,
    table_text,
    has_applications=True,
)
