"""A run with what is always asked of it, and of the optimum how it was found; what follows from it is made
once in each process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from engine import Run, capacity_split
from engine.dashboard import MEASURED, OPTIMUM, CapacitySplit, Optimum, SearchProgress, placement_digest
from webapp.figures import Scene
from webapp.runs.parallel_map import PARALLEL_CONTAINERS, trim_memory

T = TypeVar("T")
# runs that no scheduler made: they stand beside those that are compared, and are never the best of them
NOT_SCHEDULED = (MEASURED.name, OPTIMUM)


class OptimumRecord(NamedTuple):
    """How an optimum was found. beside: the schedulers whose runs it began with, and for which what is proved
    holds; way: what was known after how long.
    """

    found: Optimum
    beside: tuple[str, ...]
    way: tuple[SearchProgress, ...]


@dataclass(frozen=True)
class Outcome:
    """metrics: by key of engine's METRICS; planned: of the optimum alone."""

    run: Run
    metrics: dict[str, Any]
    planned: OptimumRecord | None = None

    @property
    def is_scheduled(self) -> bool:
        """Did a scheduler make it?"""
        return self.run.scheduler not in NOT_SCHEDULED

    @cached_property
    def split(self) -> CapacitySplit:
        """Where the capacity goes; made anew in each process, for it is larger than the run and quickly
        made.
        """
        return self._made(capacity_split)

    @cached_property
    def placement(self) -> tuple[int, int]:
        """The same for runs whose containers are alike."""
        return placement_digest(self.run)

    @cached_property
    def scene(self) -> Scene:
        """What its pictures are made of."""
        return self._made(Scene)

    def _made(self, make: Callable[[Run], T]) -> T:
        made = make(self.run)
        if len(self.run.containers.job) > PARALLEL_CONTAINERS:
            trim_memory()
        return made

    def ready(self) -> None:
        """Makes what its charts are drawn from, if that is not there."""
        _ = self.split, self.scene
