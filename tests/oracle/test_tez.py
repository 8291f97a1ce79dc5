"""Tez applications: the oracle by hand, each worked out in its comment in ms, and against the engine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import TooLarge
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.engine.agreement import check_all_three, check_runs
from tests.examples import examples
from tests.oracle.result import Result
from tests.oracle.simulator import simulate_named
from tests.preempting_schedulers import CAPACITY, FAIR
from tests.small_scenarios import job, master, node, of, scenario, tasks
from tests.strategies import in_gigabytes
from tests.tez_scenarios import tez_scenarios


def vertex(count: int, seconds: Any, *after: str, memory: int = 1, **more: Any) -> dict:
    one = tasks(count, seconds, memory)
    return {"tasks": one.pop("count"), **one, "after": list(after), **more}


def tez(*vertices: dict, beat: float = 0.0, startup: float = 0.0, **containers: Any) -> dict:
    """Its master has 1 MB and sends heartbeats every so often, 0: asks and learns at once. Idle containers
    stay for 5 s; tasks are scheduled when the sources of their vertex have finished.
    """
    rules = {"idle_minimum_s": 5.0, "idle_maximum_s": 5.0, "slow_start_minimum": 1.0}
    rules |= {"slow_start_maximum": 1.0, **containers}
    return {
        "name": "a",
        "framework": "tez",
        "am": {**master(startup), "heartbeat_s": beat},
        "containers": rules,
        "stages": list(vertices),
    }


def run(nodes: list[dict], *jobs: dict, order: str = "fifo", **more: Any) -> Result:
    """Under a scheduler, as the engine too has it."""
    one = scenario(nodes, list(jobs), **more)
    check_all_three(one, order)
    return simulate_named(one, order)


def held(result: Result) -> list[tuple]:
    """Of each container: vertex, asked for, placed, launched, ended."""
    return [(one.stage, one.requested, one.start, one.begin, one.end) for one in of(result, "executor")]


def attempts(result: Result) -> list[tuple]:
    """Of each attempt: its container's place among those of vertices, vertex, task, begin, end."""
    places = [place for place, one in enumerate(result.containers) if one.kind == "executor"]
    return [(places.index(one.container), one.stage, one.index, one.start, one.end) for one in result.tasks]


def lost(node: str, at: float) -> dict[str, Any]:
    return {"outages": [{"node": node, "lost_s": at}]}


def test_a_container_runs_task_after_task():
    # room for two beside the master: tasks 0 and 1 at 0, 2 at 1000 where 0 has ended, 3 at 2000; the second
    # vertex at 3000 in the first of the two that are idle
    one = tez(vertex(4, [1.0, 2.0, 2.0, 1.0]), vertex(1, 1.0, "stage1"))
    result = run([node(3)], one)
    assert attempts(result) == [
        (0, 1, 0, 0, 1000),
        (1, 1, 1, 0, 2000),
        (0, 1, 2, 1000, 3000),
        (1, 1, 3, 2000, 3000),
        (0, 2, 0, 3000, 4000),
    ]
    assert held(result) == [(1, 0, 0, 0, 4000), (1, 0, 0, 0, 4000)]


def test_without_reuse_each_task_has_a_container_of_its_own():
    # as above: a container ends with its task, what waits takes its room
    one = tez(vertex(4, [1.0, 2.0, 2.0, 1.0]), vertex(1, 1.0, "stage1"), reuse=False)
    assert held(run([node(3)], one)) == [
        (1, 0, 0, 0, 1000),
        (1, 0, 0, 0, 2000),
        (1, 0, 1000, 1000, 3000),
        (1, 0, 2000, 2000, 3000),
        (2, 3000, 3000, 3000, 4000),
    ]


def test_a_container_that_is_too_small_is_released_after_the_delay():
    # 1000: the second vertex needs 2 MB, the room beside master and first container is 1 MB. 1250: that one
    # is released, and ends at once; the second's is placed
    one = tez(vertex(1, 1.0), vertex(1, 1.0, "stage1", memory=2))
    assert held(run([node(3)], one)) == [(1, 0, 0, 0, 1250), (2, 1000, 1250, 1250, 2250)]


def test_the_delay_begins_when_a_task_waits():
    # 1000: the first container is idle; 3000: the other vertex's 2 MB wait, of which there is 1: both go at
    # 3250
    one = tez(vertex(2, [1.0, 3.0]), vertex(1, 1.0, "stage1", memory=2))
    ends = [end for *_, end in held(run([node(3)], one))]
    assert ends == [3250, 3250, 4250]


def test_a_larger_container_is_used_again_for_a_smaller_task():
    # 1000: of the three that are idle the first that has 2 MB
    one = tez(vertex(1, 1.0), vertex(2, 1.0, memory=3), vertex(1, 1.0, "stage1", "stage2", memory=2))
    assert attempts(run([node(9)], one))[-1] == (1, 3, 0, 1000, 2000)


