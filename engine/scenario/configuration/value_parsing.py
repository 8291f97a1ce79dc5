"""Values as Hadoop's files write them: numbers, flags, resources, policies."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.messages import msg
from engine.scenario.field_types import MAX_RESOURCE

NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,60}(?:\.[0-9]{0,60})?|\.[0-9]{1,60})(?:[eE][+-]?[0-9]{1,3})?[fFdD]?", re.ASCII
)
WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
OLD_VALUE = r"(-?[0-9]{1,18})(?:\.[0-9]*)?\s*"  # FairSchedulerConfiguration.RESOURCE_VALUE_PATTERN
PERCENTAGE = r"(-?[0-9]{1,9}(?:\.[0-9]{0,30})?)\s*%\s*"  # RESOURCE_PERCENTAGE_PATTERN
WITH_SPACES = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{0,30})?\s{0,9}[a-z]{1,30}\s{0,9}")
MEMORY, VCORES = "memory_mb", "vcores"
RESOURCES = {"memory-mb": MEMORY, "memory": MEMORY, "vcores": VCORES}
POLICY_CLASSES = {"fairsharepolicy": "fair", "fifopolicy": "fifo", "dominantresourcefairnesspolicy": "drf"}


class NotModelled(Exception):
    """A value that Hadoop takes and this model has no place for; its text goes on after the property's
    name.
    """


@dataclass(frozen=True)
class Size:
    """Memory in MB and vcores, such as the whole cluster's."""

    memory_mb: int
    vcores: int


@dataclass(frozen=True)
class Codec:
    """How a value is read, parse(text, size of the cluster), and written. ValueError says what the text must
    be, NotModelled why it is not used.
    """

    parse: Callable[[str, Size], Any]
    format: Callable[[Any], str]


def parse_number(text: str) -> float:
    """A number as Java's Float.parseFloat reads it, but finite. ValueError for anything else."""
    text = text.strip()
    if not NUMBER.fullmatch(text) or abs(value := float(text.rstrip("fFdD"))) == float("inf"):
        raise ValueError(msg("scenario.value_parsing.must_be_number", quoted=quoted(text)))
    return value


def parse_int(text: str) -> int:
    """A whole number. ValueError for anything else."""
    if not WHOLE.fullmatch(text.strip()):
        raise ValueError(msg("scenario.value_parsing.must_be_whole_number", quoted=quoted(text)))
    return int(text)


def parse_bool(text: str) -> bool:
    """true or false. ValueError for anything else, where Hadoop would silently take its default."""
    if text.strip().lower() not in ("true", "false"):
        raise ValueError(msg("scenario.value_parsing.must_be_true_or_false", quoted=quoted(text)))
    return text.strip().lower() == "true"


def format_plain(value: Any) -> str:
    """A number or flag as a file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def quoted(text: str) -> str:
    """A value of an untrusted file, quoted and cut for a sentence."""
    text = text.strip()
    return repr(text if len(text) <= 60 else text[:59] + "…")


def parse_resources(text: str, size: Size, missing: int) -> dict[str, int]:
    """Memory in MB and vcores of "1024 mb, 1 vcores", "memory-mb=1024, vcores=1", "50%" or "50% memory, 25%
    cpu" of the cluster's size.

    missing: what a resource that is not named gets, in the form with =. ValueError as
    FairSchedulerConfiguration.parseResourceConfigValue throws.
    """
    if "=" in text:
        return _new_style(text, size, missing)
    lowered = text.lower()
    if "%" in lowered:
        parts = lowered.split(",")
        if len(parts) == 1:
            part = _percentage(lowered, "", text)
            return _part_of(size, {MEMORY: part, VCORES: part})
        return _part_of(
            size,
            {
                MEMORY: _percentage(_part_naming(parts, "memory", text), "memory", text),
                VCORES: _percentage(_part_naming(parts, "cpu", text), "cpu", text),
            },
        )
    parts = lowered.split(",")
    if len(parts) != 2:
        parts = WITH_SPACES.findall(lowered)
    if len(parts) != 2:
        raise _resource_error(text)
    return {MEMORY: _old_value(parts, "mb", text), VCORES: _old_value(parts, "vcores", text)}


def other_resources(text: str) -> list[str]:
    """The resources of another kind that a text names, such as yarn.io/gpu in memory-mb=1024, vcores=1,
    yarn.io/gpu=2.
    """
    return [
        name
        for part in text.strip(" []").split(",")
        if "/" in (name := part.partition("=")[0].strip()) and "=" in part
    ]


def is_share(text: str) -> bool:
    """Whether a resource is given as a part of the cluster."""
    return "%" in text


def format_resources(value: dict[str, int]) -> str:
    """As in "1024 mb, 1 vcores"."""
    return msg("scenario.value_parsing.mb_vcores", value=value[MEMORY], value2=value[VCORES])


def parse_policy(text: str) -> str:
    """fair, drf or fifo, by name or by Hadoop's class. NotModelled for another class."""
    name = text.strip().lower()
    if name in ("fair", "drf", "fifo"):
        return name
    name_of_class = POLICY_CLASSES.get(name.rpartition(".")[2])
    if not name_of_class or "." not in name:
        raise NotModelled(msg("scenario.value_parsing.not_modelled_fair_drf_and_fifo", quoted=quoted(text)))
    return name_of_class


