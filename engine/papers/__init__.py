"""The gallery: every experiment of the five papers, their numbers beside ours.

An experiment is data (scenarios, schedulers, what the paper says) and one function that measures; the verdict
follows from the numbers.

May import: analysis, bounds, experiments, explanation, messages, quantities, scenario, schedulers,
simulation, version.
"""

from engine.papers.baseline import ReadingRecord, Recorded, recorded
from engine.papers.claim_maps import ClaimGrid, Point, headline_maps, judge_at_point, recorded_maps
from engine.papers.gallery import PAPERS, ReadingResult, Result, judge_claims, paper_experiments, reproduce
from engine.papers.judge import VERDICTS, Finding, band
from engine.papers.optimum_comparison import OptimumComparison, recorded_optima, schedulers_compared
from engine.papers.parallel import reproduce_all
from engine.papers.reporting import (
    band_text,
    claims_text,
    counts,
    finding_text,
    fit_lines,
    named_numbers,
    order_text,
    outcome,
    over_seeds_text,
    printed_text,
    result_text,
    results_json,
    verdict_text,
)
from engine.papers.schema import (
    BASES,
    Axis,
    Claim,
    ClaimMap,
    Experiment,
    Fit,
    Ordered,
    Paper,
    Picture,
    Printed,
    Reading,
    Series,
    Show,
    Similar,
)
from engine.papers.sensitivity import (
    FEW,
    SensitivityParameter,
    experiment_conditions,
    judge_under,
    sensitivity_parameters,
)
from engine.papers.trial import SEEDS, Conditions, Trial
from engine.papers.verdict_table import holding_claims, verdict_table

__all__ = [
    "BASES",
    "FEW",
    "PAPERS",
    "SEEDS",
    "VERDICTS",
    "Similar",
    "Axis",
    "Claim",
    "ClaimGrid",
    "ClaimMap",
    "Conditions",
    "Experiment",
    "Finding",
    "Fit",
    "OptimumComparison",
    "ReadingResult",
    "SensitivityParameter",
    "Ordered",
    "Paper",
    "Picture",
    "Point",
    "Printed",
    "Reading",
    "ReadingRecord",
    "Recorded",
    "Result",
    "Series",
    "Show",
    "Trial",
    "judge_at_point",
    "band",
    "band_text",
    "claims_text",
    "counts",
    "finding_text",
    "fit_lines",
    "judge_claims",
    "holding_claims",
    "judge_under",
    "sensitivity_parameters",
    "headline_maps",
    "named_numbers",
    "outcome",
    "over_seeds_text",
    "experiment_conditions",
    "paper_experiments",
    "printed_text",
    "recorded",
    "recorded_maps",
    "recorded_optima",
    "reproduce",
    "reproduce_all",
    "result_text",
    "results_json",
    "schedulers_compared",
    "order_text",
    "verdict_table",
    "verdict_text",
]
