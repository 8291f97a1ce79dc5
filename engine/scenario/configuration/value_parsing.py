"""Values as Hadoop's files write them: numbers, flags, resources, policies."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.scenario.field_types import MOST_RESOURCE

NUMBER = re.compile(r"[+-]?(?:[0-9]{1,60}(?:\.[0-9]{0,60})?|\.[0-9]{1,60})(?:[eE][+-]?[0-9]{1,3})?[fFdD]?", re.ASCII)
WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
OLD_VALUE = r"(-?[0-9]{1,18})(?:\.[0-9]*)?\s*"  # FairSchedulerConfiguration.RESOURCE_VALUE_PATTERN
PERCENTAGE = r"(-?[0-9]{1,9}(?:\.[0-9]{0,30})?)\s*%\s*"  # RESOURCE_PERCENTAGE_PATTERN
WITH_SPACES = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{0,30})?\s{0,9}[a-z]{1,30}\s{0,9}")
MEMORY, VCORES = "memory_mb", "vcores"
RESOURCES = {"memory-mb": MEMORY, "memory": MEMORY, "vcores": VCORES}
POLICY_CLASSES = {"fairsharepolicy": "fair", "fifopolicy": "fifo", "dominantresourcefairnesspolicy": "drf"}


class NotModelled(Exception):
    """A value that Hadoop takes and this model has no place for; its text goes on after the property's name."""


@dataclass(frozen=True)
class Size:
    """Memory in MB and vcores, such as the whole cluster's."""

    memory_mb: int
    vcores: int


@dataclass(frozen=True)
class Kind:
    """How a value is read, parse(text, size of the cluster), and written. ValueError says what the text must be, NotModelled why it is not used."""

    parse: Callable[[str, Size], Any]
    format: Callable[[Any], str]


def number(text: str) -> float:
    """A number as Java's Float.parseFloat reads it, but finite. ValueError for anything else."""
    text = text.strip()
    if not NUMBER.fullmatch(text) or abs(found := float(text.rstrip("fFdD"))) == float("inf"):
        raise ValueError(f"{shown(text)} must be a number")
    return found


def whole(text: str) -> int:
    """A whole number. ValueError for anything else."""
    if not WHOLE.fullmatch(text.strip()):
        raise ValueError(f"{shown(text)} must be a whole number")
    return int(text)


def flag(text: str) -> bool:
    """true or false. ValueError for anything else, where Hadoop would silently take its default."""
    if text.strip().lower() not in ("true", "false"):
        raise ValueError(f"{shown(text)} must be true or false")
    return text.strip().lower() == "true"


def plain(value: Any) -> str:
    """A number or flag as a file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def shown(text: str) -> str:
    """A value of a stranger's file in a sentence."""
    text = text.strip()
    return repr(text if len(text) <= 60 else text[:59] + "…")


def resources(text: str, size: Size, missing: int) -> dict[str, int]:
    """Memory in MB and vcores of "1024 mb, 1 vcores", "memory-mb=1024, vcores=1", "50%" or "50% memory, 25% cpu" of the cluster's size.

    missing: what a resource that is not named gets, in the form with =. ValueError as FairSchedulerConfiguration.parseResourceConfigValue throws.
    """
    if "=" in text:
        return _new_style(text, size, missing)
    low = text.lower()
    if "%" in low:
        parts = low.split(",")
        if len(parts) == 1:
            part = _percentage(low, "", text)
            return _part_of(size, {MEMORY: part, VCORES: part})
        return _part_of(
            size, {MEMORY: _percentage(_naming(parts, "memory", text), "memory", text), VCORES: _percentage(_naming(parts, "cpu", text), "cpu", text)}
        )
    parts = low.split(",")
    if len(parts) != 2:
        parts = WITH_SPACES.findall(low)
    if len(parts) != 2:
        raise _no_resource(text)
    return {MEMORY: _old_value(parts, "mb", text), VCORES: _old_value(parts, "vcores", text)}


def other_resources(text: str) -> list[str]:
    """The resources of another kind that a text names, such as yarn.io/gpu in memory-mb=1024, vcores=1, yarn.io/gpu=2."""
    return [name for part in text.strip(" []").split(",") if "/" in (name := part.partition("=")[0].strip()) and "=" in part]


