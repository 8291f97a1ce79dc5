"""Ablations: why the score saves less than the paper says, by other runs of the same tests; in sentences.

None of it enters a claim, and a few of the seeds are enough for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import quantities
from engine.papers.dynamic_priority.sending import IN_QUEUE, schedulers
from engine.papers.dynamic_priority.waits import TURNAROUND, WAIT, Make, Waits, runs
from engine.papers.judge import average
from engine.papers.trial import SEEDS, Trial

FEW_SEEDS, MORE = SEEDS[:10], SEEDS[:20]
PAIRS = {
    "new_Fair against Fair": ("fair", "priority-fair"),
    "new_Capacity against Capacity": ("capacity", "priority-capacity"),
}
A_REDUCE_A_SLAVE = 12


def less(old: float, new: float) -> str:
    """A change in words."""
    change = (old - new) / old if old else 0.0
    return f"{quantities.percent(abs(change))} {'less' if change >= 0 else 'more'}"


def by_default(samples: Mapping[str, Sequence[float]]) -> str:
    """What the score saves over each default."""
    return f"On average, {_told(samples)}."


def without_place(test: tuple, make: Make, reading: Waits) -> str:
    """The score without the place in the queue: the fewest splits first."""
    samples = reading.of(runs((*test, "k1=0"), make, schedulers(k1=0.0), Trial(seeds=MORE)))
    return (
        f"Without the place in the queue (k1 = 0), on {len(MORE)} seeds, {_told(samples)}; "
        f"{_both(samples)}. A place counts for much: with k1 = 0.3 the order stays near that of arrival."
    )


def more_reduces(test: tuple, make: Make, reading: Waits) -> str:
    """A reduce a slave. make: the tests with them."""
    samples = reading.of(runs((*test, "more reduces"), make, schedulers(), Trial(seeds=MORE)))
    return f"With a reduce a slave in each job instead of one, on {len(MORE)} seeds, {_told(samples)}."


def in_queue(test: tuple, make: Make, reading: Waits) -> str:
    """The score on the containers of running jobs, in place of Fair's sharing. make: tests with a reduce a
    slave.
    """
    samples = reading.of(runs((*test, "in the queue"), make, IN_QUEUE, Trial(seeds=MORE)))
    return (
        "Where the score says which running job gets the next container, in place of Fair's sharing, and "
        f"each job has a reduce a slave, on {len(MORE)} seeds, {_told(samples)}; {_both(samples)}."
    )


def _told(samples: Mapping[str, Sequence[float]]) -> str:
    return f"waiting: {_compared(samples, WAIT)}; turnaround: {_compared(samples, TURNAROUND)}"


def _both(samples: Mapping[str, Sequence[float]]) -> str:
    """Both defaults together, as the paper gives its one number."""
    changes = []
    for key in (WAIT, TURNAROUND):
        old, new = (sum(average(samples[f"{pair[at]}/{key}"]) for pair in PAIRS.values()) for at in (0, 1))
        changes.append(less(old, new))
    return f"both together wait {changes[0]} and take {changes[1]}"


def _compared(samples: Mapping[str, Sequence[float]], key: str) -> str:
    numbers = {what: [average(samples[f"{name}/{key}"]) for name in pair] for what, pair in PAIRS.items()}
    return ", ".join(f"{what} {less(*pair)}" for what, pair in numbers.items())
