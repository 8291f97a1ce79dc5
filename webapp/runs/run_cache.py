"""Scenario and scheduler -> outcome, cached by value; the only caller of the engine's simulate."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Sequence

from engine import GantryError, Scenario, simulate, summary
from engine.dashboard import OPTIMUM, CancelToken, RunCancelled, Scheduler, container_count
from webapp.messages import msg
from webapp.monitoring import counters
from webapp.runs import warm_up
from webapp.runs.cache import shared_cache
from webapp.runs.outcome import Outcome
from webapp.runs.parallel_map import map_in_parallel
from webapp.runs.time_estimates import estimate_seconds

RESULT_EXPIRED = msg("runs.run_cache.result_has_expired")
MAX_ANSWER_ESTIMATE_S = 0.3  # thought to take so long, a run is made within an answer when it is not at hand
ANSWER_LIMIT_S = 3.0  # that it may take there
SLOT_WAIT_S = 5.0  # that an answer waits for its turn to run something
ANSWER_SLOTS = max(2, os.cpu_count() or 1)  # answers of this process that run something at once
MAX_UNCOMPILED_CONTAINERS = 2_000  # containers that are drawn before what draws them is loaded
_answer_slots = threading.BoundedSemaphore(ANSWER_SLOTS)


class ResultExpired(GantryError):
    """A result that neither this process nor the cache has, and that takes too long for an answer: whoever
    wants it runs it again.
    """


def outcome(scenario: Scenario, scheduler: Scheduler, cancel_token: CancelToken | None = None) -> Outcome:
    """One scheduler's outcome: from this process, from the cache, or run now.

    cancel_token: of the work that wants it, by which the run may be ended; without one it is wanted for an
    answer, and ResultExpired is raised where that takes long.
    """
    key = _run_key(scenario, scheduler)
    result = shared_cache.held(key)
    if (
        not cancel_token
        and not warm_up.ready.is_set()
        and container_count(scenario.plain()) > MAX_UNCOMPILED_CONTAINERS
    ):
        warm_up.wait_until_loaded()
    if result is not None:
        return result
    if cancel_token:
        return shared_cache.get_or_compute(key, lambda: _run(scenario, scheduler, cancel_token), cancel_token)
    return _run_within_answer(key, scenario, scheduler)


def _run_key(scenario: Scenario, by: Scheduler | str) -> str:
    made_by = f"{OPTIMUM}:{by}" if isinstance(by, str) else by.name
    return f"run:{scenario.digest}:{made_by}"


def save_optimum(scenario: Scenario, id: str, optimum: Outcome) -> None:
    """Keep an optimum of a scenario, as runs are kept under their schedulers' names."""
    shared_cache.put(_run_key(scenario, id), optimum)


def found_optimum(scenario: Scenario, id: str) -> Outcome:
    """An optimum of a scenario that was kept; ResultExpired where it is no longer."""
    result = shared_cache.get(_run_key(scenario, id))
    if result is None:
        raise ResultExpired(msg("runs.run_cache.optimum_has_expired"))
    return result


def _run_within_answer(key: str, scenario: Scenario, scheduler: Scheduler) -> Outcome:
    def make() -> Outcome:
        if estimate_seconds(scenario) > MAX_ANSWER_ESTIMATE_S:
            raise ResultExpired(RESULT_EXPIRED)
        with answer_slot():
            return _run(scenario, scheduler, cancel_token)

    cancel_token = CancelToken()
    try:
        with cancel_token.cancel_after(ANSWER_LIMIT_S):
            return shared_cache.get_or_compute(key, make, cancel_token)
    except RunCancelled:
        raise ResultExpired(RESULT_EXPIRED) from None


@contextlib.contextmanager
def answer_slot() -> Iterator[None]:
    """One of a few slots for answers that run something, so that other answers are not held up; ResultExpired
    where none is free for long.
    """
    if not _answer_slots.acquire(timeout=SLOT_WAIT_S):
        raise ResultExpired(msg("runs.run_cache.server_busy_run_again"))
    try:
        yield
    finally:
        _answer_slots.release()


def preview(scenario: Scenario, schedulers: Sequence[Scheduler]) -> list[Outcome] | None:
    """The outcomes of a scenario that may soon be another: from this process, or run now and held ready in
    it; no file is written.

    None where that takes longer than one waits for a movement.
    """
    cancel_token = CancelToken()
    try:
        with answer_slot(), cancel_token.cancel_after(ANSWER_LIMIT_S):
            return map_in_parallel(
                lambda scheduler: _preview(scenario, scheduler, cancel_token),
                schedulers,
                len(schedulers) * container_count(scenario.plain()),
            )
    except (RunCancelled, ResultExpired):
        return None


def _preview(scenario: Scenario, scheduler: Scheduler, cancel_token: CancelToken) -> Outcome:
    key = _run_key(scenario, scheduler)
    result = shared_cache.held(key)
    if result is None:
        result = _run(scenario, scheduler, cancel_token)
        shared_cache.hold(key, result)
    return result


def _run(scenario: Scenario, scheduler: Scheduler, cancel_token: CancelToken | None) -> Outcome:
    made = lambda: simulate(scenario, scheduler, cancel_token=cancel_token)
    run = counters.counted_run(scheduler.order.policy.name, made)
    return Outcome(run, summary(run))


def is_held(scenario: Scenario, by: Scheduler | str) -> bool:
    """Does this process hold that outcome ready? by: its scheduler, or an optimum's id."""
    return shared_cache.held(_run_key(scenario, by)) is not None
