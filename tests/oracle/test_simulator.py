"""The oracle against the model's items, each worked out by hand in the comments; times in ms."""

from __future__ import annotations

import pytest

from tests.oracle.simulator import simulate
from tests.oracle.workload import splitmix64
from tests.small_scenarios import job, master, node, of, scenario, tasks


def starts(result, kind="map", name=None):
    return [container.start for container in of(result, kind, name)]


# Time and order (1 to 6)


def test_a_task_lasts_at_least_a_millisecond_and_times_round_half_up():
    # 0 -> 1; 0.0014 s = 1.4 -> 1; 0.0015 s = 1.5 -> 2; all start at 0
    result = simulate(scenario([node(9)], [job("a", tasks(3, [0.0, 0.0014, 0.0015]))]))
    assert [c.end for c in of(result, "map")] == [1, 1, 2]


def test_nodes_beat_at_their_offsets():
    # 3 nodes, 1000 ms: offsets 0, 1000 // 3 = 333, 2000 // 3 = 666
    result = simulate(scenario([node(count=3)], [job("a", tasks(3))], heartbeat_ms=1000, each=1))
    assert [(c.node, c.start) for c in of(result, "map")] == [
        ("node1-1", 0),
        ("node1-2", 333),
        ("node1-3", 666),
    ]
    # arriving at 334, node 2 has just beaten: 666, 1000, 1333
    result = simulate(
        scenario([node(count=3)], [job("a", tasks(3), arrival_s=0.334)], heartbeat_ms=1000, each=1)
    )
    assert [(c.node, c.start) for c in of(result, "map")] == [
        ("node1-3", 666),
        ("node1-1", 1000),
        ("node1-2", 1333),
    ]


def test_more_nodes_than_milliseconds_beat_together_by_index():
    # 3 nodes, 2 ms: offsets 0, 2 // 3 = 0, 4 // 3 = 1; two containers a node, one a heartbeat: 0 0 1, then 2
    # 2 3
    result = simulate(scenario([node(2, count=3)], [job("a", tasks(6))], heartbeat_ms=2, each=1))
    assert [(c.node[-1], c.start) for c in of(result, "map")] == [
        ("1", 0),
        ("2", 0),
        ("3", 1),
        ("1", 2),
        ("2", 2),
        ("3", 3),
    ]


def test_the_scheduler_sees_an_end_at_the_nodes_next_beat_and_the_job_at_once():
    # map 0: 0 to 1500, seen at 2000; map 1: 2000 to 3500, when the job ends, seen by nobody
    result = simulate(scenario([node()], [job("a", tasks(2, 1.5))], heartbeat_ms=1000))
    assert [(c.start, c.end, c.seen) for c in of(result, "map")] == [(0, 1500, 2000), (2000, 3500, None)]
    assert result.jobs[0].finish == 3500
    # slow start counts the map at 1500, not at 2000
    result = simulate(
        scenario([node(9)], [job("a", tasks(2, [1.5, 3.0]), tasks(1), slowstart=0.5)], heartbeat_ms=1000)
    )
    assert [(c.requested, c.start) for c in of(result, "reduce")] == [(1500, 2000)]


def test_a_beat_sees_what_ended_at_its_own_instant():
    # end at 1000, heartbeat at 1000: ends go before heartbeats
    result = simulate(scenario([node()], [job("a", tasks(2, 1.0))], heartbeat_ms=1000))
    assert starts(result) == [0, 1000] and result.jobs[0].finish == 2000


def test_what_a_beat_causes_is_placed_on_the_next_beat():
    # the master starts at 0 and asks at 0, but the heartbeat at 0 is over; 2 nodes: the other beats at 500
    result = simulate(scenario([node(9)], [job("a", tasks(1), am=master())], heartbeat_ms=1000))
    assert [(c.requested, c.start) for c in of(result, "map")] == [(0, 1000)]
    result = simulate(scenario([node(9, count=2)], [job("a", tasks(1), am=master())], heartbeat_ms=1000))
    assert starts(result) == [500]
    # two nodes that heartbeat at the same instant (1 ms: offsets 0 and 0): the second is the next heartbeat
    result = simulate(scenario([node(9, count=2)], [job("a", tasks(1), am=master())], heartbeat_ms=1))
    assert [(c.node[-1], c.start) for c in result.containers] == [("1", 0), ("2", 0)]


@pytest.mark.parametrize(("each", "nodes"), [(1, "1212"), (2, "1122"), (3, "1112"), (None, "1112")])
def test_without_heartbeat_nodes_are_visited_in_rounds(each, nodes):
    # each node holds 3; four maps
    result = simulate(scenario([node(3, count=2)], [job("a", tasks(4))], each=each))
    assert "".join(c.node[-1] for c in of(result, "map")) == nodes
    assert starts(result) == [0] * 4


