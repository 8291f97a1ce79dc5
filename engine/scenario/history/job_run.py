"""One job as it ran: its record put in order, tasks numbered without gaps, every attempt with the times that a container has here."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from engine.scenario.formats.assumptions import Notes
from engine.scenario.history.records import FAILED, FINISHED, KILLED, RUNNING, UNKNOWN, AttemptRecord, JobRecord

FIRST_ASK_MS = 1000  # from JOB_INITED's launchTime: one heartbeat of the master
LAUNCH_MS = 50  # median of 70 masters on two clusters, from the ResourceManager's launchTime of an application back to its master's container
LINGER_MS = 6000  # MRAppMaster.shutDownJob sleeps 5 s before it stops, and then takes a while
LONGEST_MS = 10**11
ENDS = {"SUCCEEDED": FINISHED, "FAILED": FAILED, "KILLED": KILLED, "ERROR": FAILED}


class Attempt(NamedTuple):
    """A container as it ran, ms since 1970. kind: am, map or reduce; index: its task's, from 0; number: from 1; moved: bytes, or UNKNOWN."""

    kind: str
    index: int
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
    """maps, reduces: the attempt of each task that counts, by its new index; all: every attempt with those of masters."""

    job: JobRecord
    arrival: int
    asked: int
    finish: int
    failed: bool
    maps: list[Attempt] = field(default_factory=list)
    reduces: list[Attempt] = field(default_factory=list)
    all: list[Attempt] = field(default_factory=list)


def job_run(job: JobRecord, slowstart: float, notes: Notes) -> JobRun | None:
    """None where nothing in the record ran; what is put right is counted in `notes`."""
    records = _plausible(job, notes)
    times = [time for one in records for time in (one.start_ms, one.end_ms)] + [one.jvm_ms for one in job.masters]
    known = [time for time in (*times, job.inited_ms, job.submit_ms, job.finish_ms) if time != UNKNOWN]
    if not records or not known:
        notes.count("job", "have no task that ran: left out")
        return None
    arrival = job.submit_ms if job.submit_ms != UNKNOWN else min(known)
    notes.count("job", "do not say when they were submitted: the first that is known of them stands in", job.submit_ms == UNKNOWN)
    finish = max(arrival, job.finish_ms if job.finish_ms != UNKNOWN else max(known))
    if job.finish_ms == UNKNOWN:
        notes.count("job", "have a history that never ended, whose end is taken to be the last that is known")
    elif job.status not in ("", "SUCCEEDED"):
        notes.count("job", "have failed or were killed: the tasks that ran stand as they did, what never ran is left out")
    run = JobRun(job, arrival, UNKNOWN, finish, job.status not in ("", "SUCCEEDED"))
    masters = _masters(job, run, notes)
    first = min(one.start_ms for one in records)
    if job.inited_ms != UNKNOWN:
        run.asked = max(min(job.inited_ms + FIRST_ASK_MS, max(first, arrival)), masters[0].start if masters else arrival)
    run.all += masters
    if job.uberized:
        notes.count("job", "have run their tasks within their master (uber): they stand as one map of its size, for as long as it ran")
        whole = masters[-1] if masters else Attempt("map", 0, 1, records[0].host, arrival, first, first, UNKNOWN, max(finish, first), FINISHED, UNKNOWN)
        run.all = run.maps = [whole._replace(kind="map", number=1, end=max(whole.begin, finish))]
        run.asked = UNKNOWN
        return run
    by_task: dict[tuple[str, int], list[AttemptRecord]] = defaultdict(list)
    for one in sorted(records, key=attrgetter("start_ms")):
        by_task[one.kind, one.index].append(one)
    run.maps = _tasks("map", by_task, run, UNKNOWN, notes)
    ends = sorted(one.end for one in run.maps)
    needed = min(math.ceil(slowstart * len(ends)), len(ends))
    run.reduces = _tasks("reduce", by_task, run, ends[needed - 1] if needed else UNKNOWN, notes)
    return run


