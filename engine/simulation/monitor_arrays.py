"""What CapacityScheduler's monitor works with (kernel/capacity_monitor.py); empty where it does not kill."""

from __future__ import annotations

import numpy as np

from engine.schedulers.names import Scheduler
from engine.schedulers.terms.java_hash import spread, table_size, text_code
from engine.simulation.queues import QueueTree
from engine.simulation.workload import Workload


def monitor_arrays(chosen: Scheduler, work: Workload, containers: int, entries: int) -> dict[str, np.ndarray]:
    """The State's arrays for it, of a run with room for so many containers, and so many at a time."""
    tree = work.queues
    on = chosen.monitor_ms > 0
    queues, jobs, nodes, containers, entries = (
        count if on else 0 for count in (len(tree.parent), len(work.job_arrival), len(work.node_memory), containers, entries)
    )
    amounts = "queue_holds queue_guaranteed queue_most queue_wants queue_lacks queue_untouchable queue_taken queue_ideal queue_to_give"
    sizes = {**dict.fromkeys(amounts.split(), 2 * queues), "user_wants": 2 * jobs, "user_lacks": 2 * jobs, "heap": queues, "neediest": queues}
    sizes |= {"listed": entries, "picked": entries, "spared_masters": entries, "dropped": nodes, "node_reserved_made": nodes, "container_made": containers}
    is_leaf = np.array([not (tree.parent == queue).any() for queue in range(queues)], np.int8)
    return {
        **{name: np.zeros(size, np.int64) for name, size in sizes.items()},
        "container_marked": np.full(containers, -1, np.int64),
        "queue_part": np.zeros(2 * queues),
        "queue_need": np.zeros(queues),
        "queues_in_file": np.argsort(tree.in_file)[:queues],
        "leaves_hashed": np.array(_leaves_hashed(tree, 0) if on else [], np.int64),
        "queue_is_leaf": is_leaf,
        "queue_is_spared": tree.is_spared[:queues],
        "monitor_part": np.array(_parts(chosen) if on else []),
    }


def _parts(chosen: Scheduler) -> list[float]:
    """Of the cluster that one round may choose, the dead zone, of what is to be given back, of a queue for masters or -1; floats where Hadoop's are."""
    given = chosen.order.given
    of_masters = float(np.float32(chosen.admission.given["limit"])) if chosen.admission.policy.name == "am-limit" else -1.0
    return [float(np.float32(given["total_preemption_per_round"])), given["max_ignored_over_capacity"], given["natural_termination_factor"], of_masters]


def _leaves_hashed(tree: QueueTree, queue: int) -> list[int]:
    """The leaves below a queue as a java.util.HashSet of their names, made of such sets of its children's, lists them (getLeafQueueNames)."""
    children = sorted((child for child in range(len(tree.parent)) if tree.parent[child] == queue), key=lambda child: tree.in_file[child])
    if not children:
        return [queue]
    found = [leaf for child in children for leaf in _leaves_hashed(tree, child)]
    return sorted(found, key=lambda leaf: spread(text_code(tree.names[leaf])) % table_size(len(found)))
