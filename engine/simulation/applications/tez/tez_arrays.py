"""Scenario -> what the kernel reads of its Tez applications."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.codes import TEZ
from engine.scenario.applications import HeldContainers
from engine.scenario.field_types import milliseconds
from engine.scenario.model import Scenario

if TYPE_CHECKING:
    from engine.simulation.workload import Workload


def tez_arrays(scenario: Scenario, work: Workload) -> dict[str, np.ndarray]:
    """The arrays of Vertices that exist before a run; none where no job is an application of Tez."""
    if not (work.job_framework == TEZ).any():
        return {}
    held = [job.held_containers or HeldContainers() for job in scenario.jobs]

    def per_job(values: list, kind: type) -> np.ndarray:
        return np.array(values, kind)[work.job_group]

    return {
        "reuses": per_job([one.reuse for one in held], np.int8),
        "reuse_delay_ms": per_job([milliseconds(one.reuse_delay_s) for one in held], np.int64),
        "idle_minimum_ms": per_job([milliseconds(one.idle_minimum_s) for one in held], np.int64),
        "idle_maximum_ms": per_job([milliseconds(one.idle_maximum_s) for one in held], np.int64),
        "slow_start_minimum": per_job([one.slow_start_minimum for one in held], np.float64),
        "slow_start_maximum": per_job([one.slow_start_maximum for one in held], np.float64),
    }
