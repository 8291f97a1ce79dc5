"""Runs as Batsim 4 writes its results (https://batsim.readthedocs.io, Outputs) and Evalys reads them:
`_jobs.csv`, `_schedule.csv`, and the containers as further jobs.

A resource is a vcore, numbered node by node. A container holds its vcores from its start to its end, of those
of its node the lowest that are free; a node that ran more at once than it has (memory alone was counted) has
so many more. A job has held every vcore that one of its containers held. Times in s; the mean and the largest
are over the jobs that ended, as Batsim's are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from engine.codes import FAILED, FINISHED, KINDS, NONE, TAKEN, requests_of
from engine.messages import msg
from engine.output.result_format import csv_text
from engine.scenario.formats.unique_names import UniqueNames
from engine.simulation.run import Run
from engine.version import VERSION

JOB_COLUMNS = (
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,"
    "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
    "allocated_resources,consumed_energy,metadata\n"
)
SUCCESS, FAILURE, KILL, REJECTED = (
    "COMPLETED_SUCCESSFULLY",
    "COMPLETED_FAILED",
    "COMPLETED_KILLED",
    "REJECTED",
)
STATES = {FINISHED: SUCCESS, FAILED: FAILURE}
NOTES = (
    msg("output.batsim_results.job_holds_all_its_vcores"),
    msg("output.batsim_results.containers_are_jobs_of_their_own"),
    msg("output.batsim_results.memory_and_requests_not_told"),
    msg("output.batsim_results.energy_switches_and_lost_nodes"),
    msg("output.batsim_results.still_running_left_out"),
)
UNPRINTABLE = re.compile(r"[^A-Za-z0-9.+-]+")


class Places(NamedTuple):
    """held: the numbers of the vcores that each container holds; total: of all vcores."""

    held: list[list[int]]
    total: int


def batsim_files(runs: Iterable[Run]) -> dict[str, Iterator[str]]:
    """File name -> its text: three files a run, named by its scheduler, and notes of what they don't say."""
    names, files = UniqueNames(), {"notes.txt": iter([f"{note}\n" for note in NOTES])}
    for run in runs:
        stem = names.claim(UNPRINTABLE.sub("-", run.scheduler).strip("-")[:100])
        places = vcore_places(run)
        files[f"{stem}_jobs.csv"] = _jobs(run, places)
        files[f"{stem}_schedule.csv"] = _schedule(run, places)
        files[f"{stem}_containers.csv"] = _containers(run, places)
    return files


def vcore_places(run: Run) -> Places:
    """Which vcores each container holds. Cost: the vcores of all containers, each by the log of a node's."""
    c, sizes = run.containers, run.workload.node_vcores.tolist()
    free = [list(range(size)) for size in sizes]
    busy: list[list[tuple[int, list[int]]]] = [[] for _ in sizes]
    held: list[list[int]] = []
    ends = np.where(c.end == NONE, run.at_ms + 1, c.end).tolist()
    for node, start, end, vcores in zip(c.node.tolist(), c.start.tolist(), ends, _vcores(run), strict=True):
        while busy[node] and busy[node][0][0] <= start:
            for place in heappop(busy[node])[1]:
                heappush(free[node], place)
        while len(free[node]) < vcores:
            heappush(free[node], sizes[node])
            sizes[node] += 1
        held.append([heappop(free[node]) for _ in range(vcores)])
        heappush(busy[node], (end, held[-1]))
    first = np.cumsum([0, *sizes]).tolist()
    numbered = [
        [first[node] + place for place in places] for node, places in zip(c.node.tolist(), held, strict=True)
    ]
    return Places(numbered, first[-1])


def _vcores(run: Run) -> list[int]:
    c = run.containers
    return run.workload.request_vcores[requests_of(run.workload, c)].tolist()


