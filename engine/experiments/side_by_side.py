"""One scenario under several schedulers, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from engine.analysis.metrics import summary
from engine.errors import SchedulerError
from engine.experiments.replications import parallel_map
from engine.messages import msg
from engine.rich_display import RichDisplay
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler, as_scheduler
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Comparison(RichDisplay):
    """Runs of one scenario, in the order of their schedulers; `comparison["fair"]` is one of them."""

    runs: tuple[Run, ...]

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __getitem__(self, scheduler: str) -> Run:
        """KeyError where that one was not compared."""
        return {run.scheduler: run for run in self.runs}[as_scheduler(scheduler).name]

    def __repr__(self) -> str:
        return self.frame().T.to_string()

    def frame(self, rows: Literal["schedulers", "containers", "jobs"] = "schedulers") -> pd.DataFrame:
        """A table of pandas: a row a scheduler, a column a metric; or the rows of every run's own table, the
        scheduler before them.
        """
        import pandas as pd

        if rows == "schedulers":
            names = pd.Index([run.scheduler for run in self.runs], name="scheduler")
            return pd.DataFrame([summary(run) for run in self.runs], index=names)
        return pd.concat({run.scheduler: run.frame(rows) for run in self.runs}, names=["scheduler"])


def compare(scenario: Scenario, schedulers: Iterable[str | Scheduler]) -> Comparison:
    """Run a scenario under each of these schedulers, as many at a time as the machine has cores; one after
    another where nothing is compiled, as in a browser, which has no threads.

    Raises SchedulerError where there is none, or one twice, and what `simulate` raises.
    """
    chosen = [as_scheduler(schedulers)] if isinstance(schedulers, str) else [*map(as_scheduler, schedulers)]
    if not chosen:
        raise SchedulerError(msg("experiments.side_by_side.none"))
    names = [scheduler.name for scheduler in chosen]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise SchedulerError(msg("experiments.side_by_side.twice", name=twice))
    return Comparison(tuple(parallel_map(lambda scheduler: simulate(scenario, scheduler), chosen)))
