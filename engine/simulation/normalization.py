"""What a scheduler makes of the sizes that were asked for (Hadoop: SchedulerUtils.getNormalizedResource, ResourceCalculator.normalize)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.scenario.allocation import Allocation, ContainerSize
from engine.scenario.model import Scenario
from engine.schedulers.names import Scheduler
from engine.schedulers.view import PER_JOB
from engine.simulation.workload import Workload

LEAST = ContainerSize(memory_mb=1, vcores=1)  # where nothing is rounded


def as_booked(work: Workload, scenario: Scenario, chosen: Scheduler) -> Workload:
    """The workload with the sizes that the scheduler counts.

    FairScheduler raises what is less than the minimum and rounds up to the increment, the others round up to the minimum; nothing becomes larger than
    the maximum, the largest node, or under FairScheduler the queue's largest container. DefaultResourceCalculator counts one vcore.
    """
    allocation = scenario.cluster.allocation
    memory, vcores = work.request_memory, work.request_vcores
    if allocation:
        step = allocation.increment if chosen.is_fair_scheduler else allocation.minimum
        most_memory = np.full(len(memory), min(allocation.maximum.memory_mb, work.node_memory.max()))
        most_vcores = np.full(len(vcores), min(allocation.maximum.vcores, work.node_vcores.max()))
        if chosen.is_fair_scheduler:
            queue = np.repeat(work.job_queue, PER_JOB)
            most_memory = np.minimum(most_memory, work.queues.container_memory[queue])
            most_vcores = np.minimum(most_vcores, work.queues.container_vcores[queue])
        memory = _rounded(memory, allocation.minimum.memory_mb, step.memory_mb, most_memory)
        vcores = _rounded(vcores, allocation.minimum.vcores, step.vcores, most_vcores)
    if chosen.books_one_vcore:
        vcores = np.minimum(vcores, 1)
    return replace(work, request_memory=memory, request_vcores=vcores)


def _rounded(asked: np.ndarray, least: int, step: int, most: np.ndarray) -> np.ndarray:
    """Where nothing is asked for, as there is no such container, nothing is."""
    return np.where(asked > 0, np.minimum(-(-np.maximum(asked, least) // step) * step, most), 0)


def least_of(allocation: Allocation | None) -> ContainerSize:
    """The least that CapacityScheduler ever gives, to whose multiples it rounds limits."""
    return allocation.minimum if allocation else LEAST
