"""Arrays of CapacityScheduler's preemption monitor (hadoop/capacity/capacity_monitor.py); empty where it
does not kill.
"""

from __future__ import annotations

import numpy as np

from engine.codes import ACTIVATE
from engine.java_hash import spread, table_size, text_code
from engine.schedulers.scheduler import Scheduler
from engine.simulation.queues import QueueTree
from engine.simulation.workload import Workload


def monitor_arrays(chosen: Scheduler, work: Workload) -> dict[str, np.ndarray]:
    """What the State is given for it."""
    tree = work.queues
    is_enabled = chosen.monitor_ms > 0
    queues = len(tree.parent) if is_enabled else 0
    return {
        "queues_in_file": np.argsort(tree.in_file)[:queues],
        "leaves_in_hash_order": np.array(_leaves_in_hash_order(tree, 0) if is_enabled else [], np.int64),
        "queue_is_leaf": np.array([not (tree.parent == queue).any() for queue in range(queues)], np.int8),
        "queue_disables_preemption": tree.disables_preemption[:queues],
        "monitor_parameters": np.array(_parameters(chosen) if is_enabled else []),
    }


def _parameters(chosen: Scheduler) -> list[float]:
    """Of the cluster that one round may choose, the dead zone, of what is to be given back, of a queue for
    masters or -1; floats where Hadoop's are.
    """
    order = chosen.order
    am_limit = (
        float(np.float32(chosen.admission.number("limit")))
        if chosen.admission.policy.masters.overtaking == ACTIVATE
        else -1.0
    )
    return [
        float(np.float32(order.number("total_preemption_per_round"))),
        order.number("max_ignored_over_capacity"),
        order.number("natural_termination_factor"),
        am_limit,
    ]


def _leaves_in_hash_order(tree: QueueTree, queue: int) -> list[int]:
    """The leaves below a queue as a java.util.HashSet of their names, made of such sets of its children's,
    lists them (getLeafQueueNames).
    """
    children = sorted(
        (child for child in range(len(tree.parent)) if tree.parent[child] == queue),
        key=lambda child: tree.in_file[child],
    )
    if not children:
        return [queue]
    leaves = [leaf for child in children for leaf in _leaves_in_hash_order(tree, child)]
    return sorted(leaves, key=lambda leaf: spread(text_code(tree.names[leaf])) % table_size(len(leaves)))
