"""capacity-scheduler.xml's properties of one queue, yarn.scheduler.capacity.QUEUE.…, but its capacities,
which their siblings bear on.
"""

from __future__ import annotations

from engine.codes import MAX_USER_LIMIT_FACTOR
from engine.messages import msg
from engine.scenario.configuration.property_table import Row, Table
from engine.scenario.configuration.site_table import CAPACITY, DEFAULT_MAXIMUM
from engine.scenario.configuration.value_parsing import (
    FLAGS,
    NUMBERS,
    UNIT,
    WHOLES,
    YES_OR_NO,
    Codec,
    NotModelled,
    parse_number,
    quoted,
)


def _parse_user_limit(text: str) -> int:
    percentage = parse_number(text)
    if percentage != int(percentage):
        raise NotModelled(
            msg("scenario.capacity_table.no_whole_percentage_which_not_modelled", quoted=quoted(text))
        )
    return int(percentage)


def _parse_factor(text: str) -> float:
    """-1 is no limit in Hadoop, where no factor is that large."""
    factor = parse_number(text)
    return MAX_USER_LIMIT_FACTOR if factor == -1 else factor


USER_LIMIT = "minimum-user-limit-percent"
MAX_APPS = "max-parallel-apps"
# yarn.scheduler.capacity.user.NAME.max-parallel-apps
USER_ROW = Row((), "scenario", "users.max_running_apps", WHOLES)


def _parse_ordering(text: str) -> str:
    ordering = text.strip()
    if ordering not in ("fifo", "fair", "utilization", "priority-utilization"):
        raise NotModelled(msg("scenario.capacity_table.not_modelled_fifo_and_fair", quoted=quoted(text)))
    return ordering


QUEUE = Table(
    (
        Row(
            ("user-limit-factor",),
            "queue",
            "user_limit_factor",
            Codec(lambda text, size: _parse_factor(text), NUMBERS.format),
            default_property="user-limit-factor",
        ),
        Row(
            (USER_LIMIT,),
            "queue",
            "min_user_limit_pct",
            Codec(lambda text, size: _parse_user_limit(text), str),
            default_property=USER_LIMIT,
        ),
        Row(("ordering-policy",), "queue", "ordering", Codec(lambda text, size: _parse_ordering(text), str)),
        Row(("ordering-policy.fair.enable-size-based-weight",), "queue", "size_based_weight", FLAGS, False),
        Row(("priority",), "queue", "priority", WHOLES, 0),
        Row(("disable_preemption",), "queue", "disable_preemption", YES_OR_NO),
        Row((MAX_APPS,), "queue", "max_running_apps", WHOLES, default_property=MAX_APPS),
        Row(
            ("maximum-allocation-mb",),
            "queue",
            "max_container.memory_mb",
            WHOLES,
            pair_default=DEFAULT_MAXIMUM,
        ),
        Row(
            ("maximum-allocation-vcores",),
            "queue",
            "max_container.vcores",
            WHOLES,
            pair_default=DEFAULT_MAXIMUM,
        ),
        Row(("maximum-am-resource-percent",), "queue", "max_am_share", UNIT),
    )
)

DEFAULTS = {f"{CAPACITY}{row.default_property}": row for row in QUEUE.rows if row.default_property}
