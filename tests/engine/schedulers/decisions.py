"""What the parts of a scheduler answered in a plain run, with the terms and facts they left, by the names of
their catalogue entries.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

from engine.scenario.model import Scenario
from engine.schedulers.policy import (
    ADMISSION_AT,
    JOB,
    ORDER_AT,
    ORDER_WINDOW,
    QUEUE,
    REDUCE_START_AT,
    REQUEST,
    RUN,
    Policy,
    Term,
)
from engine.schedulers.scheduler import parse
from engine.schedulers.view import KINDS, MASTER, job_of, kind_of, request_of
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from engine.simulation.workload import workload


class Decision(NamedTuple):
    """One answer. Requests are named "job kind", and a rule's one candidate "job"."""

    at: float  # seconds
    node: int
    chosen: str | None
    candidates: list[str]
    terms: dict[str, dict[str, float]]  # of each candidate
    facts: dict[str, float]
    answer: int

    def each(self, term: str) -> dict[str, float]:
        """One term of all candidates."""
        return {name: terms[term] for name, terms in self.terms.items()}


def decisions(scenario: Scenario, scheduler: str, place: int = ORDER_AT) -> list[Decision]:
    """All answers of the part at `place`, in order."""
    return watched(scenario, scheduler, place)[1]


def watched(scenario: Scenario, scheduler: str, place: int = ORDER_AT) -> tuple[Run, list[Decision]]:
    """The run, and all answers of the part at `place`."""
    chosen = parse(scheduler)
    parts = (chosen.order, chosen.reduce_start, chosen.admission)
    policy = parts[place % ORDER_WINDOW].policy
    names = workload(scenario).job_names
    rows: list[Decision] = []

    def watch(told: Answer) -> None:
        if told.place == place:
            rows.append(_read(told, policy, names))

    return simulate(scenario, chosen, plain=True, watch=watch), rows


def _read(told: Answer, policy: Policy, names: list[str]) -> Decision:
    view = told.view
    requests: dict[str, int] = {}
    if told.place == ORDER_AT:
        requests = {
            f"{names[job_of(view, request)]} {KINDS[kind_of(view, request)]}": request
            for request in view.candidates[: told.second].tolist()
        }
    elif told.place in (REDUCE_START_AT, ADMISSION_AT):
        requests = {names[told.first]: request_of(view, told.first, MASTER)}
    listed = list(requests)
    return Decision(
        at=int(view.now) / 1000,
        node=told.first,
        chosen=listed[told.answer] if told.place == ORDER_AT and told.answer >= 0 else None,
        candidates=listed,
        terms={
            name: {term.name: _value(view, term, request) for term in policy.terms}
            for name, request in requests.items()
        },
        facts={fact.name: _value(view, fact, 0) for fact in policy.facts},
        answer=told.answer,
    )


def _value(view: SimpleNamespace, term: Term, request: int) -> float:
    job = job_of(view, request)
    entry = {RUN: 0, JOB: job, REQUEST: request, QUEUE: view.job_queue[job]}[term.per]
    return float(getattr(view, term.name)[entry])
