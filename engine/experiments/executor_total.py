"""How many executors a Spark application may have: of fixed ones their number, of dynamic allocation the
maximum, with minimum and initial number lowered where they are above it.
"""

from __future__ import annotations

import re
from typing import Any

from engine.errors import Fault, ScenarioError
from engine.messages import msg
from engine.scenario.applications import Executors
from engine.scenario.model import Scenario

DYNAMIC_TOTAL = re.compile(r"jobs\[(\d{1,7}|\*)\]\.executors\.dynamic\.total")
MAX_EXECUTORS = 1_000_000
LOWERED = ("minimum", "initial")


def executors_path(executors: Executors, job_index: int) -> str:
    """The path of the number of an application's executors; job_index: in the scenario's file."""
    return f"jobs[{job_index}].executors.{'dynamic.total' if executors.dynamic else 'count'}"


def with_maximum(dynamic: Any, path: str, total: Any) -> dict[str, Any]:
    """A copy of dynamic allocation, as JSON values, with so many executors at most; ScenarioError where that
    is no number of executors, or the executors are not dynamic.
    """
    if not isinstance(dynamic, dict):
        raise ScenarioError([Fault(path, msg("experiments.executor_total.needs_dynamic_allocation"))])
    is_number = isinstance(total, (int, float)) and not isinstance(total, bool)
    if not is_number or not 1 <= total <= MAX_EXECUTORS or total != int(total):
        fault = msg("experiments.executor_total.must_be_whole_number", total=total, most=MAX_EXECUTORS)
        raise ScenarioError([Fault(path, fault)])
    # Spark refuses a maximum below the others (ExecutorAllocationManager.validateSettings)
    lowered = {key: min(dynamic[key], int(total)) for key in LOWERED if dynamic.get(key) is not None}
    return {**dynamic, **lowered, "maximum": int(total)}


def room_for(scenario: Scenario, executors: Executors) -> int:
    """How many of an application's executors the nodes hold at once, beside nothing else."""
    size = executors.container
    return sum(
        group.count * min(group.memory_mb // size.memory_mb, group.vcores // size.vcores)
        for group in scenario.cluster.nodes
    )
