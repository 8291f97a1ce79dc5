"""The trace: JSON that holds every container's time once, and nests."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from hypothesis import given

from engine.codes import NONE
from engine.output.trace_events import trace_text
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.engine.output.odd import ODD, odd_run
from tests.phrases import phrase
from tests.strategies import BUSY, scenarios, scheduler_text, schedulers
from tests.webapp.handmade_runs import run


def events(runs: Sequence[Run]) -> list[dict]:
    return json.loads("".join(trace_text(runs)))["traceEvents"]


def of(found: list[dict], kind: str) -> list[dict]:
    return [event for event in found if event["ph"] == kind]


def names(found: list[dict], what: str) -> dict:
    return {
        (event["pid"], event.get("tid")): event["args"]["name"]
        for event in of(found, "M")
        if event["name"] == what
    }


def test_a_process_a_node_a_thread_a_lane_and_a_slice_a_phase() -> None:
    containers = [
        {"kind": MAP, "start": 1, "end": 4},
        {"kind": MAP, "start": 2, "end": 9, "index": 1, "node": 1, "requested": 1},
    ]
    result = events([run(containers, nodes=2)])
    assert names(result, "process_name") == {
        (1, None): "fifo / in use",
        (2, None): "fifo / n-1",
        (3, None): "fifo / n-2",
    }
    assert names(result, "thread_name") == {(2, 1): "lane 1", (3, 1): "lane 1"}
    args = {
        "job": "j0",
        "task": "map 1",
        "attempt": 1,
        "outcome": "finished",
        "memory_mb": 1024,
        "vcores": 1,
        "requested_s": 0.001,
    }
    assert of(result, "X")[1] == {
        "ph": "X",
        "pid": 3,
        "tid": 1,
        "ts": 2_000,
        "dur": 7_000,
        "name": "map",
        "cat": "map",
        "args": args,
    }


def test_counters_tell_what_is_in_use_after_each_instant() -> None:
    # One container at 1, two from 2 on, one at 4 and none at 9.
    result = events([run([{"kind": MAP, "start": 1, "end": 4}, {"kind": MAP, "start": 2, "end": 9}])])
    memory = [
        (event["ts"], event["args"]["MB"]) for event in of(result, "C") if event["name"] == "memory in use"
    ]
    assert memory == [(0, 0), (1_000, 1024), (2_000, 2048), (4_000, 1024), (9_000, 0)]
    assert [event["args"]["vcores"] for event in of(result, "C") if event["name"] == "vcores in use"] == [
        0,
        1,
        2,
        1,
        0,
    ]


def test_what_was_killed_is_named_so() -> None:
    result = of(events([run([{"kind": REDUCE, "start": 5, "end": 30, "outcome": 1}])]), "X")
    assert [(event["name"], event["cat"], event["args"]["outcome"]) for event in result] == [
        (phrase("output.killed_waiting_for_maps"), "waiting", "killed")
    ]


def test_names_that_json_must_quote() -> None:
    assert {event["args"]["job"] for event in of(events([odd_run()]), "X")} == {ODD}


def test_every_run_has_processes_of_its_own() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 1}], nodes=2)
    result = events([made, made])
    assert [event["pid"] for event in of(result, "X")] == [2, 5]
    assert list(names(result, "process_name")) == [(pid, None) for pid in range(1, 7)]


@given(scenarios(BUSY), schedulers())
def test_slices_of_a_thread_never_overlap_and_sum_to_the_containers_times(scenario, scheduler) -> None:
    made = simulate(scenario, scheduler_text(scheduler))
    c = made.containers
    until, held = defaultdict(int), 0
    for event in sorted(of(events([made]), "X"), key=lambda event: (event["ts"], event["dur"])):
        thread = event["pid"], event["tid"]
        assert event["ts"] >= until[thread]
        until[thread] = event["ts"] + event["dur"]
        held += event["dur"]
    ends = [made.at_ms if end == NONE else end for end in c.end.tolist()]
    assert held == 1000 * sum(end - start for start, end in zip(c.start.tolist(), ends))
