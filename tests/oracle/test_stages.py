"""Applications of stages and of demand: the oracle by hand, each worked out in its comment in ms, beside
MapReduce where both mean the same, and against the engine.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import TooLarge
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.engine.agreement import check_all_three, check_runs
from tests.engine.results import result_of
from tests.examples import examples
from tests.oracle.result import Container, Result
from tests.oracle.simulator import simulate_named
from tests.preempting_schedulers import CAPACITY, FAIR
from tests.small_scenarios import master, node, of, scenario, tasks
from tests.stages_scenarios import as_mapreduce_and_stages, stages_scenarios
from tests.strategies import in_gigabytes


def stage(count: int, seconds: Any, *after: str, memory: int = 1, **more: Any) -> dict:
    one = tasks(count, seconds, memory)
    return {"tasks": one.pop("count"), **one, "after": list(after), **more}


def application(*stages: dict, **more: Any) -> dict:
    return {"name": "a", "framework": "stages", "stages": list(stages), **more}


def demand(*stages: dict, **more: Any) -> dict:
    return application(*stages, **more) | {"framework": "demand"}


def run(nodes: list[dict], *jobs: dict, **more: Any) -> Result:
    """Under fifo, as the engine too has it."""
    one = scenario(nodes, list(jobs), **more)
    check_all_three(one, "fifo")
    return simulate_named(one, "fifo")


def times(result: Result, number: int) -> list[tuple]:
    """Of a stage's containers: asked for, placed, begun, with everything fetched, ended."""
    return [
        (one.requested, one.start, one.begin, one.shuffle_end, one.end)
        for one in of(result, "task")
        if one.stage == number
    ]


def attempts(result: Result) -> list[tuple]:
    """Stage, task, attempt, start, end and outcome of each container of a task."""
    return [
        (one.stage, one.index, one.attempt, one.start, one.end, one.outcome) for one in of(result, "task")
    ]


def lost(node: str, at: float) -> dict[str, Any]:
    return {"outages": [{"node": node, "lost_s": at}]}


@pytest.mark.parametrize(
    ("slow", "second", "megabytes", "fetched"),
    [(1.0, 3.0, 30.0, 3250), (0.0, 3.0, 30.0, 3150), (0.0, 0.5, 30.0, 2050), (0.0, 0.5, 300.0, 2100)],
)
def test_the_outputs_of_two_sources_are_fetched_as_they_come(slow, second, megabytes, fetched):
    # two tasks fetch 10 MB of each of the two tasks of one source, 5 MB each: 50 ms; 30 MB of the one of the
    # other: 150 ms, 300 MB: 1500 ms. Begun at 3000, when all have ended: + 50 + 50 + 150. Begun at 0, the
    # latest of each end + what is fetched from there on: 3000 + 150; 2000 + 50; 500 + 1500 + 50 + 50
    given = application(
        stage(2, [1.0, 2.0], output_mb=10.0),
        stage(1, second, output_mb=megabytes),
        stage(2, 1.0, "stage1", "stage2", slow_start=slow),
    )
    begun = 3000 if slow else 0
    assert times(run([node(9)], given), 3) == [(begun, begun, begun, fetched, fetched + 1000)] * 2


def test_latency_is_added_once_what_is_fetched_is_rounded_up():
    # 1 MB at 3 MB/s: 333.3 ms from 1000 on, + 500
    given = application(stage(1, 1.0, output_mb=1.0), stage(1, 1.0, "stage1"))
    result = run([node(9)], given, shuffle_mb_s=3.0, shuffle_latency_s=0.5)
    assert times(result, 2) == [(1000, 1000, 1000, 1834, 2834)]


@pytest.mark.parametrize(("slow", "asked"), [(0.0, 0), (0.05, 1000), (0.5, 2000), (0.75, 3000), (1.0, 4000)])
def test_slow_start_is_of_each_source(slow, asked):
    # of four and of two, rounded up: none; 1 and 1; 2 and 1; 3 and 2, at 3000 and 2500; all. All end at 4000
    given = application(
        stage(4, [1.0, 2.0, 3.0, 4.0]),
        stage(2, [1.0, 2.5]),
        stage(1, 1.0, "stage1", "stage2", slow_start=slow),
    )
    assert times(run([node(9)], given), 3) == [(asked, asked, asked, 4000, 5000)]


def test_an_earlier_stage_goes_first_and_the_lowest_task_of_it():
    # one at a time, all asked for at 0
    given = application(stage(2, 1.0), stage(1, 1.0), stage(1, 1.0, "stage1", slow_start=0.0))
    order = [(number, index) for number, index, *_ in attempts(run([node(1)], given))]
    assert order == [(1, 0), (1, 1), (2, 0), (3, 0)]


