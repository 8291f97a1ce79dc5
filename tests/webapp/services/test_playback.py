"""What the page plays: read back as the script reads it, it says what runs at any instant."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import NONE, PHASES, phases, simulate
from engine.schedulers.view import MAP, MASTER, REDUCE
from engine.simulation.run import KILLED, RUNNING, Run
from tests.engine.simulation.test_agreement import scheduler_text
from tests.strategies import BUSY, scenarios, schedulers
from tests.webapp.made import run
from webapp.services import playback
from webapp.services.playback import pack


def read(data: bytes) -> dict:
    """The head, with the arrays in place of where they are."""
    length = int.from_bytes(data[:4], "little")
    head = json.loads(data[4 : 4 + length])
    body = -(-(4 + length) // 8) * 8
    arrays = {name: np.frombuffer(data, "<" + at["kind"], at["length"], body + at["offset"]) for name, at in head.pop("arrays").items()}
    return head | arrays


def phase_at(found: dict, container: int, ms: int) -> str:
    """As gantry.playRun has it."""
    at = ms - found["base"]
    if found["kind"][container] != REDUCE:
        return "master" if found["kind"][container] == MASTER else "map"
    if at >= found["leave"][container]:
        return "reduce"
    return "waiting" if found["wait"][container] <= at < found["again"][container] else "shuffle"


def running(found: dict, ms: int) -> dict[int, str]:
    """The containers that run at an instant and their phases."""
    at = ms - found["base"]
    there = np.flatnonzero((found["start"] <= at) & (at < found["end"])).tolist()
    return {int(found["placed"][container]): phase_at(found, container, ms) for container in there}


def test_a_reduce_in_its_four_phases() -> None:
    # As in the tests of phases: fetching 2000 to 2100, waiting to 4000, fetching to 4100, computing to 5000.
    maps = [{"kind": MAP, "start": 0, "end": end} for end in (1_900, 2_500, 4_000)]
    found = read(pack(run([*maps, {"kind": REDUCE, "start": 2_000, "shuffle_end": 4_100, "end": 5_000}])))
    times = {2_000: "shuffle", 2_099: "shuffle", 2_100: "waiting", 3_999: "waiting", 4_000: "shuffle", 4_100: "reduce", 4_999: "reduce"}
    assert {ms: running(found, ms)[3] for ms in times} == times
    assert 3 not in running(found, 5_000)
    assert (found["nodes"], found["jobs"], found["sizes"], found["memory"], found["vcores"]) == (["n"], ["j0"], [[512, 1024, 1024, 1, 1, 1]], [4096], [4])


def test_what_never_ends_runs_at_the_last_instant() -> None:
    stuck = {"kind": REDUCE, "start": 5, "end": NONE, "outcome": RUNNING}
    assert running(read(pack(run([stuck, {"kind": MAP, "start": 10, "end": 70}], status="deadlock"))), 70) == {0: "waiting"}


def test_a_reduce_killed_while_it_waits_only_waits() -> None:
    assert running(read(pack(run([{"kind": REDUCE, "start": 5, "end": 30, "outcome": KILLED}]))), 29) == {0: "waiting"}


def test_a_window_has_what_shares_an_instant_with_it_or_waits_in_it() -> None:
    spans_of = ((0, 10), (10, 20), (15, 30), (40, 50))
    made = run([{"kind": MAP, "start": start, "end": end, "requested": start - 2 if start else 0} for start, end in spans_of])
    assert [read(pack(made, window))["placed"].tolist() for window in ((10, 15), (21, 38), (21, 39))] == [[0, 1, 2], [2], [2, 3]]


def test_too_many_containers_are_left_to_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playback, "MOST", 2)
    made = run([{"kind": MAP, "start": 10 * place, "end": 10 * place + 5, "requested": 10 * place} for place in range(3)])
    assert pack(made) is None
    assert len(read(pack(made, (0, 19)))["placed"]) == 2


def test_a_long_run_keeps_its_milliseconds() -> None:
    late = 2**40 + 1
    found = read(pack(run([{"kind": MAP, "start": 0, "end": late}])))
    assert found["end"].tolist() == [late]


@given(scenarios(BUSY), schedulers(), st.integers(0, 20_000))
def test_at_any_instant_the_same_runs_in_the_same_phase_as_the_phases_say(scenario, scheduler, after) -> None:
    made = simulate(scenario, scheduler_text(scheduler))
    ms = made.first_ms + after
    assert running(read(pack(made)), ms) == slow(made, ms)
    assert running(read(pack(made, (ms, ms + 1))), ms) == slow(made, ms)


def slow(of: Run, ms: int) -> dict[int, str]:
    """Walks through all phases; one that never ends is still there at the last instant."""
    found = {}
    endless = set(np.flatnonzero(of.containers.end == NONE).tolist())
    for container, phase, start, end in zip(*(field.tolist() for field in phases(of))):
        if start <= ms < end + (container in endless and end == of.at_ms):
            found[container] = PHASES[phase]
    return found
