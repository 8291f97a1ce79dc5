"""Durations of an attempt: of its launch, and how much longer or shorter than its draw it computes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.codes import INFINITE, MAP, REDUCE
from engine.run_records import (
    CONTAINER,
    DRAW,
    JOB,
    RUN,
    SPECULATES,
    Floats,
    Ints,
    Record,
    Size,
    Words,
    array,
    given,
    number,
)
from engine.simulation.applications.application_masters import learns_at
from engine.simulation.applications.attempt_draws import (
    FAILS,
    FAILS_AT,
    LAUNCH,
    attempt_draw,
    attempt_draw_ms,
)
from engine.simulation.applications.mapreduce.map_blocks import distance
from engine.simulation.applications.stragglers import straggler_factor
from engine.simulation.durations import LAW_SIZE
from engine.simulation.kernel.clock import MAX_DURATION_MS
from engine.simulation.kernel.node_rows import mark_dirty, set_row_end

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class AttemptDurations(Record):
    """How long attempts take."""

    draws: Floats = given(DRAW, "", "durations of tasks at speed 1, as drawn")
    draw_base: Ints = given(JOB, "", "where a job's draws begin")
    job_key: Words = given(JOB, "", "of its draws, 0 where nothing but durations is drawn")
    startup_law: Floats = given(
        Size(JOB, LAW_SIZE), "", "law of the master's start-up, LAW_SIZE numbers a job"
    )
    launch_law: Floats = given(Size(RUN, LAW_SIZE), "", "law of a task's launch")
    stragglers: Floats = given(Size(RUN, 3), "", "share, factor, tail: 0 for none")
    stretches: int = number("", "1: an attempt may compute for longer or shorter than its draw")
    distance_factor: Floats = given(
        Size(RUN, 3), "", "how many times as long a map computes on its block's node, on its rack, elsewhere"
    )
    container_work_ms: Floats = array(
        CONTAINER,
        "ms",
        "that its task computes if it does not fail; empty where no job speculates",
        when=SPECULATES,
    )
    container_compute_ms: Ints = array(
        CONTAINER, "ms", "that it computes until it ends or fails", when=SPECULATES
    )


def task_begin(s: State, container: int) -> int:
    """When its task begins."""
    return s.container_begin[container] if s.launches == 1 else s.container_start[container]


def start_computing(v: View, s: State, entry: int, container: int, node: int, now: int) -> None:
    """The part of a task that contention stretches begins at `now`."""
    work = duration_ms(v, s, container)
    if s.has_contention == 1:
        s.row_remaining_ms[entry] = float(work)
        s.row_end[entry] = INFINITE
        mark_dirty(s, node)
    else:
        set_row_end(s, entry, node, now + work)


def duration_ms(v: View, s: State, container: int) -> int:
    """What an attempt computes, in ms, at least 1: its work, or the part of it after which it fails."""
    whole = work_ms(v, s, container)
    exact = whole
    if s.fails == 1 and fails(s, container):
        exact *= failure_point(s, container)
    rounded = int(max(1.0, math.floor(min(exact, MAX_DURATION_MS) + 0.5)))
    if s.speculates == 1:
        s.container_work_ms[container] = whole
        s.container_compute_ms[container] = rounded
    return rounded


def work_ms(v: View, s: State, container: int) -> int:
    """draw / speed, in ms (DRAW-2)."""
    job = s.container_job[container]
    tasks_per_iteration = v.job_maps[job] + v.job_reduces[job]
    at = (
        s.draw_base[job]
        + (s.container_stage[container] - 1) * tasks_per_iteration
        + s.container_index[container]
    )
    if s.container_kind[container] == REDUCE:
        at += v.job_maps[job]
    exact = s.draws[at]
    if s.stretches == 1:
        exact = scaled_draw(s, container, exact)
    return exact / s.node_speed[s.container_node[container]]


def fails(s: State, container: int) -> bool:
    """Will this attempt fail?"""
    job, attempt = s.container_job[container], s.container_attempt[container]
    stage, kind, index = (
        s.container_stage[container],
        s.container_kind[container],
        s.container_index[container],
    )
    return attempt_draw(s.job_key[job], attempt, FAILS, stage, kind, index) < s.failures[0]


def failure_point(s: State, container: int) -> int:
    """Of its work, when it fails."""
    if s.failures[1] >= 0.0:
        return s.failures[1]
    job, attempt = s.container_job[container], s.container_attempt[container]
    stage, kind, index = (
        s.container_stage[container],
        s.container_kind[container],
        s.container_index[container],
    )
    return attempt_draw(s.job_key[job], attempt, FAILS_AT, stage, kind, index)


def scaled_draw(s: State, container: int, draw: int) -> float:
    """The draw times what makes this attempt longer or shorter."""
    job, attempt = s.container_job[container], s.container_attempt[container]
    stage, kind, index = (
        s.container_stage[container],
        s.container_kind[container],
        s.container_index[container],
    )
    exact = draw * straggler_factor(s, job, attempt, stage, kind, index)
    if s.skewed == 1 and s.container_kind[container] == REDUCE:
        exact = exact * partition_factor(s, container)
    return exact * locality_factor(s, container)


def partition_factor(s: State, container: int) -> int:
    """How much of the maps' output a reduce has beside an even part."""
    return s.reduce_part[s.reduce_base[s.container_job[container]] + s.container_index[container]]


def locality_factor(s: State, container: int) -> float:
    """How many times as long a map computes for its block lies elsewhere."""
    if s.replication == 0 or s.container_kind[container] != MAP:
        return 1.0
    return s.distance_factor[
        distance(s, s.container_job[container], s.container_index[container], s.container_node[container])
    ]


def task_start(s: State, container: int, now: int) -> int:
    """When the task of a container placed at `now` begins."""
    job, attempt = s.container_job[container], s.container_attempt[container]
    stage, kind, index = (
        s.container_stage[container],
        s.container_kind[container],
        s.container_index[container],
    )
    return learns_at(s, job, now) + attempt_draw_ms(
        s.launch_law, s.job_key[job], attempt, LAUNCH, stage, kind, index
    )
