"""The phases of a run: what each container did from when to when.

A container launches until its task begins. A reduce does up to three things before it computes. Begun at S it
fetches without a pause what m maps had left, from S to S + m c (c: to fetch the output of one map), and again
from the last map's end on. In between it fetches each output as a map ends and waits otherwise, as often as
there are maps: that is reported as what it mostly is. Under a fetch weight the run tells when it fetched.
An executor that has registered runs tasks while any of its slots does, and idles otherwise; so does a
container that Tez holds, once it has been launched. A task of a stage computes as a map does, where its stage
comes after others once it has fetched their output as a reduce does; Spark's fetch nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.executor_use import registered_until, slot_use, slots_of_jobs
from engine.analysis.shuffles import fetch_ms, fetching_end_ms, final_maps
from engine.analysis.stage_fetches import Readers, inputs_before_ends, reading_tasks
from engine.codes import EXECUTOR, MAP, MASTER, NONE, REDUCE, TASK, TEZ
from engine.simulation.run import Run

PHASES = (
    "master",
    "map",
    "shuffle",
    "waiting",
    "reduce",
    "launching",
    "task",
    "executor_idle",
    "slots_free",
    "held_idle",
)
MASTERING, MAPPING, SHUFFLING, WAITING, REDUCING, LAUNCHING = range(6)
RUNNING_TASKS, EXECUTOR_IDLE = 6, 7
SLOTS_FREE = 8  # of a slot, never of a whole container
HELD_IDLE = 9  # of a container that Tez holds


class Phases(NamedTuple):
    """One entry a phase of a container. Times in ms; what still runs in a deadlock runs to `at_ms`."""

    container: np.ndarray  # int64, index into run.containers
    phase: np.ndarray  # int8, index into PHASES
    start: np.ndarray  # int64
    end: np.ndarray  # int64


def phases(run: Run) -> Phases:
    """The phases of all containers, those of one in the order of time and in placement order otherwise.

    They fill each container from its start to its end; one that was killed in the instant of its start has
    one phase of no length.
    """
    return _phases(run, _Reading.of(run))


class _Reading(NamedTuple):
    """What the reading tasks do. readers: the tasks; phase: int8; reader: index into them; start, end: ms."""

    readers: Readers
    phase: np.ndarray
    reader: np.ndarray
    start: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, run: Run) -> _Reading:
        """Of all of them. One that ends as it begins computes for no time."""
        readers = reading_tasks(run)
        ends = np.where(readers.end == NONE, run.at_ms, readers.end)
        leave = readers.leave(run.at_ms)
        parts = [*task_shuffle_parts(run, readers, leave), (RUNNING_TASKS, leave, ends)]
        begun = run.containers.start[readers.container]
        begun = np.where(readers.run == NONE, begun, readers.begin)
        rows = []
        for phase, start, end in parts:
            chosen = np.flatnonzero((end > start) | ((begun == ends) & (phase == RUNNING_TASKS)))
            rows.append((np.full(len(chosen), phase, np.int8), chosen, start[chosen], end[chosen]))
        return cls(readers, *map(np.concatenate, zip(*rows, strict=True)))

    def rows(self, held: bool) -> tuple[np.ndarray, ...]:
        """(phase, container, start, end, task), of those in held containers, or of the others."""
        run = self.readers.run[self.reader]
        chosen = np.flatnonzero((run != NONE) == held)
        container = self.readers.container[self.reader[chosen]]
        return self.phase[chosen], container, self.start[chosen], self.end[chosen], run[chosen]


def _phases(run: Run, reading: _Reading) -> Phases:
    c = run.containers
    ends = np.where(c.end == NONE, run.at_ms, c.end)
    masters, maps, reduces = (np.flatnonzero(c.kind == kind) for kind in (MASTER, MAP, REDUCE))
    readers = reading.readers.container[: reading.readers.own]
    tasks = np.setdiff1d(np.flatnonzero(c.kind == TASK), readers)
    leave = np.where(c.shuffle_end == NONE, ends, np.minimum(c.shuffle_end, ends))
    begin = begins(run, ends)
    launched = np.flatnonzero(begin > c.start)
    begun = (begin < ends) | (c.start == ends)  # measured masters launch too
    rows = [(LAUNCHING, launched, c.start[launched], begin[launched])]
    for code, own in ((MASTERING, masters), (MAPPING, maps), (RUNNING_TASKS, tasks)):
        own = own[begun[own]]
        rows.append((code, own, begin[own], ends[own]))
    shuffled = shuffle_parts(run, reduces, leave[reduces])
    for part, start, end in (*shuffled, (REDUCING, leave[reduces], ends[reduces])):
        at_once = (c.start[reduces] == ends[reduces]) & (part == REDUCING)
        chosen = np.flatnonzero((end > start) | at_once)
        rows.append((part, reduces[chosen], start[chosen], end[chosen]))
    rows += _executor_rows(run)
    parts: list[tuple[np.ndarray, ...]]
    parts = [(np.full(len(row[1]), row[0], np.int8), *row[1:]) for row in rows]
    parts += [reading.rows(held=False)[:4], *_held_rows(run, reading)]
    container, start, end = (
        np.concatenate([part[column] for part in parts]).astype(np.int64) for column in (1, 2, 3)
    )
    phase = np.concatenate([part[0] for part in parts])
    order = np.lexsort((start, container))
    return Phases(container[order], phase[order], start[order], end[order])


class SlotPhases(NamedTuple):
    """As Phases, but executors that run tasks by their slots. slot: int32, NONE of what a whole container
    does; task: int32, index into run.tasks, NONE of what is no task.
    """

    container: np.ndarray
    phase: np.ndarray
    start: np.ndarray
    end: np.ndarray
    slot: np.ndarray
    task: np.ndarray


def slot_phases(run: Run) -> SlotPhases:
    """The phases of all containers; while an executor runs tasks these, and its free slots between them. They
    fill each slot. Cost: that of sorting the tasks.
    """
    reading = _Reading.of(run)
    whole = _phases(run, reading)
    if run.tasks is None:
        nowhere = np.full(len(whole.phase), NONE, np.int32)
        return SlotPhases(*whole, nowhere, nowhere)
    is_busy = np.isin(whole.phase, (RUNNING_TASKS, SHUFFLING, WAITING))
    is_busy &= run.containers.kind[whole.container] == EXECUTOR
    tasks_end = np.where(run.tasks.end == NONE, run.at_ms, run.tasks.end)
    slots = slots_of_jobs(run)[run.containers.job]
    free, free_slot, free_from, free_until = _free_slots(run, whole, is_busy, slots, tasks_end)
    kept = np.flatnonzero(~is_busy)
    nowhere = np.full(len(kept) + len(free), NONE)
    phase, container, start, end, reader = reading.rows(held=True)
    computing = np.ones(len(tasks_end), bool)
    computing[reader] = False
    other = np.flatnonzero(computing)
    columns = (
        (whole.container[kept], free, run.tasks.container[other], container),
        (whole.phase[kept], np.full(len(free), SLOTS_FREE), np.full(len(other), RUNNING_TASKS), phase),
        (whole.start[kept], free_from, run.tasks.start[other], start),
        (whole.end[kept], free_until, tasks_end[other], end),
        (nowhere[: len(kept)], free_slot, run.tasks.slot[other], run.tasks.slot[reader]),
        (nowhere, other, reader),
    )
    container, phase, start, end, slot, task = map(np.concatenate, columns)
    order = np.lexsort((start, container))
    numbers = (column[order].astype(np.int32) for column in (slot, task))
    return SlotPhases(container[order], phase[order].astype(np.int8), start[order], end[order], *numbers)


def _free_slots(
    run: Run, whole: Phases, is_busy: np.ndarray, slots: np.ndarray, tasks_end: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(container, slot, start, end) of slots that run nothing while others of their executor do. is_busy: the
    phases in which it runs any; slots: of each container.
    """
    assert run.tasks is not None
    span = np.repeat(np.flatnonzero(is_busy), slots[whole.container[is_busy]])
    width = max(int(slots.max(initial=0)), 1)
    first = np.searchsorted(span, span)
    span_lane = whole.container[span] * width + np.arange(len(span)) - first
    lane = np.concatenate([span_lane, run.tasks.container.astype(np.int64) * width + run.tasks.slot])
    start, end = (
        np.concatenate([whole.start[span], tasks_end]),
        np.concatenate([whole.end[span], run.tasks.start]),
    )
    start_order, end_order = np.lexsort((start, lane)), np.lexsort((end, lane))
    lane, start, end = lane[start_order], start[start_order], end[end_order]
    is_free = end > start
    return lane[is_free] // width, lane[is_free] % width, start[is_free], end[is_free]


