"""What an application's properties say of its executors and its driver, with Spark's defaults where they say
nothing.

Source: org.apache.spark.internal.config, org.apache.spark.deploy.yarn.config, JavaUtils.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.codes import UNKNOWN
from engine.scenario.applications import MIN_OVERHEAD_MB, OVERHEAD_PCT, container_memory_mb
from engine.scenario.field_types import MAX_RESOURCE, MAX_SECONDS

AMOUNT = re.compile(r"(-?[0-9]{1,15})\s*([a-z]{0,3})", re.ASCII)
BYTES = {"b": 2.0**-20, "k": 2.0**-10, "m": 1.0, "g": 2.0**10, "t": 2.0**20, "p": 2.0**30}
MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
MICROSECONDS = {"us": 1} | {name: 1000 * ms for name, ms in MILLISECONDS.items()}

UNBOUNDED = 2**31 - 1  # executors: Int.MaxValue, the default of the most
DEFAULT_MEMORY, DEFAULT_MASTER_MEMORY = "1g", "512m"
HEARTBEAT_S = 3.0
REGISTERED_RATIO, REGISTERED_WAIT_S = 0.8, 30.0  # on YARN

Properties = Mapping[str, str]


def memory_mb(text: str) -> int | None:
    """MB of an amount such as 512m; without a unit it is in MB. None for what is none."""
    match = AMOUNT.fullmatch(text.strip().lower())
    if not match:
        return None
    unit = match[2].rstrip("b")[:1] or ("b" if match[2] else "m")
    amount = int(match[1]) * BYTES.get(unit, 0.0)
    return int(amount) if 0 < amount <= MAX_RESOURCE else None


def seconds(text: str, unit: str = "s") -> float | None:
    """Seconds of a time such as 100ms, cut to the unit of its property as Spark does; `unit`: of a number
    alone too. None for what is none.
    """
    match = AMOUNT.fullmatch(text.strip().lower())
    if not match or (match[2] or unit) not in MICROSECONDS:
        return None
    units = int(match[1]) * MICROSECONDS[match[2] or unit] // MICROSECONDS[unit]
    time = units * MICROSECONDS[unit] / 1e6
    return time if 0 <= time <= MAX_SECONDS else None


def number(properties: Properties, name: str, default: float) -> float:
    """The number of a property."""
    try:
        value = float(properties.get(name, ""))
    except ValueError:
        return default
    return value if abs(value) < MAX_RESOURCE * 10 else default


def is_on(properties: Properties, name: str) -> bool:
    """Whether a property is true, which is false where nothing is said."""
    return properties.get(name, "").strip().lower() == "true"


def is_on_yarn(properties: Properties) -> bool:
    """Whether the application ran on YARN."""
    return properties.get("spark.master", "").startswith("yarn") or "spark.yarn.app.id" in properties


def is_client_of_yarn(properties: Properties) -> bool:
    """Does its driver run where it was submitted, and not in a container?"""
    return is_on_yarn(properties) and properties.get("spark.submit.deployMode") == "client"


def is_on_kubernetes(properties: Properties) -> bool:
    """Do its executors run on Kubernetes?"""
    return properties.get("spark.master", "").startswith("k8s")


def container(properties: Properties, cores: int) -> dict[str, int]:
    """`memory_mb`, `memory_overhead_mb` where that is not Spark's own, and `vcores` of an executor; cores: as
    it registered with, UNKNOWN where that is not known.
    """
    memory = _memory(properties, "spark.executor.memory", DEFAULT_MEMORY)
    overhead = _overhead(properties, "spark.executor", "spark.yarn.executor", memory)
    overhead += memory_mb(properties.get("spark.executor.pyspark.memory", "")) or 0
    if is_on(properties, "spark.memory.offHeap.enabled"):
        overhead += _bytes_as_mb(properties.get("spark.memory.offHeap.size", ""))
    size = {"memory_mb": memory}
    if memory + overhead != container_memory_mb(memory, None):
        size["memory_overhead_mb"] = overhead
    asked = int(number(properties, "spark.executor.cores", 0))
    return size | {"vcores": _whole(cores if cores != UNKNOWN else asked)}


def slots(properties: Properties, vcores: int) -> int:
    """Tasks that run in an executor at a time."""
    return max(1, int(vcores / max(1.0, number(properties, "spark.task.cpus", 1))))


def driver(properties: Properties) -> dict[str, int]:
    """`memory_mb` and `vcores` of the master's container: the driver itself, or in client mode what speaks to
    YARN for it.
    """
    is_cluster = properties.get("spark.submit.deployMode") == "cluster" or "cluster" in properties.get(
        "spark.master", ""
    )
    if is_cluster or not is_on_yarn(properties):
        memory = _memory(properties, "spark.driver.memory", DEFAULT_MEMORY)
        overhead = _overhead(properties, "spark.driver", "spark.yarn.driver", memory)
        cores = number(properties, "spark.driver.cores", 1)
    else:
        memory = _memory(properties, "spark.yarn.am.memory", DEFAULT_MASTER_MEMORY)
        overhead = _overhead(properties, "spark.yarn.am", "spark.yarn.am", memory)
        cores = number(properties, "spark.yarn.am.cores", 1)
    return {"memory_mb": memory + overhead, "vcores": _whole(cores)}


def dynamic(properties: Properties) -> dict[str, Any] | None:
    """The fields of `executors.dynamic`, None where their number is fixed."""
    prefix = "spark.dynamicAllocation."
    if not is_on(properties, f"{prefix}enabled"):
        return None
    minimum = max(0, int(number(properties, f"{prefix}minExecutors", 0)))
    maximum = int(number(properties, f"{prefix}maxExecutors", UNBOUNDED))
    initial = max(
        minimum,
        int(number(properties, f"{prefix}initialExecutors", minimum)),
        int(number(properties, "spark.executor.instances", 0)),
    )
    backlog = _time(properties, f"{prefix}schedulerBacklogTimeout", 1.0)
    fields: dict[str, Any] = {"minimum": minimum, "initial": initial, "backlog_s": max(1.0, backlog)}
    if 0 < maximum < UNBOUNDED:
        fields |= {"maximum": maximum, "minimum": min(minimum, maximum), "initial": min(initial, maximum)}
    sustained = _time(properties, f"{prefix}sustainedSchedulerBacklogTimeout", backlog)
    if sustained != backlog:
        fields["sustained_backlog_s"] = max(1.0, sustained)
    ratio = number(properties, f"{prefix}executorAllocationRatio", 1.0)
    return fields | {
        "idle_s": _time(properties, f"{prefix}executorIdleTimeout", 60.0),
        "ratio": ratio if 0 < ratio <= 1 else 1.0,
        # ExecutorMonitor: without an external shuffle service dynamic allocation needs it
        "shuffle_tracking": not is_on(properties, "spark.shuffle.service.enabled"),
    }


def registration(properties: Properties) -> dict[str, float]:
    """`registered_ratio` and `registered_wait_s`: for how many executors the first job waits."""
    ratio = number(
        properties,
        "spark.scheduler.minRegisteredResourcesRatio",
        REGISTERED_RATIO if is_on_yarn(properties) or is_on_kubernetes(properties) else 0.0,
    )
    wait = _time(
        properties, "spark.scheduler.maxRegisteredResourcesWaitingTime", REGISTERED_WAIT_S, unit="ms"
    )
    return {"registered_ratio": min(1.0, max(0.0, ratio)), "registered_wait_s": wait}


def heartbeat_s(properties: Properties) -> float:
    """Between the driver's heartbeats to the ResourceManager."""
    return _time(properties, "spark.yarn.scheduler.heartbeat.interval-ms", HEARTBEAT_S, unit="ms")


