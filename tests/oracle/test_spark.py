"""Spark applications: the oracle by hand, each worked out in its comment in ms, and against the engine."""

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
from tests.small_scenarios import job, node, of, scenario, tasks
from tests.spark_jobs import spark, stage
from tests.spark_scenarios import spark_scenarios
from tests.strategies import in_gigabytes


def run(*given: Any, **more: Any) -> Result:
    """Under fifo, as the engine too has it."""
    one = scenario(*given, **more)
    check_all_three(one, "fifo")
    return simulate_named(one, "fifo")


def executors(result: Result) -> list[tuple]:
    return [(one.start, one.begin, one.end, one.outcome) for one in of(result, "executor")]


def test_the_target_grows_by_one_two_four_each_second():
    # R = 0, six tasks wait at 0. 100: + 1; 1100: + 2; 2100: + 4, clipped at the 6 needed: + 3; all tasks run.
    # The last ends at 2100 + 9000
    result = run([node(9)], [spark([stage(6, 9.0)], dynamic={})])
    assert [start for start, *_ in executors(result)] == [100, 1100, 1100, 2100, 2100, 2100]
    assert result.jobs[0].finish == 11_100


def test_a_clipped_step_begins_again_at_one():
    # as above up to 2100: 7, clipped at maximum 4: + 1, the step is 1 again. 100, 1100, 1100, 2100; the first
    # ends at 100 + 5000, and so on: tasks 4 and 5 at 5100 and 6100
    result = run([node(9)], [spark([stage(6, 5.0)], dynamic={"maximum": 4})])
    assert [start for start, *_ in executors(result)] == [100, 1100, 1100, 2100]
    assert [one.start for one in result.tasks] == [100, 1100, 1100, 2100, 5100, 6100]


def test_an_idle_executor_ends_at_a_heartbeat_of_the_driver():
    # 0: two asked for and placed; 200: learnt of, they register, the task begins in the first. 300: one is
    # needed: the target is 1, and a heartbeat; the next at 3300. 1200: the second has been idle for 1 s:
    # removed, and ends at 3300
    result = run([node(9)], [spark([stage(1, 5.0)], 3.0, dynamic={"initial": 2, "idle_s": 1.0})])
    assert executors(result) == [(0, 200, 5200, "finished"), (0, 200, 3300, "finished")]


def test_an_excluded_executor_gets_no_more_task_and_stays():
    # 0: two executors, tasks 0 and 1 begin. 1500: the first is excluded; 2000: task 2 begins in the second;
    # 4000: task 3
    result = run([node(9)], [spark([stage(4, 2.0)], count=2, excluded_s=[1.5])])
    assert [(one.container, one.start) for one in result.tasks] == [(1, 0), (2, 0), (2, 2000), (2, 4000)]
    assert executors(result) == [(0, 0, 6000, "finished"), (0, 0, 6000, "finished")]


def test_one_that_registers_after_its_time_gets_none_and_zero_is_never():
    # arrival 1000. 2000: both register; the second's time was 1500
    given = spark([stage(2, 4.0)], count=2, launch_s=1.0, excluded_s=[0, 0.5])
    result = run([node(9)], [given | {"arrival_s": 1.0}])
    assert [(one.container, one.start) for one in result.tasks] == [(1, 2000), (1, 6000)]


def test_an_excluded_executor_is_removed_as_others_are_when_it_is_idle():
    # 0: two executors, as many tasks begin; 500: the first is excluded. 1000: the third task begins in the
    # second; 2000: the first has been idle for 1 s
    dynamic = {"initial": 2, "maximum": 2, "idle_s": 1.0}
    result = run([node(9)], [spark([stage(2, 1.0), stage(1, 9.0)], dynamic=dynamic, excluded_s=[0.5])])
    assert executors(result)[0] == (0, 0, 2000, "finished")


def test_containers_that_are_too_many_are_released_before_they_launch():
    # 0: three asked for, and placed; 100: one is needed, the heartbeat learns of three and releases two
    given = {"dynamic": {"initial": 3}, "registered_ratio": 0.0}
    result = run([node(9)], [spark([stage(1, 5.0)], 3.0, **given)])
    assert executors(result) == [
        (0, 100, 5100, "finished"),
        (0, None, 100, "finished"),
        (0, None, 100, "finished"),
    ]


def test_a_node_that_is_lost_before_the_first_stage_changes_no_target():
    # 0: two executors on node1, which launch until 1000. 50: node2 is lost; nothing was submitted, so that no
    # task waits and the target stays. 1000: the task begins, and one executor is needed
    dynamic = {"initial": 2, "shuffle_tracking": False}
    given = spark([stage(1, 5.0)], dynamic=dynamic, launch_s=1.0, memory_mb=2)
    result = run([node(5), node(1)], [given], outages=[{"node": "node2", "lost_s": 0.05}])
    assert [(one.time, one.executors) for one in result.targets] == [(0, 2), (1000, 1), (6000, 0)]