def test_an_idle_container_ends_at_a_heartbeat_of_the_master():
    # heartbeats at 0, 2000, 4000, ...: asked for at 0, placed; known and launched at 2000. 2500: the first
    # is idle, nothing waits; 4000: its 1.5 s are over, and it is released, of which the heartbeat at 6000
    # tells
    one = tez(vertex(2, [0.5, 9.0]), beat=2.0, idle_minimum_s=1.5, idle_maximum_s=1.5)
    assert held(run([node(3)], one)) == [(1, 0, 0, 2000, 6000), (1, 0, 0, 2000, 11_000)]


def test_the_idle_time_is_drawn_evenly():
    # between 1 and 3 s after 1000; a container of its own for each of twenty, none alike
    one = tez(vertex(21, [1.0] * 20 + [9.0]), idle_minimum_s=1.0, idle_maximum_s=3.0)
    ends = [end for *_, end in held(run([node(30)], one))[:20]]
    assert len(set(ends)) == 20
    assert 2000 <= min(ends) < 2400 < 3600 < max(ends) < 4000


def test_a_container_too_many_is_released_before_it_is_launched():
    # heartbeats at 0, 1000, ...; two are asked for at 0, room for one until the map ends at 1500. 1000: known
    # and launched: a task until 1500, the second until 2000. The other container, placed at 1500, is known at
    # 2000, when nothing waits
    one = tez(vertex(2, 0.5), vertex(1, 9.0, "stage1"), beat=1.0)
    result = run([node(3)], job("m", tasks(1, 1.5)), one)
    assert held(result) == [(1, 0, 0, 1000, 11_000), (1, 0, 1500, None, 2000)]
    assert attempts(result) == [(0, 1, 0, 1000, 1500), (0, 1, 1, 1500, 2000), (0, 2, 0, 2000, 11_000)]


def test_what_is_too_many_is_withdrawn():
    # as above, but the map ends at 2500: one that waits is withdrawn at 2000
    one = tez(vertex(2, 0.5), vertex(1, 9.0, "stage1"), beat=1.0)
    assert len(held(run([node(3)], job("m", tasks(1, 2.5)), one))) == 1


@pytest.mark.parametrize(
    ("least", "most", "begins"),
    [
        (0.25, 0.75, [2000, 2000, 3000, 3000]),
        (0.5, 0.5, [2000] * 4),
        (0.0, 1.0, [1000, 2000, 3000, 4000]),
        (0.0, 0.0, [0] * 4),
        (1.0, 1.0, [4000] * 4),
    ],
)
def test_slow_start_between_two_shares(least, most, begins):
    # a task of four ends each second. A quarter to three quarters: x = 0, .5, 1, 1 at 1 to 4 s, two tasks
    # more each time; a half: all at 2 s; none to all: one a second
    one = tez(
        vertex(4, [1.0, 2.0, 3.0, 4.0]),
        vertex(4, 9.0, "stage1"),
        slow_start_minimum=least,
        slow_start_maximum=most,
    )
    result = run([node(9)], one)
    assert [one.start for one in result.tasks if one.stage == 2] == begins


def test_slow_start_is_of_the_slowest_source():
    # 1000: all of the first, none of the second; 2000: half of it, x = .5: one of two
    one = tez(
        vertex(1, 1.0),
        vertex(2, [2.0, 3.0]),
        vertex(2, 1.0, "stage1", "stage2"),
        slow_start_minimum=0.25,
        slow_start_maximum=0.75,
    )
    result = run([node(9)], one)
    assert [one.start for one in result.tasks if one.stage == 3] == [2000, 3000]


def test_a_task_fetches_what_its_sources_have_written():
    # one of 100 MB at 1000, another at 2000, half of each to a task at 100 MB/s. At 1000 half are finished:
    # task 0 begins in the container that is idle; max(1000 + 500 + 500, 1000 + 1000, 2000 + 500), + 1 s; task
    # 1 at 2000: 2000 + 1000, + 1 s
    one = tez(
        vertex(2, [1.0, 2.0], output_mb=100.0),
        vertex(2, 1.0, "stage1"),
        slow_start_minimum=0.0,
        slow_start_maximum=1.0,
    )
    result = run([node(3)], one)
    assert attempts(result)[2:] == [(0, 2, 0, 1000, 3500), (1, 2, 1, 2000, 4000)]


