"""Where the oracle's Spark applications start tasks that read blocks (SPARK-13)."""

from __future__ import annotations

import math
from typing import Any

from engine.scenario.model import milliseconds
from tests.oracle.blocks import blocks_of_tasks
from tests.oracle.workload import Node

HERE, ON_RACK, ANYWHERE = range(3)  # levels


def distance(blocks: list[Node], node: Node) -> int:
    """From a block's copies."""
    if node in blocks:
        return HERE
    return ON_RACK if node.rack in [other.rack for other in blocks] else ANYWHERE


class InputStage:
    """A stage whose tasks have blocks, while it is submitted."""

    def __init__(self, application: Any, stage: int) -> None:
        self.application, self.stage = application, stage
        self.wait = milliseconds(application.group.locality_wait_s)
        self.seen = list(application.registered)
        self.level = self.nearest_valid = self._valid()[0]
        self.since = application.now

    @property
    def waiting(self) -> list[int]:
        return self.application._waiting(self.stage)

    def distance(self, index: int, node: Node) -> int:
        return self.application.distance(self.stage, index, node)

    def _valid(self) -> list[int]:
        near = {
            self.distance(index, executor.container.node)
            for executor in self.application.registered
            for index in self.waiting
        }
        return list(range(min(near, default=ANYWHERE), ANYWHERE + 1))

    def note_executors(self) -> None:
        """Have executors registered or ended since?"""
        if self.seen == self.application.registered or not self.waiting:
            return
        valid = self._valid()
        if valid[0] < self.nearest_valid or self.level not in valid:
            self.level = valid[0]
        self.seen, self.nearest_valid = list(self.application.registered), valid[0]

    def offer(self) -> bool:
        """All free slots. Whether any task has started."""
        while self.level != ANYWHERE and self.application.now - self.since >= self.wait:
            self.level, self.since = self.level + 1, self.since + self.wait
        distances = [
            far for level in range(self.nearest_valid, self.level + 1) for far in self._offer_within(level)
        ]
        if not self.waiting:
            self.level = ANYWHERE
            self.since = self.application.now
        elif distances and not free_executors(self.application):
            self.level, self.since = max(min(distances), self.nearest_valid), self.application.now
        return bool(distances)

    def _offer_within(self, level: int) -> list[int]:
        """How far from their blocks tasks have started."""
        distances: list[int] = []
        while True:
            before = len(distances)
            for executor in free_executors(self.application):
                node = executor.container.node
                for tasks in (self.waiting, marked(self.application, self.stage, node)):
                    near = [index for index in tasks if self.distance(index, node) <= level]
                    if near:
                        break
                if near:
                    index = min(near, key=lambda one: self.distance(one, node))
                    distances.append(self.distance(index, node))
                    self.application._start(executor, self.stage, index)
            if len(distances) == before:
                return distances

    def opens(self) -> float:
        """When its tasks may next start farther away."""
        if self.level == ANYWHERE or not self.waiting or not free_executors(self.application):
            return math.inf
        return self.since + self.wait


def free_executors(application: Any) -> list[Any]:
    return [one for one in application.registered if application.takes_tasks(one)]


def marked(application: Any, stage: int, node: Node) -> list[int]:
    """Tasks of a stage that wait for a second attempt and run on another node, in the order of marking."""
    elsewhere = [
        (task.stage, task.index)
        for task in application._running()
        if task.executor.container.node is not node
    ]
    return [task[1] for task in application.marked if task[0] == stage and task in elsewhere]


def offer_anywhere(application: Any, stage: int) -> bool:
    """A slot of each executor. Whether any task has started."""
    has_started = False
    for executor in free_executors(application):
        tasks = application._waiting(stage) + marked(application, stage, executor.container.node)
        if tasks:
            application._start(executor, stage, tasks[0])
            has_started = True
    return has_started


def in_order(application: Any) -> list[int]:
    """The stages, as pools have them now."""
    left, ordered = list(range(len(application.stages))), []
    running = application._tasks_of_stages()
    while left:
        ordered.append(application._next([(stage, 0) for stage in left], running)[0])
        left.remove(ordered[-1])
    return ordered


def place_inputs(application: Any) -> list[list[list[Node]]]:
    """Of each stage, of each task, the nodes with its block; of a stage that comes after others, none."""
    state = application.simulation.state
    return [
        [] if sources else blocks_of_tasks(state.scenario, application.job, number, stage.tasks, state.nodes)
        for number, (stage, sources) in enumerate(
            zip(application.stages, application.sources, strict=True), start=1
        )
    ]


def fill_slots(application: Any) -> bool:
    """Stage by stage. Whether any task has started."""
    inputs, changed = application.inputs, False
    for stage, sources in enumerate(application.sources):
        if stage in application.finished or not application.has_begun:
            inputs.pop(stage, None)
        elif not sources and stage in inputs:
            inputs[stage].note_executors()
        elif not sources and application._waiting(stage):
            inputs[stage] = InputStage(application, stage)
    for stage in in_order(application):
        pending = application._waiting(stage) or stage in [one for one, _ in application.marked]
        if application._may_begin(stage) and pending and free_executors(application):
            if stage in inputs:
                changed = inputs[stage].offer() or changed
            else:
                while offer_anywhere(application, stage):
                    changed = True
    if application._pending() == 0 and changed:
        application.step_at, application.step = None, 1
    return changed
