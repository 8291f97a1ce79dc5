"""Shuffles worked out by hand in the comments, in the naive simulator and the kernel; times in ms."""

from __future__ import annotations

import pytest

from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.oracle.result import Container
from tests.oracle.simulator import simulate_named
from tests.small_scenarios import job, node, of, scenario, tasks

SCHEDULER = "fifo+slowstart+admit-all"


def reduces(of_scenario: Scenario) -> list[Container]:
    """Those of both simulators, which are the same."""
    expected, outcome = (
        simulate_named(of_scenario, SCHEDULER),
        result_of(simulate(of_scenario, SCHEDULER, plain=True)),
    )
    unseen = lambda result: [container._replace(seen=None) for container in result.containers]
    assert unseen(outcome) == unseen(expected)
    return of(expected, "reduce")


def shuffles(of_scenario: Scenario) -> list[tuple]:
    return [(container.shuffle_end, container.end) for container in reduces(of_scenario)]


# A map a node, ending at 1000, 2000 and 4000; two reduces beside each other: at 100 MB/s each fetches s / 2 a
# map, in c = 5 s ms.
CLUSTER = [node(1, count=3), node(4)]


def early(slowstart: float = 0.0, mb: float = 10.0, **more) -> dict:
    return job(
        "a", tasks(3, [1.0, 2.0, 4.0]), tasks(2, memory=2), shuffle_mb_per_map=mb, slowstart=slowstart, **more
    )


@pytest.mark.parametrize(
    ("slowstart", "contention", "ends"),
    [
        (0.0, 0.0, (4060, 5060)),  # c = 50: 4000 + 50, 10 of latency
        (1.0, 0.0, (4160, 5160)),  # launched at 4000: 3 x 50, 10 of latency
        (1.0, 1.0, (4160, 6160)),  # both compute from 4160 on, half as fast
    ],
)
def test_latency_comes_once_after_all_is_fetched(slowstart, contention, ends):
    assert (
        shuffles(scenario(CLUSTER, [early(slowstart)], shuffle_latency_s=0.01, contention=contention))
        == [ends] * 2
    )


@pytest.mark.parametrize(
    ("mb", "slowstart", "ends"),
    [
        # parts of 3/4 and 1/4: 1.5 and 0.5 even ones; with an even c of 50 they fetch in 75 and 25 ms a map
        (10.0, 0.0, [(4075, 5575), (4025, 4525)]),
        # 1500: 2250 and 750: max(3 x 2250, 1000 + 6750, 2000 + 4500, 4000 + 2250) = 7750; max(1000 + 2250,
        # 2000 + 1500, 4000 + 750) = 4750
        (300.0, 0.0, [(7750, 9250), (4750, 5250)]),
        (300.0, 1.0, [(10750, 12250), (6250, 6750)]),  # 4000 + 3 x 2250, 4000 + 3 x 750
    ],
)
def test_a_reduce_fetches_and_computes_for_as_long_as_its_part_is_large(mb, slowstart, ends):
    assert shuffles(scenario(CLUSTER, [early(slowstart, mb, partitions={"sizes": [3.0, 1.0]})])) == ends


def test_a_reduce_without_a_part_waits_for_the_maps_all_the_same():
    # 1000 + 3 x 3000
    assert shuffles(scenario(CLUSTER, [early(0.0, 300.0, partitions={"sizes": [0.0, 5.0]})])) == [
        (4000, 4001),
        (10000, 12000),
    ]


def test_ranks_are_drawn_once_a_job():
    # parts 1, 1/2, 1/3 of 11/6: 18/11, 9/11, 6/11 of an even one, in one order for both iterations of a job
    # and in others for its copies
    jobs = [job("a", tasks(1), tasks(3), partitions={"zipf": 1.0}, iterations=2, count=20)]
    result = reduces(scenario([node(99)], jobs))
    lengths = {}
    for one in result:
        lengths.setdefault((one.job, one.stage), []).append(one.end - one.shuffle_end)
    of_ranks = [round(1000 * 3 / rank / (1 + 1 / 2 + 1 / 3)) for rank in (1, 2, 3)]
    assert all(sorted(times, reverse=True) == of_ranks for times in lengths.values())
    assert all(lengths[name, 2] == times for (name, _), times in lengths.items())
    assert len({tuple(times) for times in lengths.values()}) > 3


