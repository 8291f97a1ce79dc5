"""What policies computed, over the time of a run: temperature, release frequency, reserve, urgency, scores.

Made by running again, uncompiled: each answer leaves its terms, and those with a strip are kept when they
change. Of an order's candidates it is the chosen one's that counts, of a reduce-start rule each job's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import job_of
from engine.errors import TooLarge
from engine.explanation.observed_run import rerun, unit, value
from engine.messages import msg
from engine.schedulers.policy import (
    ADMISSION_AT,
    JOB,
    ORDER_AT,
    ORDER_JOBS,
    ORDER_WINDOW,
    PREEMPT,
    QUEUE,
    REDUCE_START_AT,
    REDUCE_START_WINDOW,
    RUN,
    Policy,
)
from engine.schedulers.scheduler import Scheduler
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run

MAX_CONTAINERS = 30_000
MAX_SERIES = 12  # jobs in one strip
PARTS = {
    ORDER_AT: "order",
    ORDER_WINDOW: "order",
    REDUCE_START_AT: "reduce start",
    REDUCE_START_WINDOW: "reduce start",
    PREEMPT: "reduce start",
    ADMISSION_AT: "admission",
    ORDER_JOBS: "order",
}


class Signal(NamedTuple):
    """One step curve: a value holds until the next. name: of the strip it is drawn in; series: which curve
    there.
    """

    name: str
    title: str
    unit: str
    about: str
    part: str
    at_ms: np.ndarray  # int64
    values: np.ndarray  # float64
    series: str


def signals(run: Run, scheduler: Scheduler) -> list[Signal]:
    """The curves of all parts of the scheduler of a run, strip by strip; [] for one that computes nothing
    worth drawing, and for what was measured.

    Raises TooLarge for a run of more than MAX_CONTAINERS containers.
    """
    if scheduler.is_measured:
        return []
    policies = {
        "order": scheduler.order.policy,
        "reduce start": scheduler.reduce_start.policy,
        "admission": scheduler.admission.policy,
    }
    if not any(term.strip for policy in policies.values() for term in (*policy.terms, *policy.facts)):
        return []
    if len(run.containers.job) > MAX_CONTAINERS:
        raise TooLarge(
            msg(
                "explanation.signals.run_has_containers_signals_drawn_at",
                job=len(run.containers.job),
                max_containers=MAX_CONTAINERS,
            )
        )
    curves: dict[tuple[str, str, int], list[tuple[int, float]]] = {}

    def on_answer(answer: Answer) -> None:
        part = PARTS[answer.place]
        job, request = _subject(answer)
        for term in (*policies[part].terms, *policies[part].facts):
            if not term.strip or term.per == QUEUE or (term.per != RUN and job < 0):
                continue
            number = value(term, answer.view, job, request)
            if number is not None:
                line = curves.setdefault(
                    (part, term.name, job if part == "reduce start" and term.per == JOB else -1),
                    [],
                )
                if not line or line[-1][1] != number:
                    line.append((int(answer.view.now), number))

    rerun(run.scenario, scheduler, on_answer)
    return _curves(policies, curves, run.workload.job_names)


def _subject(answer: Answer) -> tuple[int, int]:
    """(job, request) whose terms an answer is about; -1 where it is about none."""
    if answer.place == ORDER_AT:
        request = int(answer.view.candidates[answer.answer]) if answer.answer >= 0 else -1
        return int(job_of(answer.view, request)) if request >= 0 else -1, request
    return (answer.first, -1) if answer.place in (REDUCE_START_AT, ADMISSION_AT, PREEMPT) else (-1, -1)


def _curves(
    policies: dict[str, Policy], curves: dict[tuple[str, str, int], list[tuple[int, float]]], jobs: list[str]
) -> list[Signal]:
    signals = []
    for part, policy in policies.items():
        terms = [term for term in (*policy.facts, *policy.terms) if term.strip]
        for term in sorted(terms, key=lambda term: [other.strip for other in terms].index(term.strip)):
            lines = [
                (job, line)
                for (line_part, name, job), line in curves.items()
                if (line_part, name) == (part, term.name)
            ][:MAX_SERIES]
            alone = sum(other.strip == term.strip for other in terms) == 1
            for job, line in lines:
                series = jobs[job] if job >= 0 else "" if alone else term.title
                at, values = (np.array(column) for column in zip(*line))
                title = term.title if alone else term.strip[:1].upper() + term.strip[1:]
                signals.append(
                    Signal(
                        term.strip,
                        title,
                        unit(term),
                        term.about,
                        part,
                        at.astype(np.int64),
                        values.astype(np.float64),
                        series,
                    )
                )
    return signals
