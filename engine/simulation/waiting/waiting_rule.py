"""Which rule keeps a waiting request from being placed, read from the state of a run between two instants
(WAIT-1).

The rules come in the order in which Hadoop's schedulers ask them: limits that hold on every node first, then
what the nodes have. Nothing here changes the run.
"""

from __future__ import annotations

from engine.simulation.waiting.master_limits import master_limit
from engine.simulation.waiting.node_rules import empty_cluster, locality_delay, node_rule, own_requests
from engine.simulation.waiting.queue_limits import (
    guarantees_of_siblings,
    queue_maximum,
    running_jobs_limit,
    update_lag,
    user_limit,
)
from engine.simulation.waiting.rule import Moment, WaitingRule

RULES = (
    empty_cluster,
    running_jobs_limit,
    master_limit,
    update_lag,
    queue_maximum,
    user_limit,
    guarantees_of_siblings,
    own_requests,
    node_rule,
    locality_delay,
)  # in the order in which they are asked


def waiting_rule(moment: Moment, request: int) -> WaitingRule | None:
    """The first rule that keeps a waiting request from every node, None where a node could take it now. Cost:
    one pass over the nodes.
    """
    for rule in RULES:
        found = rule(moment, request)
        if found:
            return found
    return None
