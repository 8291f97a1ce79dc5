"""The result of a study: a number a point, scheduler, seed and metric; filled as batches come, in whatever
order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.codes import RunState
from engine.rich_display import RichDisplay
from engine.studies.batches import STATES, Batch
from engine.studies.study import Study
from engine.version import VERSION

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class StudyResult(RichDisplay):
    """values: float64[points, schedulers, seeds, metrics], nan where a run has no value; state: int8[points,
    schedulers, seeds], an index of STATES;
    because: by (point, scheduler's place), why the first of its runs that hung or was refused did."""

    study: Study
    values: np.ndarray
    state: np.ndarray
    because: dict[tuple[int, int], str] = field(default_factory=dict)
    # the unit of each reason
    _told: dict[tuple[int, int], int] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def empty(cls, study: Study) -> StudyResult:
        """Nothing is run yet."""
        shape = len(study.points), len(study.schedulers), study.seeds
        return cls(study, np.full((*shape, len(study.metrics)), np.nan), np.zeros(shape, np.int8))

    def add_batch(self, batch: Batch) -> None:
        """Stores the numbers of a batch."""
        units = np.arange(batch.first, batch.first + len(batch.state))
        points, seeds = np.divmod(units, self.study.seeds)
        for scheduler_index in range(len(self.study.schedulers)):
            was_run = batch.state[:, scheduler_index] != RunState.NOT_RUN
            self.values[points[was_run], scheduler_index, seeds[was_run]] = batch.values[
                was_run, scheduler_index
            ]
            self.state[points[was_run], scheduler_index, seeds[was_run]] = batch.state[
                was_run, scheduler_index
            ]
        for unit, scheduler_index, sentence in batch.because:
            key = unit // self.study.seeds, scheduler_index
            if unit <= self._told.get(key, unit):  # batches come in any order
                self._told[key], self.because[key] = unit, sentence

    def filled(self) -> StudyResult:
        """The result with the numbers filled in that a scheduler has at several points: a parameter of
        another scheduler does not change it.
        """
        study = self.study
        sources = np.array(
            [
                [study.source(point, scheduler_index) for scheduler_index in range(len(study.schedulers))]
                for point in range(len(study.points))
            ]
        )
        places = np.arange(len(study.schedulers))
        reasons = {
            (point, scheduler_index): self.because.get((int(source), scheduler_index))
            for (point, scheduler_index), source in np.ndenumerate(sources)
        }
        because = {key: sentence for key, sentence in reasons.items() if sentence}
        return StudyResult(self.study, self.values[sources, places], self.state[sources, places], because)

    @property
    def done(self) -> int:
        """How many runs there are."""
        return int(np.count_nonzero(self.state))

    def of(self, metric: str) -> np.ndarray:
        """float64[points, schedulers, seeds] of one metric. A run that hung, or was not made, has none."""
        values = self.values[..., self.study.metrics.index(metric)]
        return np.where(self.state == RunState.FINISHED, values, np.nan)

    def frame(self) -> pd.DataFrame:
        """A row a run: a column a parameter (its path), scheduler, seed, status, a column a metric, and
        engine, the version that made it.
        """
        import pandas as pd

        study = self.study
        points, schedulers, seeds = (axis.ravel() for axis in np.indices(self.state.shape))
        columns: dict[str, Any] = {}
        for number, parameter in enumerate(study.vary):
            columns[parameter.path] = [study.points[point][number] for point in points.tolist()]
        columns["scheduler"] = pd.Categorical.from_codes(schedulers, list(study.schedulers))
        columns["seed"] = study.seed(0) + seeds
        columns["status"] = pd.Categorical.from_codes(self.state.ravel(), list(STATES))
        columns |= {key: self.values[..., number].ravel() for number, key in enumerate(study.metrics)}
        return pd.DataFrame(
            columns | {"engine": pd.Categorical.from_codes(np.zeros(len(points), int), [VERSION])}
        )

    def __repr__(self) -> str:
        varied = [parameter.path for parameter in self.study.vary]
        runs = self.frame()[[*varied, "scheduler", *self.study.metrics]]
        return runs.groupby([*varied, "scheduler"], observed=True).mean().to_string()

    def missing(self, point: int, scheduler_index: int) -> int:
        """How many of a point's runs under a scheduler hung or were refused."""
        return int((self.state[point, scheduler_index] >= RunState.DEADLOCK).sum())
