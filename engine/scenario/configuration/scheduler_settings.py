"""What the files say of the scheduler as its name here, such as
capacity(resources=memory)+am-limit(limit=0.2), and the settings of a name for the files.
"""

from __future__ import annotations

import re
from typing import Any

from engine.scenario.configuration.value_parsing import format_plain

MAX_ASSIGNMENTS = 2_147_483_647
ORDERS = {"fair": "fair", "drf": "fair", "capacity": "capacity", "fifo": "fifo"}  # and the family of each
# Parameters of the orders that the files set, with the defaults of this model.
PARAMETERS: dict[str, dict[str, Any]] = {
    "fair": {
        "update_ms": 500.0,
        "locality_node": -1.0,
        "locality_rack": -1.0,
        "dynamic_max_assign": "no",
        "preemption": "no",
        "utilization_threshold": 0.8,
        "wait_before_kill_ms": 15000.0,
        "starvation_check_ms": 10000.0,
        "am_preemption": "yes",
    },
    "capacity": {
        "resources": "both",
        "node_locality_delay": 40.0,
        "rack_locality_additional_delay": -1.0,
        "maximum_offswitch_assignments": None,
        "preemption": "no",
        "monitoring_interval_ms": 3000.0,
        "max_wait_before_kill_ms": 15000.0,
        "total_preemption_per_round": 0.1,
        "max_ignored_over_capacity": 0.1,
        "natural_termination_factor": 0.2,
    },
    "fifo": {"resources": "both"},
}
NAME = re.compile(r"(?P<order>\w+)(?:\((?P<values>[^()]*)\))?(?P<beside>.*)")
HADOOP = {"resources": "memory"}  # where Hadoop's default is another


def scheduler_name(family: str, settings: dict[str, Any], has_blocks: bool = False) -> str:
    """The scheduler's name, defaults left out. has_blocks: maps' input lies on nodes, or every assignment is
    off-switch.
    """
    order = settings.get("order", "fair") if family == "fair" else family
    if family == "fair" and settings.get("assign_multiple", False) and settings.get("assign_dynamic", True):
        settings = {**settings, "dynamic_max_assign": "yes"}
    if _limits_off_switch(family, settings, has_blocks):
        settings = {**settings, "maximum_offswitch_assignments": settings.get("assign_off_switch", 1)}
    if family == "capacity" and not preempts(settings):
        settings = {**settings, "preemption": "no"}
    values = {key: settings.get(key, HADOOP.get(key, default)) for key, default in PARAMETERS[family].items()}
    changed = ", ".join(
        f"{key}={format_plain(value)}" for key, value in values.items() if value != PARAMETERS[family][key]
    )
    name = f"{order}({changed})" if changed else order
    if family == "fair":
        share = settings.get("am_share", 0.5)
        return name + (
            "+admit-all"
            if share < 0
            else ""
            if share == 0.5
            else f"+am-share(limit={format_plain(float(share))})"
        )
    limit = settings.get("am_limit", 0.1) if family == "capacity" else 0.1
    if limit > 1:
        return f"{name}+admit-all"
    return name + ("" if limit == 0.1 else f"+am-limit(limit={format_plain(float(limit))})")


def preempts(settings: dict[str, Any]) -> bool:
    """Whether CapacityScheduler's monitor kills containers: it is there, with its policy, and does not only
    observe.
    """
    return (
        settings.get("preemption", "no") == "yes"
        and settings.get("has_preemption_policy", True)
        and not settings.get("observes_only", False)
    )


def complete_name(name: str, reported: str | None) -> str:
    """A name from yarn-site.xml alone, with what the ResourceManager's own answer says beyond it, such as its
    limit of masters.
    """
    own_match, reported_match = (NAME.fullmatch(text or "") for text in (name, reported))
    if (
        not own_match
        or not reported_match
        or ORDERS.get(own_match["order"]) != ORDERS.get(reported_match["order"])
    ):
        return name
    given_values, reported_values = (
        dict(text.split("=") for text in (match["values"] or "").split(", ") if text)
        for match in (own_match, reported_match)
    )
    values = ", ".join(f"{key}={value}" for key, value in (reported_values | given_values).items())
    return (
        reported_match["order"]
        + (f"({values})" if values else "")
        + (own_match["beside"] or reported_match["beside"])
    )


def _limits_off_switch(family: str, settings: dict[str, Any], has_blocks: bool) -> bool:
    """Whether a part of what a beat gives may be off-switch."""
    return (
        family == "capacity"
        and has_blocks
        and settings.get("assign_multiple", True)
        and any(key.startswith("assign_") for key in settings)
    )


def max_containers_per_heartbeat(
    family: str, settings: dict[str, Any], has_blocks: bool = False
) -> int | None:
    """How many containers a node is given on a beat at most, None for no limit."""
    if family == "fair":
        maximum = settings.get("assign_most", -1)
        if not settings.get("assign_multiple", False):
            return 1
        return None if settings.get("assign_dynamic", True) or maximum <= 0 else maximum
    if not settings.get("assign_multiple", True):
        return 1
    maximum, off_switch = settings.get("assign_most", 100), settings.get("assign_off_switch", 1)
    if _limits_off_switch(family, settings, has_blocks):
        return None if maximum <= 0 else maximum
    minimum = off_switch if maximum <= 0 else min(maximum, off_switch)
    return None if minimum >= MAX_ASSIGNMENTS else max(1, minimum)


def assignment_settings(
    family: str, limit: int | None, dynamic: bool, off_switch: float | None
) -> dict[str, Any]:
    """The settings that give a node so many containers on a beat.

    dynamic: under fair, as long as they come to no more than half of what it had free; off_switch: under
    capacity, so many of them at most off-switch.
    """
    if off_switch is not None:
        return {
            "assign_multiple": True,
            "assign_most": -1 if limit is None else limit,
            "assign_off_switch": int(off_switch),
        }
    if dynamic:
        return {"assign_multiple": True, "assign_dynamic": True}
    if family == "fair":
        return {"assign_multiple": limit != 1} | (
            {"assign_dynamic": False, "assign_most": -1 if limit is None else limit} if limit != 1 else {}
        )
    maximum, off_switch = (-1, MAX_ASSIGNMENTS) if limit is None else (max(100, limit), limit)
    return {"assign_multiple": True, "assign_most": maximum, "assign_off_switch": off_switch}
