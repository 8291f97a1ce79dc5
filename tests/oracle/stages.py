"""The oracle's applications of stages and of demand: each task has a container of its own (STAGES-1 to
STAGES-6). Everything is counted afresh whenever it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.scenario.model import milliseconds
from tests.oracle.ramp_up import kill
from tests.oracle.result import Running
from tests.oracle.workload import Job, Node


class Stages:
    """One job whose framework is `stages` or `demand`; stages are numbered from 0 here."""

    def __init__(self, simulation: Any, job: Job) -> None:
        self.simulation, self.state, self.job = simulation, simulation.state, job
        self.stages = job.group.stages
        names = [stage.name or f"stage{place}" for place, stage in enumerate(self.stages, start=1)]
        self.sources = [[names.index(name) for name in stage.after] for stage in self.stages]
        self.is_up = False
        self.first_up: int | None = None  # when a master had started up first
        self.asked: set[int] = set()  # stages, since the master has started up
        self.gone: set[Running] = set()  # containers that have finished and whose output is lost
        self.redone: set[Running] = set()  # of these, those whose tasks are to run again

    def done(self, stage: int) -> dict[int, Running]:
        """The container in which each task has finished that need not run again."""
        return {one.index: one for one in self.finished_tasks(stage) if one not in self.redone}

    def finished_tasks(self, stage: int) -> list[Any]:
        """The containers of all that have finished."""
        return self.state.finished(self.job, self.job.stage_kinds[stage])

    def running_tasks(self) -> list[Any]:
        """The containers of those that run, of all stages."""
        return self.state.running(self.job, *self.job.stage_kinds)

    def tasks_within(self) -> list[Any]:
        """Those that run in containers that run several."""
        return []

    def is_finished(self, stage: int) -> bool:
        """Have all its tasks (STAGES-4)?"""
        return len(self.done(stage)) == self.stages[stage].tasks

    def waiting(self, stage: int) -> list[int]:
        """Tasks that neither run nor have finished, asked for or not."""
        running = {one.index for one in self.running_tasks() if one.stage == stage + 1}
        done = self.done(stage)
        return [i for i in range(self.stages[stage].tasks) if i not in running and i not in done]

    def sources_of(self, container: Running) -> list[int]:
        """The stages whose output it fetches."""
        return self.sources[container.stage - 1]

    # What it asks for (STAGES-2, STAGES-6)

    def look(self) -> bool:
        """Its master looks, at an instant or at a heartbeat of its own. Whether it asked for anything."""
        job, now = self.job, self.simulation.now
        if job.ready is None or job.ready > now or not job.has_heartbeat_at(now):
            return False
        self.is_up, job.master_away = True, False
        self.first_up = job.ready if self.first_up is None else self.first_up
        asked = False
        for stage, kind in enumerate(job.stage_kinds):
            tasks = self.waiting(stage)
            if len(tasks) > self.state.waiting(job, kind) and self._may_ask(stage):
                self.simulation._ask(job, kind, tasks)
                self.asked.add(stage)
                asked = True
        return asked

    def _may_ask(self, stage: int) -> bool:
        share = np.float32(self.stages[stage].slow_start)
        enough = [
            len(self.done(source)) >= math.ceil(share * np.float32(self.stages[source].tasks))
            for source in self.sources[stage]
        ]
        return self._starts(stage) <= self.simulation.now and (stage in self.asked or all(enough))

    def _starts(self, stage: int) -> int:
        return self.first_up + milliseconds(self.stages[stage].start_s)

    def events(self) -> Iterator[int]:
        """Its master's start-up, and when demand starts; at heartbeats the others' clock ticks."""
        job, now = self.job, self.simulation.now
        if job.ready is None:
            return
        if job.ready > now:
            yield job.ready
            return
        for stage in range(len(self.stages)):
            starts = max(self._starts(stage), job.ready)
            times = range(starts, starts + max(1, job.beat_ms))
            yield from [time for time in times if time > now and job.has_heartbeat_at(time)][:1]

    # What a task does (STAGES-3, STAGES-4)

    def next_index(self, kind: str) -> int:
        """The lowest task of the stage that waits."""
        return self.waiting(self.job.stage_kinds.index(kind))[0]

    def came(self, container: Running) -> None:
        """It has been placed."""
        self._set_shuffle_end(container)

    def ends(self) -> bool:
        """Containers of an instant have ended: others may know when they have fetched everything. Whether it
        is over with them.
        """
        for container in self.running_tasks():
            if container.shuffle_end is None:
                self._set_shuffle_end(container)
        if all(self.is_finished(stage) for stage in range(len(self.stages))):
            self.finish()
        return not self.is_up

    def finish(self) -> None:
        """All stages have."""
        self.is_up = False
        self.simulation._finish(self.job)

    def _set_shuffle_end(self, container: Running) -> None:
        """Once all tasks whose output it needs have finished: by its own rate, and nothing before its end."""
        sources = self.sources_of(container)
        if not sources or not all(self.is_finished(source) for source in sources):
            return
        cluster, tasks = self.simulation.cluster, self.stages[container.stage - 1].tasks
        each = {
            source: 1000.0 * self.stages[source].output_mb / tasks / cluster.shuffle_mb_s
            for source in sources
        }
        ends = sorted((one.end, source) for source in sources for one in self.done(source).values())
        rest = lambda left: sum(each[source] * [one for _, one in left].count(source) for source in sources)
        bounds = [container.begin + rest(ends)]
        bounds += [end + rest(ends[place:]) for place, (end, _) in enumerate(ends)]
        container.shuffle_end = math.ceil(max(bounds) - 1e-6) + milliseconds(cluster.shuffle_latency_s)

    # What is lost (STAGES-5)

    def container_lost(self, container: Running) -> None:
        """Its task waits again."""

    def node_lost(self, node: Node) -> None:
        """With what had finished there: what is needed of it is to run again, from the last stage to the
        first, for a task that is needs its own sources.
        """
        for stage in range(len(self.stages)):
            self.gone |= {one for one in self.finished_tasks(stage) if one.node is node}
        for stage in reversed(range(len(self.stages))):
            readers = [reader for reader, sources in enumerate(self.sources) if stage in sources]
            if not all(self.is_finished(reader) for reader in readers):
                self.redone |= self.gone & set(self.done(stage).values())
        for container in self.running_tasks():
            lacks = not all(self.is_finished(source) for source in self.sources_of(container))
            if lacks and container.shuffle_end is not None and container.shuffle_end > self.simulation.now:
                container.shuffle_end = None

    def stop(self, outcome: str) -> None:
        """All its tasks end with their master, which leaves what has finished to the next."""
        for container in self.state.running(self.job, *self.job.stage_kinds):
            kill(container, self.simulation.now)
        self.is_up = False
        self.asked.clear()
