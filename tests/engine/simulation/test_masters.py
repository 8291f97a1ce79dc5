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
