"""Scenario -> what the kernel reads of its Spark applications."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.codes import INFINITE, SPARK
from engine.scenario.applications import (
    DEFAULT_POOL,
    DynamicAllocation,
    Executors,
    SchedulerPool,
    SparkSpeculation,
)
from engine.scenario.field_types import milliseconds
from engine.scenario.model import Job, Scenario
from engine.simulation.durations import CONSTANT, LAW_SIZE, law

if TYPE_CHECKING:
    from engine.simulation.workload import Workload

NO_LAUNCH = (float(CONSTANT), 0.0, 0.0)
NO_POOL = -1


def spark_arrays(scenario: Scenario, work: Workload) -> dict[str, np.ndarray]:
    """The arrays of Drivers that exist before a run; none where no job is an application of Spark."""
    arrays: dict[str, np.ndarray] = {}
    if not (work.job_framework == SPARK).any():
        return arrays
    rows = np.array([_driver(job) for job in scenario.jobs])[work.job_group]
    for column, (name, kind) in enumerate(DRIVER_COLUMNS.items()):
        arrays[name] = rows[:, column].astype(kind)
    laws = [law(job.executors.launch_s)[:LAW_SIZE] if job.executors else NO_LAUNCH for job in scenario.jobs]
    arrays["stage_block_base"] = _block_bases(scenario, work)
    arrays["executor_launch_law"] = np.array(laws, np.float64)[work.job_group].reshape(-1)
    return arrays | _pool_arrays(scenario, work) | _exclusion_arrays(scenario, work)


DRIVER_COLUMNS = {
    "first_target": np.int64,
    "needed_to_begin": np.float64,
    "registered_wait_ms": np.int64,
    "executor_slots": np.int64,
    "is_dynamic": np.int8,
    "min_executors": np.int64,
    "max_executors": np.int64,
    "executor_ratio": np.float64,
    "backlog_ms": np.int64,
    "sustained_backlog_ms": np.int64,
    "idle_ms": np.int64,
    "outputs_go": np.int8,
    "locality_wait_ms": np.int64,
    "speculation_interval_ms": np.int64,
    "speculation_quantile": np.float64,
    "speculation_multiplier": np.float64,
    "speculation_minimum_ms": np.int64,
}


def _block_bases(scenario: Scenario, work: Workload) -> np.ndarray:
    """Where the blocks of each stage's tasks begin, behind those of all maps; -1 of a stage that reads other
    stages' output.
    """
    bases: list[int] = []
    base = int(work.job_maps.sum())
    for group in work.job_group.tolist():
        job = scenario.jobs[group]
        for stage in job.stages:
            has_blocks = job.executors is not None and not stage.after
            bases.append(base if has_blocks else -1)
            base += stage.tasks if has_blocks else 0
    return np.array(bases, np.int64)


def _pool_arrays(scenario: Scenario, work: Workload) -> dict[str, np.ndarray]:
    """The arrays of Pools: those of all jobs, numbered job by job in the order of their names."""
    first_pool, stage_pool = [0], list[int]()
    pools: list[SchedulerPool] = []
    pools_of_group = [_pools(job) for job in scenario.jobs]
    for group in work.job_group.tolist():
        base, own = len(pools), pools_of_group[group]
        place = {pool.name: base + number for number, pool in enumerate(own)}
        for stage in scenario.jobs[group].stages:
            stage_pool.append(place[stage.pool or DEFAULT_POOL] if own else NO_POOL)
        pools += own
        first_pool.append(len(pools))
    return {
        "job_first_pool": np.array(first_pool, np.int64),
        "pool_weight": np.array([pool.weight for pool in pools], np.float64),
        "pool_minimum_share": np.array([pool.minimum_share for pool in pools], np.int64),
        "pool_is_fair": np.array([pool.mode == "fair" for pool in pools], np.int8),
        "stage_pool": np.array(stage_pool, np.int64),
    }


def _pools(job: Job) -> list[SchedulerPool]:
    """Of an application that has some, with the default one, in the order in which Java compares names."""
    pools = list(job.pools)
    if pools and all(pool.name != DEFAULT_POOL for pool in pools):
        pools.append(SchedulerPool(name=DEFAULT_POOL))
    return sorted(pools, key=lambda pool: pool.name.encode("utf-16-be"))


def _exclusion_arrays(scenario: Scenario, work: Workload) -> dict[str, np.ndarray]:
    """From when on executors get no task, for each group of jobs, and for each job where its group's are."""
    times = [job.executors.excluded_s if job.executors else [] for job in scenario.jobs]
    first = np.cumsum([0, *map(len, times)])
    return {
        "first_exclusion": first[work.job_group],
        "end_of_exclusions": first[work.job_group + 1],
        "exclusion_ms": np.array([milliseconds(time) for own in times for time in own], np.int64),
    }


def most_slots(scenario: Scenario) -> int:
    """Of any application's executors; 0 without an application."""
    return max((job.executors.tasks_at_once for job in scenario.jobs if job.executors), default=0)


def expected_executors(scenario: Scenario, work: Workload) -> int:
    """As many as all applications may have if none is lost: one a slot's task at most, and no more than all
    nodes hold.
    """
    total = 0
    for job in scenario.jobs:
        if job.executors:
            size = job.executors.container
            room = np.minimum(work.node_memory // size.memory_mb, work.node_vcores // size.vcores).sum()
            most = -(-job.task_count // job.executors.tasks_at_once)
            if job.executors.dynamic:
                most = min(most, job.executors.dynamic.maximum or most)
            else:
                most = job.executors.initial_count
            total += job.count * int(min(most, room))
    return total


def _driver(job: Job) -> tuple:
    executors = job.executors
    if executors is None:
        return (0,) * len(DRIVER_COLUMNS)
    first = executors.initial_count
    return (
        first,
        first * executors.registered_ratio,
        milliseconds(executors.registered_wait_s),
        executors.tasks_at_once,
        *_allocation(executors, executors.dynamic),
        milliseconds(executors.locality_wait_s),
        *_speculation(executors.speculation),
    )


def _speculation(given: SparkSpeculation | None) -> tuple:
    if given is None:
        return (0, 0.0, 0.0, 0)
    return (milliseconds(given.interval_s), given.quantile, given.multiplier, milliseconds(given.minimum_s))


def _allocation(executors: Executors, dynamic: DynamicAllocation | None) -> tuple:
    if dynamic is None:
        return (0, executors.initial_count, executors.initial_count, 1.0, 0, 0, 0, 1)
    backlog = milliseconds(dynamic.backlog_s)
    sustained = dynamic.sustained_backlog_s
    return (
        1,
        dynamic.minimum,
        INFINITE if dynamic.maximum is None else dynamic.maximum,
        dynamic.ratio,
        backlog,
        backlog if sustained is None else milliseconds(sustained),
        milliseconds(dynamic.idle_s),
        int(dynamic.shuffle_tracking),
    )
