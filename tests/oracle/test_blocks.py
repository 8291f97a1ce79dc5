"""Where blocks lie and what that does, worked out by hand."""

from __future__ import annotations

from tests.oracle.blocks import place_block
from tests.oracle.cluster_state import ClusterState
from tests.oracle.simulator import simulate_named
from tests.oracle.workload import Node
from tests.small_scenarios import job, node, scenario, tasks


def nodes(*racks):
    return [Node(f"{rack}{place}", 1, 1, 1.0, rack, {}) for place, rack in enumerate(racks)]


def placed(numbers, *racks):
    return [node.name for node in place_block(numbers, nodes(*racks))]


def test_hdfs_places_the_second_copy_on_another_rack_and_the_third_beside_it():
    # of a0 a1 b2 b3 b4: .3 x 5 = 1: a1; of b2 b3 b4 .4 x 3 = 1: b3; of b2 b4 .9 x 2 = 1: b4; of a0 b2 .1 x 2
    # = 0: a0
    assert placed([0.3, 0.4, 0.9, 0.1], "a", "a", "b", "b", "b") == ["a1", "b3", "b4", "a0"]


def test_where_there_is_no_such_node_any_that_is_left_does():
    assert placed([0.3, 0.9, 0.4], "a", "a", "a") == ["a0", "a2", "a1"]  # one rack
    assert placed([0.0, 0.0, 0.9], "a", "b", "a") == ["a0", "b1", "a2"]  # nothing beside b1
    assert placed([0.9, 0.9, 0.9], "a", "b") == ["b1", "a0"]  # more copies than nodes


def test_a_container_takes_the_nearest_waiting_map():
    nodes = [node(1, rack="x", count=2), node(1, rack="y")]
    blocks = {"replication": 1, "rack_factor": 2.0, "off_rack_factor": 5.0}
    result = scenario(nodes, [job("a", tasks(30, 1.0))], locality=blocks)
    state = ClusterState(result)
    left = set(range(30))
    for container in simulate_named(result, "fifo").containers:
        on = next(node for node in state.nodes if node.name == container.node)
        far = {index: state.jobs[0].distance(index, on) for index in left}
        assert container.index == min(left, key=lambda index: (far[index], index))
        assert container.end - container.start == (1000, 2000, 5000)[far[container.index]]
        left.remove(container.index)
    assert not left
