"""Where the ticks of an axis are, and what they say: round times as a clock, round shares in percent.
assets/scripts/timeline/ruler.ts has those of times too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from typing import Any

from engine import quantities

TICK_STEPS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
TICK_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400)


def time_ticks(x0_s: float, x1_s: float, max_count: int) -> list[tuple[float, str]]:
    """(seconds, its text as a clock) of at most max_count round times from x0_s to x1_s, as near to each
    other as that allows.
    """
    if not x1_s > x0_s or max_count < 1:
        return []
    first, last = math.ceil(1000 * x0_s - 1e-6), math.floor(1000 * x1_s + 1e-6)
    step = next(step for step in _tick_steps() if last // step + -first // step < max_count)
    digits = next(digits for digits in range(4) if step % 10 ** (3 - digits) == 0)
    return [
        (ms / 1000, quantities.clock(ms / 1000, digits))
        for ms in range(-(-first // step) * step, last + 1, step)
    ]


def tick_step(min_ms: float) -> int:
    """The distance in ms of round times that are at least so far from each other."""
    return next(step for step in _tick_steps() if step >= min_ms)


def _tick_steps() -> Iterator[int]:
    """The distances of ticks in ms, ascending without end: beyond a day 2, 5, 10, 20, … days."""
    yield from TICK_STEPS_MS
    yield from (1000 * step for step in TICK_STEPS_S)
    for power in count():
        yield from (86_400_000 * times * 10**power for times in (2, 5, 10))


def share_ticks(low: float, high: float, max_count: int) -> dict[str, Any]:
    """Of a plotly axis whose numbers are shares: round percentages from low to high, at most max_count."""
    step = next(step for step in _share_steps() if (high - low) / step < max_count - 1 + 1e-9)
    shares = [
        place * step for place in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]
    texts = [quantities.percent(share) for share in shares]
    return {"tickmode": "array", "tickvals": shares, "ticktext": texts}


def _share_steps() -> Iterator[float]:
    """The distances of ticks, ascending without end."""
    for power in count(-3):
        yield from (times * 10.0**power for times in (1, 2, 5))