def is_share(text: str) -> bool:
    """Whether a resource is given as a part of the cluster."""
    return "%" in text


def format_resources(value: dict[str, int]) -> str:
    """As in "1024 mb, 1 vcores"."""
    return f"{value[MEMORY]} mb, {value[VCORES]} vcores"


def policy(text: str) -> str:
    """fair, drf or fifo, by name or by Hadoop's class. NotModelled for another class."""
    name = text.strip().lower()
    if name in ("fair", "drf", "fifo"):
        return name
    found = POLICY_CLASSES.get(name.rpartition(".")[2])
    if not found or "." not in name:
        raise NotModelled(f"{shown(text)} is not modelled: fair, drf and fifo are")
    return found


def _new_style(text: str, size: Size, missing: int) -> dict[str, int]:
    shares, found, fractions = is_share(text), {}, {}
    for part in text.split(","):
        name, equals, value = (side.strip() for side in part.partition("="))
        if equals and "/" in name:
            continue
        if not equals or name not in RESOURCES:
            raise ValueError(f"{shown(text)} must give memory-mb and vcores, as in memory-mb=1024, vcores=1")
        if shares:
            fractions[RESOURCES[name]] = _percentage(value, "", text)
        elif not re.fullmatch(r"\+?[0-9]{1,18}", value):
            raise _no_resource(text)
        else:
            found[RESOURCES[name]] = min(int(value), MOST_RESOURCE)
    return _part_of(size, {MEMORY: 1.0, VCORES: 1.0, **fractions}) if shares else {MEMORY: missing, VCORES: missing, **found}


def _part_of(size: Size, parts: dict[str, float]) -> dict[str, int]:
    """Of the cluster, cut to whole ones (ConfigurableResource.getResource)."""
    return {key: min(int(getattr(size, key) * parts[key]), MOST_RESOURCE) for key in (MEMORY, VCORES)}


def _percentage(text: str, resource: str, whole_text: str) -> float:
    found = re.fullmatch(PERCENTAGE + resource, text.strip())
    if not found or float(found[1]) < 0:
        raise _no_resource(whole_text)
    return float(found[1]) / 100.0


def _naming(parts: list[str], resource: str, text: str) -> str:
    found = next((part for part in parts if resource in part), None)
    if found is None:
        raise _no_resource(text)
    return found.strip()


def _old_value(parts: list[str], resource: str, text: str) -> int:
    found = re.match(OLD_VALUE + resource, _naming(parts, resource, text))
    if not found or int(found[1]) < 0:
        raise _no_resource(text)
    return min(int(found[1]), MOST_RESOURCE)


def _no_resource(text: str) -> ValueError:
    return ValueError(f"{shown(text)} must be a resource, such as 1024 mb, 1 vcores or 50% memory, 25% cpu or memory-mb=1024, vcores=1")


def _positive(text: str, size: Size) -> float:
    found = number(text)
    if found == 0:
        raise NotModelled("is 0, which is not modelled: weights are above 0 here")
    return found


def _least(text: str, size: Size) -> dict[str, int]:
    if is_share(text):
        raise NotModelled("is a percentage, which Hadoop takes for no minimum: it has no effect")
    return resources(text, size, 0)


NUMBERS = Kind(lambda text, size: number(text), plain)
WHOLES = Kind(lambda text, size: whole(text), plain)
FLAGS = Kind(lambda text, size: flag(text), plain)
WEIGHT = Kind(_positive, plain)
SECONDS = Kind(lambda text, size: float(whole(text)), plain)
UNIT = Kind(lambda text, size: max(0.0, min(number(text), 1.0)), plain)
AT_MOST_ONE = Kind(lambda text, size: min(number(text), 1.0), plain)
LEAST = Kind(_least, format_resources)
MOST = Kind(lambda text, size: resources(text, size, MOST_RESOURCE), format_resources)
YES_OR_NO = Kind(lambda text, size: "yes" if flag(text) else "no", lambda value: plain(value == "yes"))
POLICY = Kind(lambda text, size: policy(text), str)
