"""How an experiment is run: over which seeds, with which of the physics moved, and who is told of its
progress.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.scenario.field_types import Uniform, Value
from engine.scenario.model import Job, Scenario
from engine.schedulers.scheduler import Scheduler
from engine.simulation.cancellation import CancelToken

Progress = Callable[[int, int], None]  # so many steps of so many are done; raises what shall end the work
SEEDS = range(1, 101)
RESERVATIONS = "reservations"


@dataclass(frozen=True)
class Conditions:
    """Overrides of an experiment's physics; None keeps the experiment's own.

    fetch_mb_s: how fast one reduce fetches, MB/s; contention: of tasks on a node; launch_s: from a
    container's allocation to its task's begin;
    stagger_s: masters start up over so many seconds more, uniform; reservations: whether Fair, DRF and
    Capacity reserve nodes;
    slowstart: share of a job's maps, but where a scheduler names its own.
    """

    fetch_mb_s: float | None = None
    contention: float | None = None
    launch_s: float | None = None
    stagger_s: float | None = None
    reservations: bool | None = None
    slowstart: float | None = None

    def apply_to(self, scenario: Scenario) -> Scenario:
        """The scenario under these conditions; jobs without an ApplicationMaster have none that could start
        late.
        """
        physics = {"shuffle_mb_s": self.fetch_mb_s, "contention": self.contention, "launch_s": self.launch_s}
        cluster = {key: value for key, value in physics.items() if value is not None}
        jobs = (
            {}
            if self.slowstart is None and self.stagger_s is None
            else {"jobs": [self._job(job) for job in scenario.jobs]}
        )
        if not cluster and not jobs:
            return scenario
        changed = {"cluster": scenario.cluster.model_copy(update=cluster), **jobs}
        return scenario.model_construct(**{**dict(scenario), **changed})

    def apply_to_scheduler(self, scheduler: Scheduler) -> Scheduler:
        """The scheduler with or without reservations, where it can have them."""
        if self.reservations is None or RESERVATIONS not in scheduler.order.given:
            return scheduler
        reservations = {RESERVATIONS: "yes" if self.reservations else "no"}
        values = tuple((scheduler.order.given | reservations).values())
        return replace(scheduler, order=replace(scheduler.order, values=values))

    def _job(self, job: Job) -> Job:
        changed: dict[str, Any] = {} if self.slowstart is None else {"slowstart": self.slowstart}
        if self.stagger_s is not None and job.am is not None:
            changed["am"] = job.am.model_copy(
                update={"startup_s": _staggered(job.am.startup_s, self.stagger_s)}
            )
        return job.model_copy(update=changed)


def _staggered(startup: float | Value, stagger_s: float) -> float | Value:
    """From the least start-up on, so much more; a start-up drawn otherwise stays as it is."""
    min_startup = startup.low if isinstance(startup, Uniform) else startup
    if isinstance(min_startup, Value):
        return startup
    return (
        Uniform(dist="uniform", low=min_startup, high=min_startup + stagger_s) if stagger_s else min_startup
    )


DEFAULT_CONDITIONS = Conditions()


def no_progress(done: int, total: int) -> None:
    """Ignores progress."""


@dataclass(frozen=True)
class Trial:
    """One way to run an experiment. seeds: of experiments with chance in them; conditions: what is moved;
    cancel_token: another thread may end its runs by it.
    """

    progress: Progress = no_progress
    seeds: Sequence[int] = SEEDS
    conditions: Conditions = DEFAULT_CONDITIONS
    cancel_token: CancelToken | None = None

    def part(self, index: int, count: int) -> Trial:
        """The same, whose progress is one of so many parts of the whole."""
        return replace(self, progress=lambda done, steps: self.progress(index * steps + done, count * steps))

    def raise_if_cancelled(self) -> None:
        """Between steps that don't check `cancel_token`. Raises RunCancelled once it was asked."""
        if self.cancel_token:
            self.cancel_token.raise_if_cancelled()

    def at_most(self, seeds: int) -> Trial:
        """The same over the first of its seeds."""
        return replace(self, seeds=self.seeds[:seeds])
