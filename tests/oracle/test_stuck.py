"""The oracle's kills (17) and deadlocks (18), worked out by hand; times in ms."""

from __future__ import annotations

from tests.oracle.simulator import simulate
from tests.small_scenarios import job, master, node, of, scenario, tasks


def reduces(result):
    return [
        (c.index, c.attempt, c.node[-1], c.requested, c.start, c.end, c.outcome) for c in of(result, "reduce")
    ]


def test_a_reduce_dies_for_a_map_and_starts_from_zero():
    # memory 2: map 0 fills it until 1000. The reduce (1) comes first at 1000, map 1 (2) has no room: killed
    # at once. Map 1 1000 to 2000; no map waits, so the reduce is asked for again at 1000, placed at 2000
    one = job("a", tasks(2, memory=2), tasks(1), slowstart=0.5)
    result = simulate(scenario([node(2)], [one]))
    assert reduces(result) == [
        (0, 1, "1", 1000, 1000, 1000, "killed"),
        (0, 2, "1", 1000, 2000, 3000, "finished"),
    ]
    assert [c.start for c in of(result, "map")] == [0, 1000]


def test_the_scheduler_sees_a_kill_at_the_next_beat():
    # the heartbeat at 1000 places and kills the reduce, the one at 2000 places map 1, the one at 3000 the
    # reduce asked for at 2000
    one = job("a", tasks(2, memory=2), tasks(1), slowstart=0.5)
    result = simulate(scenario([node(2)], [one], heartbeat_ms=1000))
    assert reduces(result) == [
        (0, 1, "1", 1000, 1000, 1000, "killed"),
        (0, 2, "1", 2000, 3000, 4000, "finished"),
    ]
    assert [c.start for c in of(result, "map")] == [0, 2000] and of(result, "reduce")[0].seen == 2000


def test_fewest_kills_latest_start_highest_index():
    # node 1 (3): r0 r1 r2; node 2 (2): r3. A map of 2 needs two kills on node 1, one on node 2
    one = job("a", tasks(1, memory=2), tasks(4), slowstart=0.0)
    result = simulate(scenario([node(3), node(2)], [one]))
    assert [row[:3] for row in reduces(result) if row[-1] == "killed"] == [(3, 1, "2")]
    # node 2: r3 r4. Two kills on either: node 1, its r2 and r1; then the map, at once
    one = job("a", tasks(1, memory=2), tasks(5), slowstart=0.0)
    result = simulate(scenario([node(3), node(2)], [one]))
    assert [row[:3] for row in reduces(result) if row[-1] == "killed"] == [(1, 1, "1"), (2, 1, "1")]
    assert [(c.node, c.start) for c in of(result, "map")] == [("node1", 0)]
    # map until 1000, then r1 and r2 in its place, asked for at 0
    assert [row for row in reduces(result) if row[1] == 2] == [
        (1, 2, "1", 0, 1000, 2000, "finished"),
        (2, 2, "1", 0, 1000, 2000, "finished"),
    ]


def test_the_latest_started_dies():
    # b holds 2 of 4 until 50; a's reduces (1): r0 at 10, r1 at 20; its map (3) can't go beside b, with or
    # without them. At 50 b has ended: 2 are free, one kill makes 3: the latest started, r1; r2 and r3 are
    # withdrawn. The map 50 to 1050; r1, r2, r3 asked for again at 50, one a heartbeat from 1050
    jobs = [job("b", tasks(1, 0.05, memory=2)), job("a", tasks(1, memory=3), tasks(4), slowstart=0.0)]
    result = simulate(scenario([node(4)], jobs, heartbeat_ms=10, each=1), "fifo")
    killed = [row for row in reduces(result) if row[-1] == "killed"]
    assert killed == [(1, 1, "1", 0, 20, 50, "killed")]
    assert [(c.start, c.end) for c in of(result, "map", "a")] == [(50, 1050)]
    assert [(row[0], row[1], row[3], row[4]) for row in reduces(result)[2:]] == [
        (1, 2, 50, 1050),
        (2, 1, 50, 1060),
        (3, 1, 50, 1070),
    ]


def test_room_that_is_on_its_way_spares_the_reduce():
    # nodes heartbeat at 0 and 500 + 1000 k. x ends on node 1 at 400, seen at 1000. a's reduce on node 2 at
    # 500: node 1 has room in truth
    jobs = [job("x", tasks(1, 0.4)), job("a", tasks(1), tasks(1), slowstart=0.0, arrival_s=0.45)]
    result = simulate(scenario([node(count=2)], jobs, heartbeat_ms=1000))
    assert [(row[4], row[-1]) for row in reduces(result)] == [(500, "finished")]
    assert [(c.node[-1], c.start) for c in of(result, "map", "a")] == [("1", 1000)]


def test_no_kill_while_a_map_of_the_job_runs_or_another_job_is_in_the_way():
    # memory 2, slow start 0.5: m0, m1 at 0; r0 at 1000 when m0 ends; m2 waits for m1, which ends at 3000
    one = job("a", tasks(3, [1.0, 3.0, 1.0]), tasks(1), slowstart=0.3)
    result = simulate(scenario([node(2)], [one]))
    assert [row[-1] for row in reduces(result)] == ["finished"] and of(result, "map")[2].start == 3000
    # x holds 1 of 2; a's map of 2 fits only without x: its reduce stays until x ends at 5000
    jobs = [job("x", tasks(1, 5.0)), job("a", tasks(1, memory=2), tasks(1), slowstart=0.0)]
    result = simulate(scenario([node(2)], jobs), "fifo")
    assert [(row[4], row[5], row[-1]) for row in reduces(result)] == [
        (0, 5000, "killed"),
        (6000, 7000, "finished"),
    ]


