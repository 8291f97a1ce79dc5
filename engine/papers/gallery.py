"""The papers in the order of the catalogue, and what becomes of an experiment."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.papers.autoadmin import PAPER as AUTOADMIN
from engine.papers.dynamic_priority import PAPER as DYNAMIC_PRIORITY
from engine.papers.haste import PAPER as HASTE
from engine.papers.judge import Finding, find, overall, verdict
from engine.papers.omo import PAPER as OMO
from engine.papers.saf import PAPER as SAF
from engine.papers.schema import Experiment, Picture, Reading, Samples
from engine.papers.trial import Progress, Trial, unheard
from engine.simulation.halt import Halt

PAPERS = (HASTE, SAF, DYNAMIC_PRIORITY, OMO, AUTOADMIN)


class Judged(NamedTuple):
    """An experiment under one of its readings, run now. verdict rests on so many claims; formulas are not among them."""

    samples: Samples
    pictures: tuple[Picture, ...]
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]
    verdict: str
    claims: int


class Result(NamedTuple):
    """An experiment, run now under each of its readings, in their order."""

    experiment: Experiment
    readings: tuple[Judged, ...]

    @property
    def verdict(self) -> str:
        """Of all readings, or that it depends on them."""
        return overall([one.verdict for one in self.readings])


@cache
def paper_experiments() -> dict[str, Experiment]:
    """Every experiment by "paper/experiment", in the order of the papers."""
    return {f"{paper.key}/{one.key}": one for paper in PAPERS for one in paper.experiments}


def reproduce(experiment: Experiment, progress: Progress = unheard, halt: Halt | None = None) -> Result:
    """Run an experiment under each of its readings and judge it; `progress` hears how far it is and may raise what ends it. Halted by `halt`."""
    if halt:
        halt.go_on()  # what earlier ones left in memory may need no simulation
    trial, of = Trial(progress, halt=halt), len(experiment.readings)
    judged = []
    for place, reading in enumerate(experiment.readings):
        measured = reading.measure(trial.part(place, of))
        findings = found(experiment, reading, measured.samples)
        judged.append(Judged(measured.samples, measured.pictures(), measured.notes(), findings, *verdict(findings)))
    return Result(experiment, tuple(judged))


def found(experiment: Experiment, reading: Reading, samples: Samples) -> tuple[Finding, ...]:
    """What becomes of every claim under a reading whose samples these are."""
    fitted = {cell.key for cell in reading.fit.cells} if reading.fit else set()
    return tuple(find(claim, samples, fitted) for claim in experiment.claims)
