"""Delay scheduling: on which beat, and on which node, a map starts that has its block on a known node. Four
nodes beat 250 ms apart.
"""

from __future__ import annotations

import pytest

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.oracle.cluster_state import ClusterState
from tests.oracle.simulator import simulate_named
from tests.small_scenarios import job, master, node, scenario, tasks

BLOCKS = {"replication": 1, "rack_factor": 2.0, "off_rack_factor": 3.0}
NODES = [node(1, rack="x", count=2), node(1, rack="y", count=2)]


def block_on(place, maps=1, other_jobs=()):
    """A scenario with a job of so many maps, whose blocks are on the node in this place; such a name is
    looked for.
    """
    for number in range(9999):
        case = scenario(
            NODES,
            [*other_jobs, job(f"j{number}", tasks(maps, 9.0), arrival_s=1.0)],
            heartbeat_ms=1000,
            locality=BLOCKS,
        )
        naive = ClusterState(case)
        if naive.jobs[-1].blocks == [[naive.nodes[place]]] * maps:
            return case
    raise AssertionError("no such name")


def starts(case, scheduler):
    """(node, ms from its arrival) of the last job's maps."""
    nodes = [node.name for node in ClusterState(case).nodes]
    both = [
        result_of(simulate(case, f"{scheduler}+admit-all", plain=True)),
        simulate_named(case, f"{scheduler}+admit-all"),
    ]
    last = case.jobs[-1].name
    found_by = [
        [(nodes.index(c.node), c.start - 1000) for c in one.containers if c.job == last] for one in both
    ]
    assert found_by[0] == found_by[1]
    return found_by[0]


FAIR = "fair(reservations=no, update_ms=0, locality_node={}, locality_rack={})"


@pytest.mark.parametrize("order", ["fair", "drf"])
@pytest.mark.parametrize(
    ("node_part", "rack_part", "place", "expected"),
    [
        (-1, -1, 3, (0, 0)),  # none: the first that beats
        (0.5, -1, 3, (0, 0)),  # one of them alone is none
        (0, 0, 0, (0, 0)),
        # the first beat makes it wait; 2 missed > 0 on the second: the rack, x, counted from 0; 1 > 0 on the
        # third: anywhere
        (0, 0, 3, (2, 500)),
        (0, 0, 1, (1, 250)),
        # limits 2 and 2: 3 > 2 on node 2, the rack: there
        (0.5, 0.5, 3, (2, 500)),
        # limits 4 and 4: the fifth beat, node 0, takes its rack
        (1, 1, 0, (0, 0)),
        (1, 1, 3, (3, 750)),
    ],
)
def test_a_job_takes_farther_nodes_after_so_many_beats(order, node_part, rack_part, place, expected):
    assert starts(block_on(place), FAIR.format(node_part, rack_part).replace("fair", order)) == [expected]


def test_beats_of_full_nodes_count():
    """Node 0 has the block, and a master: its beat is the first of limit 1, node 1's is the second: 2 > 1,
    and it is on the rack.
    """
    case = block_on(0, other_jobs=[job("full", tasks(1), am=master(99.0))])
    assert starts(case, FAIR.format(0.25, 1)) == [(1, 250)]


CAPACITY = "capacity(reservations={}, node_locality_delay={})"


@pytest.mark.parametrize("reservations", ["no", "yes"])
@pytest.mark.parametrize(
    ("delay", "place", "expected"),
    [
        # 2 places of 4 nodes: anywhere after more than half the waiting maps. 3 > 2 on node 2; node 3 is the
        # block's: from 0; 2 > 1 on node 1; full nodes are not asked: 3 > .5 on node 0
        (40, 3, [(2, 500), (3, 750), (1, 1250), (0, 2000)]),
        # on the rack after more than none: node 0 at once, from 0; then the block's; 2 > 1 on node 3, not
        # from 0; 3 > .5 on node 2
        (0, 1, [(0, 0), (1, 250), (3, 750), (2, 1500)]),
        (-1, 1, [(0, 0), (1, 250), (3, 750), (2, 1500)]),
        # after more than 40, which is more than there are nodes: 4 > 4 never holds; 2 > 1.5 on node 3, 3 > 1
        # on node 0
        (40, 1, [(1, 250), (3, 750), (0, 1000), (2, 1500)]),
    ],
)
def test_capacity_counts_for_rack_and_anywhere_at_once(reservations, delay, place, expected):
    assert starts(block_on(place, maps=4), CAPACITY.format(reservations, delay)) == expected


def test_without_blocks_nothing_is_delayed():
    case = scenario(NODES, [job("a", tasks(4, 9.0), arrival_s=1.0)], heartbeat_ms=1000)
    for scheduler in (FAIR.format(1, 1), CAPACITY.format("no", 40)):
        assert starts(case, scheduler) == [(0, 0), (1, 250), (2, 500), (3, 750)]
