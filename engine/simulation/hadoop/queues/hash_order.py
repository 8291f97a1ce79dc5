"""The orders in which Hadoop's hash maps list nodes and leaves (ClusterNodeTracker, QueueManager)."""

from __future__ import annotations

import functools

import numpy as np

from engine.java_hash import WORD, spread, table_size, text_code
from engine.simulation.queues import QueueTree
from engine.simulation.workload import Workload


def preemption_orders(work: Workload, preempts: bool) -> dict[str, np.ndarray]:
    """State's orders of nodes and leaves, empty where FairScheduler does not kill for starved jobs."""
    return {
        "leaf_order": np.array(leaf_order(work.queues) if preempts else [], np.int64),
        "node_order": node_order(len(work.node_memory) if preempts else 0),
    }


def node_order(nodes: int) -> np.ndarray:
    """Nodes as a HashMap of their ids lists them (ClusterNodeTracker)."""
    return np.argsort(node_hashes(nodes) & (table_size(nodes) - 1), kind="stable").astype(np.int64)


def leaf_order(tree: QueueTree) -> list[int]:
    """Leaves as FairScheduler creates them: by a HashSet of their names
    (QueueManager.updateAllocationConfiguration).
    """
    parents = set(tree.parent.tolist())
    leaves = sorted(
        (queue for queue in range(len(tree.names)) if queue not in parents),
        key=lambda queue: tree.in_file[queue],
    )

    return sorted(leaves, key=lambda queue: spread(text_code(tree.names[queue])) % table_size(len(leaves)))


@functools.lru_cache(maxsize=4)
def node_hashes(nodes: int) -> np.ndarray:
    """NodeIdPBImpl.hashCode of 10.0.0.1:1234, 10.0.0.2:1234 and so on, 250 hosts to a network, spread as
    java.util.HashMap does.
    """
    hashes = np.empty(nodes, np.int64)
    for node in range(nodes):
        host = text_code(f"10.0.{node // 250}.{node % 250 + 1}")
        hashes[node] = spread((493217 * ((493217 * 8501 + host) % WORD) + 1234) % WORD)
    return hashes