def begins(run: Run, ends: np.ndarray) -> np.ndarray:
    """int64[containers]: when the task of each begins, or its launch is cut short. ends: of each
    container.
    """
    c = run.containers
    begin = np.where((c.kind == EXECUTOR) & (c.begin == NONE), ends, c.begin)
    return np.clip(begin, c.start, ends)


def is_held(run: Run) -> np.ndarray:
    """bool[containers]: those that Tez holds."""
    c = run.containers
    return (c.kind == EXECUTOR) & (run.workload.job_framework[c.job] == TEZ)


def _executor_rows(run: Run) -> list[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
    """(phase, container, start, end) of executors from their registration on, and of held containers while
    they are idle.
    """
    executors = np.flatnonzero(run.containers.kind == EXECUTOR)
    if not len(executors):
        return []
    begin, over = registered_until(run)
    executors = executors[begin[executors] < over[executors]]
    use, held = slot_use(run), is_held(run)
    begun, ended = use.before == 0, use.busy == 0
    busy, busy_from, busy_until = use.container[begun], use.at[begun], use.at[ended]
    # idle from the registration to the first task, between tasks and from the last one on
    idle = np.concatenate([executors, busy])
    idle_from, idle_until = (
        np.concatenate([begin[executors], busy_until]),
        np.concatenate([over[executors], busy_from]),
    )
    from_order, until_order = np.lexsort((idle_from, idle)), np.lexsort((idle_until, idle))
    idle, idle_from, idle_until = idle[from_order], idle_from[from_order], idle_until[until_order]
    is_idle = idle_until > idle_from
    of_spark, of_tez = is_idle & ~held[idle], is_idle & held[idle]
    runs = ~held[busy]
    return [
        (RUNNING_TASKS, busy[runs], busy_from[runs], busy_until[runs]),
        (EXECUTOR_IDLE, idle[of_spark], idle_from[of_spark], idle_until[of_spark]),
        (HELD_IDLE, idle[of_tez], idle_from[of_tez], idle_until[of_tez]),
    ]


def _held_rows(run: Run, reading: _Reading) -> list[tuple[np.ndarray, ...]]:
    """(phase, container, start, end) of what the tasks of held containers do, each for some time."""
    if run.tasks is None:
        return []
    own = is_held(run)[run.tasks.container]
    own[reading.readers.run[reading.readers.own :]] = False
    others = np.flatnonzero(own)
    end = np.where(run.tasks.end == NONE, run.at_ms, run.tasks.end)[others]
    computing = np.full(len(others), RUNNING_TASKS, np.int8)
    found: list[tuple[np.ndarray, ...]] = []
    for phase, container, start, until in (
        reading.rows(held=True)[:4],
        (computing, run.tasks.container[others], run.tasks.start[others], end),
    ):
        lasts = until > start
        found.append((phase[lasts], container[lasts], start[lasts], until[lasts]))
    return found


def shuffle_parts(
    run: Run, reduces: np.ndarray, leave: np.ndarray
) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """(phase, start, end) of each part of these reduces before they compute, in ms; a part that a reduce has
    not is empty.

    reduces: indices into run.containers; leave: when each has fetched everything, or ends before.
    """
    begin, over = (
        np.clip(run.containers.begin[reduces], run.containers.start[reduces], leave),
        fetching_end_ms(run, run.containers.shuffle_end[reduces], leave),
    )
    available, seen, last = _maps_ended(run, reduces, leave)
    if run.fetches is None:
        map_fetch_ms = fetch_ms(run, reduces)
        caught_up, fetching = begin + np.ceil(available * map_fetch_ms).astype(np.int64), seen * map_fetch_ms
    else:
        caught_up, fetching = _fetched(run, reduces, begin, over)
    caught_up = np.minimum(caught_up, leave)
    last = np.clip(last, caught_up, leave)
    waits = 2 * (over - begin - fetching) >= last - caught_up
    split = np.where(waits, caught_up, leave)
    again = np.where(waits, last, leave)
    return [(SHUFFLING, begin, split), (WAITING, split, again), (SHUFFLING, again, leave)]


def task_shuffle_parts(
    run: Run, readers: Readers, leave: np.ndarray
) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """The same of tasks whose stages come after others. leave: as readers.leave has it."""
    begin = np.clip(readers.begin, run.containers.start[readers.container], leave)
    split, again = leave.copy(), leave.copy()
    over = fetching_end_ms(run, readers.shuffle_end, leave)
    for one in inputs_before_ends(run, readers):
        own, ends = one.readers, one.ends
        seen = np.searchsorted(ends, leave[own])
        available = one.cost[np.searchsorted(ends, begin[own], side="right")]
        caught_up = np.minimum(begin[own] + np.ceil(available).astype(np.int64), leave[own])
        has_all = (seen == len(ends)) & one.is_complete
        last = np.clip(np.where(has_all, ends.max(initial=0), leave[own]), caught_up, leave[own])
        waits = 2 * (over[own] - begin[own] - one.cost[seen]) >= last - caught_up
        split[own], again[own] = np.where(waits, caught_up, leave[own]), np.where(waits, last, leave[own])
    return [(SHUFFLING, begin, split), (WAITING, split, again), (SHUFFLING, again, leave)]


def _fetched(
    run: Run, reduces: np.ndarray, begin: np.ndarray, over: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """As the run records: until when each has fetched what there was at its beginning, and how long it
    fetched in all.
    """
    assert run.fetches is not None
    container, start, end = run.fetches
    position = np.full(len(run.containers.job), NONE)
    position[reduces] = np.arange(len(reduces))
    reduce_of = position[container]
    start, end, reduce_of = (column[reduce_of != NONE] for column in (start, end, reduce_of))
    end = np.where(end == NONE, over[reduce_of], end)
    caught_up, fetching = begin.copy(), np.zeros(len(reduces), np.int64)
    np.add.at(fetching, reduce_of, end - start)
    at_once = start == begin[reduce_of]
    caught_up[reduce_of[at_once]] = end[at_once]
    return caught_up, fetching


def _maps_ended(
    run: Run, reduces: np.ndarray, leave: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each reduce's iteration: maps that had ended when it began, maps that had before it left, and the
    last one's end, `leave` if some had not.
    """
    c = run.containers
    maps = final_maps(run)
    stages = int(c.stage.max(initial=0)) + 1
    _, iteration = np.unique(c.job.astype(np.int64) * stages + c.stage, return_inverse=True)
    times, time_index = np.unique(c.end[maps], return_inverse=True)
    width = len(times) + 1
    ended = np.sort(iteration[maps] * width + time_index)  # by iteration, then by time
    first = iteration[reduces] * width
    before = np.searchsorted(ended, first)
    available = np.searchsorted(ended, first + np.searchsorted(times, c.begin[reduces], "right")) - before
    seen = np.searchsorted(ended, first + np.searchsorted(times, leave)) - before
    every = seen == run.workload.job_maps[c.job[reduces]]
    last = leave.copy()
    last[every] = times[ended[(before + seen - 1)[every]] - first[every]]
    return available, seen, last
