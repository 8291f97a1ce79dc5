"""Masters, by hand: what lingers, beats and makes nodes beat. The engine and the naive simulator are held to
the same times.
"""

from __future__ import annotations

import pytest

from engine.analysis.capacity.split import capacity_split
from engine.analysis.metrics import critical_path_ms, held_ms, makespan_ms, startup_ms
from engine.schedulers.hadoop import capacity_reservation
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.oracle import simulator
from tests.small_scenarios import job, master, node, of, scenario, tasks

BY = {
    "engine": lambda one, name: result_of(simulate(one, name, plain=True)),
    "oracle": simulator.simulate_named,
}
both = pytest.mark.parametrize("run", BY.values(), ids=BY)


def lingering(heartbeat_ms: int = 0):
    """The first job holds the node for 1 s and its master for 2 s more; the second waits for all of it."""
    first = job("a", tasks(1, 1.0), am={**master(), "linger_s": 2.0})
    return scenario([node(2)], [first, job("b", tasks(1, 0.5, memory=2))], heartbeat_ms=heartbeat_ms)


@both
def test_a_master_that_lingers_holds_its_room(run):
    simulated = run(lingering(), "fifo+slowstart+admit-all")
    assert [(c.start, c.end, c.outcome) for c in of(simulated, "am")] == [(0, 3000, "finished")]
    assert [(c.start, c.end) for c in of(simulated, "map")] == [(0, 1000), (3000, 3500)]
    assert [times.finish for times in simulated.jobs] == [1000, 3500]


@both
def test_its_end_is_seen_at_the_nodes_next_beat(run):
    simulated = run(lingering(heartbeat_ms=700), "fifo+slowstart+admit-all")
    # the map runs from the second beat, 700, to 1700
    assert [(c.start, c.end) for c in of(simulated, "am")] == [(0, 3700)]
    assert [c.start for c in of(simulated, "map")] == [700, 4200]


@both
def test_the_run_ends_with_its_last_job(run):
    simulated = run(
        scenario([node(2)], [job("a", tasks(1, 1.0), am={**master(), "linger_s": 2.0})]),
        "fifo+slowstart+admit-all",
    )
    assert simulated.status == "finished"
    assert [(c.end, c.outcome) for c in of(simulated, "am")] == [(3000, "finished")]
    assert simulated.jobs[0].finish == 1000


def test_what_lingers_beyond_the_last_finish_counts_to_it():
    run = simulate(
        scenario([node(2)], [job("a", tasks(1, 1.0), am={**master(), "linger_s": 2.0})]),
        "fifo+slowstart+admit-all",
        plain=True,
    )
    assert makespan_ms(run) == 1000
    assert held_ms(run).tolist() == [1000, 1000]
    split = capacity_split(run)
    assert split.times.tolist() == [0, 1000]
    assert split.memory.totals["master"] == 1000


def test_the_critical_path_has_the_start_up_that_was_drawn():
    drawn = {**master(), "startup_s": {"dist": "uniform", "low": 1.0, "high": 3.0}}
    run = simulate(
        scenario([node(2)], [job("a", tasks(1, 1.0), am=drawn), job("b", tasks(1, 1.0))]),
        "fifo+slowstart+admit-all",
        plain=True,
    )
    took = int(run.containers.requested[run.containers.job == 0][1])
    assert 1000 <= took <= 3000 != took
    assert startup_ms(run).tolist() == [took, 0]
    assert critical_path_ms(run).tolist() == [took + 1000, 1000]


def beating(startup: float, heartbeat: float) -> dict:
    return {**master(startup), "heartbeat_s": heartbeat}


@both
def test_a_master_asks_and_learns_at_its_heartbeats(run):
    one = job("a", tasks(1, 1.2), tasks(1, 1.2), am=beating(0.5, 1.0), slowstart=1.0, iterations=2)
    simulated = run(scenario([node(10)], [one]), "fifo+slowstart+admit-all")
    # Heartbeats at 500, 1500 and so on. Asked for at one, a container starts at once, and its task begins at
    # the next.
    assert [(c.requested, c.start, c.begin, c.end) for c in of(simulated, "map")] == [
        (500, 500, 1500, 2700),
        (6500, 6500, 7500, 8700),
    ]
    assert [(c.requested, c.start, c.begin, c.end) for c in of(simulated, "reduce")] == [
        (3500, 3500, 4500, 5700),
        (9500, 9500, 10500, 11700),
    ]
    assert simulated.jobs[0].finish == 11700  # the job knows its own end at once
    assert [c.begin for c in of(simulated, "am")] == [0]


