"""When everything happens in a plan: the ends of containers whose starts and nodes are known, exactly as the
simulator has them at the nominal rates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.bounds.optimum.planned_batch import PlannedBatch, fetch_time_ms
from engine.codes import FINISHED
from engine.simulation.run import Run


class Plan(NamedTuple):
    """start_ms and node of each container, in the order of PlannedBatch.containers."""

    start_ms: list[int]
    node: list[int]


class PlanTimes(NamedTuple):
    """ms. end: of each container; fetched: of reduces, else -1; ready[job][stage - 1]: from when maps may
    start; finish: of each job.
    """

    end: list[int]
    fetched: list[int]
    ready: list[list[int]]
    finish: list[int]

    def makespan_ms(self, batch: PlannedBatch) -> int:
        """From the first arrival to the last finish."""
        return max(self.finish) - int(batch.work.job_arrival.min())


def plan_of(batch: PlannedBatch, run: Run) -> Plan:
    """Where and when each container was that did its work; a run that finished has one of each."""
    containers = run.containers
    index_of = {
        (container.job, container.stage, container.kind, container.index): index
        for index, container in enumerate(batch.containers)
    }
    starts, nodes = [0] * len(index_of), [0] * len(index_of)
    keys = zip(
        containers.job.tolist(),
        containers.stage.tolist(),
        containers.kind.tolist(),
        containers.index.tolist(),
        strict=True,
    )
    for key, start, node, outcome in zip(
        keys, containers.start.tolist(), containers.node.tolist(), containers.outcome.tolist(), strict=True
    ):
        if outcome == FINISHED:
            starts[index_of[key]], nodes[index_of[key]] = start, node
    return Plan(starts, nodes)


def plan_times(batch: PlannedBatch, plan: Plan) -> PlanTimes:
    """From maps to reduces, stage by stage."""
    end, fetched = [0] * len(batch.containers), [-1] * len(batch.containers)
    ready, finish = [], []

    def duration(at: int) -> int:
        return batch.containers[at].durations_ms[batch.node_speed[plan.node[at]]]

    for job, stages in enumerate(batch.tasks):
        master, stage_ready = batch.masters[job], []
        stage_end = (
            int(batch.work.job_arrival[job]) if master < 0 else plan.start_ms[master] + duration(master)
        )
        for maps, reduces in stages:
            stage_ready.append(stage_end)
            for at in maps:
                end[at] = plan.start_ms[at] + duration(at)
            ends = sorted(end[at] for at in maps)
            for at in reduces:
                fetched[at] = _fetched(batch, at, plan.start_ms[at], ends)
                end[at] = fetched[at] + duration(at)
            stage_end = max(end[at] for at in (*maps, *reduces))
        ready.append(stage_ready)
        finish.append(stage_end)
        if master >= 0:
            end[master] = stage_end + batch.linger_ms[job]
    return PlanTimes(end, fetched, ready, finish)


def _fetched(batch: PlannedBatch, at: int, start: int, ends: Sequence[int]) -> int:
    """SHUFFLE-1, of a reduce that starts then; ends: of the maps, in order."""
    reduce, maps = batch.containers[at], len(ends)
    last_fetched = max(end + fetch_time_ms(reduce, maps - place) for place, end in enumerate(ends))
    return max(start + reduce.launch_ms + fetch_time_ms(reduce, maps), last_fetched)


def in_order_of_index(batch: PlannedBatch, plan: Plan) -> Plan:
    """The same places, taken as the simulator gives them out: of tasks of one kind and stage the lowest index
    first.
    """
    starts, nodes = list(plan.start_ms), list(plan.node)
    for stages in batch.tasks:
        for places in (one for stage in stages for one in stage):
            taken = sorted((plan.start_ms[at], plan.node[at]) for at in places)
            for at, (start, node) in zip(places, taken):
                starts[at], nodes[at] = start, node
    return Plan(starts, nodes)
