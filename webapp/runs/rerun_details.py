"""What is found only by running a scenario again, uncompiled: the decision behind a container, and what a
scheduler measures inside.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine import GantryError, explain
from engine.dashboard import Scheduler, Signal, TooLarge, WaitingRequest, signals, waiting_at
from webapp.messages import msg
from webapp.runs import run_cache
from webapp.runs.task import ShownRun

MAX_RETRACED = 30_000  # containers placed before one that is explained: about a second
MAX_DECISIONS = 128  # held ready for the steps back and forth
MAX_SIGNALS = 16  # runs whose signals are held ready


@lru_cache(maxsize=MAX_DECISIONS)
def explain_container(shown: ShownRun, container: int) -> dict[str, Any]:
    """The decision that placed a container (index into run.containers), as engine's explain tells it;
    TooLarge for one too far into a run.

    It is found by running again, uncompiled, up to there. Of what was measured nothing is known: NotCompared.
    """
    scheduler = shown.scheduler
    if scheduler is None:
        raise GantryError(msg("runs.rerun_details.no_rule_decided_here_optimum_plan"))
    if container > MAX_RETRACED and not scheduler.is_measured:
        raise TooLarge(msg("runs.rerun_details.containers_were_placed_before_too_many", container=container))
    run = shown.outcome.run
    with run_cache.answer_slot():
        return explain(run, scheduler, container)


@lru_cache(maxsize=MAX_DECISIONS)
def waiting_requests(shown: ShownRun, at_ms: int) -> list[WaitingRequest]:
    """What waits at a time of a run, as engine's waiting_at tells it; NotCompared of what was measured."""
    scheduler = shown.scheduler
    if scheduler is None or scheduler.is_measured:
        raise GantryError(msg("runs.rerun_details.no_rule_decided_here_optimum_plan"))
    with run_cache.answer_slot():
        return waiting_at(shown.outcome.run, scheduler, at_ms)


@lru_cache(maxsize=MAX_DECISIONS)
def never_placed(shown: ShownRun, name: str) -> dict[str, Any]:
    """What keeps a container that a deadlock never placed, by its name, as engine's explain tells it."""
    assert shown.scheduler is not None  # what is stuck was simulated
    run = shown.outcome.run
    if len(run.containers.job) > MAX_RETRACED:
        raise TooLarge(
            msg(
                "runs.rerun_details.containers_were_placed_before_too_many", container=len(run.containers.job)
            )
        )
    with run_cache.answer_slot():
        return explain(run, shown.scheduler, name)


def has_signals(scheduler: Scheduler | None) -> bool:
    """Whether a scheduler measures or computes something of its own that can be drawn; an optimum's None and
    what was measured have nothing.
    """
    if scheduler is None or scheduler.is_measured:
        return False
    policies = (part.policy for part in (scheduler.order, scheduler.reduce_start, scheduler.admission))
    return any(term.strip for policy in policies for term in (*policy.terms, *policy.facts))


@lru_cache(maxsize=MAX_SIGNALS)
def scheduler_signals(shown: ShownRun) -> tuple[Signal, ...]:
    """What a scheduler measured and computed inside over the run; TooLarge for a run that is too long to be
    watched. It is run again, uncompiled, for it.
    """
    scheduler = shown.scheduler
    if scheduler is None:
        return ()
    run = shown.outcome.run
    with run_cache.answer_slot():
        return tuple(signals(run, scheduler))
