"""Arrays of one run that kills for starved jobs, and the orders in which Hadoop's hash maps list nodes and
leaves.
"""

from __future__ import annotations

import functools

import numpy as np

from engine.java_hash import WORD, spread, table_size, text_code
from engine.simulation.queues import QueueTree
from engine.simulation.workload import Workload


def preemption_arrays(work: Workload, containers: int, width: int, preempts: bool) -> dict[str, np.ndarray]:
    """What is kept where FairScheduler kills for starved jobs, else nothing."""
    tree = work.queues
    jobs, queues, nodes = (
        (len(work.job_arrival), len(tree.parent), len(work.node_memory)) if preempts else (0, 0, 0)
    )
    max_containers = containers if preempts else 0
    per_job = (
        "starved_jobs starved_memory starved_vcores min_share_starved_memory min_share_starved_vcores "
        "next_starvation_check ranked_jobs considered_memory considered_vcores"
    )
    per_job += " marked_memory marked_vcores containers_created"
    per_node = "max_on_node reserved_hash node_claims claimed_memory claimed_vcores"
    per_container = "claim_node claim_job claim_memory claim_vcores kill_at kill_container container_hash"
    arrays = {name: np.zeros(jobs, np.int64) for name in per_job.split()}
    arrays |= {name: np.zeros(nodes, np.int64) for name in per_node.split()}
    arrays |= {name: np.zeros(max_containers, np.int64) for name in per_container.split()}
    arrays |= {
        name: np.zeros(width if preempts else 0, np.int64)
        for name in ("node_containers", "considered", "victims")
    }
    arrays |= {name: np.zeros(max_containers, np.int8) for name in ("is_marked", "is_killed")}
    leaves = leaf_order(tree) if preempts else []
    return arrays | {
        "preemption_threshold": np.zeros(1),
        "last_at_fair_share": work.job_arrival.copy() if preempts else np.zeros(0, np.int64),
        "last_at_min_share": np.zeros(queues, np.int64),
        "leaf_order": np.array(leaves, np.int64),
        "min_share_timeout": tree.min_share_timeout,
        "fair_share_timeout": tree.fair_share_timeout,
        "fair_share_threshold": tree.fair_share_threshold,
        "allows_preemption": tree.allows_preemption,
        "node_order": node_order(nodes),
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
