"""fair-scheduler.xml, element by element (AllocationFileParser, AllocationFileQueueParser)."""

from __future__ import annotations

from engine.messages import msg
from engine.scenario.configuration.fair_values import (
    AM_SHARE,
    FLAG,
    MAXIMUM_CONTAINER,
    MAXIMUM_RESOURCES,
    MINIMUM_RESOURCES,
    ORDER,
    POLICY,
    RUNNING_APPS,
    THRESHOLD,
    TIMEOUT,
    WEIGHT,
)
from engine.scenario.configuration.property_table import Row, Table
from engine.scenario.configuration.value_parsing import ACL

NO_SHARE = {"memory_mb": 0, "vcores": 0}
MAX_APPS_DEFAULT = "queueMaxAppsDefault"

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
        Row(("maxContainerAllocation",), "queue", "max_container", MAXIMUM_CONTAINER),
        Row(
            ("maxRunningApps",), "queue", "max_running_apps", RUNNING_APPS, default_property=MAX_APPS_DEFAULT
        ),
        Row(("maxAMShare",), "queue", "max_am_share", AM_SHARE),
        Row(("aclSubmitApps",), "queue", "submit_acl", ACL),
        Row(("aclAdministerApps",), "queue", "administer_acl", ACL),
        Row(("weight",), "queue", "weight", WEIGHT, 1.0),
        Row(("schedulingPolicy", "schedulingMode"), "queue", "policy", POLICY),
        Row(("minSharePreemptionTimeout",), "queue", "min_share_preemption_timeout_s", TIMEOUT),
        Row(("fairSharePreemptionTimeout",), "queue", "fair_share_preemption_timeout_s", TIMEOUT),
        Row(("fairSharePreemptionThreshold",), "queue", "fair_share_preemption_threshold", THRESHOLD),
        Row(("allowPreemptionFrom",), "queue", "allow_preemption_from", FLAG, True),
    )
)

# Of all queues, where they have none of their own; they stay in the file as they are.
DEFAULTS = {
    "queueMaxResourcesDefault": QUEUE.by_name.get("maxResources"),
    MAX_APPS_DEFAULT: QUEUE.by_name.get("maxRunningApps"),
}

# Of root, where it has none of its own, and so of its children.
ROOT = Table(
    (
        Row(("defaultMinSharePreemptionTimeout",), "queue", "min_share_preemption_timeout_s", TIMEOUT),
        Row(
            ("defaultFairSharePreemptionTimeout", "fairSharePreemptionTimeout"),
            "queue",
            "fair_share_preemption_timeout_s",
            TIMEOUT,
        ),
        Row(("defaultFairSharePreemptionThreshold",), "queue", "fair_share_preemption_threshold", THRESHOLD),
    )
)

TOP = Table(
    (
        Row(
            ("defaultQueueSchedulingPolicy", "defaultQueueSchedulingMode"),
            "scheduler",
            "order",
            ORDER,
            "fair",
        ),
        Row(("queueMaxAMShareDefault",), "scheduler", "am_share", AM_SHARE, 0.5),
        Row(("userMaxAppsDefault",), "cluster", "user_max_running_apps", RUNNING_APPS),
    )
)

USER = Table((Row(("maxRunningApps",), "scenario", "users.max_running_apps", RUNNING_APPS),))

# Hadoop reads them and nothing here does: what that may change.
RESERVED = msg("scenario.hadoop_properties.reservation_system")
ACL_ELEMENTS = (
    "aclAdministerReservations",
    "aclListReservations",
    "aclSubmitReservations",
)
MAX_CHILD_RESOURCES, RESERVATION = "maxChildResources", "reservation"
UNMODELLED_OF_QUEUE = {
    **dict.fromkeys(ACL_ELEMENTS, RESERVED),
    MAX_CHILD_RESOURCES: msg("scenario.fair_table.largest_of_made_queues"),
    RESERVATION: RESERVED,
}
UNMODELLED_OF_TOP = dict.fromkeys(
    ("reservation-planner", "reservation-agent", "reservation-policy"), RESERVED
)
HADOOP_1 = {
    "minMaps",
    "minReduces",
    "maxMaps",
    "maxReduces",
    "maxRunningJobs",
    "poolMaxJobsDefault",
    "userMaxJobsDefault",
    "defaultPoolSchedulingMode",
}
