"""Usage against time: with fixed work the average usage times the makespan is the work, whatever the
order.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import quantities


def implied_pct(usage_pct: float) -> float:
    """The change of the makespan in percent that a change of the average usage by `usage_pct` means: -100 u /
    (100 + u).
    """
    return -100 * usage_pct / (100 + usage_pct)


def max_deviation(usage: Sequence[float], makespan: Sequence[float]) -> float:
    """The largest distance, in points, between the changes of the makespan of these runs and what their
    changes of usage imply.
    """
    return max(
        abs(implied_pct(usage_change) - makespan_change)
        for usage_change, makespan_change in zip(usage, makespan)
    )


def percent(number: float) -> str:
    """A change in percent as it stands in a sentence."""
    return quantities.percent(number / 100, signed=True)