def _new_style(text: str, size: Size, missing: int) -> dict[str, int]:
    is_relative, amounts, fractions = is_share(text), {}, {}
    for part in text.split(","):
        name, equals, value = (side.strip() for side in part.partition("="))
        if equals and "/" in name:
            continue
        if not equals or name not in RESOURCES:
            raise ValueError(
                msg("scenario.value_parsing.must_give_memory_mb_and_vcores", quoted=quoted(text))
            )
        if is_relative:
            fractions[RESOURCES[name]] = _percentage(value, "", text)
        elif not re.fullmatch(r"\+?[0-9]{1,18}", value):
            raise _resource_error(text)
        else:
            amounts[RESOURCES[name]] = min(int(value), MAX_RESOURCE)
    return (
        _part_of(size, {MEMORY: 1.0, VCORES: 1.0, **fractions})
        if is_relative
        else {MEMORY: missing, VCORES: missing, **amounts}
    )


def _part_of(size: Size, parts: dict[str, float]) -> dict[str, int]:
    """Of the cluster, cut to whole ones (ConfigurableResource.getResource)."""
    return {key: min(int(getattr(size, key) * parts[key]), MAX_RESOURCE) for key in (MEMORY, VCORES)}


def _percentage(text: str, resource: str, whole_text: str) -> float:
    match = re.fullmatch(PERCENTAGE + resource, text.strip())
    if not match or float(match[1]) < 0:
        raise _resource_error(whole_text)
    return float(match[1]) / 100.0


def _part_naming(parts: list[str], resource: str, text: str) -> str:
    matching = next((part for part in parts if resource in part), None)
    if matching is None:
        raise _resource_error(text)
    return matching.strip()


def _old_value(parts: list[str], resource: str, text: str) -> int:
    match = re.match(OLD_VALUE + resource, _part_naming(parts, resource, text))
    if not match or int(match[1]) < 0:
        raise _resource_error(text)
    return min(int(match[1]), MAX_RESOURCE)


def _resource_error(text: str) -> ValueError:
    return ValueError(msg("scenario.value_parsing.must_be_resource_such_as_mb", quoted=quoted(text)))


def _positive(text: str, size: Size) -> float:
    value = parse_number(text)
    if value == 0:
        raise NotModelled(msg("scenario.value_parsing.which_not_modelled_weights_above_here"))
    return value


def _parse_minimum(text: str, size: Size) -> dict[str, int]:
    if is_share(text):
        raise NotModelled(msg("scenario.value_parsing.percentage_which_hadoop_takes_for_no"))
    return parse_resources(text, size, 0)


NUMBERS = Codec(lambda text, size: parse_number(text), format_plain)
WHOLES = Codec(lambda text, size: parse_int(text), format_plain)
FLAGS = Codec(lambda text, size: parse_bool(text), format_plain)
WEIGHT = Codec(_positive, format_plain)
SECONDS = Codec(lambda text, size: float(parse_int(text)), format_plain)
UNIT = Codec(lambda text, size: max(0.0, min(parse_number(text), 1.0)), format_plain)
CAPPED_AT_ONE = Codec(lambda text, size: min(parse_number(text), 1.0), format_plain)
MINIMUM_RESOURCES = Codec(_parse_minimum, format_resources)
MAXIMUM_RESOURCES = Codec(lambda text, size: parse_resources(text, size, MAX_RESOURCE), format_resources)
YES_OR_NO = Codec(
    lambda text, size: "yes" if parse_bool(text) else "no", lambda value: format_plain(value == "yes")
)
POLICY = Codec(lambda text, size: parse_policy(text), str)
