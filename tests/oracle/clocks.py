"""When the oracle's parts look at the clock: at the multiples of a period, or at the heartbeats of one
master.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.workload import Job


class Clock:
    """Ticks at every multiple of its period but 0; `tick` says whether it changed anything."""

    period: int

    def ticks_at(self, now: int) -> bool:
        return now > 0 and now % self.period == 0

    def next_tick(self, now: int) -> Iterator[int]:
        """The first after now, if there is any."""
        yield (now // self.period + 1) * self.period


class MasterClock:
    """Heartbeats of one job's master from the end of its start-up on; what it asks for then appears with the
    other requests.
    """

    def __init__(self, job: Job, reduce_start: Any) -> None:
        self.job = job
        self.reduce_start = reduce_start

    def ticks_at(self, now: int) -> bool:
        return self.job.finish is None and self.job.has_heartbeat_at(now)

    def next_tick(self, now: int) -> Iterator[int]:
        if self.job.ready is not None and self.job.finish is None:
            yield self.job.ready if self.job.ready > now else self.job.next_heartbeat(now)

    def tick(self) -> bool:
        return not self.job.application and self.reduce_start.on_heartbeat_of(self.job)
