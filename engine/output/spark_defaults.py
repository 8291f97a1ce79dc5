"""What Spark applications are to have, as lines of spark-defaults.conf and arguments of spark-submit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.messages import msg
from engine.scenario.applications import DynamicAllocation, Executors

SPARK_DEFAULTS = "spark-defaults.conf"
ALLOCATION, ENABLED = "spark.dynamicAllocation.", "spark.dynamicAllocation.enabled"
SPARK_QUEUE = "spark.yarn.queue"
UNBOUNDED = 2**31 - 1  # executors: Int.MaxValue, the default of the most
MAX_NAMES = 20  # of applications on a line

Properties = dict[str, str]


def executor_properties(executors: Executors) -> Properties:
    """The properties that say its number and size, as engine/scenario/history/spark/spark_properties.py reads
    them; what Spark computes itself is not among them.
    """
    size = {"spark.executor.cores": str(executors.vcores), "spark.executor.memory": f"{executors.memory_mb}m"}
    if executors.memory_overhead_mb is not None:
        size["spark.executor.memoryOverhead"] = f"{executors.memory_overhead_mb}m"
    if executors.dynamic:
        return size | _dynamic_properties(executors.dynamic)
    number = {"spark.executor.instances": str(executors.initial_count)}
    return size | {ENABLED: "false"} | number


def _dynamic_properties(dynamic: DynamicAllocation) -> Properties:
    has_service = not dynamic.shuffle_tracking
    fields = {
        "enabled": "true",
        "minExecutors": str(dynamic.minimum),
        "initialExecutors": str(dynamic.initial_count),
        "maxExecutors": str(dynamic.maximum or UNBOUNDED),
        "schedulerBacklogTimeout": _time(dynamic.backlog_s),
        "executorIdleTimeout": _time(dynamic.idle_s),
        "executorAllocationRatio": f"{dynamic.ratio:g}",
    }
    if dynamic.sustained_backlog_s is not None:
        fields["sustainedSchedulerBacklogTimeout"] = _time(dynamic.sustained_backlog_s)
    if dynamic.shuffle_tracking:
        fields["shuffleTracking.enabled"] = "true"
    named = {f"{ALLOCATION}{name}": value for name, value in fields.items()}
    return named | {"spark.shuffle.service.enabled": str(has_service).lower()}


def _time(seconds: float) -> str:
    """Spark reads no fractions; what is in ms, it cuts to whole seconds."""
    return f"{seconds:.0f}s" if seconds == int(seconds) else f"{1000 * seconds:.0f}ms"


def times_that_spark_cuts(properties: Properties) -> Properties:
    """Those whose time is not of whole seconds, in which Spark takes each that is written here."""
    return {name: value for name, value in properties.items() if value.endswith("ms")}


def spark_defaults_text(of_applications: Mapping[str, Properties], has_dynamic: Mapping[str, bool]) -> str:
    """Lines for all where every application that a property counts for gets it alike; what some get alone is
    in comments, as arguments of spark-submit for them.

    has_dynamic: of every application, whether its executors are allocated dynamically.
    """
    common: Properties = {}
    for name in dict.fromkeys(name for properties in of_applications.values() for name in properties):
        is_dynamic = name.startswith(ALLOCATION) and name != ENABLED
        concerned = [one for one, dynamic in has_dynamic.items() if dynamic or not is_dynamic]
        values = {of_applications.get(one, {}).get(name) for one in concerned}
        value = next(iter(values))
        if len(values) == 1 and value is not None:
            common[name] = value
    own: dict[str, list[str]] = {}
    for application, properties in of_applications.items():
        alone = (f"--conf {name}={value}" for name, value in properties.items() if name not in common)
        own.setdefault(" ".join(alone), []).append(application)
    lines = [f"{name} {value}" for name, value in common.items()]
    for arguments, names in own.items():
        if arguments:
            lines += [msg("output.spark_defaults.alone", names=_listed(names)), f"#   {arguments}"]
    return "".join(f"{line}\n" for line in lines)


def _listed(names: Iterable[str]) -> str:
    listed = [" ".join(name.split()) for name in names]
    more = len(listed) - MAX_NAMES
    if more <= 0:
        return ", ".join(listed)
    return msg("output.spark_defaults.and_more", names=", ".join(listed[:MAX_NAMES]), more=more)
