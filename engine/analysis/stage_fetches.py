"""When tasks with containers of their own fetch the output of the stages that theirs comes after, and when
they wait for it (STAGES-3); as capacity/fetching.py has it of reduces, but what is fetched of a task differs
from source to source.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.stage_times import has_sources, stage_values
from engine.codes import FINISHED, NOISE_MS, TASK
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


def reading_tasks(run: Run) -> np.ndarray:
    """Indices into run.containers: tasks of stages that come after others."""
    tasks = np.flatnonzero(run.containers.kind == TASK)
    reads = stage_values(run, run.containers.job[tasks], run.containers.stage[tasks], has_sources)
    return tasks[reads == 1]


def inputs_before_ends(run: Run, readers: np.ndarray) -> list[StageInput]:
    """Of each stage any of whose readers began before all that it reads had ended: those of the others never
    wait. readers: reading_tasks. Cost: that of sorting the tasks.
    """
    if not len(readers):
        return []
    c, work, jobs = run.containers, run.workload, run.scenario.jobs
    groups = work.job_group.tolist()
    first = np.cumsum([0, *(len(jobs[group].stages) for group in groups)])
    finished = np.flatnonzero((c.kind == TASK) & (c.outcome == FINISHED))
    stage = first[c.job[finished]] + c.stage[finished] - 1
    order = np.lexsort((c.end[finished], c.index[finished], stage))
    stage, index, ends = stage[order], c.index[finished][order], c.end[finished][order]
    is_last = (np.diff(stage, append=-1) != 0) | (np.diff(index, append=-1) != 0)
    stage, ends = stage[is_last], ends[is_last]
    bounds = np.searchsorted(stage, np.arange(first[-1] + 1))
    latest = np.zeros(first[-1], np.int64)
    np.maximum.at(latest, stage, ends)
    reader_stage = first[c.job[readers]] + c.stage[readers] - 1
    by_stage = np.argsort(reader_stage, kind="stable")
    cuts = np.flatnonzero(np.diff(reader_stage[by_stage], prepend=-1))
    found = []
    for own in np.split(by_stage, cuts[1:]):
        job, number = int(c.job[readers[own[0]]]), int(c.stage[readers[own[0]]]) - 1
        group = jobs[groups[job]]
        sources = group.stage_sources[number]
        places = first[job] + np.array(sources)
        counts = bounds[places + 1] - bounds[places]
        is_complete = bool((counts == [group.stages[source].tasks for source in sources]).all())
        if is_complete and c.begin[readers[own]].min() >= latest[places].max():
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
