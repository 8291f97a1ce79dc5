"""Runs in the Trace Event Format, which Perfetto and chrome://tracing open: a process a node, a thread a
lane, a slice a phase.

The format: "Trace Event Format" (Google, 2016): complete events X, metadata M, counters C; times in
microseconds. Slices of one thread never overlap, for lanes don't. Before its nodes each run has a process of
its own with the memory and vcores in use as counters. The same runs give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from engine.analysis.lanes import pack_lanes
from engine.analysis.phases import PHASES, is_held, phases
from engine.codes import KINDS, MASTER, NONE, OUTCOMES, REDUCE, TASK, WASTED, requests_of
from engine.messages import msg
from engine.simulation.run import Run
from engine.version import VERSION

ROWS_PER_CHUNK = 20_000  # to a chunk
US_PER_MS = 1000  # a millisecond
TITLES = {
    "waiting": msg("output.trace_events.waiting_for_input"),
    "held_idle": msg("output.trace_events.held_idle"),
}
TITLES_OF_REDUCES = {"waiting": msg("output.trace_events.waiting_for_maps")}
SLICE_TEMPLATE = (
    '{"ph":"X","pid":%s,"tid":%s,"ts":%s,"dur":%s,"name":%s,"cat":%s,"args":'
    '{"job":%s,"task":%s,"attempt":%s,"outcome":%s,"memory_mb":%s,"vcores":%s,"requested_s":%s}}'
)
COUNTER_TEMPLATE = '{"ph":"C","pid":%s,"ts":%s,"name":"%s","args":{"%s":%s}}'


def trace_text(runs: Iterable[Run]) -> Iterator[str]:
    """One JSON of all runs, an event a line, in chunks. runs: of one scenario, each looked at once."""
    first, between = 1, ""
    yield '{"displayTimeUnit":"ms","traceEvents":[\n'
    for run in runs:
        for chunk in _events(run, first):
            yield between + chunk
            between = ",\n"
        digest = run.scenario.digest
        first += 1 + len(run.workload.node_names)
    yield f'\n],"otherData":{_json({"engine": VERSION, "scenario": digest})}}}\n'


def _events(run: Run, first: int) -> Iterator[str]:
    """Chunks of events. first: the process of the run; those of its nodes follow."""
    yield ",\n".join(_names(run, first))
    yield from _slices(run, first + 1)
    yield from _counters(run, first)


def _names(run: Run, first: int) -> Iterator[str]:
    """The names of processes and threads and their places, the run's own process first."""
    lanes = pack_lanes(run).used.tolist()
    for index, name in enumerate([msg("output.trace_events.in_use"), *run.workload.node_names]):
        pid = first + index
        yield _json(
            {"ph": "M", "pid": pid, "name": "process_name", "args": {"name": f"{run.scheduler} / {name}"}}
        )
        yield _json({"ph": "M", "pid": pid, "name": "process_sort_index", "args": {"sort_index": pid}})
        for tid in range(1, lanes[index - 1] + 1 if index else 1):
            yield _json(
                {
                    "ph": "M",
                    "pid": pid,
                    "tid": tid,
                    "name": "thread_name",
                    "args": {"name": msg("output.trace_events.lane", tid=tid)},
                }
            )
            yield _json(
                {"ph": "M", "pid": pid, "tid": tid, "name": "thread_sort_index", "args": {"sort_index": tid}}
            )


def _slices(run: Run, first: int) -> Iterator[str]:
    """first: the process of the first node."""
    c, work = run.containers, run.workload
    slices, lane = phases(run), pack_lanes(run).lane
    jobs, held = [_json(name) for name in work.job_names], is_held(run)
    phase_names, *wasted_names = (
        [[_json(before + titles.get(key, key)) for key in PHASES] for titles in (TITLES, TITLES_OF_REDUCES)]
        for before in ("", *(f"{OUTCOMES[outcome]}: " for outcome in WASTED))
    )
    wasted = dict(zip(WASTED, wasted_names, strict=True))
    keys, outcomes = [_json(key) for key in PHASES], [_json(outcome) for outcome in OUTCOMES]
    for begin in range(0, len(slices.start), ROWS_PER_CHUNK):
        container, phase, start, end = (field[begin : begin + ROWS_PER_CHUNK] for field in slices)
        selected = type(c)(*(field[container] for field in c))
        request = requests_of(work, selected)
        cells = (
            (first + selected.node).tolist(),
            (lane[container] + 1).tolist(),
            (US_PER_MS * start).tolist(),
            (US_PER_MS * (end - start)).tolist(),
            [
                wasted.get(outcome, phase_names)[is_reduce][index]
                for index, outcome, is_reduce in zip(
                    phase.tolist(), selected.outcome.tolist(), (selected.kind == REDUCE).tolist()
                )
            ],
            [keys[index] for index in phase.tolist()],
            [jobs[job] for job in selected.job.tolist()],
            [
                _task(*task_fields)
                for task_fields in zip(
                    selected.kind.tolist(),
                    selected.index.tolist(),
                    selected.stage.tolist(),
                    (work.job_iterations[selected.job] > 1).tolist(),
                    held[container].tolist(),
                )
            ],
            selected.attempt.tolist(),
            [outcomes[outcome] for outcome in selected.outcome.tolist()],
            work.request_memory[request].tolist(),
            work.request_vcores[request].tolist(),
            (selected.requested / 1000).tolist(),
        )
        yield ",\n".join(SLICE_TEMPLATE % row for row in zip(*cells))


def _task(kind: int, index: int, stage: int, repeated: bool, held: bool) -> str:
    name = "master" if kind == MASTER else f"{'container' if held else KINDS[kind]} {index}"
    if kind == TASK or held:
        return msg("output.trace_events.of_stage", name=name, stage=stage)
    return msg("output.trace_events.iteration", name=name, stage=stage) if repeated else f'"{name}"'


def _counters(run: Run, pid: int) -> Iterator[str]:
    """Memory and vcores in use after each instant that changes them."""
    c, work = run.containers, run.workload
    request = requests_of(work, c)
    ended = c.end != NONE
    time, time_index = np.unique(np.concatenate([[run.first_ms], c.start, c.end[ended]]), return_inverse=True)
    for name, unit, size in (
        (msg("output.trace_events.memory_in_use"), "MB", work.request_memory[request]),
        (msg("output.trace_events.vcores_in_use"), "vcores", work.request_vcores[request]),
    ):
        change = np.zeros(len(time), np.int64)
        np.add.at(change, time_index, np.concatenate([[0], size, -size[ended]]))
        level = np.cumsum(change)
        for begin in range(0, len(time), ROWS_PER_CHUNK):
            part = slice(begin, begin + ROWS_PER_CHUNK)
            yield ",\n".join(
                COUNTER_TEMPLATE % (pid, US_PER_MS * ms, name, unit, amount)
                for ms, amount in zip(time[part].tolist(), level[part].tolist())
            )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
