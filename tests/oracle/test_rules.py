"""The oracle's windows, reduce starts and admission rules, worked out by hand in the comments; times in
ms.
"""

from __future__ import annotations

import pytest

from tests.oracle.admission import auto_reserve
from tests.oracle.cluster_state import ClusterState
from tests.oracle.simulator import simulate_named
from tests.oracle.windows import Windows, finish_times, gap
from tests.small_scenarios import job, master, node, of, scenario, tasks


def near(value):
    return pytest.approx(value, abs=0.006)


# Windows, batch finish, omo, lazy start


def test_windows_smooth_the_rate_of_seen_ends():
    state = ClusterState(scenario([node(9)], [job("a", tasks(9), tasks(3))]))
    windows = Windows(state, 0.01, 0.25)
    state.add(0, "map", 2, "finished", end=5, seen=6)
    state.add(0, "map", 1, "finished", end=5)
    state.add(0, "map", 3)
    state.add(0, "reduce", 2)
    # 2 of 10 ms seen; 3 maps run, the reduces wait for maps
    assert windows.tick() and (windows.rate, windows.available) == (0.2, 3.0)
    # nothing more: .75 x .2
    assert windows.tick() and (windows.rate, windows.available) == (pytest.approx(0.15), 3.0)
    # the maps are over: the 2 reduces too: .25 x 5 + .75 x 3
    state.add(0, "map", 6, "finished", end=9)
    assert windows.tick() and windows.available == 3.5


def test_gap_of_lazy_start():
    # Ts 40, Tm 20, F .4, A 8, r 2, D 2: beta(m) = 20 - m x 16 / 2.4
    assert [gap(m, 8.0, 2, 0.4, 2, 40.0, 20.0)[1] for m in (4, 3, 2)] == [near(-6.67), near(0), near(6.67)]
    # half a step before 0 is near enough, from m = 3 on
    assert gap(3, 8.0, 2, 0.4, 2, 40.0, 20.0)[0] == near(6.67)


def test_finish_times_of_batch_finish():
    # K 3, F .5, Tm 20, A 10, r 2; m = 6: s = 12 + .5 x 2 x 20 / 3 = 18.667
    assert finish_times(6, 10.0, 3, 0.5, 2, 20.0) == (near(56), near(31.111))
    assert finish_times(1, 10.0, 3, 0.5, 2, 20.0) == (near(26), near(14.444))


def test_lazy_start_asks_when_the_last_map_is_placed_unless_it_knows_better():
    # one map at a time: the first window ends at 100 s: reduces are asked for when the last map is placed, at
    # 2000
    one = job("a", tasks(3), tasks(1), slowstart=0.0)
    result = simulate_named(scenario([node(1)], [one]), "fair(update_ms=0)+lazy-start(window_s=100)")
    assert [c.requested for c in of(result, "reduce")] == [2000]
    # windows of 750 ms, 2 at a time: 750: F 0, A 2; 1500: F = .5 x 2 / 750, A 2, m 2, r 1, D 1: step = 2 /
    # (.00133 x 1) = 1500, beta = Ts - (2 x 1500 + 1000): with half a step from Ts = 3250 on. 6 x 550: asked
    # for then, and at 2000 it goes before the maps
    one = lambda each: scenario([node(2)], [job("a", tasks(6), tasks(1), shuffle_mb_per_map=each)])
    result = simulate_named(one(55.0), "fair(update_ms=0)+lazy-start(window_s=0.75)")
    assert [(c.requested, c.start) for c in of(result, "reduce")] == [(1500, 2000)]
    assert [c.start for c in of(result, "map")] == [0, 0, 1000, 1000, 2000, 3000]
    # 6 x 500: not then; when the last two are placed, at 2000
    result = simulate_named(one(50.0), "fair(update_ms=0)+lazy-start(window_s=0.75)")
    assert [(c.requested, c.start) for c in of(result, "reduce")] == [(2000, 3000)]


def test_omo_serves_reduces_first():
    # slow start 0 means nothing to it: reduces when all maps are placed, then before anybody's maps
    jobs = [job("a", tasks(2), tasks(1)), job("b", tasks(6))]
    result = simulate_named(scenario([node(2)], jobs), "omo")
    assert [c.kind for c in result.containers if c.job == "a"] == ["map", "map", "reduce"]
    # fair: a b at 0, a b at 1000; a's reduce, asked for at 1000, before b's map at 2000
    assert [(c.job, c.kind) for c in result.containers[4:6]] == [("a", "reduce"), ("b", "map")]


