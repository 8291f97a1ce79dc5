"""The runs behind one answer, all together within a bound of time."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine import GantryError, Run, Scenario, parse
from webapp.messages import msg
from webapp.runs import run_cache

MAX_ANSWER_S = 4.0  # after which an answer begins no further run


def bounded_runs() -> Callable[[Scenario, str], Run]:
    """Runs from the cache, for one answer. The function raises GantryError where a run takes longer than an
    answer may, or the runs before it took that long together.
    """
    until = time.monotonic() + MAX_ANSWER_S

    def simulate(scenario: Scenario, scheduler: str) -> Run:
        try:
            if time.monotonic() > until:
                raise run_cache.ResultExpired
            return run_cache.outcome(scenario, parse(scheduler)).run
        except run_cache.ResultExpired:
            raise GantryError(msg("panels.bounded_runs.takes_too_long")) from None

    return simulate
