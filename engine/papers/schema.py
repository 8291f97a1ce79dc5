"""What an experiment of a paper is: scenarios, what is measured, what the paper says of it, and pictures
after the paper's own.

Names of what is measured are strings such as "haste/makespan_s": an experiment's samples, claims and pictures
meet in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.legacy_names import parse_in_full

# What a claim rests on: a formula that is evaluated, with nothing simulated; a policy's rule, whatever the
# cluster; the paper's cluster.
FORMULA, ALGORITHM, TEST_BED = "formula", "algorithm", "test bed"
BASES = (FORMULA, ALGORITHM, TEST_BED)
# by name, one value a seed in the order of the seeds; inf: a deadlock
Samples = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Printed:
    """A number that the paper prints.

    what: in words; key: of the sample; number: the paper's; where: its table, figure or section.
    is_minimum: a bound, "at least"; relative_to: it is judged on its distance from this (100 for scores near
    100).
    rounding: what the print leaves open where that is more than half of its last digit; noise: of the paper's
    own runs, where it can be told, in its unit.
    side: a change whose sign is its direction; against: another sample and its number in the paper, whose
    side is its direction.
    basis: one of BASES; unjudged: why it gets no verdict, in a sentence.
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
    against: tuple[str, float] | None = None
    basis: str = TEST_BED
    unjudged: str = ""

    @property
    def tolerance(self) -> float:
        """How far from the number the paper's own may lie: by rounding to its last printed digit, and by
        noise.
        """
        digit = 10.0 ** int(Decimal(repr(self.number)).as_tuple().exponent)
        return (digit / 2 if self.rounding is None else self.rounding) + self.noise


@dataclass(frozen=True)
class Ordered:
    """An order that the paper states. ranks: names from the smallest to the largest; names in one tuple are
    not compared with each other.

    ties: equal is enough; unit: of the numbers, where their names don't end in it; basis: one of BASES;
    unjudged: why it gets no verdict, in a sentence. It holds if every difference does: in random experiments,
    if the 95 % interval of the paired differences leaves out zero.
    """

    what: str
    ranks: tuple[str | tuple[str, ...], ...]
    where: str
    ties: bool = False
    unit: str = ""
    basis: str = TEST_BED
    unjudged: str = ""


@dataclass(frozen=True)
class Similar:
    """Numbers that the paper calls similar: each is within 15 % of their mean. It has no direction. unit,
    basis, unjudged: as of `Ordered`.
    """

    what: str
    keys: tuple[str, ...]
    where: str
    unit: str = ""
    basis: str = TEST_BED
    unjudged: str = ""


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

    notes: sentences with numbers of this run, such as what was tried to find a reason.
    """

    samples: Samples
    pictures: Callable[[], tuple[Picture, ...]] = _none
    notes: Callable[[], tuple[str, ...]] = _none


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
    """A calibration or a reading of the paper that can be defended, and what it measures; each of an
    experiment's has a verdict of its own.

    key: as in the record, "" where an experiment has one alone; title: a few words; says: which calibration
    it is, in a sentence.
    fit: its cells are named in advance, on baselines alone; claims on them get no verdict under this reading.
    """

    measure: Callable[[Trial], Measurement]
    says: str
    key: str = ""
    title: str = ""
    fit: Fit | None = None


@dataclass(frozen=True)
class Experiment:
    """One figure or table, or a group that shares its runs.

    key: as in a link; where: the paper's tables and figures; setting, notice: one paragraph each, what is run
    and what to look at.
    claims: what the paper says, in its order; assumptions: what the paper leaves open and we chose.
    conflicts: where the paper contradicts itself or arithmetic, with both numbers and the identity.
    why: what we think the reason is where it differs; what was tried to test it is in the notes of what was
    measured.
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
    why: str = ""
    unattainable: tuple[str, ...] = ()
    thousand_containers: int = 1


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


@dataclass(frozen=True)
class Paper:
    """A paper and its experiments in its own order. key: as in a link; source: authors, title, year; about: a
    sentence.

    unreadable: what of it can't be read; headline: under which conditions its main claim holds.
    """

    key: str
    title: str
    source: str
    about: str
    experiments: tuple[Experiment, ...]
    unreadable: str = ""
    headline: ClaimMap | None = None
