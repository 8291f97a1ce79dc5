"""Scenario -> Workload: groups and copies written out as flat arrays, jobs in job order."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.codes import EXECUTOR, FRAMEWORKS, INFINITE, NONE, TASK
from engine.resource_types import MEMORY, VCORES, amounts_of
from engine.run_records import Amounts
from engine.scenario.field_types import milliseconds
from engine.scenario.model import Job, NodeGroup, Scenario
from engine.simulation import durations
from engine.simulation.applications.seam import reduce_parts
from engine.simulation.queues import QueueTree, queue_tree

NUMBER = re.compile(r"[-_]?\d+$")


@dataclass(frozen=True)
class Workload:
    """The scenario as the kernel reads it. Nodes in file order; jobs by (arrival, place in the file, copy).

    Arrays over nodes: node_*; over jobs: job_*; over requests (schedulers/view.py): request_*.
    Memory in MB, times in ms.
    """

    node_names: list[str]
    node_racks: list[str]
    node_group: np.ndarray
    node_resource: Amounts
    node_speed: np.ndarray
    node_map_slots: np.ndarray
    node_reduce_slots: np.ndarray
    job_names: list[str]
    job_users: list[str]
    job_group: np.ndarray  # index into scenario.jobs
    job_copy: np.ndarray  # from 1
    job_arrival: np.ndarray
    job_queue: np.ndarray  # index into queues.names
    job_user: np.ndarray  # the first job of its user in its queue
    job_owner: np.ndarray  # the first job of its user in any queue
    owner_max_running_jobs: np.ndarray  # of that first job: its user's jobs that may run at a time
    job_weight: np.ndarray
    job_priority: np.ndarray
    job_min_resource: Amounts
    job_input: np.ndarray  # MB, -1 without
    job_estimate: np.ndarray  # -1 without
    job_framework: np.ndarray  # index into FRAMEWORKS
    job_tasks: np.ndarray  # of all iterations and stages
    job_maps: np.ndarray
    job_reduces: np.ndarray
    job_iterations: np.ndarray
    job_startup: np.ndarray  # mean by its distribution; NONE without an ApplicationMaster
    job_slowstart: np.ndarray
    job_fetch_ms: np.ndarray  # ms in which a reduce fetches one map's output
    shuffle_latency_ms: int
    job_family: np.ndarray  # the first job whose name is the same but for a number at its end
    job_map_mean: np.ndarray  # mean duration of a map by its distribution, ms
    job_reduce_mean: np.ndarray
    reduce_base: np.ndarray  # where a job's reduces begin in the next
    # what a reduce has beside an even part of the maps' output; empty where all jobs divide it evenly
    reduce_part: np.ndarray
    request_job: np.ndarray
    request_kind: np.ndarray
    job_first_request: np.ndarray  # and at the end, how many there are
    request_resource: Amounts  # as the scheduler counts them
    asked_resource: Amounts  # as the job asks for them
    queues: QueueTree

    @property
    def node_memory(self) -> np.ndarray:
        return self.node_resource[MEMORY]

    @property
    def node_vcores(self) -> np.ndarray:
        return self.node_resource[VCORES]

    @property
    def request_memory(self) -> np.ndarray:
        return self.request_resource[MEMORY]

    @property
    def request_vcores(self) -> np.ndarray:
        return self.request_resource[VCORES]


def workload(scenario: Scenario) -> Workload:
    """The arrays of a scenario. Cost: linear in nodes and jobs (not tasks)."""
    groups = scenario.cluster.nodes
    counts = [group.count for group in groups]
    node_group = np.repeat(np.arange(len(groups)), counts)
    group_of, copies, arrivals = _submissions(scenario)
    jobs = scenario.jobs
    tree = queue_tree(scenario)
    queue_index = {name: number for number, name in enumerate(tree.names)}
    groups_of_jobs = group_of.tolist()
    default_max_running = scenario.cluster.user_max_running_apps
    max_running_jobs = {
        user.name: user.max_running_apps for user in scenario.users if user.max_running_apps is not None
    }

    def per_node(value: Callable[[NodeGroup], float]) -> np.ndarray:
        return np.array([value(group) for group in groups])[node_group]

    def per_job(value: Callable[[Job], float], kind: type = np.int64) -> np.ndarray:
        return np.array([value(job) for job in jobs], kind)[group_of]

    users = [job.user for job in jobs]
    requests_of_group = [_requests(job) for job in jobs]
    count_of_group = np.array([len(requests) for requests in requests_of_group])
    first_request = np.concatenate([[0], np.cumsum(count_of_group[group_of])])
    request_job = np.repeat(np.arange(len(group_of)), count_of_group[group_of])
    request_place = np.arange(len(request_job)) - first_request[request_job]
    of_groups = amounts_of([part for requests in requests_of_group for part in requests])
    first_of_group = np.cumsum(count_of_group) - count_of_group
    asked = of_groups[:, first_of_group[group_of][request_job] + request_place]
    reduces = per_job(_reduce_count)
    work = Workload(
        node_names=_names([group.name for group in groups], counts, "node"),
        node_racks=[rack for group in groups for rack in [group.rack or ""] * group.count],
        node_group=node_group,
        node_resource=amounts_of(groups)[:, node_group],
        node_speed=per_node(lambda group: float(group.speed)),
        node_map_slots=per_node(lambda group: _limit(group.map_slots)),
        node_reduce_slots=per_node(lambda group: _limit(group.reduce_slots)),
        job_names=_job_names(scenario, groups_of_jobs, copies.tolist()),
        job_users=[users[group] for group in groups_of_jobs],
        job_group=group_of,
        job_copy=copies,
        job_arrival=arrivals,
        job_queue=per_job(lambda job: queue_index[job.queue]),
        job_user=_first_with_same([(job.queue, job.user) for job in jobs], group_of),
        job_owner=_first_with_same(users, group_of),
        owner_max_running_jobs=per_job(
            lambda job: _limit(max_running_jobs.get(job.user, default_max_running))
        ),
        job_weight=per_job(lambda job: job.weight, np.float64),
        job_priority=per_job(lambda job: job.priority),
        job_min_resource=amounts_of([job.min_share for job in jobs])[:, group_of],
        job_input=per_job(lambda job: -1.0 if job.input_mb is None else job.input_mb, np.float64),
        job_estimate=per_job(lambda job: -1 if job.estimate_s is None else milliseconds(job.estimate_s)),
        job_framework=per_job(lambda job: FRAMEWORKS.index(job.framework)),
        job_tasks=per_job(lambda job: job.task_count),
        job_maps=per_job(_map_count),
        job_reduces=reduces,
        job_iterations=per_job(lambda job: job.iterations),
        job_startup=per_job(_startup_ms),
        job_slowstart=per_job(lambda job: job.slowstart, np.float64),
        job_fetch_ms=per_job(lambda job: _fetch_ms(job, scenario.cluster.shuffle_mb_s), np.float64),
        shuffle_latency_ms=milliseconds(scenario.cluster.shuffle_latency_s),
        job_family=_first_with_same(_families(scenario), group_of),
        job_map_mean=per_job(_map_mean_ms, np.float64),
        job_reduce_mean=per_job(_reduce_mean_ms, np.float64),
        reduce_base=np.cumsum(reduces) - reduces,
        reduce_part=np.zeros(0),
        request_job=request_job,
        request_kind=np.minimum(request_place, np.where(per_job(_holds, bool), EXECUTOR, TASK)[request_job]),
        job_first_request=first_request,
        request_resource=asked,
        asked_resource=asked,
        queues=tree,
    )
    return replace(work, reduce_part=reduce_parts(scenario, work))


def node_slots(work: Workload) -> np.ndarray:
    """int64, nodes x kinds: containers that a node may run at a time; only maps and reduces are limited."""
    unlimited = np.full(len(work.node_memory), INFINITE)
    return np.stack([unlimited, work.node_reduce_slots, work.node_map_slots, unlimited, unlimited], axis=1)


def group_name(scenario: Scenario, group: int) -> str:
    """The name of a job group before its copies are numbered."""
    return scenario.jobs[group].name or f"job{group + 1}"


def _submissions(scenario: Scenario) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group, copy and arrival in ms of each job, in job order."""
    counts = [job.count for job in scenario.jobs]
    groups = np.repeat(np.arange(len(counts)), counts)
    copies = np.concatenate([np.arange(1, count + 1) for count in counts])
    arrivals = np.concatenate(
        [
            np.cumsum(np.array([milliseconds(job.arrival_s), *_gaps(scenario, group)]))
            for group, job in enumerate(scenario.jobs)
        ]
    )
    order = np.argsort(arrivals, kind="stable")
    return groups[order], copies[order], arrivals[order]


