"""An order that follows a plan, run by the simulator itself: what comes of it is attainable.

Each node is given the containers that the plan has there, in the order of their planned starts, each as soon
as it is asked for and fits, and none before the one that the plan has before it. So nothing starts later than
planned, where times are as planned. Without a plan's nodes, any node is given the waiting container that the
plan starts first.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.bounds.optimum.plan_times import Plan
from engine.bounds.optimum.planned_batch import PlannedBatch
from engine.codes import LEAVE, MAP, MASTER, REDUCE, job_of, kind_of
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ADMISSION, ORDER, REDUCE_START, RESOURCES, Defaults, Policy
from engine.schedulers.scheduler import Part, Scheduler
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

OPTIMUM = "optimum"


def plan_scheduler(batch: PlannedBatch, plan: Plan, on_its_nodes: bool) -> Scheduler:
    """A scheduler named optimum. It runs plain: it knows its plan as a Python function knows what is around
    it.
    """
    choose = _in_sequence(batch, plan) if on_its_nodes else _earliest(batch, plan)
    policy = Policy(
        OPTIMUM, "Optimum", ORDER, choose, "ours", (RESOURCES,), defaults=Defaults(reduce_start="slowstart")
    )
    order = Part(policy, ("memory" if batch.rules.memory_only else "both",))
    start = Part(CATALOGUE[REDUCE_START]["slowstart"], (None if batch.rules.keeps_slowstart else 0.0,))
    return Scheduler(order, start, Part(CATALOGUE[ADMISSION]["admit-all"], ()))


def _in_sequence(batch: PlannedBatch, plan: Plan) -> Callable[..., int]:
    order = sorted(range(len(plan.node)), key=lambda at: (plan.start_ms[at], at))
    sequences: list[list[int]] = [[] for _ in batch.node_offset]
    for at in order:
        sequences[plan.node[at]].append(at)
    position_in_sequence = {at: place for sequence in sequences for place, at in enumerate(sequence)}
    next_position = [0] * len(sequences)
    next_of = _next_of(batch)

    def choose(node, count, candidates, job_start, job_iteration, job_placed_maps, job_placed_reduces):
        now = job_start, job_iteration, job_placed_maps, job_placed_reduces
        sequence = sequences[node]
        while next_position[node] < len(sequence) and _is_placed(batch, sequence[next_position[node]], *now):
            next_position[node] += 1
        best, nearest = LEAVE, next_position[node] + 1
        for position in range(count):
            at = next_of(candidates[position], *now)
            if plan.node[at] == node and position_in_sequence[at] < nearest:
                best, nearest = position, position_in_sequence[at]
        return best

    return choose


def _earliest(batch: PlannedBatch, plan: Plan) -> Callable[..., int]:
    next_of = _next_of(batch)

    def choose(count, candidates, job_start, job_iteration, job_placed_maps, job_placed_reduces):
        now = job_start, job_iteration, job_placed_maps, job_placed_reduces
        return min(range(count), key=lambda position: plan.start_ms[next_of(candidates[position], *now)])

    return choose


def _next_of(batch: PlannedBatch) -> Callable[..., int]:
    def next_of(request, job_start, job_iteration, job_placed_maps, job_placed_reduces):
        """The container that a request would be given next."""
        job, kind = job_of(batch.work, request), kind_of(batch.work, request)
        if kind == MASTER:
            return batch.masters[job]
        maps, reduces = batch.tasks[job][job_iteration[job] - 1]
        return maps[job_placed_maps[job]] if kind == MAP else reduces[job_placed_reduces[job]]

    return next_of


def _is_placed(batch, at, job_start, job_iteration, job_placed_maps, job_placed_reduces):
    container = batch.containers[at]
    if container.kind == MASTER:
        return job_start[container.job] >= 0
    placed = job_placed_reduces if container.kind == REDUCE else job_placed_maps
    return container.stage < job_iteration[container.job] or (
        container.stage == job_iteration[container.job] and container.index < placed[container.job]
    )


def simulate_plan(scenario: Scenario, batch: PlannedBatch, plan: Plan, on_its_nodes: bool) -> Run:
    """The run that comes of a plan, in order of index (plan_times.in_order_of_index)."""
    return simulate(scenario, plan_scheduler(batch, plan, on_its_nodes), plain=True)
