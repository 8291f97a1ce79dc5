"""What Gantry makes of a case's files, in the words of Hadoop's answer."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from engine.codes import (
    BY_MEMORY,
    BY_MEMORY_SIZE_WEIGHTED,
    BY_PRIORITY,
    INFINITE,
    MAX_AM_LIMIT,
    MAX_USER_LIMIT_FACTOR,
    NO_AM_LIMIT,
    TAKEN,
)
from engine.errors import GantryError
from engine.scenario.configuration.configuration_reader import Configuration, read_configuration
from engine.scenario.configuration.configured_scenario import (
    ConfiguredScenario,
    configure_scenario,
    standalone_scenario,
)
from engine.scenario.model import VERSION
from engine.scenario.queue_validation import ROOT
from engine.schedulers.scheduler import Scheduler, parse
from engine.simulation.queues import POLICIES, QueueTree, queue_tree
from engine.simulation.refused_jobs import ApplicationLimits, application_limits
from engine.simulation.simulate import simulate
from tests.hadoop.loader.cases import NODES, Case

POLICY_NAMES = {code: name for name, code in POLICIES.items()}
WAITS = {"count": 1, "duration_s": 1e6}  # no job ends before the last is submitted
Answer = dict[str, Any]


class Reading(NamedTuple):
    """What Gantry has of the files, for a cluster of ten nodes of [MB, vcores]."""

    scheduler: Scheduler
    tree: QueueTree
    applications: ApplicationLimits
    node: list[int]


def gantry_answer(files: dict[str, bytes], case: Case) -> Answer:
    """Of the files of a case, or of what they are written as."""
    try:
        configuration = read_configuration(list(files.items()))
        configured = standalone_scenario(configuration, "case")
        scheduler = parse(configured.scheduler)
    except GantryError as refusal:
        return {"refused": str(refusal)}
    tree = queue_tree(configured.scenario)
    parents = {tree.names[place] for place in tree.parent if place >= 0} | configuration.parents
    names = {queue["name"] for queue in configuration.queues} | {ROOT}
    values = _fair_queue if scheduler.order.policy.name in ("fair", "drf") else _capacity_queue
    reading = Reading(scheduler, tree, application_limits(configured.scenario, tree), case.node)
    queues = {
        name: values(reading, place, name not in parents)
        for place, name in enumerate(tree.names)
        if name in names
    }
    return {
        "scheduler": scheduler.order.policy.name,
        "settings": _settings(configured, scheduler, case),
        "queues": queues,
        "jobs": _jobs(configuration, configured.scheduler, case),
    }


def _size(memory: Any, vcores: Any) -> list[int]:
    """None where there is no limit."""
    return [int(memory), int(vcores)]


def _count(amount: Any) -> int | None:
    return None if amount >= INFINITE else int(amount)


def _fair_queue(reading: Reading, place: int, is_leaf: bool) -> Answer:
    scheduler, tree = reading.scheduler, reading.tree
    order = scheduler.order.policy.name
    values = {
        "leaf": is_leaf,
        "weight": float(tree.weight[place]),
        "minResources": _size(*tree.min_resource[:, place]),
        "maxResources": [_count(most) for most in tree.max_resource[:, place]],
        "maxRunningApps": _count(tree.max_running_jobs[place]),
        "schedulingPolicy": POLICY_NAMES[tree.policy[place]] or order,
        "minSharePreemptionTimeout": _count(tree.min_share_timeout[place]),
        "fairSharePreemptionTimeout": _count(tree.fair_share_timeout[place]),
        "fairSharePreemptionThreshold": float(tree.fair_share_threshold[place]),
        "allowPreemptionFrom": bool(tree.allows_preemption[place]),
    }
    if is_leaf:
        values["maxAMShare"] = _am_share(tree, place, scheduler, NO_AM_LIMIT)
        values["maxContainerAllocation"] = _size(*tree.container_resource[:, place])
    return values


def _am_share(tree: QueueTree, place: int, scheduler: Scheduler, no_limit: float) -> float:
    """A leaf's own, or the scheduler's."""
    if not math.isnan(tree.am_share[place]):
        return float(tree.am_share[place])
    return no_limit if scheduler.admission.policy.name == "admit-all" else scheduler.admission.number("limit")


def _capacity_queue(reading: Reading, place: int, is_leaf: bool) -> Answer:
    scheduler, tree, applications = reading.scheduler, reading.tree, reading.applications
    total = [NODES * amount for amount in reading.node]
    capacity, maximum = float(tree.capacity[place]), float(tree.max_capacity[place])
    values = {
        "leaf": is_leaf,
        "state": "STOPPED" if tree.stopped[place] else "RUNNING",
        "absolute-capacity": capacity,
        "absolute-maximum-capacity": maximum,
        "minimum-resource": [int(amount * capacity) for amount in total],
        "maximum-resource": [int(amount * maximum) for amount in total],
        "priority": int(tree.priority[place]),
        "disable-preemption": bool(tree.disables_preemption[place]),
        "max-parallel-apps": _count(tree.max_running_jobs[place]),
    }
    ordering = tree.ordering[place]
    if is_leaf:
        factor = float(tree.user_limit_factor[place])
        values |= {
            "user-limit-factor": -1.0 if factor >= MAX_USER_LIMIT_FACTOR else factor,
            "minimum-user-limit-percent": float(tree.min_user_limit[place]),
            "maximum-applications": _count(applications.of_queue[place]),
            "maximum-applications-per-user": _count(applications.of_user[place]),
            "maximum-am-resource-percent": _am_share(tree, place, scheduler, MAX_AM_LIMIT),
            "ordering": "fair" if ordering in (BY_MEMORY, BY_MEMORY_SIZE_WEIGHTED) else "fifo",
            "size-based-weight": bool(ordering == BY_MEMORY_SIZE_WEIGHTED),
            "maximum-allocation": _size(*tree.container_resource[:, place]),
        }
    else:
        while place and not any(tree.parent == place):  # one in which Hadoop creates queues has its parent's
            place = int(tree.parent[place])
        values["ordering"] = "priority-utilization" if tree.ordering[place] == BY_PRIORITY else "utilization"
    return values


def _settings(configured: ConfiguredScenario, scheduler: Scheduler, case: Case) -> Answer:
    cluster, order = configured.scenario.cluster, scheduler.order
    users = {user.name: user.max_running_apps for user in configured.scenario.users}
    settings: Answer = {
        "users": {name: users.get(name, cluster.user_max_running_apps) for name, _ in case.jobs}
    }
    if (allocation := cluster.allocation) is not None:
        for key in ("minimum", "maximum", "increment"):
            size = getattr(allocation, key)
            settings[key] = _size(size.memory_mb, size.vcores)
    settings |= order.given
    settings["preemption"] = scheduler.preempts
    settings["assigned"] = (
        "half" if order.given.get("dynamic_max_assign") == "yes" else cluster.containers_per_heartbeat
    )
    return settings


class Submitted:
    """A scenario's JSON with jobs as clients submit them: to queues that only the configuration lists."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def plain(self) -> dict[str, Any]:
        """It, anew each time."""
        memory, vcores = self.case.node
        task = {"memory_mb": 1, "vcores": 1}
        jobs = [
            {
                "user": user,
                "queue": _in_root(queue),
                "am": task,
                "maps": {**task, **WAITS},
            }
            for user, queue in self.case.jobs
        ]
        nodes = [{"count": NODES, "memory_mb": memory, "vcores": vcores}]
        return {"version": VERSION, "cluster": {"nodes": nodes}, "jobs": jobs}


def _in_root(queue: str) -> str:
    return queue if queue.partition(".")[0] == ROOT else f"{ROOT}.{queue}"


def _jobs(configuration: Configuration, scheduler: str, case: Case) -> list[str | None]:
    """The queue of each, None where it is refused; why, where there is no scenario of them."""
    try:
        placed = configure_scenario(Submitted(case), configuration, place_jobs=True).scenario
    except GantryError as refusal:
        return [str(refusal)] * len(case.jobs)
    refused = simulate(placed, scheduler).jobs.refused
    return [
        None if why != TAKEN else job.queue for job, why in zip(placed.jobs, refused.tolist(), strict=True)
    ]
