"""Under which conditions HaSTE comes before FFD-DP on the mixed workload: how fast reduces fetch, and how far
the masters' starts lie apart.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from engine.papers.haste.batches import BEFORE_FFD_DP
from engine.papers.haste.calibrations import FIRST, OMO_MB_S
from engine.papers.haste.measure import MAKESPAN
from engine.papers.haste.workloads import STARTUP_S, mixed
from engine.papers.measuring import change_pct, makespan_s, over_seeds
from engine.papers.schema import Axis, ClaimMap, Samples
from engine.papers.trial import SEEDS, Trial

PAIR = ("haste", "ffd-dp")
CHANGE = "haste/change_pct"
COMMON_SEEDS = SEEDS[:20]  # of every point, however few its trial has: the difference is a few percent
GAP_S = (0.0, 2.0, 4.0, 6.0, 10.0, 15.0, 20.0)
MB_S = (2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 40.0, 60.0, 100.0)


def measure(mb_s: float, apart_s: float, trial: Trial) -> Samples:
    """Makespans of both at one point, and the change from FFD-DP's to HaSTE's, percent."""
    moved = replace(trial, conditions=replace(trial.conditions, fetch_mb_s=mb_s, stagger_s=apart_s))
    samples = over_seeds(
        partial(mixed, mb_s=mb_s),
        FIRST.columns(*PAIR),
        lambda run: {MAKESPAN: makespan_s(run)},
        moved,
        COMMON_SEEDS,
    )
    return {**samples, CHANGE: change_pct(samples[f"ffd-dp/{MAKESPAN}"], samples[f"haste/{MAKESPAN}"])}


HEADLINE = ClaimMap(
    title="HaSTE before FFD-DP",
    says="Where fetching is slow, a reduce that urgency brings forward fetches while maps run; where it is "
    "fast, early reduces of either only wait. Every point is of 20 seeds.",
    experiment="haste/mixed",
    claim=BEFORE_FFD_DP,
    x=Axis("Fetch rate of a reduce", "MB/s", MB_S, OMO_MB_S, log=True),
    y=Axis("Spread of the masters' starts", "s", GAP_S, STARTUP_S["high"] - STARTUP_S["low"]),
    measure=measure,
    key=CHANGE,
    name="Change of makespan, HaSTE against FFD-DP",
)