def test_killing_looks_at_slots_and_at_vcores_unless_memory_alone_counts():
    # the slot is x's: killing would not help
    jobs = [job("x", tasks(1, 5.0)), job("a", tasks(1, memory=2), tasks(1), slowstart=0.0)]
    assert [row[-1] for row in reduces(simulate(scenario([node(3, map_slots=1)], jobs), "fifo"))] == [
        "finished"
    ]
    # two vcores: the reduce and a map of 2 vcores
    one = scenario([node(9, vcores=2)], [job("a", tasks(1, vcores=2), tasks(1), slowstart=0.0)])
    assert [row[-1] for row in reduces(simulate(one))] == ["killed", "finished"]
    assert [row[-1] for row in reduces(simulate(one, resources="memory"))] == ["finished"]


def test_a_killed_reduce_keeps_its_draw():
    drawn = {"dist": "uniform", "low": 1.0, "high": 9.0}
    killed = simulate(scenario([node(2)], [job("a", tasks(2, memory=2), tasks(1, drawn), slowstart=0.5)]))
    spared = simulate(scenario([node(9)], [job("a", tasks(2, memory=2), tasks(1, drawn), slowstart=1.0)]))
    lengths = [c.end - c.shuffle_end for c in of(killed, "reduce")[1:] + of(spared, "reduce")]
    assert lengths[0] == lengths[1]


def test_masters_that_fill_the_cluster_are_a_deadlock():
    # masters at 0 and 1000 fill the node; both ask at 6000 at the latest, in vain
    jobs = [job("a", tasks(1), am=master(5.0), count=2)]
    result = simulate(scenario([node(2)], jobs, heartbeat_ms=1000, each=1))
    assert (result.status, result.at_ms) == ("deadlock", 1000)
    assert [(c.kind, c.start, c.end, c.outcome, c.seen) for c in result.containers] == [
        ("am", 0, None, "running", None),
        ("am", 1000, None, "running", None),
    ]
    assert [times[2:6] for times in result.jobs] == [(0, None, None, None), (1000, None, None, None)]


def test_a_deadlock_is_dated_by_the_last_start_or_end():
    # both masters on node 1 at 0; x on node 2 from 500 to 7000, which is too small for the maps
    jobs = [job("a", tasks(1, memory=2), am=master(), count=2), job("x", tasks(1, 6.5))]
    result = simulate(scenario([node(2), node(1)], jobs, heartbeat_ms=1000), "fifo")
    assert (result.status, result.at_ms) == ("deadlock", 7000)
    assert [times.finish for times in result.jobs] == [None, None, 7000]


def test_without_any_container_a_deadlock_is_dated_by_the_last_arrival():
    queue = {"name": "root.default", "max_capacity_pct": 0.0}
    jobs = [job("a", tasks(1), arrival_s=0.2), job("b", tasks(1), arrival_s=0.7)]
    result = simulate(scenario([node(2)], jobs, [queue]), "capacity")
    assert (result.status, result.at_ms, result.containers) == ("deadlock", 700, [])
    assert simulate(scenario([node(2)], jobs, [queue]), "fifo").status == "finished"


def test_reduces_of_two_jobs_keep_each_others_maps_out():
    # memory 2, maps of 2: on one heartbeat a reduce of each job; killing its own gives neither job room
    jobs = [job("a", tasks(1, memory=2), tasks(1), slowstart=0.0, count=2)]
    result = simulate(scenario([node(2)], jobs))
    assert (result.status, result.at_ms) == ("deadlock", 0)
    assert [(c.job, c.kind, c.outcome, c.shuffle_end) for c in result.containers] == [
        ("a-1", "reduce", "running", None),
        ("a-2", "reduce", "running", None),
    ]
    # one container a visit: a-1's reduce dies at once for its map (0 to 1000), runs again 1000 to 2000;
    # a-2's is placed beside it at 1000 and dies at 2000 for a-2's map
    result = simulate(scenario([node(2)], jobs, each=1))
    assert [(c.job, c.start, c.end, c.outcome) for c in of(result, "reduce")] == [
        ("a-1", 0, 0, "killed"),
        ("a-1", 1000, 2000, "finished"),
        ("a-2", 1000, 2000, "killed"),
        ("a-2", 3000, 4000, "finished"),
    ]
    assert [(c.job, c.start) for c in of(result, "map")] == [("a-1", 0), ("a-2", 2000)]


def test_a_kill_lets_the_jobs_before_it_look_again():
    # of memory 8, f holds 4, a's reduces 2, b's reduce 1, and 1 is free. a's map (4) lacks 3, more than its
    # reduces hold; b's (2) lacks 1: its reduce dies. Then a's map lacks 2: its reduces die at the same
    # instant, and the map has their room at the next heartbeat
    jobs = [
        job("f", tasks(1, 9.0, memory=4)),
        job("a", tasks(1, memory=4), tasks(2), slowstart=0.0),
        job("b", tasks(1, memory=2), tasks(1), slowstart=0.0),
    ]
    result = simulate(scenario([node(8)], jobs, heartbeat_ms=1000), "fifo")
    assert [(c.job, c.end, c.outcome) for c in of(result, "reduce")][:3] == [
        ("a", 0, "killed"),
        ("a", 0, "killed"),
        ("b", 0, "killed"),
    ]
    assert of(result, "map", "a")[0].start == 1000