def _gaps(scenario: Scenario, group: int) -> list[int]:
    job = scenario.jobs[group]
    return (
        durations.intervals(job.interval_s, scenario.seed, group_name(scenario, group), job.count)
        if job.count > 1
        else []
    )


def _job_names(scenario: Scenario, groups: list[int], copies: list[int]) -> list[str]:
    names = [group_name(scenario, group) for group in range(len(scenario.jobs))]
    return [
        names[group] if scenario.jobs[group].count == 1 else f"{names[group]}-{copy}"
        for group, copy in zip(groups, copies, strict=True)
    ]


def _families(scenario: Scenario) -> list[str]:
    """What is alike of a group and others: wc-1, wc-2 and wc_3 are runs of one job, as copies and nightly
    jobs are named.
    """
    names = [group_name(scenario, group) for group in range(len(scenario.jobs))]
    return [
        name if job.count > 1 else NUMBER.sub("", name) or name
        for name, job in zip(names, scenario.jobs, strict=True)
    ]


def _first_with_same(values: list, group_of: np.ndarray) -> np.ndarray:
    """For each job the first job whose group has the same value."""
    numbers: dict = {}
    number = np.array([numbers.setdefault(value, len(numbers)) for value in values])[group_of]
    first = np.zeros(len(numbers), np.int64)
    first[number[::-1]] = np.arange(len(number))[::-1]
    return first[number]


