"""The jobs of a scenario written out for other tools: copies one by one, by arrival, each task with the time
that its draw gives it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.messages import msg
from engine.scenario.formats.import_notes import Notes
from engine.scenario.model import Job, Scenario, Stage
from engine.simulation.durations import CONSTANT, VALUES, durations, law, mean_ms
from engine.simulation.workload import workload


@dataclass(frozen=True)
class JobRow:
    """One MapReduce job; group: its index into scenario.jobs; map_stage: its maps; maps, reduces: ms of each
    task, (iterations, tasks); fetch_ms: of a reduce that begins after all maps.
    """

    name: str
    user: str
    queue: str
    arrival_ms: int
    group: int
    job: Job
    map_stage: Stage
    maps: np.ndarray
    reduces: np.ndarray
    fetch_ms: int


def job_rows(scenario: Scenario, notes: Notes) -> Iterator[JobRow]:
    """All MapReduce jobs in order of arrival, for no format has applications of stages. Times are whole ms,
    at least 1, on a node of speed 1; launching stands in none.
    """
    work = workload(scenario)
    drawn = np.maximum(1, np.floor(durations(scenario, work) + 0.5)).astype(np.int64)
    if any(
        law(stage.duration_s)[0] not in (CONSTANT, VALUES)
        for job in scenario.jobs
        for stage in job.task_stages
    ):
        notes.add(msg("output.job_rows.random_times_those_seed_written", seed=scenario.seed))
    offset = 0
    latency = work.shuffle_latency_ms
    for number, group in enumerate(work.job_group.tolist()):
        job, iterations = scenario.jobs[group], int(work.job_iterations[number])
        notes.count("job", msg("output.job_rows.run_in_stages"), job.maps is None)
        if job.maps is None:
            offset += int(work.job_tasks[number])
            continue
        maps, reduces = int(work.job_maps[number]), int(work.job_reduces[number])
        task_ms = drawn[offset : offset + iterations * (maps + reduces)].reshape(iterations, maps + reduces)
        offset += task_ms.size
        fetch = math.floor(float(work.job_fetch_ms[number]) * maps + 0.5) + (latency if reduces else 0)
        yield JobRow(
            work.job_names[number],
            job.user,
            job.queue,
            int(work.job_arrival[number]),
            group,
            job,
            job.maps,
            task_ms[:, :maps],
            task_ms[:, maps:],
            fetch,
        )


def mean_launch_ms(scenario: Scenario) -> int:
    """The mean time from a container's start to its task's."""
    return round(mean_ms(scenario.cluster.launch_s))


def run_lengths(times: np.ndarray) -> Iterator[tuple[int, int]]:
    """(value, how many) of each run of equal values."""
    ends = np.append(np.flatnonzero(np.diff(times)) + 1, len(times)) if len(times) else np.zeros(0, np.int64)
    for begin, end in zip(np.append(0, ends[:-1]).tolist(), ends.tolist(), strict=False):
        yield int(times[begin]), end - begin