def test_a_master_with_heartbeats_asks_and_learns_at_them():
    # heartbeats at 500 (its start-up), 1500, 2500, ...: asked for at 500, told of it at 1500, over at 2700;
    # the next stage at 3500, told of it at 4500
    given = application(
        stage(1, 1.2), stage(1, 1.0, "stage1"), am={**master(0.5), "heartbeat_s": 1.0, "linger_s": 2.0}
    )
    result = run([node(9)], given)
    assert times(result, 1) == [(500, 500, 1500, None, 2700)]
    assert times(result, 2) == [(3500, 3500, 4500, 4500, 5500)]
    assert result.jobs[0].finish == 5500


# The first stage fits a and d, the second b too, the last c too; each goes to the first that it fits.
CHAIN = [node(1, name="c"), node(2, name="b"), node(3, name="a"), node(5, name="d")]


def chain(last: float = 10.0) -> dict:
    """A task each: two of 1 s, and one that fetches for 1 s."""
    return application(
        stage(1, 1.0, memory=3),
        stage(1, 1.0, "stage1", memory=2, output_mb=100.0),
        stage(1, last, "stage2"),
    )


def test_what_a_lost_node_had_is_computed_again_while_it_is_needed():
    # 0: on a; 1000: on b; 1500: a is lost, whose output the second has: it computes on. The first again, on
    # d at 1500. 2000: the last, on c
    result = run(CHAIN, chain(), **lost("a", 1.5))
    assert attempts(result) == [
        (1, 0, 1, 0, 1000, "finished"),
        (2, 0, 1, 1000, 2000, "finished"),
        (1, 0, 2, 1500, 2500, "finished"),
        (3, 0, 1, 2000, 13_000, "finished"),
    ]


def test_what_was_lost_before_is_computed_again_when_it_is_needed():
    # 2200: a is lost, no longer needed. 2500: b is lost, before all of its output has been fetched: the
    # second again, and for it the first. Both asked for at 2500, both on d; 3500: the first is over, the
    # second has everything; 4500: it is over; the last fetches for 1 s
    outages = [{"node": "a", "lost_s": 2.2}, {"node": "b", "lost_s": 2.5}]
    result = run(CHAIN, chain(), outages=outages)
    assert attempts(result) == [
        (1, 0, 1, 0, 1000, "finished"),
        (2, 0, 1, 1000, 2000, "finished"),
        (3, 0, 1, 2000, 15_500, "finished"),
        (1, 0, 2, 2500, 3500, "finished"),
        (2, 0, 2, 2500, 4500, "finished"),
    ]
    assert times(result, 2)[1] == (2500, 2500, 2500, 3500, 4500)


def test_a_task_that_has_fetched_everything_computes_on():
    # 3000: the last has everything. 4000: b is lost, and the second computed again, on d. 4500: the last is
    # over, but not the application
    result = run(CHAIN, chain(1.5), **lost("b", 4.0))
    assert attempts(result)[-2:] == [(3, 0, 1, 2000, 4500, "finished"), (2, 0, 2, 4000, 5000, "finished")]
    assert result.jobs[0].finish == 5000


def test_output_that_no_unfinished_stage_needs_is_not_computed_again():
    # as above, but b is lost when the last is over
    result = run(CHAIN, chain(1.5), **lost("b", 4.5))
    assert len(attempts(result)) == 3
    assert result.jobs[0].finish == 4500


def test_a_lost_node_s_tasks_run_again_where_their_stage_has_been_asked_for():
    # slow start 1: both of the last stage begin at 1000 and fetch until 3000. 2000: the node of one and of an
    # output is lost. Asked for again: task 1 of the first stage and, though not all of it has finished, task
    # 1 of the last; one has room before 3000, the other one from 3000 on. Outputs of 1000 and 3000, 1 s each:
    # task 0 has all at 4000; task 1, begun at 3000, at 5000
    given = application(stage(2, 1.0, output_mb=200.0), stage(2, 5.0, "stage1"))
    result = run([node(1, count=3)], given, **lost("node1-2", 2.0))
    assert attempts(result) == [
        (1, 0, 1, 0, 1000, "finished"),
        (1, 1, 1, 0, 1000, "finished"),
        (2, 0, 1, 1000, 9000, "finished"),
        (2, 1, 1, 1000, 2000, "lost"),
        (1, 1, 2, 2000, 3000, "finished"),
        (2, 1, 2, 3000, 10_000, "finished"),
    ]


