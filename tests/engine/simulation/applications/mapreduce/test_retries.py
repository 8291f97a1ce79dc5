"""Attempts that fail, masters and nodes that are lost, second attempts: worked out by hand; times in ms. The
naive simulator must say the same.
"""

from __future__ import annotations

import pytest

from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.oracle import simulator
from tests.small_scenarios import job, master, node, of, scenario, tasks

SLOWSTART = "fifo+slowstart+admit-all"


def both(of: Scenario, scheduler: str = SLOWSTART):
    """The engine's result, which the naive simulator shares."""
    result = result_of(simulate(of, scheduler, plain=True))
    expected = simulator.simulate_named(of, scheduler)
    assert [c._replace(seen=None) for c in result.containers] == [
        c._replace(seen=None) for c in expected.containers
    ]
    assert result.jobs == expected.jobs
    return result


def spans(result, kind: str, name: str | None = None) -> list[tuple]:
    return [(c.index, c.attempt, c.start, c.end, c.outcome) for c in of(result, kind, name)]


def test_an_attempt_fails_at_its_point_and_the_fourth_failure_fails_the_job():
    # every attempt fails halfway through 1000 ms; the next is asked for at once; the other job is not touched
    failing = {"probability": 1.0, "at": 0.5}
    result = both(scenario([node(9)], [job("a", tasks(1))], failures=failing))
    assert spans(result, "map") == [
        (0, 1, 0, 500, "failed"),
        (0, 2, 500, 1000, "failed"),
        (0, 3, 1000, 1500, "failed"),
        (0, 4, 1500, 2000, "failed"),
    ]
    assert (result.status, result.jobs[0].finish, result.jobs[0].failed) == ("finished", 2000, True)
    result = both(scenario([node(9)], [job("a", tasks(1))], failures=failing | {"max_attempts": 1}))
    assert spans(result, "map") == [(0, 1, 0, 500, "failed")]


def test_a_job_that_fails_stops_what_runs_of_it_and_its_master_ends():
    # map 0 of 1000 ms and map 1 of 9000 ms: the fourth failure of map 0 is at 4 x 500, map 1 then ran for
    # 2000 ms
    failing = {"probability": 1.0, "at": 0.5}
    result = both(scenario([node(9)], [job("a", tasks(2, [1.0, 9.0]), am=master())], failures=failing))
    assert spans(result, "map")[1] == (1, 1, 0, 2000, "killed")
    assert [(c.end, c.outcome) for c in of(result, "am")] == [(2000, "finished")]


def test_other_attempts_have_other_luck_and_the_same_duration():
    draws = {"dist": "exponential", "mean": 1.0}
    plain = both(scenario([node(40)], [job("a", tasks(40, draws))]))
    result = both(
        scenario([node(40)], [job("a", tasks(40, draws))], failures={"probability": 0.3, "at": 1.0})
    )
    length = {c.index: c.end - c.start for c in of(plain, "map")}
    assert all(c.end - c.start == length[c.index] for c in of(result, "map"))
    assert {c.attempt for c in of(result, "map")} >= {1, 2} and not result.jobs[0].failed


def test_a_lost_node_takes_its_containers_and_the_outputs_of_its_maps():
    # two nodes of one container; map 0 on the first ends at 1000, map 1 on the second at 2000; reduces after
    # all maps. at 1500 the first node is lost: map 0 runs again, on the second node from 2000 to 3000, then
    # the reduce
    jobs = [job("a", tasks(2, [1.0, 2.0]), tasks(1), slowstart=1.0)]
    result = both(scenario([node(count=2)], jobs, outages=[{"node": "node1-1", "lost_s": 1.5}]))
    assert spans(result, "map") == [
        (0, 1, 0, 1000, "finished"),
        (1, 1, 0, 2000, "finished"),
        (0, 2, 2000, 3000, "finished"),
    ]
    assert spans(result, "reduce") == [(0, 1, 3000, 4000, "finished")]
    # map-only: what has finished stays
    result = both(
        scenario(
            [node(count=2)], [job("a", tasks(2, [1.0, 2.0]))], outages=[{"node": "node1-1", "lost_s": 1.5}]
        )
    )
    assert result.jobs[0].finish == 2000
    # lost at 500: map 0 is lost with it and starts again when the node is back
    result = both(
        scenario(
            [node(count=2)],
            [job("a", tasks(2, [1.0, 2.0]))],
            outages=[{"node": "node1-1", "lost_s": 0.5, "back_s": 0.7}],
        )
    )
    assert spans(result, "map") == [
        (0, 1, 0, 500, "lost"),
        (1, 1, 0, 2000, "finished"),
        (0, 2, 700, 1700, "finished"),
    ]


