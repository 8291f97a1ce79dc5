"""A run that pauses: copies of its arrays, taken before an instant, from which it goes on as if it had not
stopped.

The kernel is driven wholly by the arrays of View, State and the policies' memories; of those the ones that a
run may write to are copied.
Law: a run that goes on from any instant is the whole run, array for array. A snapshot goes on under its own
scheduler alone: another one has other sizes, limits, reservations and memories from the first instant on.
Under another scenario it goes on where incremental_run.py says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.codes import EXCLUDED, INFINITE, PAUSED
from engine.errors import SchedulerError
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler, parse
from engine.simulation.cancellation import CancelToken
from engine.simulation.kernel.state import COUNTERS
from engine.simulation.physics_arrays import Physics
from engine.simulation.run import Run
from engine.simulation.simulate import (
    ArraySizes,
    PreparedRun,
    finish_run,
    larger_sizes,
    prepare,
    runs_plain,
    simulate,
)

MAX_SNAPSHOTS = 16  # of one call: each holds some 150 bytes a container and 700 a job
ArrayCopies = list[np.ndarray]


class Snapshot(NamedTuple):
    """A run before its first instant at or after `at_ms`: all that the kernel needs to go on. start: every
    array of the run at its beginning, in the order of `named_arrays`; snapshots of one run share it."""

    scenario: Scenario
    scheduler: Scheduler
    plain: bool
    at_ms: int
    array_sizes: ArraySizes
    arrays: ArrayCopies
    start: ArrayCopies

    @property
    def nbytes(self) -> int:
        """What its copies take."""
        return sum(array.nbytes for array in self.arrays)


class PausableRun:
    """One run whose arrays can be kept and put back, so that it goes on from there again, or changed."""

    def __init__(self, prepared: PreparedRun) -> None:
        self.prepared = prepared
        self._arrays = [array for _, array, is_written in named_arrays(prepared) if is_written]
        self.node = -1

    def advance(self, until_ms: int = INFINITE) -> int:
        """Runs on until before the first instant at that time or later; returns PAUSED, or how it ended as
        the kernel says.
        """
        self.prepared.state.pause_ms[0] = until_ms
        ended, self.node = self.prepared.kernel.advance()
        return ended

    def exclude(self, container: int, node: int, job: int) -> None:
        """Of a run that stands before the instant of the choice that placed this container there: its job is
        left out of that choice.
        """
        state = self.prepared.state
        state.excluded_container[0], state.excluded_node[0], state.excluded_job[0] = container, node, job

    @property
    def has_excluded(self) -> bool:
        """Was the choice met, and was another job there to be served?"""
        return bool(self.prepared.state.excluded_container[0] == EXCLUDED)

    def save(self, target: ArrayCopies | None = None) -> ArrayCopies:
        """Copies of the arrays as they stand; target: copies from before, which are written over."""
        if target is None:
            return [array.copy() for array in self._arrays]
        for old, array in zip(target, self._arrays):
            old[:] = array
        return target

    def start(self) -> ArrayCopies:
        """Of a run that has not begun to advance: every array, in the order of `named_arrays`, copies of
        those that it will write to.
        """
        return [array.copy() if is_written else array for _, array, is_written in named_arrays(self.prepared)]

    def snapshot(self, at_ms: int, start: ArrayCopies) -> Snapshot:
        """Of the run as it stands, having gone on until before this instant."""
        prepared = self.prepared
        return Snapshot(
            prepared.scenario,
            prepared.chosen,
            prepared.plain,
            at_ms,
            prepared.array_sizes,
            self.save(),
            start,
        )

    def restore(self, copies: ArrayCopies) -> None:
        """The arrays as they stood when they were kept."""
        for array, old in zip(self._arrays, copies):
            array[:] = old


def snapshots(
    scenario: Scenario,
    scheduler: str | Scheduler,
    at_ms: Sequence[int],
    plain: bool | None = None,
    cancel_token: CancelToken | None = None,
) -> list[Snapshot]:
    """Snapshots of one run at these times in ms, in ascending order; at a time after its end they are of
    that.

    plain: uncompiled, or compiled, with the same result; by default what is there sooner. Raises what
    `simulate` does, SchedulerError for `measured`, which nothing computes, and ValueError for more than
    MOST_SNAPSHOTS. Cost: the run, and a copy of its arrays each.
    """
    chosen = checked_scheduler(scheduler, at_ms)
    plain = runs_plain(scenario, chosen) if plain is None else plain
    array_sizes: ArraySizes | None = None
    while True:
        paused_run = PausableRun(
            prepare(scenario, chosen, plain, None, cancel_token or CancelToken(), array_sizes)
        )
        start, taken = paused_run.start(), []
        for at in sorted(at_ms):
            ended = paused_run.advance(at)
            array_sizes = larger_sizes(paused_run.prepared, ended)
            if array_sizes:
                break
            if ended != PAUSED:
                finish_run(paused_run.prepared, ended, paused_run.node)  # raises what is wrong
            taken.append(paused_run.snapshot(at, start))
        else:
            return taken


def checked_scheduler(scheduler: str | Scheduler, at_ms: Sequence[int]) -> Scheduler:
    """The scheduler, of whose runs so many snapshots may be taken. Raises SchedulerError and ValueError as
    `snapshots` does.
    """
    chosen = parse(scheduler) if isinstance(scheduler, str) else scheduler
    if chosen.is_measured:
        raise SchedulerError(msg("simulation.snapshots.measured_what_cluster_did_cant_be"))
    if len(at_ms) > MAX_SNAPSHOTS:
        raise ValueError(
            msg(
                "simulation.snapshots.snapshots_one_run_must_be_at",
                at_ms=len(at_ms),
                max_snapshots=MAX_SNAPSHOTS,
            )
        )
    return chosen


def resume(snapshot: Snapshot, cancel_token: CancelToken | None = None) -> Run:
    """The run gone on with from there to its end. One that now needs more room is run from its beginning.
    Raises what `simulate` does.
    """
    paused_run = PausableRun(
        prepare(
            snapshot.scenario,
            snapshot.scheduler,
            snapshot.plain,
            None,
            cancel_token or CancelToken(),
            snapshot.array_sizes,
        )
    )
    paused_run.restore(snapshot.arrays)
    ended = paused_run.advance()
    if larger_sizes(paused_run.prepared, ended):
        return simulate(
            snapshot.scenario, snapshot.scheduler, plain=snapshot.plain, cancel_token=cancel_token
        )
    return finish_run(paused_run.prepared, ended, paused_run.node)


def named_arrays(prepared: PreparedRun) -> list[tuple[str, np.ndarray, bool]]:
    """Every array of a run by its name, and whether the run may write to it: not to those of the scenario,
    which runs share, and `cancel_token` is not among them. Counters are one array."""
    physics = (getattr(prepared.state, name) for name in Physics._fields)
    shared = {
        id(array)
        for array in (*vars(prepared.work).values(), *prepared.work.queues, prepared.state.draws, *physics)
    }
    state = zip(prepared.state._fields[: -len(COUNTERS)], prepared.state)
    arrays = [
        *zip(prepared.view._fields, prepared.view),
        *((name, array) for name, array in state if name != "cancel_flag"),
    ]
    arrays_written = [(name, array, len(array) > 0 and id(array) not in shared) for name, array in arrays]
    counters = prepared.state.pause_ms.base
    assert counters is not None  # each counter is a view of one array
    return [
        *arrays_written,
        ("counters", counters, True),
        *((name, array, True) for name, array in prepared.kernel.memory),
    ]
