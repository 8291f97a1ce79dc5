"""Speculative attempts of tasks that are late (DefaultSpeculator, LegacyTaskRuntimeEstimator), with Hadoop's
default settings (SPECULATION-1).

Each job is looked at every second, for 15 s not after a speculative attempt was asked for. Of the tasks of a
kind, none of which waits, the one gains most whose speculative attempt, as long as the mean of those that
have finished, would end soonest before the first: that gets one, while few enough have one. The estimate is
the time so far by the progress so far: of a reduce a third each for fetching, sorting and computing. One that
still fetches is not looked at. Ours: progress is known at any time and not every 3 s, and all jobs are looked
at together, at whole seconds. A look that time alone can't make another of is left out until something
happens, so that a long task costs nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.codes import INFINITE, MAP, REDUCE
from engine.run_records import JOB, REQUEST, Ints, Record, array, given, number
from engine.simulation.applications.mapreduce.attempt_durations import task_begin
from engine.simulation.applications.mapreduce.task_arrays import attempt_of, count_of, task_at
from engine.simulation.applications.mapreduce.task_lifecycle import note_retry
from engine.simulation.kernel.node_rows import is_running, row_entry
from engine.simulation.kernel.requests import first_unfinished

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Speculation(Record):
    """Second attempts of late tasks."""

    speculates: int = number("", "1: some job starts speculative attempts")
    job_speculates: Ints = given(JOB, "", "bits FOR_MAPS, FOR_REDUCES")
    speculates_from: Ints = array(JOB, "", "no speculative attempt is looked for before")
    backup: Ints = array(
        REQUEST, "", "of a request, the task that waits for its speculative attempt, -1 none", initial=-1
    )
    speculation_due: int = number(
        "", "when the next look for late tasks may find something, if nothing happens"
    )
    speculation_event_count: int = number("", "`event_count` at the last one")


SPECULATION_MS = 1000  # mapreduce.job.speculative.retry-after-no-speculate
PAUSE_AFTER_SPECULATION_MS = 15_000  # mapreduce.job.speculative.retry-after-speculate
MIN_FINISHED_PART = 0.05  # StartEndTimesBase.MINIMUM_COMPLETE_PROPORTION_TO_SPECULATE
# mapreduce.job.speculative.minimum-allowed-tasks, speculative-cap-total-tasks, -running-tasks
ALLOWED_TASKS, ALLOWED_PART_OF_TOTAL, ALLOWED_PART_OF_RUNNING = 10, 0.01, 0.1
MIN_PROGRESS = 0.0001  # LegacyTaskRuntimeEstimator.updateAttempt
FOR_MAPS, FOR_REDUCES = 1, 2  # bits of job_speculates


def next_speculation(s: State, now: int) -> int:
    """The next second at which a look may find something, while any task runs whose end is known; INFINITE
    otherwise.
    """
    if s.speculates == 0 or s.timer_tree[1] == INFINITE:
        return INFINITE
    first = now + 1
    if s.speculation_event_count == s.event_count:
        first = max(first, s.speculation_due)
    return (first + SPECULATION_MS - 1) // SPECULATION_MS * SPECULATION_MS if first < INFINITE else INFINITE


def speculate(v: View, s: State, now: int) -> None:
    s.speculation_due = INFINITE
    s.speculation_event_count = s.event_count
    for job in range(first_unfinished(v, s), s.arrived_jobs):
        runs_on = v.job_iteration[job] > 0 and v.job_finish[job] < 0 and s.is_master_down[job] == 0
        if runs_on and s.job_speculates[job] > 0:
            if now >= s.speculates_from[job]:
                speculate_for_job(v, s, job, now)
            else:
                s.speculation_due = min(s.speculation_due, s.speculates_from[job])


def speculate_for_job(v: View, s: State, job: int, now: int) -> None:
    requested = 0
    if s.job_speculates[job] & FOR_MAPS:
        requested += speculate_for(v, s, job, MAP, now)
    if s.job_speculates[job] & FOR_REDUCES and v.job_reduces[job] > 0:
        requested += speculate_for(v, s, job, REDUCE, now)
    if requested > 0:
        s.speculates_from[job] = now + PAUSE_AFTER_SPECULATION_MS


def speculate_for(v: View, s: State, job: int, kind: int, now: int) -> int:
    """How many speculative attempts of the kind are asked for: 1 or none
    (DefaultSpeculator.maybeScheduleASpeculation).
    """
    request = v.job_first_request[job] + kind
    count = count_of(v, job, kind)
    placed, finished = v.job_placed_maps[job], v.job_finished_maps[job]
    if kind == REDUCE:
        placed, finished = v.job_placed_reduces[job], v.job_finished_reduces[job]
    if (
        placed < count
        or v.request_waiting[request] + s.retry_count[request] > 0
        or finished < 1
        or finished / count < MIN_FINISHED_PART
    ):
        return 0
    mean = s.done_time[request] // s.done_count[request]
    speculative = running = 0
    best, max_gain = -1, 0
    may_gain = False
    for index in range(count):
        if kind == MAP and s.map_done[s.map_base[job] + index] == 1:
            continue
        container, second_attempt = (
            attempt_of(v, s, job, kind, index),
            s.second_attempt[task_at(v, s, job, kind, index)],
        )
        if is_running(s, container):
            running += 1
            if second_attempt >= 0:
                speculative += 1
            else:
                gain = gain_of(v, s, container, kind, now, now + mean)
                if gain > max_gain:
                    best, max_gain = index, gain
                may_gain = may_gain or not is_estimated(s, container, kind, now)
    if speculative >= max(
        ALLOWED_TASKS, int(ALLOWED_PART_OF_TOTAL * count), int(ALLOWED_PART_OF_RUNNING * running)
    ):
        return 0
    if best < 0:
        s.speculation_due = now + SPECULATION_MS if may_gain else s.speculation_due
        return 0
    s.backup[request] = best
    note_retry(v, s, request)
    return 1


def is_estimated(s: State, container: int, kind: int, now: int) -> bool:
    """Does its estimate stay as it is while nothing happens? That of a map alone on its node, once enough of
    it is done; its gain then only falls.
    """
    begin = task_begin(s, container)
    return (
        kind == MAP
        and s.contention == 0.0
        and begin < now
        and now - begin >= MIN_PROGRESS * s.container_work_ms[container]
    )


def gain_of(v: View, s: State, container: int, kind: int, now: int, replaced: int) -> int:
    """By how much a speculative attempt that ends at `replaced` would end before this one is estimated to, in
    ms; 0 where it is not looked at.
    """
    begin = task_begin(s, container)
    computes = begin
    if kind == REDUCE:
        computes = s.container_shuffle_end[container]
    if computes < 0 or computes >= now or begin >= now:
        return 0
    progress = computed_ms(s, container, computes, now) / max(1.0, s.container_work_ms[container])
    if kind == REDUCE:
        progress = 2.0 / 3.0 + progress / 3.0
    estimated = begin + int(math.floor((now - begin) / max(MIN_PROGRESS, progress)))
    return max(0, estimated - replaced) if estimated >= now else 0


def computed_ms(s: State, container: int, computes: int, now: int) -> float:
    """How much an attempt has computed so far, in ms alone on its node."""
    if s.contention == 0.0:
        return float(now - computes)
    node, entry = s.container_node[container], row_entry(s, container)
    slowdown = 1.0 + s.contention * (s.settled_load[node] - 1)
    remaining = s.row_remaining_ms[entry] - (now - s.row_updated_at[entry]) / slowdown
    return s.container_compute_ms[container] - remaining
