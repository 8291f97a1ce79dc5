"""The queues of a draft as a tree, each with its part of the cluster drawn to scale, by weight and by
capacity.
"""

from __future__ import annotations

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
    names = dict.fromkeys(above for name in [*listed, DEFAULT_QUEUE] for above in _path(name))
    children: dict[str, list[str]] = {name: [] for name in names}
    for name in names:
        if name.rpartition(".")[0] in children:
            children[name.rpartition(".")[0]].append(name)
    ordered, stack = [], [(name, 0) for name in names if name.rpartition(".")[0] not in names][::-1]
    while stack:
        name, depth = stack.pop()
        ordered.append((name, depth))
        stack += [(child, depth + 1) for child in reversed(children[name])]
    return ordered


def bars(scenario: Any) -> dict[str, dict[str, list]]:
    """Of each queue by name, [where its part begins, the part, the most it may have] of the cluster, and the
    part in words, by `weight` and by `capacity`.

    Empty while nodes or queues have errors.
    """
    cluster = scenario.get("cluster") if isinstance(scenario, dict) else None
    nodes = cluster.get("nodes") if isinstance(cluster, dict) else None
    try:
        shares = queue_shares(
            Scenario.of(
                {
                    "version": 1,
                    "cluster": {"nodes": nodes},
                    "queues": scenario.get("queues", []),
                    "jobs": [STUB],
                }
            )
        )
    except (ScenarioError, AttributeError):
        return {}
    assert nodes is not None  # else the scenario has errors
    memory = sum(node["count"] * node["memory_mb"] for node in nodes)
    bars_by_queue: dict[str, dict[str, list]] = {share.name: {} for share in shares}
    for kind, parts in (
        ("weight", [(one.steady_share, one.max_share) for one in shares]),
        ("capacity", [(one.capacity, one.max_capacity) for one in shares]),
    ):
        for share, start, (part, maximum) in zip(
            shares, _starts(shares, [part for part, _ in parts]), parts, strict=True
        ):
            bars_by_queue[share.name][kind] = [
                start,
                part,
                maximum,
                f"{quantities.percent(part)} · {quantities.memory(part * memory)}",
            ]
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
    parts = name.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
