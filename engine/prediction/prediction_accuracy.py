"""The accuracy of Gantry's predictions of a real cluster, batch by batch, beside the difference of two real
runs of a batch.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_suffix(".json")


class PredictedBatch(NamedTuple):
    """One batch under one scheduler, over all of its runs. Shares: of a job's finish, of its turnaround where
    the name says so.

    fitted_on: the batch that what no history says was fitted on; median, p90: of the sizes of the
    prediction's errors; bias: their mean; makespan: the error of the last finish; replay_*: with each job's
    own measured times; again_*: these as a prediction of the other run; noise_*: how far two real runs of the
    batch are apart, None where it was run once; held_out_*: of its second half, fitted on the first;
    alone_turnaround_*: of Spark's applications alone, their executors as they came, None without any. runs,
    tasks: how many.
    """

    scheduler: str
    batch: str
    jobs: int
    fitted_on: str
    median: float
    p90: float
    runs: int = 1
    tasks: int | None = None
    turnaround_median: float | None = None
    turnaround_p90: float | None = None
    bias: float | None = None
    makespan: float | None = None
    replay_median: float | None = None
    replay_p90: float | None = None
    again_median: float | None = None
    again_p90: float | None = None
    noise_median: float | None = None
    noise_p90: float | None = None
    held_out_median: float | None = None
    held_out_p90: float | None = None
    alone_turnaround_median: float | None = None
    alone_turnaround_p90: float | None = None


class PredictionAccuracy(NamedTuple):
    """hadoop: its version; nodes: of its cluster; rows: none before a cluster was measured; covered,
    not_covered: sentences.
    """

    hadoop: str = ""
    nodes: int = 0
    rows: tuple[PredictedBatch, ...] = ()
    covered: tuple[str, ...] = ()
    not_covered: tuple[str, ...] = ()

    @property
    def jobs(self) -> int:
        """That were judged, over all batches and runs."""
        return sum(row.jobs * row.runs for row in self.rows)


@cache
def prediction_accuracy() -> PredictionAccuracy:
    """What was found, from the file beside this one; nothing where there is none."""
    return read(FILE.read_text("utf-8")) if FILE.exists() else PredictionAccuracy()


def read(text: str) -> PredictionAccuracy:
    """The table of the file; unknown fields of a row are dropped."""
    stored = json.loads(text)
    rows = tuple(
        PredictedBatch(**{key: row[key] for key in PredictedBatch._fields if key in row})
        for row in stored["rows"]
    )
    return PredictionAccuracy(
        stored["hadoop"], stored["nodes"], rows, tuple(stored["covered"]), tuple(stored["not_covered"])
    )
