"""Why a job finished earlier or later than simulated, where the record shows it: the stretch of its life that differs most, and what was different then."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.prediction.evidence import is_other
from engine.prediction.occupancy import events
from engine.schedulers.measured_policy import MEASURED
from engine.schedulers.view import MAP, MASTER
from engine.simulation.run import FAILED, FINISHED, KILLED, LOST, NONE, Run

ALIKE_MS, ALIKE = 1000, 0.01  # off by less of these, a finish needs no reason
MARKED = 0.1  # so much more or less at a time, or a task, is worth a sentence


class Stays(NamedTuple):
    """One entry a job in job order; ms, NONE where there is none."""

    arrival: np.ndarray
    start: np.ndarray  # of its first container
    asked: np.ndarray  # its master's first ask
    first: np.ndarray  # its first task's attempt
    maps_end: np.ndarray
    finish: np.ndarray
    maps_at_a_time: np.ndarray  # mean from the first one's start to the last one's end
    most_maps: np.ndarray
    map_ms: np.ndarray  # mean of those that finished, from its attempt's start to its end
    late_ms: np.ndarray  # mean from a map's container to its begin
    failed: np.ndarray  # attempts
    killed: np.ndarray
    lost: np.ndarray
    others: np.ndarray  # part of the cluster's memory that others' applications held between its first task and its finish


def stays(run: Run, jvm_ms: int = 0) -> Stays:
    """Of all jobs of a run. jvm_ms: so long before its task begins an attempt starts by the history, where it is simulated. Cost: sorting its containers."""
    c, jobs, count = run.containers, run.jobs, len(run.jobs.arrival)
    if run.scheduler != MEASURED.name:
        c = c._replace(start=np.where(c.kind == MASTER, c.start, np.maximum(c.start, c.begin - jvm_ms)))
    tasks, maps = c.kind != MASTER, c.kind == MAP
    asked, first = _least(c.job[tasks], c.requested[tasks], count), _least(c.job[tasks], c.start[tasks], count)
    record = run.scenario.measured
    if record and run.scheduler == MEASURED.name:
        known = np.array(record.jobs.asked_ms, np.int64)[run.workload.job_group]
        asked = np.where(known >= 0, known, asked)
    job, end = c.job[maps], np.where(c.end[maps] == NONE, run.at_ms, c.end[maps])
    held = np.bincount(job, end - c.start[maps], count)
    found = events(job, c.start[maps], np.maximum(end, c.start[maps]), np.ones(len(job), np.int64))
    most = np.zeros(count, np.int64)
    np.maximum.at(most, found.node, found.level)
    begun, over = _least(job, c.start[maps], count), np.zeros(count, np.int64)
    np.maximum.at(over, job, end)
    done = maps & (c.outcome == FINISHED)
    finished = np.maximum(np.bincount(c.job[done], minlength=count), 1)
    outcomes = [np.bincount(c.job[c.outcome == outcome], minlength=count) for outcome in (FAILED, KILLED, LOST)]
    return Stays(
        arrival=jobs.arrival,
        start=jobs.start,
        asked=asked,
        first=first,
        maps_end=jobs.maps_end,
        finish=jobs.finish,
        maps_at_a_time=held / np.maximum(over - begun, 1),
        most_maps=most,
        map_ms=np.bincount(c.job[done], (c.end - c.start)[done], count) / finished,
        late_ms=np.bincount(c.job[done], (c.begin - c.start)[done], count) / finished,
        failed=outcomes[0],
        killed=outcomes[1],
        lost=outcomes[2],
        others=_others(run, first, jobs.finish),
    )


def _least(job: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    found = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(found, job, values)
    return np.where(found == np.iinfo(np.int64).max, NONE, found)


def _others(run: Run, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """By the integral over time of what others held, read at the two moments."""
    c, work = run.containers, run.workload
    theirs = np.array([is_other(job) for job in run.scenario.jobs])[work.job_group[c.job]] & (c.end != NONE)
    if not theirs.any():
        return np.zeros(len(begin))
    spans = events(np.zeros(int(theirs.sum()), np.int64), c.start[theirs], c.end[theirs], work.asked_memory[3 * c.job + c.kind][theirs])
    held = np.concatenate(([0.0], np.cumsum(np.diff(spans.at) * spans.level[:-1])))
    between = np.interp(end, spans.at, held) - np.interp(begin, spans.at, held)
    return between / np.maximum((end - begin) * float(work.node_memory.sum()), 1.0)


def reason(job: int, was: Stays, found: Stays) -> str:
    """A sentence for a job in job order; "" where it finished as simulated, or the record shows none."""
    off = int(found.finish[job] - was.finish[job])
    if abs(off) < max(ALIKE_MS, ALIKE * int(was.finish[job] - was.arrival[job])):
        return ""
    stretches = {name: _stretch(name, job, found) - _stretch(name, job, was) for name in STRETCHES}
    name = max(STRETCHES, key=lambda name: stretches[name] * (1 if off > 0 else -1))
    if stretches[name] * off <= 0:
        return ""
    return " ".join(part for part in (_named(name, job, was, found), _repeated(job, was)) if part)


STRETCHES = {
    "wait": ("arrival", "start"),
    "startup": ("start", "asked"),
    "first": ("asked", "first"),
    "maps": ("first", "maps_end"),
    "reduces": ("maps_end", "finish"),
}


def _stretch(name: str, job: int, of: Stays) -> int:
    begin, end = (int(getattr(of, field)[job]) for field in STRETCHES[name])
    return 0 if NONE in (begin, end) else end - begin


def _named(name: str, job: int, was: Stays, found: Stays) -> str:
    real, ours = _stretch(name, job, was) / 1000, _stretch(name, job, found) / 1000
    if name == "wait":
        return f"It waited {real:.1f} s for its master, {ours:.1f} s in the simulation."
    if name == "startup":
        return f"Its master took {real:.1f} s to its first ask, {ours:.1f} s in the simulation."
    if name == "first":
        return f"Its first task started {real:.1f} s after its master had asked, {ours:.1f} s in the simulation."
    if name == "reduces":
        return f"From its last map to its finish it took {real:.1f} s, {ours:.1f} s in the simulation."
    parts = [f"Its maps took {real:.1f} s in all, {ours:.1f} s in the simulation"]
    if _differ(was.maps_at_a_time[job], found.maps_at_a_time[job]):
        ran = f"{was.maps_at_a_time[job]:.1f} ran at a time ({was.most_maps[job]:,} at most)"
        parts.append(f"{ran}, {found.maps_at_a_time[job]:.1f} ({found.most_maps[job]:,}) there")
    if _differ(was.map_ms[job], found.map_ms[job]):
        parts.append(f"each {was.map_ms[job] / 1000:.1f} s, {found.map_ms[job] / 1000:.1f} s there")
    if was.late_ms[job] > found.late_ms[job] + ALIKE_MS:
        parts.append(f"each began {was.late_ms[job] / 1000:.1f} s after its container, {found.late_ms[job] / 1000:.1f} s there")
    if was.others[job] >= MARKED:
        parts.append(f"applications of others held {100 * was.others[job]:.0f} % of the memory meanwhile")
    return ": ".join((parts[0], "; ".join(parts[1:]))) + "." if parts[1:] else parts[0] + "."


def _differ(one: float, other: float) -> bool:
    return abs(one - other) > MARKED * max(one, other)


def _repeated(job: int, was: Stays) -> str:
    """Attempts that did not finish on the cluster."""
    counts = [(int(was.failed[job]), "failed"), (int(was.killed[job]), "killed"), (int(was.lost[job]), "lost with their node")]
    told = [f"{count:,} {word}" for count, word in counts if count]
    return f"Attempts on the cluster that did not finish: {', '.join(told)}." if told else ""
