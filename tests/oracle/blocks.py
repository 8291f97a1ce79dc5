"""Where the oracle's blocks lie, as HDFS places them by default."""

from __future__ import annotations

import math

from engine.scenario.model import Scenario
from tests.oracle.attempt_draws import BLOCK, draw_number
from tests.oracle.workload import Job, Node


def blocks_of(scenario: Scenario, job: Job, nodes: list[Node]) -> list[list[Node]]:
    """Of each map the nodes that have its block, in the order in which the copies are written."""
    return blocks_of_tasks(scenario, job, 0, job.maps, nodes)


def blocks_of_tasks(
    scenario: Scenario, job: Job, iteration: int, tasks: int, nodes: list[Node]
) -> list[list[Node]]:
    """The same of so many tasks, drawn as those of an iteration."""
    racks = list(dict.fromkeys(node.rack for node in nodes))
    rack_by_rack = sorted(nodes, key=lambda node: racks.index(node.rack))
    copies = range(scenario.cluster.locality.replication)
    return [
        place_block(
            [draw_number(scenario, job, copy + 1, BLOCK, iteration, "map", index) for copy in copies],
            rack_by_rack,
        )
        for index in range(tasks)
    ]


def place_block(numbers: list[float], nodes: list[Node]) -> list[Node]:
    """One random number a copy: any node; one on another rack; another one on that rack; any others. Where
    there is none, any that is left.
    """
    chosen_nodes: list[Node] = []
    for copy, u in enumerate(numbers[: len(nodes)]):
        free_nodes = [node for node in nodes if node not in chosen_nodes]
        on_other_rack = [node for node in free_nodes if copy == 1 and node.rack != chosen_nodes[0].rack]
        on_same_rack = [node for node in free_nodes if copy == 2 and node.rack == chosen_nodes[1].rack]
        pool = on_other_rack or on_same_rack or free_nodes
        chosen_nodes.append(pool[math.floor(u * len(pool))])
    return chosen_nodes
