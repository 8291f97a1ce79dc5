"""How far Gantry's predictions of a real cluster were off, batch by batch, beside how far two real runs of a batch are apart."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_suffix(".json")


class PredictedBatch(NamedTuple):
    """One batch under one scheduler. Shares of a job's finish; of its turnaround where they say so.

    fitted_on: the batch that what the history doesn't say was fitted on; median, p90: of the sizes of the prediction's errors; noise_median, noise_p90:
    of the differences between two real runs of this batch, None where it was run once.
    """

    scheduler: str
    batch: str
    jobs: int
    fitted_on: str
    median: float
    p90: float
    turnaround_median: float | None = None
    turnaround_p90: float | None = None
    noise_median: float | None = None
    noise_p90: float | None = None


class HowWell(NamedTuple):
    """hadoop: its version; rows: none before a cluster was measured; explains, not_covered: sentences."""

    hadoop: str = ""
    rows: tuple[PredictedBatch, ...] = ()
    explains: tuple[str, ...] = ()
    not_covered: tuple[str, ...] = ()

    @property
    def jobs(self) -> int:
        """That were judged, over all batches."""
        return sum(row.jobs for row in self.rows)


@cache
def how_well() -> HowWell:
    """What was found, from the file beside this one; nothing where there is none."""
    return read(FILE.read_text("utf-8")) if FILE.exists() else HowWell()


def read(text: str) -> HowWell:
    """What the file says; of a row what is known here."""
    stored = json.loads(text)
    stored = stored if isinstance(stored, dict) else {"rows": stored}
    rows = tuple(PredictedBatch(**{key: row[key] for key in PredictedBatch._fields if key in row}) for row in stored["rows"])
    return HowWell(stored.get("hadoop", ""), rows, tuple(stored.get("explains", ())), tuple(stored.get("not_covered", ())))
