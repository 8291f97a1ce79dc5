"""The Pajé trace: events in the order of time, states that nest, and what PajeNG's own reader makes of it."""

from __future__ import annotations

import csv
import shlex
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given

from engine.codes import NONE
from engine.output.paje_trace import POP, PUSH, SET, paje_text
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.engine.output.odd import odd_run
from tests.strategies import BUSY, scenarios, scheduler_text, schedulers


def events(run: Run, *kinds: int) -> list[list[str]]:
    lines = "".join(paje_text([run])).splitlines()
    rows = [shlex.split(line) for line in lines if line[0] not in "#%"]
    return [row for row in rows if int(row[0]) in kinds]


@given(scenarios(BUSY), schedulers())
def test_times_never_fall_and_states_hold_the_containers_times(scenario, scheduler) -> None:
    run = simulate(scenario, scheduler_text(scheduler))
    found, until, held, depth = events(run, POP, SET, PUSH), 0.0, 0.0, defaultdict(int)
    for kind, time, _, place, *_ in found:
        assert float(time) >= until
        until = float(time)
        if kind != str(SET):
            held += until * (1 if kind == str(POP) else -1)
            depth[place] += 1 if kind == str(PUSH) else -1
            assert depth[place] in (0, 1)
    c = run.containers
    ends = [run.at_ms if end == NONE else end for end in c.end.tolist()]
    assert held == pytest.approx(sum(ends) / 1000 - c.start.sum() / 1000)


@pytest.mark.skipif(not shutil.which("pj_dump"), reason="pj_dump of pajeng is not installed")
def test_pajeng_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "run.trace"
    file.write_text("".join(paje_text([odd_run(), odd_run()])), "utf-8")
    dumped = subprocess.run(["pj_dump", file], capture_output=True, text=True, check=True)
    rows = list(csv.reader(dumped.stdout.splitlines(), skipinitialspace=True))
    states = [row for row in rows if row[0] == "State" and row[1].startswith("lane")]
    assert len([row for row in rows if row[:3] == ["Container", "0", "run"]]) == 2
    assert [(row[3], row[4], row[7]) for row in states if row[7] == "map"] == [
        ("0.000000", "0.001000", "map"),
        ("0.005000", "1.234000", "map"),
    ] * 2, dumped.stdout
