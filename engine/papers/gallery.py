"""The papers in the order of the catalogue, and the results of their experiments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from engine.papers.autoadmin import PAPER as AUTOADMIN
from engine.papers.dynamic_priority import PAPER as DYNAMIC_PRIORITY
from engine.papers.haste import PAPER as HASTE
from engine.papers.judge import Finding, judge_claim
from engine.papers.omo import PAPER as OMO
from engine.papers.saf import PAPER as SAF
from engine.papers.schema import Experiment, Picture, Reading, Samples
from engine.papers.trial import Progress, Trial, no_progress
from engine.simulation.cancellation import CancelToken

PAPERS = (HASTE, SAF, DYNAMIC_PRIORITY, OMO, AUTOADMIN)


class ReadingResult(NamedTuple):
    """An experiment under one of its readings, run now. pictures, notes: by key, of the one that is shown."""

    samples: Samples
    pictures: tuple[Picture, ...]
    notes: Mapping[str, str]
    findings: tuple[Finding, ...]


class Result(NamedTuple):
    """An experiment, run now under each of its readings, in their order."""

    experiment: Experiment
    readings: tuple[ReadingResult, ...]

    @property
    def shown(self) -> ReadingResult:
        """Under the reading that is shown and counted."""
        return self.readings[self.experiment.readings.index(self.experiment.shown)]


@cache
def paper_experiments() -> dict[str, Experiment]:
    """Every experiment by "paper/experiment", in the order of the papers."""
    return {
        f"{paper.key}/{experiment.key}": experiment for paper in PAPERS for experiment in paper.experiments
    }


def reproduce(
    experiment: Experiment, progress: Progress = no_progress, cancel_token: CancelToken | None = None
) -> Result:
    """Run an experiment under each of its readings and judge it; `progress` is called with the steps done and
    may raise to stop it. RunCancelled by `cancel_token`.
    """
    if cancel_token:
        cancel_token.raise_if_cancelled()  # cached results of earlier experiments may need no simulation
    trial, count = Trial(progress, cancel_token=cancel_token), len(experiment.readings)
    judged = []
    for index, reading in enumerate(experiment.readings):
        measured = reading.measure(trial.part(index, count))
        findings = judge_claims(experiment, reading, measured.samples)
        is_shown = reading is experiment.shown
        pictures, notes = (measured.pictures(), measured.notes()) if is_shown else ((), {})
        judged.append(ReadingResult(measured.samples, pictures, notes, findings))
    return Result(experiment, tuple(judged))


def judge_claims(experiment: Experiment, reading: Reading, samples: Samples) -> tuple[Finding, ...]:
    """Judges every claim under a reading with these samples."""
    fitted = {cell.key for cell in reading.fit.cells} if reading.fit else set()
    return tuple(judge_claim(claim, samples, fitted) for claim in experiment.claims)
