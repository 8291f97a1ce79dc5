"""Which jobs of a long file make a scenario: of the part that was asked for, those of the
span of time, as long as one may be, with the most jobs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.field_types import MAX_SECONDS

MAX_SPAN_MS = int(1000 * MAX_SECONDS)


@dataclass(frozen=True)
class Part:
    """What is read of a trace or a history: the jobs that arrive from `since_s` to before `until_s`, in s
    after its first job, without the first `skip_jobs` of them. FormatError where no time lies between.
    """

    skip_jobs: int = 0
    since_s: float = 0.0
    until_s: float = math.inf

    def __post_init__(self) -> None:
        if not 0 <= self.since_s < self.until_s:
            raise FormatError(
                msg("scenario.time_window.since_before_until", since=self.since_s, until=self.until_s)
            )

    def holds(self, offset_ms: int) -> bool:
        """Whether a job that arrives so long after the first is in its span. Without a beginning that also
        holds those before the first, as files are not all in order.
        """
        return (not self.since_s or offset_ms >= 1000 * self.since_s) and offset_ms < 1000 * self.until_s


ALL_JOBS = Part()


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
