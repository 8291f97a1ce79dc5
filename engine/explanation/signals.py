"""What policies computed, over the time of a run: temperature, release frequency, reserve, urgency, scores.

Made by running again, uncompiled: each answer leaves its terms, and those with a strip are kept when they change.
Of an order's candidates it is the chosen one's that counts, of a reduce-start rule each job's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.binding import Answer
from engine.errors import TooLarge
from engine.policies.policy import ADMISSION_AT, JOBS, NOTES, ORDER_AT, ORDER_WINDOW, PREEMPT, QUEUES, REDUCE_START_AT, REDUCE_START_WINDOW, Policy
from engine.retrace import retrace, unit, value
from engine.scenario import Scenario
from engine.scheduler import Scheduler
from engine.simulate import simulate
from engine.view import KINDS

MOST_CONTAINERS = 30_000
MOST_SERIES = 12  # jobs in one strip
PARTS = {
    ORDER_AT: "order", ORDER_WINDOW: "order", REDUCE_START_AT: "reduce start", REDUCE_START_WINDOW: "reduce start", PREEMPT: "reduce start",
    ADMISSION_AT: "admission",
}  # fmt: skip


class Signal(NamedTuple):
    """One step curve: a value holds until the next. name: of the strip it is drawn in; series: which curve there."""

    name: str
    title: str
    unit: str
    about: str
    part: str
    at_ms: np.ndarray  # int64
    values: np.ndarray  # float64
    series: str


def signals(scenario: Scenario, scheduler: Scheduler) -> list[Signal]:
    """The curves of all parts of a scheduler, strip by strip; [] for one that computes nothing worth drawing.

    Raises TooLarge for a run of more than MOST_CONTAINERS containers.
    """
    policies = {"order": scheduler.order.policy, "reduce start": scheduler.reduce_start.policy, "admission": scheduler.admission.policy}
    if not any(term.strip for policy in policies.values() for term in (*policy.terms, *policy.facts)):
        return []
    run = simulate(scenario, scheduler)
    if len(run.containers.job) > MOST_CONTAINERS:
        raise TooLarge(f"the run has {len(run.containers.job):,} containers; signals are drawn of at most {MOST_CONTAINERS:,}")
    found: dict[tuple[str, str, int], list[tuple[int, float]]] = {}

    def look(told: Answer) -> None:
        part = PARTS[told.place]
        job, request = _whose(told)
        for term in (*policies[part].terms, *policies[part].facts):
            if not term.strip or term.where == QUEUES or (term.where != NOTES and job < 0):
                continue
            number = value(term, told.view, job, request)
            if number is not None:
                line = found.setdefault((part, term.name, job if part == "reduce start" and term.where == JOBS else -1), [])
                if not line or line[-1][1] != number:
                    line.append((int(told.view.now[0]), number))

    retrace(scenario, scheduler, look)
    return _curves(policies, found, run.workload.job_names)


def _whose(told: Answer) -> tuple[int, int]:
    """(job, request) whose terms an answer is about; -1 where it is about none."""
    if told.place == ORDER_AT:
        request = int(told.view.candidates[told.answer]) if told.answer >= 0 else -1
        return request // KINDS if request >= 0 else -1, request
    return (told.first, -1) if told.place in (REDUCE_START_AT, ADMISSION_AT, PREEMPT) else (-1, -1)


def _curves(policies: dict[str, Policy], found: dict[tuple[str, str, int], list[tuple[int, float]]], jobs: list[str]) -> list[Signal]:
    made = []
    for part, policy in policies.items():
        terms = [term for term in (*policy.facts, *policy.terms) if term.strip]
        for term in sorted(terms, key=lambda term: [other.strip for other in terms].index(term.strip)):
            own = [(job, line) for (of, name, job), line in found.items() if (of, name) == (part, term.name)][:MOST_SERIES]
            alone = sum(other.strip == term.strip for other in terms) == 1
            for job, line in own:
                series = jobs[job] if job >= 0 else "" if alone else term.title
                at, values = (np.array(column) for column in zip(*line))
                title = term.title if alone else term.strip[:1].upper() + term.strip[1:]
                made.append(Signal(term.strip, title, unit(term), term.about, part, at.astype(np.int64), values.astype(np.float64), series))
    return made
