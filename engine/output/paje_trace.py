"""Runs as a Pajé trace ("Pajé trace file format", Schnorr 2016), which ViTE, PajeNG's pj_dump and R read: a
container a run, within it one a node, within that one a lane, whose state is the phase of what runs there.

Times are in s and never fall, as the format demands: the events of all runs stand in one order. A variable of
a run counts its memory and vcores in use. The same runs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.analysis.lanes import pack_lanes
from engine.analysis.phases import PHASES, is_held, phases
from engine.codes import NONE, requests_of
from engine.messages import msg
from engine.simulation.run import Run

ROWS_PER_CHUNK = 20_000
EVENTS = (
    ("PajeDefineContainerType", "Alias string", "Type string", "Name string"),
    ("PajeDefineStateType", "Alias string", "Type string", "Name string"),
    ("PajeDefineVariableType", "Alias string", "Type string", "Name string", "Color color"),
    ("PajeDefineEntityValue", "Alias string", "Type string", "Name string", "Color color"),
    ("PajeCreateContainer", "Time date", "Alias string", "Type string", "Container string", "Name string"),
    ("PajeDestroyContainer", "Time date", "Type string", "Name string"),
    ("PajePushState", "Time date", "Type string", "Container string", "Value string", "Job string"),
    ("PajePopState", "Time date", "Type string", "Container string"),
    ("PajeSetVariable", "Time date", "Type string", "Container string", "Value double"),
)
CONTAINER_TYPE, STATE_TYPE, VARIABLE_TYPE, VALUE, CREATE, DESTROY, PUSH, POP, SET = range(len(EVENTS))
COLORS = {
    "master": "0.55 0.55 0.55",
    "map": "0.20 0.45 0.75",
    "shuffle": "0.90 0.65 0.10",
    "waiting": "0.85 0.85 0.60",
    "reduce": "0.20 0.60 0.35",
    "launching": "0.75 0.75 0.85",
    "task": "0.20 0.45 0.75",
    "executor_idle": "0.80 0.88 0.95",
}
COLORS_OF_TEZ = {"held_idle": "0.80 0.88 0.95"}
NOTES = (
    msg("output.paje_trace.outcomes_and_requests_not_told"),
    msg("output.paje_trace.no_instant_phases"),
    msg("output.paje_trace.still_running_ends_with_trace"),
)
VARIABLES = {"memory_mb": "0.30 0.30 0.70", "vcores": "0.70 0.30 0.30"}


def paje_text(runs: Sequence[Run]) -> Iterator[str]:
    """One trace of all runs, in chunks. runs: of one scenario."""
    yield "".join(f"# {note}\n" for note in NOTES)
    for number, (name, *fields) in enumerate(EVENTS):
        yield "".join(
            [f"%EventDef {name} {number}\n", *(f"% {field}\n" for field in fields), "%EndEventDef\n"]
        )
    yield f"{CONTAINER_TYPE} run 0 run\n{CONTAINER_TYPE} node run node\n{CONTAINER_TYPE} lane node lane\n"
    yield f"{STATE_TYPE} phase lane phase\n"
    colors = COLORS | (COLORS_OF_TEZ if any(is_held(run).any() for run in runs) else {})
    yield "".join(f'{VALUE} {phase} phase {phase} "{color}"\n' for phase, color in colors.items())
    yield "".join(f'{VARIABLE_TYPE} {key} run {key} "{color}"\n' for key, color in VARIABLES.items())
    for number, run in enumerate(runs):
        yield from _created(run, number)
    yield from _in_order([event for number, run in enumerate(runs) for event in _events(run, number)])
    last = max(run.at_ms for run in runs) / 1000
    yield "".join(f"{DESTROY} {last} run r{number}\n" for number in range(len(runs)))


def _created(run: Run, number: int) -> Iterator[str]:
    yield f"{CREATE} 0 r{number} run 0 {_quoted(run.scheduler)}\n"
    for node, lanes in enumerate(pack_lanes(run).used.tolist()):
        name = f"r{number}n{node}"
        yield f"{CREATE} 0 {name} node r{number} {_quoted(run.workload.node_names[node])}\n"
        for lane in range(lanes):
            yield f'{CREATE} 0 {name}l{lane} lane {name} "lane {lane + 1}"\n'


Events = tuple[
    np.ndarray, int, list[str]
]  # times in ms, place among those of one instant, what follows the time


def _events(run: Run, number: int) -> Iterator[Events]:
    """Phases that end, then the variables, then phases that begin."""
    c, found, lane = run.containers, phases(run), pack_lanes(run).lane
    shown = np.flatnonzero(found.end > found.start)
    container = found.container[shown]
    lanes = [
        f"r{number}n{node}l{row}"
        for node, row in zip(c.node[container].tolist(), lane[container].tolist(), strict=True)
    ]
    jobs = [_quoted(name) for name in run.workload.job_names]
    values = [PHASES[phase] for phase in found.phase[shown].tolist()]
    pushed = [
        f"phase {place} {value} {jobs[job]}"
        for place, value, job in zip(lanes, values, c.job[container].tolist(), strict=True)
    ]
    yield found.end[shown], POP, [f"phase {place}" for place in lanes]
    yield found.start[shown], PUSH, pushed
    request = requests_of(run.workload, c)
    ended = c.end != NONE
    moments, index = np.unique(np.concatenate([c.start, c.end[ended]]), return_inverse=True)
    for key, size in zip(VARIABLES, (run.workload.request_memory, run.workload.request_vcores), strict=True):
        change = np.zeros(len(moments), np.int64)
        np.add.at(change, index, np.concatenate([size[request], -size[request][ended]]))
        yield moments, SET, [f"{key} r{number} {level}" for level in np.cumsum(change).tolist()]


def _in_order(events: list[Events]) -> Iterator[str]:
    """All by time; at one instant what ends stands before what begins."""
    order = {POP: 0, SET: 1, PUSH: 2}
    times = np.concatenate([moments for moments, _, _ in events])
    kinds = np.concatenate([np.full(len(moments), kind) for moments, kind, _ in events])
    texts = [text for _, _, texts in events for text in texts]
    places = np.lexsort((np.array([order.get(kind, 0) for kind in range(len(EVENTS))])[kinds], times))
    for begin in range(0, len(places), ROWS_PER_CHUNK):
        part = places[begin : begin + ROWS_PER_CHUNK]
        yield "".join(
            f"{kind} {ms / 1000} {texts[place]}\n"
            for kind, ms, place in zip(kinds[part].tolist(), times[part].tolist(), part.tolist(), strict=True)
        )


def _quoted(text: str) -> str:
    """A text as a field of Pajé, which knows no escapes: quotes become apostrophes, line breaks blanks."""
    return '"' + " ".join(text.replace('"', "'").split()) + '"'
