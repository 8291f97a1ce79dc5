"""What becomes of a claim, from its numbers alone: whether its order holds, its gain, and its numbers."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from engine.experiments.replications import Estimate, estimate
from engine.messages import msg
from engine.papers.schema import (
    ABSOLUTE,
    ALGORITHM,
    FAILS,
    FORMULA,
    GAIN,
    HOLDS,
    LAMP_STATES,
    LAMPS,
    NOT_TESTABLE,
    ORDER,
    Claim,
    Ordered,
    Printed,
    Samples,
    Similar,
    half_digit,
)

TOLERANCE = 0.15
ROUNDING = 1e-9  # of floats
FITTED = msg("papers.judge.used_in_fit")
WITHIN_NOISE = msg("papers.judge.within_papers_noise")
# A claim in the words of artifact evaluation.
REPEATED, REPRODUCED, IN_PART, NOT_REPRODUCED = (
    msg("papers.judge.repeated_from_formulas"),
    msg("papers.judge.reproduced_on_simulated_test_bed"),
    msg("papers.judge.reproduced_in_part"),
    msg("papers.judge.not_reproduced"),
)
STANDINGS = (REPEATED, REPRODUCED, IN_PART, NOT_REPRODUCED, NOT_TESTABLE)


class Lamp(NamedTuple):
    """One thing that a claim says. state: one of LAMP_STATES; paper, ours: the numbers, None
    where there is none;
    band: how far ours may lie from the paper's; both in `unit`.

    because: why it is not testable, "" where it is.
    """

    state: str
    paper: float | None = None
    ours: float | None = None
    band: float | None = None
    unit: str = ""
    because: str = ""

    @property
    def error(self) -> float | None:
        """How far ours is from the paper's number, as a share of it; None without a number."""
        return abs(self.ours - self.paper) / abs(self.paper) if self.paper and self.ours is not None else None


class Finding(NamedTuple):
    """What became of a claim. numbers: ours, by name; lamps: by ORDER, GAIN and ABSOLUTE, those that it
    makes.
    """

    claim: Claim
    numbers: dict[str, Estimate]
    lamps: dict[str, Lamp]

    @property
    def states(self) -> dict[str, str]:
        """The state of each lamp."""
        return {name: lamp.state for name, lamp in self.lamps.items()}

    @property
    def standing(self) -> str:
        """The claim in the words of artifact evaluation, one of STANDINGS."""
        return standing(self.claim.basis, self.states)


def standing(basis: str, states: Mapping[str, str]) -> str:
    """What a claim on this basis is called whose lamps are in these states."""
    tested = [state for state in states.values() if state != NOT_TESTABLE]
    if not tested:
        return NOT_TESTABLE
    if HOLDS not in tested:
        return NOT_REPRODUCED
    if FAILS in tested:
        return IN_PART
    return REPEATED if basis in (FORMULA, ALGORITHM) else REPRODUCED


class Tally(NamedTuple):
    """How many claims hold, do not, and are not testable, in one of the three lamps."""

    holds: int
    fails: int
    not_testable: int

    @property
    def tested(self) -> int:
        """How many can be tested."""
        return self.holds + self.fails


def tally(claims: Iterable[Mapping[str, str]]) -> dict[str, Tally]:
    """By lamp, how many of these claims, each a state by lamp, are in which state."""
    states = list(claims)
    return {
        lamp: Tally(*(sum(one.get(lamp) == state for one in states) for state in LAMP_STATES))
        for lamp in LAMPS
    }


