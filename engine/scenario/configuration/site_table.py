"""yarn-site.xml, and what capacity-scheduler.xml says of the whole scheduler, property by property."""

from __future__ import annotations

from engine.codes import MAX_AM_LIMIT
from engine.messages import msg
from engine.scenario.configuration.property_table import Row, Table
from engine.scenario.configuration.value_parsing import (
    FLAGS,
    NUMBERS,
    UNIT,
    WHOLES,
    YES_OR_NO,
    Codec,
    NotModelled,
    parse_int,
    parse_number,
    quoted,
)

CAPACITY = "yarn.scheduler.capacity."
FAIR = "yarn.scheduler.fair."
RESOURCE_TYPES, INCREMENT_SUFFIX = "yarn.resource-types.", ".increment-allocation"
DEFAULT_MINIMUM, DEFAULT_MAXIMUM = (1024, 1), (8192, 4)  # MB and vcores of a container, Hadoop's defaults
NODE_RESOURCE = "yarn.nodemanager.resource."
CLASSES = {"FairScheduler": "fair", "CapacityScheduler": "capacity", "FifoScheduler": "fifo"}
PACKAGE = "org.apache.hadoop.yarn.server.resourcemanager.scheduler"
CALCULATORS = {"DefaultResourceCalculator": "memory", "DominantResourceCalculator": "both"}
UTIL = "org.apache.hadoop.yarn.util.resource"


def _parse_class(text: str) -> str:
    family = CLASSES.get(text.strip().rpartition(".")[2])
    if family is None:
        raise NotModelled(
            msg("scenario.site_table.not_modelled", quoted=quoted(text), classes=", ".join(CLASSES))
        )
    return family


def _format_class(family: str) -> str:
    simple = next(name for name, scheduler_family in CLASSES.items() if scheduler_family == family)
    return f"{PACKAGE}.{family}.{simple}"


def _parse_calculator(text: str) -> str:
    resources = CALCULATORS.get(text.strip().rpartition(".")[2])
    if resources is None:
        raise NotModelled(
            msg(
                "scenario.site_table.not_modelled_2",
                quoted=quoted(text),
                calculators=" and ".join(CALCULATORS),
            )
        )
    return resources


def _format_calculator(resources: str) -> str:
    return f"{UTIL}.{next(name for name, counted in CALCULATORS.items() if counted == resources)}"


def _parse_am_limit(text: str) -> float:
    limit = parse_number(text)
    if 1 < limit < MAX_AM_LIMIT:
        raise NotModelled(msg("scenario.site_table.above_which_not_modelled_hadoops_default"))
    if limit < 0:
        raise ValueError(msg("scenario.site_table.must_be_part_from_to", quoted=quoted(text)))
    return min(limit, MAX_AM_LIMIT)


def _parse_node_resource(text: str) -> int:
    amount = parse_int(text)
    if amount < 1:
        raise NotModelled(msg("scenario.site_table.found_out_by_each_node_by"))
    return amount


SITE = Table(
    (
        Row(
            ("yarn.resourcemanager.scheduler.class",),
            "scheduler",
            "family",
            Codec(lambda text, size: _parse_class(text), _format_class),
        ),
        Row(
            ("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",),
            "cluster",
            "heartbeat_ms",
            WHOLES,
            1000,
        ),
        Row(
            ("yarn.scheduler.minimum-allocation-mb",),
            "cluster",
            "allocation.minimum.memory_mb",
            WHOLES,
            1024,
            pair_default=DEFAULT_MINIMUM,
        ),
        Row(
            ("yarn.scheduler.minimum-allocation-vcores",),
            "cluster",
            "allocation.minimum.vcores",
            WHOLES,
            1,
            pair_default=DEFAULT_MINIMUM,
        ),
        Row(
            (f"{RESOURCE_TYPES}memory-mb{INCREMENT_SUFFIX}", f"yarn.scheduler{INCREMENT_SUFFIX}-mb"),
            "cluster",
            "allocation.increment.memory_mb",
            WHOLES,
            1024,
            pair_default=DEFAULT_MINIMUM,
        ),
        Row(
            (f"{RESOURCE_TYPES}vcores{INCREMENT_SUFFIX}", f"yarn.scheduler{INCREMENT_SUFFIX}-vcores"),
            "cluster",
            "allocation.increment.vcores",
            WHOLES,
            1,
            pair_default=DEFAULT_MINIMUM,
        ),
        Row(
            ("yarn.scheduler.maximum-allocation-mb",),
            "cluster",
            "allocation.maximum.memory_mb",
            WHOLES,
            8192,
            pair_default=DEFAULT_MAXIMUM,
        ),
        Row(
            ("yarn.scheduler.maximum-allocation-vcores",),
            "cluster",
            "allocation.maximum.vcores",
            WHOLES,
            4,
            pair_default=DEFAULT_MAXIMUM,
        ),
        Row(
            (f"{NODE_RESOURCE}memory-mb",),
            "scheduler",
            "node_memory_mb",
            Codec(lambda text, size: _parse_node_resource(text), str),
            8192,
        ),
        Row(
            (f"{NODE_RESOURCE}cpu-vcores",),
            "scheduler",
            "node_vcores",
            Codec(lambda text, size: _parse_node_resource(text), str),
            8,
        ),
    )
)

