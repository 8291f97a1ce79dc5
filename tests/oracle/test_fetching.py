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


@pytest.mark.parametrize(
    ("mb", "slowstart", "ends"),
    [
        # parts of 3/4 and 1/4: 1.5 and 0.5 even ones; with an even c of 50 they fetch in 75 and 25 ms a map
        (10.0, 0.0, [(4075, 5575), (4025, 4525)]),
        # 1500: 2250 and 750: max(3 x 2250, 1000 + 6750, 2000 + 4500, 4000 + 2250) = 7750; max(1000 + 2250, 2000 + 1500, 4000 + 750) = 4750
        (300.0, 0.0, [(7750, 9250), (4750, 5250)]),
        (300.0, 1.0, [(10750, 12250), (6250, 6750)]),  # 4000 + 3 x 2250, 4000 + 3 x 750
    ],
)
def test_a_reduce_fetches_and_computes_for_as_long_as_its_part_is_large(mb, slowstart, ends):
    assert shuffles(scenario(CLUSTER, [early(slowstart, mb, partitions={"sizes": [3.0, 1.0]})])) == ends


def test_a_reduce_without_a_part_waits_for_the_maps_all_the_same():
    assert shuffles(scenario(CLUSTER, [early(0.0, 300.0, partitions={"sizes": [0.0, 5.0]})])) == [(4000, 4001), (10000, 12000)]  # 1000 + 3 x 3000


def test_ranks_are_drawn_once_a_job():
    # parts 1, 1/2, 1/3 of 11/6: 18/11, 9/11, 6/11 of an even one, in one order for both iterations of a job and in others for its copies
    jobs = [job("a", tasks(1), tasks(3), partitions={"zipf": 1.0}, iterations=2, count=20)]
    found = reduces(scenario([node(99)], jobs))
    lengths = {}
    for one in found:
        lengths.setdefault((one.job, one.stage), []).append(one.end - one.shuffle_end)
    of_ranks = [round(1000 * 3 / rank / (1 + 1 / 2 + 1 / 3)) for rank in (1, 2, 3)]
    assert all(sorted(times, reverse=True) == of_ranks for times in lengths.values())
    assert all(lengths[name, 2] == times for (name, _), times in lengths.items())
    assert len({tuple(times) for times in lengths.values()}) > 3
