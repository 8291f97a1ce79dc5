"""What was tried to find why the score saves less than the paper says: other runs of the same tests; in sentences.

None of it enters a verdict, and a few of the seeds are enough for it.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.analysis.metrics import summary
from engine.papers.columns import WRITTEN
from engine.papers.dynamic_priority.lab import CLUSTER
from engine.papers.judge import mean
from engine.papers.measuring import over_seeds
from engine.papers.trial import SEEDS
from engine.scenario.model import Scenario
from engine.simulation.run import Run

TRIED = SEEDS[:10]
PAIRS = {"new_Fair against Fair": ("fair", "priority-fair"), "new_Capacity against Capacity": ("capacity", "priority-capacity")}
SCHEDULERS = tuple(name for pair in PAIRS.values() for name in pair)
WAIT, TURNAROUND, TASK_WAIT = "mean_wait_s", "mean_turnaround_s", "mean_task_wait_s"
Make = Callable[[int], Scenario]


def less(old: float, new: float) -> str:
    """A change in words."""
    change = 100 * (old - new) / old if old else 0.0
    return f"{abs(change):.1f} % {'less' if change >= 0 else 'more'}"


def measured(run: Run) -> dict[str, float]:
    """Waiting and turnaround of jobs, and waiting of containers."""
    found, c = summary(run), run.containers
    return {WAIT: found[WAIT], TURNAROUND: found[TURNAROUND], TASK_WAIT: float((c.start - c.requested).mean()) / 1000}


def tried(make: Make, of: str) -> tuple[str, ...]:
    """Waiting counted by containers, and the score without its place in the queue."""
    found = over_seeds(make, SCHEDULERS, measured, seeds=TRIED)
    notes = [f"Counted as what a container waits after it was asked for, on {len(TRIED)} seeds of {of}: {_compared(found, TASK_WAIT)}."]
    placeless = {name: named for old, new in PAIRS.values() for name, named in ((old, WRITTEN[old]), (new, WRITTEN[f"{new}(k1=0)"]))}
    found = over_seeds(make, placeless, measured, seeds=TRIED)
    notes.append(f"Without the place in the queue (k1 = 0), waiting: {_compared(found, WAIT)}; turnaround: {_compared(found, TURNAROUND)}.")
    return tuple(notes)


def more_reduces(make: Make) -> str:
    """The other choice that a lab could make."""
    found = over_seeds(lambda seed: with_reduces(make(seed)), SCHEDULERS, measured, seeds=TRIED)
    return f"With a reduce a slave in each job instead of one, waiting: {_compared(found, WAIT)}; turnaround: {_compared(found, TURNAROUND)}."


def with_reduces(scenario: Scenario) -> Scenario:
    """As many reduces a job as there are slaves, each with its part of the work."""
    slaves = sum(group["count"] for group in CLUSTER["nodes"])
    jobs = []
    for job in scenario.jobs:
        duration = job.reduces.duration_s.model_copy(update={key: getattr(job.reduces.duration_s, key) / slaves for key in ("mean", "sd")})
        jobs.append(job.model_copy(update={"reduces": job.reduces.model_copy(update={"count": slaves, "duration_s": duration})}))
    return scenario.model_construct(**{**dict(scenario), "jobs": jobs})


def _compared(found: dict[str, list[float]], key: str) -> str:
    pairs = {what: [mean(found[f"{name}/{key}"]).mean for name in pair] for what, pair in PAIRS.items()}
    return ", ".join(f"{what} {less(*numbers)}" for what, numbers in pairs.items())