@both
def test_a_container_between_heartbeats_is_learned_of_at_the_next_and_then_launched(run):
    simulated = run(
        scenario(
            [node(10)], [job("a", tasks(1, 1.0), am=beating(0.0, 1.0))], heartbeat_ms=300, launch_s=0.25
        ),
        "fifo+slowstart+admit-all",
    )
    # Asked for at 0 after the beat that placed the master, placed on the beat of 300, learned of at 1000.
    assert [(c.start, c.begin, c.end) for c in of(simulated, "map")] == [(300, 1250, 2250)]


@both
def test_heartbeats_at_whole_ends_are_in_time(run):
    one = job("a", tasks(1, 1.0), tasks(1, 1.0), am=beating(0.0, 0.5), slowstart=1.0)
    simulated = run(scenario([node(10)], [one]), "fifo+slowstart+admit-all")
    assert [(c.requested, c.begin) for c in of(simulated, "map")] == [(0, 500)]
    # the map ends at 1500, a heartbeat
    assert [(c.requested, c.begin) for c in of(simulated, "reduce")] == [(1500, 2000)]


@both
def test_reduces_killed_for_a_map_are_asked_for_again_at_a_heartbeat(run):
    """The reduces of the first wave keep the second map out; the kill is at once, as the map's end shows that
    it is needed.
    """
    one = job("a", tasks(2, 1.0, memory=2), tasks(2, 1.0), am=beating(0.0, 0.7), slowstart=0.0)
    simulated = run(scenario([node(3), node(1)], [one]), "fifo+slowstart+admit-all")
    killed = [c for c in of(simulated, "reduce") if c.outcome == "killed"]
    again = [c for c in of(simulated, "reduce") if c.attempt == 2]
    last = of(simulated, "map")[-1]
    assert killed and len(again) == len(killed)
    assert all(c.requested % 700 == 0 and c.requested >= last.start for c in again)


@both
def test_ramp_up_looks_at_a_job_at_its_masters_own_heartbeats(run):
    jobs = [
        job("a", tasks(1, 0.5), tasks(1, 1.0), am=beating(0.3, 0.4)),
        job("b", tasks(1, 0.5), tasks(1, 1.0), am=master(0.3)),
    ]
    simulated = run(scenario([node(10)], jobs), "fifo+ramp-up+admit-all")
    # Heartbeats at 300, 700, 1100, 1500: the map begins at 700 and ends at 1200. The other master beats with
    # the clock, at 1000.
    assert [(c.begin, c.end) for c in of(simulated, "map", "a")] == [(700, 1200)]
    assert [(c.requested, c.begin) for c in of(simulated, "reduce", "a")] == [(1500, 1900)]
    assert [(c.requested, c.begin) for c in of(simulated, "reduce", "b")] == [(1000, 1000)]


@both
@pytest.mark.parametrize("start", ["slowstart", "ramp-up"])
def test_heartbeats_rest_so_that_a_deadlock_is_found(run, start):
    one = job("a", tasks(1, 0.5, memory=2), tasks(1, 1.0), am=beating(0.3, 0.1), slowstart=0.0)
    simulated = run(scenario([node(2)], [one]), f"fifo+{start}+admit-all")
    assert simulated.status == "deadlock"


def beat_on_ends(*durations: float, nodes: int = 1, heartbeat_ms: int = 1000, **cluster):
    """One map at a time on each node."""
    one = job("a", tasks(len(durations), list(durations)))
    return scenario(
        [node(1, count=nodes)],
        [one],
        heartbeat_ms=heartbeat_ms,
        each=1,
        out_of_band_heartbeats=True,
        **cluster,
    )


@both
def test_a_node_beats_as_soon_as_a_container_on_it_ends(run):
    simulated = run(beat_on_ends(0.3, 0.4, 2.0, 0.1), "fifo+slowstart")
    assert [(c.start, c.end) for c in of(simulated, "map")] == [
        (0, 300),
        (300, 700),
        (700, 2700),
        (2700, 2800),
    ]
    assert [c.seen for c in of(simulated, "map")][:3] == [300, 700, 2700]


@both
def test_the_regular_beats_keep_their_phase(run):
    """The second job arrives when nothing ends: it waits for the regular beat of 1000."""
    jobs = [job("a", tasks(1, 0.3)), job("b", tasks(1, 0.1), arrival_s=0.5)]
    simulated = run(
        scenario([node(1)], jobs, heartbeat_ms=1000, each=1, out_of_band_heartbeats=True), "fifo+slowstart"
    )
    assert [(c.start, c.end) for c in of(simulated, "map")] == [(0, 300), (1000, 1100)]


