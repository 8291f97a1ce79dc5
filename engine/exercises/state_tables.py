"""The state at a decision as tables: what nodes have, what waits, what jobs and queues hold. The numbers that
the order makes of it are left to the student; shown are those that none of the tables leads to.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine import quantities
from engine.codes import BY_CAPACITY, BY_WEIGHT, INFINITE, KINDS, NONE
from engine.exercises.decision import Decision, Node, Seen
from engine.exercises.question import Table
from engine.exercises.worked_terms import HIDDEN, facts_of, temperature_of
from engine.explanation.observed_run import unit
from engine.messages import msg
from engine.schedulers.policy import JOB, REQUEST
from engine.simulation.policy_binding import reads
from engine.simulation.waiting.rule import amount

PARAMETERS = ("k1", "w_memory", "w_vcores")  # that a term is multiplied by


class _Column(NamedTuple):
    """title; cells, one a row; plain: a cell that says nothing: a column of such cells alone is left out."""

    title: str
    cells: list[str]
    plain: str | None = None


def share_tables(seen: Seen) -> tuple[Table, ...]:
    """The cluster, and what its jobs and queues hold of it."""
    return (cluster_table(seen), *_job_tables(seen), *_queue_tables(seen))


def decision_tables(found: Decision, nodes: list[int]) -> tuple[Table, ...]:
    """These nodes, what waits, jobs and queues, and what the order knew."""
    seen = found.seen
    tables = (_node_table(seen, nodes), _request_table(found), *_job_tables(seen), *_queue_tables(seen))
    return (*tables, *_fact_tables(found))


def cluster_table(seen: Seen) -> Table:
    """What the nodes that are up have together."""
    memory, vcores = seen.cluster
    columns = [
        _Column(
            msg("exercises.state_tables.nodes_up"), [f"{sum(one.next_ms != NONE for one in seen.nodes):,}"]
        ),
        *_amounts(
            seen,
            (msg("exercises.state_tables.memory"), msg("exercises.state_tables.vcores")),
            [amount(memory, "MB")],
            [f"{vcores:,}"],
        ),
    ]
    return _table(msg("exercises.state_tables.cluster"), columns)


def _node_table(seen: Seen, nodes: list[int]) -> Table:
    """What these nodes have free, and when they send their heartbeats."""
    listed = [seen.nodes[node] for node in nodes]
    columns = [
        _Column(msg("exercises.state_tables.node"), [node.name for node in listed]),
        *_amounts(
            seen,
            (msg("exercises.state_tables.free_memory"), msg("exercises.state_tables.free_vcores")),
            [_of(amount(node.free_memory, "MB"), amount(node.memory, "MB")) for node in listed],
            [_of(f"{node.free_vcores:,}", f"{node.vcores:,}") for node in listed],
        ),
    ]
    if len(listed) > 1:
        has_heartbeats = seen.run.scenario.cluster.heartbeat_ms > 0
        title = (
            msg("exercises.state_tables.next_heartbeat")
            if has_heartbeats
            else msg("exercises.state_tables.visited")
        )
        columns.append(_Column(title, [when(node, has_heartbeats) for node in listed]))
    return _table(msg("exercises.state_tables.nodes"), columns)


def when(node: Node, has_heartbeats: bool) -> str:
    """Its next heartbeat as a clock, or its place among the next visits from 1."""
    if node.next_ms == NONE:
        return quantities.NO_VALUE
    return quantities.moment(node.next_ms) if has_heartbeats else f"{node.next_ms + 1:,}"


def _request_table(found: Decision) -> Table:
    """What waits, of which size."""
    work, listed = found.seen.run.workload, found.requests.values()
    rows = {(row["job"], row["kind"], row.get("stage", 0)): row["terms"] for row in found.told["candidates"]}
    policy = found.seen.scheduler.order.policy
    inputs = [
        term
        for term in policy.terms
        if term.per in (JOB, REQUEST) and not term.direction and term.name not in HIDDEN
    ]
    columns = [
        _Column(msg("exercises.predict.job"), [work.job_names[one.job] for one in listed]),
        _Column(msg("exercises.state_tables.kind"), [one.kind_name for one in listed]),
        _Column(msg("exercises.state_tables.waiting"), [f"{one.count:,}" for one in listed]),
        *_amounts(
            found.seen,
            (msg("exercises.state_tables.memory_each"), msg("exercises.state_tables.vcores_each")),
            [amount(one.memory, "MB") for one in listed],
            [f"{one.vcores:,}" for one in listed],
        ),
    ]
    for term in inputs:
        values = [
            rows.get((work.job_names[one.job], KINDS[one.kind], one.stage), {}).get(term.name)
            for one in listed
        ]
        cells = [quantities.quantity(value, unit(term)) for value in values]
        columns.append(_Column(term.title, cells, quantities.NO_VALUE))
    return _table(msg("exercises.state_tables.requests"), columns)


def _job_tables(seen: Seen) -> tuple[Table, ...]:
    """What jobs hold, and how far they are where the order asks for that."""
    work, listed = seen.run.workload, seen.jobs
    columns = [
        _Column(msg("exercises.predict.job"), [work.job_names[job] for job in listed]),
        *_amounts(
            seen,
            (msg("exercises.state_tables.holds_memory"), msg("exercises.state_tables.holds_vcores")),
            [amount(one.memory, "MB") for one in listed.values()],
            [f"{one.vcores:,}" for one in listed.values()],
        ),
    ]
    if _has_queues(seen):
        names = [work.queues.names[work.job_queue[job]] for job in listed]
        columns.append(_Column(msg("exercises.state_tables.queue"), names))
    columns += [
        _Column(
            msg("exercises.state_tables.weight"),
            [quantities.number(work.job_weight[job]) for job in listed],
            "1",
        ),
        _Column(
            msg("exercises.state_tables.priority"),
            [quantities.number(work.job_priority[job]) for job in listed],
            "0",
        ),
        _Column(
            msg("exercises.state_tables.min_share"),
            [_limit(*work.job_min_resource[:, job]) for job in listed],
            _limit(0, 0),
        ),
        _Column(
            msg("exercises.state_tables.submitted"),
            [quantities.moment(work.job_arrival[job]) for job in listed],
        ),
    ]
    jobs = _table(msg("exercises.state_tables.jobs"), columns)
    return (jobs, _progress_table(seen)) if reads(seen.scheduler.order.policy, "job_placed_maps") else (jobs,)


def _progress_table(seen: Seen) -> Table:
    work, listed = seen.run.workload, seen.jobs
    columns = [
        _Column(msg("exercises.predict.job"), [work.job_names[job] for job in listed]),
        _Column(
            msg("exercises.state_tables.placed_maps"),
            [f"{one.placed_maps:,} / {work.job_maps[job]:,}" for job, one in listed.items()],
        ),
        _Column(
            msg("exercises.state_tables.running_maps"), [f"{one.running_maps:,}" for one in listed.values()]
        ),
        _Column(
            msg("exercises.state_tables.placed_reduces"),
            [f"{one.placed_reduces:,} / {work.job_reduces[job]:,}" for job, one in listed.items()],
            "0 / 0",
        ),
        _Column(
            msg("exercises.state_tables.running_reduces"),
            [f"{one.running_reduces:,}" for one in listed.values()],
            "0",
        ),
    ]
    return _table(msg("exercises.state_tables.progress"), columns)


def _queue_tables(seen: Seen) -> tuple[Table, ...]:
    """What queues hold and are entitled to; none where there is one leaf, or the order knows no queues."""
    if not _has_queues(seen):
        return ()
    tree = seen.run.workload.queues
    listed = range(1, len(tree.names))
    columns = [
        _Column(msg("exercises.state_tables.queue"), [tree.names[queue] for queue in listed]),
        *_amounts(
            seen,
            (msg("exercises.state_tables.holds_memory"), msg("exercises.state_tables.holds_vcores")),
            [amount(seen.queues[queue].memory, "MB") for queue in listed],
            [f"{seen.queues[queue].vcores:,}" for queue in listed],
        ),
    ]
    if _scheme(seen) == BY_CAPACITY:
        capacities = [quantities.percent(float(tree.capacity[queue])) for queue in listed]
        most = [quantities.percent(float(tree.max_capacity[queue])) for queue in listed]
        columns.append(_Column(msg("exercises.state_tables.capacity"), capacities))
        columns.append(_Column(msg("exercises.state_tables.max_capacity"), most, "100 %"))
    else:
        weights = [quantities.number(float(tree.weight[queue])) for queue in listed]
        columns += [
            _Column(msg("exercises.state_tables.weight"), weights, "1"),
            _Column(
                msg("exercises.state_tables.min_share"),
                [_limit(*tree.min_resource[:, queue]) for queue in listed],
                _limit(0, 0),
            ),
            _Column(
                msg("exercises.state_tables.max_share"),
                [_limit(*tree.max_resource[:, queue]) for queue in listed],
                _limit(INFINITE, INFINITE),
            ),
        ]
    return (_table(msg("exercises.state_tables.queues"), columns),)


def _fact_tables(found: Decision) -> tuple[Table, ...]:
    """The order's parameters, and what it knew of the whole decision and no other table leads to."""
    order, facts = found.seen.scheduler.order, found.told["facts"]
    rows = [
        (name, quantities.number(order.number(name))) for name in PARAMETERS if order.given.get(name, 1) != 1
    ]
    temperature = temperature_of(facts_of(found))
    if not math.isnan(temperature):
        rows.append((msg("exercises.state_tables.temperature"), quantities.number(temperature)))
    rows += [
        (fact["title"], quantities.quantity(fact["value"], fact["unit"]))
        for fact in facts
        if fact["value"] is not None and fact["name"] not in HIDDEN
    ]
    if not rows:
        return ()
    columns = (msg("exercises.state_tables.what"), msg("exercises.state_tables.value"))
    return (Table(msg("exercises.state_tables.of_the_order", order=order.policy.name), columns, tuple(rows)),)


def _has_queues(seen: Seen) -> bool:
    return _scheme(seen) in (BY_WEIGHT, BY_CAPACITY) and len(seen.run.workload.queues.names) > 2


def _scheme(seen: Seen) -> int:
    return seen.scheduler.order.policy.queues.scheme


def _amounts(seen: Seen, titles: tuple[str, str], memory: list[str], vcores: list[str]) -> list[_Column]:
    """Memory, and vcores where they count."""
    columns = [_Column(titles[0], memory), _Column(titles[1], vcores)]
    return columns[: 1 if seen.run.memory_only else 2]


def _of(free: str, whole: str) -> str:
    return msg("exercises.state_tables.of", free=free, whole=whole)


def _limit(memory: int, vcores: int) -> str:
    if memory >= INFINITE and vcores >= INFINITE:
        return quantities.NO_VALUE
    parts = [(memory, "MB"), (vcores, "vcores")]
    return ", ".join(amount(number, name) for number, name in parts if number < INFINITE)


def _table(title: str, columns: list[_Column]) -> Table:
    kept = [one for one in columns if one.plain is None or any(cell != one.plain for cell in one.cells)]
    return Table(title, tuple(one.title for one in kept), tuple(zip(*(one.cells for one in kept))))
