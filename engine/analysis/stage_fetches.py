"""When tasks fetch the output of the stages that theirs comes after, and when they wait for it (STAGES-3), in
containers of their own and in held ones of Tez; as capacity/fetching.py has it of reduces, but what is
fetched of a task differs from source to source.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.stage_times import has_sources, stage_tasks, stage_values
from engine.codes import FINISHED, NOISE_MS, NONE, TASK, TEZ
from engine.simulation.run import Run


class StageInput(NamedTuple):
    """What the tasks of one stage read. readers: places among those given; ends: ms at which the tasks ended
    whose output that is, as far as they have finished, ascending; cost: float64[ends + 1], ms in which the
    first so many are fetched.
    """

    readers: np.ndarray
    ends: np.ndarray
    cost: np.ndarray
    is_complete: bool

    @property
    def latest(self) -> np.ndarray:
        """float64[ends]: who begins later than this has fetched so much late."""
        return np.maximum.accumulate(self.ends - self.cost[:-1])

    def caught_up(self, begin: np.ndarray, leave: np.ndarray) -> np.ndarray:
        """ms at which each of its readers first waits, or would if more were missing; `leave` where it leaves
        before.
        """
        parts = np.searchsorted(self.latest, begin, side="right")
        at = np.minimum(leave, np.ceil(begin + self.cost[parts] - NOISE_MS).astype(np.int64))
        return np.where((parts == len(self.ends)) & self.is_complete, leave, at)

    def gaps(self, since: int, until: int) -> tuple[np.ndarray, np.ndarray]:
        """(from, to) of the times in which those that have caught up wait, without two that touch."""
        done = np.ceil(self.latest + self.cost[1:] - NOISE_MS).astype(np.int64)
        opens, closes = np.maximum(np.append(since, done), since), np.append(self.ends, until)
        waits = (
            (closes > opens) & (opens < until) & ~(self.is_complete & (np.arange(len(opens)) == len(done)))
        )
        opens, closes = opens[waits], closes[waits]
        is_apart = opens[1:] != closes[:-1]
        return opens[np.append(True, is_apart)[: len(opens)]], closes[
            np.append(is_apart, True)[: len(closes)]
        ]


class Readers(NamedTuple):
    """Tasks that fetch the output of the stages that theirs comes after, those in containers of their own
    first. run: index into run.tasks, NONE of these; stage: from 1; begin: when it begins to fetch; end: NONE
    while it runs in a deadlock; shuffle_end: when it had all, NONE for never. Times in ms.
    """

    container: np.ndarray
    run: np.ndarray
    job: np.ndarray
    stage: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    shuffle_end: np.ndarray

    @property
    def own(self) -> int:
        """How many have containers of their own."""
        return int((self.run == NONE).sum())

    def leave(self, at_ms: int) -> np.ndarray:
        """When each has fetched everything, or ends before; what still runs is taken to end at `at_ms`."""
        end = np.where(self.end == NONE, at_ms, self.end)
        return np.where(self.shuffle_end == NONE, end, np.minimum(self.shuffle_end, end))


def reading_tasks(run: Run) -> Readers:
    """Those of stages that come after others, of applications of stages and of Tez: Spark's fetch nothing."""
    c = run.containers
    own = np.flatnonzero(c.kind == TASK)
    own = own[stage_values(run, c.job[own], c.stage[own], has_sources) == 1]
    columns = [own, np.full(len(own), NONE), c.job[own], c.stage[own], c.begin[own], c.end[own]]
    columns.append(c.shuffle_end[own])
    if run.tasks is not None and (run.workload.job_framework == TEZ).any():
        tasks, job = run.tasks, c.job[run.tasks.container]
        held = np.flatnonzero(run.workload.job_framework[job] == TEZ)
        held = held[stage_values(run, job[held], tasks.stage[held], has_sources) == 1]
        in_held = [tasks.container[held], held, job[held]]
        in_held += [column[held] for column in (tasks.stage, tasks.start, tasks.end, tasks.shuffle_end)]
        columns = [np.concatenate(both) for both in zip(columns, in_held, strict=True)]
    return Readers(*columns)


def inputs_before_ends(run: Run, readers: Readers) -> list[StageInput]:
    """Of each stage any of whose readers began before all that it reads had ended: those of the others never
    wait. readers: reading_tasks. Cost: that of sorting the tasks.
    """
    if not len(readers.job):
        return []
    jobs = run.scenario.jobs
    groups = run.workload.job_group.tolist()
    first = np.cumsum([0, *(len(jobs[group].stages) for group in groups)])
    tasks = stage_tasks(run)
    fetches = np.zeros(len(groups), bool)
    fetches[readers.job] = True
    finished = np.flatnonzero((tasks.outcome == FINISHED) & fetches[tasks.job])
    stage = first[tasks.job[finished]] + tasks.stage[finished] - 1
    order = np.lexsort((tasks.end[finished], tasks.index[finished], stage))
    stage, index, ends = stage[order], tasks.index[finished][order], tasks.end[finished][order]
    is_last = (np.diff(stage, append=-1) != 0) | (np.diff(index, append=-1) != 0)
    stage, ends = stage[is_last], ends[is_last]
    bounds = np.searchsorted(stage, np.arange(first[-1] + 1))
    latest = np.zeros(first[-1], np.int64)
    np.maximum.at(latest, stage, ends)
    reader_stage = first[readers.job] + readers.stage - 1
    by_stage = np.argsort(reader_stage, kind="stable")
    cuts = np.flatnonzero(np.diff(reader_stage[by_stage], prepend=-1))
    found = []
    for own in np.split(by_stage, cuts[1:]):
        job, number = int(readers.job[own[0]]), int(readers.stage[own[0]]) - 1
        group = jobs[groups[job]]
        sources = group.stage_sources[number]
        places = first[job] + np.array(sources)
        counts = bounds[places + 1] - bounds[places]
        is_complete = bool((counts == [group.stages[source].tasks for source in sources]).all())
        if is_complete and readers.begin[own].min() >= latest[places].max():
            continue
        fetch = [
            group.stages[number].fetch_ms(group.stages[source], run.scenario.cluster.shuffle_mb_s)
            for source in sources
        ]
        of_sources = np.concatenate([ends[bounds[place] : bounds[place + 1]] for place in places])
        by_end = np.argsort(of_sources, kind="stable")
        cost = np.cumsum(np.append(0.0, np.repeat(fetch, counts)[by_end]))
        found.append(StageInput(own, of_sources[by_end], cost, is_complete))
    return found
