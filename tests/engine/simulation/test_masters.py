"""Masters, by hand: what lingers, beats and makes nodes beat. The engine and the naive simulator are held to the same times."""

from __future__ import annotations

import pytest

from engine.analysis.capacity.split import capacity_split
from engine.analysis.metrics import critical_path_ms, held_ms, makespan_ms, startup_ms
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.oracle import simulator
from tests.small import job, master, node, of, scenario, tasks

BY = {"engine": lambda one, name: result_of(simulate(one, name, plain=True)), "oracle": simulator.simulate_named}
both = pytest.mark.parametrize("run", BY.values(), ids=BY)


def lingering(heartbeat_ms: int = 0):
    """The first job holds the node for 1 s and its master for 2 s more; the second waits for all of it."""
    first = job("a", tasks(1, 1.0), am={**master(), "linger_s": 2.0})
    return scenario([node(2)], [first, job("b", tasks(1, 0.5, memory=2))], heartbeat_ms=heartbeat_ms)


@both
def test_a_master_that_lingers_holds_its_room(run):
    found = run(lingering(), "fifo+slowstart+admit-all")
    assert [(c.start, c.end, c.outcome) for c in of(found, "am")] == [(0, 3000, "finished")]
    assert [(c.start, c.end) for c in of(found, "map")] == [(0, 1000), (3000, 3500)]
    assert [times.finish for times in found.jobs] == [1000, 3500]


@both
def test_its_end_is_seen_at_the_nodes_next_beat(run):
    found = run(lingering(heartbeat_ms=700), "fifo+slowstart+admit-all")
    assert [(c.start, c.end) for c in of(found, "am")] == [(0, 3700)]  # the map runs from the second beat, 700, to 1700
    assert [c.start for c in of(found, "map")] == [700, 4200]


@both
def test_the_run_ends_with_its_last_job(run):
    found = run(scenario([node(2)], [job("a", tasks(1, 1.0), am={**master(), "linger_s": 2.0})]), "fifo+slowstart+admit-all")
    assert found.status == "finished"
    assert [(c.end, c.outcome) for c in of(found, "am")] == [(3000, "finished")]
    assert found.jobs[0].finish == 1000


def test_what_lingers_beyond_the_last_finish_counts_to_it():
    run = simulate(scenario([node(2)], [job("a", tasks(1, 1.0), am={**master(), "linger_s": 2.0})]), "fifo+slowstart+admit-all", plain=True)
    assert makespan_ms(run) == 1000
    assert held_ms(run).tolist() == [1000, 1000]
    split = capacity_split(run)
    assert split.times.tolist() == [0, 1000]
    assert split.memory.totals["master"] == 1000


def test_the_critical_path_has_the_start_up_that_was_drawn():
    drawn = {**master(), "startup_s": {"dist": "uniform", "low": 1.0, "high": 3.0}}
    run = simulate(scenario([node(2)], [job("a", tasks(1, 1.0), am=drawn), job("b", tasks(1, 1.0))]), "fifo+slowstart+admit-all", plain=True)
    took = int(run.containers.requested[run.containers.job == 0][1])
    assert 1000 <= took <= 3000 != took
    assert startup_ms(run).tolist() == [took, 0]
    assert critical_path_ms(run).tolist() == [took + 1000, 1000]


def beating(startup: float, heartbeat: float) -> dict:
    return {**master(startup), "heartbeat_s": heartbeat}


@both
def test_a_master_asks_and_learns_at_its_heartbeats(run):
    one = job("a", tasks(1, 1.2), tasks(1, 1.2), am=beating(0.5, 1.0), slowstart=1.0, iterations=2)
    found = run(scenario([node(10)], [one]), "fifo+slowstart+admit-all")
    # Heartbeats at 500, 1500 and so on. Asked for at one, a container starts at once, and its task begins at the next.
    assert [(c.requested, c.start, c.begin, c.end) for c in of(found, "map")] == [(500, 500, 1500, 2700), (6500, 6500, 7500, 8700)]
    assert [(c.requested, c.start, c.begin, c.end) for c in of(found, "reduce")] == [(3500, 3500, 4500, 5700), (9500, 9500, 10500, 11700)]
    assert found.jobs[0].finish == 11700  # the job knows its own end at once
    assert [c.begin for c in of(found, "am")] == [0]


@both
def test_a_container_between_heartbeats_is_learned_of_at_the_next_and_then_launched(run):
    found = run(scenario([node(10)], [job("a", tasks(1, 1.0), am=beating(0.0, 1.0))], heartbeat_ms=300, launch_s=0.25), "fifo+slowstart+admit-all")
    # Asked for at 0 after the beat that placed the master, placed on the beat of 300, learned of at 1000.
    assert [(c.start, c.begin, c.end) for c in of(found, "map")] == [(300, 1250, 2250)]


@both
def test_heartbeats_at_whole_ends_are_in_time(run):
    one = job("a", tasks(1, 1.0), tasks(1, 1.0), am=beating(0.0, 0.5), slowstart=1.0)
    found = run(scenario([node(10)], [one]), "fifo+slowstart+admit-all")
    assert [(c.requested, c.begin) for c in of(found, "map")] == [(0, 500)]
    assert [(c.requested, c.begin) for c in of(found, "reduce")] == [(1500, 2000)]  # the map ends at 1500, a heartbeat


@both
def test_reduces_killed_for_a_map_are_asked_for_again_at_a_heartbeat(run):
    """The reduces of the first wave keep the second map out; the kill is at once, as the map's end shows that it is needed."""
    one = job("a", tasks(2, 1.0, memory=2), tasks(2, 1.0), am=beating(0.0, 0.7), slowstart=0.0)
    found = run(scenario([node(3), node(1)], [one]), "fifo+slowstart+admit-all")
    killed = [c for c in of(found, "reduce") if c.outcome == "killed"]
    again = [c for c in of(found, "reduce") if c.attempt == 2]
    last = of(found, "map")[-1]
    assert killed and len(again) == len(killed)
    assert all(c.requested % 700 == 0 and c.requested >= last.start for c in again)


@both
def test_ramp_up_looks_at_a_job_at_its_masters_own_heartbeats(run):
    jobs = [job("a", tasks(1, 0.5), tasks(1, 1.0), am=beating(0.3, 0.4)), job("b", tasks(1, 0.5), tasks(1, 1.0), am=master(0.3))]
    found = run(scenario([node(10)], jobs), "fifo+ramp-up+admit-all")
    # Heartbeats at 300, 700, 1100, 1500: the map begins at 700 and ends at 1200. The other master beats with the clock, at 1000.
    assert [(c.begin, c.end) for c in of(found, "map", "a")] == [(700, 1200)]
    assert [(c.requested, c.begin) for c in of(found, "reduce", "a")] == [(1500, 1900)]
    assert [(c.requested, c.begin) for c in of(found, "reduce", "b")] == [(1000, 1000)]


@both
@pytest.mark.parametrize("start", ["slowstart", "ramp-up"])
def test_heartbeats_rest_so_that_a_deadlock_is_found(run, start):
    one = job("a", tasks(1, 0.5, memory=2), tasks(1, 1.0), am=beating(0.3, 0.1), slowstart=0.0)
    found = run(scenario([node(2)], [one]), f"fifo+{start}+admit-all")
    assert found.status == "deadlock"