# A fetch weight h of 0.5 under contention g = 1. Two maps a node of their own, ending at 1000 and 3000, and
# the reduces on one node; c of a lone reduce is 10 ms a MB.
BESIDE = [node(1, count=2, reduce_slots=0), node(8)]


def fetching(count: int = 1, **more) -> dict:
    given = {"slowstart": 0.0, "shuffle_mb_per_map": 30.0 * count, **more}
    return job("a", tasks(2, [1.0, 3.0]), tasks(count), **given)


def weighed(*jobs: dict, h: float = 0.5, **cluster) -> Scenario:
    return scenario(BESIDE, [*jobs], fetch_weight=h, contention=1.0, **cluster)


def test_a_reduce_that_fetches_alone_is_not_slowed():
    # k = 0.5: at full rate; c = 300: 1000 to 1300, 3000 to 3300, then it computes alone
    assert shuffles(weighed(fetching())) == [(3300, 4300)]


def test_reduces_that_fetch_slow_each_other():
    # four: k = 2, half as fast; c = 300: 1000 to 1600, 3000 to 3600; then four compute, each 4 x 1000
    assert shuffles(weighed(fetching(4))) == [(3600, 7600)] * 4


def test_a_map_slows_the_fetching_beside_it_and_is_slowed():
    # b's map of 1000 starts on the third node at 900. 900 to 1000 alone: left 900. From 1000 k = 1.5: the
    # fetching of 300 lasts 450, to 1450, the map has 900 - 450 / 1.5 = 600 left then and ends at 2050; the
    # second map's output from 3000 to 3300
    beside = job("b", tasks(1, memory=2), arrival_s=0.9)
    result = weighed(fetching(), beside)
    assert shuffles(result) == [(3300, 4300)]
    assert [container.end for container in of(simulate_named(result, SCHEDULER), "map", "b")] == [2050]


def test_output_that_comes_while_it_fetches_is_added():
    # c = 3000: 1000 to 7000 without a pause. At 3000 1000 of the first 3000 are left, and 3000 more b's map
    # of 1000 starts at 2000: k = 1.5. left 2000 at 2000; until 3000 it fetches 666.7: left 1333.3 + 3000 =
    # 4333.3. The map ends at 2000 + 1500 = 3500: fetched 333.3, left 4000 at 3500: 7500
    result = weighed(fetching(shuffle_mb_per_map=300.0), job("b", tasks(1, memory=2), arrival_s=2.0))
    assert shuffles(result) == [(7500, 8500)]
    assert [container.end for container in of(simulate_named(result, SCHEDULER), "map", "b")] == [3500]


def test_a_reduce_that_waits_or_is_late_only_by_latency_slows_nobody():
    # c = 300 as above. b's map of 1000 from 1300 to 2300, while a's reduce waits; c's from 3300 to 4300,
    # while it waits for the latency of 1000
    result = weighed(
        fetching(),
        *(job(name, tasks(1, memory=2), arrival_s=at) for name, at in (("b", 1.3), ("c", 3.3))),
        shuffle_latency_s=1.0,
    )
    assert shuffles(result) == [(4300, 5300)]
    assert [container.end for container in of(simulate_named(result, SCHEDULER), "map")][2:] == [2300, 4300]


def test_a_launched_reduce_fetches_all_that_there_is():
    # launched from 0 to 1500: 1500 to 1800, 3000 to 3300; maps are launched as long: a's end at 2500 and
    # 4500. So 2500 to 2800, 4500 to 4800
    assert shuffles(weighed(fetching(), launch_s=1.5)) == [(4800, 5800)]


def test_reduces_of_unequal_parts_under_a_fetch_weight():
    # parts of 2 x 3/4 and 2 x 1/4: c = 450 and 150; k = 1: 1000 to 1450 and to 1150, 3000 to 3450 and to
    # 3150. From 3150 on the small one computes 500, k = 1.5: the large one, 300 left, has all at 3600. k = 2
    # from 3600 on: 200 left of the small one, so 4000; the large one then has 1500 - 200 left: 5300
    assert shuffles(weighed(fetching(2, partitions={"sizes": [3.0, 1.0]}))) == [(3600, 5300), (3150, 4000)]


def test_a_fetch_weight_does_nothing_without_contention():
    assert shuffles(scenario(BESIDE, [fetching(4)], fetch_weight=0.5)) == [(3300, 4300)] * 4
