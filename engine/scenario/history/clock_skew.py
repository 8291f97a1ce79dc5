"""Clocks of hosts that differ: what began before it could have is moved by its host's shift, and what is still out of order is put in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.scenario.history.records import UNKNOWN, AttemptRecord, JobRecord

OTHER_CLOCK_MS = 100  # less is the grain of the events


def shifts(pairs: Iterable[tuple[str, int, int]]) -> dict[str, int]:
    """By host the ms that its clock is behind at least. pairs: (host, the earliest time possible, the time by its own clock), UNKNOWN left out."""
    behind: dict[str, int] = {}
    for host, earliest, own in pairs:
        if earliest != UNKNOWN and own != UNKNOWN and own < earliest - OTHER_CLOCK_MS:
            behind[host] = max(behind.get(host, 0), earliest - own)
    return behind


def of_masters(jobs: Sequence[JobRecord]) -> dict[str, int]:
    """Of the hosts of masters: the job history has a master's clock, but for when the job was submitted."""
    return shifts((job.masters[-1].host, job.submit_ms, _first(job)) for job in jobs if job.masters)


def of_attempts(attempts: Iterable[AttemptRecord]) -> dict[str, int]:
    """Of the hosts of tasks: an attempt begins after its task was asked for."""
    return shifts((one.host, one.scheduled_ms, one.start_ms) for one in attempts)


def shifted_job(job: JobRecord, by: int) -> None:
    """All times of its master's clock, so many ms later."""
    job.inited_ms, job.finish_ms = _later(job.inited_ms, by), _later(job.finish_ms, by)
    job.masters = [one._replace(jvm_ms=_later(one.jvm_ms, by)) for one in job.masters]
    job.attempts = [shifted(one._replace(scheduled_ms=_later(one.scheduled_ms, by)), by) for one in job.attempts]


def shifted(one: AttemptRecord, by: int) -> AttemptRecord:
    """The attempt with the times of its own host so many ms later."""
    return one._replace(
        start_ms=_later(one.start_ms, by),
        shuffle_end_ms=_later(one.shuffle_end_ms, by),
        sort_end_ms=_later(one.sort_end_ms, by),
        end_ms=_later(one.end_ms, by),
    )


def _first(job: JobRecord) -> int:
    known = [time for time in (job.masters[-1].jvm_ms if len(job.masters) == 1 else UNKNOWN, job.inited_ms) if time != UNKNOWN]
    return min(known, default=UNKNOWN)


def _later(time: int, by: int) -> int:
    return time if time == UNKNOWN else time + by
