"""What can be asked of a scenario under one of its schedulers, found in its run, so that an author writes no
container's name by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple, TypeVar

import numpy as np

from engine.analysis.metrics import METRICS, summary
from engine.codes import BY_WEIGHT, KINDS, NONE, job_of, kind_of, requests_of
from engine.exercises.model import DEADLOCK, LONGEST_WAIT
from engine.exercises.reach import TITLES, UNITS, longest_wait_s
from engine.exercises.worked_terms import CAN_BE_WORKED
from engine.explanation.container_names import name_of
from engine.explanation.observed_run import compared_queues, fits_node, rerun, value
from engine.messages import msg
from engine.schedulers.policy import JOB, ORDER_AT, REQUEST, Policy, Term
from engine.schedulers.scheduler import as_scheduler
from engine.schedulers.view import View
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run

MAX_LISTED = 60  # decisions, or waits: more are no choice
OF_ONE_KIND = 3  # waits of a job's maps, or reduces, of one stage
T = TypeVar("T")


class AskedRequest(NamedTuple):
    """A candidate of a decision. terms: names of what the order computed of it and can be worked by hand."""

    job: str
    kind: str
    terms: tuple[str, ...]


class AskedDecision(NamedTuple):
    """A decision with something to choose from. container: as a task names it; requests: its candidates."""

    container: str
    at_ms: int
    node: str
    requests: tuple[AskedRequest, ...]

    @property
    def jobs(self) -> tuple[str, ...]:
        """Those of the candidates."""
        return tuple(dict.fromkeys(request.job for request in self.requests))


class AskedWait(NamedTuple):
    """A container that waited. start_ms: None of one that never started."""

    container: str
    requested_ms: int
    start_ms: int | None


class AskedMetric(NamedTuple):
    """What a condition can be about. present: None where the run has no value of it; unit: "" of a deadlock,
    which is 0 or 1.
    """

    key: str
    title: str
    unit: str
    present: float | None


class Suggestions(NamedTuple):
    """terms: titles of the order's terms by name; shares_s: an instant at which most jobs are there, in
    seconds; shares_job: the one that holds most containers then; has_fair_shares: does the order compute any?
    """

    jobs: tuple[str, ...]
    decisions: tuple[AskedDecision, ...]
    waits: tuple[AskedWait, ...]
    terms: dict[str, str]
    metrics: tuple[AskedMetric, ...]
    shares_s: float
    shares_job: str
    has_fair_shares: bool


def suggestions(run: Run, scheduler: str) -> Suggestions:
    """Of a run under this scheduler. Cost: an uncompiled run."""
    order, shares_s = as_scheduler(scheduler).order.policy, _shares_s(run)
    return Suggestions(
        tuple(run.workload.job_names),
        tuple(_spread(_without_repeats(_decisions(run, scheduler)))),
        tuple(_waits(run))[:MAX_LISTED],
        {term.name: term.title for term in _terms(order)},
        tuple(_metrics(run)),
        shares_s,
        _largest(run, round(1000 * shares_s)),
        order.queues.scheme == BY_WEIGHT,
    )


def _decisions(run: Run, scheduler: str) -> list[AskedDecision]:
    """All with at least two candidates, in their order; where there are others, without those in which all
    that the order compares is equal, for then no number tells why.
    """
    order, found, tied = as_scheduler(scheduler).order.policy, list[AskedDecision](), set[str]()
    names = _Names(run)

    def see(answer: Answer) -> None:
        if answer.place != ORDER_AT or answer.answer < 0 or answer.second < 2:
            return
        view, node, number = answer.view, answer.first, answer.placed
        offered = view.candidates[: answer.second].tolist()
        chosen = offered[answer.answer]
        if _places(run, answer, number, chosen) and fits_node(view, node, chosen):
            requests = tuple(
                AskedRequest(run.workload.job_names[job], KINDS[kind], _computed(order, view, one))
                for one, job, kind in zip(offered, job_of(view, offered), kind_of(view, offered))
            )
            now, on = int(view.now), run.workload.node_names[node]
            found.append(AskedDecision(names.of(number), now, on, requests))
            if _is_tie(order, view, offered):
                tied.add(found[-1].container)

    rerun(run.scenario, as_scheduler(scheduler), see)
    return [one for one in found if one.container not in tied] or found


def _places(run: Run, answer: Answer, number: int, chosen: int) -> bool:
    """Is it the decision that placed the container? Else it reserves a node, or waits for a nearer one."""
    c = run.containers
    return bool(
        number < len(c.start)
        and c.node[number] == answer.first
        and c.start[number] == answer.view.now
        and requests_of(run.workload, c, number) == chosen
    )


def _is_tie(order: Policy, view: View, offered: list[int]) -> bool:
    """Are all numbers equal by which the order compares candidates of several jobs? Not where queues are
    compared too.
    """
    compared = [term for term in order.terms if term.direction and term.per in (JOB, REQUEST)]
    if not compared or compared_queues(order, view) or len({job_of(view, one) for one in offered}) < 2:
        return False
    found = [{value(term, view, job_of(view, one), one) for one in offered} for term in compared]
    return any(values != {None} for values in found) and all(len(values) == 1 for values in found)


def _terms(order: Policy) -> list[Term]:
    """Those of a candidate that can be worked by hand."""
    return [term for term in order.terms if term.per in (JOB, REQUEST) and term.name in CAN_BE_WORKED]


def _computed(order: Policy, view: View, request: int) -> tuple[str, ...]:
    return tuple(
        term.name for term in _terms(order) if value(term, view, job_of(view, request), request) is not None
    )


def _without_repeats(decisions: list[AskedDecision]) -> list[AskedDecision]:
    """Of those that follow each other with the same candidates and the same answer the first."""
    same = lambda one: ([(ask.job, ask.kind) for ask in one.requests], one.container.rsplit("/", 1)[0])
    return [next(group) for _, group in groupby(decisions, same)]


def _spread(found: list[T]) -> list[T]:
    """As many as are listed, from all of the run."""
    places = np.linspace(0, len(found) - 1, min(len(found), MAX_LISTED)).round()
    return [found[int(place)] for place in places]


def _waits(run: Run) -> Iterator[AskedWait]:
    """The longest first: those that never started, then of each job's kind and stage a few."""
    yield from _never_started(run)
    c, names, seen = run.containers, _Names(run), Counter[tuple[int, ...]]()
    waited = c.start - c.requested
    for number in np.argsort(-waited, kind="stable").tolist():
        kind = (int(c.job[number]), int(c.stage[number]), int(c.kind[number]))
        if waited[number] > 0 and seen[kind] < OF_ONE_KIND:
            seen[kind] += 1
            yield AskedWait(names.of(number), int(c.requested[number]), int(c.start[number]))


