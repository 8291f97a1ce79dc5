"""Container sizes as a scheduler normalizes them (Hadoop: SchedulerUtils.getNormalizedResource,
ResourceCalculator.normalize; REQUEST-6).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.codes import INFINITE
from engine.resource_types import VCORES, amounts_of
from engine.run_records import Amounts
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
    requested = work.request_resource
    if allocation:
        minimum, increment = amounts_of([allocation.minimum], 1), amounts_of([allocation.increment], 1)
        maximum = amounts_of([allocation.maximum], INFINITE)
        maximum = np.minimum(maximum, work.node_resource.max(axis=1, keepdims=True))
        if chosen.is_fair_scheduler:
            maximum = np.minimum(maximum, work.queues.container_resource[:, work.job_queue[work.request_job]])
        requested = _rounded(requested, minimum, increment if chosen.is_fair_scheduler else minimum, maximum)
    if chosen.normalizes_vcores_to_one:
        requested = requested.copy()
        requested[VCORES] = np.minimum(requested[VCORES], 1)
    return replace(work, request_resource=requested)


def _rounded(requested: Amounts, minimum: Amounts, step: Amounts, maximum: Amounts) -> Amounts:
    """Where nothing is asked for, as there is no such container, nothing is."""
    return np.where(requested > 0, np.minimum(-(-np.maximum(requested, minimum) // step) * step, maximum), 0)


def min_allocation(allocation: Allocation | None) -> ContainerSize:
    """The minimum allocation, to whose multiples CapacityScheduler rounds limits."""
    return allocation.minimum if allocation else UNROUNDED
