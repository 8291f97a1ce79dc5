"""Processes that do a study's runs, kept warm for a while after the last study: to start one takes a second
or two, to keep one some 150 MB.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from engine.dashboard import ProcessRunner

IDLE_S = 120.0


class WarmPool:
    """A context of one study; count: of processes, asked once they are begun."""

    def __init__(
        self, count: Callable[[], int], timer: Callable[..., threading.Timer] = threading.Timer
    ) -> None:
        self._count, self._timer, self._lock = count, timer, threading.Lock()
        self._processes: ProcessRunner | None = None
        self._ends: threading.Timer | None = None
        self._users = 0

    @property
    def begun(self) -> bool:
        """Are there any?"""
        return self._processes is not None

    def __enter__(self) -> ProcessRunner:
        with self._lock:
            if self._ends:
                self._ends.cancel()
            self._users += 1
            self._processes = self._processes or ProcessRunner(self._count())
            return self._processes

    def __exit__(self, *_: Any) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._ends = self._timer(IDLE_S, self.close)
                self._ends.daemon = True
                self._ends.start()

    def close(self) -> None:
        """End them, unless a study is under way."""
        with self._lock:
            if self._processes and not self._users:
                self._processes.close()
                self._processes = None
