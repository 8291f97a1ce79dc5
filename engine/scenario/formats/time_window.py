"""Which jobs of a long file make a scenario: those of the span of time, as long as one may be, with the most
jobs.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.scenario.field_types import MAX_SECONDS

MAX_SPAN_MS = int(1000 * MAX_SECONDS)


def fullest_window(arrivals_ms: Sequence[int], span_ms: int = MAX_SPAN_MS) -> tuple[int, int]:
    """Where in arrivals, sorted, the span with the most of them begins and ends: those from the first index
    to before the second are no further apart than `span_ms`; the earliest of equal ones.
    """
    best_start = best_end = start = 0
    for end, arrival in enumerate(arrivals_ms, 1):
        while arrival - arrivals_ms[start] > span_ms:
            start += 1
        if end - start > best_end - best_start:
            best_start, best_end = start, end
    return best_start, best_end
