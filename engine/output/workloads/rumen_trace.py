"""A Rumen trace of the jobs (LoggedJob), an object a line: what Hadoop's Scheduler Load Simulator plays in
3.4, which reads no jobs file of its own.

Every attempt must name a host there, where it then asks to run first: tasks name the nodes in turn. Sizes
stand in jobProperties, which SLS passes over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any

from engine.messages import msg
from engine.output.workloads.job_rows import JobRow, job_rows, mean_launch_ms
from engine.output.workloads.sls_file import SUPPORTED, nodes_of, queue_name
from engine.output.workloads.workload_format import WorkloadFormat
from engine.scenario.configuration.mapreduce_settings import PARTS, SLOWSTART
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.rumen import MEBIBYTE
from engine.scenario.model import Scenario


def trace_text(scenario: Scenario, notes: Notes) -> Iterator[str]:
    """The trace, a line a job."""
    notes.add(msg("output.rumen_trace.nodes_sizes_sls_has_them_in"))
    notes.add(msg("output.rumen_trace.hadoops_sls_submits_every_job_rumen"))
    launch = mean_launch_ms(scenario)
    if launch:
        notes.add(msg("shared.launching_task_part_its_time_by"))
    hosts = cycle([f"/{rack}/{name}" for rack, name, _, _ in nodes_of(scenario)])
    for number, row in enumerate(job_rows(scenario, notes), 1):
        yield (
            json.dumps(
                _job(row, f"1_{number:04}", launch, hosts, notes), ensure_ascii=False, separators=(",", ":")
            )
            + "\n"
        )


def _job(row: JobRow, name: str, launch: int, hosts: Iterator[str], notes: Notes) -> dict[str, Any]:
    job, begin = row.job, row.arrival_ms
    notes.count("job", msg("shared.have_no_master_sls_gives_each"), job.am is None)
    notes.count("job", msg("shared.have_iterations_which_run_as_one"), job.iterations > 1)
    properties: dict[str, str] = {SLOWSTART: str(job.slowstart)}
    for part, names in PARTS.items():
        if part_size := getattr(job, part):
            properties |= {
                names.memory: str(part_size.memory_mb),
                names.vcores: str(part_size.vcores),
            }
    output_bytes = round(job.shuffle_mb_per_map * MEBIBYTE)
    tasks = {}
    for kind, times, fetch in (("MAP", row.maps, 0), ("REDUCE", row.reduces, row.fetch_ms)):
        tasks[f"{kind.lower()}Tasks"] = [
            _task(
                kind,
                f"{name}_{kind[0].lower()}_{index:06}",
                begin,
                launch + time,
                fetch,
                output_bytes,
                next(hosts),
            )
            for index, time in enumerate(times.reshape(-1).tolist())
        ]
    return {
        "jobID": f"job_{name}",
        "jobName": row.name,
        "user": row.user,
        "queue": queue_name(row.queue),
        "submitTime": begin,
        "launchTime": begin,
        "finishTime": begin,
        "outcome": "SUCCESS",
        "jobProperties": properties,
        **tasks,
    }


def _task(
    kind: str, name: str, begin: int, time: int, fetch: int, output_bytes: int, host: str
) -> dict[str, Any]:
    """A task with its one attempt; output_bytes: bytes of a map's output."""
    span = {"startTime": begin, "finishTime": begin + fetch + time}
    details = (
        {"shuffleFinished": begin + fetch, "sortFinished": begin + fetch}
        if kind == "REDUCE"
        else {"mapOutputBytes": output_bytes}
    )
    attempt = {"attemptID": f"attempt_{name}_0", "result": "SUCCESS", "hostName": host, **span, **details}
    return {
        "taskID": f"task_{name}",
        "taskType": kind,
        "taskStatus": "SUCCESS",
        **span,
        "attempts": [attempt],
    }


RUMEN_TRACE = WorkloadFormat(
    "rumen",
    "rumen-trace.json",
    msg("output.rumen_trace.jobs_as_rumen_trace_for_yarns"),
    SUPPORTED,
    trace_text,
)
