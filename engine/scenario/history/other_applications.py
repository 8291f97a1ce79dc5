"""Applications without a job history, as jobs of maps that hold what they held."""

from __future__ import annotations

import math
from typing import Any

from engine.messages import msg
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.scenario_builder import under_root
from engine.scenario.formats.unique_names import UniqueNames, sanitize
from engine.scenario.history.records import History

MAX_MAPS = 1_000_000


def other_application_jobs(
    history: History, origin: int, groups: list[dict[str, Any]], names: UniqueNames, notes: Notes
) -> tuple[list[dict[str, Any]], list[int]]:
    """The jobs, and when each ended in ms from time 0; what ended before that is left out.

    Each holds its memory and vcores in the mean, from its start to its end, in as many containers as nodes of
    the largest size need.
    """
    jobs, ends = [], []
    largest_node = {key: max(group[key] for group in groups) for key in ("memory_mb", "vcores")}
    for application in history.others:
        start, end = max(application.start_ms, origin), application.end_ms
        duration_ms = end - application.start_ms
        if application.start_ms < 0 or end <= start or application.memory_mb_s <= 0:
            notes.count("application", msg("scenario.other_applications.have_no_history_and_held_nothing"))
            continue
        mean_held = {
            "memory_mb": math.ceil(application.memory_mb_s * 1000 / duration_ms),
            "vcores": max(1, math.ceil(max(application.vcore_s, 0) * 1000 / duration_ms)),
        }
        count = max(math.ceil(mean_held[key] / largest_node[key]) for key in largest_node)
        if count > MAX_MAPS:
            notes.count("application", msg("scenario.other_applications.have_no_history_and_held_more"))
            continue
        size = {key: max(1, math.ceil(amount / count)) for key, amount in mean_held.items()}
        maps = {"count": count, **size, "duration_s": (end - start) / 1000}
        jobs.append(
            {
                "name": names.claim(sanitize(application.name.strip() or application.id)),
                "user": sanitize(application.user or "default"),
                "queue": under_root(application.queue.strip() or "default"),
                "arrival_s": (start - origin) / 1000,
                "maps": maps,
                "x_id": application.id,
                "x_other": True,
                "x_type": application.type,
            }
        )
        ends.append(end - origin)
    notes.count(
        "application",
        msg("scenario.other_applications.have_no_job_history_each_job"),
        len(jobs),
    )
    return jobs, ends
