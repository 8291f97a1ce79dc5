"""The gallery: every experiment of the five papers, their numbers beside ours.

An experiment is data (scenarios, schedulers, what the paper says) and one function that measures; the verdict follows from the numbers.

May import: analysis, experiments, explanation, scenario, schedulers, simulation, version.
"""

from engine.papers.baseline import Recorded, recorded
from engine.papers.gallery import PAPERS, Result, paper_experiments, reproduce
from engine.papers.judge import VERDICTS, Finding
from engine.papers.parallel import reproduce_all
from engine.papers.reporting import (
    claims_text,
    counts,
    finding_text,
    fit_lines,
    named_numbers,
    outcome,
    over_seeds_text,
    printed_text,
    result_text,
    results_json,
    stated,
    verdict_table,
)
from engine.papers.schema import Alike, Experiment, Fit, Ordered, Paper, Picture, Printed, Series, Show

__all__ = [
    "PAPERS", "VERDICTS", "Alike", "Experiment", "Finding", "Fit", "Ordered", "Paper", "Picture", "Printed", "Recorded", "Result", "Series", "Show",
    "claims_text", "counts", "paper_experiments", "finding_text", "fit_lines", "named_numbers", "outcome", "over_seeds_text", "printed_text", "recorded",
    "reproduce", "reproduce_all", "result_text", "results_json", "stated", "verdict_table",
]  # fmt: skip
