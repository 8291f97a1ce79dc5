"""What policies computed on their way to an answer, and what waits, read during an observed run.

Nothing is stored for it: the run is made again, uncompiled, and looked at as answers are given and instants
end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.codes import ALL_FINISHED, AS_POLICY, DEADLOCK, FIFO, NO_QUEUES, ORDER_DEFAULT, PAUSED, WALKED
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.schedulers.hadoop.leaf_order import is_by_memory
from engine.schedulers.policy import JOB, ORDER_AT, QUEUE, REQUEST, RUN, Policy, Term
from engine.schedulers.scheduler import Scheduler
from engine.schedulers.view import View
from engine.simulation.cancellation import CancelToken
from engine.simulation.kernel.heartbeats import next_instant
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run
from engine.simulation.simulate import PreparedRun, larger_sizes, prepare, runs_plain, simulate

PER_SECOND = {"per ms": msg("explanation.observed_run.per_s")}  # policies count in ms, people in seconds


class Observer:
    """What looks at a run: at each answer, and after each instant of a time."""

    def begin(self) -> None:
        """The run begins, or begins again with larger arrays."""

    def see(self, answer: Answer) -> None:
        """An answer was given; the policy's terms are as it left them."""

    def note(self, prepared: PreparedRun, now: int) -> None:
        """The instant at `now` ms is over; first that before the time."""


def observe(run: Run, scheduler: Scheduler, observers: Sequence[Observer], first: int, last: int) -> None:
    """Makes the run again until the instant at `last` ms is over, or it ends; instants are noted from
    `first` on.
    """
    array_sizes = None

    def watch(answer: Answer) -> None:
        for observer in observers:
            observer.see(answer)
        if answer.place == ORDER_AT:
            reset_terms(scheduler.order.policy, answer.view, answer.second)

    while True:
        for observer in observers:
            observer.begin()
        prepared = prepare(run.scenario, scheduler, True, watch, CancelToken(), array_sizes)
        array_sizes = larger_sizes(prepared, _advance(prepared, observers, first, last))
        if not array_sizes:
            return


def run_until(run: Run, scheduler: Scheduler, until_ms: int) -> tuple[PreparedRun, int]:
    """Makes the run again, and leaves it before the first instant at that time or later, INFINITE: at its
    end; PAUSED, or how it ended as the kernel says. Cost: a run up to then.
    """
    array_sizes = None
    while True:
        is_plain = runs_plain(run.scenario, scheduler, 1)
        prepared = prepare(run.scenario, scheduler, is_plain, None, CancelToken(), array_sizes)
        prepared.state.pause_ms = until_ms
        ended, _ = prepared.kernel.advance()
        array_sizes = larger_sizes(prepared, ended)
        if not array_sizes:
            return prepared, ended


def ground(policy: Policy, view: View) -> int:
    """Which of the policy's rules decided, 0: the usual one."""
    return int(getattr(view, policy.ground)[0]) if isinstance(policy.rule, tuple) else 0


def _advance(prepared: PreparedRun, observers: Sequence[Observer], first: int, last: int) -> int:
    """Returns as the kernel does."""
    view, state = prepared.view, prepared.state
    state.pause_ms = first
    ended, _ = prepared.kernel.advance()
    now = first - 1
    while ended in (PAUSED, ALL_FINISHED, DEADLOCK):
        for observer in observers:
            observer.note(prepared, now)
        if ended != PAUSED:
            break
        now = next_instant(view, state, int(view.heartbeat))
        if now > last:
            break
        state.pause_ms = now + 1
        ended, _ = prepared.kernel.advance()
    return ended


def rerun(scenario: Scenario, scheduler: Scheduler, on_answer: Callable[[Answer], None]) -> Run:
    """Run again, uncompiled; `on_answer` is called with every answer, with the policy's terms as it left
    them. What it raises passes through.
    """

    def watch(answer: Answer) -> None:
        on_answer(answer)
        if answer.place == ORDER_AT:
            reset_terms(scheduler.order.policy, answer.view, answer.second)

    return simulate(scenario, scheduler, plain=True, watch=watch)


def reset_terms(policy: Policy, view: View, count: int) -> None:
    """Clears the terms of this decision, so that the next one's are not mixed with them."""
    for term in policy.terms:
        if term.per == REQUEST:
            getattr(view, term.name)[view.candidates[:count]] = np.nan


def value(term: Term, view: View, job: int, request: int) -> float | None:
    """A term of one candidate, a job or the whole decision, in the unit people see; None where it was not
    computed.
    """
    entry = {RUN: 0, JOB: job, REQUEST: request}[term.per]
    return display_value(term, float(getattr(view, term.name)[entry]))


def queue_value(term: Term, view: View, queue: int) -> float | None:
    """A term of one queue."""
    return display_value(term, float(getattr(view, term.name)[queue]))


def display_value(term: Term, number: float) -> float | None:
    """As JSON and people have it."""
    if not np.isfinite(number):
        return None
    return (number * 1000 if term.unit in PER_SECOND else number) + 0.0  # -0 is 0


def unit(term: Term) -> str:
    """The unit of `display_value`."""
    return PER_SECOND.get(term.unit, term.unit)


def term_json(term: Term) -> dict[str, Any]:
    """A term as JSON, without its value."""
    return {"name": term.name, "title": term.title, "unit": unit(term), "about": term.about}


def facts(policy: Policy, view: View, job: int = -1) -> list[dict[str, Any]]:
    """The facts of a policy's answer with their values, and for `job` its terms of that job."""
    of_job = [term for term in policy.terms if term.per == JOB] if job >= 0 else []
    return [term_json(term) | {"value": value(term, view, job, -1)} for term in (*of_job, *policy.facts)]


def compares_usage(policy: Policy, view: View, queue: int) -> bool:
    """Does this leaf compare what its jobs hold?"""
    policy_code, is_walked = int(view.queue_policy[queue]), policy.assignment.reserves == WALKED
    if is_walked and view.queue_ordering[queue] != AS_POLICY:
        return is_by_memory(view.queue_ordering[queue])
    if view.queue_scheme == NO_QUEUES or policy_code != ORDER_DEFAULT:
        return view.queue_scheme == NO_QUEUES or policy_code != FIFO
    return not is_walked


def compared_queues(policy: Policy, view: View) -> list[Term]:
    """The terms by which the order compares queues, where there are several to compare."""
    return [term for term in policy.terms if term.per == QUEUE] if len(view.queue_parent) > 2 else []


def fits_node(view: View, node: int, request: int) -> bool:
    """Does it fit the node now? Otherwise it reserves the node."""
    has_vcores = view.counts_vcores == 0 or view.node_free_vcores[node] >= view.request_vcores[request]
    return bool(view.node_free_memory[node] >= view.request_memory[request] and has_vcores)