# Ramp-up


def test_ramp_up_asks_on_its_ticks():
    # 2 maps, of which none waits: all reduces at the first tick after the slow start (1 map ends at 1500)
    one = job("a", tasks(2, [1.5, 9.0]), tasks(3), slowstart=0.5)
    result = simulate_named(scenario([node(9)], [one]), "fifo+ramp-up")
    assert [(c.requested, c.start) for c in of(result, "reduce")] == [(2000, 2000)] * 3


def test_ramp_up_takes_a_part_of_the_room():
    # memory 4: 4 of 8 maps end at 1000, 4 run, 4 ended. Tick at 1000 is before the heartbeats: headroom 4,
    # nothing assigned, total 4; 4 of 8 maps: idealReduce 2, idealMap 2 < 4 waiting maps: 2 reduces. They go
    # before the maps
    one = job("a", tasks(8), tasks(4), slowstart=0.05)
    result = simulate_named(scenario([node(4)], [one]), "fifo+ramp-up")
    assert [(c.kind, c.start) for c in result.containers[4:8]] == [
        ("reduce", 1000),
        ("reduce", 1000),
        ("map", 1000),
        ("map", 1000),
    ]
    # limit 0: no reduces before no map waits (all are placed at 1000), at the tick at 2000
    result = simulate_named(scenario([node(4)], [one]), "fifo+ramp-up(limit=0)")
    assert [c.requested for c in of(result, "reduce")] == [2000] * 4


def test_ramp_up_kills_reduces_for_maps():
    # memory 4; a at 0: m0, m1 (2 each) run; at 1000 both have ended, 2 wait: total 4 x .5 = 2: 2 reduces of 1
    # and, in 2, m2 from 1000 to 2000. at 1500 b's map (2, fifo: later) waits; at 2000 the tick: headroom 2,
    # m3 waits: room for it: none is killed
    one = job("a", tasks(4, memory=2), tasks(2), slowstart=0.05)
    result = simulate_named(scenario([node(4)], [one]), "fifo+ramp-up")
    assert [c.outcome for c in of(result, "reduce")] == ["finished"] * 2
    # of 2 reduces asked for at 1000, r0 is placed; then b's maps (1), which fair serves first, fill the node.
    # At 2000 headroom is 1, m2 waits: forMap 1 < 2: min(max(ceil 2/1, ceil trunc((1 + 1) x .5)/1), ceil 2 x
    # 2/1) = 2, 1 runs: r0 dies, r1 is taken back. At 6000 b leaves 3: m2. At 7000 it has ended, and b's last,
    # and neither was seen: limit 1 + 2, .5 x 3: one reduce; at 8000 m3 has no room to wait for: the other
    jobs = [one, job("b", tasks(4, 5.0), arrival_s=0.5, weight=1000.0)]
    result = simulate_named(scenario([node(4)], jobs, each=1), "fair(update_ms=0)+ramp-up")
    assert [(c.index, c.requested, c.start) for c in of(result, "reduce")] == [
        (0, 1000, 1000),
        (0, 7000, 7000),
        (1, 8000, 8000),
    ]
    assert [(c.end, c.outcome) for c in of(result, "reduce")][0] == (2000, "killed")


def test_ramp_up_kills_and_asks_until_maps_hang():
    # b's and c's masters leave 1 of 2 on each node: a's last map (2) never fits, its reduce (1) does, and is
    # killed for it, every other second. Once the map has waited for 7 s no reduce is asked for
    jobs = [job("a", tasks(3, memory=2), tasks(1), slowstart=0.5)]
    jobs += [job(name, tasks(1, memory=2), am=master(), arrival_s=0.5) for name in "bc"]
    result = simulate_named(scenario([node(2, count=2)], jobs, each=1), "ffd-dp+ramp-up(unconditional_s=7)")
    assert result.status == "deadlock" and [
        (c.requested, c.end, c.outcome) for c in of(result, "reduce")
    ] == [(1000 * at, 1000 * at + 1000, "killed") for at in (1, 3, 5, 7)]