def test_containers_per_heartbeat_limits_a_beat():
    result = simulate(scenario([node(9)], [job("a", tasks(5, 9.0))], heartbeat_ms=1000, each=2))
    assert starts(result) == [0, 0, 1000, 1000, 2000]


def test_a_beat_that_places_nothing_does_not_stop_the_others():
    # the map (2) fits the third node only, which beats at 666
    result = simulate(
        scenario([node(1, count=2), node(2)], [job("a", tasks(1, memory=2))], heartbeat_ms=1000)
    )
    assert starts(result) == [666]


def test_idle_beats_keep_their_times():
    # 2 nodes, 7 ms: the second beats at 3 + 7k; after a long pause, at 100_000: 7 * 14286 = 100_002 and
    # 100_005
    jobs = [job("a", tasks(1, 0.001)), job("b", tasks(2), arrival_s=100.0)]
    result = simulate(scenario([node(count=2)], jobs, heartbeat_ms=7))
    assert starts(result, name="b") == [100_002, 100_005]


# Draws (7, 8)


def test_the_hash_is_splitmix64():
    # the generator's published outputs for the seed 1234567
    assert [splitmix64(1234567, n) for n in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_draws_belong_to_names_not_to_the_schedule():
    drawn = tasks(3, {"dist": "lognormal", "mean": 20.0, "sd": 5.0})
    lengths = lambda result: [c.end - c.start for c in of(result, "map", "a")]
    alone = simulate(scenario([node(9)], [job("a", drawn)]))
    beside = simulate(scenario([node()], [job("b", drawn), job("a", drawn)]), "drf")
    assert lengths(alone) == lengths(beside)
    assert len(set(lengths(alone))) == 3


def test_distributions_have_their_means_and_iterations_differ():
    many = 400
    for spread, mean in [
        ({"dist": "normal", "mean": 20.0, "sd": 5.0}, 20_000),
        ({"dist": "lognormal", "mean": 20.0, "sd": 5.0}, 20_000),
        ({"dist": "uniform", "low": 10.0, "high": 30.0}, 20_000),
        ({"dist": "exponential", "mean": 20.0}, 20_000),
    ]:
        result = simulate(scenario([node(many)], [job("a", tasks(many, spread))]))
        lengths = [c.end - c.start for c in of(result, "map")]
        assert sum(lengths) / many == pytest.approx(mean, rel=0.15)
    result = simulate(scenario([node()], [job("a", tasks(1, spread), iterations=2)]))
    one, two = of(result, "map")
    assert one.end - one.start != two.end - two.start


def test_listed_values_are_reused_in_each_iteration_and_copy():
    result = simulate(scenario([node(9)], [job("a", tasks(2, [1.0, 2.0]), count=2, iterations=2)]))
    assert [(c.job, c.stage, c.index, c.end - c.start) for c in of(result, "map", "a-2")] == [
        ("a-2", 1, 0, 1000), ("a-2", 1, 1, 2000), ("a-2", 2, 0, 1000), ("a-2", 2, 1, 2000),
    ]  # fmt: skip


def test_speed_divides_durations_but_not_startup_and_shuffle():
    # speed 2: map 3 ms -> 1.5 -> 2; startup 10; shuffle of 1 MB at 100 MB/s: 10; reduce 5 -> 2.5 -> 3
    # master 0, map 10 to 12, reduce from 12: 12 + 10 = 22, 22 + 3 = 25
    one = job("a", tasks(1, 0.003), tasks(1, 0.005), am=master(0.01), shuffle_mb_per_map=1.0, slowstart=1.0)
    result = simulate(scenario([node(9, speed=2.0)], [one]))
    assert (result.jobs[0].maps_end, result.jobs[0].shuffle_end, result.jobs[0].finish) == (12, 22, 25)


def test_copies_arrive_an_interval_apart():
    result = simulate(
        scenario([node(9)], [job("a", tasks(1), count=3, arrival_s=1.0, interval_s={"values": [0.5, 2.0]})])
    )
    assert [(times.name, times.arrival) for times in result.jobs] == [
        ("a-1", 1000),
        ("a-2", 1500),
        ("a-3", 3500),
    ]


# Requests (8 to 13)


@pytest.mark.parametrize(
    ("fraction", "asked"),
    [(0.0, 0), (0.05, 1000), (0.25, 1000), (0.3, 2000), (0.5, 2000), (0.75, 3000), (1.0, 4000)],
)
def test_slow_start_asks_for_all_reduces_when_its_share_of_maps_finished(fraction, asked):
    # four maps end at 1, 2, 3, 4 s: ceil(4 f) of them
    one = job("a", tasks(4, [1.0, 2.0, 3.0, 4.0]), tasks(2), slowstart=fraction)
    for result in (
        simulate(scenario([node(9)], [one])),
        simulate(scenario([node(9)], [{**one, "slowstart": 0.6}]), at=fraction),
    ):
        assert [c.requested for c in of(result, "reduce")] == [asked, asked]


def test_slow_start_is_not_misled_by_rounding():
    # 0.07 x 100 = 7.000000000000001 in floating point: 7 maps, the seventh ends at 7 s
    result = simulate(
        scenario(
            [node(200)], [job("a", tasks(100, [float(n) for n in range(1, 101)]), tasks(1), slowstart=0.07)]
        )
    )
    assert of(result, "reduce")[0].requested == 7000


def test_a_master_goes_first_then_reduces_then_maps():
    # room for two: master and, at slow start 0, the reduce; the map waits, so the reduce dies for it (17)
    result = simulate(scenario([node(2)], [job("a", tasks(1), tasks(1), am=master(), slowstart=0.0)]))
    assert [(c.kind, c.outcome) for c in result.containers] == [
        ("am", "finished"),
        ("reduce", "killed"),
        ("map", "finished"),
        ("reduce", "finished"),
    ]


def test_a_master_asks_for_maps_after_its_startup_and_ends_with_its_job():
    # started 0, asks at 2500, heartbeat at 3000, map until 4000
    result = simulate(scenario([node(9)], [job("a", tasks(1), am=master(2.5))], heartbeat_ms=1000))
    assert [(c.kind, c.requested, c.start, c.end) for c in result.containers] == [
        ("am", 0, 0, 4000),
        ("map", 2500, 3000, 4000),
    ]
    assert result.jobs[0].start == 0 and result.jobs[0].finish == 4000


def test_jobs_stand_by_arrival_then_place_then_copy():
    jobs = [job("c", tasks(1), arrival_s=0.001), job("b", tasks(1), count=2), job("a", tasks(1))]
    assert [times.name for times in simulate(scenario([node()], jobs), "fifo").jobs] == [
        "b-1",
        "b-2",
        "a",
        "c",
    ]


def test_slots_limit_kinds_apart_and_masters_use_none():
    # one map slot: maps one after another; reduces have their own
    one = job("a", tasks(2), tasks(1), am=master(), slowstart=0.0)
    result = simulate(scenario([node(9, map_slots=1, reduce_slots=1)], [one]))
    assert starts(result) == [0, 1000] and starts(result, "reduce") == [0]


def test_vcores_do_not_fit_unless_memory_alone_counts():
    # two vcores: two maps at a time
    tight = scenario([node(9, vcores=2)], [job("a", tasks(4))])
    assert starts(simulate(tight)) == [0, 0, 1000, 1000]
    assert starts(simulate(tight, resources="memory")) == [0, 0, 0, 0]


# Running (14 to 18)


@pytest.mark.parametrize(
    ("shuffled", "slowstart", "end"),
    [
        # two reduces, 100 MB/s: each fetches s / 2 a map in c = 1000 s / 200 ms; map ends at 1000, 2000, 4000
        (10.0, 0.0, 4050),  # c = 50: max(0 + 150, 1000 + 150, 2000 + 100, 4000 + 50)
        (300.0, 0.0, 5500),  # c = 1500: max(4500, 1000 + 4500, 2000 + 3000, 4000 + 1500)
        (1000.0, 0.0, 16_000),  # c = 5000: max(15000, 1000 + 15000, 2000 + 10000, 4000 + 5000)
        (300.0, 1.0, 8500),  # launched at 4000: 4000 + 3 x 1500
        (300.0, 0.6, 6500),  # launched at 2000: max(2000 + 4500, 5500)
        (0.0, 0.0, 4000),  # nothing to fetch
        (0.25, 0.0, 4002),  # c = 1.25: 4001.25, rounded up
    ],
)
def test_shuffle(shuffled, slowstart, end):
    one = job("a", tasks(3, [1.0, 2.0, 4.0]), tasks(2, 1.0), shuffle_mb_per_map=shuffled, slowstart=slowstart)
    result = simulate(scenario([node(9)], [one]))
    assert [(c.shuffle_end, c.end) for c in of(result, "reduce")] == [(end, end + 1000)] * 2


def test_shuffle_time_is_not_misled_by_rounding():
    # c = 1000 x 16.1 / 1 / 7 = 2300, in floating point 2300.0000000000005: three maps end at 1000, 1000 +
    # 6900
    result = simulate(
        scenario(
            [node(9)],
            [job("a", tasks(3), tasks(1), shuffle_mb_per_map=16.1, slowstart=0.0)],
            shuffle_mb_s=7.0,
        )
    )
    assert [c.shuffle_end for c in of(result, "reduce")] == [7900]


def test_contention_with_a_shorter_neighbour():
    # g = 0.5. k = 2 from 0: 1000 -> 1500, 2000 -> 3000. At 1500 k = 1: left 2000 - 1500 / 1.5 = 1000, end
    # 2500
    result = simulate(scenario([node(9)], [job("a", tasks(2, [1.0, 2.0]))], contention=0.5))
    assert [c.end for c in of(result, "map")] == [1500, 2500]


def test_contention_with_a_later_neighbour():
    # a alone until 500: left 500, k = 2: end 500 + 750 = 1250. b: 500 + 1500 = 2000; at 1250 left 1000 - 750
    # / 1.5 = 500, end 1750
    jobs = [job("a", tasks(1)), job("b", tasks(1), arrival_s=0.5)]
    result = simulate(scenario([node(9)], jobs, contention=0.5))
    assert [c.end for c in of(result, "map")] == [1250, 1750]


def test_contention_counts_a_reduce_from_its_last_map_end_and_stretches_its_compute_part_only():
    # a: map 1000, reduce (from 0) fetches 500; b: map 2000; g = 0.5. k = 2 (the maps): a's ends 1500, b's
    # 3000. At 1500 a's map is replaced by its reduce: k = 2 still. Fetched at 1500 + 500 = 2000, computes
    # 1000 x 1.5: end 3500. At 3000 b ends: left 1000 - 1000 / 1.5 = 333.3, end 3000 + 334
    jobs = [job("a", tasks(1), tasks(1), slowstart=0.0, shuffle_mb_per_map=50.0), job("b", tasks(1, 2.0))]
    result = simulate(scenario([node(9)], jobs, contention=0.5), "fifo")
    assert [c.end for c in of(result, "map")] == [1500, 3000]
    assert [(c.shuffle_end, c.end) for c in of(result, "reduce")] == [(2000, 3334)]


def test_contention_is_of_one_node_and_without_masters():
    # g = 1. Both maps beside the master: k = 2, twice as long; one on either node: k = 1
    jobs = [job("a", tasks(2), am=master())]
    assert [c.end for c in of(simulate(scenario([node(3)], jobs, contention=1.0)), "map")] == [2000, 2000]
    result = simulate(scenario([node(2), node(1)], jobs, contention=1.0, each=1))
    assert [(c.node[-1], c.end) for c in of(result, "map")] == [("2", 1000), ("1", 1000)]


def test_contention_moves_no_end_when_one_comes_as_another_goes():
    # g = 0.1, room for two: a 1000 x 1.1 = 1100, b 3000 x 1.1 = 3300; c in a's place at 1100, k = 2
    # throughout, until 2200 at 2200 k = 1: b left 3000 - 2200 / 1.1 = 1000, end 3200
    jobs = [job("a", tasks(1)), job("b", tasks(1, 3.0)), job("c", tasks(1))]
    result = simulate(scenario([node(2)], jobs, contention=0.1), "fifo")
    assert [(c.start, c.end) for c in of(result, "map")] == [(0, 1100), (0, 3200), (1100, 2200)]


def test_the_next_iteration_is_asked_for_when_the_last_task_of_this_one_ends():
    # maps 0 to 1000, reduce 1000 to 1700, heartbeat at 2000: maps asked at 1700
    one = job("a", tasks(2), tasks(1, 0.7), slowstart=1.0, iterations=2)
    result = simulate(scenario([node(9)], [one], heartbeat_ms=1000))
    assert [(c.stage, c.requested, c.start) for c in of(result, "map")] == [
        (1, 0, 0),
        (1, 0, 0),
        (2, 1700, 2000),
        (2, 1700, 2000),
    ]
    assert [(c.stage, c.requested, c.start, c.end) for c in of(result, "reduce")] == [
        (1, 1000, 1000, 1700),
        (2, 3000, 3000, 3700),
    ]
    assert result.jobs[0][2:6] == (0, 3000, 3000, 3700)


def test_map_only_iterations_follow_the_last_map():
    result = simulate(scenario([node(9)], [job("a", tasks(1), iterations=3)]))
    assert starts(result) == [0, 1000, 2000] and result.jobs[0][2:6] == (0, 3000, None, 3000)
