"""Where the oracle's blocks lie, as HDFS places them by default."""

from __future__ import annotations

import math

from engine.scenario.model import Scenario
from tests.oracle.luck import BLOCK, number
from tests.oracle.workload import Job, Node


def blocks_of(scenario: Scenario, job: Job, nodes: list[Node]) -> list[list[Node]]:
    """Of each map the nodes that have its block, in the order in which the copies are written."""
    racks = list(dict.fromkeys(node.rack for node in nodes))
    rack_by_rack = sorted(nodes, key=lambda node: racks.index(node.rack))
    copies = range(scenario.cluster.locality.replication)
    return [place_block([number(scenario, job, copy + 1, BLOCK, 0, "map", index) for copy in copies], rack_by_rack) for index in range(job.maps)]


def place_block(numbers: list[float], nodes: list[Node]) -> list[Node]:
    """One random number a copy: any node; one on another rack; another one on that rack; any others. Where there is none, any that is left."""
    found: list[Node] = []
    for copy, u in enumerate(numbers[: len(nodes)]):
        left = [node for node in nodes if node not in found]
        elsewhere = [node for node in left if copy == 1 and node.rack != found[0].rack]
        beside = [node for node in left if copy == 2 and node.rack == found[1].rack]
        pool = elsewhere or beside or left
        found.append(pool[math.floor(u * len(pool))])
    return found
