"""The queues of a draft as a tree, each with its part of the cluster drawn to scale, by weight and by
capacity.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate
from typing import Any

from engine import Scenario, ScenarioError, quantities
from engine.dashboard import QueueShare, queue_shares

DEFAULT_QUEUE = "root.default"
# shares don't depend on jobs, and errors in those should not hide them
STUB = {"maps": {"count": 1, "memory_mb": 1, "vcores": 1, "duration_s": 1}}


def in_tree_order(listed: list[str]) -> list[tuple[str, int]]:
    """Every queue that the names say or imply, each after its parent, siblings as they first appear; with its
    depth.
    """
    children: dict[str | None, list[str]] = defaultdict(list)
    for path in dict.fromkeys(above for name in [*listed, DEFAULT_QUEUE] for above in _path(name)):
        children[path.rpartition(".")[0] if "." in path else None].append(path)
    ordered, stack = [], [(path, 0) for path in reversed(children[None])]
    while stack:
        path, depth = stack.pop()
        ordered.append((path, depth))
        stack += [(child, depth + 1) for child in reversed(children[path])]
    return ordered


def bars(scenario: Any) -> dict[str, dict[str, list]]:
    """Of each queue by name, [where its part begins, the part, the most it may have] of the cluster, and the
    part in words, by `weight` and by `capacity`.

    Empty while nodes or queues have errors.
    """
    cluster = scenario.get("cluster") if isinstance(scenario, dict) else None
    if not isinstance(cluster, dict):
        return {}
    nodes, queues = cluster.get("nodes"), scenario.get("queues", [])
    try:
        shares = queue_shares(
            Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "queues": queues, "jobs": [STUB]})
        )
    except ScenarioError:
        return {}
    memory = sum(node["count"] * node["memory_mb"] for node in cluster["nodes"])
    bars_by_queue: dict[str, dict[str, list]] = {share.name: {} for share in shares}
    parts_by_kind = {
        "weight": [(one.steady_share, one.max_share) for one in shares],
        "capacity": [(one.capacity, one.max_capacity) for one in shares],
    }
    for kind, parts in parts_by_kind.items():
        starts = _starts(shares, [part for part, _ in parts])
        for share, start, (part, most) in zip(shares, starts, parts, strict=True):
            words = f"{quantities.percent(part)} · {quantities.memory(part * memory)}"
            bars_by_queue[share.name][kind] = [start, part, most, words]
    return bars_by_queue


def _starts(shares: list[QueueShare], parts: list[float]) -> list[float]:
    """Where each queue's part begins: its first child's where its own does, the others' where the sibling
    before ends.
    """
    starts, ends = [], [0.0]
    for share, part in zip(shares, parts, strict=True):
        del ends[share.depth + 1 :]
        starts.append(ends[share.depth])
        ends[share.depth] += part
        ends.append(starts[-1])
    return starts


def _path(name: str) -> list[str]:
    return list(accumulate(name.split("."), "{}.{}".format))
