"""A run that pauses: copies of its arrays, taken before an instant, from which it goes on as if it had not stopped.

The kernel is driven wholly by the arrays of View, State and the policies' memories; of those the ones that a run may write to are copied.
Law: a run that goes on from any instant is the whole run, array for array. A snapshot goes on under its own scheduler alone: another one
has other sizes, limits, reservations and memories from the first instant on. Under another scenario it goes on where changed_future.py says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.errors import SchedulerError
from engine.scenario.model import Scenario
from engine.schedulers.names import Scheduler, parse
from engine.simulation.halt import Halt
from engine.simulation.kernel import loop
from engine.simulation.kernel.state import COUNTERS, FAR, FORGONE
from engine.simulation.physics_arrays import Physics
from engine.simulation.run import Run
from engine.simulation.simulate import Begun, Room, begin, finished, more_room, runs_plain, simulate

MOST_SNAPSHOTS = 16  # of one call: each holds some 150 bytes a container and 700 a job
Kept = list[np.ndarray]


class Snapshot(NamedTuple):
    """A run before its first instant at or after `at_ms`: all that the kernel needs to go on. start: every array of the run at its beginning, in the
    order of `named`; snapshots of one run share it."""

    scenario: Scenario
    scheduler: Scheduler
    plain: bool
    at_ms: int
    room: Room
    arrays: Kept
    start: Kept

    @property
    def nbytes(self) -> int:
        """What its copies take."""
        return sum(array.nbytes for array in self.arrays)


class Course:
    """One run whose arrays can be kept and put back, so that it goes on from there again, or changed."""

    def __init__(self, begun: Begun) -> None:
        self.begun = begun
        self._arrays = [array for _, array, is_written in named(begun) if is_written]
        self.node = -1

    def go(self, until_ms: int = FAR) -> int:
        """Runs on until before the first instant at that time or later; returns PAUSED, or how it ended as the kernel says."""
        self.begun.state.pause_ms[0] = until_ms
        ended, self.node = self.begun.kernel.go()
        return ended

    def forgo(self, container: int, node: int, job: int) -> None:
        """Of a run that stands before the instant of the choice that placed this container there: its job is left out of that choice."""
        state = self.begun.state
        state.forgo_container[0], state.forgo_node[0], state.forgo_job[0] = container, node, job

    @property
    def has_forgone(self) -> bool:
        """Was the choice met, and was another job there to be served?"""
        return bool(self.begun.state.forgo_container[0] == FORGONE)

    def keep(self, into: Kept | None = None) -> Kept:
        """Copies of the arrays as they stand; into: copies from before, which are written over."""
        if into is None:
            return [array.copy() for array in self._arrays]
        for old, array in zip(into, self._arrays):
            old[:] = array
        return into

    def start(self) -> Kept:
        """Of a course that has not begun to go: every array, in the order of `named`, copies of those that it will write to."""
        return [array.copy() if is_written else array for _, array, is_written in named(self.begun)]

    def snapshot(self, at_ms: int, start: Kept) -> Snapshot:
        """Of the run as it stands, having gone on until before this instant."""
        begun = self.begun
        return Snapshot(begun.scenario, begun.chosen, begun.plain, at_ms, begun.room, self.keep(), start)

    def put_back(self, kept: Kept) -> None:
        """The arrays as they stood when they were kept."""
        for array, old in zip(self._arrays, kept):
            array[:] = old


def snapshots(scenario: Scenario, scheduler: str | Scheduler, at_ms: Sequence[int], plain: bool | None = None, halt: Halt | None = None) -> list[Snapshot]:
    """Snapshots of one run at these times in ms, in ascending order; at a time after its end they are of that.

    plain: uncompiled, or compiled, with the same result; by default what is there sooner. Raises what `simulate` does, SchedulerError for `measured`,
    which nothing computes, and ValueError for more than MOST_SNAPSHOTS. Cost: the run, and a copy of its arrays each.
    """
    chosen = continuable(scheduler, at_ms)
    plain = runs_plain(scenario, chosen) if plain is None else plain
    room: Room | None = None
    while True:
        course = Course(begin(scenario, chosen, plain, None, halt or Halt(), room))
        start, found = course.start(), []
        for at in sorted(at_ms):
            ended = course.go(at)
            room = more_room(course.begun, ended)
            if room:
                break
            if ended != loop.PAUSED:
                finished(course.begun, ended, course.node)  # raises what is wrong
            found.append(course.snapshot(at, start))
        else:
            return found


def continuable(scheduler: str | Scheduler, at_ms: Sequence[int]) -> Scheduler:
    """The scheduler, of whose runs so many snapshots may be taken. Raises SchedulerError and ValueError as `snapshots` does."""
    chosen = parse(scheduler) if isinstance(scheduler, str) else scheduler
    if chosen.is_measured:
        raise SchedulerError("measured is what a cluster did; it can't be gone on with, so name a scheduler")
    if len(at_ms) > MOST_SNAPSHOTS:
        raise ValueError(f"{len(at_ms)} snapshots of one run must be at most {MOST_SNAPSHOTS}")
    return chosen


def continued(snapshot: Snapshot, halt: Halt | None = None) -> Run:
    """The run gone on with from there to its end. One that now needs more room is run from its beginning. Raises what `simulate` does."""
    course = Course(begin(snapshot.scenario, snapshot.scheduler, snapshot.plain, None, halt or Halt(), snapshot.room))
    course.put_back(snapshot.arrays)
    ended = course.go()
    if more_room(course.begun, ended):
        return simulate(snapshot.scenario, snapshot.scheduler, plain=snapshot.plain, halt=halt)
    return finished(course.begun, ended, course.node)


def named(begun: Begun) -> list[tuple[str, np.ndarray, bool]]:
    """Every array of a run by its name, and whether the run may write to it: not to those of the scenario, which runs share, and `halt` is not among them.
    Counters are one array."""
    physics = (getattr(begun.state, name) for name in Physics._fields)
    shared = {id(array) for array in (*vars(begun.work).values(), *begun.work.queues, begun.state.draws, *physics)}
    state = zip(begun.state._fields[: -len(COUNTERS)], begun.state)
    arrays = [*zip(begun.view._fields, begun.view), *((name, array) for name, array in state if name != "halt")]
    found = [(name, array, len(array) > 0 and id(array) not in shared) for name, array in arrays]
    return [*found, ("counters", begun.state.pause_ms.base, True), *((name, array, True) for name, array in begun.kernel.memory)]
