"""What the files say of the scheduler as its name here, such as capacity(resources=memory)+am-limit(limit=0.2), and the settings of a name for the files."""

from __future__ import annotations

import re
from typing import Any

from engine.scenario.configuration.quantities import plain

MOST_ASSIGNED = 2_147_483_647
ORDERS = {"fair": "fair", "drf": "fair", "capacity": "capacity", "fifo": "fifo"}  # and the family of each
# Parameters of the orders that the files set, with the defaults of this model.
PARAMETERS = {
    "fair": {
        "update_ms": 500.0, "locality_node": -1.0, "locality_rack": -1.0, "dynamic_max_assign": "no",
        "preemption": "no", "utilization_threshold": 0.8, "wait_before_kill_ms": 15000.0, "starvation_check_ms": 10000.0, "am_preemption": "yes",
    },
    "capacity": {
        "resources": "both", "node_locality_delay": 40.0, "rack_locality_additional_delay": -1.0, "maximum_offswitch_assignments": None,
        "preemption": "no", "monitoring_interval_ms": 3000.0, "max_wait_before_kill_ms": 15000.0, "total_preemption_per_round": 0.1,
        "max_ignored_over_capacity": 0.1, "natural_termination_factor": 0.2,
    },
    "fifo": {"resources": "both"},
}  # fmt: skip
NAME = re.compile(r"(?P<order>\w+)(?:\((?P<values>[^()]*)\))?(?P<beside>.*)")
HADOOP = {"resources": "memory"}  # where Hadoop's default is another


def scheduler_name(family: str, said: dict[str, Any], has_blocks: bool = False) -> str:
    """The scheduler's name, defaults left out. has_blocks: maps' input lies on nodes, or every assignment is off-switch."""
    order = said.get("order", "fair") if family == "fair" else family
    if family == "fair" and said.get("assign_multiple", False) and said.get("assign_dynamic", True):
        said = {**said, "dynamic_max_assign": "yes"}
    if _limits_off_switch(family, said, has_blocks):
        said = {**said, "maximum_offswitch_assignments": said.get("assign_off_switch", 1)}
    values = {key: said.get(key, HADOOP.get(key, default)) for key, default in PARAMETERS[family].items()}
    changed = ", ".join(f"{key}={plain(value)}" for key, value in values.items() if value != PARAMETERS[family][key])
    name = f"{order}({changed})" if changed else order
    if family == "fair":
        share = said.get("am_share", 0.5)
        return name + ("+admit-all" if share < 0 else "" if share == 0.5 else f"+am-share(limit={plain(float(share))})")
    limit = said.get("am_limit", 0.1) if family == "capacity" else 0.1
    if limit > 1:
        return f"{name}+admit-all"
    return name + ("" if limit == 0.1 else f"+am-limit(limit={plain(float(limit))})")


def completed(name: str, answered: str | None) -> str:
    """A name from yarn-site.xml alone, with what the ResourceManager's own answer says beyond it, such as its limit of masters."""
    ours, theirs = (NAME.fullmatch(one or "") for one in (name, answered))
    if not ours or not theirs or ORDERS.get(ours["order"]) != ORDERS.get(theirs["order"]):
        return name
    own, more = (dict(one.split("=") for one in (found["values"] or "").split(", ") if one) for found in (ours, theirs))
    values = ", ".join(f"{key}={value}" for key, value in (more | own).items())
    return theirs["order"] + (f"({values})" if values else "") + (ours["beside"] or theirs["beside"])


def _limits_off_switch(family: str, said: dict[str, Any], has_blocks: bool) -> bool:
    """Whether a part of what a beat gives may be off-switch."""
    return family == "capacity" and has_blocks and said.get("assign_multiple", True) and any(key.startswith("assign_") for key in said)


def containers_per_beat(family: str, said: dict[str, Any], has_blocks: bool = False) -> int | None:
    """How many containers a node is given on a beat at most, None for no limit."""
    if family == "fair":
        most = said.get("assign_most", -1)
        if not said.get("assign_multiple", False):
            return 1
        return None if said.get("assign_dynamic", True) or most <= 0 else most
    if not said.get("assign_multiple", True):
        return 1
    most, off_switch = said.get("assign_most", 100), said.get("assign_off_switch", 1)
    if _limits_off_switch(family, said, has_blocks):
        return None if most <= 0 else most
    least = off_switch if most <= 0 else min(most, off_switch)
    return None if least >= MOST_ASSIGNED else max(1, least)


def assignment(family: str, limit: int | None, dynamic: bool, off_switch: float | None) -> dict[str, Any]:
    """The settings that give a node so many containers on a beat.

    dynamic: under fair, as long as they come to no more than half of what it had free; off_switch: under capacity, so many of them at most off-switch.
    """
    if off_switch is not None:
        return {"assign_multiple": True, "assign_most": -1 if limit is None else limit, "assign_off_switch": int(off_switch)}
    if dynamic:
        return {"assign_multiple": True, "assign_dynamic": True}
    if family == "fair":
        return {"assign_multiple": limit != 1} | ({"assign_dynamic": False, "assign_most": -1 if limit is None else limit} if limit != 1 else {})
    most, off_switch = (-1, MOST_ASSIGNED) if limit is None else (max(100, limit), limit)
    return {"assign_multiple": True, "assign_most": most, "assign_off_switch": off_switch}