MONITOR = "yarn.resourcemanager.monitor.capacity.preemption."

FAIR_SITE = Table(
    (
        Row((f"{FAIR}update-interval-ms",), "scheduler", "update_ms", NUMBERS, 500.0),
        Row((f"{FAIR}locality.threshold.node",), "scheduler", "locality_node", NUMBERS, -1.0),
        Row((f"{FAIR}locality.threshold.rack",), "scheduler", "locality_rack", NUMBERS, -1.0),
        Row((f"{FAIR}preemption",), "scheduler", "preemption", YES_OR_NO, "no"),
        Row(
            (f"{FAIR}preemption.cluster-utilization-threshold",),
            "scheduler",
            "utilization_threshold",
            UNIT,
            0.8,
        ),
        Row((f"{FAIR}waitTimeBeforeKill",), "scheduler", "wait_before_kill_ms", NUMBERS, 15000.0),
        Row(
            (f"{FAIR}waitTimeBeforeNextStarvationCheck",),
            "scheduler",
            "starvation_check_ms",
            NUMBERS,
            10000.0,
        ),
        Row((f"{FAIR}am.preemption",), "scheduler", "am_preemption", YES_OR_NO, "yes"),
        Row((f"{FAIR}assignmultiple",), "scheduler", "assign_multiple", FLAGS, False),
        Row((f"{FAIR}dynamic.max.assign",), "scheduler", "assign_dynamic", FLAGS, True),
        Row((f"{FAIR}max.assign",), "scheduler", "assign_most", WHOLES, -1),
    )
)

CAPACITY_SITE = Table(
    (
        Row(
            (f"{CAPACITY}resource-calculator",),
            "scheduler",
            "resources",
            Codec(lambda text, size: _parse_calculator(text), _format_calculator),
            "memory",
        ),
        Row(
            (f"{CAPACITY}maximum-am-resource-percent",),
            "scheduler",
            "am_limit",
            Codec(lambda text, size: _parse_am_limit(text), NUMBERS.format),
            0.1,
        ),
        Row((f"{CAPACITY}node-locality-delay",), "scheduler", "node_locality_delay", NUMBERS, 40.0),
        Row(
            (f"{CAPACITY}rack-locality-additional-delay",),
            "scheduler",
            "rack_locality_additional_delay",
            NUMBERS,
            -1.0,
        ),
        Row(("yarn.resourcemanager.scheduler.monitor.enable",), "scheduler", "preemption", YES_OR_NO, "no"),
        Row((f"{MONITOR}monitoring_interval",), "scheduler", "monitoring_interval_ms", NUMBERS, 3000.0),
        Row((f"{MONITOR}max_wait_before_kill",), "scheduler", "max_wait_before_kill_ms", NUMBERS, 15000.0),
        Row(
            (f"{MONITOR}total_preemption_per_round",), "scheduler", "total_preemption_per_round", NUMBERS, 0.1
        ),
        Row((f"{MONITOR}max_ignored_over_capacity",), "scheduler", "max_ignored_over_capacity", NUMBERS, 0.1),
        Row(
            (f"{MONITOR}natural_termination_factor",), "scheduler", "natural_termination_factor", NUMBERS, 0.2
        ),
        Row((f"{CAPACITY}user.max-parallel-apps",), "cluster", "user_max_running_apps", WHOLES),
        Row(
            (f"{CAPACITY}per-node-heartbeat.multiple-assignments-enabled",),
            "scheduler",
            "assign_multiple",
            FLAGS,
            True,
        ),
        Row(
            (f"{CAPACITY}per-node-heartbeat.maximum-offswitch-assignments",),
            "scheduler",
            "assign_off_switch",
            WHOLES,
            1,
        ),
        Row(
            (f"{CAPACITY}per-node-heartbeat.maximum-container-assignments",),
            "scheduler",
            "assign_most",
            WHOLES,
            100,
        ),
    )
)
