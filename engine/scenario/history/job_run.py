"""One job as it ran: its record put in order, tasks numbered without gaps, every attempt with the times that
a container has here.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from engine import quantities
from engine.codes import UNKNOWN
from engine.messages import msg
from engine.scenario.formats.import_notes import Notes
from engine.scenario.history.records import FAILED, FINISHED, KILLED, RUNNING, AttemptRecord, JobRecord

FIRST_REQUEST_MS = 1000  # from JOB_INITED's launchTime: one heartbeat of the master
# median of 70 masters on two clusters, from the ResourceManager's launchTime of an application back to its
# master's container
LAUNCH_MS = 50
LINGER_MS = 6000  # MRAppMaster.shutDownJob sleeps 5 s before it stops, and then takes a while
MAX_SPAN_MS = 10**11
OUTCOME_BY_STATUS = {"SUCCEEDED": FINISHED, "FAILED": FAILED, "KILLED": KILLED, "ERROR": FAILED}


class Attempt(NamedTuple):
    """A container as it ran, ms since 1970. kind: am, map or reduce; index: its task's, from 0; number: from
    1; moved: bytes, or UNKNOWN.
    """

    kind: str
    index: int  # type: ignore[assignment]  # hides tuple.index
    number: int
    host: str
    requested: int
    start: int
    begin: int
    shuffle_end: int
    end: int
    outcome: str
    moved: int


@dataclass
class JobRun:
    """maps, reduces: the attempt of each task that counts, by its new index; all: every attempt with those of
    masters.
    """

    job: JobRecord
    arrival: int
    first_request: int
    finish: int
    failed: bool
    maps: list[Attempt] = field(default_factory=list)
    reduces: list[Attempt] = field(default_factory=list)
    all: list[Attempt] = field(default_factory=list)


def job_run(job: JobRecord, slowstart: float, notes: Notes) -> JobRun | None:
    """None where nothing in the record ran; what is put right is counted in `notes`."""
    records = _plausible_attempts(job, notes)
    times = [time for attempt in records for time in (attempt.start_ms, attempt.end_ms)] + [
        attempt.jvm_ms for attempt in job.masters
    ]
    known_times = [time for time in (*times, job.inited_ms, job.submit_ms, job.finish_ms) if time != UNKNOWN]
    if not records or not known_times:
        notes.count("job", msg("shared.have_no_task_ran_left_out"))
        return None
    arrival = job.submit_ms if job.submit_ms != UNKNOWN else min(known_times)
    notes.count(
        "job",
        msg("scenario.job_run.do_not_say_when_they_were"),
        job.submit_ms == UNKNOWN,
    )
    finish = max(arrival, job.finish_ms if job.finish_ms != UNKNOWN else max(known_times))
    if job.finish_ms == UNKNOWN:
        notes.count("job", msg("scenario.job_run.have_history_without_end_last_recorded"))
    elif job.status not in ("", "SUCCEEDED"):
        notes.count(
            "job",
            msg("scenario.job_run.have_failed_or_were_killed_tasks"),
        )
    run = JobRun(job, arrival, UNKNOWN, finish, job.status not in ("", "SUCCEEDED"))
    masters = _masters(job, run, notes)
    first_start = min(attempt.start_ms for attempt in records)
    if job.inited_ms != UNKNOWN:
        run.first_request = max(
            min(job.inited_ms + FIRST_REQUEST_MS, max(first_start, arrival)),
            masters[0].start if masters else arrival,
        )
    run.all += masters
    if job.uberized:
        notes.count(
            "job",
            msg("scenario.job_run.have_run_their_tasks_within_their"),
        )
        uber_attempt = (
            masters[-1]
            if masters
            else Attempt(
                "map",
                0,
                1,
                records[0].host,
                arrival,
                first_start,
                first_start,
                UNKNOWN,
                max(finish, first_start),
                FINISHED,
                UNKNOWN,
            )
        )
        run.all = run.maps = [
            uber_attempt._replace(kind="map", number=1, end=max(uber_attempt.begin, finish))
        ]
        run.first_request = UNKNOWN
        return run
    by_task: dict[tuple[str, int], list[AttemptRecord]] = defaultdict(list)
    for attempt in sorted(records, key=attrgetter("start_ms")):
        by_task[attempt.kind, attempt.index].append(attempt)
    run.maps = _tasks("map", by_task, run, UNKNOWN, notes)
    ends = sorted(attempt.end for attempt in run.maps)
    required = min(math.ceil(slowstart * len(ends)), len(ends))
    run.reduces = _tasks("reduce", by_task, run, ends[required - 1] if required else UNKNOWN, notes)
    return run


def _plausible_attempts(job: JobRecord, notes: Notes) -> list[AttemptRecord]:
    """The attempts that began, each once."""
    by_id: dict[tuple[str, int, int], AttemptRecord] = {}
    for attempt in job.attempts:
        by_id.setdefault((attempt.kind, attempt.index, attempt.attempt), attempt)
    notes.count(
        "attempt", msg("scenario.job_run.in_several_files_first_read"), len(job.attempts) - len(by_id)
    )
    started = [attempt for attempt in by_id.values() if attempt.start_ms != UNKNOWN]
    notes.count(
        "attempt",
        msg("scenario.job_run.have_no_start_as_they_were"),
        len(by_id) - len(started),
    )
    reference_ms = (
        job.submit_ms
        if job.submit_ms != UNKNOWN
        else min((attempt.start_ms for attempt in started), default=0)
    )
    plausible = [
        attempt
        for attempt in started
        if max(abs(time - reference_ms) for time in (attempt.start_ms, attempt.end_ms) if time != UNKNOWN)
        < MAX_SPAN_MS
    ]
    notes.count(
        "attempt", msg("scenario.job_run.have_times_years_away_from_their"), len(started) - len(plausible)
    )
    tasks = len({(attempt.kind, attempt.index) for attempt in plausible})
    notes.count(
        "task",
        msg("scenario.job_run.have_no_attempt_started_left_out"),
        max(0, job.maps + job.reduces - tasks),
    )
    return plausible


def _masters(job: JobRecord, run: JobRun, notes: Notes) -> list[Attempt]:
    """The containers of its masters, each until the next one began, the last until it has lingered."""
    master_attempts: list[Attempt] = []
    by_number = {master.attempt: master for master in job.masters}
    ordered = [by_number[number] for number in sorted(by_number)]
    for master in ordered:
        launch_ms = master.launched_ms - LAUNCH_MS if master.launched_ms != UNKNOWN else master.jvm_ms
        if launch_ms == UNKNOWN or abs(launch_ms - run.arrival) >= MAX_SPAN_MS:
            continue
        start = max(launch_ms, run.arrival, master_attempts[-1].start if master_attempts else 0)
        begin = max(start, master.jvm_ms)
        end = max(begin, master.end_ms if master.end_ms != UNKNOWN else run.finish + LINGER_MS)
        master_attempts.append(
            Attempt(
                "am",
                0,
                len(master_attempts) + 1,
                master.host,
                master_attempts[-1].begin if master_attempts else run.arrival,
                start,
                begin,
                UNKNOWN,
                end,
                FINISHED,
                UNKNOWN,
            )
        )
    for index, following in enumerate(master_attempts[1:]):
        master_attempts[index] = master_attempts[index]._replace(
            end=max(master_attempts[index].begin, following.start), outcome=FAILED
        )
    if run.failed and master_attempts:
        master_attempts[-1] = master_attempts[-1]._replace(outcome=OUTCOME_BY_STATUS.get(job.status, FAILED))
    notes.count(
        "job", msg("scenario.job_run.have_several_masters_one_after_another"), len(master_attempts) > 1
    )
    notes.count(
        "job", msg("scenario.job_run.name_no_applicationmaster_its_startup_time"), not master_attempts
    )
    if master_attempts and ordered[-1].end_ms == UNKNOWN:
        notes.count(
            "master",
            msg(
                "scenario.job_run.assumed_to_keep_container_for_after",
                duration=quantities.duration(LINGER_MS),
            ),
        )
    return master_attempts


def _tasks(
    kind: str, by_task: dict[tuple[str, int], list[AttemptRecord]], run: JobRun, ready: int, notes: Notes
) -> list[Attempt]:
    """The attempt of each task that counts: what finished last, else what ran longest. ready: when reduces
    could be asked for.
    """
    chosen = []
    tasks = sorted(index for task_kind, index in by_task if task_kind == kind)
    for index, task in enumerate(tasks):
        attempts: list[Attempt] = []
        for number, attempt in enumerate(by_task[kind, task], 1):
            previous = attempts[-1] if attempts else None
            earliest = max(
                attempt.scheduled_ms,
                run.first_request,
                ready,
                previous.end if previous and previous.outcome != FINISHED else UNKNOWN,
            )
            if previous and previous.end > attempt.start_ms:
                # a second attempt beside the first; when it was asked for is not known
                earliest = attempt.start_ms
            attempts.append(_attempt(attempt, index, number, max(0, earliest), run, notes))
        run.all += attempts
        finished = [attempt for attempt in attempts if attempt.outcome == FINISHED]
        chosen.append(
            finished[-1] if finished else max(attempts, key=lambda attempt: attempt.end - attempt.start)
        )
        notes.count("task", msg("scenario.job_run.have_not_finished_attempt_ran_longest"), not finished)
    return chosen


def _attempt(
    record: AttemptRecord, index: int, number: int, requested: int, run: JobRun, notes: Notes
) -> Attempt:
    start = max(record.start_ms, run.arrival)
    outcome = record.outcome
    if record.outcome == RUNNING and run.job.finish_ms != UNKNOWN:
        outcome = KILLED  # the job's end is the end of what still runs
    end = record.end_ms if record.end_ms != UNKNOWN else run.finish
    shuffle_end = record.shuffle_end_ms if record.kind == "reduce" else UNKNOWN
    is_out_of_order = (
        end < start or start > record.start_ms or (shuffle_end != UNKNOWN and not start <= shuffle_end <= end)
    )
    notes.count("attempt", msg("scenario.job_run.have_times_out_order_as_clocks"), is_out_of_order)
    end = max(start, end)
    if shuffle_end != UNKNOWN:
        shuffle_end = min(max(start, shuffle_end), end)
    return Attempt(
        record.kind,
        index,
        number,
        record.host,
        min(requested, start) or start,
        start,
        start,
        shuffle_end,
        end,
        outcome,
        record.moved_bytes,
    )
