"""What an experiment of a paper is: scenarios, what is measured, what the paper says of it, and pictures
after the paper's own.

Names of what is measured are strings such as "haste/makespan_s": an experiment's samples, claims and pictures
meet in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.legacy_names import parse_in_full

# What a claim rests on: a formula that is evaluated, with nothing simulated; a policy's rule, whatever the
# cluster; the paper's cluster.
FORMULA, ALGORITHM, TEST_BED = "formula", "algorithm", "test bed"
BASES = (FORMULA, ALGORITHM, TEST_BED)
# What a claim says, from the weakest to the strongest, and what becomes of each: who is better, by how much,
# and the numbers themselves.
ORDER, GAIN, ABSOLUTE = "order", "gain", "absolute"
LAMPS = (ORDER, GAIN, ABSOLUTE)
HOLDS, FAILS, NOT_TESTABLE = "holds", "does not hold", "not testable"
LAMP_STATES = (HOLDS, FAILS, NOT_TESTABLE)
# Why a claim does not hold: another defensible reading of the text; physics that the paper does not give; the
# paper contradicts itself or a bound; the difference is within the noise; not found.
READING, PHYSICS, CONTRADICTION, NOISE, UNKNOWN = "reading", "physics", "contradiction", "noise", "unknown"
CAUSES = (READING, PHYSICS, CONTRADICTION, NOISE, UNKNOWN)
# by name, one value a seed in the order of the seeds; inf: a deadlock
Samples = Mapping[str, Sequence[float]]


def half_digit(number: float) -> float:
    """Half of a printed number's last digit: what rounding leaves open."""
    return 10.0 ** int(Decimal(repr(number)).as_tuple().exponent) / 2


@dataclass(frozen=True)
class Printed:
    """A number that the paper prints.

    what: in words; key: of the sample; number: the paper's; where: its table, figure or section.
    is_minimum: a bound, "at least"; relative_to: it is judged on its distance from this (100 for scores near
    100).
    rounding: what the print leaves open where that is more than half of its last digit; noise: of the paper's
    own runs, where it can be told, in its unit.
    side: it is a change, whose sign is who is better; ratio: a quotient, better or worse than 1; against:
    another sample and its number in the paper, which this one is better or worse than. All three make it a
    claim on an order and a gain; a change and a quotient are no claim on the numbers themselves.
    basis: one of BASES; untestable: what the text does not give, or why it cannot fail.
    reason: a key of the experiment's reasons, why it does not hold; theme: a key of the paper's themes.
    """

    what: str
    key: str
    number: float
    unit: str
    where: str
    is_minimum: bool = False
    relative_to: float = 0.0
    rounding: float | None = None
    noise: float = 0.0
    side: bool = False
    ratio: bool = False
    against: tuple[str, float] | None = None
    basis: str = TEST_BED
    untestable: str = ""
    reason: str = ""
    theme: str = ""

    @property
    def tolerance(self) -> float:
        """How far from the number the paper's own may lie: by rounding to its last printed digit, and by
        noise.
        """
        return (half_digit(self.number) if self.rounding is None else self.rounding) + self.noise


@dataclass(frozen=True)
class Ordered:
    """An order that the paper states. ranks: names from the smallest to the largest; names in one tuple are
    not compared with each other.

    ties: equal is enough; unit: of the numbers, where their names don't end in it; gain_not_given: the text
    says by how much, and why that can't be read. basis, untestable, reason, theme: as of `Printed`.
    It holds if every difference does: in random experiments, if the 95 % interval of the paired differences
    leaves out zero.
    """

    what: str
    ranks: tuple[str | tuple[str, ...], ...]
    where: str
    ties: bool = False
    unit: str = ""
    gain_not_given: str = ""
    basis: str = TEST_BED
    untestable: str = ""
    reason: str = ""
    theme: str = ""


@dataclass(frozen=True)
class Similar:
    """Numbers that the paper calls similar, an order without a winner: each is within 15 % of their mean.
    unit, basis, untestable, reason, theme: as of `Ordered`.
    """

    what: str
    keys: tuple[str, ...]
    where: str
    unit: str = ""
    basis: str = TEST_BED
    untestable: str = ""
    reason: str = ""
    theme: str = ""


Claim = Printed | Ordered | Similar


@dataclass(frozen=True)
class Show:
    """A scenario of an experiment with the schedulers that the dashboard opens it with, each written in
    full.
    """

    title: str
    scenario: Scenario
    schedulers: tuple[str, ...]

    def __post_init__(self) -> None:
        for scheduler in self.schedulers:
            parse_in_full(scheduler)


class Series(NamedTuple):
    """Numbers of one name over x, which are numbers or words. low, high: their 95 % intervals; paper: they
    are the paper's, not ours.
    """

    name: str
    x: tuple[float | str, ...]
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    paper: bool = False


@dataclass(frozen=True)
class Picture:
    """A picture after one of the paper's: same axes, same order of schedulers. x, y: titles with their units,
    such as "Makespan (s)".

    kind: "bars" (a group an x), "stacked" (the series of an x on one another), "lines", or "steps" (a value
    holds to the next x).
    """

    title: str
    kind: str
    x: str
    y: str
    series: tuple[Series, ...]


