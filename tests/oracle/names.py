"""Schedulers by their contract names, for the oracle: ORDER[(key=value, ...)][+RULE[(...)]]..., and the parts they name."""

from __future__ import annotations

import re

from tests.oracle_admission import AdmitAll, AmShare, AutoAdmin, Reserve
from tests.oracle_fresh import Fresh
from tests.oracle_haste import FfdDp, Haste
from tests.oracle_orders import Fifo, QueueOrder
from tests.oracle_priority import Priority
from tests.oracle_ramp_up import RampUp, SlowStart
from tests.oracle_saf import Saf
from tests.oracle_weighted import TERMS, Weighted
from tests.oracle_windows import BatchFinish, LazyStart, Omo
from tests.oracle_world import World

RESOURCES = {"resources": "both"}
WEIGHTS = {"w_memory": 1.0, "w_vcores": 1.0}
WINDOWS = {"window_s": 10.0, "ema": 0.5}
SCORE = {"k1": 0.3, "split_mb": 128.0}
ORDERS = {
    "fifo": RESOURCES,
    "fair": RESOURCES | {"shares": "all"},
    "drf": RESOURCES,
    "capacity": RESOURCES,
    "ffd-dp": WEIGHTS,
    "haste": WEIGHTS,
    "haste-a": WEIGHTS | {"factor": "auto"},
    "saf": {"entropy": "shannon", "alpha": 0.5, "q": 0.8, "cooling": "exponential", "rate": 0.9, "cold": 1.0, "k": 1000.0},
    "priority-fifo": SCORE,
    "priority-fair": SCORE,
    "priority-capacity": SCORE,
    "batch-finish": WINDOWS | {"candidates": "started"},
    "omo": WINDOWS,
    "fresh": {},
    "weighted": dict.fromkeys(TERMS, 0.0) | {"fitness": 1.0},
}
REDUCE_STARTS = {"slowstart": {"at": None}, "lazy-start": WINDOWS, "ramp-up": {"heartbeat_s": 1.0, "limit": 0.5, "preempt": 0.5}}
ADMISSIONS = {
    "admit-all": {},
    "am-share": {"limit": 0.5},
    "reserve": {"vcores": None, "memory_mb": None, "fraction": None},
    "autoadmin": {"floor": 0.4, "resource": "vcores"},
}
PARTS = ORDERS | REDUCE_STARTS | ADMISSIONS


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
    if name == "fifo":
        return Fifo(world)
    if name in ("fair", "drf", "capacity"):
        return QueueOrder(world, name, kinds=values.get("shares") == "kind")
    if name.startswith("priority-"):
        return Priority(world, name.removeprefix("priority-"), **values)
    kinds = {"ffd-dp": FfdDp, "haste": Haste, "haste-a": Haste, "saf": Saf, "batch-finish": BatchFinish, "omo": Omo, "fresh": Fresh, "weighted": Weighted}
    return kinds[name](world, **values)


def reduce_start_of(world: World, parts: dict[str, dict]):
    """What asks for reduces; omo brings its own."""
    if "omo" in parts:
        return LazyStart(world, **parts["omo"])
    if "lazy-start" in parts:
        return LazyStart(world, **parts["lazy-start"])
    if "ramp-up" in parts:
        return RampUp(world, **parts["ramp-up"])
    return SlowStart(world, **parts.get("slowstart", REDUCE_STARTS["slowstart"]))


def admission_of(world: World, parts: dict[str, dict], shares: str):
    """What lets masters start; `shares` is where the order's queues get their share of the cluster from."""
    if "reserve" in parts:
        return Reserve(world, **parts["reserve"])
    if "autoadmin" in parts:
        return AutoAdmin(world, **parts["autoadmin"])
    if "am-share" in parts:
        return AmShare(world, parts["am-share"]["limit"], shares)
    return AdmitAll()
