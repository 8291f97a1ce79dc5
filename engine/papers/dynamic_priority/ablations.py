"""Ablations: why the score saves less than the paper says, by other runs of the same tests; in sentences.

None of it enters a verdict, and a few of the seeds are enough for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import quantities
from engine.papers.columns import FULL_NAMES, columns
from engine.papers.dynamic_priority.waits import TURNAROUND, WAIT, Make, Waits, runs
from engine.papers.judge import average
from engine.papers.trial import SEEDS, Trial

FEW_SEEDS, MORE = SEEDS[:10], SEEDS[:20]
PAIRS = {
    "new_Fair against Fair": ("fair", "priority-fair"),
    "new_Capacity against Capacity": ("capacity", "priority-capacity"),
}
ARRIVAL = {"Capacity, which is the order of arrival in one queue, against Fair": ("fair", "capacity")}
SCHEDULERS = tuple(name for pair in PAIRS.values() for name in pair)
WITHOUT_POSITION = {
    name: FULL_NAMES[f"{name}(k1=0)" if name.startswith("priority") else name] for name in SCHEDULERS
}
A_REDUCE_A_SLAVE = 12


def less(old: float, new: float) -> str:
    """A change in words."""
    change = (old - new) / old if old else 0.0
    return f"{quantities.percent(abs(change))} {'less' if change >= 0 else 'more'}"


def from_fair(samples: Mapping[str, Sequence[float]]) -> str:
    """What the score gains over each default, and what the order of arrival gains over Fair."""
    return (
        f"On average, waiting: {_compared(samples, WAIT, PAIRS | ARRIVAL)}; turnaround: "
        f"{_compared(samples, TURNAROUND, PAIRS | ARRIVAL)}."
    )


def without_position(test: tuple, make: Make, reading: Waits) -> str:
    """The score without its place in the queue."""
    samples = reading.of(runs((*test, "k1=0"), make, WITHOUT_POSITION, Trial(seeds=FEW_SEEDS)))
    return (
        f"Without the place in the queue (k1 = 0), on {len(FEW_SEEDS)} seeds, waiting: "
        f"{_compared(samples, WAIT, PAIRS)}; turnaround: "
        f"{_compared(samples, TURNAROUND, PAIRS)}."
    )


def more_reduces(make: Make, reading: Waits) -> str:
    """The other choice that a lab could make. make: the tests with a reduce a slave."""
    samples = reading.of(runs(("a reduce a slave",), make, columns(*SCHEDULERS), Trial(seeds=MORE)))
    before, after = ([average(samples[f"{name}/{key}"]) for name in SCHEDULERS] for key in (WAIT, TURNAROUND))
    both = [
        less(fair + capacity, new_fair + new_capacity)
        for fair, new_fair, capacity, new_capacity in (before, after)
    ]
    return (
        f"With a reduce a slave in each job instead of one, on {len(MORE)} seeds, both defaults together "
        f"wait {both[0]} and take {both[1]}. Waiting: "
        f"{_compared(samples, WAIT, PAIRS | ARRIVAL)}; turnaround: "
        f"{_compared(samples, TURNAROUND, PAIRS | ARRIVAL)}."
    )


def _compared(samples: Mapping[str, Sequence[float]], key: str, pairs: Mapping[str, tuple[str, str]]) -> str:
    numbers = {what: [average(samples[f"{name}/{key}"]) for name in pair] for what, pair in pairs.items()}
    return ", ".join(f"{what} {less(*pair)}" for what, pair in numbers.items())
