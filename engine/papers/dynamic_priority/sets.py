"""Figures 3 to 8: sets of jobs of one benchmark under Fair and Capacity, each as it is and with the score before it; and what the text makes of them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial

from engine.papers.columns import in_full
from engine.papers.dynamic_priority.by_hand import METRICS
from engine.papers.dynamic_priority.lab import NUMBERS, OUTPUT, test_set
from engine.papers.dynamic_priority.reasons import less, more_reduces, tried
from engine.papers.measuring import metrics, over_seeds, series
from engine.papers.schema import Experiment, Measured, Ordered, Picture, Printed, Reading, Show
from engine.papers.trial import Trial
from engine.scenario.model import Scenario

BASES = {"fair": "Fair", "capacity": "Capacity"}
SCHEDULERS = {"fair": "Fair", "priority-fair": "new_Fair", "capacity": "Capacity", "priority-capacity": "new_Capacity"}
WORDS = {"mean_wait_s": "waiting time", "mean_turnaround_s": "turnaround time"}
LAB = (
    "Task times and everything else that the paper doesn't say of its lab, chosen before a scheduler ran: maps of 20 s for a split of 128 MB, maps' output in "
    "the proportions of OMO's Table 4 (TeraSort 1, WordCount 3.9/20, Inverted index 3.45/20), a reduce that writes as fast as it fetches.",
    "Hadoop 2.9.1's defaults where the paper is silent: one reduce a job, containers of 1 GB and one vcore, masters of 2 GB, slowstart 0.05, one queue.",
)
NOTHING = "no reduction"  # the name of a sample of zeros: what grows must be a reduction
WAITS = "Waiting is from a job's arrival to its first container, its master's; the paper doesn't say what it counts as the end of waiting."

WHY = (
    "Two things, both tried. Under Fair a job that arrives hardly waits for its first container, so any line makes it wait longer; counted by containers, "
    "new_Fair waits far less than Fair. Under Capacity the score keeps almost to the order of arrival: a place in the queue counts 0.3, but waiting is "
    "divided by the splits, so that a job of 1 GB (8 splits) gains a place only after waiting 1.4 times its run time at least. Without the place in the "
    "queue (k1 = 0) the waiting under Capacity falls by far more."
)
REDUCES = (
    " Our choice of one reduce a job matters too, for the turnaround under Fair: the last note has the same tests with a reduce a slave. "
    "The waiting time under Fair still rises there."
)


def reduction_pct(old: Sequence[float], new: Sequence[float]) -> list[float]:
    """By how much new is less, in percent of the mean of old; their mean is the reduction of the means, and no short wait is divided by."""
    mean = sum(old) / len(old)
    return [100 * (before - after) / mean for before, after in zip(old, new)]


def measure(benchmark: str, trial: Trial) -> Measured:
    found: dict[str, list[float]] = {}
    for place, number in enumerate(NUMBERS):
        make = partial(test_set, benchmark=benchmark, number=number)
        runs = over_seeds(make, tuple(SCHEDULERS), metrics(*WORDS), trial.part(place, len(NUMBERS)))
        found |= {f"{number} jobs/{key}": values for key, values in runs.items()}
        for base in BASES:
            for key in WORDS:
                found[f"{number} jobs/{base}/{key} reduction"] = reduction_pct(runs[f"{base}/{key}"], runs[f"priority-{base}/{key}"])
    found[NOTHING] = [0.0] * len(found[f"{NUMBERS[0]} jobs/fair/mean_wait_s"])
    for scheduler in SCHEDULERS:
        for key in WORDS:
            sets = zip(*(found[f"{number} jobs/{scheduler}/{key}"] for number in NUMBERS))
            found[f"{scheduler}/{key}"] = [sum(values) / len(values) for values in sets]
    return Measured(found, lambda: pictures(found), lambda: tried(lambda seed: test_set(seed, benchmark, NUMBERS[1]), f"the set of {NUMBERS[1]} jobs"))


def pictures(found: Mapping[str, Sequence[float]]) -> tuple[Picture, ...]:
    """Waiting and turnaround, a group a set."""
    x = [f"{number} jobs" for number in NUMBERS]
    return tuple(
        Picture(title, "bars", "Set of jobs", f"{title} (s)", tuple(
            series(name, x, found, [f"{group}/{scheduler}/{key}" for group in x]) for scheduler, name in SCHEDULERS.items()
        ))
        for key, title in METRICS.items()
    )  # fmt: skip


def _rising(base: str, key: str) -> tuple[str | tuple[str, ...], ...]:
    """The reductions set by set, the first with none at all."""
    first, *more = (f"{number} jobs/{base}/{key} reduction" for number in NUMBERS)
    return (NOTHING, first), *more


def _experiment(benchmark: str, title: str, figures: str) -> Experiment:
    shorter = [
        Ordered(f"Average {word}: {SCHEDULERS[f'priority-{base}']} below {name}", (f"priority-{base}/{key}", f"{base}/{key}"), figures)
        for base, name in BASES.items()
        for key, word in WORDS.items()
    ]
    rising = [
        Ordered(f"The more jobs, the more {SCHEDULERS[f'priority-{base}']} reduces the {word}", _rising(base, key), figures, unit="%")
        for base in BASES
        for key, word in WORDS.items()
    ]
    return Experiment(
        key=benchmark,
        title=f"{title}: waiting and turnaround",
        where=figures,
        setting=f"Four sets of {title} jobs of 1 to 20 GB on twelve slaves of 4 GB and 4 threads at 100 Mbps, under Fair and Capacity and under both with the "
        "score before them. The charts' numbers are lost; the text says which way they point.",
        notice="Under Fair a job that arrives gets the next free container, so it waits little, whatever runs; where the score decides, it stands in line. "
        "Under Capacity's one queue jobs stand in line anyway, and the score changes only who goes first.",
        shows=lambda: (Show(f"{NUMBERS[1]} {title} jobs", test_set(1, benchmark, NUMBERS[1]), in_full(tuple(SCHEDULERS))),),
        readings=(Reading(partial(measure, benchmark), "Nothing is fitted."),),
        claims=(*shorter, *rising),
        ours=(*LAB, "The sets: 4, 8, 12 and 16 jobs, sizes drawn; a job comes with the one before, or up to a minute later.", WAITS),
        why=WHY,
        thousands=900,
    )


WORDCOUNT = _experiment("wordcount", "WordCount", "Figures 3 and 4")
TERASORT = _experiment("terasort", "TeraSort", "Figures 5 and 6")
INVERTED_INDEX = _experiment("inverted-index", "Inverted index", "Figures 7 and 8")


def any_test(seed: int) -> Scenario:
    """One of the tests: its benchmark and its number of jobs are drawn."""
    drawn = random.Random(f"{seed} test")
    return test_set(seed, drawn.choice(list(OUTPUT)), drawn.choice(NUMBERS))


def measure_all(trial: Trial) -> Measured:
    """Both bases together, as the text does; each by itself in the notes."""
    found = over_seeds(any_test, tuple(SCHEDULERS), metrics(*WORDS), trial)
    notes = []
    for key, word in WORDS.items():
        both = [[a + b for a, b in zip(found[f"{before}fair/{key}"], found[f"{before}capacity/{key}"])] for before in ("", "priority-")]
        found[f"{key} reduction"] = reduction_pct(*both)
        for base, name in BASES.items():
            old, new = found[f"{base}/{key}"], found[f"priority-{base}/{key}"]
            found[f"{base}/{key} reduction"] = reduction_pct(old, new)
            notes.append(f"Average {word}, {SCHEDULERS[f'priority-{base}']} against {name}: {less(sum(old), sum(new))}.")
    x = list(BASES.values())
    bars = [series(word, x, found, [f"{base}/{key} reduction" for base in BASES]) for key, word in WORDS.items()]
    return Measured(
        found,
        lambda: (Picture("Reduction by the score", "bars", "", "Reduction (%)", tuple(bars)),),
        lambda: (*notes, *tried(any_test, "the tests"), more_reduces(any_test)),
    )


REDUCTIONS = Experiment(
    key="reductions",
    title="What the score saves on average",
    where="Abstract, section 5.2 and section 6",
    setting="100 tests as in Figures 3 to 8, the benchmark and the number of jobs drawn for each, under Fair and Capacity and under both with the score before "
    "them.",
    notice="The paper gives one number for both defaults together. The two differ: what the score saves under one of them it may cost under the other.",
    shows=lambda: (Show("One of the tests", any_test(1), in_full(tuple(SCHEDULERS))),),
    readings=(Reading(measure_all, "Nothing is fitted."),),
    claims=(
        Printed("Reduction of the average waiting time", "mean_wait_s reduction", 45, "%", "section 5.2", side=True),
        Printed("Reduction of the average turnaround time", "mean_turnaround_s reduction", 40, "%", "section 5.2", side=True),
    ),
    ours=(*LAB, "A reduction is that of the average over all tests, Fair's and Capacity's added.", WAITS),
    why=WHY + REDUCES,
    thousands=220,
)
