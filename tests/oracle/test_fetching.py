"""Shuffles worked out by hand in the comments, in the naive simulator and the kernel; times in ms."""

from __future__ import annotations

import pytest

from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.oracle.result import Container
from tests.oracle.simulator import simulate_named
from tests.small import job, node, of, scenario, tasks

SCHEDULER = "fifo+slowstart+admit-all"


def reduces(of_scenario: Scenario) -> list[Container]:
    """Those of both simulators, which are the same."""
    expected, found = simulate_named(of_scenario, SCHEDULER), result_of(simulate(of_scenario, SCHEDULER, plain=True))
    unseen = lambda result: [container._replace(seen=None) for container in result.containers]
    assert unseen(found) == unseen(expected)
    return of(expected, "reduce")


def shuffles(of_scenario: Scenario) -> list[tuple]:
    return [(container.shuffle_end, container.end) for container in reduces(of_scenario)]


# A map a node, ending at 1000, 2000 and 4000; two reduces beside each other: at 100 MB/s each fetches s / 2 a map, in c = 5 s ms.
CLUSTER = [node(1, count=3), node(4)]


def early(slowstart: float = 0.0, mb: float = 10.0, **more) -> dict:
    return job("a", tasks(3, [1.0, 2.0, 4.0]), tasks(2, memory=2), shuffle_mb_per_map=mb, slowstart=slowstart, **more)


@pytest.mark.parametrize(
    ("slowstart", "contention", "ends"),
    [
        (0.0, 0.0, (4060, 5060)),  # c = 50: 4000 + 50, 10 of latency
        (1.0, 0.0, (4160, 5160)),  # launched at 4000: 3 x 50, 10 of latency
        (1.0, 1.0, (4160, 6160)),  # both compute from 4160 on, half as fast
    ],
)
def test_latency_comes_once_after_all_is_fetched(slowstart, contention, ends):
    assert shuffles(scenario(CLUSTER, [early(slowstart)], shuffle_latency_s=0.01, contention=contention)) == [ends] * 2
