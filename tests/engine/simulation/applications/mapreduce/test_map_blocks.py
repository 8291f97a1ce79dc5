"""Distances: where blocks lie, and which map a container takes."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.oracle.cluster_state import ClusterState
from tests.small_scenarios import job, node, scenario, tasks

BLOCKS = {"replication": 1, "rack_factor": 2.0, "off_rack_factor": 5.0}


def run(nodes, jobs, scheduler="fifo", **blocks):
    case = scenario(nodes, jobs, locality={**BLOCKS, **blocks})
    return case, result_of(simulate(case, scheduler, plain=True)).containers


def distances(found, containers):
    naive = ClusterState(found)
    nodes = {node.name: node for node in naive.nodes}
    jobs = {job.name: job for job in naive.jobs}
    return [jobs[c.job].distance(c.index, nodes[c.node]) for c in containers]


def test_a_map_computes_for_longer_the_farther_its_block_is():
    case, containers = run([node(1, rack="x", count=2), node(1, rack="y")], [job("a", tasks(30, 1.0))])
    far = distances(case, containers)
    assert set(far) == {0, 1, 2}
    assert [c.end - c.start for c in containers] == [(1000, 2000, 5000)[one] for one in far]


def test_with_a_copy_on_every_node_all_is_as_without():
    nodes, jobs = (
        [node(2, rack="x", count=2), node(3)],
        [job("a", tasks(9, 1.0), tasks(2, 1.0)), job("b", tasks(5, 2.0))],
    )
    _, containers = run(nodes, jobs, replication=3)
    assert containers == result_of(simulate(scenario(nodes, jobs), "fifo")).containers


def test_the_lowest_of_the_nearest_is_next_and_an_iteration_begins_anew():
    case, containers = run([node(1), node(1)], [job("a", tasks(6, 1.0), iterations=2)], replication=1)
    for stage in (1, 2):
        there = [c for c in containers if c.stage == stage]
        assert sorted(c.index for c in there) == list(range(6))
        near = [c.index for c, far in zip(there, distances(case, there)) if c.node == "node1" and far == 0]
        assert near == sorted(near) and near


@pytest.mark.parametrize("replication", [1, 2, 3, 5])
def test_blocks_are_spread_over_all_nodes(replication):
    """400 blocks on 2 racks of 2 nodes: each node has its part of them, and no node two copies of one."""
    case = scenario(
        [node(9, rack="x", count=2), node(9, rack="y", count=2)],
        [job("a", tasks(400))],
        locality={**BLOCKS, "replication": replication},
    )
    blocks = ClusterState(case).jobs[0].blocks
    assert all(len(set(block)) == min(replication, 4) == len(block) for block in blocks)
    counts = Counter(node.name for block in blocks for node in block)
    assert all(abs(count - 100 * min(replication, 4)) < 60 for count in counts.values()) and len(counts) == 4
    if replication == 3:
        assert all(block[0].rack != block[1].rack == block[2].rack for block in blocks)
