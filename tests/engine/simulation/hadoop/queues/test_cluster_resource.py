"""A cluster that is empty at first, or grows: worked out by hand; times in ms. The naive simulator must say
the same.
"""

from __future__ import annotations

import pytest

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.oracle import simulator
from tests.small_scenarios import job, master, node, of, scenario, tasks

ORDERS = ["fifo", "fair", "drf", "capacity", "haste", "saf", "weighted", "omo"]


def both(made, scheduler: str):
    """The engine's result, which the naive simulator shares."""
    result = result_of(simulate(made, scheduler, plain=True))
    expected = simulator.simulate_named(made, scheduler)
    assert [c._replace(seen=None) for c in result.containers] == [
        c._replace(seen=None) for c in expected.containers
    ]
    return result


def starts(result, kind: str) -> list[tuple[int, str]]:
    return [(c.start, c.node) for c in of(result, kind)]


@pytest.mark.parametrize("order", ORDERS)
def test_all_wait_while_no_node_is_up(order: str) -> None:
    jobs = [job("a", tasks(2), am=master())]
    joins = both(scenario([node(3) | {"joins_s": 60.0}], jobs), order)
    back = both(scenario([node(3)], jobs, outages=[{"node": "node1", "lost_s": 0, "back_s": 60}]), order)
    assert joins.containers == back.containers and joins.status == "finished"
    assert starts(joins, "am") == [(60_000, "node1")]


@pytest.mark.parametrize("order", ORDERS)
def test_a_cluster_may_become_empty_while_jobs_run(order: str) -> None:
    made = scenario(
        [node(1)], [job("a", tasks(2, 1.0))], outages=[{"node": "node1", "lost_s": 1.5, "back_s": 7}]
    )
    result = both(made, order)
    assert [(c.start, c.end, c.outcome) for c in of(result, "map")] == [
        (0, 1000, "finished"),
        (1000, 1500, "lost"),
        (7000, 8000, "finished"),
    ]


def test_a_node_that_joins_is_given_what_waits() -> None:
    made = scenario([node(1), node(1) | {"joins_s": 0.5}], [job("a", tasks(3, 1.0))])
    assert starts(both(made, "fifo"), "map") == [(0, "node1"), (500, "node2"), (1000, "node1")]


def test_masters_are_looked_at_again_when_the_cluster_grows() -> None:
    # a tenth of 10 vcores and of 10 MB is one master; of 20 it is two
    jobs = [job(name, tasks(1, 30.0), am=master()) for name in "ab"]
    alone = both(scenario([node(10)], jobs), "capacity+slowstart+am-limit(limit=0.1)")
    assert starts(alone, "am") == [(0, "node1"), (30_000, "node1")]
    grown = scenario([node(10), node(10) | {"joins_s": 4.0}], jobs)
    assert starts(both(grown, "capacity+slowstart+am-limit(limit=0.1)"), "am") == [
        (0, "node1"),
        (4000, "node1"),
    ]


def test_fair_scheduler_updates_when_a_node_joins() -> None:
    # a job that came after the last update is known at once, not at 2000
    made = scenario([node(4), node(4) | {"joins_s": 1.2}], [job("a", tasks(1), arrival_s=1.1)])
    assert starts(both(made, "fair(update_ms=2000)"), "map") == [(1200, "node1")]


def test_who_waits_for_a_node_that_comes_is_in_no_deadlock() -> None:
    jobs = [job("a", tasks(1, memory=4))]
    assert both(scenario([node(2)] + [node(4) | {"joins_s": 100.0}], jobs), "fifo").status == "finished"
