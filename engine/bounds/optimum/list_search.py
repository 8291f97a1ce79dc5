"""Priority lists that are changed a little at a time and tried by the simulator, keeping what is not worse
(hill climbing over random keys; Bean 1994).

Each container has a key, and any node is given the waiting one with the least (plan_order). The first list is
the longest tail first: of what a job still has to do from the container's start on (critical-path list
scheduling). CP-SAT, which sees all of a schedule, begins with what is found here, and its own starts are keys
again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np

from engine.bounds.optimum.energy_bound import heads_and_tails
from engine.bounds.optimum.planned_batch import PlannedBatch

Evaluate = Callable[[list[int]], int]  # keys -> makespan in ms
MAX_STALL = 0.25  # of the time: so long without anything shorter, and it is left to CP-SAT
STEP = 0.3  # of the makespan: how far keys are moved, one standard deviation


def longest_tail_first(batch: PlannedBatch) -> list[int]:
    """Keys: less what the job takes at least from the container's start to its end."""
    _, min_ms, tail = heads_and_tails(batch)
    return (-(min_ms + tail)).tolist()


def hill_climb(
    batch: PlannedBatch,
    keys: list[int],
    best_ms: int,
    evaluate: Evaluate,
    seconds: float,
    draws: random.Random,
) -> list[int]:
    """The best keys after so long, or when nothing shorter comes of it; best_ms: what the first ones make."""
    until, current = time.monotonic() + seconds, np.array(keys)
    last_gain = time.monotonic()
    groups = [np.array(places) for stages in batch.tasks for stage in stages for places in stage if places]
    job_of_container = np.array([container.job for container in batch.containers])
    while time.monotonic() < min(until, last_gain + MAX_STALL * seconds):
        candidate = _perturbed(current, groups, job_of_container, draws, STEP * best_ms)
        makespan_ms = evaluate(candidate.tolist())
        if makespan_ms < best_ms:
            last_gain = time.monotonic()
        if makespan_ms <= best_ms:
            best_ms, current = makespan_ms, candidate
    return current.tolist()


def _perturbed(
    keys: np.ndarray,
    groups: list[np.ndarray],
    job_of_container: np.ndarray,
    draws: random.Random,
    step: float,
) -> np.ndarray:
    """Half the time a part of one stage's maps or reduces, else a whole job, or a single container beside
    another.
    """
    keys_moved, kind, by = keys.copy(), draws.random(), int(draws.gauss(0, step))
    if kind < 0.5:
        group = draws.choice(groups)
        cut = draws.randrange(len(group))
        keys_moved[group[cut:] if draws.random() < 0.5 else group[: cut + 1]] += by
    elif kind < 0.8:
        keys_moved[job_of_container == draws.choice(job_of_container)] += by
    else:
        keys_moved[draws.randrange(len(keys_moved))] = keys_moved[draws.randrange(len(keys_moved))] - 1
    return keys_moved