def test_a_reduce_that_has_fetched_everything_does_not_wait_for_maps_that_run_again():
    # the reduce on node 1 computes from 1000 to 6000, its map ran on node 2 to 1000; that is lost at 2000:
    # the map runs again beside the reduce
    jobs = [job("a", tasks(1, memory=2), tasks(1, 5.0), slowstart=0.0)]
    result = both(
        scenario([node(1), node(2), node(2, speed=0.5)], jobs, outages=[{"node": "node2", "lost_s": 2.0}])
    )
    assert spans(result, "map") == [(0, 1, 0, 1000, "finished"), (0, 2, 2000, 4000, "finished")]
    assert spans(result, "reduce") == [(0, 1, 0, 6000, "finished")]


def test_a_master_that_is_lost_starts_again_twice_and_keeps_finished_maps():
    # the master needs 2 vcores, which the first node alone has; maps of 1000 and 3000 ms on the second;
    # start-up 500
    nodes = [node(1, 2, name="m"), node(2, 1, name="n")]
    jobs = [job("a", tasks(2, [1.0, 3.0]), am=master(0.5, vcores=2))]
    result = both(scenario(nodes, jobs, outages=[{"node": "m", "lost_s": 2.0, "back_s": 2.1}]))
    assert spans(result, "am") == [(0, 1, 0, 2000, "lost"), (0, 2, 2100, 5600, "finished")]
    # one vcore: map 0 from 500 to 1500, map 1 from 1500, killed with its master at 2000, again from 2600 to
    # 5600
    assert spans(result, "map") == [
        (0, 1, 500, 1500, "finished"),
        (1, 1, 1500, 2000, "killed"),
        (1, 2, 2600, 5600, "finished"),
    ]


def test_a_third_loss_of_the_master_fails_the_job():
    lost = [{"node": "m", "lost_s": at, "back_s": at + 0.1} for at in (1.0, 2.0, 3.0)]
    nodes = [node(1, 2, name="m"), node(2, 1, name="n")]
    jobs = [job("a", tasks(1, 9.0), am=master(vcores=2))]
    result = both(scenario(nodes, jobs, outages=lost))
    assert [c.outcome for c in of(result, "am")] == ["lost", "lost", "lost"]
    assert (result.jobs[0].finish, result.jobs[0].failed) == (3000, True)


@pytest.mark.parametrize(("kinds", "attempts"), [("none", 1), ("maps", 2)])
def test_a_straggler_gets_a_second_attempt_and_the_first_to_finish_wins(kinds, attempts):
    # 4 maps, three of 2000 ms, one of 20000 ms: at 2000 its progress says 20000, the mean 2000; both attempts
    # have the same draw, so that the first wins at 20000 and the second, begun at 2000, is killed
    jobs = [job("a", tasks(4, [2.0, 2.0, 2.0, 20.0]), speculation=kinds)]
    map_spans = spans(both(scenario([node(9)], jobs)), "map")
    assert len(map_spans) == 3 + attempts and map_spans[3] == (3, 1, 0, 20_000, "finished")
    if attempts == 2:
        assert map_spans[4] == (3, 2, 2000, 20_000, "killed")


def test_a_slow_attempt_is_overtaken():
    # stragglers are slow by attempt: the second one of a task need not be
    slow = {"share": 0.2, "factor": 20.0}
    late = both(scenario([node(40)], [job("a", tasks(10, 2.0))], stragglers=slow))
    result = both(scenario([node(40)], [job("a", tasks(10, 2.0), speculation="both")], stragglers=slow))
    assert result.jobs[0].finish < late.jobs[0].finish == 40_000
    assert any(c.outcome == "finished" and c.attempt == 2 for c in of(result, "map"))
