"""The oracle's Spark applications: a driver, its executors, tasks in their slots (SPARK-1 to SPARK-14).
Everything is counted afresh whenever it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from engine.scenario.applications import SchedulerPool
from engine.scenario.model import milliseconds
from tests.oracle import task_locality
from tests.oracle.attempt_draws import LAUNCH, sample_ms, straggler_factor
from tests.oracle.result import Running, Target, TaskRun
from tests.oracle.workload import MAP, Job, Node, draw_ms, uniform_number

TICK_MS, FIRST_BEAT_MS = 100, 200


@dataclass(eq=False)
class Attempt:
    """A task in a slot, or one that was."""

    executor: Executor
    slot: int
    stage: int  # from 0
    index: int
    attempt: int
    start: int
    work: int  # ms at k = 1
    end: int | None = None
    left: float | None = None  # of the work, as of `since`
    since: int | None = None
    outcome: str = "running"
    is_gone: bool = False  # its output
    shuffle_end: int | None = None  # of Tez alone
    kind, to_fetch = "task", None

    @property
    def begin(self) -> int:
        return self.start

    @property
    def job(self) -> Job:
        return self.executor.container.job

    @property
    def node(self) -> Node:
        return self.executor.container.node

    @property
    def number(self) -> int:
        """Of its stage, from 1."""
        return self.stage + 1


@dataclass(eq=False)
class Executor:
    """A container of an application; registers: None before the driver has learnt of it."""

    container: Running
    slots: list[Attempt | None]
    registers: int | None = None
    launch_left: float | None = None  # of its launch alone on its node, at launch_since
    launch_since: int = 0
    is_registered: bool = False
    idle_since: int = 0
    removed: int | None = None
    excluded: float = math.inf  # from then on it gets no task
    has_output: bool = False

    @property
    def is_idle(self) -> bool:
        return self.is_registered and self.removed is None and not any(self.slots)


class Application:
    """One job whose framework is Spark."""

    def __init__(self, simulation: Any, job: Job) -> None:
        self.simulation, self.job, self.group = simulation, job, job.group.executors
        self.stages = job.group.stages
        names = [stage.name or f"stage{place}" for place, stage in enumerate(self.stages, start=1)]
        self.sources = [[names.index(name) for name in stage.after] for stage in self.stages]
        self.dynamic = self.group.dynamic
        self.pools = {pool.name: pool for pool in (SchedulerPool(name="default"), *job.group.pools)}
        self.log: list[Attempt] = []
        self.marked: list[tuple[int, int]] = []  # tasks that wait for a second attempt
        self.placed = 0
        self.is_up = False
        self.has_blocks = simulation.state.scenario.cluster.locality is not None
        self.executors: list[Executor] = []  # that have not ended, in the order of placement
        self.registered: list[Executor] = []  # of these, in the order of registration

    @property
    def now(self) -> int:
        return self.simulation.now

    @property
    def slots(self) -> int:
        return self.group.slots or self.group.vcores

    @property
    def output_goes(self) -> bool:
        """Is output lost with its executor, not with its node alone?"""
        return not self.dynamic or self.dynamic.shuffle_tracking

    @property
    def first_target(self) -> int:
        if self.dynamic:
            return max(self.dynamic.minimum, self.dynamic.initial or 0)
        return self.group.count or 2

    def _begin(self) -> None:
        """The driver has registered (SPARK-1); after a loss everything begins again (SPARK-9)."""
        self.is_up, self.has_begun, self.may_change = True, False, False
        self.marked, self.slow_checked_at = [], self.now
        self.is_one_call = False  # are all free slots offered in one call?
        self.job.master_away = False
        self.target, self.step, self.step_at = self.first_target, 1, self.now
        self.ticked_at = self.next_beat = self.now
        self.interval = FIRST_BEAT_MS
        self.lost = 0
        self.finished: set[int] = set()
        self.done: list[dict[int, Attempt]] = [{} for _ in self.stages]
        self.inputs: dict[int, task_locality.InputStage] = {}
        self._log_target(0, 0)

    def _log_target(self, waiting: int, running: int) -> None:
        line = Target(self.job.name, self.now, self.target, waiting, running)
        self.simulation.targets.append((self.now, self.simulation.jobs.index(self.job), line))

    # Stages and slots (SPARK-7, SPARK-8)

    def _running(self) -> list[Attempt]:
        return [task for executor in self.registered for task in executor.slots if task]

    def tasks_within(self) -> list[Attempt]:
        """Those that run in its executors."""
        return self._running()

    def _may_begin(self, stage: int) -> bool:
        return self.has_begun and all(source in self.finished for source in self.sources[stage])

    def _waiting(self, stage: int) -> list[int]:
        here = {task.index for task in self._running() if task.stage == stage}
        return [i for i in range(self.stages[stage].tasks) if i not in here and i not in self.done[stage]]

    def _waiting_tasks(self) -> list[tuple[int, int]]:
        """Those that may begin, the next first."""
        stages = [stage for stage in range(len(self.stages)) if self._may_begin(stage)]
        return [(stage, index) for stage in stages for index in self._waiting(stage)]

    def _marked_tasks(self) -> list[tuple[int, int]]:
        """Those that may begin once more, the next first."""
        return [(stage, index) for stage, index in self.marked if self._may_begin(stage)]

    def _pending(self) -> int:
        return len(self._waiting_tasks()) + len(self._marked_tasks())

    def _open_to(self, executor: Executor) -> list[tuple[int, int]]:
        """The task that each stage has for an executor: one that waits, else one that was marked and runs on
        another node.
        """
        node = executor.container.node
        elsewhere = [
            (task.stage, task.index) for task in self._running() if task.executor.container.node is not node
        ]
        tasks = self._waiting_tasks() + [task for task in self._marked_tasks() if task in elsewhere]
        stages = sorted({stage for stage, _ in tasks})
        return [next(task for task in tasks if task[0] == stage) for stage in stages]

    def _tasks_of_stages(self) -> list[int]:
        return [sum(task.stage == stage for task in self._running()) for stage in range(len(self.stages))]

    def _next(self, waiting: list[tuple[int, int]], running: list[int]) -> tuple[int, int]:
        """Of the tasks that may begin; running: tasks of each stage when they were sorted (SPARK-11)."""
        if not self.job.group.pools:
            return waiting[0]

        def rank(stage: int) -> tuple:
            pool = self.pools[self.stages[stage].pool or "default"]
            of_pool = [
                number
                for number, one in zip(running, self.stages, strict=True)
                if (one.pool or "default") == pool.name
            ]
            needs = sum(of_pool) < pool.minimum_share
            ratio = sum(of_pool) / (max(pool.minimum_share, 1) if needs else pool.weight)
            name = pool.name.encode("utf-16-be")  # as Java compares names
            return not needs, ratio, name, running[stage] if pool.mode == "fair" else 0, stage

        return min(waiting, key=lambda task: (rank(task[0]), task[1]))

    def _note_backlog(self) -> None:
        self.is_one_call = True
        self.may_change = True
        if self.step_at is None:
            self.step_at = self.now + milliseconds(self.dynamic.backlog_s if self.dynamic else 0)

    def ends(self) -> bool:
        """Tasks whose time has come, and executors that register now."""
        changed = False
        for executor in [one for one in self.executors if one.registers == self.now]:
            if not executor.is_registered:
                self._register(executor)
                changed = True
        for task in sorted(self._running(), key=lambda one: one.attempt):
            if task.outcome == "running" and task.end == self.now and task.start < self.now:
                self._leave(task, "finished")
                for other in self._running():
                    if (other.stage, other.index) == (task.stage, task.index):
                        self._leave(other, "killed")
                self._unmark((task.stage, task.index))
                self.done[task.stage][task.index] = task
                read = bool(self._readers(task.stage))
                task.executor.has_output = task.executor.has_output or (read and self.output_goes)
                changed = True
        return changed

    def _leave(self, task: Attempt, outcome: str) -> None:
        task.end, task.outcome = self.now, outcome
        task.executor.slots[task.slot] = None
        task.executor.idle_since = self.now

    def _unmark(self, task: tuple[int, int]) -> None:
        if task in self.marked:
            self.marked.remove(task)

    def _register(self, executor: Executor) -> None:
        executor.is_registered, executor.idle_since = True, self.now
        executor.container.begin = self.now
        self.is_one_call = True
        self.registered.append(executor)
        self.registered.sort(key=lambda one: (one.container.begin, self.executors.index(one)))

    def _run_stages(self) -> bool:
        changed = False
        gate = self.first_target * self.group.registered_ratio
        over = self.job.ready + milliseconds(self.group.registered_wait_s) <= self.now
        if not self.has_begun and (len(self.registered) >= gate or over):
            self.has_begun = changed = True
            self._note_backlog()
        for stage in range(len(self.stages)):
            if stage not in self.finished and len(self.done[stage]) == self.stages[stage].tasks:
                before = len(self._waiting_tasks())
                self.finished.add(stage)
                changed = True
                if len(self._waiting_tasks()) > before:
                    self._note_backlog()
        if len(self.finished) == len(self.stages):
            self._finish()
            return True
        if self.has_blocks:
            changed = task_locality.fill_slots(self) or changed
        running = self._tasks_of_stages()
        while not self.has_blocks and self._fill_once(running):
            changed = True
        self.is_one_call = False
        return changed

    def takes_tasks(self, executor: Executor) -> bool:
        return executor.removed is None and executor.excluded > self.now and None in executor.slots

    def _fill_once(self, running: list[int]) -> bool:
        """A task to each executor with a free slot, while any waits."""
        filled = False
        for executor in self.registered:
            tasks = self._open_to(executor)
            if tasks and self.takes_tasks(executor):
                if not self.is_one_call:
                    running = self._tasks_of_stages()
                self._start(executor, *self._next(tasks, running))
                filled = True
                if self._pending() == 0:
                    self.step_at, self.step = None, 1
        return filled

    def _start(self, executor: Executor, stage: int, index: int) -> None:
        job, scenario = self.job, self.simulation.state.scenario
        self._unmark((stage, index))
        before = [task for task in self.log if (task.stage, task.index) == (stage, index)]
        u = uniform_number(scenario.seed, job.key_name, job.copy, stage + 1, MAP, index)
        attempt = len(before) + 1
        as_map = SimpleNamespace(job=job, attempt=attempt, kind="map", stage=stage + 1, index=index)
        exact = draw_ms(self.stages[stage].duration_s, index, u) * straggler_factor(scenario, as_map)
        if self.has_blocks and not self.sources[stage]:
            some, far = scenario.cluster.locality, self.distance(stage, index, executor.container.node)
            exact *= (1.0, some.rack_factor, some.off_rack_factor)[far]
        lasts = max(1, math.floor(exact / executor.container.node.speed + 0.5))
        slot = executor.slots.index(None)
        task = Attempt(executor, slot, stage, index, attempt, self.now, lasts)
        executor.slots[slot] = task
        self.log.append(task)
        self.simulation.task_log.append(task)

    # How many executors (SPARK-5, SPARK-6)

    @cached_property
    def blocks(self) -> list[list[list[Node]]]:
        """Of each stage and task."""
        return task_locality.place_inputs(self)

    def distance(self, stage: int, index: int, node: Node) -> int:
        return task_locality.distance(self.blocks[stage][index], node)

    def _needed(self) -> int:
        tasks = self._pending() + len(self._running())
        needed = math.ceil(tasks * self.dynamic.ratio / self.slots)
        return 2 if needed == 1 and self._marked_tasks() and self.slots > 1 else needed

    @property
    def _maximum(self) -> float:
        return self.dynamic.maximum or math.inf

    def _idle_end(self, executor: Executor) -> float:
        if executor.has_output:
            return math.inf
        return executor.idle_since + milliseconds(self.dynamic.idle_s)

    def _timed_out(self) -> list[Executor]:
        return [one for one in self.registered if one.is_idle and self._idle_end(one) <= self.now]

    def _remaining(self) -> int:
        return sum(executor.removed is None for executor in self.registered)

    def _look_at_target(self) -> bool:
        """Whether the target has changed."""
        since = self.now - self.job.ready
        if not self.dynamic or since == 0 or since % TICK_MS or self.ticked_at == self.now:
            return False
        self.ticked_at, before, timed_out = self.now, self.target, self._timed_out()
        self.may_change = self.may_change or bool(timed_out)
        if self.may_change:
            self._update_target()
        if self.target != before:
            self._log_target(self._pending(), len(self._running()))
        for executor in timed_out:
            if self._remaining() - 1 >= max(self.dynamic.minimum, self.target):
                executor.removed = self.now
        return self.target != before

    def _update_target(self) -> None:
        needed = self._needed()
        if needed < self.target:
            self.target, self.step = max(needed, self.dynamic.minimum), 1
        elif self.step_at is not None and self.now >= self.step_at:
            grown = max(self.target, len(self.registered)) + self.step
            grown = max(min(grown, needed, self._maximum), self.dynamic.minimum)
            delta = grown - self.target
            if self.target >= self._maximum or delta == 0:
                self.step = 1
                return
            self.target = grown
            self.step = 2 * self.step if delta == self.step else 1
            sustained = self.dynamic.sustained_backlog_s
            self.step_at = self.now + milliseconds(self.dynamic.backlog_s if sustained is None else sustained)

    def _next_ticks(self) -> Iterator[int]:
        """At which the target, or who is idle, could lead to a change if nothing else happens."""
        lowest = max(self.dynamic.minimum, self.target)
        if self._remaining() - 1 >= lowest or not self.may_change:
            yield from (self._tick_from(self._idle_end(one)) for one in self.registered if one.is_idle)
        if self.may_change:
            if self._needed() < self.target > self.dynamic.minimum:
                yield self._tick_from(0)
            grows = self._needed() > self.target < self._maximum
            if self.step_at is not None and (self.step > 1 or grows):
                yield self._tick_from(self.step_at)

    def _tick_from(self, time: float) -> float:
        """The first after now, and not before `time`."""
        if time == math.inf:
            return time
        tick = self.job.ready
        while tick <= self.now or tick < time:
            tick += TICK_MS
        return tick

    # Second attempts (SPARK-12)

    def _threshold(self, stage: int) -> float:
        """A task of the stage that has run for longer is slow."""
        rule, tasks = self.group.speculation, self.stages[stage].tasks
        times = sorted(task.end - task.start for task in self.done[stage].values())
        if not rule or tasks == 1 or len(times) < max(1, math.floor(rule.quantile * tasks)):
            return math.inf
        return max(rule.multiplier * times[len(times) // 2], milliseconds(rule.minimum_s))

    def _watched(self) -> list[Attempt]:
        """Attempts of tasks that have no other one, and wait for none."""
        running = self._running()
        tasks = [(task.stage, task.index) for task in running]
        alone = [task for task in running if tasks.count((task.stage, task.index)) == 1]
        return [
            task
            for task in self.log
            if task in alone and (task.stage, task.index) not in self.marked and self._may_begin(task.stage)
        ]

    def _mark_slow(self) -> bool:
        """Whether a task has been slow for too long at one of the looks."""
        rule, since = self.group.speculation, self.now - self.job.ready
        if (
            not rule
            or since == 0
            or since % milliseconds(rule.interval_s)
            or self.slow_checked_at == self.now
        ):
            return False
        self.slow_checked_at = self.now
        slow = [task for task in self._watched() if self.now - task.start > self._threshold(task.stage)]
        self.marked += [(task.stage, task.index) for task in slow]
        return bool(slow)

    def _next_checks(self) -> Iterator[int]:
        """Looks at which a task will be slow if nothing else happens."""
        for task in self._watched():
            slow_from, interval = self._threshold(task.stage), milliseconds(self.group.speculation.interval_s)
            if slow_from < math.inf:
                last = max(self.now, task.start + math.floor(slow_from))
                yield self.job.ready + ((last - self.job.ready) // interval + 1) * interval

    # Heartbeats to the ResourceManager (SPARK-2, SPARK-3)

    @property
    def _asked(self) -> int:
        return self.simulation.state.waiting(self.job, "executor")

    def _new(self) -> list[Executor]:
        return [executor for executor in self.executors if executor.registers is None]

    def _missing(self) -> int:
        live = sum(executor.removed is None for executor in self.executors)
        return self.target - self._asked - live - self.lost

    def _would_change(self) -> bool:
        missing = self._missing()
        removed = any(executor.removed is not None for executor in self.executors)
        return (
            missing > 0 or (missing < 0 and self._asked > 0) or bool(self._new()) or removed or self.lost > 0
        )

    def _set_next_beat(self) -> None:
        if self._asked + len(self._new()) > 0:
            self.next_beat += min(self.job.beat_ms, self.interval)
            self.interval = min(self.job.beat_ms, 2 * self.interval)
        else:
            self.next_beat += self.job.beat_ms
            self.interval = min(self.job.beat_ms, FIRST_BEAT_MS)

    def catch_up(self, time: int) -> None:
        """Heartbeats before `time` that changed nothing."""
        while self.is_up and self.job.beat_ms and self.next_beat < time:
            self._set_next_beat()

    def _send_heartbeat(self) -> None:
        missing, job = self._missing(), self.job
        surplus = 0
        if missing > 0:
            waiting = job.waiting["executor"].tasks if "executor" in job.waiting else []
            self.simulation._ask(job, "executor", waiting + [0] * missing)
        elif missing < 0:
            withdrawn = min(self._asked, -missing)
            self.simulation._withdraw(job, "executor", withdrawn)
            surplus = -missing - withdrawn
        known = [one for one in self._new() if not job.beat_ms or one.container.start < self.now]
        kept = max(0, len(known) - surplus)
        for executor in known[:kept]:
            launch = sample_ms(
                self.simulation.state.scenario, executor.container, LAUNCH, self.group.launch_s
            )
            executor.registers, executor.launch_left = self.now + launch, float(launch)
            executor.launch_since = self.now
            if launch == 0:
                self._register(executor)
        for executor in known[kept:]:
            self._give_back(executor)
        for executor in list(self.registered):
            if executor.removed is not None and (executor.removed < self.now or not job.beat_ms):
                self._give_back(executor)
        self.lost = 0
        if job.beat_ms:
            self._set_next_beat()

    def _give_back(self, executor: Executor) -> None:
        self._end(executor, "finished")
        self.simulation._give_back(executor.container)

    def _end(self, executor: Executor, outcome: str) -> None:
        executor.container.end, executor.container.outcome = self.now, outcome
        for task in [task for task in executor.slots if task]:
            task.end, task.outcome = self.now, outcome
        self.executors.remove(executor)
        if executor in self.registered:
            self.registered.remove(executor)
        running = [(task.stage, task.index) for task in self._running()]
        self.marked = [task for task in self.marked if task in running]

    def launching(self) -> list[Executor]:
        """Executors of which the driver has learnt, until they register."""
        return [one for one in self.executors if one.registers is not None and not one.is_registered]

    # What the simulation calls

    def look(self) -> bool:
        """Everything that the driver does at an instant. Whether anything changed."""
        job = self.job
        if not self.is_up:
            if job.ready is None or job.ready > self.now:
                return False
            self._begin()
        self.catch_up(self.now)
        changed = self._mark_slow()
        if changed:
            self._note_backlog()
        changed = self._run_stages() or changed
        if job.finish is not None:
            return True
        if self._look_at_target() and job.beat_ms:
            self.next_beat, self.interval = self.now, min(job.beat_ms, FIRST_BEAT_MS)
        while job.finish is None and (self.next_beat == self.now if job.beat_ms else self._would_change()):
            changed = self._would_change() or changed
            self._send_heartbeat()
            changed = self._run_stages() or changed
        return changed

    def events(self) -> Iterator[float]:
        """What lies ahead."""
        if not self.is_up:
            if self.job.ready is not None:
                yield self.job.ready
            return
        yield from (task.end for task in self._running())
        yield from (time for one in self.inputs.values() if (time := one.opens()) < math.inf)
        yield from (executor.registers for executor in self.launching())
        yield from (one.excluded for one in self.registered if self.now < one.excluded < math.inf)
        if not self.has_begun:
            yield self.job.ready + milliseconds(self.group.registered_wait_s)
        if self.group.speculation:
            yield from self._next_checks()
        if self.dynamic:
            yield from (tick for tick in self._next_ticks() if tick < math.inf)
        if self.job.beat_ms and self._would_change():
            self.catch_up(self.now + 1)
            yield self.next_beat

    def next_index(self, kind: str) -> int:
        """Executors are numbered as they are placed."""
        return self.placed

    def came(self, container: Running) -> None:
        """It has been placed; a heartbeat at this instant is over."""
        self.executors.append(Executor(container, [None] * self.slots, excluded=self._exclusion()))
        self.catch_up(self.now + 1)
        self.placed += 1

    def _exclusion(self) -> float:
        """Of the executor that is placed now (SPARK-14)."""
        times = self.group.excluded_s
        after = milliseconds(times[self.placed]) if self.placed < len(times) else 0
        return self.job.arrival + after if after else math.inf

    def container_lost(self, container: Running) -> None:
        """With its node, or killed for others (SPARK-9)."""
        self.catch_up(self.now)
        executor = next(one for one in self.executors if one.container is container)
        self._end(executor, container.outcome)
        self.lost += 1
        if self.output_goes:
            self._lose_outputs(lambda task: task.executor is executor)
        if self._waiting_tasks():
            self._note_backlog()

    def node_lost(self, node: Node) -> None:
        """What an external shuffle service kept there."""
        if self.is_up and not self.output_goes:
            self._lose_outputs(lambda task: task.executor.container.node is node)
            if self._waiting_tasks():
                self._note_backlog()

    def _readers(self, stage: int) -> list[int]:
        """Stages that read what it leaves with its executors."""
        if self.stages[stage].result:
            return []
        return [reader for reader, sources in enumerate(self.sources) if stage in sources]

    def _lose_outputs(self, is_lost: Any) -> None:
        """What is needed of all output that is gone: from the last stage to the first, for one that is to run
        again needs its sources.
        """
        for task in [task for done in self.done for task in done.values()]:
            task.is_gone = task.is_gone or is_lost(task)
        for stage in reversed(range(len(self.stages))):
            gone = [index for index, task in self.done[stage].items() if task.is_gone]
            if gone and any(reader not in self.finished for reader in self._readers(stage)):
                for index in gone:
                    del self.done[stage][index]
                self.finished.discard(stage)

    def stop(self, outcome: str) -> None:
        """All executors end."""
        self.simulation._withdraw(self.job, "executor", self._asked)
        for executor in list(self.executors):
            self._end(executor, outcome)
        if self.is_up and self.target:
            self.target = 0
            self._log_target(0, 0)
        self.is_up = False

    def _finish(self) -> None:
        self.stop("finished")
        self.simulation._finish(self.job)


def task_runs(log: list[Any], containers: list[Running]) -> list[TaskRun]:
    """What the result shows of tasks, in the order of their starts."""
    return [
        TaskRun(
            containers.index(task.executor.container),
            task.slot,
            task.number,
            task.index,
            task.attempt,
            task.start,
            None if task.outcome == "running" else task.end,
            task.outcome,
            had_input(task),
        )
        for task in log
    ]


def had_input(task: Any) -> int | None:
    """When it had all that it reads; None where it reads nothing, or ended before."""
    if task.outcome == "running" or task.shuffle_end is None or task.shuffle_end > task.end:
        return None
    return task.shuffle_end
