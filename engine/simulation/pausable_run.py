"""A run that pauses before an instant, and goes on from copies of its arrays as if it had not stopped.

The kernel is driven wholly by the arrays of View, State and the policies' memories; of those the ones that a
run may write to are copied.
Law: a run that goes on from any instant, paused or restored, is the whole run, array for array.
"""

from __future__ import annotations

import numpy as np

from engine.codes import EXCLUDED, INFINITE
from engine.simulation.kernel.state import COUNTERS
from engine.simulation.physics_arrays import Physics
from engine.simulation.simulate import PreparedRun

ArrayCopies = list[np.ndarray]


class PausableRun:
    """One run whose arrays can be saved and restored, so that it goes on from there again, or changed."""

    def __init__(self, prepared: PreparedRun) -> None:
        self.prepared = prepared
        self._arrays = _written_arrays(prepared)
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

    def restore(self, copies: ArrayCopies) -> None:
        """The arrays as they stood when they were saved."""
        for array, old in zip(self._arrays, copies):
            array[:] = old


def _written_arrays(prepared: PreparedRun) -> list[np.ndarray]:
    """The arrays that a run may write to: not those of the scenario, which runs share, nor the flag that
    cancels it. Counters are one array.
    """
    state = prepared.state
    physics = (getattr(state, name) for name in Physics._fields)
    work = (*vars(prepared.work).values(), *prepared.work.queues)
    shared = {id(array) for array in (*work, *physics, state.draws, state.cancel_flag)}
    arrays = (*prepared.view, *state[: -len(COUNTERS)])
    counters = state.pause_ms.base
    assert counters is not None  # each counter is a view of one array
    written = [array for array in arrays if len(array) > 0 and id(array) not in shared]
    return [*written, counters, *prepared.kernel.memory]
