"""Who holds what share of the cluster, and what is their fair share: dominant shares of jobs, users or queues
over time.

Dominant share of an entity: the larger of (memory held / memory of all nodes) and (vcores held / vcores of
all nodes) (Ghodsi et al. 2011, Dominant Resource Fairness, NSDI, 3). Its demand d is the same of what it
holds and waits for.

Its fair share is what progressive filling gives it at that instant (Ghodsi 2011, 4; Bertsekas and Gallager
1992, 6.5.2): the shares of all entities rise together, each by its weight w, and one stops at its demand,
until memory or vcores run out:

    fair share = min(d, w x level),   level the largest with   sum over entities of fair share x (demand of k
    / d) <= capacity of k   for both k.

Tasks count as divisible there, so an entity is below its fair share only while it lacks at least the smallest
container that it ever asks for. Hadoop's fair scheduler fills the same way per resource (ComputeFairShares);
minimum shares and limits of queues are left out here.

Weights are jobs' own; users have one each; a leaf queue's is the product down its path of (weight / weights
of it and its siblings), or its guaranteed capacity where the scenario gives any capacity_pct. The measure is
the same whatever the scheduler.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.capacity.events import requested_ms, unserved_requests
from engine.analysis.node_utilization import column_edges
from engine.codes import NONE, requests_of
from engine.jit import compiled
from engine.simulation.queues import QueueTree
from engine.simulation.run import Run

ENTITIES = ("job", "user", "queue")
BUDGET = 200_000_000  # entities x instants looked at; beyond it, times are rounded down to a grid
MIN_WEIGHT = 1e-9  # of a queue without capacity: its fair share is what nobody else wants
MAX_ITERATIONS = 100


class DominantShares(NamedTuple):
    """Over the columns between edges (int64[columns + 1], ms); the first three are means over a column,
    float32[entities, columns].

    share: dominant share held; fair_share: what it should hold; deficit: fair_share - share while it is below
    its fair share, else 0. Then one number an entity:
    below_ms: how long it was below its fair share; active_ms: how long it held or waited for anything;
    total_deficit: fair_share - share over the time below, in share x ms.
    of_job: int64[jobs], each job's entity; step_ms: times were rounded down to multiples of it, 1 in all but
    very large runs.
    """

    names: list[str]
    weight: np.ndarray
    edges: np.ndarray
    share: np.ndarray
    fair_share: np.ndarray
    deficit: np.ndarray
    below_ms: np.ndarray
    active_ms: np.ndarray
    total_deficit: np.ndarray
    of_job: np.ndarray
    step_ms: int


def dominant_shares(run: Run, by: str, columns: int) -> DominantShares:
    """by: one of ENTITIES; a queue is a leaf that has jobs. Cost: O(containers log containers + instants x
    entities that want something).
    """
    c, work = run.containers, run.workload
    names, of_job, weight = entities(run, by)
    edges = column_edges(run, columns)
    until = int(edges[-1])
    count = len(edges) - 1
    step = _time_step(run, len(names))
    first = int(edges[0])
    snapped = lambda ms: ms if step == 1 else first + (ms - first) // step * step
    request = requests_of(work, c).astype(np.int32)
    of_request = of_job[work.request_job]
    never = unserved_requests(run)
    asked_at = np.concatenate([requested_ms(run), never.since])
    ask_order = np.argsort(asked_at, kind="stable")
    end = np.where(c.end == NONE, until, c.end)
    end_order = np.argsort(end, kind="stable")
    memory, vcores = (
        work.request_memory / work.node_memory.sum(),
        work.request_vcores / work.node_vcores.sum(),
    )
    granule = _granules(np.maximum(memory, vcores), of_request, len(names))
    column_means = tuple(np.zeros((count, len(names)), np.float32) for _ in range(3))
    below_ms, active_ms, total_deficit = (
        np.zeros(len(names), np.int64),
        np.zeros(len(names), np.int64),
        np.zeros(len(names)),
    )
    if until > first:
        _sweep(
            snapped(asked_at[ask_order]),
            np.concatenate([request, never.request])[ask_order].astype(np.int32),
            np.concatenate([np.ones(len(request), np.int64), never.count])[ask_order],
            snapped(c.start),
            request,
            snapped(end[end_order]),
            request[end_order],
            edges,
            of_request,
            work.request_memory,
            work.request_vcores,
            np.array([1 / work.node_memory.sum(), 1 / work.node_vcores.sum()]),
            weight,
            granule,
            *column_means,
            below_ms,
            active_ms,
            total_deficit,
        )
    share, fair_share, deficit = (part.T for part in column_means)
    return DominantShares(
        names, weight, edges, share, fair_share, deficit, below_ms, active_ms, total_deficit, of_job, step
    )


def entities(run: Run, by: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """(names, int64[jobs] the entity of each job, float64 weights); jobs in job order, users and queues by
    name.
    """
    work = run.workload
    if by == "job":
        return list(work.job_names), np.arange(len(work.job_names)), work.job_weight.copy()
    if by == "user":
        names = sorted(set(work.job_users))
        index_of = {name: number for number, name in enumerate(names)}
        return names, np.array([index_of[user] for user in work.job_users], np.int64), np.ones(len(names))
    leaves, of_job = np.unique(work.job_queue, return_inverse=True)
    order = np.argsort([work.queues.names[leaf] for leaf in leaves])
    guaranteed = any(queue.capacity_pct is not None for queue in run.scenario.queues)
    weight = (work.queues.capacity if guaranteed else path_weights(work.queues))[leaves[order]]
    return (
        [work.queues.names[leaf] for leaf in leaves[order]],
        np.argsort(order)[of_job.ravel()],
        np.maximum(weight, MIN_WEIGHT),
    )


def path_weights(tree: QueueTree) -> np.ndarray:
    """float64[queues]: the product down each queue's path of its weight over the sum of its and its siblings'
    weights; 0 where all of these are 0.
    """
    siblings = np.bincount(tree.parent[1:], tree.weight[1:], len(tree.names))
    weights = np.ones(len(tree.names))
    for queue in range(1, len(tree.names)):
        parent = tree.parent[queue]
        weights[queue] = weights[parent] * tree.weight[queue] / (siblings[parent] or 1.0)
    return weights


def _time_step(run: Run, entities: int) -> int:
    """1, or the least that keeps instants x entities in the budget. Instants are at most the run's ms, and
    three a container.
    """
    span, max_instants = run.until_ms - run.first_ms, max(BUDGET // max(entities, 1), 1)
    return 1 if min(span, 3 * len(run.containers.job)) <= max_instants else -(-span // max_instants)


def _granules(size: np.ndarray, of_request: np.ndarray, entities: int) -> np.ndarray:
    """float64[entities]: the dominant share of the smallest container that one ever asks for. size: of each
    request, 0 where the job has none of that kind.
    """
    granules = np.full(entities, np.inf)
    requested = np.flatnonzero(size > 0)
    np.minimum.at(granules, of_request[requested], size[requested])
    return granules


def _level(active, count, demand, rate, weight, start):
    """The level at which one resource runs out. demand: d; rate: demand of the resource / d. Newton's method
    from the left, exact on a concave broken line.
    """
    level = start
    for _ in range(MAX_ITERATIONS):
        used = slope = 0.0
        for position in range(count):
            entity = active[position]
            if weight[entity] * level < demand[entity]:
                used += weight[entity] * level * rate[entity]
                slope += weight[entity] * rate[entity]
            else:
                used += demand[entity] * rate[entity]
        if slope == 0.0:
            if level == 0.0 or used <= 1.0:
                break
            level = 0.0  # everyone is satisfied beyond capacity: begin again from the left
            continue
        next_level = level + (1.0 - used) / slope
        if abs(next_level - level) <= 1e-12 * level:
            break
        level = max(next_level, 0.0)
    return level


def _earlier(until, times, index):
    """The time at an index, where there is one and it is earlier."""
    return min(until, times[index]) if index < len(times) else until


def _end_column(sums, width, means, column):
    """The means of a column, of what was summed over it; the sums begin anew."""
    for entity in range(len(sums)):
        means[column, entity] = sums[entity] / width
        sums[entity] = 0.0


@compiled
def _sweep(
    ask_at, ask_request, ask_count, start_at, start_request, end_at, end_request, edges,
    entity, memory, vcores, unit, weight, granule,
    share, fair_share, deficit, below_ms, active_ms, total_deficit,
):  # fmt: skip
    """Asks, starts and ends in the order of time; fills the last six. entity, memory, vcores: of each
    request; unit: 1 / capacity of both resources.
    """
    entities, columns = len(weight), len(edges) - 1
    held_m, held_v = np.zeros(entities, np.int64), np.zeros(entities, np.int64)
    want_m, want_v = np.zeros(entities, np.int64), np.zeros(entities, np.int64)  # held and waited for
    holds, demand = np.zeros(entities), np.zeros(entities)
    rate_m, rate_v = np.zeros(entities), np.zeros(entities)
    active, position, count = np.empty(entities, np.int64), np.full(entities, -1), 0
    sum_share, sum_due, sum_lacking = np.zeros(entities), np.zeros(entities), np.zeros(entities)
    level_m = level_v = 0.0
    level = np.inf
    a = s = e = column = 0
    time = edges[0]
    while time < edges[columns]:
        changed = False
        while a < len(ask_at) and ask_at[a] <= time:
            r = ask_request[a]
            owner = entity[r]
            want_m[owner] += ask_count[a] * memory[r]
            want_v[owner] += ask_count[a] * vcores[r]
            if position[owner] < 0:
                active[count], position[owner] = owner, count
                count += 1
            demand[owner] = -1.0
            a, changed = a + 1, True
        while s < len(start_at) and start_at[s] <= time:
            r = start_request[s]
            owner = entity[r]
            held_m[owner] += memory[r]
            held_v[owner] += vcores[r]
            holds[owner] = max(held_m[owner] * unit[0], held_v[owner] * unit[1])
            s += 1
        while e < len(end_at) and end_at[e] <= time:
            r = end_request[e]
            owner = entity[r]
            held_m[owner] -= memory[r]
            held_v[owner] -= vcores[r]
            want_m[owner] -= memory[r]
            want_v[owner] -= vcores[r]
            holds[owner] = max(held_m[owner] * unit[0], held_v[owner] * unit[1])
            demand[owner] = -1.0
            e, changed = e + 1, True
        if changed:
            all_m = all_v = 0.0
            i = 0
            while i < count:
                owner = active[i]
                if want_m[owner] == 0 and want_v[owner] == 0:
                    count -= 1
                    active[i] = active[count]
                    position[active[i]], position[owner] = i, -1
                    demand[owner] = holds[owner] = 0.0
                    continue
                if demand[owner] < 0.0:
                    demand[owner] = max(want_m[owner] * unit[0], want_v[owner] * unit[1])
                    rate_m[owner], rate_v[owner] = (
                        want_m[owner] * unit[0] / demand[owner],
                        want_v[owner] * unit[1] / demand[owner],
                    )
                all_m += demand[owner] * rate_m[owner]
                all_v += demand[owner] * rate_v[owner]
                i += 1
            level = np.inf
            if all_m > 1.0:
                level_m = _level(active, count, demand, rate_m, weight, level_m)
                level = level_m
            if all_v > 1.0:
                level_v = _level(active, count, demand, rate_v, weight, level_v)
                level = min(level, level_v)
        until = _earlier(edges[column + 1], ask_at, a)
        until = _earlier(until, start_at, s)
        until = _earlier(until, end_at, e)
        duration = until - time
        for i in range(count):
            owner = active[i]
            entity_fair_share = min(demand[owner], weight[owner] * level)
            sum_share[owner] += holds[owner] * duration
            sum_due[owner] += entity_fair_share * duration
            active_ms[owner] += duration
            if entity_fair_share - holds[owner] >= granule[owner] * (1 - 1e-9):
                below_ms[owner] += duration
                total_deficit[owner] += (entity_fair_share - holds[owner]) * duration
                sum_lacking[owner] += (entity_fair_share - holds[owner]) * duration
        time = until
        if time == edges[column + 1]:
            width = edges[column + 1] - edges[column]
            _end_column(sum_share, width, share, column)
            _end_column(sum_due, width, fair_share, column)
            _end_column(sum_lacking, width, deficit, column)
            column += 1
