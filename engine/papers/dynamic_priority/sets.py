"""Figures 3 to 8: sets of jobs of one benchmark under Fair and Capacity, each as it is and with the score
before it; and what the text makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from engine import quantities
from engine.experiments.replications import Estimate
from engine.papers.dynamic_priority.ablations import (
    A_REDUCE_A_SLAVE,
    by_default,
    in_queue,
    more_reduces,
    without_place,
)
from engine.papers.dynamic_priority.lab import SET_SIZES, benchmark_set, random_test
from engine.papers.dynamic_priority.sending import IN_QUEUE, SCHEDULERS
from engine.papers.dynamic_priority.waits import BOTH, Waits, runs
from engine.papers.dynamic_priority.worked_examples import METRICS
from engine.papers.judge import average, mean
from engine.papers.measuring import series
from engine.papers.schema import (
    NOISE,
    PHYSICS,
    READING,
    Experiment,
    Measurement,
    Ordered,
    Picture,
    Printed,
    Reading,
    Reason,
    Samples,
    Series,
    Show,
)
from engine.papers.trial import Trial

BASES = {"fair": "Fair", "capacity": "Capacity"}
NAMES = {
    "fair": "Fair",
    "priority-fair": "new_Fair",
    "capacity": "Capacity",
    "priority-capacity": "new_Capacity",
}
WORDS = {"mean_wait_s": "waiting time", "mean_turnaround_s": "turnaround time"}
LAB = (
    "Task times and everything else that the paper doesn't say of its lab, chosen before a scheduler ran: "
    "maps of 20 s for a split of 128 MB, maps' output in "
    "the proportions of OMO's Table 4 (TeraSort 1, WordCount 3.9/20, Inverted index 3.45/20), a reduce "
    "that writes as fast as it fetches.",
    "Hadoop 2.9.1's defaults where the paper is silent: one reduce a job, containers of 1 GB and one "
    "vcore, masters of 2 GB, one queue, reduces ramped up from 5 % of the maps on; Fair lets masters hold "
    "half of its share, Capacity a tenth of the cluster.",
    "The score is run before Fair and Capacity, as section 5.2 says: it picks which waiting job is sent "
    "next, and those that are sent share the cluster as Fair or Capacity has it. The pages open the "
    "catalogue's priority-fair and priority-capacity, which order the containers of running jobs.",
    "One reduce a job, because the paper compares itself with a default Hadoop and leaves optimizing its "
    "parameters to future work; and its batches under the "
    "default scheduler (7.2 and 9 % of the CPU, an hour) are nearer to one than to one a slave, as their "
    "notes tell. Hadoop's tutorial recommends 0.95 or 1.75 "
    "times what the nodes hold; the map has other numbers.",
)
SETS_A_SEED = 4  # so that sets whose jobs differ much can be told apart: 400 sets of each size
NOTHING = "no reduction"  # the name of a sample of zeros: what grows must be a reduction
REDUCED = (45, 40)  # abstract, section 5.2: percent of the waiting and of the turnaround time
TIMES = "Nothing is fitted: the lab's task times have no printed source."
FEW, PLACE, LOAD = "few", "place", "load"
BEYOND = (
    "45 % is not to be expected of the printed score on any cluster: a place in the queue "
    "counts 0.3 and waiting counts "
    "(1 + waiting / run time) / splits, so a job of 8 splits passes one place after waiting 1.4 times its "
    "run time at the soonest, one of 160 splits after "
    "47 times."
)


def reduction_pct(old: Sequence[float], new: Sequence[float]) -> list[float]:
    """By how much new is less, in percent of the mean of old; their mean is the reduction of the means, and
    no short wait is divided by.
    """
    mean = sum(old) / len(old)
    return [100 * (before - after) / mean for before, after in zip(old, new)]


def measure(benchmark: str, reading: Waits, trial: Trial) -> Measurement:
    samples: dict[str, list[float]] = {}
    for index, number in enumerate(SET_SIZES):
        make, part = (
            partial(benchmark_set, benchmark=benchmark, number=number),
            trial.part(index, len(SET_SIZES)),
        )
        of_set = reading.of(runs((benchmark, number), make, SCHEDULERS, part, SETS_A_SEED))
        samples |= {f"{number} jobs/{key}": values for key, values in of_set.items()}
        for base in BASES:
            for key in WORDS:
                samples[f"{number} jobs/{base}/{key} reduction"] = reduction_pct(
                    of_set[f"{base}/{key}"], of_set[f"priority-{base}/{key}"]
                )
    samples[NOTHING] = [0.0] * len(trial.seeds)
    for scheduler in SCHEDULERS:
        for key in WORDS:
            sets = zip(*(samples[f"{number} jobs/{scheduler}/{key}"] for number in SET_SIZES))
            samples[f"{scheduler}/{key}"] = [sum(values) / len(values) for values in sets]
    make = partial(benchmark_set, benchmark=benchmark, number=SET_SIZES[-1])
    return Measurement(samples, lambda: pictures(samples), lambda: _notes(samples, benchmark, make, reading))


def _notes(samples: Samples, benchmark: str, make: Callable, reading: Waits) -> dict[str, str]:
    largest = (benchmark, SET_SIZES[-1])
    return {
        "by-default": by_default(samples),
        "saved": _saved(samples),
        "rise": _rise(samples),
        "more-reduces": f"Sets of {SET_SIZES[-1]} jobs. "
        + more_reduces(largest, partial(make, reduces=A_REDUCE_A_SLAVE), reading),
        "without-place": f"Sets of {SET_SIZES[-1]} jobs. " + without_place(largest, make, reading),
    }


def _saved(samples: Samples) -> str:
    """What new_Fair saves on average, with its interval."""
    changes = []
    for key, word in WORDS.items():
        whole = average(samples[f"fair/{key}"])
        saved = mean([a - b for a, b in zip(samples[f"fair/{key}"], samples[f"priority-fair/{key}"])])
        changes.append(f"{_interval(saved, 100 / whole)} % of the {word}")
    return f"Over all sets new_Fair saves {' and '.join(changes)}, the interval being of 95 %."


def _rise(samples: Samples) -> str:
    """The slope of each reduction over the sets, seed by seed."""
    middle = average(SET_SIZES)
    spread = sum((number - middle) ** 2 for number in SET_SIZES)
    told = []
    for base, name in BASES.items():
        for key, word in WORDS.items():
            by_set = zip(*(samples[f"{number} jobs/{base}/{key} reduction"] for number in SET_SIZES))
            slopes = [
                sum((number - middle) * change for number, change in zip(SET_SIZES, changes)) / spread
                for changes in by_set
            ]
            told.append(f"new_{name} {word} {_interval(mean(slopes), SET_SIZES[0])}")
    return (
        f"With {SET_SIZES[0]} jobs more the reduction rises, in points, by a straight line through all sets: "
        f"{', '.join(told)}."
    )


def _interval(estimate: Estimate, factor: float) -> str:
    """A mean with its interval, as numbers."""
    assert estimate.mean is not None
    half = 0.0 if estimate.low is None else estimate.mean - estimate.low
    return f"{factor * estimate.mean:.1f} ± {factor * half:.1f}"


def pictures(samples: Mapping[str, Sequence[float]]) -> tuple[Picture, ...]:
    """Waiting and turnaround, a group a set."""
    x = [f"{number} jobs" for number in SET_SIZES]
    return tuple(
        Picture(
            title,
            "bars",
            "Set of jobs",
            f"{title} (s)",
            tuple(
                series(name, x, samples, [f"{group}/{scheduler}/{key}" for group in x])
                for scheduler, name in NAMES.items()
            ),
        )
        for key, title in METRICS.items()
    )


def _reductions_by_set(base: str, key: str) -> tuple[str | tuple[str, ...], ...]:
    """The reductions set by set, the first with none at all."""
    first, *later = (f"{number} jobs/{base}/{key} reduction" for number in SET_SIZES)
    return (NOTHING, first), *later


def _readings(measured: Callable[[Waits, Trial], Measurement]) -> tuple[Reading, ...]:
    return tuple(
        Reading(
            partial(measured, waits),
            f"{waits.says} {TIMES}",
            waits.key,
            waits.title,
            assumes=waits.assumes,
        )
        for waits in BOTH
    )


def _experiment(benchmark: str, title: str, first: int) -> Experiment:
    """first: the number of its figure of the waiting time, which that of the turnaround time follows."""
    at = {key: f"section 5.2, Figure {number}" for number, key in enumerate(WORDS, start=first)}
    shorter = [
        Ordered(
            f"Average {word}: {NAMES[f'priority-{base}']} below {name}",
            (f"priority-{base}/{key}", f"{base}/{key}"),
            at[key],
            gain_not_given=LOST,
            theme=f"below-{base}",
        )
        for base, name in BASES.items()
        for key, word in WORDS.items()
    ]
    rising = [
        Ordered(
            f"The more jobs, the more {NAMES[f'priority-{base}']} reduces the {word}",
            _reductions_by_set(base, key),
            at[key],
            unit="%",
            reason=FEW if base == "fair" else "",
            theme="more-jobs",
        )
        for base in BASES
        for key, word in WORDS.items()
    ]
    return Experiment(
        key=benchmark,
        title=f"{title}: waiting and turnaround",
        where=f"Figures {first} and {first + 1}",
        setting=f"Four sets of {title} jobs of 1 to 20 GB on twelve slaves of 4 GB and 4 threads at 100 "
        "Mbps, under Fair and Capacity and under both with the "
        "score before them. The charts' numbers are lost; the text says which way they point.",
        notice="Jobs stand in line because Hadoop lets only so many masters run: two under Capacity, up to "
        "twelve under Fair. The score changes who of those in line goes next. Two jobs at a time are few, so "
        "there is much to save under Capacity and little under Fair.",
        shows=lambda: (
            Show(
                f"{SET_SIZES[1]} {title} jobs",
                benchmark_set(1, benchmark, SET_SIZES[1]),
                tuple(IN_QUEUE.values()),
            ),
        ),
        readings=_readings(partial(measure, benchmark)),
        claims=(*shorter, *rising),
        assumptions=(
            *LAB,
            "The sets: 4, 8, 12 and 16 jobs, sizes drawn; a job comes with the one before, or up to a "
            f"minute later. {SETS_A_SEED} sets a seed of each size, of which the mean is taken.",
        ),
        reasons={
            FEW: Reason(
                NOISE,
                "Under Fair few jobs stand in line, of four hardly any, so what the score saves there rises "
                "by less than neighbouring sets differ.",
                "rise",
            ),
        },
        unattainable=(BEYOND,),
        thousand_containers=4800,
    )


LOST = "the charts' values are lost, and the text gives one average over all of them"
WORDCOUNT = _experiment("wordcount", "WordCount", 3)
TERASORT = _experiment("terasort", "TeraSort", 5)
INVERTED_INDEX = _experiment("inverted-index", "Inverted index", 7)


def measure_all(reading: Waits, trial: Trial) -> Measurement:
    """Both bases together, as the text does; each by itself in the notes."""
    samples = pooled(reading.of(runs(("any",), random_test, SCHEDULERS, trial)))
    x = (*BASES.values(), "both")
    nothing = (None,) * len(BASES)

    def pictures() -> tuple[Picture, ...]:
        keys = {key: (*(f"{base}/{key} reduction" for base in BASES), f"{key} reduction") for key in WORDS}
        bars = [series(word, x, samples, keys[key]) for key, word in WORDS.items()]
        paper = [
            Series(f"{word}, paper", x, (*nothing, reduced), paper=True)
            for word, reduced in zip(WORDS.values(), REDUCED)
        ]
        bars = [bar for pair in zip(bars, paper) for bar in pair]
        return (Picture("Reduction by the score", "bars", "", "Reduction (%)", tuple(bars)),)

    return Measurement(
        samples,
        pictures,
        lambda: {
            "by-default": by_default(samples),
            "without-place": without_place(("any",), random_test, reading),
            "in-queue": in_queue(("any",), _more_reduces, reading),
            "waited": _waited(samples),
        },
    )


_more_reduces = partial(random_test, reduces=A_REDUCE_A_SLAVE)


def _waited(samples: Samples) -> str:
    """What share of the turnaround is waiting, in the print and here."""
    wait, turnaround = (sum(average(samples[f"{base}/{key}"]) for base in BASES) for key in WORDS)
    return (
        f"If run times stay as they are, {REDUCED[1]} % of the turnaround are {REDUCED[0]} % of the waiting "
        f"where jobs wait for {quantities.percent(REDUCED[1] / REDUCED[0])} of their turnaround; here they "
        f"wait for {quantities.percent(wait / turnaround)} of it by default."
    )


def pooled(samples: dict[str, list[float]]) -> dict[str, list[float]]:
    """With the reductions, of each default's and of both together."""
    for key in WORDS:
        both = [
            [a + b for a, b in zip(samples[f"{before}fair/{key}"], samples[f"{before}capacity/{key}"])]
            for before in ("", "priority-")
        ]
        samples[f"{key} reduction"] = reduction_pct(*both)
        for base in BASES:
            samples[f"{base}/{key} reduction"] = reduction_pct(
                samples[f"{base}/{key}"], samples[f"priority-{base}/{key}"]
            )
    return samples


