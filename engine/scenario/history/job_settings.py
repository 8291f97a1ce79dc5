"""What a job's _conf.xml says of its containers and its master; Hadoop's defaults (mapred-default.xml),
counted, where it doesn't.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.messages import msg
from engine.scenario.field_types import MAX_RESOURCE
from engine.scenario.formats.import_notes import Notes
from engine.scenario.history.records import JobRecord

AM_RESOURCE = "yarn.app.mapreduce.am.resource."
SIZES = {  # part of the scenario -> what it is, its memory's properties and default, its vcores'
    "maps": (msg("shared.map"), ("mapreduce.map.memory.mb",), 1024, ("mapreduce.map.cpu.vcores",), 1),
    "reduces": (
        msg("shared.reduce"),
        ("mapreduce.reduce.memory.mb",),
        1024,
        ("mapreduce.reduce.cpu.vcores",),
        1,
    ),
    "am": (
        msg("shared.master"),
        (AM_RESOURCE + "mb", AM_RESOURCE + "memory-mb", AM_RESOURCE + "memory"),
        1536,
        (AM_RESOURCE + "cpu-vcores", AM_RESOURCE + "vcores"),
        1,
    ),
}
SLOWSTART, SLOWSTART_DEFAULT = "mapreduce.job.reduce.slowstart.completedmaps", 0.05
HEARTBEAT = "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms"
PRIORITIES = {"VERY_LOW": 1, "LOW": 2, "NORMAL": 3, "HIGH": 4, "VERY_HIGH": 5}  # of JobPriority in YARN
SPECULATION = {(False, False): "none", (True, False): "maps", (False, True): "reduces", (True, True): "both"}


def container_size(job: JobRecord, part: str, notes: Notes) -> dict[str, int]:
    """Memory and vcores of a container of this part of the job."""
    noun, memory, default_mb, vcores, default_vcores = SIZES[part]
    size = {}
    for key, names, default, unit in (
        ("memory_mb", memory, default_mb, " MB"),
        ("vcores", vcores, default_vcores, ""),
    ):
        parsed = next((amount for name in names if (amount := _amount(job.properties, name))), 0)
        if not parsed:
            notes.count(
                "job",
                msg(
                    "scenario.job_settings.name_no_for_hadoops_default",
                    value="vcores" if key == "vcores" else "memory",
                    noun=noun,
                    names=names[0],
                    default=default,
                    unit=unit,
                ),
            )
        size[key] = parsed or default
    return size


def slowstart(job: JobRecord, notes: Notes) -> float:
    """The share of the maps that must have finished before reduces are asked for."""
    share = number(job.properties, SLOWSTART)
    if share is None or not 0 <= share <= 1:
        notes.count(
            "job",
            msg(
                "scenario.job_settings.name_no_slow_start_hadoops_default",
                slowstart=SLOWSTART,
                slowstart_default=SLOWSTART_DEFAULT,
            ),
        )
        return SLOWSTART_DEFAULT
    return share


def heartbeat_s(job: JobRecord) -> float:
    """Time between two heartbeats of the master; 1 s in Hadoop."""
    interval_ms = number(job.properties, HEARTBEAT)
    return round(interval_ms / 1000, 3) if interval_ms is not None and 0 < interval_ms <= 60_000 else 1.0


def priority(job: JobRecord) -> int:
    """As the history says, else the configuration."""
    name = job.properties.get("mapreduce.job.priority", "").strip().upper()
    return min(
        max(job.priority or PRIORITIES.get(name, 0) or _amount(job.properties, "mapreduce.job.priority"), 0),
        1_000_000,
    )


def speculation(job: JobRecord, notes: Notes) -> str:
    """For which tasks second attempts may be started."""
    flags = [
        job.properties.get(f"mapreduce.{kind}.speculative", "").strip().lower() for kind in ("map", "reduce")
    ]
    notes.count("job", msg("scenario.job_settings.do_not_say_whether_they_speculate"), "" in flags)
    return SPECULATION[flags[0] != "false", flags[1] != "false"]


def largest_value(jobs: list[JobRecord], name: str) -> int:
    """The largest amount that jobs give this property, 0 where none does."""
    return max((_amount(job.properties, name) for job in jobs), default=0)


def number(properties: Mapping[str, Any], name: str) -> float | None:
    """The property as a number; None where there is none."""
    try:
        value = float(properties[name])
    except (KeyError, TypeError, ValueError):
        return None
    return value if abs(value) < 1e15 else None


def _amount(properties: Mapping[str, Any], name: str) -> int:
    value = number(properties, name)
    return int(value) if value is not None and 1 <= value <= MAX_RESOURCE else 0
