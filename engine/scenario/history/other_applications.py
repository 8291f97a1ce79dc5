"""Applications without a job history, as demand: containers of what they held, from then to then.

Where the record has samples of one over time, its master is what it held with one container, and the others
begin and end halfway between the samples that show it: those that began first end first, each of the mean
size when it began. They are asked for when they began, which may be later than the application asked. Where
it has totals alone, or samples that do not account for them, memory and vcores are held in the mean.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from engine.messages import msg
from engine.scenario.field_types import MAX_RESOURCE
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.scenario_builder import under_root
from engine.scenario.formats.unique_names import UniqueNames, sanitize
from engine.scenario.history.hosts import RESOURCES, task_sizes
from engine.scenario.history.records import HeldSample, History, OtherApplicationRecord
from engine.scenario.scenario_limits import MAX_STAGES

MAX_CONTAINERS = 1_000_000  # that the mean of one is divided into
MAX_DIFFERENCE = 0.4  # of the memory that samples show over time from the total


class OtherRun(NamedTuple):
    """An application as a job of the scenario; mean: its one stage where it holds the mean; when its master
    was launched, and when it ended, ms since 1970.
    """

    job: dict[str, Any]
    mean: dict[str, Any]
    start_ms: int
    end_ms: int


def other_runs(history: History, origin: int, names: UniqueNames, notes: Notes, limit: int) -> list[OtherRun]:
    """All that held anything after `origin`, time 0. Those with totals alone, and those beyond `limit`
    containers of samples in all, have no containers yet: `fit_to_nodes` divides their means.
    """
    runs: list[OtherRun] = []
    for application in history.others:
        start, end = max(application.start_ms, origin), application.end_ms
        if application.start_ms < 0 or end <= start or application.memory_mb_s <= 0:
            notes.count("application", msg("scenario.other_applications.have_no_history_and_held_nothing"))
            continue
        job: dict[str, Any] = {
            "name": names.claim(sanitize(application.name.strip() or application.id)),
            "user": sanitize(application.user or "default"),
            "framework": "demand",
            "queue": under_root(application.queue.strip() or "default"),
            "x_id": application.id,
            "x_type": application.type,
        }
        samples = _thinned(application.samples)
        containers = sum(_rises(samples))
        stages = []
        if 0 < containers <= limit and _account_for(samples, application):
            stages = _steps(samples, application, start)
        if stages:
            limit -= containers
            arrival = max(application.submit_ms, origin)
            job |= {"am": _master(samples), "stages": stages}
        else:
            arrival = start
        job["arrival_s"] = (arrival - origin) / 1000
        runs.append(OtherRun(job, _mean(application, start, arrival), start, end))
    return runs


def fit_to_nodes(runs: Iterable[OtherRun], groups: Sequence[dict[str, Any]], notes: Notes) -> list[OtherRun]:
    """With each mean in as many containers as nodes of the largest size need, which is also for those with a
    container that fits none; without those that held more than the nodes have.
    """
    largest_node = {key: max(group[key] for group in groups) for key in RESOURCES}
    kept = []
    for run in runs:
        sizes = [run.job["am"], *task_sizes(run.job)] if "am" in run.job else []
        if sizes and all(size[key] <= largest_node[key] for size in sizes for key in RESOURCES):
            notes.count("application", msg("scenario.other_applications.have_no_job_history_each_steps"))
            kept.append(run)
            continue
        count = max(math.ceil(run.mean[key] / largest_node[key]) for key in RESOURCES)
        if count > MAX_CONTAINERS:
            notes.count("application", msg("scenario.other_applications.have_no_history_and_held_more"))
            continue
        notes.count("application", msg("scenario.other_applications.have_no_job_history_each_job"))
        size = {key: math.ceil(run.mean[key] / count) for key in RESOURCES}
        job = {key: value for key, value in run.job.items() if key != "am"}
        kept.append(run._replace(job=job | {"stages": [run.mean | {"tasks": count} | size]}))
    return kept


def _mean(application: OtherApplicationRecord, start: int, arrival: int) -> dict[str, Any]:
    """One container of what it held in the mean, from `start` on."""
    total_ms = application.end_ms - application.start_ms
    return {
        "start_s": (start - arrival) / 1000,
        "memory_mb": math.ceil(application.memory_mb_s * 1000 / total_ms),
        "vcores": max(1, math.ceil(max(application.vcore_s, 0) * 1000 / total_ms)),
        "duration_s": (application.end_ms - start) / 1000,
    }


def _account_for(samples: Sequence[HeldSample], application: OtherApplicationRecord) -> bool:
    """Do the samples show what it held in all? Those of its last hour alone do not."""
    times = [application.start_ms, *(sample.at_ms for sample in samples)]
    bounds = [*((before + after) // 2 for before, after in pairwise(times)), application.end_ms]
    shown = sum(sample.memory_mb * (end - begin) for sample, (begin, end) in zip(samples, pairwise(bounds)))
    return abs(shown / 1000 - application.memory_mb_s) <= MAX_DIFFERENCE * application.memory_mb_s


def _thinned(samples: Sequence[HeldSample]) -> Sequence[HeldSample]:
    """So few of them, evenly, that their steps are no more than stages may be."""
    while sum(rise > 0 for rise in _rises(samples)) > MAX_STAGES:
        samples = samples[::2]
    return samples


def _rises(samples: Sequence[HeldSample]) -> list[int]:
    """By how many containers beside the master each sample has more than the one before."""
    held = [0, *(max(0, sample.containers - 1) for sample in samples)]
    return [max(0, after - before) for before, after in pairwise(held)]


def _master(samples: Sequence[HeldSample]) -> dict[str, int]:
    """The size of its container: that of the only one there was, else the mean of the first sample."""
    holding = [sample for sample in samples if sample.containers]
    first = next((sample for sample in holding if sample.containers == 1), holding[0])
    return _mean_size(first.memory_mb, first.vcores, first.containers)


def _mean_size(memory_mb: int, vcores: int, containers: int) -> dict[str, int]:
    return {
        key: min(MAX_RESOURCE, max(1, round(amount / containers)))
        for key, amount in zip(RESOURCES, (memory_mb, vcores))
    }


def _steps(
    samples: Sequence[HeldSample], application: OtherApplicationRecord, start: int
) -> list[dict[str, Any]]:
    """A stage for each sample that shows more containers than the one before; times from `start` on, when the
    master is up.
    """
    master, stages = _master(samples), []
    held: deque[tuple[int, list[int]]] = deque()  # of each container when it began, and its stage's times
    before = application.start_ms
    for sample, rise in zip(samples, _rises(samples)):
        now = max(start, (before + sample.at_ms) // 2)
        before = sample.at_ms
        containers = max(0, sample.containers - 1)
        _end(held, now, len(held) - containers)
        if rise:
            times: list[int] = []
            held.extend([(now, times)] * rise)
            size = _mean_size(
                sample.memory_mb - master["memory_mb"], sample.vcores - master["vcores"], containers
            )
            stages.append((now, size, times))
    _end(held, application.end_ms, len(held))
    return [
        {
            "start_s": (begin - start) / 1000,
            "tasks": len(times),
            **size,
            "duration_s": times[0] / 1000
            if len({*times}) == 1
            else {"values": [time / 1000 for time in times]},
        }
        for begin, size, times in stages
        if times
    ]


def _end(held: deque[tuple[int, list[int]]], now: int, count: int) -> None:
    """So many of those that began first end; what ended before time 0 is left out."""
    for _ in range(count):
        begin, times = held.popleft()
        if now > begin:
            times.append(now - begin)