def _names(names: list[str | None], counts: list[int], word: str) -> list[str]:
    numbered = []
    for number, (name, count) in enumerate(zip(names, counts, strict=True), start=1):
        stem = name or f"{word}{number}"
        numbered += [stem] if count == 1 else [f"{stem}-{copy}" for copy in range(1, count + 1)]
    return numbered


def _requests(job: Job) -> list:
    """What a job may ask for, by kind, tasks by stage; None stands for a kind that it has none of."""
    if job.executors:
        return [job.am, None, None, job.executors.container]
    if job.held_containers:
        return [job.am, None, None, *(stage.container for stage in job.stages)]
    if job.stages:
        return [job.am, None, None, None, *(stage.container for stage in job.stages)]
    return [job.am, _reduces(job), job.maps]


def _holds(job: Job) -> bool:
    """Do its containers run several tasks?"""
    return job.executors is not None or job.held_containers is not None


def _reduces(job: Job):
    return job.reduces if job.reduces and job.reduces.count else None


def _reduce_count(job: Job) -> int:
    reduces = _reduces(job)
    return reduces.count if reduces else 0


def _map_count(job: Job) -> int:
    return job.maps.count if job.maps else 0


def _map_mean_ms(job: Job) -> float:
    return durations.mean_ms(job.maps.duration_s) if job.maps else 0.0


def _reduce_mean_ms(job: Job) -> float:
    reduces = _reduces(job)
    return durations.mean_ms(reduces.duration_s) if reduces else 0.0


def _startup_ms(job: Job) -> int:
    return math.floor(durations.mean_ms(job.am.startup_s) + 0.5) if job.am else NONE


def _limit(limit: int | None) -> int:
    return INFINITE if limit is None else limit


def _fetch_ms(job: Job, shuffle_mb_s: float) -> float:
    reduces = _reduces(job)
    return 1000.0 * job.shuffle_mb_per_map / reduces.count / shuffle_mb_s if reduces else 0.0
