"""fair-scheduler.xml, element by element (AllocationFileQueueParser, AllocationFileParser)."""

from __future__ import annotations

from engine.codes import NO_AM_LIMIT
from engine.messages import msg
from engine.scenario.configuration.property_table import Row, Table
from engine.scenario.configuration.value_parsing import (
    CAPPED_AT_ONE,
    FLAGS,
    MAXIMUM_RESOURCES,
    MINIMUM_RESOURCES,
    POLICY,
    SECONDS,
    UNIT,
    WEIGHT,
    WHOLES,
    Codec,
    parse_number,
    parse_policy,
)

NO_SHARE = {"memory_mb": 0, "vcores": 0}
MAX_APPS_DEFAULT = "queueMaxAppsDefault"


def _parse_order(text: str) -> str:
    order = parse_policy(text)
    if order == "fifo":
        raise ValueError(msg("scenario.fair_table.cant_be_fifo_which_orders_jobs"))
    return order


def _parse_am_share(text: str) -> float:
    return max(NO_AM_LIMIT, min(parse_number(text), 1.0))


QUEUE = Table(
    (
        Row(("minResources",), "queue", "min_share", MINIMUM_RESOURCES, NO_SHARE),
        Row(
            ("maxResources",),
            "queue",
            "max_share",
            MAXIMUM_RESOURCES,
            default_property="queueMaxResourcesDefault",
        ),
        Row(("maxContainerAllocation",), "queue", "max_container", MAXIMUM_RESOURCES),
        Row(("maxRunningApps",), "queue", "max_running_apps", WHOLES, default_property=MAX_APPS_DEFAULT),
        Row(
            ("maxAMShare",),
            "queue",
            "max_am_share",
            Codec(lambda text, size: _parse_am_share(text), CAPPED_AT_ONE.format),
        ),
        Row(("weight",), "queue", "weight", WEIGHT, 1.0),
        Row(("schedulingPolicy", "schedulingMode"), "queue", "policy", POLICY),
        Row(("minSharePreemptionTimeout",), "queue", "min_share_preemption_timeout_s", SECONDS),
        Row(("fairSharePreemptionTimeout",), "queue", "fair_share_preemption_timeout_s", SECONDS),
        Row(("fairSharePreemptionThreshold",), "queue", "fair_share_preemption_threshold", UNIT),
        Row(("allowPreemptionFrom",), "queue", "allow_preemption_from", FLAGS, True),
    )
)

# Of all queues, where they have none of their own; they stay in the file as they are.
DEFAULTS = {
    "queueMaxResourcesDefault": QUEUE.by_name.get("maxResources"),
    MAX_APPS_DEFAULT: QUEUE.by_name.get("maxRunningApps"),
}

# Of root, which its children inherit.
ROOT = Table(
    (
        Row(("defaultMinSharePreemptionTimeout",), "queue", "min_share_preemption_timeout_s", SECONDS),
        Row(
            ("defaultFairSharePreemptionTimeout", "fairSharePreemptionTimeout"),
            "queue",
            "fair_share_preemption_timeout_s",
            SECONDS,
        ),
        Row(("defaultFairSharePreemptionThreshold",), "queue", "fair_share_preemption_threshold", UNIT),
    )
)

TOP = Table(
    (
        Row(
            ("defaultQueueSchedulingPolicy", "defaultQueueSchedulingMode"),
            "scheduler",
            "order",
            Codec(lambda text, size: _parse_order(text), str),
            "fair",
        ),
        Row(
            ("queueMaxAMShareDefault",),
            "scheduler",
            "am_share",
            Codec(lambda text, size: _parse_am_share(text), CAPPED_AT_ONE.format),
            0.5,
        ),
        Row(("userMaxAppsDefault",), "cluster", "user_max_running_apps", WHOLES),
    )
)

USER = Table((Row(("maxRunningApps",), "scenario", "users.max_running_apps", WHOLES),))
