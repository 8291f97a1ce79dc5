"""Regret of a decision: what the makespan would be with this one choice changed.

A choice is changed by leaving the job that was served out of the candidates of that one decision; from there the run goes on under the same
scheduler. One course of the run is gone along, from instant to instant; at each decision its arrays are kept, the changed rest is run, and they
are put back. Where time does not allow all decisions, those tried are spread evenly over the run.
Cost     half a run a decision, and two copies of its arrays
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from engine.errors import GantryError, SchedulerError, TooLarge
from engine.explanation.explain import name_of
from engine.schedulers.names import Scheduler
from engine.schedulers.view import KINDS, PER_JOB
from engine.simulation.halt import Halt
from engine.simulation.kernel import loop
from engine.simulation.run import Run
from engine.simulation.simulate import Room, begin, finished, more_room, runs_plain
from engine.simulation.snapshots import Course

PASS = 64  # decisions that one pass over a run tries at least
SECONDS = 30.0


class NoRegret(GantryError):
    """A run that did not finish: it has no makespan that a choice could have cost."""


class CostlyDecision(NamedTuple):
    """regret_s: the makespan less that with the choice changed, positive: the choice cost so much; turnaround_regret_s: the same of the mean turnaround,
    None where all jobs failed. instead_job: which job the node would have gone to, "" when to none; instead: its container, "" where the node would
    have been reserved for it."""

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
    """placed: decisions of the run, one a container; tried: of how many another choice was looked for; choices: for how many of those there was one,
    sooner and later: after how many of those the batch ends sooner, or later, stuck: after how many it never ends. costly: the costliest
    first. is_whole: were all tried? is_ended: was it ended from outside?"""

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
    most: int = 10,
    seconds: float = SECONDS,
    halt: Halt | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
    plain: bool | None = None,
) -> Regret:
    """The decisions of a run under this scheduler that cost its makespan most, as far as `seconds` allow.

    Ended by `halt`, it answers with what it has found by then. plain: as of `simulate`. Raises NoRegret for a run that ended in a deadlock, SchedulerError
    for `measured`, and what `simulate` does.
    """
    if scheduler.is_measured:
        raise SchedulerError("measured is what a cluster did; what another choice would have given is not known, so name a scheduler")
    if run.status == "deadlock":
        raise NoRegret(f"the run under {run.scheduler} ends in a deadlock, so it has no makespan that a choice could have cost")
    placed, until = len(run.containers.job), None
    halt = halt or Halt()
    plain = runs_plain(run.scenario, scheduler, placed / 2) if plain is None else plain
    walk = _Walk(run, scheduler, plain, halt)
    mean = _mean_turnaround_s(run.jobs.arrival, run.jobs.finish, run.jobs.failed)
    found = Regret(run.scheduler, (run.until_ms - run.first_ms) / 1000, mean, placed, 0, 0, 0, 0, 0, (), False)
    costly: list[CostlyDecision] = []
    for number in _spread(placed):
        if halt.asked or (until and time.monotonic() > until):
            break
        outcome = walk.without(number)
        until = until or time.monotonic() + seconds  # what has to be compiled first is not counted
        if halt.asked:
            break
        found = found._replace(tried=found.tried + 1)
        if outcome is not None:
            found = _counted(found, outcome)
            if outcome.makespan_ms is not None and outcome.makespan_ms < run.until_ms - run.first_ms:
                costly.append(_decision(run, found, number, outcome))
        progress(Progress(found.tried, placed, found.sooner))
    costly.sort(key=lambda one: (-one.regret_s, one.number))
    return found._replace(costly=tuple(costly[:most]), is_ended=halt.asked)


class _Outcome(NamedTuple):
    """Of a run with one choice changed: request: that the node then went to, -1 for none; instead: the name of its container, "" where it was reserved."""

    request: int
    instead: str
    makespan_ms: int | None
    mean_turnaround_s: float | None


class _Outgrown(Exception):
    """The walk needs more room, its only argument."""


class _Walk:
    """Along a run, from decision to decision; each is tried without the job that it served."""

    def __init__(self, run: Run, scheduler: Scheduler, plain: bool, halt: Halt) -> None:
        self._run, self._scheduler, self._plain, self._halt = run, scheduler, plain, halt
        self._begin(None)

    def _begin(self, room: Room | None) -> None:
        self._course = Course(begin(self._run.scenario, self._scheduler, self._plain, None, self._halt, room))
        self._first = self._course.keep()
        self._kept, self._at = self._course.keep(), -1

    def without(self, number: int) -> _Outcome | None:
        """What comes of it, None where no other job could have been served."""
        while True:
            try:
                return self._without(number)
            except _Outgrown as more:
                self._begin(more.args[0])

    def _without(self, number: int) -> _Outcome | None:
        c, course = self._run.containers, self._course
        at, node, job = int(c.start[number]), int(c.node[number]), int(c.job[number])
        self._stand_before(at)
        course.forgo(number, node, job)
        ended = self._go(at + 1)
        if ended == loop.HALTED or not course.has_forgone:
            return None
        request, instead = self._instead(number, at, node)
        if ended == loop.PAUSED:
            try:
                ended = self._go(None)
            except TooLarge:  # queues kill each other's containers for ever
                ended = loop.TOO_LONG
        if ended in (loop.DEADLOCK, loop.TOO_LONG):
            return _Outcome(request, instead, None, None)
        view, failed = course.begun.view, course.begun.state.job_failed
        mean = _mean_turnaround_s(view.job_arrival, view.job_finish, failed)
        return _Outcome(request, instead, int(view.job_finish.max() - view.job_arrival.min()), mean)

    def _stand_before(self, at: int) -> None:
        """The unchanged run, before this instant."""
        if at < self._at:
            self._kept, self._at = [array.copy() for array in self._first], -1
        self._course.put_back(self._kept)
        if at > self._at:
            self._go(at)
            self._kept, self._at = self._course.keep(self._kept), at

    def _go(self, until_ms: int | None) -> int:
        course = self._course
        ended = course.go() if until_ms is None else course.go(until_ms)
        if ended == loop.MORE_SPANS:  # all is done, and spans are not read
            return loop.FINISHED
        room = more_room(course.begun, ended)
        if room:
            raise _Outgrown(room)
        if ended not in (loop.PAUSED, loop.HALTED, loop.DEADLOCK, loop.TOO_LONG):
            finished(course.begun, ended, course.node)  # raises what is wrong
        return ended

    def _instead(self, number: int, at: int, node: int) -> tuple[int, str]:
        state, view = self._course.begun.state, self._course.begun.view
        if state.container_count[0] > number and state.container_start[number] == at and state.container_node[number] == node:
            job, kind = int(state.container_job[number]), int(state.container_kind[number])
            parts = (state.container_stage[number], KINDS[kind], state.container_index[number], state.container_attempt[number])
            return PER_JOB * job + kind, "/".join([self._run.workload.job_names[job], *(str(part) for part in parts)])
        return int(view.node_reserved[node]), ""


def _counted(found: Regret, outcome: _Outcome) -> Regret:
    gain = None if outcome.makespan_ms is None else found.makespan_s - outcome.makespan_ms / 1000
    return found._replace(
        choices=found.choices + 1,
        stuck=found.stuck + (gain is None),
        sooner=found.sooner + (gain is not None and gain > 0),
        later=found.later + (gain is not None and gain < 0),
    )


def _decision(run: Run, found: Regret, number: int, outcome: _Outcome) -> CostlyDecision:
    c, work, request = run.containers, run.workload, outcome.request
    turnaround = None
    if found.mean_turnaround_s is not None and outcome.mean_turnaround_s is not None:
        turnaround = round(found.mean_turnaround_s - outcome.mean_turnaround_s, 6)
    return CostlyDecision(
        container=name_of(run, number),
        number=number,
        at_s=int(c.start[number]) / 1000,
        node=work.node_names[c.node[number]],
        job=work.job_names[c.job[number]],
        kind=KINDS[c.kind[number]],
        instead_job="" if request < 0 else work.job_names[request // PER_JOB],
        instead_kind="" if request < 0 else KINDS[request % PER_JOB],
        instead=outcome.instead,
        makespan_s=outcome.makespan_ms / 1000,
        regret_s=(run.until_ms - run.first_ms - outcome.makespan_ms) / 1000,
        turnaround_regret_s=turnaround,
    )


def _mean_turnaround_s(arrival: np.ndarray, finish: np.ndarray, failed: np.ndarray) -> float | None:
    done = ~failed.astype(bool)
    return float((finish - arrival)[done].mean()) / 1000 if done.any() else None


def _spread(count: int) -> Iterator[int]:
    """Each number below `count` once, in passes that are spread evenly: every 2^k-th first, then those halfway between, and so on."""
    bits = max(0, (count - 1) // PASS).bit_length()
    for turn in range(1 << bits):
        offset = int(f"{turn:0{bits}b}"[::-1], 2) if bits else 0
        yield from range(offset, count, 1 << bits)
