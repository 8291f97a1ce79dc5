"""Runs the search for a plan in a process of its own, and reads its progress; that process ends with this
one.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.bounds.lower_bounds import NoBound
from engine.bounds.optimum.plan_times import Plan
from engine.child_process import start_module
from engine.messages import msg
from engine.simulation.cancellation import CancelToken

NEEDS_ORTOOLS = msg("bounds.plan_solver.optimum_needs_ortools_pip_install_gantry")


class SearchProgress(NamedTuple):
    """After so many seconds: the makespan of the best schedule so far, and the lower bound."""

    seconds: float
    best_s: float
    at_least_s: float

    @property
    def gap(self) -> float:
        """By what share of the bound the best is more than it."""
        return self.best_s / self.at_least_s - 1 if self.at_least_s else float("inf")


class SearchResult(NamedTuple):
    """plan: None where nothing better was found than what the search began with; on_its_nodes: as plan_order
    has it.
    """

    plan: Plan | None
    on_its_nodes: bool
    at_least_ms: int
    seconds: float
    exceeds_user_limit: bool


def check_ortools() -> None:
    """NoBound with what to install, where OR-Tools is not."""
    try:
        is_installed = importlib.util.find_spec("ortools") is not None
    except ValueError:
        is_installed = False
    if not is_installed:
        raise NoBound(NEEDS_ORTOOLS)


def search_plan(
    request: dict[str, Any], on_progress: Callable[[SearchProgress], None], cancel_token: CancelToken
) -> SearchResult:
    """The best plan within the time; request: plan_search.SearchRequest.

    Ctrl-C, and within about a second `cancel_token`, end the search with what it has; whatever `on_progress`
    raises ends it, and is raised.
    """
    result = SearchResult(None, False, request["at_least_ms"], 0.0, False)
    with start_module(
        f"{__package__}.plan_search",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None  # they are pipes
        try:
            json.dump(request, process.stdin)
            process.stdin.close()
            for line in process.stdout:
                message = json.loads(line)
                plan = message.get("plan")
                if plan:
                    result = result._replace(
                        plan=Plan(plan["start_ms"], plan["node"]), on_its_nodes=plan["on_its_nodes"]
                    )
                result = result._replace(
                    at_least_ms=message["at_least_ms"],
                    seconds=message["seconds"],
                    exceeds_user_limit="over" in message,
                )
                on_progress(
                    SearchProgress(
                        message["seconds"], message["best_ms"] / 1000, message["at_least_ms"] / 1000
                    )
                )
                if cancel_token.is_cancelled:
                    break
        except KeyboardInterrupt:
            return result
        finally:
            process.kill()
    return result