@pytest.mark.parametrize(("count", "begins"), [(5, 1000), (6, 30_000)])
def test_tasks_wait_for_four_fifths_of_the_executors(count, begins):
    # room for four beside the driver. 5 x .8 = 4: at 1000, when they register; 6 x .8 = 4.8: after 30 s
    result = run([node(5)], [spark([stage(2, 1.0)], count=count, launch_s=1.0)])
    assert [one.start for one in result.tasks] == [begins, begins]


@pytest.mark.parametrize(
    ("until", "learnt"), [(0.1, 200), (0.2, 600), (0.3, 600), (0.7, 1400), (2.0, 3000), (3.5, 6000)]
)
def test_a_driver_asks_more_seldom_the_longer_it_waits(until, learnt):
    # heartbeats at 0, 200, 600, 1400, 3000, 6000; the map leaves its room at `until`, and what is placed at
    # the instant of a heartbeat is learnt of at the next
    result = run([node(2)], [job("m", tasks(1, until)), spark([stage(1, 1.0)], 3.0, count=1)])
    assert executors(result) == [(1000 * until, learnt, learnt + 1000, "finished")]


def test_slots_are_filled_in_turn():
    # two executors of two slots, three tasks: the first of one, the first of the other, the second
    result = run([node(9)], [spark([stage(3, 1.0)], count=2, slots=2)])
    assert [(one.container, one.slot, one.index) for one in result.tasks] == [(1, 0, 0), (2, 0, 1), (1, 1, 2)]


def pooled(stages: list[dict], pools: list[dict], slots: int) -> list[tuple[int, int]]:
    """(start, stage) of each task in one executor of so many slots, in that order."""
    given = spark(stages, count=1, slots=slots) | {"pools": pools}
    return [(one.start, one.stage) for one in run([node(9)], [given]).tasks]


def test_the_first_pool_takes_all_slots_of_a_call():
    # 0: the executor registers, one call: a comes before default by its name and fills both slots. 1000: both
    # end, each a call: a runs none, nor does default: a; then a runs one: default; and so on. 3000: a alone
    stages = [stage(2, 1.0), {**stage(4, 1.0), "pool": "a"}]
    assert pooled(stages, [{"name": "a"}], 2) == [(0, 2), (0, 2), (1000, 2), (1000, 1), (2000, 2), (2000, 1)]


def test_a_pool_of_weight_two_runs_twice_as_many_tasks():
    # 0: a, by its name, takes six. 1000: a 0/1, b 0/2: a; a 1, b 0: b; a 1, b .5: b; a 1, b 1: a; b; b
    stages = [{**stage(9, 1.0), "pool": "a"}, {**stage(9, 1.0), "pool": "b"}]
    starts = pooled(stages, [{"name": "b", "weight": 2}, {"name": "a"}], 6)
    assert [number for start, number in starts if start == 0] == [1] * 6
    assert [number for start, number in starts if start == 1000] == [1, 2, 2, 1, 2, 2]


def test_a_pool_below_its_minimum_share_comes_first():
    # 1000: b runs none of its 2: b, b; then a 0, b 2: a; a 1: a; a 2, b 2: a
    stages = [{**stage(8, 1.0), "pool": "a"}, {**stage(9, 1.0), "pool": "b"}]
    starts = pooled(stages, [{"name": "a"}, {"name": "b", "minimum_share": 2}], 5)
    assert [number for start, number in starts if start == 0] == [2] * 5
    assert [number for start, number in starts if start == 1000] == [2, 2, 1, 1, 1]


def test_stages_of_a_fair_pool_share_alike():
    # 0: the first takes all four; 1000: in turn
    stages = [stage(6, 1.0), stage(6, 1.0)]
    for mode, second in (("fifo", [1, 1, 2, 2]), ("fair", [1, 2, 1, 2])):
        starts = pooled(stages, [{"name": "default", "mode": mode}], 4)
        assert [number for start, number in starts if start == 1000] == second


def attempts(result: Result) -> list[tuple]:
    return [(one.index, one.attempt, one.start, one.end, one.outcome) for one in result.tasks]


SLOW = {"values": [1, 1, 1, 9]}  # of four tasks, the last


