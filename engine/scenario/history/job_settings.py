"""What a job's _conf.xml says of its containers and its master; Hadoop's defaults (mapred-default.xml), counted, where it doesn't."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.scenario.field_types import MOST_RESOURCE
from engine.scenario.formats.assumptions import Notes
from engine.scenario.history.records import JobRecord

AM = "yarn.app.mapreduce.am.resource."
SIZES = {  # part of the scenario -> what it is, its memory's properties and default, its vcores'
    "maps": ("a map", ("mapreduce.map.memory.mb",), 1024, ("mapreduce.map.cpu.vcores",), 1),
    "reduces": ("a reduce", ("mapreduce.reduce.memory.mb",), 1024, ("mapreduce.reduce.cpu.vcores",), 1),
    "am": ("the master", (AM + "mb", AM + "memory-mb", AM + "memory"), 1536, (AM + "cpu-vcores", AM + "vcores"), 1),
}
SLOWSTART, SLOWSTART_DEFAULT = "mapreduce.job.reduce.slowstart.completedmaps", 0.05
HEARTBEAT = "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms"
PRIORITIES = {"VERY_LOW": 1, "LOW": 2, "NORMAL": 3, "HIGH": 4, "VERY_HIGH": 5}  # of JobPriority in YARN
SPECULATION = {(False, False): "none", (True, False): "maps", (False, True): "reduces", (True, True): "both"}


def container(job: JobRecord, part: str, notes: Notes) -> dict[str, int]:
    """Memory and vcores of a container of this part of the job."""
    what, memory, default_mb, vcores, default_vcores = SIZES[part]
    found = {}
    for key, names, default, unit in (("memory_mb", memory, default_mb, " MB"), ("vcores", vcores, default_vcores, "")):
        given = next((amount for name in names if (amount := _amount(job.properties, name))), 0)
        if not given:
            notes.count("job", f"name no {'vcores' if key == 'vcores' else 'memory'} for {what} ({names[0]}): {default}{unit}, Hadoop's default")
        found[key] = given or default
    return found


def slowstart(job: JobRecord, notes: Notes) -> float:
    """The share of the maps that must have finished before reduces are asked for."""
    found = number(job.properties, SLOWSTART)
    if found is None or not 0 <= found <= 1:
        notes.count("job", f"name no slow start ({SLOWSTART}): {SLOWSTART_DEFAULT}, Hadoop's default")
        return SLOWSTART_DEFAULT
    return found


def heartbeat_s(job: JobRecord) -> float:
    """Time between two heartbeats of the master; 1 s in Hadoop."""
    found = number(job.properties, HEARTBEAT)
    return round(found / 1000, 3) if found is not None and 0 < found <= 60_000 else 1.0


def priority(job: JobRecord) -> int:
    """As the history says, else the configuration."""
    given = job.properties.get("mapreduce.job.priority", "").strip().upper()
    return min(max(job.priority or PRIORITIES.get(given, 0) or _amount(job.properties, "mapreduce.job.priority"), 0), 1_000_000)


def speculation(job: JobRecord, notes: Notes) -> str:
    """For which tasks second attempts may be started."""
    found = [job.properties.get(f"mapreduce.{kind}.speculative", "").strip().lower() for kind in ("map", "reduce")]
    notes.count("job", "do not say whether they speculate: both kinds of tasks, Hadoop's default", "" in found)
    return SPECULATION[found[0] != "false", found[1] != "false"]


def largest(jobs: list[JobRecord], name: str) -> int:
    """The largest amount that jobs give this property, 0 where none does."""
    return max((_amount(job.properties, name) for job in jobs), default=0)


def number(properties: Mapping[str, Any], name: str) -> float | None:
    """The property as a number; None where there is none."""
    try:
        found = float(properties[name])
    except (KeyError, TypeError, ValueError):
        return None
    return found if abs(found) < 1e15 else None


def _amount(properties: Mapping[str, Any], name: str) -> int:
    found = number(properties, name)
    return int(found) if found is not None and 1 <= found <= MOST_RESOURCE else 0