def _none() -> tuple:
    return ()


class Measurement(NamedTuple):
    """What an experiment found now. pictures, notes: made when they are asked for, which the claims need not
    be.

    notes: sentences with numbers of this run, by key: what was tried to find a reason.
    """

    samples: Samples
    pictures: Callable[[], tuple[Picture, ...]] = _none
    notes: Callable[[], Mapping[str, str]] = dict


@dataclass(frozen=True)
class FreeParameter:
    """A parameter of a paper's test bed that the paper does not give; value: what the fit found, in [low,
    high].
    """

    name: str
    meaning: str
    unit: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """How at most four free parameters were fixed. cells: the printed numbers that served; predict(values):
    the same numbers in the model, by key.

    starts: steps of each parameter's range that the search begins on.
    """

    title: str
    source: str
    free: tuple[FreeParameter, ...]
    cells: tuple[Printed, ...]
    predict: Callable[[Mapping[str, float]], Mapping[str, float]]
    starts: int = 4

    @property
    def values(self) -> dict[str, float]:
        """The values by name."""
        return {one.name: one.value for one in self.free}


@dataclass(frozen=True)
class Reading:
    """A calibration or a reading of the paper that can be defended, and what it measures.

    key: as in the record, "" where an experiment has one alone; title: a few words; says: which calibration
    it is, in a sentence.
    assumes: what this reading takes for given beside what all readings of the experiment do, a sentence each.
    fit: its cells are named in advance, on baselines alone; claims on them can't be tested under this
    reading.
    """

    measure: Callable[[Trial], Measurement]
    says: str
    key: str = ""
    title: str = ""
    fit: Fit | None = None
    assumes: tuple[str, ...] = ()

    @property
    def assumption_count(self) -> int:
        """Its own assumptions, and its fitted parameters, each of which is one."""
        return len(self.assumes) + (len(self.fit.free) if self.fit else 0)


@dataclass(frozen=True)
class Reason:
    """Why claims of an experiment do not hold. cause: one of CAUSES; says: one sentence in plain words; note:
    the key of the note that shows it.
    """

    cause: str
    says: str
    note: str


@dataclass(frozen=True)
class Experiment:
    """One figure or table, or a group that shares its runs.

    key: as in a link; where: the paper's tables and figures; setting, notice: one paragraph each, what is run
    and what to look at.
    claims: what the paper says, in its order; assumptions: what the paper leaves open and we chose.
    conflicts: where the paper contradicts itself or arithmetic, with both numbers and the identity.
    reasons: why claims do not hold, at most three, by the key that these claims name.
    unattainable: what no physics can give, a sentence each; thousand_containers: of containers it runs, so
    that the longest begin first.
    """

    key: str
    title: str
    where: str
    setting: str
    notice: str
    shows: Callable[[], tuple[Show, ...]]
    readings: tuple[Reading, ...]
    claims: tuple[Claim, ...]
    assumptions: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    reasons: Mapping[str, Reason] = field(default_factory=dict)
    unattainable: tuple[str, ...] = ()
    thousand_containers: int = 1

    @property
    def shown(self) -> Reading:
        """The reading that is shown and counted: the one with the fewest assumptions, whatever it gives; of
        several, the first.
        """
        return min(self.readings, key=lambda reading: reading.assumption_count)


class Axis(NamedTuple):
    """A parameter of a claim's map, at these values; calibrated: its value in the experiment, if it has one.
    log: drawn so.
    """

    title: str
    unit: str
    values: tuple[float, ...]
    calibrated: float | None = None
    log: bool = False


@dataclass(frozen=True)
class ClaimMap:
    """Under which conditions a paper's headline holds: one claim, judged at every point of two parameters.

    experiment: "paper/experiment" that the claim is of; says: what to look at, in a sentence or two.
    measure(x, y, trial): the samples that the claim needs; key, unit: of the sample that is drawn, what it is
    called; better: "smaller" or "larger".
    """

    title: str
    says: str
    experiment: str
    claim: Claim
    x: Axis
    y: Axis
    measure: Callable[[float, float, Trial], Samples]
    key: str
    name: str
    unit: str = "%"
    better: str = "smaller"


class Theme(NamedTuple):
    """What a paper says again and again, as one part of the sentence on it. says: such as "that HaSTE beats
    FIFO"; of: what the claims on it count, such as "workloads".
    """

    says: str
    of: str


@dataclass(frozen=True)
class Paper:
    """A paper and its experiments in its own order. key: as in a link; source: authors, title, year; about: a
    sentence.

    themes: by the key that claims name, in the order of the sentence on the paper; unreadable: what of it
    can't be read; headline: under which conditions its main claim holds.
    """

    key: str
    title: str
    source: str
    about: str
    experiments: tuple[Experiment, ...]
    themes: Mapping[str, Theme] = field(default_factory=dict)
    unreadable: str = ""
    headline: ClaimMap | None = None
