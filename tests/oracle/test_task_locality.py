"""Spark's tasks and their blocks (SPARK-13): by hand, each worked out in its comment in ms. A task lasts 1000
on its block's node, 2000 on its rack, 5000 elsewhere; of each name the nodes of the tasks' blocks are known.
"""

from __future__ import annotations

import pytest

from engine.errors import ScenarioError
from tests.engine.agreement import check_all_three
from tests.oracle.blocks import blocks_of_tasks
from tests.oracle.cluster_state import ClusterState
from tests.oracle.simulator import simulate_named
from tests.small_scenarios import job, node, scenario, tasks
from tests.spark_jobs import spark, stage

BLOCKS = {"replication": 1, "rack_factor": 2.0, "off_rack_factor": 5.0}
ON_SECOND, ONE_ON_SECOND, LAST_TWO_ON_SECOND, ON_TWO_RACKS = "i", "k", "f", "a"  # names


def run(nodes: list[dict], name: str, blocks: str, **executors) -> list[tuple]:
    """Executor, task, start and end of each; blocks: the number of the node that has each one's."""
    application = spark([stage(len(blocks), 1.0)], **executors) | {"name": name}
    one = scenario(nodes, [application], locality=BLOCKS)
    state = ClusterState(one)
    places = blocks_of_tasks(one, state.jobs[0], 1, len(blocks), state.nodes)
    assert "".join(block.name[-1] for (block,) in places) == blocks
    check_all_three(one, "fifo")
    result = simulate_named(one, "fifo")
    return [(task.container, task.index, task.start, task.end) for task in result.tasks]


def test_a_nearer_executor_brings_the_level_back():
    # 0: on node1 nothing but the rack is valid: tasks 0, 1, 2 each for 2000. 5000: an executor on node2, with
    # all blocks: task 3; the level is the node. 6000, 7000: tasks 4 and 5 there; node1 would wait until 8000
    nodes = [node(2), node(1, joins_s=5.0)]
    assert run(nodes, ON_SECOND, "222222", count=2, registered_ratio=0.0) == [
        (1, 0, 0, 2000),
        (1, 1, 2000, 4000),
        (1, 2, 4000, 6000),
        (2, 3, 5000, 6000),
        (2, 4, 6000, 7000),
        (2, 5, 7000, 8000),
    ]


def test_a_wait_begins_when_slots_were_last_filled():
    # one executor, on node1. 0 to 3000: tasks 0 to 3, node-local. 4000: it is free, and the stage has waited
    # since 3000: at 6000 task 4 on the rack, at which level all slots are filled. 8000: task 5
    assert run([node(3), node(1)], LAST_TWO_ON_SECOND, "111122", count=1, memory_mb=2) == [
        *((1, index, 1000 * index, 1000 * index + 1000) for index in range(4)),
        (1, 4, 6000, 8000),
        (1, 5, 8000, 10_000),
    ]


def test_a_level_without_executors_is_not_waited_for():
    # two executors on node1, no block there. 0, 2000: those on rack x; all slots were last filled at 2000: at
    # 5000 those of rack y
    nodes = [node(5, rack="x"), node(1, rack="x"), node(1, rack="y")]
    assert run(nodes, ON_TWO_RACKS, "222323", count=2, memory_mb=2) == [
        (1, 0, 0, 2000),
        (2, 1, 0, 2000),
        (1, 2, 2000, 4000),
        (2, 4, 2000, 4000),
        (1, 3, 5000, 10_000),
        (2, 5, 5000, 10_000),
    ]


def test_without_a_wait_tasks_near_one_executor_are_not_taken_by_another_before_it():
    # two slots each, the first on node2. Node-local: 3, 0; none, 1. Then anywhere: 2 on node2
    assert run([node(2), node(1)], ONE_ON_SECOND, "1112", count=2, slots=2, locality_wait_s=0.0) == [
        (1, 3, 0, 1000),
        (2, 0, 0, 1000),
        (2, 1, 0, 1000),
        (1, 2, 0, 2000),
    ]


@pytest.mark.parametrize("framework", ["stages", "demand"])
def test_a_cluster_with_localities_refuses_applications_whose_tasks_have_no_blocks(framework):
    other = {"framework": framework, "stages": [{"tasks": 1, "duration_s": 1, "memory_mb": 1, "vcores": 1}]}
    with pytest.raises(ScenarioError, match="not modelled beside applications of stages"):
        scenario([node(1)], [job("a", tasks(1, 1.0)), {"name": "b", **other}], locality=BLOCKS)
