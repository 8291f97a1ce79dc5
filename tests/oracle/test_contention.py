"""Contention where not all tasks are of MapReduce: the oracle by hand, each worked out in its comment in ms,
and against the engine. g is the contention, k the load of the node.
"""

from __future__ import annotations

from typing import Any

from tests.engine.agreement import check_all_three
from tests.oracle.result import Result
from tests.oracle.simulator import simulate_named
from tests.small_scenarios import job, master, node, of, scenario, tasks


def stage(count: int, seconds: Any, *after: str, memory: int = 1, **more: Any) -> dict:
    one = tasks(count, seconds, memory)
    return {"tasks": one.pop("count"), **one, "after": list(after), **more}


def stages(*given: dict, framework: str = "stages") -> dict:
    return {"name": "a", "framework": framework, "stages": list(given)}


def spark(*given: dict, **executors: Any) -> dict:
    return {
        "name": "a",
        "framework": "spark",
        "am": {**master(), "heartbeat_s": 0.0},
        "executors": {"memory_mb": 1, "memory_overhead_mb": 0, "vcores": 1, **executors},
        "stages": [{"tasks": one["tasks"], "duration_s": one["duration_s"]} for one in given],
    }


def run(nodes: list[dict], *jobs: dict, **more: Any) -> Result:
    """Under fifo, as the engine too has it."""
    one = scenario(nodes, list(jobs), **more)
    check_all_three(one, "fifo")
    return simulate_named(one, "fifo")


def ends(result: Result, kind: str) -> list[int | None]:
    return [one.end for one in of(result, kind)]


def test_an_executor_counts_with_as_many_tasks_as_run_in_it():
    # g = 0.5, two tasks in slots and a map: k = 3, each at half speed: the first ends at 2000. Then k = 2: of
    # the other 1000 are left, it ends at 2000 + 1500; of the map 2000 are left at 2000 and 1000 at 3500: it
    # is alone until 4500
    result = run(
        [node(3)], spark(stage(2, [1.0, 2.0]), count=1, slots=2), job("m", tasks(1, 3.0)), contention=0.5
    )
    assert [one.end for one in result.tasks] == [2000, 3500]
    assert ends(result, "map") == [4500]


def test_an_idle_executor_and_a_driver_count_nothing():
    # g = 1, of two executors one runs a task: k = 2
    result = run([node(4)], spark(stage(1, 1.0), count=2), job("m", tasks(1, 1.0)), contention=1.0)
    assert [one.end for one in result.tasks] == ends(result, "map") == [2000]


def test_a_task_that_takes_the_place_of_another_moves_no_end():
    # g = 1: a slot runs 1000 and then 1000 beside a map of 3000: k = 2 until 4000, when 1000 are left
    result = run([node(3)], spark(stage(2, 1.0), count=1), job("m", tasks(1, 3.0)), contention=1.0)
    assert [(one.start, one.end) for one in result.tasks] == [(0, 2000), (2000, 4000)]
    assert ends(result, "map") == [5000]


def test_a_task_that_waits_for_output_counts_nothing():
    # g = 1, the second stage waits from 0 on: k = 2, the first ends at 2000. Then the second computes, until
    # 4000; the map of 4000 has 2000 left
    result = run(
        [node(3)],
        stages(stage(1, 1.0), stage(1, 1.0, "stage1", slow_start=0.0)),
        job("m", tasks(1, 4.0)),
        contention=1.0,
    )
    assert ends(result, "task") == [2000, 4000]
    assert ends(result, "map") == [6000]


