"""Values of fair-scheduler.xml as Java reads them. What Hadoop refuses is refused; what this model has no
place for is taken as the nearest value, and that is told.
"""

from __future__ import annotations

import ctypes
import math
import re
from typing import Any

from engine.codes import NO_AM_LIMIT
from engine.messages import msg
from engine.scenario.configuration.configuration_notes import NoteKind
from engine.scenario.configuration.value_parsing import (
    Codec,
    Size,
    Taken,
    format_plain,
    is_share,
    quoted,
)
from engine.scenario.field_types import MAX_COUNT, MAX_NUMBER, MAX_RESOURCE, MAX_SECONDS

BLANKS = "".join(map(chr, range(33)))  # what String.trim cuts off
WHOLE = re.compile(r"[+-]?\d+")  # Integer.parseInt takes digits of any script
NUMBER = re.compile(
    r"[+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdD]?)", re.ASCII
)
HEXADECIMAL = re.compile(
    r"([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)[fFdD]?", re.ASCII
)
INT_BITS, LONG_BITS = 32, 64
AM_TOLERANCE = 0.0001  # FSLeafQueue.canRunAppAM: so near to -1 is no limit
# FairSchedulerConfiguration's patterns
OLD_VALUE = r"(-?[0-9]+)(?:\.[0-9]*)?\s*"
PERCENTAGE = r"(-?[0-9]+(?:\.[0-9]*)?)\s*%\s*"
WITH_SPACES = re.compile(r"-?[0-9]+(?:\.[0-9]*)?\s*[a-z]+\s*", re.ASCII)
MAX_LENGTH = 2_000  # characters of a resource
MEMORY, VCORES = "memory_mb", "vcores"
RESOURCES = {"memory-mb": MEMORY, "vcores": VCORES}
CLASSES = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies."
POLICIES = {
    f"{CLASSES}FairSharePolicy": "fair",
    f"{CLASSES}FifoPolicy": "fifo",
    f"{CLASSES}DominantResourceFairnessPolicy": "drf",
}


def parse_whole(text: str, bits: int = INT_BITS) -> int:
    """A whole number of so many bits (Integer.parseInt, Long.parseLong). ValueError for anything else."""
    limit = 2 ** (bits - 1)
    is_whole = WHOLE.fullmatch(text) and len(text.lstrip("+-0")) < bits
    if not is_whole or not -limit <= int(text) < limit:
        raise ValueError(msg("scenario.fair_values.must_be_whole_number", quoted=quoted(text), bits=bits))
    return int(text)


def parse_java_number(text: str) -> float:
    """A number, NaN or infinite as well (Double.parseDouble). ValueError for anything else."""
    if hexadecimal := HEXADECIMAL.fullmatch(text):
        try:
            return float.fromhex(hexadecimal[1])
        except OverflowError:
            return -math.inf if text.startswith("-") else math.inf
    if not NUMBER.fullmatch(text):
        raise ValueError(msg("scenario.value_parsing.must_be_number", quoted=quoted(text)))
    return float(text if text.endswith(("NaN", "Infinity")) else text.rstrip("fFdD"))


def parse_weight(text: str) -> float | Taken:
    """A queue's weight, 0 for one that a float can't hold."""
    value = parse_java_number(text)
    weight = ctypes.c_float(value).value
    if math.isnan(weight):
        raise ValueError(msg("scenario.fair_values.weight_is_no_number", quoted=quoted(text)))
    if weight < 0:
        return Taken(0.0, msg("scenario.fair_values.weight_below_0", quoted=quoted(text)))
    if weight > MAX_NUMBER:
        return Taken(MAX_NUMBER, msg("scenario.fair_values.near", quoted=quoted(text), near=MAX_NUMBER))
    return value if weight else 0.0


def parse_am_share(text: str) -> float | Taken:
    """The part of a queue's share that masters may hold, -1 for no limit (FSLeafQueue.canRunAppAM)."""
    value = parse_java_number(text)
    if abs(value - NO_AM_LIMIT) < AM_TOLERANCE:
        return NO_AM_LIMIT
    if math.isnan(value) or value < 0:
        return Taken(0.0, msg("scenario.fair_values.no_master_runs", quoted=quoted(text)))
    return min(value, 1.0)


def parse_threshold(text: str) -> float | Taken:
    """The part of its fair share below which a job is starved."""
    value = parse_java_number(text)
    if math.isnan(value):
        return Taken(0.0, msg("scenario.fair_values.near", quoted=quoted(text), near=0))
    return max(0.0, min(value, 1.0))