def test_a_slow_task_runs_once_more_on_another_node():
    # an executor of two slots on each of two nodes, the first ten times slower. 0: tasks 0, 2 there, of 10 s,
    # 1, 3 on the other, of 1 s. 1000: 1, 3 end, half of the tasks, median 1000. 1500 is not more than 1500;
    # 1600: 0, 2 are marked, and begin on the other; 2600: both have won
    given = spark([stage(4, 1.0)], count=2, slots=2, speculation={"quantile": 0.5})
    result = run([node(2), node(1, speed=0.1)], [given])
    assert attempts(result) == [
        (0, 1, 0, 2600, "killed"),
        (1, 1, 0, 1000, "finished"),
        (2, 1, 0, 2600, "killed"),
        (3, 1, 0, 1000, "finished"),
        (0, 2, 1600, 2600, "finished"),
        (2, 2, 1600, 2600, "finished"),
    ]
    assert result.jobs[0].finish == 2600


def test_no_second_attempt_on_the_node_of_the_first():
    # as above with both executors on one node: task 3, the slow one, is marked at 1600 and has no other
    given = spark([stage(4, SLOW)], count=2, slots=2, speculation={})
    assert attempts(run([node(3)], [given]))[-1] == (3, 1, 0, 9000, "finished")


@pytest.mark.parametrize(
    ("speculation", "second"),
    [
        ({}, 1600),
        ({"multiplier": 2.0}, 2100),
        ({"minimum_s": 3.05}, 3100),
        ({"interval_s": 0.7}, 2100),
        ({"quantile": 1.0}, None),
    ],
)
def test_when_a_task_is_slow(speculation, second):
    # four tasks on two nodes; 1000: three of them have finished, of which the quantile is 3
    given = spark([stage(4, SLOW)], count=2, slots=2, speculation=speculation)
    result = run([node(2), node(1)], [given])
    starts = [one.start for one in result.tasks if one.attempt == 2]
    assert starts == ([] if second is None else [second])


def test_the_first_attempt_wins_when_it_finishes_first():
    # a task of 9000: 1600 + 9000 > 9000
    result = run([node(2), node(1)], [spark([stage(4, SLOW)], count=2, slots=2, speculation={})])
    assert attempts(result)[3:] == [(3, 1, 0, 9000, "finished"), (3, 2, 1600, 9000, "killed")]


def test_an_attempt_goes_on_when_the_other_is_lost():
    # task 0 is slow; 3000: the node of its first attempt is lost. The second has run since 1600, to 10,600
    given = spark([stage(4, {"values": [9, 1, 1, 1]})], count=2, slots=2, speculation={})
    lost = [{"node": "node2", "lost_s": 3.0}]
    result = run([node(2), node(1)], [given], outages=lost)
    assert [one for one in attempts(result) if one[0] == 0] == [
        (0, 1, 0, 3000, "lost"),
        (0, 2, 1600, 10_600, "finished"),
    ]


def test_marked_tasks_ask_for_executors():
    # 0: one executor of two slots, by the target of 1; 1600: task 1 is marked; all that waits and runs would
    # fit one executor, and another is asked for: at 1700, for it has waited for 0.1 s
    given = spark(
        [stage(2, {"values": [1, 9]})],
        slots=2,
        dynamic={"initial": 1, "backlog_s": 0.1},
        speculation={"quantile": 0.5},
    )
    result = run([node(2), node(1)], [given])
    assert [one.start for one in of(result, "executor")] == [0, 1700]
    assert attempts(result)[2:] == [(1, 2, 1700, 9000, "killed")]


def test_what_a_lost_executor_had_written_is_computed_again():
    # an executor on two nodes each. 500: tasks 0, 1; 1500: the next stage, on the first. 2000: the other is
    # lost with the output of task 1: again from 2000 in the slot that is free; the next stage goes on
    given = spark([stage(2, 1.0), stage(1, 5.0, "stage1")], count=2, slots=2, launch_s=0.5)
    lost = [{"node": "node1-3", "lost_s": 2.0}]
    result = run([node(1, count=3)], [given], outages=lost)
    assert [one.node for one in of(result, "executor")] == ["node1-2", "node1-3"]
    assert [(one.stage, one.index, one.attempt, one.container, one.start) for one in result.tasks] == [
        (1, 0, 1, 1, 500),
        (1, 1, 1, 2, 500),
        (2, 0, 1, 1, 1500),
        (1, 1, 2, 1, 2000),
    ]
    assert result.jobs[0].finish == 6500


def test_results_that_the_driver_has_are_not_computed_again():
    # as above: 2000: the other is lost, but the driver has the result of task 1
    stages = [{**stage(2, 1.0), "result": True}, stage(1, 5.0, "stage1")]
    given = spark(stages, count=2, slots=2, launch_s=0.5)
    result = run([node(1, count=3)], [given], outages=[{"node": "node1-3", "lost_s": 2.0}])
    assert [(one.stage, one.attempt, one.start) for one in result.tasks] == [
        (1, 1, 500),
        (1, 1, 500),
        (2, 1, 1500),
    ]


