"""Schedulers by their contract names, for the oracle: ORDER[(key=value, ...)][+RULE[(...)]]..., and the parts
they name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from tests.oracle.admission import AdmitAll, AmLimit, AmShare, AutoAdmin, Reserve
from tests.oracle.allocation import Normalization, normalization
from tests.oracle.capacity_monitor import CapacityMonitor
from tests.oracle.capacity_walk import Capacity
from tests.oracle.cluster_state import ClusterState
from tests.oracle.fresh import Fresh
from tests.oracle.haste import FfdDp, Haste
from tests.oracle.headroom import Free, OfFairShare, OfQueueLimit
from tests.oracle.orders import Fifo, QueueOrder
from tests.oracle.priority import Priority
from tests.oracle.ramp_up import RampUp, SlowStart
from tests.oracle.saf import Saf
from tests.oracle.weighted import Weighted
from tests.oracle.windows import BatchFinish, LazyStart, Omo

# An order's twin, made with the cluster state and all its parameters.
ORDERS: dict[str, Callable[..., Any]] = {
    "fifo": lambda state, resources: Fifo(state),
    "fair": lambda state, resources, shares, **rest: QueueOrder(
        state, "fair", kinds=shares == "kind", stops="never" if shares == "kind" else "fitting", **rest
    ),
    "drf": lambda state, resources, **rest: QueueOrder(state, "drf", stops="fitting", **rest),
    "capacity": lambda state, resources, **rest: Capacity(state, **rest),
    "ffd-dp": FfdDp,
    "haste": Haste,
    "haste-a": Haste,
    "saf": Saf,
    "priority-fifo": lambda state, **values: Priority(state, "fifo", **values),
    "priority-fair": lambda state, **values: Priority(state, "fair", **values),
    "priority-capacity": lambda state, **values: Priority(state, "capacity", **values),
    "batch-finish": BatchFinish,
    "omo": Omo,
    "fresh": Fresh,
    "weighted": Weighted,
}
# The parameters of every part with what holds where they are not given, as the policies declare them.
PARTS = {
    name: {parameter.name: parameter.none_word or parameter.default for parameter in policy.parameters}
    for policies in CATALOGUE.values()
    for name, policy in policies.items()
}


# The rules of an order that is named without them.
HADOOP_MASTERS = {"fair": "am-share", "drf": "am-share", "priority-fair": "am-share"} | dict.fromkeys(
    ("capacity", "priority-capacity"), "am-limit"
)
SLOTTED = ("fresh", "batch-finish")


def parse(text: str) -> dict[str, dict]:
    """The parts by name, each with all its parameters; the order first. Rules that are not named are added as
    the order has them.
    """
    parts = _named(text)
    order = next(iter(parts))
    if order != "omo" and not parts.keys() & {"slowstart", "ramp-up", "lazy-start"}:
        parts |= _named(
            "slowstart" if order in SLOTTED or parts[order].get("shares") == "kind" else "ramp-up"
        )
    if not parts.keys() & {"admit-all", "am-share", "am-limit", "reserve", "autoadmin"}:
        parts |= _named(HADOOP_MASTERS.get(order, "admit-all"))
    if parts[order].get("shares") == "kind":
        parts[order] |= {"reservations": "no", "update_ms": 0}  # Hadoop 1 reserves nothing
    return parts


def _named(text: str) -> dict[str, dict]:
    parts: dict[str, dict] = {}
    for name, inner in re.findall(r"([a-z-]+)(?:\(([^)]*)\))?", text):
        given = [item.split("=") for item in inner.split(",") if item.strip()]
        values = {key.strip(): _value(value.strip()) for key, value in given}
        if name not in PARTS or values.keys() - PARTS[name].keys():
            raise ValueError(f"{text!r}: the oracle knows no {name}({inner})")
        parts[name] = PARTS[name] | values
    return parts


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def memory_only(parts: dict[str, dict]) -> bool:
    return any(values.get("resources") == "memory" for values in parts.values())


def normalization_of(scenario: Scenario, parts: dict[str, dict]) -> Normalization:
    """What is counted for a request: one vcore where the memory calculator counts it so; the orders of
    FairScheduler have calculators of their own.
    """
    of_fair_scheduler = bool(parts.keys() & {"fair", "drf", "priority-fair", "batch-finish", "omo"})
    return normalization(scenario, of_fair_scheduler, memory_only(parts) and not of_fair_scheduler)


def order_of(state: ClusterState, parts: dict[str, dict]):
    """What chooses among candidates."""
    name, values = next((name, values) for name, values in parts.items() if name in ORDERS)
    return ORDERS[name](state, **values)


def headroom_of(state: ClusterState, parts: dict[str, dict], order) -> Free:
    """What masters are told that their jobs could still have."""
    if "capacity" in parts:
        return OfQueueLimit(state, order)
    return OfFairShare(state, order) if parts.keys() & {"fair", "drf"} else Free(state)


def reduce_start_of(state: ClusterState, parts: dict[str, dict], headroom: Free):
    """What asks for reduces; omo brings its own."""
    if "omo" in parts:
        return LazyStart(state, **{name: value for name, value in parts["omo"].items() if name != "batch"})
    if "lazy-start" in parts:
        return LazyStart(state, **parts["lazy-start"])
    if "ramp-up" in parts:
        return RampUp(state, headroom, **parts["ramp-up"])
    return SlowStart(state, **parts["slowstart"])


def monitor_of(state: ClusterState, parts: dict[str, dict], order: Any) -> CapacityMonitor | None:
    """What kills for queues below their guarantees."""
    own = parts.get("capacity", {})
    if own.get("preemption") != "yes":
        return None
    settings = (
        "monitoring_interval_ms",
        "max_wait_before_kill_ms",
        "total_preemption_per_round",
        "max_ignored_over_capacity",
        "natural_termination_factor",
    )
    return CapacityMonitor(
        state,
        order,
        parts["am-limit"]["limit"] if "am-limit" in parts else None,
        *(own[name] for name in settings),
    )


def admission_of(state: ClusterState, parts: dict[str, dict], order: Any):
    """What lets masters start; the order says where queues get their share of the cluster from."""
    if "reserve" in parts:
        return Reserve(state, **parts["reserve"])
    if "autoadmin" in parts:
        return AutoAdmin(state, **parts["autoadmin"])
    if "am-share" in parts:
        return AmShare(state, parts["am-share"]["limit"], order)
    if "am-limit" in parts:
        return AmLimit(state, parts["am-limit"]["limit"], order)
    return AdmitAll()