def _jobs(run: Run, places: Places) -> Iterator[str]:
    names, jobs = run.workload.job_names, run.jobs
    held: list[set[int]] = [set() for _ in names]
    for job, own in zip(run.containers.job.tolist(), places.held, strict=True):
        held[job].update(own)
    yield JOB_COLUMNS
    for job, name in enumerate(names):
        arrival, start, finish = (int(times[job]) for times in (jobs.arrival, jobs.start, jobs.finish))
        if jobs.refused[job] != TAKEN:
            yield f"{csv_text(name)},jobs,job,{arrival / 1000},0,,0,{REJECTED},,,,,,,,,\n"
        elif finish != NONE:
            state = FAILURE if jobs.failed[job] else SUCCESS
            yield _row(name, "jobs", "job", (arrival, start, finish), held[job], state)


def _containers(run: Run, places: Places) -> Iterator[str]:
    c, names = run.containers, run.workload.job_names
    rows = zip(*(column.tolist() for column in c), strict=True)
    yield JOB_COLUMNS
    for own, row in zip(places.held, rows, strict=True):
        job, stage, kind, index, attempt, _, requested, start, _, end, outcome, _ = row
        if end != NONE:
            name = f"{KINDS[kind]}-{stage}-{index}-{attempt}"
            state = STATES.get(outcome, KILL)
            yield _row(name, names[job], KINDS[kind], (requested, start, end), own, state)


def _row(
    name: str, workload: str, profile: str, times: tuple[int, int, int], held: Iterable[int], state: str
) -> str:
    asked, start, end = times
    stretch = (end - asked) / (end - start) if end > start else ""
    places = sorted(held)
    spans = [(start - asked) / 1000, (end - asked) / 1000]
    seconds = [start / 1000, (end - start) / 1000, end / 1000, *spans, stretch]
    cells = [
        csv_text(name),
        csv_text(workload),
        profile,
        asked / 1000,
        len(places),
        "",
        int(state == SUCCESS),
    ]
    return ",".join(map(str, [*cells, state, *seconds, _intervals(places), "", ""])) + "\n"


def _intervals(places: Sequence[int]) -> str:
    """Numbers in order as Batsim's set of intervals, such as "0-3 7"."""
    parts: list[list[int]] = []
    for place in places:
        if parts and place == parts[-1][1] + 1:
            parts[-1][1] = place
        else:
            parts.append([place, place])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def _schedule(run: Run, places: Places) -> Iterator[str]:
    jobs = run.jobs
    ended = (jobs.finish != NONE) & (jobs.refused == TAKEN)
    arrival, start, finish = (times[ended] / 1000 for times in (jobs.arrival, jobs.start, jobs.finish))
    waiting, turnaround, lasted = start - arrival, finish - arrival, finish - start
    slowdown = turnaround[lasted > 0] / lasted[lasted > 0]
    c = run.containers
    ends = np.where(c.end == NONE, run.at_ms, c.end)
    computing = int(((ends - c.start) * _vcores(run)).sum()) / 1000
    success = int((ended & ~jobs.failed).sum())
    numbers = {
        "batsim_version": f"gantry-{VERSION}",
        "consumed_joules": "",
        "makespan": finish.max() if len(finish) else "",
        **_largest("slowdown", slowdown),
        **_largest("turnaround_time", turnaround),
        **_largest("waiting_time", waiting),
        "nb_computing_machines": places.total,
        "nb_grouped_switches": 0,
        "nb_jobs": len(ended),
        "nb_jobs_finished": int(ended.sum()),
        "nb_jobs_killed": 0,
        "nb_jobs_rejected": int((jobs.refused != TAKEN).sum()),
        "nb_jobs_success": success,
        "nb_machine_switches": 0,
        "scheduling_time": "",
        "simulation_time": "",
        "success_rate": success / len(ended),
        "time_computing": computing,
        "time_idle": places.total * run.until_ms / 1000 - computing,
        "time_sleeping": 0,
        "time_switching_off": 0,
        "time_switching_on": 0,
        "time_unavailable": "",
    }
    keys = sorted(numbers)
    yield ",".join(keys) + "\n"
    yield ",".join(str(numbers[key]) for key in keys) + "\n"


def _largest(what: str, values: np.ndarray) -> dict[str, float | str]:
    return {
        f"max_{what}": float(values.max()) if len(values) else "",
        f"mean_{what}": float(values.mean()) if len(values) else "",
    }
