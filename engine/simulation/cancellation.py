"""How a run is cancelled: by another thread, while the kernel runs without Python's lock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from engine.errors import RunCancelled
from engine.messages import msg


class CancelToken:
    """A request that runs end: those that were given it do so at their next instant or heartbeat. Several
    runs may share one.
    """

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)

    def cancel(self) -> None:
        """Ends the runs; there is no way back."""
        self.flag[0] = 1

    @property
    def is_cancelled(self) -> bool:
        """Has `cancel` been called?"""
        return bool(self.flag[0])

    def raise_if_cancelled(self) -> None:
        """For code between steps that don't look at the flag themselves. Raises RunCancelled once `cancel`
        has been called.
        """
        if self.is_cancelled:
            raise RunCancelled(msg("simulation.cancellation.was_cancelled"))

    @contextmanager
    def cancel_after(self, seconds: float) -> Iterator[None]:
        """Cancels by itself when what runs inside takes longer."""
        timer = threading.Timer(seconds, self.cancel)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
