"""What scripts of one kind exercise, and Hadoop's schedulers by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# Hadoop's schedulers and Gantry's orders
NAMES = {
    "fifo": "fifo",
    "fair": "fair",
    "drf": "drf",
    "capacity": "capacity",
    "capacity-drc": "capacity",
}
MEMORY_ONLY = ("fifo", "capacity")  # DefaultResourceCalculator
SHARING = ("fair", "drf")
CAPACITY = ("capacity", "capacity-drc")
EVERY = tuple(NAMES)


@dataclass(frozen=True)
class Feature:
    """What scripts of one kind exercise. schedulers: those that know it; each: how many scripts a scheduler;
    about: a sentence for the page.

    adds(script, draw): what one more rule writes into a script that is drawn, for Hadoop (`conf`,
    `allocations`, queues' `settings`) and, in the scenario's own words, for Gantry (`gantry`); golden: the
    golden file of its decisions, else the scheduler's.
    """

    name: str
    schedulers: tuple[str, ...]
    each: int
    about: str
    tree: bool = False  # queues on three levels, else one leaf
    weights: bool = False
    shares: bool = False  # minimum and maximum shares, or maximum capacities
    reduces: bool = False
    slowstart: bool = False  # reduces while maps wait
    several: bool = False  # containers a heartbeat
    masters: bool = False
    sizes: bool = False  # containers and nodes of several sizes
    reservations: bool = False
    am_limit: bool = False  # a part of each queue for its masters; each job has one
    ramp_up: bool = False  # Hadoop's own MapReduce master, and reduces enough to be in the way
    hangs: bool = False  # maps of more than half a node, which small reduces on each keep out
    users: bool = False  # several in a queue, with limits
    update_ms: int = 0
    tens: bool = False  # nodes for ten containers, so that percentages give whole ones, were they not floats
    adds: Callable[[dict[str, Any], random.Random], None] | None = None
    golden: str = ""
