"""When everything happens in a plan: the ends of containers whose starts and nodes are known, exactly as the simulator has them at the nominal rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.bounds.optimum.planned_batch import PlannedBatch, fetched_ms
from engine.simulation.run import FINISHED, Run


class Plan(NamedTuple):
    """start_ms and node of each container, in the order of PlannedBatch.containers."""

    start_ms: list[int]
    node: list[int]


class PlanTimes(NamedTuple):
    """ms. end: of each container; fetched: of reduces, else -1; ready[job][stage - 1]: from when maps may start; finish: of each job."""

    end: list[int]
    fetched: list[int]
    ready: list[list[int]]
    finish: list[int]

    def makespan_ms(self, batch: PlannedBatch) -> int:
        """From the first arrival to the last finish."""
        return max(self.finish) - int(batch.work.job_arrival.min())


def plan_of(batch: PlannedBatch, run: Run) -> Plan:
    """Where and when each container was that did its work; a run that finished has one of each."""
    c = run.containers
    place = {(one.job, one.stage, one.kind, one.index): at for at, one in enumerate(batch.containers)}
    starts, nodes = [0] * len(place), [0] * len(place)
    keys = zip(c.job.tolist(), c.stage.tolist(), c.kind.tolist(), c.index.tolist(), strict=True)
    for key, start, node, outcome in zip(keys, c.start.tolist(), c.node.tolist(), c.outcome.tolist(), strict=True):
        if outcome == FINISHED:
            starts[place[key]], nodes[place[key]] = start, node
    return Plan(starts, nodes)


def plan_times(batch: PlannedBatch, plan: Plan) -> PlanTimes:
    """From maps to reduces, stage by stage."""
    end, fetched = [0] * len(batch.containers), [-1] * len(batch.containers)
    ready, finish = [], []

    def takes(at: int) -> int:
        return batch.containers[at].takes_ms[batch.node_speed[plan.node[at]]]

    for job, stages in enumerate(batch.tasks):
        master, of_job = batch.masters[job], []
        over = int(batch.work.job_arrival[job]) if master < 0 else plan.start_ms[master] + takes(master)
        for maps, reduces in stages:
            of_job.append(over)
            for at in maps:
                end[at] = plan.start_ms[at] + takes(at)
            ends = sorted(end[at] for at in maps)
            for at in reduces:
                fetched[at] = _fetched(batch, at, plan.start_ms[at], ends)
                end[at] = fetched[at] + takes(at)
            over = max(end[at] for at in (*maps, *reduces))
        ready.append(of_job)
        finish.append(over)
        if master >= 0:
            end[master] = over + batch.linger_ms[job]
    return PlanTimes(end, fetched, ready, finish)


def _fetched(batch: PlannedBatch, at: int, start: int, ends: Sequence[int]) -> int:
    """Model 14, of a reduce that starts then; ends: of the maps, in order."""
    one, maps = batch.containers[at], len(ends)
    waits = max(end + fetched_ms(one, maps - place) for place, end in enumerate(ends))
    return max(start + one.launch_ms + fetched_ms(one, maps), waits)


def in_order_of_index(batch: PlannedBatch, plan: Plan) -> Plan:
    """The same places, taken as the simulator gives them out: of tasks of one kind and stage the lowest index first."""
    starts, nodes = list(plan.start_ms), list(plan.node)
    for stages in batch.tasks:
        for places in (one for stage in stages for one in stage):
            taken = sorted((plan.start_ms[at], plan.node[at]) for at in places)
            for at, (start, node) in zip(places, taken):
                starts[at], nodes[at] = start, node
    return Plan(starts, nodes)
