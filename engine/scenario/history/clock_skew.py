"""Skewed clocks of hosts: what started before it could have is shifted by its host's skew, and what is still
out of order is put in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.codes import UNKNOWN
from engine.scenario.history.records import AttemptRecord, JobRecord

OTHER_CLOCK_MS = 100  # less is the grain of the events


def clock_shifts(pairs: Iterable[tuple[str, int, int]]) -> dict[str, int]:
    """By host the ms that its clock is behind at least. pairs: (host, the earliest time possible, the time by
    its own clock), UNKNOWN left out.
    """
    behind: dict[str, int] = {}
    for host, earliest, local in pairs:
        if earliest != UNKNOWN and local != UNKNOWN and local < earliest - OTHER_CLOCK_MS:
            behind[host] = max(behind.get(host, 0), earliest - local)
    return behind


def master_shifts(jobs: Sequence[JobRecord]) -> dict[str, int]:
    """Of the hosts of masters: the job history has a master's clock, but for when the job was submitted."""
    return clock_shifts(
        (job.masters[-1].host, job.submit_ms, _first_time(job)) for job in jobs if job.masters
    )


def of_attempts(attempts: Iterable[AttemptRecord]) -> dict[str, int]:
    """Of the hosts of tasks: an attempt begins after its task was asked for."""
    return clock_shifts((attempt.host, attempt.scheduled_ms, attempt.start_ms) for attempt in attempts)


def shift_job(job: JobRecord, by: int) -> None:
    """All times of its master's clock, so many ms later."""
    job.inited_ms, job.finish_ms = _shift(job.inited_ms, by), _shift(job.finish_ms, by)
    job.masters = [record._replace(jvm_ms=_shift(record.jvm_ms, by)) for record in job.masters]
    job.attempts = [
        shift_attempt(record._replace(scheduled_ms=_shift(record.scheduled_ms, by)), by)
        for record in job.attempts
    ]


def shift_attempt(attempt: AttemptRecord, by: int) -> AttemptRecord:
    """The attempt with the times of its own host so many ms later."""
    return attempt._replace(
        start_ms=_shift(attempt.start_ms, by),
        shuffle_end_ms=_shift(attempt.shuffle_end_ms, by),
        sort_end_ms=_shift(attempt.sort_end_ms, by),
        end_ms=_shift(attempt.end_ms, by),
    )


def _first_time(job: JobRecord) -> int:
    times = [
        time
        for time in (job.masters[-1].jvm_ms if len(job.masters) == 1 else UNKNOWN, job.inited_ms)
        if time != UNKNOWN
    ]
    return min(times, default=UNKNOWN)


def _shift(time: int, by: int) -> int:
    return time if time == UNKNOWN else time + by