def test_a_lost_master_takes_its_tasks_with_it_and_the_next_one_goes_on():
    # 1000: up, two tasks begin; 2000: one is over. 2500: the master's node is lost, the other task is killed.
    # 3500: the next one is up: that task again, until 5500; the last stage from then on
    given = application(stage(2, [1.0, 2.0]), stage(1, 1.0, "stage1"), am=master(1.0, memory=2))
    result = run([node(2), node(1, name="n"), node(3, name="m")], given, **lost("node1", 2.5))
    assert attempts(result) == [
        (1, 0, 1, 1000, 2000, "finished"),
        (1, 1, 1, 1000, 2500, "killed"),
        (1, 1, 2, 3500, 5500, "finished"),
        (2, 0, 1, 5500, 6500, "finished"),
    ]
    assert [(one.attempt, one.start, one.end, one.outcome) for one in of(result, "am")] == [
        (1, 0, 2500, "lost"),
        (2, 2500, 6500, "finished"),
    ]


def test_a_new_master_asks_for_what_the_last_one_had_asked_for_by_slow_start_alone():
    # slow start 0: both stages from 1000 on. 2500: the master is lost; 3500: both again
    given = application(stage(1, 2.0), stage(1, 1.0, "stage1", slow_start=0.0), am=master(1.0, memory=2))
    result = run([node(2), node(2, name="n"), node(4, name="m")], given, **lost("node1", 2.5))
    assert [(number, start) for number, _, _, start, *_ in attempts(result)] == [
        (1, 1000),
        (2, 1000),
        (1, 3500),
        (2, 3500),
    ]


def test_demand_is_held_from_when_it_comes_for_as_long_as_it_was_drawn():
    # arrived at 500; the second stage is asked for at 2500, and has room when the first is over, at 3500
    given = demand(stage(2, 3.0), stage(1, 2.0, start_s=2.0), arrival_s=0.5)
    result = run([node(2)], given)
    assert times(result, 1) == [(500, 500, 500, None, 3500)] * 2
    assert times(result, 2) == [(2500, 3500, 3500, None, 5500)]
    assert result.jobs[0].finish == 5500


def test_demand_is_asked_for_at_a_heartbeat_of_its_master():
    # heartbeats at 1000, 2000, ...; 1000 + 2500: at 4000, begun at 5000
    given = demand(stage(1, 1.0, start_s=2.5), am={**master(1.0), "heartbeat_s": 1.0})
    assert times(run([node(9)], given), 1) == [(4000, 4000, 5000, None, 6000)]


@pytest.mark.parametrize(("start", "asked"), [(0.5, 3000), (1.8, 3000), (3.0, 4000)])
def test_demand_starts_by_the_clock_of_the_first_master(start, asked):
    # up at 1000, lost at 2000; the next one is up at 3000. 1500: asked for, killed at 2000 and asked for
    # again at 3000; 2800: nobody asks before 3000; 4000
    given = demand(stage(1, 9.0, start_s=start), am=master(1.0, memory=2))
    result = run([node(2), node(3, name="n"), node(3, name="m")], given, **lost("node1", 2.0))
    assert times(result, 1)[-1] == (asked, asked, asked, None, asked + 9000)


def test_output_of_demand_is_not_needed():
    # 2000: the node of the first stage's container is lost
    given = demand(stage(1, 1.0), stage(1, 3.0, memory=2))
    result = run([node(1), node(2)], given, **lost("node1", 2.0))
    assert [end for *_, end in times(result, 1)] == [1000]


def as_stages(result: Result) -> list[Container]:
    """What the containers of a MapReduce job are called when it is written as two stages."""
    number = {"am": 1, "map": 1, "reduce": 2}
    return [
        one._replace(kind="am" if one.kind == "am" else "task", stage=number[one.kind], seen=None)
        for one in result.containers
    ]


@pytest.mark.parametrize("order", ["fifo", "fair", "drf", "capacity"])
@examples(15, 120)
@given(both=as_mapreduce_and_stages(), large=st.booleans())
def test_mapreduce_written_as_two_stages_gives_the_same(order, both, large):
    """With slow start 1, and durations that are not drawn by kind."""
    mapreduce, stages = [in_gigabytes(one) if large else one for one in both]
    scheduler = f"{order}+slowstart"
    expected, found = [result_of(simulate(one, scheduler)) for one in (mapreduce, stages)]
    assert [one._replace(seen=None) for one in found.containers] == as_stages(expected)
    assert [one.finish for one in found.jobs] == [one.finish for one in expected.jobs]


@pytest.mark.parametrize("schedulers", [("fifo",), FAIR, CAPACITY], ids=["fifo", "fair", "capacity"])
@examples(15, 120)
@given(scenario=stages_scenarios(), large=st.booleans(), rules=st.data())
def test_the_engine_and_the_oracle_agree(schedulers, scenario: Scenario, large, rules):
    """Queues may kill each other's containers for ever: no more than so many kills are compared."""
    scheduler = rules.draw(st.sampled_from(schedulers))
    one = in_gigabytes(scenario) if large else scenario
    try:
        plain = simulate(one, scheduler, plain=True)
    except TooLarge:
        return
    check_runs([plain, simulate(one, scheduler)], simulate_named(one, scheduler))
