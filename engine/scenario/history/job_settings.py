"""What a job's _conf.xml says of its containers and its master; where it doesn't, what mapred-site.xml or
Hadoop's defaults say, counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import SLOWSTART, JobSettings, number
from engine.scenario.field_types import MAX_RESOURCE
from engine.scenario.formats.import_notes import Notes, note_sizes
from engine.scenario.history.records import JobRecord

PRIORITIES = {"VERY_LOW": 1, "LOW": 2, "NORMAL": 3, "HIGH": 4, "VERY_HIGH": 5}  # of JobPriority in YARN


def container_size(job: JobRecord, part: str, settings: JobSettings, notes: Notes) -> dict[str, int]:
    """Memory and vcores of a container of this part of the job."""
    size = settings.size(part, job.properties)
    note_sizes(notes, part, size)
    return {key: setting.value for key, setting in size.items()}


def slowstart(job: JobRecord, settings: JobSettings, notes: Notes) -> float:
    """The share of the maps that must have finished before reduces are asked for."""
    setting = settings.slowstart(job.properties)
    notes.count(
        "job",
        msg(
            "scenario.job_settings.name_no_slow_start",
            slowstart=SLOWSTART,
            value=setting.value,
            origin=setting.origin,
        ),
        bool(setting.origin),
    )
    return setting.value


def priority(job: JobRecord) -> int:
    """As the history says, else the configuration."""
    name = job.properties.get("mapreduce.job.priority", "").strip().upper()
    return min(
        max(job.priority or PRIORITIES.get(name, 0) or _amount(job.properties, "mapreduce.job.priority"), 0),
        1_000_000,
    )


def speculation(job: JobRecord, settings: JobSettings, notes: Notes) -> str:
    """For which tasks second attempts may be started."""
    speculation, is_said = settings.speculation(job.properties)
    notes.count("job", msg("scenario.job_settings.do_not_say_whether_they_speculate"), not is_said)
    return speculation


def largest_value(jobs: list[JobRecord], name: str) -> int:
    """The largest amount that jobs give this property, 0 where none does."""
    return max((_amount(job.properties, name) for job in jobs), default=0)


def _amount(properties: Mapping[str, Any], name: str) -> int:
    value = number(properties, name)
    return int(value) if value is not None and 1 <= value <= MAX_RESOURCE else 0