def _never_started(run: Run) -> Iterator[AskedWait]:
    c, waiting = run.containers, run.waiting
    for job, kind, _, since, of_stage in zip(*(column.tolist() for column in waiting)):
        stages = c.stage[c.job == job]
        stage = of_stage or (int(stages.max()) if len(stages) else 1)
        tasks = c.index[(c.job == job) & (c.stage == stage) & (c.kind == kind)]
        first = len(np.unique(tasks))
        yield AskedWait(f"{run.workload.job_names[job]}/{stage}/{KINDS[kind]}/{first}", since, None)


def _metrics(run: Run) -> Iterator[AskedMetric]:
    values = summary(run)
    for metric in METRICS:
        yield AskedMetric(metric.key, metric.title, metric.unit, values[metric.key])
    yield AskedMetric(LONGEST_WAIT, TITLES[LONGEST_WAIT], UNITS[LONGEST_WAIT], longest_wait_s(run))
    title = msg("exercises.suggestions.deadlock")
    yield AskedMetric(DEADLOCK, title, "", float(run.status == "deadlock"))


def _shares_s(run: Run) -> float:
    """Half-way through the longest of the times in which most jobs are there."""
    arrival, finish = run.jobs.arrival, np.where(run.jobs.finish == NONE, run.until_ms, run.jobs.finish)
    edges = np.unique(np.concatenate((arrival, finish)))
    middles, lengths = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
    if not len(middles):
        return float(edges[0]) / 1000
    there = ((arrival[:, None] <= middles) & (middles < finish[:, None])).sum(axis=0)
    return float(round(middles[np.lexsort((lengths, there))[-1]] / 1000))


def _largest(run: Run, at_ms: int) -> str:
    c = run.containers
    runs = (c.start <= at_ms) & ((c.end == NONE) | (at_ms < c.end))
    held = np.bincount(c.job[runs], minlength=len(run.workload.job_names))
    return run.workload.job_names[int(np.argmax(held))]


class _Names:
    """Of containers, as a task names them: without the attempt where there was one alone."""

    def __init__(self, run: Run) -> None:
        self.run = run
        c = run.containers
        self.attempts = Counter[tuple[int, ...]](
            zip(c.job.tolist(), c.stage.tolist(), c.kind.tolist(), c.index.tolist())
        )

    def of(self, number: int) -> str:
        c, name = self.run.containers, name_of(self.run, number)
        task = tuple(int(array[number]) for array in (c.job, c.stage, c.kind, c.index))
        return name.rsplit("/", 1)[0] if self.attempts[task] == 1 else name