def _memory(properties: Properties, name: str, default: str) -> int:
    return memory_mb(properties.get(name, "")) or memory_mb(default) or 1


def _overhead(properties: Properties, prefix: str, prefix_of_2: str, memory: int) -> int:
    """MB beside the heap; until Spark 2.2 the property had YARN's name."""
    for name in (f"{prefix}.memoryOverhead", f"{prefix_of_2}.memoryOverhead"):
        if amount := memory_mb(properties.get(name, "")):
            return amount
    factor = number(properties, f"{prefix}.memoryOverheadFactor", OVERHEAD_PCT / 100)
    minimum = memory_mb(properties.get(f"{prefix}.minMemoryOverhead", "")) or MIN_OVERHEAD_MB
    return max(minimum, int(memory * factor)) if 0 <= factor < MAX_RESOURCE else minimum


def _bytes_as_mb(text: str) -> int:
    """Of a property that is in bytes without a unit."""
    return memory_mb(f"{text.strip()}b" if text.strip().isdigit() else text) or 0


def _time(properties: Properties, name: str, default: float, unit: str = "s") -> float:
    value = seconds(properties.get(name, ""), unit)
    return default if value is None else value


def _whole(amount: float) -> int:
    return min(MAX_RESOURCE, max(1, int(amount)))
