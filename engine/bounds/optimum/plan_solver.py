"""The search for a plan, heard from the process that does it, which ends with whoever asked."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from engine.bounds.lower_bounds import NoBound
from engine.bounds.optimum.plan_times import Plan
from engine.simulation.halt import Halt

NEEDS_ORTOOLS = "the optimum needs ortools: pip install 'gantry[optimum]'"
HERE = Path(__file__).parents[3]


class SearchProgress(NamedTuple):
    """After so many seconds: the makespan of the best schedule so far, and what none can be below."""

    seconds: float
    best_s: float
    at_least_s: float

    @property
    def gap(self) -> float:
        """By what share of the bound the best is more than it."""
        return self.best_s / self.at_least_s - 1 if self.at_least_s else float("inf")


class SearchFound(NamedTuple):
    """plan: None where nothing better was found than what the search began with; on_its_nodes: as plan_order has it."""

    plan: Plan | None
    on_its_nodes: bool
    at_least_ms: int
    seconds: float
    is_over: bool


def check_ortools() -> None:
    """NoBound with what to install, where OR-Tools is not."""
    try:
        is_there = importlib.util.find_spec("ortools") is not None
    except ValueError:
        is_there = False
    if not is_there:
        raise NoBound(NEEDS_ORTOOLS)


def search_plan(orders: dict[str, Any], heard: Callable[[SearchProgress], None], halt: Halt) -> SearchFound:
    """The best plan within the time; orders: plan_search.SearchOrders.

    Ctrl-C, and within about a second `halt`, end the search with what it has; whatever `heard` raises ends it, and is raised.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))}
    command = [sys.executable, "-m", "engine.bounds.optimum.plan_search"]
    found = SearchFound(None, False, orders["at_least_ms"], 0.0, False)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True) as process:
        try:
            json.dump(orders, process.stdin)
            process.stdin.close()
            for line in process.stdout:
                said = json.loads(line)
                plan = said.get("plan")
                if plan:
                    found = found._replace(plan=Plan(plan["start_ms"], plan["node"]), on_its_nodes=plan["on_its_nodes"])
                found = found._replace(at_least_ms=said["at_least_ms"], seconds=said["seconds"], is_over="over" in said)
                heard(SearchProgress(said["seconds"], said["best_ms"] / 1000, said["at_least_ms"] / 1000))
                if halt.asked:
                    break
        except KeyboardInterrupt:
            return found
        finally:
            process.kill()
    return found
