"""The papers in the order of the catalogue, and what becomes of an experiment."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.papers.autoadmin import PAPER as AUTOADMIN
from engine.papers.dynamic_priority import PAPER as DYNAMIC_PRIORITY
from engine.papers.haste import PAPER as HASTE
from engine.papers.judge import Finding, find, verdict
from engine.papers.omo import PAPER as OMO
from engine.papers.saf import PAPER as SAF
from engine.papers.schema import Experiment, Measured, Progress

PAPERS = (HASTE, SAF, DYNAMIC_PRIORITY, OMO, AUTOADMIN)


class Result(NamedTuple):
    """An experiment, run now. verdict rests on so many claims."""

    experiment: Experiment
    measured: Measured
    findings: tuple[Finding, ...]
    verdict: str
    claims: int


@cache
def paper_experiments() -> dict[str, Experiment]:
    """Every experiment by "paper/experiment", in the order of the papers."""
    return {f"{paper.key}/{one.key}": one for paper in PAPERS for one in paper.experiments}


def reproduce(experiment: Experiment, progress: Progress = lambda done, of: None) -> Result:
    """Run an experiment and judge it; `progress` hears how far it is and may raise what ends it."""
    measured = experiment.measure(progress)
    findings = tuple(find(claim, measured.samples) for claim in experiment.claims)
    return Result(experiment, measured, findings, *verdict(findings))
