"""yarn-site.xml, and what capacity-scheduler.xml says of the whole scheduler, property by property."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.codes import MAX_AM_LIMIT
from engine.messages import msg
from engine.scenario.configuration.java_values import (
    MAX_INT,
    flags,
    floats,
    ints,
    java_float,
    java_int,
    java_long,
    longs,
    nearest,
    trim,
    unit_amount,
    yes_or_no,
)
from engine.scenario.configuration.property_table import Row, Table
from engine.scenario.configuration.value_parsing import Codec, Taken, format_plain, quoted
from engine.scenario.field_types import MAX_COUNT, MAX_RESOURCE

CAPACITY = "yarn.scheduler.capacity."
FAIR = "yarn.scheduler.fair."
SCHEDULER_CLASS = "yarn.resourcemanager.scheduler.class"
RESOURCE_TYPES, INCREMENT_SUFFIX = "yarn.resource-types.", ".increment-allocation"
DEFAULT_MINIMUM, DEFAULT_MAXIMUM = (1024, 1), (8192, 4)  # MB and vcores of a container, Hadoop's defaults
DEFAULT_MAX_APPLICATIONS = 10_000  # of CapacityScheduler
NODE_RESOURCE = "yarn.nodemanager.resource."
CLASSES = {"FairScheduler": "fair", "CapacityScheduler": "capacity", "FifoScheduler": "fifo"}
PACKAGE = "org.apache.hadoop.yarn.server.resourcemanager.scheduler"
CALCULATORS = {"DefaultResourceCalculator": "memory", "DominantResourceCalculator": "both"}
UTIL = "org.apache.hadoop.yarn.util.resource"


MONITOR = "yarn.resourcemanager.monitor.capacity.preemption."
MONITORS = "yarn.resourcemanager.scheduler.monitor."
PREEMPTION_POLICY = (
    "org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy"
)
OTHER_POLICIES = (
    f"{PACKAGE}.capacity.AutoCreatedQueueDeletionPolicy",
    f"{PACKAGE}.capacity.QueueConfigurationAutoRefreshPolicy",
    f"{PACKAGE}.capacity.QueueManagementDynamicEditPolicy",
)
MAX_MILLISECONDS = 10**9
MAX_PARAMETER = 10**6  # of those that count heartbeats, nodes and containers


def _parse_class(text: str) -> str:
    family = next((family for family in CLASSES.values() if _format_class(family) == trim(text)), None)
    if family is None:
        raise ValueError(
            msg("scenario.site_table.no_scheduler", quoted=quoted(text), classes=", ".join(CLASSES))
        )
    return family


def _format_class(family: str) -> str:
    simple = next(name for name, scheduler_family in CLASSES.items() if scheduler_family == family)
    return f"{PACKAGE}.{family}.{simple}"


def _parse_calculator(text: str) -> str:
    resources = next(
        (counted for counted in CALCULATORS.values() if _format_calculator(counted) == trim(text)), None
    )
    if resources is None:
        raise ValueError(
            msg(
                "scenario.site_table.no_calculator",
                quoted=quoted(text),
                calculators=" and ".join(map(_format_calculator, CALCULATORS.values())),
            )
        )
    return resources


def _format_calculator(resources: str) -> str:
    return f"{UTIL}.{next(name for name, counted in CALCULATORS.items() if counted == resources)}"


def _parse_am_limit(text: str) -> Any:
    limit = java_float(text)
    return MAX_AM_LIMIT if limit >= MAX_AM_LIMIT else nearest(limit, 0.0, 1.0)


def _parse_node_resource(text: str) -> Any:
    """Only NodeManagers read it; -1, and what is no number, leaves the nodes as they are."""
    try:
        amount = java_int(text)
    except ValueError as fault:
        return Taken(None, msg("scenario.site_table.no_node_starts", fault=fault))
    if amount < 1:
        return Taken(None, msg("scenario.site_table.found_out_by_each_node_by"))
    return nearest(amount, 1, MAX_RESOURCE)


def _parse_heartbeat(text: str) -> Any:
    return nearest(java_long(text), 0, MAX_MILLISECONDS)


def _parse_increment(text: str, default_unit: str) -> Any:
    """A whole number with a unit and nothing around it (ResourceUtils.getResourceTypeIncrement)."""
    amount = unit_amount(text, default_unit)
    if amount is None:
        raise ValueError(msg("scenario.site_table.must_be_amount", quoted=quoted(text)))
    return _parse_plain_increment(str(amount))


def _parse_plain_increment(text: str) -> Any:
    increment = java_long(text)
    if increment <= 0:
        raise ValueError(msg("scenario.site_table.must_be_above_0", quoted=quoted(text)))
    return nearest(increment, 1, MAX_RESOURCE)


def _parse_policies(text: str) -> bool:
    """Whether the policy that preempts is among those of the monitor."""
    names = [trim(name) for name in text.split(",") if trim(name)]
    for name in names:
        if name not in (PREEMPTION_POLICY, *OTHER_POLICIES):
            raise ValueError(msg("scenario.site_table.no_policy_of_monitor", quoted=quoted(name)))
    return PREEMPTION_POLICY in names


def max_apps(text: str) -> Any:
    """How many jobs run at a time; as many as an int holds are no limit."""
    apps = java_int(text)
    return None if apps == MAX_INT else nearest(apps, 0, MAX_COUNT)


def _parse_users_max_apps(text: str) -> Any:
    """It is read when the user submits a job, so that Hadoop starts whatever it is."""
    try:
        return max_apps(text)
    except ValueError as fault:
        return Taken(None, msg("scenario.site_table.fails_when_user_submits", fault=fault))


AMOUNTS = ints(1, MAX_RESOURCE)
PLAIN_INCREMENT = Codec(lambda text, size: _parse_plain_increment(text), format_plain)
HEARTBEATS = ints(-1, MAX_PARAMETER)
USERS_MAX_APPS = Codec(lambda text, size: _parse_users_max_apps(text), format_plain)
NODE_AMOUNT = Codec(lambda text, size: _parse_node_resource(text), format_plain)

SITE = Table(
    (
        Row(
            (SCHEDULER_CLASS,),
            "scheduler",
            "family",
            Codec(lambda text, size: _parse_class(text), _format_class),
        ),
        Row(("yarn.acl.enable",), "cluster", "acl_enable", flags(False), False),
        Row(
            ("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",),
            "cluster",
            "heartbeat_ms",
            Codec(lambda text, size: _parse_heartbeat(text), format_plain),
            1000,
        ),
        Row(
            ("yarn.scheduler.minimum-allocation-mb",),
            "cluster",
            "allocation.minimum.memory_mb",
            AMOUNTS,
            1024,
            pair_default=DEFAULT_MINIMUM,
        ),
        Row(
            ("yarn.scheduler.minimum-allocation-vcores",),
            "cluster",
            "allocation.minimum.vcores",
            AMOUNTS,
            1,
            pair_default=DEFAULT_MINIMUM,
        ),
        Row(
            ("yarn.scheduler.maximum-allocation-mb",),
            "cluster",
            "allocation.maximum.memory_mb",
            AMOUNTS,
            8192,
            pair_default=DEFAULT_MAXIMUM,
        ),
        Row(
            ("yarn.scheduler.maximum-allocation-vcores",),
            "cluster",
            "allocation.maximum.vcores",
            AMOUNTS,
            4,
            pair_default=DEFAULT_MAXIMUM,
        ),
        Row((f"{NODE_RESOURCE}memory-mb",), "scheduler", "node_memory_mb", NODE_AMOUNT, 8192),
        Row((f"{NODE_RESOURCE}cpu-vcores",), "scheduler", "node_vcores", NODE_AMOUNT, 8),
    )
)

FAIR_SITE = Table(
    (
        Row(
            (f"{RESOURCE_TYPES}memory-mb{INCREMENT_SUFFIX}", f"yarn.scheduler{INCREMENT_SUFFIX}-mb"),
            "cluster",
            "allocation.increment.memory_mb",
            Codec(lambda text, size: _parse_increment(text, "Mi"), format_plain),
            1024,
            pair_default=DEFAULT_MINIMUM,
        ),
        Row(
            (f"{RESOURCE_TYPES}vcores{INCREMENT_SUFFIX}", f"yarn.scheduler{INCREMENT_SUFFIX}-vcores"),
            "cluster",
            "allocation.increment.vcores",
            Codec(lambda text, size: _parse_increment(text, ""), format_plain),
            1,
            pair_default=DEFAULT_MINIMUM,
        ),
        Row((f"{FAIR}update-interval-ms",), "scheduler", "update_ms", longs(0, MAX_MILLISECONDS), 500.0),
        Row((f"{FAIR}locality.threshold.node",), "scheduler", "locality_node", floats(-1.0, 1.0), -1.0),
        Row((f"{FAIR}locality.threshold.rack",), "scheduler", "locality_rack", floats(-1.0, 1.0), -1.0),
        Row((f"{FAIR}preemption",), "scheduler", "preemption", yes_or_no("no"), "no"),
        Row(
            (f"{FAIR}preemption.cluster-utilization-threshold",),
            "scheduler",
            "utilization_threshold",
            floats(0.0, 1.0),
            0.8,
        ),
        Row(
            (f"{FAIR}waitTimeBeforeKill",),
            "scheduler",
            "wait_before_kill_ms",
            longs(0, MAX_MILLISECONDS),
            15000.0,
        ),
        Row(
            (f"{FAIR}waitTimeBeforeNextStarvationCheck",),
            "scheduler",
            "starvation_check_ms",
            longs(0, MAX_MILLISECONDS),
            10000.0,
        ),
        Row((f"{FAIR}am.preemption",), "scheduler", "am_preemption", yes_or_no("yes"), "yes"),
        Row((f"{FAIR}assignmultiple",), "scheduler", "assign_multiple", flags(False), False),
        Row((f"{FAIR}dynamic.max.assign",), "scheduler", "assign_dynamic", flags(True), True),
        Row((f"{FAIR}max.assign",), "scheduler", "assign_most", ints(-1, MAX_INT), -1),
    )
)

for _row in FAIR_SITE.rows[:2]:  # the old names have no units
    FAIR_SITE.by_name[_row.names[1]] = replace(_row, codec=PLAIN_INCREMENT)

CAPACITY_SITE = Table(
    (
        Row(
            (f"{CAPACITY}resource-calculator",),
            "scheduler",
            "resources",
            Codec(lambda text, size: _parse_calculator(text), _format_calculator),
            "memory",
        ),
        Row(
            (f"{CAPACITY}maximum-am-resource-percent",),
            "scheduler",
            "am_limit",
            Codec(lambda text, size: _parse_am_limit(text), format_plain),
            0.1,
        ),
        Row((f"{CAPACITY}node-locality-delay",), "scheduler", "node_locality_delay", HEARTBEATS, 40.0),
        Row(
            (f"{CAPACITY}rack-locality-additional-delay",),
            "scheduler",
            "rack_locality_additional_delay",
            HEARTBEATS,
            -1.0,
        ),
        Row((f"{MONITORS}enable",), "scheduler", "preemption", yes_or_no("no"), "no"),
        Row(
            (f"{MONITORS}policies",),
            "scheduler",
            "has_preemption_policy",
            Codec(lambda text, size: _parse_policies(text), lambda value: PREEMPTION_POLICY if value else ""),
            True,
        ),
        Row((f"{MONITOR}observe_only",), "scheduler", "observes_only", flags(False), False),
        Row(
            (f"{MONITOR}monitoring_interval",),
            "scheduler",
            "monitoring_interval_ms",
            longs(1, MAX_MILLISECONDS),
            3000.0,
        ),
        Row(
            (f"{MONITOR}max_wait_before_kill",),
            "scheduler",
            "max_wait_before_kill_ms",
            longs(0, MAX_MILLISECONDS),
            15000.0,
        ),
        Row(
            (f"{MONITOR}total_preemption_per_round",),
            "scheduler",
            "total_preemption_per_round",
            floats(0.0, 1.0),
            0.1,
        ),
        Row(
            (f"{MONITOR}max_ignored_over_capacity",),
            "scheduler",
            "max_ignored_over_capacity",
            floats(0.0, MAX_PARAMETER),
            0.1,
        ),
        Row(
            (f"{MONITOR}natural_termination_factor",),
            "scheduler",
            "natural_termination_factor",
            floats(0.0, 1.0),
            0.2,
        ),
        Row((f"{CAPACITY}user.max-parallel-apps",), "cluster", "user_max_running_apps", USERS_MAX_APPS),
        Row(
            (f"{CAPACITY}maximum-applications",),
            "cluster",
            "max_applications",
            Codec(lambda text, size: max(java_int(text), 0), str),
            DEFAULT_MAX_APPLICATIONS,
        ),
        Row(
            (f"{CAPACITY}per-node-heartbeat.multiple-assignments-enabled",),
            "scheduler",
            "assign_multiple",
            flags(True),
            True,
        ),
        Row(
            (f"{CAPACITY}per-node-heartbeat.maximum-offswitch-assignments",),
            "scheduler",
            "assign_off_switch",
            ints(1, MAX_INT),
            1,
        ),
        Row(
            (f"{CAPACITY}per-node-heartbeat.maximum-container-assignments",),
            "scheduler",
            "assign_most",
            ints(-MAX_INT, MAX_INT),
            100,
        ),
    )
)
# what of it stands in yarn-site.xml
MONITOR_SITE = Table(row for row in CAPACITY_SITE.rows if not row.names[0].startswith(CAPACITY))
