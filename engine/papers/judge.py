"""The verdict on an experiment, from its numbers alone."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from itertools import combinations
from typing import NamedTuple

from engine.experiments.replications import Estimate, estimate
from engine.messages import msg
from engine.papers.schema import FORMULA, Claim, Ordered, Printed, Samples, Similar

TOLERANCE = 0.15
MIN_CLAIMS = 2
ROUNDING = 1e-9  # of floats
AGREES, SAME, DIFFERS, DEPENDS, TOO_LITTLE = (
    "agrees",
    "same direction",
    "differs",
    "depends on the reading",
    "too little to judge",
)
VERDICTS = (AGREES, SAME, DIFFERS, DEPENDS, TOO_LITTLE)
FITTED = msg("papers.judge.used_in_fit")


class Finding(NamedTuple):
    """The verdict on a claim. numbers: ours, by name; error: share of the paper's number, None where there is
    none.

    direction: whether ours lies on the paper's side, None for a claim without one; unjudged: why it has no
    verdict, "" where it has.
    """

    claim: Claim
    numbers: dict[str, Estimate]
    error: float | None
    agrees: bool
    direction: bool | None
    unjudged: str

    @property
    def judged(self) -> bool:
        """It has a verdict of its own."""
        return not self.unjudged

    @property
    def counts(self) -> bool:
        """It has a say in the experiment's verdict, as a formula that was evaluated has not."""
        return self.judged and self.claim.basis != FORMULA


def judge_claim(claim: Claim, samples: Samples, fitted: Container[str] = ()) -> Finding:
    """Compare one claim with the samples; fitted: those that served in a fit. KeyError for a name that was
    not measured.
    """
    if isinstance(claim, Printed):
        finding = _printed(claim, samples)
        return finding._replace(unjudged=FITTED) if claim.key in fitted else finding
    return _ordered(claim, samples) if isinstance(claim, Ordered) else _alike(claim, samples)


def band(claim: Printed) -> float:
    """How far ours may be from the paper's number: what the print and the paper's noise leave open, and 15 %
    of the number; of a formula nothing more.
    """
    return claim.tolerance + (
        0.0 if claim.basis == FORMULA else TOLERANCE * abs(claim.number - claim.relative_to)
    )


def verdict(findings: Sequence[Finding]) -> tuple[str, int]:
    """The verdict and the number of claims it rests on.

    agrees: every claim does. same direction: those that don't agree have a direction to fall back on, and
    every direction is the paper's.
    """
    judged = [finding for finding in findings if finding.counts]
    if len(judged) < MIN_CLAIMS:
        return TOO_LITTLE, len(judged)
    if all(finding.agrees for finding in judged):
        return AGREES, len(judged)
    same = all(finding.agrees if finding.direction is None else finding.direction for finding in judged)
    return (SAME if same else DIFFERS), len(judged)


def overall(verdicts: Sequence[str]) -> str:
    """Of an experiment from those of its readings."""
    return verdicts[0] if len(set(verdicts)) == 1 else DEPENDS


def mean(values: Sequence[float]) -> Estimate:
    """Mean and interval; infinite without an interval where a run is a deadlock, 0 where differences are
    infinite on both sides.
    """
    ends = {value for value in values if math.isinf(value)}
    return (
        Estimate(sum(ends) if len(ends) == 1 else 0.0, None, None, len(values)) if ends else estimate(values)
    )


def average(values: Sequence[float]) -> float:
    """The mean alone, of one value or more."""
    value = mean(values).mean
    assert value is not None
    return value


def _printed(claim: Printed, samples: Samples) -> Finding:
    estimate, ours = mean(samples[claim.key]), average(samples[claim.key])
    away, number = abs(ours - claim.number), abs(claim.number - claim.relative_to)
    error = away / number if number else None
    agrees = away <= band(claim) * (1 + ROUNDING) or (claim.is_minimum and ours >= claim.number)
    direction = None
    if claim.side:
        direction = _side(claim.number) == _side_of(estimate)
    elif claim.against:
        other, its = claim.against
        direction = _side(claim.number - its) == _side_of(_difference(samples[claim.key], samples[other]))
    if claim.is_minimum and error is not None and ours >= claim.number:
        error = 0.0
    return Finding(claim, {claim.key: estimate}, error, agrees, direction, claim.unjudged)


def _ordered(claim: Ordered, samples: Samples) -> Finding:
    ranks = [(rank,) if isinstance(rank, str) else rank for rank in claim.ranks]
    pairs = [
        (smaller, larger)
        for first, second in combinations(ranks, 2)
        for smaller in first
        for larger in second
    ]
    holds = all(
        _side_of(_difference(samples[smaller], samples[larger])) in ((-1, 0) if claim.ties else (-1,))
        for smaller, larger in pairs
    )
    return Finding(
        claim, {key: mean(samples[key]) for rank in ranks for key in rank}, None, holds, holds, claim.unjudged
    )


def _alike(claim: Similar, samples: Samples) -> Finding:
    numbers = {key: mean(samples[key]) for key in claim.keys}
    averages = [average(samples[key]) for key in claim.keys]
    middle = sum(averages) / len(averages)
    is_similar = math.isfinite(middle) and all(
        abs(value - middle) <= TOLERANCE * abs(middle) for value in averages
    )
    return Finding(claim, numbers, None, is_similar, None, claim.unjudged)


def _difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """first - second: paired where both ran over the same seeds; a deadlock is longer than any run, and as
    long as another.
    """
    pairs = zip(first, second) if len(first) == len(second) else [(average(first), average(second))]
    return mean(
        [
            0.0 if first_value == second_value else first_value - second_value
            for first_value, second_value in pairs
        ]
    )


def _side_of(estimate: Estimate) -> int:
    """-1, 0 or 1; 0 also where the interval holds zero."""
    if estimate.low is not None and estimate.high is not None and estimate.low <= 0 <= estimate.high:
        return 0
    assert estimate.mean is not None
    return _side(estimate.mean)


def _side(number: float) -> int:
    return (number > 0) - (number < 0)
