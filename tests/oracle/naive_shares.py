"""The slow, obvious twins of engine.analysis.fair_shares, fragmentation and node_utilization: every
millisecond is looked at afresh, in fractions.
"""

from __future__ import annotations

from fractions import Fraction

from engine.analysis.fair_shares import entities
from engine.schedulers.view import KINDS
from engine.simulation.run import Run
from tests.oracle.naive_capacity import Twin


def filled(demands: list[tuple[Fraction, Fraction]], weights: list[Fraction]) -> list[Fraction]:
    """What progressive filling gives to each: the share of all grows, one step to the next moment at which
    someone has enough or a resource runs out.
    """
    dominant = [max(pair) for pair in demands]
    given = [Fraction(0) for _ in demands]
    growing = {one for one, most in enumerate(dominant) if most}
    while growing:
        left = [
            1
            - sum(
                given[one] * demands[one][k] / dominant[one] for one in range(len(demands)) if dominant[one]
            )
            for k in (0, 1)
        ]
        speed = [sum(weights[one] * demands[one][k] / dominant[one] for one in growing) for k in (0, 1)]
        time = min(
            [(dominant[one] - given[one]) / weights[one] for one in growing]
            + [left[k] / speed[k] for k in (0, 1) if speed[k]]
        )
        for one in growing:
            given[one] += weights[one] * time
        if any(speed[k] and left[k] == speed[k] * time for k in (0, 1)):
            break
        growing -= {one for one in growing if given[one] >= dominant[one]}
    return given


def moment(run: Run, by: str, t: int) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """(share, due, demand) of each entity from t to the next millisecond."""
    names, of_job, weight = entities(run, by)
    twin, work = Twin(run), run.workload
    capacity = int(work.node_memory.sum()), int(work.node_vcores.sum())
    held, wanted = ([[0, 0] for _ in names] for _ in range(2))
    never = [(job, KINDS.index(kind), count, since) for job, kind, count, since in twin.never]
    waiting = [(c.job, c.size, 1) for c in twin.containers if c.asked <= t < c.start]
    waiting += [
        (job, (int(work.request_memory[3 * job + kind]), int(work.request_vcores[3 * job + kind])), n)
        for job, kind, n, since in never
        if since <= t
    ]
    running = [(c.job, c.size, 1) for c in twin.containers if c.start <= t < c.end]
    for what, rows in ((wanted, waiting), (wanted, running), (held, running)):
        for job, size, count in rows:
            for k in (0, 1):
                what[of_job[job]][k] += count * size[k]
    shares, demands = (
        [tuple(Fraction(row[k], capacity[k]) for k in (0, 1)) for row in what] for what in (held, wanted)
    )
    return (
        [max(pair) for pair in shares],
        filled(demands, [Fraction(float(one)) for one in weight]),
        [max(pair) for pair in demands],
    )


def granule(run: Run, by: str) -> list[Fraction]:
    """The dominant share of the smallest container each entity ever asks for."""
    names, of_job, _ = entities(run, by)
    work = run.workload
    granules = [Fraction(10**9) for _ in names]
    for request, (memory, vcores) in enumerate(
        zip(work.request_memory.tolist(), work.request_vcores.tolist())
    ):
        if memory or vcores:
            size = max(
                Fraction(memory, int(work.node_memory.sum())), Fraction(vcores, int(work.node_vcores.sum()))
            )
            granules[of_job[request // 3]] = min(granules[of_job[request // 3]], size)
    return granules


def utilization(run: Run, resource: str, node: int, begin: int, end: int) -> Fraction:
    """Mean share of a node's memory or vcores that containers hold from `begin` to `end`."""
    k = ("memory", "vcores").index(resource)
    capacity = int((run.workload.node_memory, run.workload.node_vcores)[k][node])
    held = sum(
        c.size[k]
        for t in range(begin, end)
        for c in Twin(run).containers
        if c.node == node and c.start <= t < c.end
    )
    return Fraction(held, capacity * (end - begin))