def test_a_stage_that_still_runs_loses_no_result():
    # as above, but task 0 ends at 3500
    stages = [{**stage(2, {"values": [3, 1]}), "result": True}, stage(1, 5.0, "stage1")]
    given = spark(stages, count=2, slots=2, launch_s=0.5)
    result = run([node(1, count=3)], [given], outages=[{"node": "node1-3", "lost_s": 2.0}])
    assert [(one.stage, one.attempt, one.start) for one in result.tasks] == [
        (1, 1, 500),
        (1, 1, 500),
        (2, 1, 3500),
    ]


@pytest.mark.parametrize(("is_result", "end"), [(False, 9200), (True, 4200)])
def test_an_executor_with_results_alone_ends_when_idle(is_result, end):
    # 200: a task in each of two; 1200: both end, stage 2 begins in the first until 9200, one is needed: the
    # target is 1, and a heartbeat; the next at 4200. 2200: the second is removed if it holds no output
    stages = [{**stage(2, 1.0), "result": is_result}, stage(1, 8.0, "stage1")]
    given = spark(stages, 3.0, dynamic={"initial": 2, "idle_s": 1.0})
    assert executors(run([node(9)], [given]))[1] == (0, 200, end, "finished")


def test_tasks_of_a_lost_executor_begin_at_once_and_it_is_replaced_two_heartbeats_later():
    # 0: asked and placed; 200: learnt; the next heartbeats at 1200, 2200. 1000: task 1 is lost, and begins
    # again in the second slot; 1200: told of; 2200: asked for, placed; 2400: learnt of
    given = spark([stage(2, 5.0)], 1.0, count=2, slots=2)
    lost = [{"node": "node1-3", "lost_s": 1.0, "back_s": 1.5}]
    result = run([node(1, count=3)], [given], outages=lost)
    assert [(one.start, one.end, one.outcome) for one in result.tasks] == [
        (200, 5200, "finished"),
        (200, 1000, "lost"),
        (1000, 6000, "finished"),
    ]
    assert executors(result) == [
        (0, 200, 6000, "finished"),
        (0, 200, 1000, "lost"),
        (2200, 2400, 6000, "finished"),
    ]


def test_no_task_begins_before_the_application_though_a_node_is_lost():
    # 2 x .8 executors never register, for one node of two is lost at 500: at 30,000
    given = {"dynamic": {"initial": 2, "minimum": 2, "shuffle_tracking": False}, "launch_s": 1.0}
    lost = [{"node": "node2", "lost_s": 0.5}]
    result = run([node(2), node(1)], [spark([stage(1, 1.0)], **given)], outages=lost)
    assert [one.start for one in result.tasks] == [30_000]


def test_a_lost_driver_takes_all_with_it():
    # 2000: its node is lost; executors and tasks are killed, all begins again at 2000 on the other node
    given = spark([stage(2, 3.0)], count=2)
    result = run([node(1), node(3)], [given], outages=[{"node": "node1", "lost_s": 2.0}])
    assert [(one.index, one.start, one.end, one.outcome) for one in of(result, "executor")] == [
        (0, 0, 2000, "killed"),
        (1, 0, 2000, "killed"),
        (2, 2000, 5000, "finished"),
        (3, 2000, 5000, "finished"),
    ]
    assert [(one.attempt, one.end, one.outcome) for one in result.tasks] == [
        (1, 2000, "killed"),
        (1, 2000, "killed"),
        (2, 5000, "finished"),
        (2, 5000, "finished"),
    ]


def test_an_application_without_room_is_stuck():
    # the driver alone fits: its target stays 1, no executor ever comes; dated at the last start
    result = run([node(1)], [spark([stage(1, 1.0)], 3.0, dynamic={"idle_s": 0.0})])
    assert (result.status, result.at_ms, result.tasks) == ("deadlock", 0, [])


@pytest.mark.parametrize("schedulers", [("fifo",), FAIR, CAPACITY], ids=["fifo", "fair", "capacity"])
@examples(15, 120)
@given(scenario=spark_scenarios(), large=st.booleans(), rules=st.data())
def test_the_engine_and_the_oracle_agree(schedulers, scenario: Scenario, large, rules):
    """Queues may kill each other's containers for ever: no more than so many kills are compared."""
    scheduler = rules.draw(st.sampled_from(schedulers))
    one = in_gigabytes(scenario) if large else scenario
    try:
        plain = simulate(one, scheduler, plain=True)
    except TooLarge:
        return
    check_runs([plain, simulate(one, scheduler)], simulate_named(one, scheduler))