@both
def test_nodes_beat_in_their_order_out_of_band_too(run):
    """Nodes beat at 0 and 500; at 500 + 500 both have an end, and the first beats regularly."""
    simulated = run(beat_on_ends(1.0, 0.5, 0.2, 0.2, nodes=2), "fifo+slowstart")
    assert [(c.node, c.start) for c in of(simulated, "map")] == [
        ("node1-1", 0),
        ("node1-2", 500),
        ("node1-1", 1000),
        ("node1-2", 1000),
    ]


@both
def test_an_end_out_of_band_gives_one_beat_with_its_own_limit(run):
    """Both end at 1300, seen on one beat, which gives one container; the next comes with the next end."""
    one = job("a", tasks(4, [1.3, 0.3, 0.2, 0.2]))
    simulated = run(
        scenario([node(2)], [one], heartbeat_ms=1000, each=1, out_of_band_heartbeats=True), "fifo+slowstart"
    )
    assert [(c.index, c.start, c.end) for c in of(simulated, "map")] == [
        (0, 0, 1300),
        (1, 1000, 1300),
        (2, 1300, 1500),
        (3, 1500, 1700),
    ]


@both
def test_a_reduce_killed_on_a_beat_makes_its_node_beat_at_once(run):
    """The reduces go first and leave no room for a map; one is killed on the beat that placed them, and its
    room is given on another of that instant.
    """
    one = job("a", tasks(2, 1.0, memory=2), tasks(2, 1.0), slowstart=0.0)
    starts = []
    for out_of_band in (False, True):
        simulated = run(
            scenario([node(3)], [one], heartbeat_ms=1500, out_of_band_heartbeats=out_of_band),
            "fifo+slowstart",
        )
        assert [(c.start, c.end) for c in of(simulated, "reduce") if c.outcome == "killed"] == [(0, 0)]
        starts.append([c.start for c in of(simulated, "map")])
    assert starts == [[1500, 3000], [0, 1000]]


def test_the_capacity_awaits_no_heartbeat_where_nodes_beat_on_ends():
    run = simulate(beat_on_ends(0.3, 0.4, 2.0, 0.1), "fifo+slowstart", plain=True)
    assert capacity_split(run).memory.totals["unseen"] == 0


def test_beats_out_of_band_count_on_a_reserved_node(monkeypatch):
    """Found at random: without them CapacityScheduler would not reserve one node more for b's second map."""
    first = job(
        "a",
        tasks(14, [0.347, 0.434, 0.4, 0.5, 0.8, 0.9, 0.1, 0.461, 0.5, 0.2, 1.0, 0.3, 0.1, 0.5], memory=1024),
    )
    large = job("b", tasks(2, [0.5, 1.5], memory=4096), arrival_s=0.307)
    last = job("c", tasks(6, [0.1, 1.0, 0.5, 1.0, 0.5, 0.5], memory=1024), arrival_s=0.599)
    of_all = scenario(
        [node(4096, 9, count=3)], [first, large, last], heartbeat_ms=500, each=2, out_of_band_heartbeats=True
    )
    name = "capacity(reservations=yes)+slowstart+admit-all"
    starts = lambda result: [(c.job, c.index, c.node, c.start) for c in result.containers]
    expected = starts(simulator.simulate_named(of_all, name))
    assert starts(result_of(simulate(of_all, name, plain=True))) == expected
    counted = capacity_reservation.rereservations
    monkeypatch.setattr(
        capacity_reservation,
        "rereservations",
        lambda view, request: counted(view, request) - view.request_reserved_extra[request],
    )
    assert starts(result_of(simulate(of_all, name, plain=True))) != expected


@both
def test_a_lost_master_has_no_heartbeats_until_another_has_started_up(run):
    """The job's next heartbeat would be at 3400; its new master finds room at 11500 and asks at 13500."""
    one = job(
        "a", tasks(1, 3.0), tasks(1, 1.0), am={**master(2.0, memory=2), "heartbeat_s": 0.7}, slowstart=1.0
    )
    other = job("b", tasks(1, 9.0, memory=3), arrival_s=2.5)
    simulated = run(
        scenario([node(3, count=2)], [one, other], outages=[{"node": "node1-1", "lost_s": 3.0}]),
        "fifo+slowstart+admit-all",
    )
    assert [(c.requested, c.start, c.outcome) for c in of(simulated, "am")] == [
        (0, 0, "lost"),
        (3000, 11500, "finished"),
    ]
    assert [(c.requested, c.begin, c.end) for c in of(simulated, "map", "a")] == [
        (2000, 2700, 3000),
        (13500, 14200, 17200),
    ]
    assert [(c.requested, c.begin, c.end) for c in of(simulated, "reduce")] == [(17700, 18400, 19400)]
