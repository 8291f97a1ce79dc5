"""Work that contention slows: when it ends, at the speed that its node has from now on (CONTENTION-2)."""

from __future__ import annotations

import math

from engine.codes import NOISE_MS
from engine.simulation.kernel.clock import MAX_DURATION_MS


def slowdown(contention: float, k: float) -> float:
    """How many times as long everything takes as alone."""
    return 1.0 + contention * max(k - 1.0, 0.0)


def slowed_end(now: int, remaining_ms: float, slowdown: float) -> int:
    """remaining_ms: at k = 1. No task ends in the instant that changed its speed."""
    remaining = math.ceil(min(remaining_ms * slowdown, MAX_DURATION_MS) - NOISE_MS)
    return now + max(1, int(remaining))