def _plausible(job: JobRecord, notes: Notes) -> list[AttemptRecord]:
    """The attempts that began, each once."""
    found: dict[tuple[str, int, int], AttemptRecord] = {}
    for one in job.attempts:
        found.setdefault((one.kind, one.index, one.attempt), one)
    notes.count("attempt", "are in several files: the first is read", len(job.attempts) - len(found))
    began = [one for one in found.values() if one.start_ms != UNKNOWN]
    notes.count("attempt", "have no start, as they were given none or it is not said: left out", len(found) - len(began))
    near = job.submit_ms if job.submit_ms != UNKNOWN else min((one.start_ms for one in began), default=0)
    kept = [one for one in began if max(abs(time - near) for time in (one.start_ms, one.end_ms) if time != UNKNOWN) < LONGEST_MS]
    notes.count("attempt", "have times years away from their job: left out", len(began) - len(kept))
    tasks = len({(one.kind, one.index) for one in kept})
    notes.count("task", "have no attempt that started: left out", max(0, job.maps + job.reduces - tasks))
    return kept


def _masters(job: JobRecord, run: JobRun, notes: Notes) -> list[Attempt]:
    """The containers of its masters, each until the next one began, the last until it has lingered."""
    found: list[Attempt] = []
    once = {one.attempt: one for one in job.masters}
    ordered = [once[number] for number in sorted(once)]
    for one in ordered:
        known = one.launched_ms - LAUNCH_MS if one.launched_ms != UNKNOWN else one.jvm_ms
        if known == UNKNOWN or abs(known - run.arrival) >= LONGEST_MS:
            continue
        start = max(known, run.arrival, found[-1].start if found else 0)
        begin = max(start, one.jvm_ms)
        end = max(begin, one.end_ms if one.end_ms != UNKNOWN else run.finish + LINGER_MS)
        found.append(Attempt("am", 0, len(found) + 1, one.host, found[-1].begin if found else run.arrival, start, begin, UNKNOWN, end, FINISHED, UNKNOWN))
    for at, after in enumerate(found[1:]):
        found[at] = found[at]._replace(end=max(found[at].begin, after.start), outcome=FAILED)
    if run.failed and found:
        found[-1] = found[-1]._replace(outcome=ENDS.get(job.status, FAILED))
    notes.count("job", "have several masters, one after another", len(found) > 1)
    notes.count("job", "name no master: how long it took to start up is not known", not found)
    if found and ordered[-1].end_ms == UNKNOWN:
        notes.count("master", f"are taken to hold a container for {LINGER_MS / 1000:g} s after the job, as Hadoop's do")
    return found


def _tasks(kind: str, by_task: dict[tuple[str, int], list[AttemptRecord]], run: JobRun, ready: int, notes: Notes) -> list[Attempt]:
    """The attempt of each task that counts: what finished last, else what ran longest. ready: when reduces could be asked for."""
    chosen = []
    tasks = sorted(index for own, index in by_task if own == kind)
    for index, task in enumerate(tasks):
        made: list[Attempt] = []
        for number, one in enumerate(by_task[kind, task], 1):
            before = made[-1] if made else None
            earliest = max(one.scheduled_ms, run.asked, ready, before.end if before and before.outcome != FINISHED else UNKNOWN)
            if before and before.end > one.start_ms:
                earliest = one.start_ms  # a second attempt beside the first; when it was asked for is not known
            made.append(_attempt(one, index, number, max(0, earliest), run, notes))
        run.all += made
        finished = [one for one in made if one.outcome == FINISHED]
        chosen.append(finished[-1] if finished else max(made, key=lambda one: one.end - one.start))
        notes.count("task", "have not finished: the attempt that ran longest gives their duration", not finished)
    return chosen


def _attempt(one: AttemptRecord, index: int, number: int, requested: int, run: JobRun, notes: Notes) -> Attempt:
    start = max(one.start_ms, run.arrival)
    outcome = one.outcome
    if one.outcome == RUNNING and run.job.finish_ms != UNKNOWN:
        outcome = KILLED  # the job's end is the end of what still runs
    end = one.end_ms if one.end_ms != UNKNOWN else run.finish
    shuffled = one.shuffle_end_ms if one.kind == "reduce" else UNKNOWN
    late = end < start or start > one.start_ms or (shuffled != UNKNOWN and not start <= shuffled <= end)
    notes.count("attempt", "have times out of order, as of clocks that differ: they are put in order", late)
    end = max(start, end)
    if shuffled != UNKNOWN:
        shuffled = min(max(start, shuffled), end)
    return Attempt(one.kind, index, number, one.host, min(requested, start) or start, start, start, shuffled, end, outcome, one.moved_bytes)
