"""Files of YARN's Scheduler Load Simulator (SLS): its jobs, an object a line, and its nodes, an object a
rack.

Fields as hadoop-sls reads them (AMDefinitionSLS, TaskContainerDefinition, SLSUtils.parseNodesFromNodeFile);
equal tasks in a row are one with a `count`. A task's time is container.end.ms, with container.start.ms 0,
which every version reads; it has no container.host, so that any node will do (Hadoop 3).

Hadoop 3.4's own AMRunner reads a job as a map of text to text and refuses the list job.tasks, of every SLS
jobs file, its samples among them ("Failed to create an AM: Cannot deserialize value of type
`java.lang.String` from Array value"); older ones read any map. 3.4 plays a Rumen trace (`rumen_trace.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.messages import msg
from engine.output.workloads.job_rows import JobRow, job_rows, mean_launch_ms, run_lengths
from engine.output.workloads.workload_format import WorkloadFormat
from engine.scenario.formats.import_notes import Notes
from engine.scenario.model import Scenario, Stage
from engine.scenario.queue_validation import ROOT

MASTER_MB, MASTER_VCORES = 1024, 1  # SLS's own, of a job that names none
DEFAULT_RACK = "default-rack"
PRIORITIES = {"map": 20, "reduce": 10}  # MRAMSimulator
APPLICATIONS = {"jobs.framework", "jobs.executors", "jobs.stages"}  # left out whole, which a note says
SUBMITTED = {
    "jobs.name",
    "jobs.user",
    "jobs.queue",
    "jobs.arrival_s",
    "jobs.count",
    "jobs.interval_s",
    "queues.name",
    *APPLICATIONS,
}
TASKS = {"jobs.maps", "jobs.reduces"}
# part of the reduces' times
SHUFFLE = {
    "jobs.shuffle_mb_per_map",
    "cluster.shuffle_mb_s",
    "cluster.shuffle_latency_s",
    "cluster.launch_s",
}
SUPPORTED = frozenset(
    {
        "nodes",
        "jobs.am.memory_mb",
        "jobs.am.vcores",
        "jobs.slowstart",
        "jobs.iterations",
        *SUBMITTED,
        *TASKS,
        *SHUFFLE,
    }
)


def jobs_text(scenario: Scenario, notes: Notes) -> Iterator[str]:
    """The jobs file, a line a job."""
    notes.add(msg("output.sls_file.hadoop_s_sls_reads_no_sls"))
    notes.add(msg("output.sls_file.nodes_sls_has_them_in_file"))
    launch = mean_launch_ms(scenario)
    if launch:
        notes.add(msg("shared.launching_task_part_its_time_by"))
    for row in job_rows(scenario, notes):
        yield json.dumps(_job(row, launch, notes), ensure_ascii=False, separators=(",", ":")) + "\n"


def _job(row: JobRow, launch: int, notes: Notes) -> dict[str, Any]:
    job, count = row.job, notes.count
    count("job", msg("shared.have_no_master_sls_gives_each"), job.am is None)
    count(
        "job",
        msg("output.sls_file.ask_for_reduces_after_all_maps"),
        row.reduces.size > 0 and job.slowstart < 1,
    )
    count(
        "job",
        msg("output.sls_file.have_reduces_whose_shuffle_part_their"),
        row.reduces.size > 0 and row.fetch_ms > 0,
    )
    count("job", msg("shared.have_iterations_which_run_as_one"), job.iterations > 1)
    tasks = [*_tasks("map", row.maps.reshape(-1) + launch, row.map_stage)]
    if job.reduces and row.reduces.size:
        tasks += _tasks("reduce", row.reduces.reshape(-1) + launch + row.fetch_ms, job.reduces)
    return {
        "am.type": "mapreduce",
        "job.start.ms": row.arrival_ms,
        "job.queue.name": queue_name(row.queue),
        "job.id": row.name,
        "job.user": row.user,
        "am.memory-mb": job.am.memory_mb if job.am else MASTER_MB,
        "am.vcores": job.am.vcores if job.am else MASTER_VCORES,
        "job.tasks": tasks,
    }


def _tasks(kind: str, times: np.ndarray, stage: Stage) -> Iterator[dict[str, Any]]:
    for duration, number in run_lengths(times):
        yield {
            "container.type": kind,
            "container.start.ms": 0,
            "container.end.ms": duration,
            "container.priority": PRIORITIES[kind],
            "count": number,
            "container.memory-mb": stage.memory_mb,
            "container.vcores": stage.vcores,
        }


def queue_name(queue: str) -> str:
    """The queue without root, as both of Hadoop's schedulers know it."""
    inner = queue.removeprefix(f"{ROOT}.")
    return queue if inner == ROOT or inner.startswith(f"{ROOT}.") else inner


def nodes_text(scenario: Scenario, notes: Notes) -> Iterator[str]:
    """The nodes file, a line a rack, nodes in order of the file."""
    notes.add(msg("output.sls_file.all_but_nodes_sls_has_jobs"))
    racks: dict[str, list[dict[str, Any]]] = {}
    for rack, name, memory, vcores in nodes_of(scenario):
        racks.setdefault(rack, []).append({"node": name, "memory-mb": memory, "vcores": vcores})
    for rack, nodes in racks.items():
        yield json.dumps({"rack": rack, "nodes": nodes}, ensure_ascii=False, separators=(",", ":")) + "\n"


def nodes_of(scenario: Scenario) -> Iterator[tuple[str, str, int, int]]:
    """(rack, name, MB, vcores) of every node."""
    for number, group in enumerate(scenario.cluster.nodes, 1):
        stem = group.name or f"node{number}"
        for copy in range(1, group.count + 1):
            yield (
                group.rack or DEFAULT_RACK,
                stem if group.count == 1 else f"{stem}-{copy}",
                group.memory_mb,
                group.vcores,
            )


SLS_JOBS = WorkloadFormat(
    "sls",
    "sls-jobs.json",
    msg("output.sls_file.jobs_for_yarns_scheduler_load_simulator"),
    SUPPORTED,
    jobs_text,
)
SLS_NODES = WorkloadFormat(
    "sls-nodes",
    "sls-nodes.json",
    msg("output.sls_file.nodes_for_yarns_scheduler_load_simulator"),
    frozenset(
        {
            "scenario",
            "cluster",
            "queues",
            "users",
            "jobs",
            *(f"nodes.{key}" for key in ("name", "count", "memory_mb", "vcores", "rack")),
        }
    ),
    nodes_text,
    has_applications=True,
)