# Admission


def test_the_reserve_of_algorithm_2():
    # 64 vcores, floor 25.6. (AvgTC, AvgAMC, TotalAMC): (2, 2, 38): 32 > 26: 32 x 70 / 64; (4, 1, 38): 51.2 >
    # 26: 71.36, at most 63
    assert auto_reserve(64, 0.4, 38, 19, 2, 1) == 35
    assert auto_reserve(64, 0.4, 38, 38, 4, 1) == 63
    # (1, 4, 36): 12.8 is below the floor; (1, 4, 56): 12.8 > 8: 13.76 too; without tasks the floor
    assert (
        auto_reserve(64, 0.4, 36, 9, 1, 1)
        == auto_reserve(64, 0.4, 56, 14, 1, 1)
        == auto_reserve(64, 0.4, 0, 0, 0, 0)
        == 25.6
    )


@pytest.mark.parametrize(("size", "admitted"), [(1, 38), (2, 19), (3, 12), (4, 9)])
def test_the_floor_admits_so_many_masters_of_simultaneous_jobs(size, admitted):
    # 64 - 25.6 = 38.4 vcores for masters, which count when admitted
    jobs = [job("a", tasks(1, 9.0, vcores=64), am=master(99.0, vcores=size), count=66)]
    result = simulate_named(
        scenario([node(999, 8, count=8), node(999, 64)], jobs), "fair(update_ms=0)+autoadmin(floor=0.7)"
    )
    assert len([c for c in of(result, "am") if c.start == 0]) == int((128 - 0.7 * 128) // size) == admitted


def test_reserve_and_overtaking():
    # 8 vcores, 4 to keep free: a's master (2); b's (3) would leave 3; c's (1) may not overtake under reserve,
    # but does under autoadmin
    jobs = [job(name, tasks(1, 5.0), am=master(vcores=size)) for name, size in zip("abc", (2, 3, 1))]
    one = scenario([node(9, 8)], jobs)
    masters = lambda name: [(c.job, c.start) for c in of(simulate_named(one, name), "am")]
    assert masters("fair(update_ms=0)+reserve(vcores=4)") == [("a", 0), ("b", 5000), ("c", 5000)]
    assert masters("fair(update_ms=0)+autoadmin(floor=0.5)")[:2] == [("a", 0), ("c", 0)]
    assert masters("fair(update_ms=0)+reserve(fraction=0.5)") == [("a", 0), ("b", 5000), ("c", 5000)]
    assert simulate_named(one, "fair(update_ms=0)+reserve(memory_mb=9)").status == "deadlock"


def test_am_share_is_of_the_leaf():
    # 10 vcores, half of it: 5 for masters of 2: a, b and not c; with queues p (weight 3) and q (1): ceil(.5 x
    # 7) = 4, ceil(.5 x 2) = 1
    jobs = [job(name, tasks(1, 5.0), am=master(vcores=2)) for name in "abc"]
    starts = lambda jobs, name: [
        c.start
        for c in sorted(
            of(simulate_named(scenario([node(100, 10)], jobs, queues), name), "am"), key=lambda c: c.job
        )
    ]
    queues = [
        {"name": "root.p", "weight": 3.0, "capacity_pct": 20.0},
        {"name": "root.q", "capacity_pct": 80.0},
        {"name": "root.default", "capacity_pct": 0.0},
    ]
    assert starts(jobs, "fifo+am-share") == [0, 0, 5000]
    # q has no job: all of the cluster
    assert starts([{**one, "queue": "root.p"} for one in jobs], "fair(update_ms=0)+am-share") == [
        0,
        0,
        5000,
    ]
    mixed = [{**one, "queue": f"root.{queue}"} for one, queue in zip(jobs, "pqq")]
    assert starts(mixed, "drf(update_ms=0)+am-share") == [0, 5000, 5000]  # q has all once p has none
    # capacity: p has 20 %: ceil(.5 x .2 x 10) = 1 < 2: never
    result = simulate_named(scenario([node(100, 10)], mixed, queues), "capacity+am-share")
    assert result.status == "deadlock" and [c.job for c in of(result, "am")] == ["b", "c"]