def test_the_next_dag_of_a_session_waits_for_the_one_before():
    # submitted at 1000, 1500 and 9000 after the master's start-up at 1000. The first until 4000, the second
    # then in its container, until 5000; that is idle until 10 000, when the third takes it; it lingers
    vertices = [vertex(1, 3.0), vertex(1, 1.0, start_s=0.5), vertex(1, 1.0, start_s=9.0)]
    result = run([node(9)], tez(*vertices, startup=1.0, idle_minimum_s=6.0, idle_maximum_s=6.0))
    assert attempts(result) == [(0, 1, 0, 1000, 4000), (0, 2, 0, 4000, 5000), (0, 3, 0, 10_000, 11_000)]
    assert held(result) == [(1, 1000, 1000, 1000, 11_000)]
    assert result.jobs[0].finish == 11_000


def test_held_containers_do_not_take_tasks_ahead_of_a_vertex_that_waits():
    # 1000: the second vertex begins, task 0 on n in the first one's container. 1200: n is lost, with that and
    # the output. The first vertex waits for n; the other containers, idle from 1500 on, do not take task 0,
    # and are released at 1750. One that is asked for it has room then, and takes it. 3000: n is back, the
    # output is there at 4000
    one = tez(vertex(1, 1.0, memory=3), vertex(3, 0.5, "stage1"))
    outages = [{"node": "n", "lost_s": 1.2, "back_s": 3.0}]
    result = run([node(1, count=3), node(3, name="n")], one, order="fair(update_ms=0)", outages=outages)
    assert attempts(result) == [
        (0, 1, 0, 0, 1000),
        (0, 2, 0, 1000, 1200),
        (1, 2, 1, 1000, 1500),
        (2, 2, 2, 1000, 1500),
        (3, 2, 0, 1750, 4500),
        (4, 1, 0, 3000, 4000),
    ]
    assert [end for *_, end in held(result)] == [1200, 1750, 1750, 4500, 4500]


def test_tasks_and_output_of_a_lost_node_are_computed_again():
    # two nodes with room for one, the master on a third. 1000: both have written, the second vertex begins on
    # the first of them, and fetches until 3000. 2000: the other is lost: its task again there, after the node
    # is back, from 2500 to 3500; max(1000 + 2000, 1000 + 2000, 3500 + 1000), + 1 s
    one = tez(vertex(2, 1.0, output_mb=100.0), vertex(1, 1.0, "stage1"))
    outages = [{"node": "node1-3", "lost_s": 2.0, "back_s": 2.5}]
    result = run([node(1, count=3)], one, outages=outages)
    assert attempts(result) == [
        (0, 1, 0, 0, 1000),
        (1, 1, 1, 0, 1000),
        (0, 2, 0, 1000, 5500),
        (2, 1, 1, 2500, 3500),
    ]
    assert [one.attempt for one in result.tasks] == [1, 1, 1, 2]


def test_when_a_task_has_what_it_reads_stands_beside_it():
    # 1000: half of the first vertex is over, the second begins, has fetched that at 2000 and waits until 3000
    # for the other 100 MB; what reads nothing has no such time
    one = tez(
        vertex(2, [1.0, 3.0], output_mb=100.0),
        vertex(1, 1.0, "stage1"),
        slow_start_minimum=0.5,
        slow_start_maximum=0.5,
    )
    result = run([node(3)], one)
    assert [(one.start, one.shuffle_end, one.end) for one in result.tasks] == [
        (0, None, 1000),
        (0, None, 3000),
        (1000, 4000, 5000),
    ]


def test_a_lost_master_takes_its_containers_and_leaves_what_has_finished():
    # 1500: the master's node is lost, task 1 and its container are killed, the idle one too; the next master
    # is up at 2500: task 1 again, in the first vertex's third container, until 4500
    one = tez(vertex(2, [0.2, 2.0]), vertex(1, 1.0, "stage1"), startup=1.0)
    result = run([node(1), node(3, name="n")], one, **lost("node1", 1.5))
    assert [(one.index, one.end, one.outcome) for one in of(result, "executor")] == [
        (0, 1500, "killed"),
        (1, 1500, "killed"),
        (2, 5500, "finished"),
    ]
    assert attempts(result) == [
        (0, 1, 0, 1000, 1200),
        (1, 1, 1, 1000, 1500),
        (2, 1, 1, 2500, 4500),
        (2, 2, 0, 4500, 5500),
    ]


@pytest.mark.parametrize("schedulers", [("fifo",), FAIR, CAPACITY], ids=["fifo", "fair", "capacity"])
@examples(15, 120)
@given(scenario=tez_scenarios(), large=st.booleans(), rules=st.data())
def test_the_engine_and_the_oracle_agree(schedulers, scenario: Scenario, large, rules):
    """Queues may kill each other's containers for ever: no more than so many kills are compared."""
    scheduler = rules.draw(st.sampled_from(schedulers))
    one = in_gigabytes(scenario) if large else scenario
    try:
        plain = simulate(one, scheduler, plain=True)
    except TooLarge:
        return
    check_runs([plain, simulate(one, scheduler)], simulate_named(one, scheduler))