def parse_timeout(text: str) -> float | Taken:
    """Seconds, in Hadoop a long of milliseconds, which may overflow; less than 0 is at once."""
    half = 2 ** (LONG_BITS - 1)
    value = (1000 * parse_whole(text, LONG_BITS) + half) % (2 * half) - half
    if value < 0:
        return Taken(0.0, msg("scenario.fair_values.at_once", quoted=quoted(text)))
    if value > 1000 * MAX_SECONDS:
        return Taken(MAX_SECONDS, msg("scenario.fair_values.near", quoted=quoted(text), near=MAX_SECONDS))
    return value / 1000


def parse_running_apps(text: str) -> int | Taken:
    """How many jobs may run; less than 0 is none."""
    value = parse_whole(text)
    if value < 0:
        return Taken(0, msg("scenario.fair_values.no_job_runs", quoted=quoted(text)))
    return min(value, MAX_COUNT)


def parse_flag(text: str) -> bool | Taken:
    """Boolean.parseBoolean: what is not true is false."""
    if text.lower() not in ("true", "false"):
        return Taken(False, msg("scenario.fair_values.counts_as_false", quoted=quoted(text)), NoteKind.READ)
    return text.lower() == "true"


def parse_policy(text: str) -> str:
    """fair, drf or fifo, by name or by Hadoop's class (SchedulingPolicy.parse). ValueError for another."""
    name = text.lower()
    if name in POLICIES.values():
        return name
    if text not in POLICIES:
        raise ValueError(msg("scenario.fair_values.no_policy", quoted=quoted(text)))
    return POLICIES[text]


def parse_order(text: str) -> str:
    """The policy of queues without one of their own."""
    order = parse_policy(text)
    if order == "fifo":
        raise ValueError(msg("scenario.fair_table.cant_be_fifo_which_orders_jobs"))
    return order


def parse_resources(text: str, size: Size, missing: int) -> dict[str, int] | Taken:
    """Memory in MB and vcores of "1024 mb, 1 vcores", "memory-mb=1024, vcores=1", "50%" or "50% memory, 25%
    cpu" of the cluster's size.

    missing: what memory that is not named gets, in the form with =; vcores that are not get 0, as Hadoop cuts
    its long to an int. ValueError as FairSchedulerConfiguration.parseResourceConfigValue throws.
    """
    if len(text) > MAX_LENGTH:
        raise _resource_error(text)
    if "=" in text:
        return _new_style(text, size, missing)
    lowered = text.lower()
    if "%" in lowered:
        parts = java_split(lowered, ",")
        if len(parts) == 1:
            part = _percentage(parts[0], "", text)
            return _part_of(size, {MEMORY: part, VCORES: part})
        return _part_of(
            size,
            {
                MEMORY: _percentage(_part_naming(parts, "memory", text), "memory", text),
                VCORES: _percentage(_part_naming(parts, "cpu", text), "cpu", text),
            },
        )
    parts = java_split(lowered, ",")
    if len(parts) != 2:
        parts = WITH_SPACES.findall(lowered)
    if len(parts) != 2:
        raise _resource_error(text)
    amounts = {MEMORY: _old_value(parts, "mb", text), VCORES: _old_value(parts, "vcores", text)}
    if text.count(",") > 1 and len(java_split(text, ",")) > 2:
        why = msg("scenario.fair_values.read_as", quoted=quoted(text), read=format_resources(amounts))
        return Taken(amounts, why, NoteKind.READ)
    return amounts


def java_split(text: str, separator: str) -> list[str]:
    """String.split: without the empty parts at its end."""
    parts = text.split(separator)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts if parts != [""] or not text else []


def format_resources(value: dict[str, int]) -> str:
    """As in "1024 mb, 1 vcores"."""
    return msg("scenario.value_parsing.mb_vcores", value=value[MEMORY], value2=value[VCORES])


