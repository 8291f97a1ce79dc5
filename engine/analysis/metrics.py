"""What is measured of a run: pure functions of a Run; `METRICS` says what each number of `summary` means.

Sums are exact integers and means are divided once, so the same run gives the same bytes on every machine.
Times are seconds, memory is MB. None stands where a deadlock leaves nothing to measure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.analysis.shuffles import fetch_ms
from engine.analysis.stage_times import longest_path_ms, stage_values
from engine.codes import (
    EXECUTOR,
    FAILED,
    FINISHED,
    INFINITE,
    KILLED,
    LOST,
    MAP,
    MASTER,
    NONE,
    REDUCE,
    TAKEN,
    WASTED,
    requests_of,
)
from engine.messages import msg
from engine.scenario.field_types import milliseconds
from engine.simulation.physics_arrays import registered_ms
from engine.simulation.run import Run


class Metric(NamedTuple):
    """One number of `summary`. better: "smaller", "larger", or None where neither tells a better run; unit:
    "s", "share", "x" or a plural noun.
    """

    key: str
    title: str
    unit: str
    better: str | None
    formula: str

    @property
    def compared(self) -> bool:
        """Is it offered for curves, goals and intervals? Utilization is, though waiting reduces count in it;
        a plain count is not.
        """
        return self.better is not None or self.unit == "share"


METRICS = (
    Metric(
        "makespan_s", "Makespan", "s", "smaller", msg("analysis.metrics.last_finish_job_minus_first_arrival")
    ),
    Metric(
        "mean_wait_s",
        msg("analysis.metrics.mean_wait"),
        "s",
        "smaller",
        msg("analysis.metrics.start_jobs_first_container_minus_its"),
    ),
    Metric(
        "mean_turnaround_s",
        msg("shared.mean_turnaround"),
        "s",
        "smaller",
        msg("analysis.metrics.finish_job_minus_its_arrival_mean"),
    ),
    Metric(
        "memory_utilization",
        msg("analysis.metrics.memory_utilization"),
        "share",
        None,
        msg("analysis.metrics.memory_seconds_held_by_containers_memory"),
    ),
    Metric(
        "vcore_utilization",
        msg("analysis.metrics.vcore_utilization"),
        "share",
        None,
        msg("analysis.metrics.vcore_seconds_held_by_containers_vcores"),
    ),
    Metric(
        "containers",
        "Containers",
        "containers",
        None,
        msg("analysis.metrics.containers_started_killed_failed_and_lost"),
    ),
    Metric(
        "max_wait_s",
        msg("analysis.metrics.longest_wait"),
        "s",
        "smaller",
        msg("analysis.metrics.start_jobs_first_container_minus_its_2"),
    ),
    Metric(
        "p95_turnaround_s",
        msg("shared.th_percentile_turnaround"),
        "s",
        "smaller",
        msg("analysis.metrics.turnaround_jobs_do_not_exceed_without"),
    ),
    Metric(
        "max_turnaround_s",
        msg("analysis.metrics.longest_turnaround"),
        "s",
        "smaller",
        msg("analysis.metrics.finish_job_minus_its_arrival_largest"),
    ),
    Metric(
        "mean_slowdown",
        msg("analysis.metrics.mean_slowdown"),
        "x",
        "smaller",
        msg("analysis.metrics.turnaround_critical_path_startup_longest_map"),
    ),
    Metric(
        "max_slowdown",
        msg("analysis.metrics.largest_slowdown"),
        "x",
        "smaller",
        msg("analysis.metrics.turnaround_critical_path_job_largest_over"),
    ),
    Metric(
        "fairness",
        msg("analysis.metrics.fairness_jains_index"),
        "share",
        "larger",
        msg("analysis.metrics.sum_x_jobs_x_sum_x"),
    ),
    Metric(
        "failed_jobs",
        msg("analysis.metrics.failed_jobs"),
        "jobs",
        "smaller",
        msg("analysis.metrics.jobs_which_task_has_failed_too"),
    ),
    Metric(
        "refused_jobs",
        msg("analysis.metrics.refused_jobs"),
        "jobs",
        "smaller",
        msg("analysis.metrics.jobs_refused_when_they_arrive"),
    ),
    Metric(
        "failed_containers",
        msg("analysis.metrics.failed_containers"),
        "containers",
        "smaller",
        msg("analysis.metrics.attempts_failed"),
    ),
    Metric(
        "lost_containers",
        msg("analysis.metrics.lost_containers"),
        "containers",
        "smaller",
        msg("analysis.metrics.attempts_were_lost_with_their_node"),
    ),
    Metric(
        "wasted_container_s",
        msg("analysis.metrics.wasted_container_seconds"),
        "s",
        "smaller",
        msg("analysis.metrics.seconds_killed_failed_and_lost_containers"),
    ),
    Metric(
        "killed_containers",
        msg("analysis.metrics.killed_containers"),
        "containers",
        "smaller",
        msg("analysis.metrics.reduces_killed_to_let_map_run"),
    ),
    Metric(
        "killed_container_s",
        msg("analysis.metrics.killed_container_seconds"),
        "s",
        "smaller",
        msg("analysis.metrics.seconds_killed_containers_ran_added_up"),
    ),
)


UNDONE = ("failed_jobs", "refused_jobs")  # metrics that count what a run gave up


def undone_jobs(metrics: Mapping[str, Any]) -> int:
    """Jobs that failed or were refused; what a link of an older version stored knows of no refused ones."""
    return sum(metrics.get(key) or 0 for key in UNDONE)


def contenders(
    summaries: Sequence[Mapping[str, Any]], places: Iterable[int] | None = None, metric: str = ""
) -> set[int]:
    """The places, of those given or of all, of the runs that a metric may call the best, by their summaries:
    those that finished and gave up as few jobs as any of them, for a run is no better for work that it left
    undone. Metrics of UNDONE compare all that finished.
    """
    finished = {
        place
        for place in (range(len(summaries)) if places is None else places)
        if summaries[place].get("makespan_s") is not None
    }
    if metric in UNDONE:
        return finished
    undone = {place: undone_jobs(summaries[place]) for place in finished}
    return {place for place in finished if undone[place] == min(undone.values())}


def summary(run: Run) -> dict[str, Any]:
    """Every metric of METRICS by key, in its order: the contract's six first.

    In a deadlock whatever needs the finish of every job is None, and utilization runs to `at_ms`. So is what
    needs a job that did not fail, where all did. A refused job counts among refused_jobs alone.
    """
    waits, turnarounds = wait_ms(run), turnaround_ms(run)
    started, turnarounds = waits[waits != NONE], turnarounds[turnarounds != NONE]
    finished = run.status == "finished"
    measured = finished and len(turnarounds) > 0
    slow = slowdown(run)[turnaround_ms(run) != NONE] if measured else None
    memory, vcores = utilization(run)
    outcome, held = run.containers.outcome, held_ms(run)
    killed = outcome == KILLED
    return {
        "makespan_s": makespan_ms(run) / 1000 if finished else None,
        "mean_wait_s": _mean_s(started),
        "mean_turnaround_s": _mean_s(turnarounds) if measured else None,
        "memory_utilization": memory,
        "vcore_utilization": vcores,
        "containers": len(run.containers.job),
        "max_wait_s": int(started.max()) / 1000 if len(started) else None,
        "p95_turnaround_s": percentile(turnarounds, 95) / 1000 if measured else None,
        "max_turnaround_s": int(turnarounds.max()) / 1000 if measured else None,
        "mean_slowdown": math.fsum(slow) / len(slow) if slow is not None else None,
        "max_slowdown": float(slow.max()) if slow is not None else None,
        "fairness": jain((1.0 / slow).tolist()) if slow is not None else None,
        "failed_jobs": int(run.jobs.failed.sum()),
        "refused_jobs": int((run.jobs.refused != TAKEN).sum()),
        "failed_containers": int((outcome == FAILED).sum()),
        "lost_containers": int((outcome == LOST).sum()),
        "wasted_container_s": int(held[np.isin(outcome, WASTED)].sum()) / 1000,
        "killed_containers": int(killed.sum()),
        "killed_container_s": int(held_ms(run)[killed].sum()) / 1000,
    }


def makespan_ms(run: Run) -> int:
    """Last finish - first arrival of jobs that were not refused (Pinedo, Scheduling, 2.1: C_max, from the
    first release).
    """
    return run.until_ms - run.first_ms


def wait_ms(run: Run) -> np.ndarray:
    """int64[jobs]: start of the first container - arrival; NONE for a job that never started."""
    return np.where(run.jobs.start == NONE, NONE, run.jobs.start - run.jobs.arrival)


def turnaround_ms(run: Run) -> np.ndarray:
    """int64[jobs]: finish - arrival (Pinedo 2.1: the flow time, C_j - r_j); NONE for a job that never
    finished, has failed or was refused.
    """
    return np.where(
        (run.jobs.finish == NONE) | run.jobs.failed.astype(bool), NONE, run.jobs.finish - run.jobs.arrival
    )


def held_ms(run: Run) -> np.ndarray:
    """int64[containers]: end - start; one that outlives the run counts to its end."""
    end = run.containers.end
    return np.where(end == NONE, run.until_ms, np.minimum(end, run.until_ms)) - run.containers.start


def utilization(run: Run) -> tuple[float, float]:
    """Shares of memory and vcores: resource-seconds held from start to end / (capacity x makespan), as the
    contract says; the capacity of a node counts from when it is there for the first time.

    The share of vcores can exceed 1 under resources=memory, which hands out more vcores than there are.
    """
    work = run.workload
    registered = np.clip(registered_ms(run.scenario.cluster, work), run.first_ms, run.until_ms)
    present = run.until_ms - registered
    held = _by_request(run)
    shares = []
    for requested, capacity in (
        (work.request_memory, work.node_memory),
        (work.request_vcores, work.node_vcores),
    ):
        capacity_ms = exact_dot(capacity, present)
        shares.append(exact_dot(requested, held) / capacity_ms if capacity_ms else 0.0)
    return shares[0], shares[1]


def critical_path_ms(run: Run) -> np.ndarray:
    """int64[jobs]: the time a job's own dependencies take, its containers running as long as they did.

    Startup of its master + over its iterations (longest map + longest of fetching the last map's output, the
    shuffle's latency and computing), of an application the longest way through its stages: no schedule of
    these tasks is shorter (Graham 1969: the longest chain bounds the makespan). Of an unfinished job: of what
    has finished.
    """
    c, work = run.containers, run.workload
    jobs = len(work.job_names)
    reached = np.zeros(jobs, np.int64)
    np.maximum.at(reached, c.job, c.stage)
    first = np.concatenate([[0], np.cumsum(reached)])
    done = c.outcome == FINISHED
    longest = np.zeros((2, first[-1] + 1), np.int64)
    maps, reduces = (np.flatnonzero(done & (c.kind == kind)) for kind in (MAP, REDUCE))
    fetch = np.ceil(fetch_ms(run, reduces) - 1e-6).astype(np.int64) + work.shuffle_latency_ms
    for row, chosen, lasts in (
        (0, maps, (c.end - c.start)[maps]),
        (1, reduces, fetch + (c.end - c.shuffle_end)[reduces]),
    ):
        np.maximum.at(longest[row], first[c.job[chosen]] + c.stage[chosen] - 1, lasts)
    total = np.concatenate([[0], np.cumsum(longest.sum(axis=0))])
    return startup_ms(run) + total[first[1:]] - total[first[:-1]] + longest_path_ms(run)


def startup_ms(run: Run) -> np.ndarray:
    """int64[jobs]: start-up of each job's master, 0 without one: where it is drawn what this run drew, its
    mean for a job that never asked for a task's container or executors.
    """
    c, work = run.containers, run.workload
    startup = np.where(work.job_startup == NONE, 0, work.job_startup)
    drawn = np.array(
        [job.am is not None and not isinstance(job.am.startup_s, (int, float)) for job in run.scenario.jobs]
    )[work.job_group]
    if drawn.any():
        first_asked = np.full(len(startup), INFINITE)
        tasks = np.flatnonzero((c.kind == MAP) & (c.stage == 1))
        np.minimum.at(first_asked, c.job[tasks], c.requested[tasks])
        tasks = np.flatnonzero(c.kind >= EXECUTOR)
        starts = lambda job: [milliseconds(stage.start_s) for stage in job.stages]
        delay = stage_values(run, c.job[tasks], c.stage[tasks], starts)
        np.minimum.at(first_asked, c.job[tasks], c.requested[tasks] - delay)
        start = np.full(len(startup), NONE)
        masters = np.flatnonzero((c.kind == MASTER) & (c.start <= first_asked[c.job]))
        np.maximum.at(start, c.job[masters], c.start[masters])
        is_measured = drawn & (first_asked < INFINITE)
        startup[is_measured] = (first_asked - start)[is_measured]
    return startup


def slowdown(run: Run) -> np.ndarray:
    """float64[jobs]: turnaround / critical path, 1 at least; NaN for a job without turnaround.

    Feitelson, Rudolph et al. 1997 (Theory and Practice in Parallel Job Scheduling): response time over the
    time on a dedicated system; Bender et al. 1998 call it stretch. Ours: the critical path stands for the
    dedicated system, for it depends on no scheduler.
    """
    turnaround = turnaround_ms(run)
    return np.divide(
        turnaround, critical_path_ms(run), out=np.full(len(turnaround), np.nan), where=turnaround != NONE
    )


def jain(amounts: Sequence[float]) -> float:
    """Jain, Chiu, Hawe 1984 (DEC-TR-301): (sum x)^2 / (n sum x^2); 1: all get the same, k/n: k of n get the
    same and the others nothing.
    """
    squares = math.fsum(x * x for x in amounts)
    return math.fsum(amounts) ** 2 / (len(amounts) * squares)


def percentile(values: np.ndarray, percent: int) -> int:
    """The smallest value that at least `percent` % don't exceed: nearest rank, definition 1 of Hyndman and
    Fan 1996. values: not empty.
    """
    rank = -(-percent * len(values) // 100)
    return int(np.partition(values, rank - 1)[rank - 1])


def per_user(run: Run) -> list[dict[str, Any]]:
    """One row a user, by name: user, jobs, finished, failed, refused, containers, mean_wait_s,
    mean_turnaround_s, mean_slowdown, and what they held.
    """
    return _per_group(run, "user", run.workload.job_users)


def per_queue(run: Run) -> list[dict[str, Any]]:
    """One row a leaf queue that has jobs, by name; columns as in `per_user`, the first is queue."""
    names = run.workload.queues.names
    return _per_group(run, "queue", [names[queue] for queue in run.workload.job_queue.tolist()])


def exact_dot(a: np.ndarray, b: np.ndarray) -> int:
    """Sum of a x b, exactly, of two int64 arrays of one length without negative entries."""
    if not len(a):
        return 0
    if float(a.max()) * float(b.sum(dtype=np.float64)) < 2.0**62:
        return int(a @ b)
    return sum(x * y for x, y in zip(a.tolist(), b.tolist()))


def _by_request(run: Run) -> np.ndarray:
    """int64[requests]: ms held by the containers of each."""
    held = np.zeros(len(run.workload.request_job), np.int64)
    np.add.at(held, requests_of(run.workload, run.containers), held_ms(run))
    return held


def _mean_s(ms: np.ndarray) -> float | None:
    return int(ms.sum()) / (1000 * len(ms)) if len(ms) else None


def _split(group: np.ndarray, groups: int) -> list[np.ndarray]:
    """Of each group, where its members stand."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.searchsorted(group[order], np.arange(1, groups)))


def _per_group(run: Run, label: str, of_job: list[str]) -> list[dict[str, Any]]:
    """One row a distinct name in `of_job`."""
    names = sorted(set(of_job))
    index_of = {name: number for number, name in enumerate(names)}
    group = np.array([index_of[name] for name in of_job])
    c, work = run.containers, run.workload
    waits, turnarounds, slow = wait_ms(run), turnaround_ms(run), slowdown(run)
    of_container = group[c.job]
    killed = c.outcome == KILLED
    containers = np.bincount(of_container, minlength=len(names)).tolist()
    killed_ms = np.zeros(len(names), np.int64)
    np.add.at(killed_ms, of_container[killed], held_ms(run)[killed])
    held = _by_request(run)
    rows = []
    for number, (members, requests) in enumerate(
        zip(_split(group, len(names)), _split(group[work.request_job], len(names)))
    ):
        started = waits[members][waits[members] != NONE]
        done = members[turnarounds[members] != NONE]
        failed = int(run.jobs.failed[members].sum())
        refused = int((run.jobs.refused[members] != TAKEN).sum())
        is_complete = len(done) + failed + refused == len(members) and len(done) > 0
        memory, vcores = (
            exact_dot(size[requests], held[requests]) / 1000
            for size in (work.request_memory, work.request_vcores)
        )
        rows.append(
            {
                label: names[number],
                "jobs": len(members),
                "finished": len(done),
                "failed": failed,
                "refused": refused,
                "containers": containers[number],
                "mean_wait_s": _mean_s(started),
                "mean_turnaround_s": _mean_s(turnarounds[done]) if is_complete else None,
                "mean_slowdown": math.fsum(slow[done]) / len(done) if is_complete else None,
                "memory_mb_s": memory,
                "vcore_s": vcores,
                "killed_container_s": int(killed_ms[number]) / 1000,
            }
        )
    return rows
