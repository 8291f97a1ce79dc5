"""The ResourceManager's answer `scheduler` as queues and settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.scenario.history.scheduler_response import SchedulerResponse, parse_scheduler
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse

LEAF = {
    "type": "capacitySchedulerLeafQueueInfo",
    "capacity": 50.0,
    "maxCapacity": 100.0,
    "userLimit": 100,
    "userLimitFactor": 1.0,
    "preemptionDisabled": True,
    "configuredMaxAMResourceLimit": 0.1,
    "maxParallelApps": 2147483647,
    "orderingPolicyInfo": "fifo",
    "queuePriority": 0,
    "maximumAllocation": {"memory": 8192, "vCores": 4},
}
SMALL = {"memory": 2048, "vCores": 2}


def leaf(name: str, **values: Any) -> dict[str, Any]:
    return {**LEAF, "queueName": name, **values}


def capacity(*queues: dict[str, Any]) -> dict[str, Any]:
    top = {
        "type": "capacityScheduler",
        "capacity": 100.0,
        "queueName": "root",
        "maximumAllocation": {"memory": 8192, "vCores": 4},
    }
    return {"schedulerInfo": {**top, "queues": {"queue": list(queues)}}}


def fair(*queues: dict[str, Any], **root: Any) -> dict[str, Any]:
    whole = {"memory": 16384, "vCores": 16}
    own = {
        "maxResources": whole,
        "clusterResources": whole,
        "maxContainerAllocation": {"memory": 4096, "vCores": 4},
        "schedulingPolicy": "fair",
    }
    return {
        "schedulerInfo": {
            "type": "fairScheduler",
            "rootQueue": {"queueName": "root", **own, **root, "childQueues": {"queue": list(queues)}},
        }
    }


def in_a_scenario(found: SchedulerResponse) -> Scenario:
    """It makes a scenario, with a job in each leaf, and its scheduler is one."""
    parse(found.scheduler)
    names = [queue["name"] for queue in found.queues]
    leaves = [name for name in names if not any(other.startswith(f"{name}.") for other in names)] or [
        "root.default"
    ]
    jobs = [
        {"queue": name, "maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 1}}
        for name in leaves
        if name != "root"
    ]
    cluster = {"nodes": [{"count": 4, "memory_mb": 4096, "vcores": 4}], **found.cluster}
    return Scenario.of({"version": 1, "cluster": cluster, "queues": found.queues, "jobs": jobs})


def test_capacities_and_limits() -> None:
    parts = [
        leaf(
            "a", capacity=33.333332, maxCapacity=40.0, userLimitFactor=2.0, userLimit=25.0, maxParallelApps=7
        ),
        leaf(
            "b",
            capacity=66.66667,
            orderingPolicyInfo="FairOrderingPolicy",
            configuredMaxAMResourceLimit=0.3,
            maximumAllocation=SMALL,
        ),
    ]
    result = parse_scheduler(capacity(*parts))
    assert result.scheduler.startswith("capacity(resources=memory)")
    assert result.queues == [
        {
            "name": "root.a",
            "capacity_pct": 33.3333,
            "max_capacity_pct": 40.0,
            "max_running_apps": 7,
            "user_limit_factor": 2.0,
            "min_user_limit_pct": 25,
        },
        {
            "name": "root.b",
            "capacity_pct": 66.6667,
            "max_container": {"memory_mb": 2048, "vcores": 2},
            "ordering": "fair",
            "max_am_share": 0.3,
        },
    ]
    assert result.cluster == {"allocation": {"maximum": {"memory_mb": 8192, "vcores": 4}}}
    in_a_scenario(result)


def test_preemption_is_on_where_a_queue_is_not_kept_from_it() -> None:
    result = parse_scheduler(capacity(leaf("a"), leaf("b", preemptionDisabled=False)))
    assert "preemption=yes" in result.scheduler
    assert [queue.get("disable_preemption") for queue in result.queues] == ["yes", None]
    assert "preemption" not in parse_scheduler(capacity(leaf("a"), leaf("b"))).scheduler


def test_a_tree_of_queues_and_weights_without_nodes() -> None:
    """Weights as CapacityScheduler has them; without nodes a queue of weights says 0 % (legacy mode)."""
    below = {
        "queue": [
            leaf("x", capacity=0.0, normalizedWeight=0.25),
            leaf("y", capacity=0.0, normalizedWeight=0.75),
        ]
    }
    result = parse_scheduler(
        capacity(
            leaf("a"),
            {
                **LEAF,
                "queueName": "b",
                "queuePath": "root.b",
                "orderingPolicyInfo": "utilization",
                "queues": below,
            },
        )
    )
    assert [(queue["name"], queue["capacity_pct"]) for queue in result.queues] == [
        ("root.a", 50.0),
        ("root.b", 50.0),
        ("root.b.x", 25.0),
        ("root.b.y", 75.0),
    ]
    in_a_scenario(result)


def test_weights_are_what_steady_fair_shares_are_to_each_other() -> None:
    steady = {"a": 10923, "b": 5461, "c": 8192}
    queues = [
        {"queueName": f"root.{name}", "steadyFairResources": {"memory": share, "vCores": 0}}
        for name, share in steady.items()
    ]
    result = parse_scheduler(fair(*queues))
    assert {queue["name"][-1]: queue["weight"] for queue in result.queues if "weight" in queue} == {
        "a": 2.0,
        "b": 1.0,
        "c": 1.5,
    }
    in_a_scenario(result)


def test_limits_of_fair_queues() -> None:
    one = {
        "queueName": "root.a",
        "schedulingPolicy": "fifo",
        "minResources": {"memory": 1024, "vCores": 1},
        "maxResources": {"memory": 8192, "vCores": 16},
        "maxApps": 3,
        "maxContainerAllocation": {"memory": 2048, "vCores": 2},
        "preemptable": False,
    }
    result = parse_scheduler(fair(one, schedulingPolicy="drf"))
    assert result.scheduler == "drf"
    assert result.queues == [
        {"name": "root", "policy": "drf"},
        {
            "name": "root.a",
            "policy": "fifo",
            "min_share": {"memory_mb": 1024, "vcores": 1},
            "max_share": {"memory_mb": 8192, "vcores": 16},
            "max_container": {"memory_mb": 2048, "vcores": 2},
            "max_running_apps": 3,
            "allow_preemption_from": False,
            "weight": 1.0,
        },
    ]
    in_a_scenario(result)


def test_fifo_has_no_queues() -> None:
    result = parse_scheduler({"schedulerInfo": {"type": "fifoScheduler", "capacity": 1.0}})
    assert (result.scheduler, result.queues) == ("fifo(resources=memory)", [])


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        7,
        {},
        {"schedulerInfo": None},
        {"schedulerInfo": {"type": "mine"}},
        {"schedulerInfo": {"type": ["x"]}},
    ],
)
def test_no_such_answer(answer: Any) -> None:
    assert parse_scheduler(answer) is None


@pytest.mark.parametrize(
    "wrong",
    [None, True, -1, 10**400, float("nan"), "x", [], {}, "a/b", "root", "root.a", "a..b", " ", "a" * 900],
)
def test_whatever_a_queue_says_a_scenario_can_be_made(wrong: Any) -> None:
    queue = {
        "queueName": "root.a",
        "minResources": {},
        "maxResources": {},
        "maxApps": 1,
        "steadyFairResources": {},
        "schedulingPolicy": "",
        "preemptable": 1,
    }
    for key in (*LEAF, "queueName", "queuePath", "normalizedWeight", "queues"):
        in_a_scenario(parse_scheduler(capacity(leaf("a"), leaf("b", **{key: wrong}))))
    for key in (*queue, "childQueues", "maxContainerAllocation"):
        in_a_scenario(parse_scheduler(fair({**queue, key: wrong}, {**queue, "queueName": "root.b"})))
        in_a_scenario(
            parse_scheduler(
                fair(
                    {**queue, "minResources": {"memory": wrong, "vCores": wrong}},
                    **({key: wrong} if key != "childQueues" else {}),
                )
            )
        )


def test_the_recorded_cluster(shared: Callable[[str], Path]) -> None:
    """Hadoop 3.4.1 with two queues of weights 2 and 1."""
    result = parse_scheduler(
        json.loads(shared("data/mini-cluster/one/rest/scheduler.json").read_text("utf-8"))["scheduler"]
    )
    assert result.scheduler == "fair"
    assert {queue["name"]: queue.get("weight") for queue in result.queues} == {
        "root": None,
        "root.a": 2.0,
        "root.b": 1.0,
    }
    assert result.cluster == {
        "allocation": {
            "maximum": {"memory_mb": 4096, "vcores": 4},
            "minimum": {"memory_mb": 512, "vcores": 1},
        }
    }
    in_a_scenario(result)
