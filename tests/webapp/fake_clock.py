"""Time that a test moves."""

from __future__ import annotations


class Clock:
    """Stands still at `now`, in seconds, until the test moves it."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