def test_a_task_counts_when_all_it_reads_is_there_and_while_output_is_lost_not_any_more():
    # g = 1. On y a reader waits beside a map of 10 s. 1000: the source, on x, is over; 10 s to fetch, k = 2.
    # 2000: x is lost: 10,000 - 1000 - 500 of the map are left, and it is alone. 3000: the source is over
    # again, on z: 7500 are left, k = 2 while the reader fetches, until 13,000, and computes, until 15,000:
    # 1500 left
    nodes = [node(3, name="x"), node(2, name="y"), node(3, name="z")]
    given = stages(stage(1, 1.0, memory=3, output_mb=1000.0), stage(1, 1.0, "stage1", slow_start=0.0))
    lost = [{"node": "x", "lost_s": 2.0}]
    result = run(nodes, given, job("m", tasks(1, 10.0)), contention=1.0, outages=lost)
    assert [(one.node, one.shuffle_end, one.end) for one in of(result, "task")] == [
        ("x", None, 1000),
        ("y", 13_000, 15_000),
        ("z", None, 3000),
    ]
    assert ends(result, "map") == [16_500]


def test_a_held_container_counts_while_it_fetches_and_computes():
    # g = 1: k = 2, the first vertex ends at 2000; the second fetches from then until 3000, at its own rate,
    # and computes until 5000; k = 2 throughout: 3500 of the map's 6000 are left
    one = stages(stage(1, 1.0, output_mb=100.0), stage(1, 1.0, "stage1"), framework="tez")
    one |= {"am": {**master(), "heartbeat_s": 0.0}}
    result = run([node(3)], one, job("m", tasks(1, 6.0)), contention=1.0)
    assert [(one.start, one.end) for one in result.tasks] == [(0, 2000), (2000, 5000)]
    assert ends(result, "map") == [8500]


def test_a_task_counts_from_its_launch_on():
    # g = 1. The map has been launched at 1000, the task, of which its master learns at 1000, at 1500: the map
    # is alone until then, with 1500 left; the task ends at 3500, when 500 are left
    given = stages(stage(1, 1.0)) | {"am": {**master(), "heartbeat_s": 1.0}}
    result = run([node(3)], given, job("m", tasks(1, 2.0), arrival_s=0.5), contention=1.0, launch_s=0.5)
    assert [(one.begin, one.end) for one in of(result, "map")] == [(1000, 4000)]
    assert [(one.begin, one.end) for one in of(result, "task")] == [(1500, 3500)]


def test_demand_is_held_as_long_as_it_says_and_slows_nobody():
    held = stages({key: value for key, value in stage(2, 3.0).items() if key != "after"}, framework="demand")
    result = run([node(3)], held, job("m", tasks(1, 1.0)), contention=1.0)
    assert (ends(result, "task"), ends(result, "map")) == ([3000, 3000], [1000])


def test_executors_that_launch_on_a_node_slow_each_other():
    # Launch contention 1, the driver on the first node with one executor, two on the second. Two launch at
    # half speed from 0 on, and register at 2000; the one that is alone at 1000: the
    # tasks that it runs meanwhile slow none
    nodes = [node(2), node(2)]
    given = spark(stage(3, 0.5), count=3, launch_s=1.0, registered_ratio=0.0)
    result = run(nodes, given, launch_contention=1.0)
    assert sorted(one.begin for one in of(result, "executor")) == [1000, 2000, 2000]


def test_a_launch_is_slowed_as_long_as_another_lasts():
    # On one node from 0 on a launches alone, from 500 on beside b of the second application: at half speed
    # its other 500 last until 1500; of b 500 are left then, alone until 2000
    first = spark(stage(1, 5.0), count=1, launch_s=1.0)
    second = {**first, "name": "b", "arrival_s": 0.5}
    result = run([node(4)], first, second, launch_contention=1.0)
    assert sorted(one.begin for one in of(result, "executor")) == [1500, 2000]


def test_a_launch_that_ends_with_its_application_slows_no_longer():
    # a's first executor is alone on its node and runs the only task from 1000 to 1500, when a ends. The
    # second launches on the other node, from 250 on beside b's, of which 625 are done at 1500: alone the
    # other 375 take until 1875
    first = spark(stage(1, 0.5), count=2, launch_s=1.0, registered_ratio=0.0)
    second = {**spark(stage(1, 1.0), count=1, launch_s=1.0), "name": "b", "arrival_s": 0.25}
    result = run([node(4), node(1)], first, second, launch_contention=1.0)
    assert [(one.job, one.begin) for one in of(result, "executor")] == [("a", 1000), ("a", None), ("b", 1875)]
