"""capacity-scheduler.xml's properties of one queue, yarn.scheduler.capacity.QUEUE.…, but its capacities,
which their siblings bear on.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from engine.codes import MAX_USER_LIMIT_FACTOR
from engine.messages import msg
from engine.scenario.configuration.java_values import (
    floats,
    ints,
    java_float,
    java_int,
    nearest,
    trim,
    yes_or_no,
)
from engine.scenario.configuration.property_table import Row, Table
from engine.scenario.configuration.site_table import CAPACITY, DEFAULT_MAXIMUM, USERS_MAX_APPS, max_apps
from engine.scenario.configuration.value_parsing import ACL, Codec, Taken, format_plain, quoted
from engine.scenario.field_types import MAX_RESOURCE

USER_LIMIT = "minimum-user-limit-percent"
MAX_APPS = "max-parallel-apps"
ORDERING = "ordering-policy"
AM_SHARE = "maximum-am-resource-percent"
SIZE_BASED = f"{ORDERING}.fair.enable-size-based-weight"
# what Hadoop reads of leaves alone; a parent's maximum-am-resource-percent must be a number all the same
OF_LEAVES = ("user-limit-factor", USER_LIMIT, AM_SHARE, SIZE_BASED)
MAX_PRIORITY = 1_000_000
POLICY_PACKAGE = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy."
LEAF_ORDERINGS = {
    "fifo": "fifo",
    "fair": "fair",
    f"{POLICY_PACKAGE}FifoOrderingPolicy": "fifo",
    f"{POLICY_PACKAGE}FairOrderingPolicy": "fair",
}
# orders of leaves that are FIFO's but for what their names say
NEAR_ORDERINGS = (
    "fifo-with-partitions",
    "fifo-for-pending-apps",
    f"{POLICY_PACKAGE}FifoOrderingPolicyWithExclusivePartitions",
    f"{POLICY_PACKAGE}FifoOrderingPolicyForPendingApps",
)
PARENT_ORDERINGS = ("utilization", "priority-utilization")
UNTRIMMED = re.compile(r"[+-]?[0-9]{1,10}", re.ASCII)


def _parse_factor(text: str) -> Any:
    """-1 is no limit in Hadoop, where no factor is that large."""
    factor = java_float(text)
    if factor == -1 or factor > MAX_USER_LIMIT_FACTOR:
        return MAX_USER_LIMIT_FACTOR
    return nearest(factor, 0.0, MAX_USER_LIMIT_FACTOR)


def _parse_leaf_ordering(text: str) -> Any:
    ordering = trim(text)
    if ordering in NEAR_ORDERINGS:
        return Taken("fifo", msg("scenario.capacity_table.near_fifo", quoted=quoted(text)))
    if ordering not in LEAF_ORDERINGS:
        raise ValueError(msg("scenario.capacity_table.no_order_of_jobs", quoted=quoted(text)))
    return LEAF_ORDERINGS[ordering]


def _parse_parent_ordering(text: str) -> str:
    if trim(text) not in PARENT_ORDERINGS:
        raise ValueError(msg("scenario.capacity_table.no_order_of_queues", quoted=quoted(text)))
    return trim(text)


def _parse_max_apps(text: str) -> Any:
    """A queue's own is not trimmed."""
    if not UNTRIMMED.fullmatch(text):
        raise ValueError(msg("scenario.value_parsing.must_be_whole_number", quoted=f"'{text[:60]}'"))
    return max_apps(text)


def _parse_max_container(text: str) -> Any:
    """-1 is none of its own (UNDEFINED)."""
    amount = java_int(text)
    return None if amount == -1 else nearest(amount, 1, MAX_RESOURCE)


def _parse_max_applications(text: str) -> int | None:
    """Less than 0 is none of its own (CapacitySchedulerConfiguration.getMaximumApplicationsPerQueue)."""
    return None if (count := java_int(text)) < 0 else count


def _parse_state(text: str) -> str:
    state = text.lower()
    if state not in ("running", "stopped"):
        raise ValueError(msg("scenario.capacity_table.must_be_running_or_stopped", quoted=quoted(text)))
    return state


GLOBAL_MAX_APPLICATIONS = "global-queue-max-application"
# yarn.scheduler.capacity.user.NAME.max-parallel-apps
USER_ROW = Row((), "scenario", "users.max_running_apps", USERS_MAX_APPS)
MAX_CONTAINER = Codec(lambda text, size: _parse_max_container(text), format_plain)

QUEUE = Table(
    (
        Row(
            ("user-limit-factor",),
            "queue",
            "user_limit_factor",
            Codec(lambda text, size: _parse_factor(text), format_plain),
            default_property="user-limit-factor",
        ),
        Row(
            (USER_LIMIT,),
            "queue",
            "min_user_limit_pct",
            floats(0.0, 100.0),
            default_property=USER_LIMIT,
        ),
        Row((ORDERING,), "queue", "ordering", Codec(lambda text, size: _parse_leaf_ordering(text), str)),
        Row(
            (SIZE_BASED,),
            "queue",
            "size_based_weight",
            Codec(lambda text, size: text.lower() == "true", format_plain),  # Boolean.parseBoolean
            False,
        ),
        Row(("priority",), "queue", "priority", ints(-MAX_PRIORITY, MAX_PRIORITY), 0),
        Row(("disable_preemption",), "queue", "disable_preemption", yes_or_no(None)),
        Row(
            (MAX_APPS,),
            "queue",
            "max_running_apps",
            Codec(lambda text, size: _parse_max_apps(text), format_plain),
            default_property=MAX_APPS,
        ),
        Row(
            ("maximum-applications",),
            "queue",
            "max_applications",
            Codec(lambda text, size: _parse_max_applications(text), str),
            default_property=GLOBAL_MAX_APPLICATIONS,
        ),
        Row(("state",), "queue", "state", Codec(lambda text, size: _parse_state(text), str.upper)),
        Row(("acl_submit_applications",), "queue", "submit_acl", ACL),
        Row(("acl_administer_queue",), "queue", "administer_acl", ACL),
        Row(
            ("maximum-allocation-mb",),
            "queue",
            "max_container.memory_mb",
            MAX_CONTAINER,
            pair_default=DEFAULT_MAXIMUM,
        ),
        Row(
            ("maximum-allocation-vcores",),
            "queue",
            "max_container.vcores",
            MAX_CONTAINER,
            pair_default=DEFAULT_MAXIMUM,
        ),
        Row((AM_SHARE,), "queue", "max_am_share", floats(0.0, 1.0)),
    )
)
PARENT_ORDERING = replace(
    QUEUE.by_name[ORDERING], codec=Codec(lambda text, size: _parse_parent_ordering(text), str)
)

DEFAULTS = {f"{CAPACITY}{row.default_property}": row for row in QUEUE.rows if row.default_property}
DEFAULTS[f"{CAPACITY}{MAX_APPS}"] = replace(
    QUEUE.by_name[MAX_APPS], codec=Codec(lambda text, size: max_apps(text), format_plain)
)
