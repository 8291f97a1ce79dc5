"""A run that pauses before an instant, and goes on from copies of its arrays as if it had not stopped.

The kernel is driven wholly by the arrays of View, State and the policies' memories; of those the ones that a
run may write to are copied.
Law: a run that goes on from any instant, paused or restored, is the whole run, array for array.
"""

from __future__ import annotations

import numpy as np

from engine.codes import EXCLUDED, INFINITE
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
        self.prepared.state.pause_ms = until_ms
        ended, self.node = self.prepared.kernel.advance()
        return ended

    def exclude(self, container: int, node: int, job: int) -> None:
        """Of a run that stands before the instant of the choice that placed this container there: its job is
        left out of that choice.
        """
        state = self.prepared.state
        state.excluded_container, state.excluded_node, state.excluded_job = container, node, job

    @property
    def has_excluded(self) -> bool:
        """Was the choice met, and was another job there to be served?"""
        return bool(self.prepared.state.excluded_container == EXCLUDED)

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
    """The blocks that a run may write to: neither the scenario's arrays, which runs share, nor the flag that
    cancels it lie in them.
    """
    return [prepared.view.block, prepared.state.block, *prepared.kernel.memory]
