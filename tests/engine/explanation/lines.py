"""Diagnostics as ResourceManagers write them, and the cluster they are read on."""

from __future__ import annotations

from engine import Scenario

ADDED = "Application is added to the scheduler and is not yet activated. "
ACTIVATED = "Application is Activated, waiting for resources to be assigned for AM. "
TASKS = {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 1}


def masters(
    reason: str = "Queue's AM resource limit exceeded. ",
    request: int = 1536,
    limit: int = 1639,
    usage: int = 1024,
    limit_vcores: int = 2,
) -> str:
    """Of a master that is held back; memory in MB."""
    return (
        f"[Wed Oct 26 06:25:51 +0000 2022] {ADDED}{reason} Details : AM Partition = <DEFAULT_PARTITION>; "
        f"AM Resource Request = <memory:{request}, vCores:1>; Queue Resource Limit for AM = <memory:{limit}, "
        f"vCores:{limit_vcores}>; User AM Resource Limit of the queue = <memory:1024, vCores:1>; Queue AM "
        f"Resource Usage = <memory:{usage}, vCores:1>; "
    )


def activated(used: int = 16384) -> str:
    """Of a master that waits for room; memory in MB, of at most 16,384 in its queue."""
    return (
        f"{ACTIVATED} Last Node which was processed for the application : host1:8041 ( Partition : [], Total "
        "resource : <memory:8192, vCores:8>, Available resource : <memory:512, vCores:1> ).  Details : AM "
        "Partition = <DEFAULT_PARTITION> ; Partition Resource = <memory:32768, vCores:32> ; Queue's Absolute "
        "capacity = 25.0 % ; Queue's Absolute used capacity = 50.0 % ; Queue's Absolute max capacity = 50.0 "
        "% ; Queue's capacity (absolute resource) = <memory:8192, vCores:8> ; Queue's used capacity "
        f"(absolute resource) = <memory:{used}, vCores:4> ; Queue's max capacity (absolute resource) = "
        "<memory:16384, vCores:16> ; "
    )


def share(request: int = 1536, most: int = 8192) -> str:
    """Of a master under FairScheduler; memory in MB."""
    return (
        f"{ADDED} (Resource request: <memory:{request}, vCores:1> exceeds current queue or its parents "
        f"maximum resource allowed). Max share of queue: <memory:{most}, vCores:8>"
    )


def cluster() -> Scenario:
    """4 nodes of 8 GB and 8 vcores; root.q1 has a quarter, at most a half, and 0.2 of it for masters; root.q2
    the rest, and under FairScheduler at most 8 GB.
    """
    q1 = {"name": "root.q1", "capacity_pct": 25, "max_capacity_pct": 50, "max_am_share": 0.2}
    q2 = {"name": "root.q2", "capacity_pct": 75, "max_share": {"memory_mb": 8192, "vcores": 8}}
    return Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": [{"count": 4, "memory_mb": 8192, "vcores": 8}]},
            "queues": [q1 | {"max_running_apps": 3}, q2],
            "jobs": [{"queue": queue["name"], "maps": TASKS} for queue in (q1, q2)],
        }
    )
