"""capacity-scheduler.xml's properties of one queue, yarn.scheduler.capacity.QUEUE.…, but its capacities, which their siblings bear on."""

from __future__ import annotations

from engine.scenario.configuration.mapping import Row, Table
from engine.scenario.configuration.quantities import FLAGS, NUMBERS, UNIT, WHOLES, YES_OR_NO, Kind, NotModelled, shown
from engine.scenario.configuration.site_table import CAPACITY, LARGEST


def _part_for_a_user(text: str) -> int:
    found = NUMBERS.parse(text, None)
    if found != int(found):
        raise NotModelled(f"{shown(text)} is no whole percentage, which is not modelled")
    return int(found)


def _times(text: str) -> float:
    """-1 is no limit in Hadoop, where no factor is that large."""
    found = NUMBERS.parse(text, None)
    return NO_LIMIT if found == -1 else found


NO_LIMIT = 1e6
USER_PART = "minimum-user-limit-percent"
MOST_APPS = "max-parallel-apps"
USER_ROW = Row((), "scenario", "users.max_running_apps", WHOLES)  # yarn.scheduler.capacity.user.NAME.max-parallel-apps


def _ordering(text: str) -> str:
    found = text.strip()
    if found not in ("fifo", "fair", "utilization", "priority-utilization"):
        raise NotModelled(f"{shown(text)} is not modelled: fifo and fair are")
    return found


QUEUE = Table((
    Row(("user-limit-factor",), "queue", "user_limit_factor", Kind(lambda text, size: _times(text), NUMBERS.format), inherits="user-limit-factor"),
    Row((USER_PART,), "queue", "min_user_limit_pct", Kind(lambda text, size: _part_for_a_user(text), str), inherits=USER_PART),
    Row(("ordering-policy",), "queue", "ordering", Kind(lambda text, size: _ordering(text), str)),
    Row(("ordering-policy.fair.enable-size-based-weight",), "queue", "size_based_weight", FLAGS, False),
    Row(("priority",), "queue", "priority", WHOLES, 0),
    Row(("disable_preemption",), "queue", "disable_preemption", YES_OR_NO),
    Row((MOST_APPS,), "queue", "max_running_apps", WHOLES, inherits=MOST_APPS),
    Row(("maximum-allocation-mb",), "queue", "max_container.memory_mb", WHOLES, beside=LARGEST),
    Row(("maximum-allocation-vcores",), "queue", "max_container.vcores", WHOLES, beside=LARGEST),
    Row(("maximum-am-resource-percent",), "queue", "max_am_share", UNIT),
))  # fmt: skip

DEFAULTS = {f"{CAPACITY}{row.inherits}": row for row in QUEUE.rows if row.inherits}
