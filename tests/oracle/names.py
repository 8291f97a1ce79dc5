"""Schedulers by their contract names, for the oracle: ORDER[(key=value, ...)][+RULE[(...)]]..., and the parts they name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.schedulers.catalogue import CATALOGUE
from tests.oracle.admission import AdmitAll, AmShare, AutoAdmin, Reserve
from tests.oracle.capacity_walk import Capacity
from tests.oracle.fresh import Fresh
from tests.oracle.haste import FfdDp, Haste
from tests.oracle.headroom import Free, OfFairShare, OfQueueLimit
from tests.oracle.orders import Fifo, QueueOrder
from tests.oracle.priority import Priority
from tests.oracle.ramp_up import RampUp, SlowStart
from tests.oracle.saf import Saf
from tests.oracle.weighted import Weighted
from tests.oracle.windows import BatchFinish, LazyStart, Omo
from tests.oracle.world import World

# An order's twin, made with the world and all its parameters.
ORDERS: dict[str, Callable[..., Any]] = {
    "fifo": lambda world, resources: Fifo(world),
    "fair": lambda world, resources, reservations, shares: QueueOrder(
        world, "fair", kinds=shares == "kind", stops="never" if shares == "kind" else "fitting", reservations=reservations
    ),
    "drf": lambda world, resources, reservations: QueueOrder(world, "drf", stops="fitting", reservations=reservations),
    "capacity": lambda world, resources, reservations: Capacity(world, reservations),
    "ffd-dp": FfdDp,
    "haste": Haste,
    "haste-a": Haste,
    "saf": Saf,
    "priority-fifo": lambda world, **values: Priority(world, "fifo", **values),
    "priority-fair": lambda world, **values: Priority(world, "fair", **values),
    "priority-capacity": lambda world, **values: Priority(world, "capacity", **values),
    "batch-finish": BatchFinish,
    "omo": Omo,
    "fresh": Fresh,
    "weighted": Weighted,
}
# The parameters of every part with what holds where they are not given, as the policies declare them.
PARTS = {
    name: {parameter.name: parameter.words or parameter.default for parameter in policy.parameters}
    for policies in CATALOGUE.values()
    for name, policy in policies.items()
}


def parse(text: str) -> dict[str, dict]:
    """The parts by name, each with all its parameters; the order first."""
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


def order_of(world: World, parts: dict[str, dict]):
    """What chooses among candidates."""
    name, values = next((name, values) for name, values in parts.items() if name in ORDERS)
    return ORDERS[name](world, **values)


def headroom_of(world: World, parts: dict[str, dict], order) -> Free:
    """What masters are told that their jobs could still have."""
    if "capacity" in parts:
        return OfQueueLimit(world, order)
    return next((OfFairShare(world, name) for name in ("fair", "drf") if name in parts and "ramp-up" in parts), Free(world))


def reduce_start_of(world: World, parts: dict[str, dict], headroom: Free):
    """What asks for reduces; omo brings its own."""
    if "omo" in parts:
        return LazyStart(world, **parts["omo"])
    if "lazy-start" in parts:
        return LazyStart(world, **parts["lazy-start"])
    if "ramp-up" in parts:
        return RampUp(world, headroom, **parts["ramp-up"])
    return SlowStart(world, **parts.get("slowstart", PARTS["slowstart"]))


def admission_of(world: World, parts: dict[str, dict], shares: str):
    """What lets masters start; `shares` is where the order's queues get their share of the cluster from."""
    if "reserve" in parts:
        return Reserve(world, **parts["reserve"])
    if "autoadmin" in parts:
        return AutoAdmin(world, **parts["autoadmin"])
    if "am-share" in parts:
        return AmShare(world, parts["am-share"]["limit"], shares)
    return AdmitAll()
