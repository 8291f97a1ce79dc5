"""Why a job finished earlier or later than simulated, as far as the record shows: the phase that differs
most, and what was different in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import quantities
from engine.codes import EXECUTOR, FAILED, FINISHED, INFINITE, KILLED, LOST, MAP, MASTER, NONE, requests_of
from engine.messages import msg
from engine.prediction.evidence import is_other
from engine.prediction.occupancy import events
from engine.resource_types import MEMORY
from engine.schedulers.measured_policy import MEASURED
from engine.simulation.run import Containers, Run

NEGLIGIBLE_MS, NEGLIGIBLE_SHARE = 1000, 0.01  # smaller errors need no reason
NOTABLE_SHARE = 0.1  # relative difference that is worth a sentence


class JobTimelines(NamedTuple):
    """One entry a job in job order; ms, NONE where there is none."""

    arrival: np.ndarray
    start: np.ndarray  # of its first container
    first_ask: np.ndarray  # its master's first ask
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
    # part of the cluster's memory that others' applications held between its first task and its finish
    others: np.ndarray
    spark: np.ndarray  # bool: of the phases it has wait, start-up, executors and stages
    executors_at_a_time: np.ndarray  # mean from the first one on


def job_timelines(run: Run, jvm_ms: int = 0) -> JobTimelines:
    """Of all jobs of a run. jvm_ms: so long before its task begins an attempt starts by the history, where it
    is simulated. Cost: sorting its containers.
    """
    c, jobs, count = run.containers, run.jobs, len(run.jobs.arrival)
    if run.scheduler != MEASURED.name:
        launched_ms = np.where(c.kind == EXECUTOR, 0, jvm_ms)  # records have an executor from then on
        c = c._replace(start=np.where(c.kind == MASTER, c.start, np.maximum(c.start, c.begin - launched_ms)))
    tasks, maps = c.kind != MASTER, c.kind == MAP
    first_ask, first = (
        _min_by_job(c.job[tasks], c.requested[tasks], count),
        _min_by_job(c.job[tasks], c.start[tasks], count),
    )
    record = run.scenario.measured
    if record and run.scheduler == MEASURED.name:
        recorded_ask = np.array(record.jobs.asked_ms, np.int64)[run.workload.job_group]
        first_ask = np.where(recorded_ask >= 0, recorded_ask, first_ask)
    job, end = c.job[maps], np.where(c.end[maps] == NONE, run.at_ms, c.end[maps])
    held = np.bincount(job, end - c.start[maps], count)
    running = events(job, c.start[maps], np.maximum(end, c.start[maps]), np.ones(len(job), np.int64))
    max_running = np.zeros(count, np.int64)
    np.maximum.at(max_running, running.node, running.level)
    begun, last_end = _min_by_job(job, c.start[maps], count), np.zeros(count, np.int64)
    np.maximum.at(last_end, job, end)
    done = maps & (c.outcome == FINISHED)
    finished = np.maximum(np.bincount(c.job[done], minlength=count), 1)
    outcomes = [
        np.bincount(c.job[c.outcome == outcome], minlength=count) for outcome in (FAILED, KILLED, LOST)
    ]
    return JobTimelines(
        arrival=jobs.arrival,
        start=jobs.start,
        first_ask=first_ask,
        first=first,
        maps_end=jobs.maps_end,
        finish=jobs.finish,
        maps_at_a_time=held / np.maximum(last_end - begun, 1),
        most_maps=max_running,
        map_ms=np.bincount(c.job[done], (c.end - c.start)[done], count) / finished,
        late_ms=np.bincount(c.job[done], (c.begin - c.start)[done], count) / finished,
        failed=outcomes[0],
        killed=outcomes[1],
        lost=outcomes[2],
        others=_others(run, first, jobs.finish),
        spark=np.array([job.is_spark for job in run.scenario.jobs])[run.workload.job_group],
        executors_at_a_time=_executors_at_a_time(c, run.at_ms, first, jobs.finish),
    )


def _executors_at_a_time(c: Containers, at_ms: int, first: np.ndarray, finish: np.ndarray) -> np.ndarray:
    executors = c.kind == EXECUTOR
    end = np.where(c.end[executors] == NONE, at_ms, c.end[executors])
    held = np.bincount(c.job[executors], end - c.start[executors], len(first))
    return held / np.maximum(finish - first, 1)


def _min_by_job(job: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    minima = np.full(count, INFINITE)
    np.minimum.at(minima, job, values)
    return np.where(minima == INFINITE, NONE, minima)


def _others(run: Run, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """By the integral over time of what others held, read at the two moments."""
    c, work = run.containers, run.workload
    is_other_app = np.array([is_other(job) for job in run.scenario.jobs])[work.job_group[c.job]] & (
        c.end != NONE
    )
    if not is_other_app.any():
        return np.zeros(len(begin))
    spans = events(
        np.zeros(int(is_other_app.sum()), np.int64),
        c.start[is_other_app],
        c.end[is_other_app],
        work.asked_resource[MEMORY, requests_of(work, c)][is_other_app],
    )
    held = np.concatenate(([0.0], np.cumsum(np.diff(spans.at) * spans.level[:-1])))
    between = np.interp(end, spans.at, held) - np.interp(begin, spans.at, held)
    return between / np.maximum((end - begin) * float(work.node_memory.sum()), 1.0)


def reason(job: int, measured: JobTimelines, simulated: JobTimelines) -> str:
    """A sentence for a job in job order; "" where it finished as simulated, or the record shows none."""
    error_ms = int(simulated.finish[job] - measured.finish[job])
    if abs(error_ms) < max(
        NEGLIGIBLE_MS, NEGLIGIBLE_SHARE * int(measured.finish[job] - measured.arrival[job])
    ):
        return ""
    names = SPARK_PHASES if measured.spark[job] else MAPREDUCE_PHASES
    stretches = {name: _phase_ms(name, job, simulated) - _phase_ms(name, job, measured) for name in names}
    name = max(names, key=lambda name: stretches[name] * (1 if error_ms > 0 else -1))
    if stretches[name] * error_ms <= 0:
        return ""
    return " ".join(
        part
        for part in (_phase_sentence(name, job, measured, simulated), _attempts_sentence(job, measured))
        if part
    )


PHASE_BOUNDS = {
    "wait": ("arrival", "start"),
    "startup": ("start", "first_ask"),
    "first": ("first_ask", "first"),
    "maps": ("first", "maps_end"),
    "reduces": ("maps_end", "finish"),
    "executors": ("first_ask", "first"),
    "stages": ("first", "finish"),
}
MAPREDUCE_PHASES = ("wait", "startup", "first", "maps", "reduces")
SPARK_PHASES = ("wait", "startup", "executors", "stages")


def _phase_ms(name: str, job: int, timelines: JobTimelines) -> int:
    begin, end = (int(getattr(timelines, field)[job]) for field in PHASE_BOUNDS[name])
    return 0 if NONE in (begin, end) else end - begin


def _phase_sentence(name: str, job: int, measured: JobTimelines, simulated: JobTimelines) -> str:
    times = {
        "measured": quantities.duration(_phase_ms(name, job, measured)),
        "simulated": quantities.duration(_phase_ms(name, job, simulated)),
    }
    if name == "wait":
        return msg("prediction.error_reasons.waited_for_its_master", **times)
    if name == "startup":
        return msg("prediction.error_reasons.its_master_took_to_its", **times)
    if name == "first":
        return msg("prediction.error_reasons.its_first_task_started_after", **times)
    if name == "reduces":
        return msg("prediction.error_reasons.from_its_last_map_to_its", **times)
    if name == "executors":
        return msg("prediction.error_reasons.its_first_executor_registered", **times)
    if name == "stages":
        return msg(
            "prediction.error_reasons.from_its_first_executor_on",
            executors=measured.executors_at_a_time[job],
            executors_simulated=simulated.executors_at_a_time[job],
            **times,
        )
    parts = [msg("prediction.error_reasons.its_maps_took_in_all", **times)]
    if _differ(measured.maps_at_a_time[job], simulated.maps_at_a_time[job]):
        ran = msg(
            "prediction.error_reasons.ran_at_time_at_most",
            maps_at_a_time=measured.maps_at_a_time[job],
            most_maps=measured.most_maps[job],
        )
        parts.append(
            msg(
                "prediction.error_reasons.in_simulation",
                ran=ran,
                maps_at_a_time=simulated.maps_at_a_time[job],
                most_maps=simulated.most_maps[job],
            )
        )
    if _differ(measured.map_ms[job], simulated.map_ms[job]):
        parts.append(
            msg(
                "prediction.error_reasons.each_in_simulation",
                map_time=quantities.duration(measured.map_ms[job]),
                map_time_simulated=quantities.duration(simulated.map_ms[job]),
            )
        )
    if measured.late_ms[job] > simulated.late_ms[job] + NEGLIGIBLE_MS:
        parts.append(
            msg(
                "prediction.error_reasons.each_began_after_its_container",
                late=quantities.duration(measured.late_ms[job]),
                late_simulated=quantities.duration(simulated.late_ms[job]),
            )
        )
    if measured.others[job] >= NOTABLE_SHARE:
        parts.append(
            msg(
                "prediction.error_reasons.applications_others_held_memory_meanwhile",
                others=quantities.percent(measured.others[job]),
            )
        )
    return ": ".join((parts[0], "; ".join(parts[1:]))) + "." if parts[1:] else parts[0] + "."


def _differ(first: float, second: float) -> bool:
    return abs(first - second) > NOTABLE_SHARE * max(first, second)


def _attempts_sentence(job: int, measured: JobTimelines) -> str:
    """Attempts that did not finish on the cluster."""
    counts = [
        (int(measured.failed[job]), "failed"),
        (int(measured.killed[job]), "killed"),
        (int(measured.lost[job]), msg("prediction.error_reasons.lost_with_their_node")),
    ]
    phrases = [f"{count:,} {word}" for count, word in counts if count]
    return (
        msg("prediction.error_reasons.attempts_on_cluster_did_not_finish", phrases=", ".join(phrases))
        if phrases
        else ""
    )
