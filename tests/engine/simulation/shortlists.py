"""Policies that keep scores, and scenarios in which room decides."""

from __future__ import annotations

from engine.scenario.model import Scenario

CACHED_SCORE_ORDERS = [
    "fresh",
    "ffd-dp",
    "ffd-dp(w_memory=0, ties=reduces)",
    "batch-finish",
    "batch-finish(candidates=all, window_s=1)",
    "omo",
    "omo(window_s=1, batch=no)",
    "haste",
    "haste(ties=reduces)+slowstart",
    "haste-a",
    "haste-a(factor=2)+ramp-up",
    "weighted",
]


def where_room_decides(scenario: Scenario) -> Scenario:
    """The scenario without slots, blocks and limits of queues, on nodes of one size but for one in three
    scenarios.
    """
    plain = scenario.plain()
    cluster = plain["cluster"]
    for name in ("locality", "user_max_running_apps", "queue_max_running_apps"):
        cluster.pop(name, None)
    sizes = cluster["nodes"][0] if len(plain["jobs"]) % 3 else {}
    for node in cluster["nodes"]:
        node |= {name: max(sizes[name], node[name]) for name in ("memory_mb", "vcores") if name in sizes}
        node.pop("map_slots", None)
        node.pop("reduce_slots", None)
    for queue in plain.get("queues", []):
        for name in ("max_share", "max_running_apps"):
            queue.pop(name, None)
    if len(plain["jobs"]) % 2:
        plain["queues"] = []
        for job in plain["jobs"]:
            job.pop("queue", None)
    return Scenario.of(plain)
