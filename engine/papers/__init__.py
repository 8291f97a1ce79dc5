"""The gallery: every experiment of the five papers, their numbers beside ours.

An experiment is data (scenarios, schedulers, what the paper says) and one function that measures; the verdict follows from the numbers.

May import: analysis, experiments, explanation, scenario, schedulers, simulation, version.
"""

from engine.papers.baseline import ReadingRecord, Recorded, recorded
from engine.papers.gallery import PAPERS, Judged, Result, found, paper_experiments, reproduce
from engine.papers.judge import VERDICTS, Finding, band
from engine.papers.parallel import reproduce_all
from engine.papers.reporting import (
    band_text,
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
    verdict_text,
)
from engine.papers.schema import BASES, Alike, Axis, ClaimMap, Experiment, Fit, Ordered, Paper, Picture, Printed, Reading, Series, Show
from engine.papers.trial import Conditions, Trial
from engine.papers.verdict_table import held, verdict_table

__all__ = [
    "BASES", "PAPERS", "VERDICTS", "Alike", "Axis", "ClaimMap", "Conditions", "Experiment", "Finding", "Fit", "Judged", "Ordered", "Paper", "Picture",
    "Printed", "Reading", "ReadingRecord", "Recorded", "Result", "Series", "Show", "Trial", "band", "band_text", "claims_text", "counts", "finding_text",
    "fit_lines", "found", "held", "named_numbers", "outcome", "over_seeds_text", "paper_experiments", "printed_text", "recorded", "reproduce",
    "reproduce_all", "result_text", "results_json", "stated", "verdict_table", "verdict_text",
]  # fmt: skip
