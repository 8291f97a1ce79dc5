"""Batsim's workload (https://batsim.readthedocs.io, Workload): jobs are rigid, so many resources for as long
as their profile says.

A resource is a vcore here, `nb_res` of them. A job takes as many as its widest stage can hold at once, and
its `delay` is how long its tasks take there: maps in order, each as soon as a place is free, then the reduces
with their shuffle, so many times as it has iterations. A job of equal maps alone, as one read from a log in
Standard Workload Format, is the same job here. Types of profiles are those of Batsim 4.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator

import numpy as np

from engine.messages import msg
from engine.output.workloads.job_rows import JobRow, job_rows, mean_launch_ms
from engine.output.workloads.sls_file import SUBMITTED
from engine.output.workloads.workload_format import WorkloadFormat
from engine.scenario.formats.import_notes import Notes
from engine.scenario.model import Scenario

SUPPORTED = frozenset(
    {
        "nodes.name",
        "nodes.count",
        "nodes.vcores",
        "jobs.maps.count",
        "jobs.maps.vcores",
        "jobs.maps.duration_s",
        "jobs.reduces.count",
        "jobs.reduces.vcores",
        "jobs.reduces.duration_s",
        "jobs.shuffle_mb_per_map",
        "cluster.shuffle_mb_s",
        "cluster.shuffle_latency_s",
        "cluster.launch_s",
        "jobs.iterations",
        *SUBMITTED,
    }
)


def batsim_text(scenario: Scenario, notes: Notes) -> Iterator[str]:
    """The workload as JSON, a line a job and a line a profile."""
    resources = sum(group.count * group.vcores for group in scenario.cluster.nodes)
    notes.add(msg("output.batsim_workload.which_node_has_which_vcore_resources", resources=resources))
    notes.add(msg("output.batsim_workload.batsim_calls_type_profiles_delayprofile_thes"))
    launch, delays = mean_launch_ms(scenario), set()
    if launch:
        notes.add(msg("shared.launching_task_part_its_time_by"))
    yield f'{{"nb_res":{resources},"jobs":['
    for number, row in enumerate(job_rows(scenario, notes), 1):
        width, delay = _rigid(row, launch, resources, notes)
        delays.add(delay)
        job = {
            "id": str(number),
            "subtime": row.arrival_ms / 1000,
            "res": width,
            "profile": f"delay{delay}",
            "name": row.name,
            "user": row.user,
        }
        yield f"{',' if number > 1 else ''}\n{json.dumps({**job, 'queue': row.queue}, ensure_ascii=False)}"
    yield '\n],"profiles":{'
    for number, delay in enumerate(sorted(delays)):
        yield msg(
            "output.batsim_workload.delay", ending="," if number else "", delay=delay, delay2=delay / 1000
        )
    yield "\n}}\n"


def _rigid(row: JobRow, launch: int, resources: int, notes: Notes) -> tuple[int, int]:
    """(resources, ms) of the job as a rigid one."""
    job = row.job
    stages = [(row.maps + launch, row.map_stage.vcores)] + (
        [(row.reduces + launch + row.fetch_ms, job.reduces.vcores)]
        if job.reduces and row.reduces.size
        else []
    )
    width = min(resources, max(times.shape[1] * vcores for times, vcores in stages))
    notes.count(
        "job",
        msg("output.batsim_workload.as_wide_as_their_widest_stage"),
        len(stages) > 1 or len(np.unique(row.maps)) > 1,
    )
    notes.count(
        "job",
        msg("output.batsim_workload.have_more_tasks_than_there_resources"),
        any(times.shape[1] * vcores > width for times, vcores in stages),
    )
    notes.count("job", msg("output.batsim_workload.ask_for_reduces_after_all_maps"), row.reduces.size > 0)
    spans = (
        _span(times[iteration], max(1, width // vcores))
        for iteration in range(job.iterations)
        for times, vcores in stages
    )
    return width, max(1, sum(spans))


def _span(times: np.ndarray, places: int) -> int:
    """Until the last of the tasks has ended, each begun in order as soon as one of so many places is free."""
    if not len(times):
        return 0
    if len(times) <= places:
        return int(times.max())
    if times.min() == times.max():
        return int(times[0]) * -(-len(times) // places)
    free = times[:places].tolist()
    heapq.heapify(free)
    for duration in times[places:].tolist():
        heapq.heapreplace(free, free[0] + duration)
    return max(free)


BATSIM = WorkloadFormat(
    "batsim",
    "batsim-workload.json",
    msg("output.batsim_workload.batsims_workload_each_job_rigid_with"),
    SUPPORTED,
    batsim_text,
)
