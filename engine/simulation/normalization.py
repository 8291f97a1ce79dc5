"""Container sizes as a scheduler normalizes them (Hadoop: SchedulerUtils.getNormalizedResource,
ResourceCalculator.normalize; REQUEST-6).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.scenario.allocation import Allocation, ContainerSize
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler
from engine.simulation.workload import Workload

UNROUNDED = ContainerSize(memory_mb=1, vcores=1)  # where nothing is rounded


def normalize_requests(work: Workload, scenario: Scenario, chosen: Scheduler) -> Workload:
    """The workload with the sizes that the scheduler counts.

    FairScheduler raises what is less than the minimum and rounds up to the increment, the others round up to
    the minimum; nothing becomes larger than the maximum, the largest node, or under FairScheduler the queue's
    largest container. DefaultResourceCalculator counts one vcore.
    """
    allocation = scenario.cluster.allocation
    memory, vcores = work.request_memory, work.request_vcores
    if allocation:
        step = allocation.increment if chosen.is_fair_scheduler else allocation.minimum
        max_memory = np.full(len(memory), min(allocation.maximum.memory_mb, work.node_memory.max()))
        max_vcores = np.full(len(vcores), min(allocation.maximum.vcores, work.node_vcores.max()))
        if chosen.is_fair_scheduler:
            queue = work.job_queue[work.request_job]
            max_memory = np.minimum(max_memory, work.queues.container_memory[queue])
            max_vcores = np.minimum(max_vcores, work.queues.container_vcores[queue])
        memory = _rounded(memory, allocation.minimum.memory_mb, step.memory_mb, max_memory)
        vcores = _rounded(vcores, allocation.minimum.vcores, step.vcores, max_vcores)
    if chosen.normalizes_vcores_to_one:
        vcores = np.minimum(vcores, 1)
    return replace(work, request_memory=memory, request_vcores=vcores)


def _rounded(requested: np.ndarray, minimum: int, step: int, maximum: np.ndarray) -> np.ndarray:
    """Where nothing is asked for, as there is no such container, nothing is."""
    return np.where(requested > 0, np.minimum(-(-np.maximum(requested, minimum) // step) * step, maximum), 0)


def min_allocation(allocation: Allocation | None) -> ContainerSize:
    """The minimum allocation, to whose multiples CapacityScheduler rounds limits."""
    return allocation.minimum if allocation else UNROUNDED