REDUCTIONS = Experiment(
    key="reductions",
    title="What the score saves on average",
    where="Abstract, section 5.2 and section 6",
    setting="100 tests as in Figures 3 to 8, the benchmark and the number of jobs drawn for each, under "
    "Fair and Capacity and under both with the score before "
    "them.",
    notice=(
        "The paper gives one number for both defaults together. The two differ: what the score saves "
        "under one of them it may cost under the other."
    ),
    shows=lambda: (Show("One of the tests", random_test(1), tuple(IN_QUEUE.values())),),
    readings=_readings(measure_all),
    claims=(
        Printed(
            "Reduction of the average waiting time",
            "mean_wait_s reduction",
            REDUCED[0],
            "%",
            "Abstract, section 5.2",
            side=True,
            reason=PLACE,
            theme="reductions",
        ),
        Printed(
            "Reduction of the average turnaround time",
            "mean_turnaround_s reduction",
            REDUCED[1],
            "%",
            "Abstract, section 5.2",
            side=True,
            reason=LOAD,
            theme="reductions",
        ),
    ),
    assumptions=(*LAB, "A reduction is that of the average over all tests, Fair's and Capacity's added."),
    reasons={
        PLACE: Reason(
            READING,
            "At k1 = 0.3 a place in the queue keeps the score near the order of arrival; near k1 = 0, which "
            "Eq. 1 allows, almost the printed waiting is saved.",
            "without-place",
        ),
        LOAD: Reason(
            PHYSICS,
            "By the two printed numbers jobs wait for nine tenths of their turnaround, and the paper does "
            "not say how many jobs made them wait so long.",
            "waited",
        ),
    },
    unattainable=(BEYOND,),
    thousand_containers=275,
)
