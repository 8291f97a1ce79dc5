"""Applications without a job history, as jobs of maps that hold what they held."""

from __future__ import annotations

import math
from typing import Any

from engine.scenario.formats.assumptions import Notes
from engine.scenario.formats.batch import under_root
from engine.scenario.formats.unique_names import Names, label
from engine.scenario.history.records import History

MOST_MAPS = 1_000_000


def others_of(history: History, origin: int, groups: list[dict[str, Any]], names: Names, notes: Notes) -> tuple[list[dict[str, Any]], list[int]]:
    """The jobs, and when each ended in ms from time 0; what ended before that is left out.

    Each holds its memory and vcores in the mean, from its start to its end, in as many containers as nodes of the largest size need.
    """
    jobs, ends = [], []
    room = {key: max(group[key] for group in groups) for key in ("memory_mb", "vcores")}
    for one in history.others:
        start, end = max(one.start_ms, origin), one.end_ms
        lasted = end - one.start_ms
        if one.start_ms < 0 or end <= start or one.memory_mb_s <= 0:
            notes.count("application", "have neither a history nor room that they held within this time: left out")
            continue
        held = {"memory_mb": math.ceil(one.memory_mb_s * 1000 / lasted), "vcores": max(1, math.ceil(max(one.vcore_s, 0) * 1000 / lasted))}
        count = max(math.ceil(held[key] / room[key]) for key in room)
        if count > MOST_MAPS:
            notes.count("application", "have no history, and held more than the nodes have: left out")
            continue
        size = {key: max(1, math.ceil(amount / count)) for key, amount in held.items()}
        maps = {"count": count, **size, "duration_s": (end - start) / 1000}
        jobs.append({
            "name": names.give(label(one.name.strip() or one.id)), "user": label(one.user or "default"), "queue": under_root(one.queue.strip() or "default"),
            "arrival_s": (start - origin) / 1000, "maps": maps, "x_id": one.id, "x_other": True, "x_type": one.type,
        })  # fmt: skip
        ends.append(end - origin)
    notes.count("application", "have no job history: each is a job that holds what it held, in the mean, for as long as it ran", len(jobs))
    return jobs, ends
