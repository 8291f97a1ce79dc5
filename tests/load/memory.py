"""How much memory a server's processes hold, over time."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path

EVERY_S = 2.0
MB = 2**20


class Memory:
    """Samples the sum of what is resident of these processes, in MB, from now on until it is ended."""

    def __init__(self, processes: Callable[[], list[int]]) -> None:
        self._processes, self._over = processes, threading.Event()
        self.samples: list[tuple[float, float]] = []
        self._begun = time.monotonic()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """No more."""
        self._over.set()
        self._thread.join()

    def mean(self, since_s: float, until_s: float) -> float:
        """MB between two times since its begin."""
        return statistics.fmean(mb for at, mb in self.samples if since_s <= at <= until_s)

    def _sample(self) -> None:
        while not self._over.wait(EVERY_S):
            self.samples.append((time.monotonic() - self._begun, sum(map(own_mb, self._processes()))))


def own_mb(process: int) -> float:
    """What it has for itself and its share of what it has with others, MB; 0 for one that has gone."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) * 1024 / MB
