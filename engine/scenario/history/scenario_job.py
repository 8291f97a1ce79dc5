"""A job as it ran as a job of a scenario: its stages with the durations of their tasks, what it shuffled, its
master.
"""

from __future__ import annotations

from typing import Any

from engine.codes import UNKNOWN
from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import JobSettings
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.scenario_builder import under_root
from engine.scenario.formats.unique_names import MAX_BASE_LENGTH, sanitize
from engine.scenario.history.job_run import LINGER_MS, Attempt, JobRun
from engine.scenario.history.job_settings import container_size, priority, speculation

MEBIBYTE = 2**20
UNEVEN_RATIO = 1.1  # times the smallest part that the largest must be, for parts to be told apart
MIN_PARTITION = 0.01  # of an even one


def scenario_job(
    run: JobRun, name: str, slowstart: float, origin: int, settings: JobSettings, notes: Notes
) -> dict[str, Any]:
    """The job as a scenario's JSON has it; jobs with only reduces have them as maps."""
    job, reduces = run.job, run.reduces
    data: dict[str, Any] = {"name": name, "user": sanitize(job.user or "default"), "queue": _queue(job.queue)}
    data |= {"arrival_s": (run.arrival - origin) / 1000, "x_id": job.id}
    data["priority"] = priority(job)
    if job.uberized:
        return data | {"maps": _stage(run.maps, container_size(job, "am", settings, notes))}
    masters = [attempt for attempt in run.all if attempt.kind == "am"]
    startup = (
        max(0, run.first_request - masters[0].start) / 1000
        if masters and run.first_request != UNKNOWN
        else 0.0
    )
    data["am"] = {
        **container_size(job, "am", settings, notes),
        "startup_s": startup,
        "heartbeat_s": settings.heartbeat_s(job.properties),
        "linger_s": LINGER_MS / 1000,
    }
    data["speculation"] = speculation(job, settings, notes)
    if not run.maps:
        notes.count("job", msg("shared.have_only_reduces_they_stand_as"))
        return data | {"maps": _stage(reduces, container_size(job, "reduces", settings, notes))}
    data["maps"] = _stage(run.maps, container_size(job, "maps", settings, notes))
    if not reduces:
        return data
    notes.count(
        "reduce",
        msg("scenario.scenario_job.do_not_say_when_their_shuffle"),
        sum(attempt.shuffle_end == UNKNOWN for attempt in reduces),
    )
    parts = _partition_sizes(reduces)
    data["reduces"] = _stage(reduces, container_size(job, "reduces", settings, notes), parts)
    if parts:
        data["partitions"] = {"sizes": parts}
    return data | {"slowstart": slowstart, "shuffle_mb_per_map": _map_output_mb(run.maps, reduces, notes)}


def _queue(name: str) -> str:
    parts = [part.strip() for part in name.split(".") if part.strip()]
    return under_root(".".join(parts)[:MAX_BASE_LENGTH].rstrip(". ") or "default")


def _stage(tasks: list[Attempt], size: dict[str, int], parts: list[float] | None = None) -> dict[str, Any]:
    """Durations in s: of a reduce from the end of its shuffle. With `parts` those of even parts, as the
    larger compute for longer.
    """
    durations = [max(1, task.end - max(task.begin, task.shuffle_end)) / 1000 for task in tasks]
    if parts:
        durations = [max(0.001, round(duration / part, 6)) for duration, part in zip(durations, parts)]
    return {
        "count": len(tasks),
        **size,
        "duration_s": durations[0] if len({*durations}) == 1 else {"values": durations},
    }


def _partition_sizes(reduces: list[Attempt]) -> list[float] | None:
    """What each reduce fetched beside an even part, where that differs and is some 1 MB each."""
    moved = [attempt.moved for attempt in reduces]
    mean = sum(moved) / len(moved)
    if min(moved) < 0 or mean < MEBIBYTE or max(moved) <= UNEVEN_RATIO * min(moved):
        return None
    parts = [max(MIN_PARTITION, part_bytes / mean) for part_bytes in moved]
    even = sum(parts) / len(parts)
    return [round(part / even, 6) for part in parts]


def _map_output_mb(maps: list[Attempt], reduces: list[Attempt], notes: Notes) -> float:
    """MB that a map puts out, in units of 2^20 bytes: of what reduces fetched, else of what maps say of
    themselves.
    """
    fetched = [attempt.moved for attempt in reduces if attempt.moved >= 0]
    if fetched:
        return round(sum(fetched) / len(fetched) * len(reduces) / len(maps) / MEBIBYTE, 6)
    output = [attempt.moved for attempt in maps if attempt.moved >= 0]
    if not output:
        notes.count("job", msg("shared.do_not_say_how_much_was"))
        return 0.0
    return round(sum(output) / len(output) / MEBIBYTE, 6)
