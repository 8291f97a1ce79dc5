"""What befalls an attempt: draws of their own beside the task's duration, so that neither moves the other
(DRAW-3).

The key of a job (durations.key) is mixed once more by SplitMix64, at counter 2^63 + attempt x 256 + purpose.
The same attempt of a task has the same draws under every scheduler; another attempt has its own.
"""

from __future__ import annotations

import math

import numpy as np

from engine.simulation.durations import sample, uniform

STARTUP, LAUNCH, STRAGGLES, TAIL, FAILS, FAILS_AT, PARTITION, BLOCK, IDLING = range(9)  # purposes


def attempt_draw(key, attempt, purpose, iteration, kind, index):
    """A number in (0, 1) for a purpose, the same for the same arguments for ever; attempt: from 1, 0 where
    there is none.
    """
    z = key + (np.uint64(2**63) + np.uint64(attempt * 256 + purpose + 1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return uniform(z ^ (z >> np.uint64(31)), np.int64(iteration), np.int64(kind), np.int64(index))


def attempt_draw_ms(law, key, attempt, purpose, iteration, kind, index):
    """A draw in whole ms, 0 or more, from a law (kind, first, second)."""
    u = attempt_draw(key, attempt, purpose, iteration, kind, index)
    return int(math.floor(max(0.0, min(sample(u, int(law[0]), law[1], law[2]), 1e15)) + 0.5))
