"""fair-scheduler.xml, element by element (AllocationFileQueueParser, AllocationFileParser)."""

from __future__ import annotations

from engine.scenario.configuration.mapping import Row, Table
from engine.scenario.configuration.quantities import AT_MOST_ONE, FLAGS, LEAST, MOST, POLICY, SECONDS, UNIT, WEIGHT, WHOLES, Kind, policy

NO_SHARE = {"memory_mb": 0, "vcores": 0}
LEAST_APPS = "queueMaxAppsDefault"


def _order(text: str) -> str:
    found = policy(text)
    if found == "fifo":
        raise ValueError("can't be fifo, which orders jobs alone, as in Hadoop")
    return found


def _master_share(text: str) -> float:
    return max(-1.0, AT_MOST_ONE.parse(text, None))


QUEUE = Table((
    Row(("minResources",), "queue", "min_share", LEAST, NO_SHARE),
    Row(("maxResources",), "queue", "max_share", MOST, inherits="queueMaxResourcesDefault"),
    Row(("maxContainerAllocation",), "queue", "max_container", MOST),
    Row(("maxRunningApps",), "queue", "max_running_apps", WHOLES, inherits=LEAST_APPS),
    Row(("maxAMShare",), "queue", "max_am_share", Kind(lambda text, size: _master_share(text), AT_MOST_ONE.format)),
    Row(("weight",), "queue", "weight", WEIGHT, 1.0),
    Row(("schedulingPolicy", "schedulingMode"), "queue", "policy", POLICY),
    Row(("minSharePreemptionTimeout",), "queue", "min_share_preemption_timeout_s", SECONDS),
    Row(("fairSharePreemptionTimeout",), "queue", "fair_share_preemption_timeout_s", SECONDS),
    Row(("fairSharePreemptionThreshold",), "queue", "fair_share_preemption_threshold", UNIT),
    Row(("allowPreemptionFrom",), "queue", "allow_preemption_from", FLAGS, True),
))  # fmt: skip

# Of all queues, where they have none of their own; they stay in the file as they are.
DEFAULTS = {
    "queueMaxResourcesDefault": QUEUE.of.get("maxResources"),
    LEAST_APPS: QUEUE.of.get("maxRunningApps"),
}

# Of root, which its children inherit.
ROOT = Table((
    Row(("defaultMinSharePreemptionTimeout",), "queue", "min_share_preemption_timeout_s", SECONDS),
    Row(("defaultFairSharePreemptionTimeout", "fairSharePreemptionTimeout"), "queue", "fair_share_preemption_timeout_s", SECONDS),
    Row(("defaultFairSharePreemptionThreshold",), "queue", "fair_share_preemption_threshold", UNIT),
))  # fmt: skip

TOP = Table((
    Row(("defaultQueueSchedulingPolicy", "defaultQueueSchedulingMode"), "scheduler", "order", Kind(lambda text, size: _order(text), str), "fair"),
    Row(("queueMaxAMShareDefault",), "scheduler", "am_share", Kind(lambda text, size: _master_share(text), AT_MOST_ONE.format), 0.5),
    Row(("userMaxAppsDefault",), "cluster", "user_max_running_apps", WHOLES),
))  # fmt: skip

USER = Table((Row(("maxRunningApps",), "scenario", "users.max_running_apps", WHOLES),))
