"""Containers a second with 1,000 and 10,000 jobs active, as a part of those with 50, measured in turn in one
process.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.engine import HADOOP, best, shape
from tests.bench.scenarios import stream

CONTAINERS, NODES = 400_000, 4_000
FEW, MANY, MOST_ACTIVE = 50, 1_000, 10_000
# whose preference is a rank of the job alone
RANKED = (
    *HADOOP,
    "priority-fifo",
    "priority-fair",
    "priority-capacity",
)
MIN_RANKED, MIN_OTHERS, MIN_MOST_ACTIVE = 0.7, 0.4, 0.4


def activity(order: str) -> Iterator[dict]:
    """A row for each number of active jobs beyond the first, with its ratio."""
    rates = {}
    for active in (FEW, MANY, MOST_ACTIVE) if order in HADOOP else (FEW, MANY):
        seconds, run = best(stream(CONTAINERS, NODES, active), order, 3)
        rates[active] = len(run.containers.job) / seconds
        if active > FEW:
            min_ratio = (
                MIN_MOST_ACTIVE if active == MOST_ACTIVE else MIN_RANKED if order in RANKED else MIN_OTHERS
            )
            ratio = rates[active] / rates[FEW]
            row = {
                "part": "g",
                "title": f"{active:,} jobs active, as a part of {FEW}",
                "order": order,
                "per_second": rates[active],
                "ratio": ratio,
            }
            yield row | {"target": f"at least {min_ratio:g}x", "met": ratio >= min_ratio} | shape(run)
