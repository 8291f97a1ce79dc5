"""What the parts of a scheduler answered in a plain run, with the terms and facts they left, by the names of their catalogue entries."""

from __future__ import annotations

from typing import NamedTuple

from engine.binding import Answer
from engine.policies.policy import ADMISSION_AT, JOBS, NOTES, ORDER_AT, ORDER_WINDOW, QUEUES, REDUCE_START_AT, REQUESTS, Policy, Term
from engine.run import KINDS as NAMES
from engine.run import Run
from engine.scenario import Scenario
from engine.scheduler import parse
from engine.simulate import simulate
from engine.view import KINDS, View
from engine.workload import workload


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
    found: list[Decision] = []

    def watch(told: Answer) -> None:
        if told.place == place:
            found.append(_read(told, policy, names))

    return simulate(scenario, chosen, plain=True, watch=watch), found


def _read(told: Answer, policy: Policy, names: list[str]) -> Decision:
    view = told.view
    requests: dict[str, int] = {}
    if told.place == ORDER_AT:
        requests = {f"{names[request // KINDS]} {NAMES[request % KINDS]}": request for request in view.candidates[: told.second].tolist()}
    elif told.place in (REDUCE_START_AT, ADMISSION_AT):
        requests = {names[told.first]: KINDS * told.first}
    listed = list(requests)
    return Decision(
        at=int(view.now[0]) / 1000,
        node=told.first,
        chosen=listed[told.answer] if told.place == ORDER_AT and told.answer >= 0 else None,
        candidates=listed,
        terms={name: {term.name: _value(view, term, request) for term in policy.terms} for name, request in requests.items()},
        facts={fact.name: _value(view, fact, 0) for fact in policy.facts},
        answer=told.answer,
    )


def _value(view: View, term: Term, request: int) -> float:
    job = request // KINDS
    places = {
        NOTES: lambda: view.notes[term.row],
        JOBS: lambda: view.job_notes[term.row * len(view.job_arrival) + job],
        REQUESTS: lambda: view.request_notes[term.row * len(view.request_memory) + request],
        QUEUES: lambda: view.queue_keys[3 * view.job_queue[job] + term.row],
    }
    return float(places[term.where]())
