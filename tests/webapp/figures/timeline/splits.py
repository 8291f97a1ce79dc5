"""Random splits of a capacity."""

from __future__ import annotations

import numpy as np

from engine.analysis.capacity.accounting import ALL_COLUMNS, WASTED_LATER
from engine.analysis.capacity.split import PARTS, CapacitySplit, ResourceSplit

CAPACITY = 4


def split(pieces: int, seed: int = 1, killed: bool = False) -> CapacitySplit:
    """Parts at random that add up to the capacity, over 10 s."""
    random = np.random.default_rng(seed)
    times = np.sort(
        np.concatenate([[0, 10_000], random.choice(np.arange(1, 10_000), pieces - 1, replace=False)])
    )
    vcores = random.multinomial(CAPACITY, np.full(len(PARTS), 1 / len(PARTS)), pieces)
    figures = np.zeros((pieces, ALL_COLUMNS), np.int64)
    figures[:, [part.column for part in PARTS]] = vcores
    figures[:, WASTED_LATER] = vcores[:, [part.key for part in PARTS].index("fetching")] if killed else 0
    return CapacitySplit(
        times, *(ResourceSplit(size * CAPACITY, size * figures, np.diff(times)) for size in (1024, 1))
    )