def judge_claim(claim: Claim, samples: Samples, fitted: Container[str] = ()) -> Finding:
    """Compare one claim with the samples; fitted: those that served in a fit. KeyError for a name that was
    not measured.
    """
    if isinstance(claim, Printed):
        finding = _printed(claim, samples)
        untestable = FITTED if claim.key in fitted else claim.untestable
    else:
        finding = _ordered(claim, samples) if isinstance(claim, Ordered) else _alike(claim, samples)
        untestable = claim.untestable
    if not untestable:
        return finding
    lamps = {
        name: lamp._replace(state=NOT_TESTABLE, because=untestable) for name, lamp in finding.lamps.items()
    }
    return finding._replace(lamps=lamps)


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
    ours = mean(samples[claim.key])
    lamps: dict[str, Lamp] = {}
    if claim.side or claim.ratio:
        neutral = 1.0 if claim.ratio else 0.0
        side = _side_of(mean([value - neutral for value in samples[claim.key]]))
        lamps[ORDER] = Lamp(_state(_side(claim.number - neutral) == side))
        lamps[GAIN] = _number(claim, claim.number, average(samples[claim.key]), claim.tolerance, claim.unit)
    elif claim.against:
        baseline, its = claim.against
        side = _side_of(_difference(samples[claim.key], samples[baseline]))
        open_ = (claim.tolerance + (half_digit(its) + claim.noise) * claim.number / its) / its
        lamps[ORDER] = Lamp(_state(_side(claim.number - its) == side))
        gain = 100 * (claim.number - its) / its
        lamps[GAIN] = _number(
            claim, gain, average(_changes_pct(samples[claim.key], samples[baseline])), 100 * open_, "%"
        )
        if abs(gain) <= 100 * open_:
            lamps |= {
                name: lamps[name]._replace(state=NOT_TESTABLE, because=WITHIN_NOISE) for name in (ORDER, GAIN)
            }
    if not (claim.side or claim.ratio):
        lamps[ABSOLUTE] = _number(
            claim, claim.number, average(samples[claim.key]), claim.tolerance, claim.unit
        )
    return Finding(claim, {claim.key: ours}, {name: lamps[name] for name in LAMPS if name in lamps})


def _number(claim: Printed, paper: float, ours: float, open_: float, unit: str) -> Lamp:
    """A number beside the paper's: it holds within what the print and the paper's noise leave open, and 15 %
    of the number; of a formula nothing more, of what is worked by hand as much again, for it may be cut off.
    """
    exact = {FORMULA: open_, ALGORITHM: 2 * open_}
    band = exact.get(claim.basis, open_ + TOLERANCE * abs(paper - claim.relative_to))
    holds = abs(ours - paper) <= band * (1 + ROUNDING) or (claim.is_minimum and ours >= paper)
    return Lamp(_state(holds), paper, ours, band, unit)


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
    lamps = {ORDER: Lamp(_state(holds))}
    if claim.gain_not_given:
        lamps[GAIN] = Lamp(NOT_TESTABLE, because=claim.gain_not_given)
    return Finding(claim, {key: mean(samples[key]) for rank in ranks for key in rank}, lamps)


def _alike(claim: Similar, samples: Samples) -> Finding:
    numbers = {key: mean(samples[key]) for key in claim.keys}
    averages = [average(samples[key]) for key in claim.keys]
    middle = sum(averages) / len(averages)
    is_similar = math.isfinite(middle) and all(
        abs(value - middle) <= TOLERANCE * abs(middle) for value in averages
    )
    return Finding(claim, numbers, {ORDER: Lamp(_state(is_similar))})


def _state(holds: bool) -> str:
    return HOLDS if holds else FAILS


def _paired(first: Sequence[float], second: Sequence[float]) -> list[tuple[float, float]]:
    """Seed by seed where both ran over the same seeds, else their means."""
    return list(zip(first, second)) if len(first) == len(second) else [(average(first), average(second))]


def _difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """first - second; a deadlock is longer than any run, and as long as another."""
    return mean([0.0 if one == other else one - other for one, other in _paired(first, second)])


def _changes_pct(new: Sequence[float], old: Sequence[float]) -> list[float]:
    """100 (new - old) / old; a deadlock that is spared is all of it."""
    return [
        0.0
        if one == other
        else -100.0
        if math.isinf(other)
        else 100 * (one - other) / other
        if other
        else math.inf
        for one, other in _paired(new, old)
    ]


def _side_of(estimate: Estimate) -> int:
    """-1, 0 or 1; 0 also where the interval holds zero."""
    if estimate.low is not None and estimate.high is not None and estimate.low <= 0 <= estimate.high:
        return 0
    assert estimate.mean is not None
    return _side(estimate.mean)


def _side(number: float) -> int:
    return (number > 0) - (number < 0)
