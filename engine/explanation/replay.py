"""What policies computed on their way to an answer, read from their memory while a run is watched.

Nothing is stored for it: the run is made again, uncompiled, and each answer is looked at as it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.binding import Answer
from engine.policies.policy import JOBS, NOTES, ORDER_AT, QUEUES, REQUESTS, Policy, Term
from engine.run import Run
from engine.scenario import Scenario
from engine.scheduler import Scheduler
from engine.simulate import simulate
from engine.view import FIFO, NO_QUEUES, OWN, View

PER_SECOND = {"per ms": "per s"}  # policies count in ms, people in seconds


def retrace(scenario: Scenario, scheduler: Scheduler, look: Callable[[Answer], None]) -> Run:
    """Run again, uncompiled; `look` is told every answer, with the policy's terms as it left them. What it raises passes through."""

    def watch(told: Answer) -> None:
        look(told)
        if told.place == ORDER_AT:
            forget(scheduler.order.policy, told.view, told.second)

    return simulate(scenario, scheduler, plain=True, watch=watch)


def forget(policy: Policy, view: View, count: int) -> None:
    """The next decision's terms are not this one's."""
    requests = view.candidates[:count]
    for term in policy.terms:
        if term.where == REQUESTS:
            view.request_notes[term.row * len(view.request_memory) + requests] = np.nan


def value(term: Term, view: View, job: int, request: int) -> float | None:
    """A term of one candidate, a job or the whole decision, in the unit people see; None where it was not computed."""
    if term.where == NOTES:
        found = view.notes[term.row]
    elif term.where == JOBS:
        found = view.job_notes[term.row * len(view.job_arrival) + job]
    elif term.where == REQUESTS:
        found = view.request_notes[term.row * len(view.request_memory) + request]
    else:
        raise ValueError(f"{term.name} is a queue's")
    return shown(term, float(found))


def queue_value(term: Term, view: View, queue: int) -> float | None:
    """A term of one queue."""
    return shown(term, float(view.queue_keys[3 * queue + term.row]))


def shown(term: Term, number: float) -> float | None:
    """As JSON and people have it."""
    if not np.isfinite(number):
        return None
    return (number * 1000 if term.unit in PER_SECOND else number) + 0.0  # -0 is 0


def unit(term: Term) -> str:
    """The unit of `shown`."""
    return PER_SECOND.get(term.unit, term.unit)


def described(term: Term) -> dict[str, Any]:
    """A term as JSON, without its value."""
    return {"name": term.name, "title": term.title, "unit": unit(term), "about": term.about}


def facts(policy: Policy, view: View, job: int = -1) -> list[dict[str, Any]]:
    """The facts of a policy's answer with their values, and for `job` its terms of that job."""
    of_job = [term for term in policy.terms if term.where == JOBS] if job >= 0 else []
    return [described(term) | {"value": value(term, view, job, -1)} for term in (*of_job, *policy.facts)]


def leaf_shares(policy: Policy, view: View, queue: int) -> bool:
    """Does this leaf compare what its jobs hold?"""
    own = int(view.queue_policy[queue])
    if view.tree[0] == NO_QUEUES or own != OWN:
        return view.tree[0] == NO_QUEUES or own != FIFO
    return policy.name != "capacity"


def compared_queues(policy: Policy, view: View) -> list[Term]:
    """The terms by which the order compares queues, where there are several to compare."""
    return [term for term in policy.terms if term.where == QUEUES] if len(view.queue_parent) > 2 else []

