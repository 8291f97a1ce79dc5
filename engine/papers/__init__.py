"""The gallery: every experiment of the five papers, their numbers beside ours.

An experiment is data (scenarios, schedulers, what the paper says) and one function that measures; the verdict follows from the numbers.

May import: analysis, bounds, experiments, explanation, scenario, schedulers, simulation, version.
"""

from engine.papers.baseline import ReadingRecord, Recorded, recorded
from engine.papers.claim_maps import ClaimGrid, Point, at_point, maps, recorded_maps
from engine.papers.from_optimum import FromOptimum, recorded_optima, schedulers_compared
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
from engine.papers.schema import BASES, Alike, Axis, Claim, ClaimMap, Experiment, Fit, Ordered, Paper, Picture, Printed, Reading, Series, Show
from engine.papers.trial import SEEDS, Conditions, Trial
from engine.papers.verdict_table import held, verdict_table
from engine.papers.what_it_takes import FEW, Knob, judged_under, knobs_of, own

__all__ = [
    "BASES", "FEW", "PAPERS", "SEEDS", "VERDICTS", "Alike", "Axis", "Claim", "ClaimGrid", "ClaimMap", "Conditions", "Experiment", "Finding", "Fit",
    "FromOptimum", "Judged", "Knob", "Ordered", "Paper", "Picture", "Point", "Printed", "Reading", "ReadingRecord", "Recorded", "Result", "Series", "Show",
    "Trial", "at_point", "band", "band_text", "claims_text", "counts", "finding_text", "fit_lines", "found", "held", "judged_under", "knobs_of", "maps",
    "named_numbers", "outcome", "over_seeds_text", "own", "paper_experiments", "printed_text", "recorded", "recorded_maps", "recorded_optima", "reproduce",
    "reproduce_all", "result_text", "results_json", "schedulers_compared", "stated", "verdict_table", "verdict_text",
]  # fmt: skip
