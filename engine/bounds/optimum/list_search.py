"""Priority lists that are changed a little at a time and tried by the simulator, as long as none is worse (hill climbing over random keys; Bean 1994).

Each container has a key, and any node is given the waiting one with the least (plan_order). The first list is the longest tail first: of what a job still
has to do from the container's start on (critical-path list scheduling). CP-SAT, which sees all of a schedule, begins with what is found here, and its own
starts are keys again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np

from engine.bounds.optimum.energy_bound import windows
from engine.bounds.optimum.planned_batch import PlannedBatch

Tried = Callable[[list[int]], int]  # keys -> makespan in ms
PATIENCE = 0.25  # of the time: so long without anything shorter, and it is left to CP-SAT
STEP = 0.3  # of the makespan: how far keys are moved, one standard deviation


def longest_tail_first(batch: PlannedBatch) -> list[int]:
    """Keys: less what the job takes at least from the container's start to its end."""
    _, least, tail = windows(batch)
    return (-(least + tail)).tolist()


def climb(batch: PlannedBatch, keys: list[int], best_ms: int, tried: Tried, seconds: float, draws: random.Random) -> list[int]:
    """The best keys after so long, or when nothing shorter comes of it; best_ms: what the first ones make."""
    until, at = time.monotonic() + seconds, np.array(keys)
    last = time.monotonic()
    groups = [np.array(places) for stages in batch.tasks for stage in stages for places in stage if places]
    of_job = np.array([one.job for one in batch.containers])
    while time.monotonic() < min(until, last + PATIENCE * seconds):
        moved = _moved(at, groups, of_job, draws, STEP * best_ms)
        found = tried(moved.tolist())
        if found < best_ms:
            last = time.monotonic()
        if found <= best_ms:
            best_ms, at = found, moved
    return at.tolist()


def _moved(keys: np.ndarray, groups: list[np.ndarray], of_job: np.ndarray, draws: random.Random, step: float) -> np.ndarray:
    """Half the time a part of one stage's maps or reduces, else a whole job, or a single container beside another."""
    found, kind, by = keys.copy(), draws.random(), int(draws.gauss(0, step))
    if kind < 0.5:
        group = draws.choice(groups)
        cut = draws.randrange(len(group))
        found[group[cut:] if draws.random() < 0.5 else group[: cut + 1]] += by
    elif kind < 0.8:
        found[of_job == draws.choice(of_job)] += by
    else:
        found[draws.randrange(len(found))] = found[draws.randrange(len(found))] - 1
    return found
