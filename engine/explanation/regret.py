"""Regret of a decision: what the makespan would be with this one choice changed.

A choice is changed by leaving the job that was served out of the candidates of that one decision; from there
the run goes on under the same scheduler. The run is advanced from instant to instant; at each decision its
arrays are copied, the run is finished with the changed choice, and the arrays are restored. Where time does
not allow all decisions, those tried are spread evenly over the run.
Cost     half a run a decision, and two copies of its arrays
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from engine.codes import (
    ALL_FINISHED,
    CANCELLED,
    DEADLOCK,
    KINDS,
    OUT_OF_SPANS,
    PAUSED,
    TAKEN,
    TOO_LONG,
    container_request,
    job_of,
    kind_name,
    requests_of,
)
from engine.errors import GantryError, SchedulerError, TooLarge
from engine.explanation.container_names import name_of
from engine.messages import msg
from engine.schedulers.scheduler import Scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.pausable_run import PausableRun
from engine.simulation.run import Run
from engine.simulation.simulate import ArraySizes, finish_run, larger_sizes, prepare, runs_plain

PASS = 64  # decisions that one pass over a run tries at least
SECONDS = 30.0


class NoRegret(GantryError):
    """A run that did not finish: it has no makespan that a choice could have cost."""


class CostlyDecision(NamedTuple):
    """regret_s: the makespan less that with the choice changed, positive: the choice cost so much;
    turnaround_regret_s: the same of the mean turnaround, None where all jobs failed. instead_job: which job
    the node would have gone to, "" when to none; instead: its container, "" where the node would have been
    reserved for it."""

    container: str
    number: int
    at_s: float
    node: str
    job: str
    kind: str
    instead_job: str
    instead_kind: str
    instead: str
    makespan_s: float
    regret_s: float
    turnaround_regret_s: float | None


class Regret(NamedTuple):
    """placed: decisions of the run, one a container; tried: of how many another choice was looked for;
    choices: for how many of those there was one, sooner and later: after how many of those the batch ends
    sooner, or later, stuck: after how many it never ends. costly: the costliest first. is_whole: were all
    tried? is_ended: was it ended from outside?"""

    scheduler: str
    makespan_s: float
    mean_turnaround_s: float | None
    placed: int
    tried: int
    choices: int
    sooner: int
    later: int
    stuck: int
    costly: tuple[CostlyDecision, ...]
    is_ended: bool

    @property
    def is_whole(self) -> bool:
        """Were all decisions tried?"""
        return self.tried == self.placed


class Progress(NamedTuple):
    """Decisions tried so far, of how many, and after how many of them the batch would have ended sooner."""

    tried: int
    placed: int
    sooner: int


def costly_decisions(
    run: Run,
    scheduler: Scheduler,
    max_decisions: int = 10,
    seconds: float = SECONDS,
    cancel_token: CancelToken | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
    plain: bool | None = None,
) -> Regret:
    """The decisions of a run under this scheduler that cost its makespan most, as far as `seconds` allow.

    Ended by `cancel_token`, it answers with what it has found by then. plain: as of `simulate`. Raises
    NoRegret for a run that ended in a deadlock, SchedulerError for `measured`, and what `simulate` does.
    """
    if scheduler.is_measured:
        raise SchedulerError(msg("explanation.regret.measured_what_cluster_did_what_another"))
    if run.status == "deadlock":
        raise NoRegret(msg("explanation.regret.run_under_ends_in_deadlock_so", scheduler=run.scheduler))
    if run.status == "refused":
        raise NoRegret(run.because)
    placed, until = len(run.containers.job), None
    cancel_token = cancel_token or CancelToken()
    plain = runs_plain(run.scenario, scheduler, placed / 2) if plain is None else plain
    walk = _CounterfactualRunner(run, scheduler, plain, cancel_token)
    mean = _mean_turnaround_s(run.jobs.arrival, run.jobs.finish, run.jobs.failed, run.jobs.refused)
    regret = Regret(
        run.scheduler, (run.until_ms - run.first_ms) / 1000, mean, placed, 0, 0, 0, 0, 0, (), False
    )
    costly: list[CostlyDecision] = []
    for number in _bit_reversed_order(placed):
        if cancel_token.is_cancelled or (until and time.monotonic() > until):
            break
        outcome = walk.evaluate_without(number)
        until = until or time.monotonic() + seconds  # what has to be compiled first is not counted
        if cancel_token.is_cancelled:
            break
        regret = regret._replace(tried=regret.tried + 1)
        if outcome is not None:
            regret = _counted(regret, outcome)
            if outcome.makespan_ms is not None and outcome.makespan_ms < run.until_ms - run.first_ms:
                costly.append(_decision(run, regret, number, outcome, outcome.makespan_ms))
        progress(Progress(regret.tried, placed, regret.sooner))
    costly.sort(key=lambda decision: (-decision.regret_s, decision.number))
    return regret._replace(costly=tuple(costly[:max_decisions]), is_ended=cancel_token.is_cancelled)


class _Outcome(NamedTuple):
    """Of a run with one choice changed: request: that the node then went to, -1 for none; instead: the name
    of its container, "" where it was reserved.
    """

    request: int
    instead: str
    makespan_ms: int | None
    mean_turnaround_s: float | None


class _CapacityExceeded(Exception):
    """The run needs larger arrays; the only argument is their sizes."""


class _CounterfactualRunner:
    """Tries each decision of a run without the job that it served."""

    def __init__(self, run: Run, scheduler: Scheduler, plain: bool, cancel_token: CancelToken) -> None:
        self._run, self._scheduler, self._plain, self._cancel_token = run, scheduler, plain, cancel_token
        self._begin(None)

    def _begin(self, capacity: ArraySizes | None) -> None:
        self._course = PausableRun(
            prepare(self._run.scenario, self._scheduler, self._plain, None, self._cancel_token, capacity)
        )
        self._first = self._course.save()
        self._kept, self._at = self._course.save(), -1

    def evaluate_without(self, number: int) -> _Outcome | None:
        """The outcome, None where no other job could have been served."""
        while True:
            try:
                return self._without(number)
            except _CapacityExceeded as more:
                self._begin(more.args[0])

    def _without(self, number: int) -> _Outcome | None:
        c, paused_run = self._run.containers, self._course
        at, node, job = int(c.start[number]), int(c.node[number]), int(c.job[number])
        self._restore_before(at)
        paused_run.exclude(number, node, job)
        ended = self._run_until(at + 1)
        if ended == CANCELLED or not paused_run.has_excluded:
            return None
        request, instead = self._replacement(number, at, node)
        if ended == PAUSED:
            try:
                ended = self._run_until(None)
            except TooLarge:  # queues kill each other's containers for ever
                ended = TOO_LONG
        if ended in (DEADLOCK, TOO_LONG):
            return _Outcome(request, instead, None, None)
        view, state = paused_run.prepared.view, paused_run.prepared.state
        taken = state.job_refused == TAKEN
        makespan = int(view.job_finish[taken].max() - view.job_arrival[taken].min())
        mean = _mean_turnaround_s(view.job_arrival, view.job_finish, state.job_failed, state.job_refused)
        return _Outcome(request, instead, makespan, mean)

    def _restore_before(self, at: int) -> None:
        """Restores the unchanged run as it was before this instant."""
        if at < self._at:
            self._kept, self._at = [array.copy() for array in self._first], -1
        self._course.restore(self._kept)
        if at > self._at:
            self._run_until(at)
            self._kept, self._at = self._course.save(self._kept), at

    def _run_until(self, until_ms: int | None) -> int:
        paused_run = self._course
        ended = paused_run.advance() if until_ms is None else paused_run.advance(until_ms)
        if ended == OUT_OF_SPANS:  # all is done, and spans are not read
            return ALL_FINISHED
        larger = larger_sizes(paused_run.prepared, ended)
        if larger:
            raise _CapacityExceeded(larger)
        if ended not in (PAUSED, CANCELLED, DEADLOCK, TOO_LONG):
            finish_run(paused_run.prepared, ended, paused_run.node)  # raises what is wrong
        return ended

    def _replacement(self, number: int, at: int, node: int) -> tuple[int, str]:
        state, view = self._course.prepared.state, self._course.prepared.view
        if (
            state.container_count > number
            and state.container_start[number] == at
            and state.container_node[number] == node
        ):
            parts = (
                state.container_stage[number],
                KINDS[state.container_kind[number]],
                state.container_index[number],
                state.container_attempt[number],
            )
            job = self._run.workload.job_names[state.container_job[number]]
            name = "/".join([job, *(str(part) for part in parts)])
            return int(container_request(view, state, number)), name
        return int(view.node_reserved[node]), ""


def _counted(regret: Regret, outcome: _Outcome) -> Regret:
    gain = None if outcome.makespan_ms is None else regret.makespan_s - outcome.makespan_ms / 1000
    return regret._replace(
        choices=regret.choices + 1,
        stuck=regret.stuck + (gain is None),
        sooner=regret.sooner + (gain is not None and gain > 0),
        later=regret.later + (gain is not None and gain < 0),
    )


def _decision(run: Run, regret: Regret, number: int, outcome: _Outcome, makespan_ms: int) -> CostlyDecision:
    c, work, request = run.containers, run.workload, outcome.request
    turnaround = None
    if regret.mean_turnaround_s is not None and outcome.mean_turnaround_s is not None:
        turnaround = round(regret.mean_turnaround_s - outcome.mean_turnaround_s, 6)
    return CostlyDecision(
        container=name_of(run, number),
        number=number,
        at_s=int(c.start[number]) / 1000,
        node=work.node_names[c.node[number]],
        job=work.job_names[c.job[number]],
        kind=kind_name(work, int(requests_of(work, c, number))),
        instead_job="" if request < 0 else work.job_names[job_of(work, request)],
        instead_kind="" if request < 0 else kind_name(work, request),
        instead=outcome.instead,
        makespan_s=makespan_ms / 1000,
        regret_s=(run.until_ms - run.first_ms - makespan_ms) / 1000,
        turnaround_regret_s=turnaround,
    )


def _mean_turnaround_s(
    arrival: np.ndarray, finish: np.ndarray, failed: np.ndarray, refused: np.ndarray
) -> float | None:
    done = ~failed.astype(bool) & (refused == TAKEN)
    return float((finish - arrival)[done].mean()) / 1000 if done.any() else None


def _bit_reversed_order(count: int) -> Iterator[int]:
    """Each number below `count` once, in passes that are spread evenly: every 2^k-th first, then those
    halfway between, and so on.
    """
    bits = max(0, (count - 1) // PASS).bit_length()
    for pass_index in range(1 << bits):
        offset = int(f"{pass_index:0{bits}b}"[::-1], 2) if bits else 0
        yield from range(offset, count, 1 << bits)