def _new_style(text: str, size: Size, missing: int) -> dict[str, int] | Taken:
    is_relative = is_share(text)
    amounts: dict[str, float] = {}
    fractions: dict[str, float] = {}
    for part in java_split(text, ","):
        sides = [side.strip(BLANKS) for side in java_split(part, "=")]
        if len(sides) != 2:
            raise _resource_error(text)
        name, value = sides
        number: float = _percentage(value, "", text) if is_relative else _amount(value, text)
        if "/" in name:  # another resource, of a cluster whose yarn.resource-types list it
            continue
        if name not in RESOURCES:
            raise ValueError(
                msg(
                    "scenario.fair_values.no_such_resource",
                    quoted=quoted(text),
                    name=quoted(name),
                    names=", ".join(RESOURCES),
                )
            )
        (fractions if is_relative else amounts)[RESOURCES[name]] = number
    if is_relative:
        return _part_of(size, {MEMORY: 1.0, VCORES: 1.0, **fractions})
    read = {MEMORY: missing, VCORES: 0} | {
        key: min(int(amount), MAX_RESOURCE) for key, amount in amounts.items()
    }
    if missing and VCORES not in amounts:
        return Taken(read, msg("scenario.fair_values.names_no_vcores", quoted=quoted(text)), NoteKind.READ)
    return read


def _amount(text: str, whole_text: str) -> int:
    try:
        amount = parse_whole(text, LONG_BITS)
    except ValueError:
        raise _resource_error(whole_text) from None
    if amount < 0:
        raise _resource_error(whole_text)
    return amount


def _part_of(size: Size, parts: dict[str, float]) -> dict[str, int]:
    """Of the cluster, cut to whole ones (ConfigurableResource.getResource)."""
    return {key: int(min(getattr(size, key) * parts[key], MAX_RESOURCE)) for key in (MEMORY, VCORES)}


def _percentage(text: str, resource: str, whole_text: str) -> float:
    match = re.fullmatch(PERCENTAGE + resource, text, re.ASCII)
    if not match or float(match[1]) < 0:
        raise _resource_error(whole_text)
    return float(match[1]) / 100.0


def _part_naming(parts: list[str], resource: str, text: str) -> str:
    matching = next((part for part in parts if resource in part), None)
    if matching is None:
        raise _resource_error(text)
    return matching.strip(BLANKS)


def _old_value(parts: list[str], resource: str, text: str) -> int:
    match = re.match(OLD_VALUE + resource, _part_naming(parts, resource, text), re.ASCII)
    if not match:
        raise _resource_error(text)
    try:
        amount = parse_whole(match[1])
    except ValueError:
        raise _resource_error(text) from None
    if amount < 0:
        raise _resource_error(text)
    return min(amount, MAX_RESOURCE)


def _resource_error(text: str) -> ValueError:
    if re.search(r"-\s?[0-9]", text, re.ASCII):
        return ValueError(msg("scenario.value_parsing.must_not_be_below_0", quoted=quoted(text)))
    return ValueError(msg("scenario.value_parsing.must_be_resource_such_as_mb", quoted=quoted(text)))


def _minimum(text: str, size: Size) -> dict[str, int] | Taken:
    amounts = parse_resources(text, size, 0)
    if is_share(text):
        none = {MEMORY: 0, VCORES: 0}
        return Taken(none, msg("scenario.value_parsing.percentage_which_hadoop_takes_for_no"), NoteKind.READ)
    return amounts


def _container(text: str, size: Size) -> dict[str, int] | Taken:
    """The largest container; it has at least 1 MB and 1 vcore here, and a percentage is none."""
    taken = parse_resources(text, size, MAX_RESOURCE)
    if is_share(text):
        return Taken(None, msg("scenario.fair_values.percentage_of_containers"), NoteKind.READ)
    amounts = taken.value if isinstance(taken, Taken) else taken
    if min(amounts.values()) > 0:
        return amounts
    near = {key: max(1, amount) for key, amount in amounts.items()}
    return Taken(
        near,
        msg("scenario.fair_values.every_container_refused", quoted=quoted(text), near=format_resources(near)),
    )


def _codec(parse: Any) -> Codec:
    return Codec(lambda text, size: parse(text), format_plain)


WEIGHT = _codec(parse_weight)
AM_SHARE = _codec(parse_am_share)
THRESHOLD = _codec(parse_threshold)
TIMEOUT = _codec(parse_timeout)
RUNNING_APPS = _codec(parse_running_apps)
FLAG = _codec(parse_flag)
POLICY = Codec(lambda text, size: parse_policy(text), str)
ORDER = Codec(lambda text, size: parse_order(text), str)
MINIMUM_RESOURCES = Codec(_minimum, format_resources)
MAXIMUM_RESOURCES = Codec(lambda text, size: parse_resources(text, size, MAX_RESOURCE), format_resources)
MAXIMUM_CONTAINER = Codec(_container, format_resources)
