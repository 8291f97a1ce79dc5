"""The command behind `make bench-hadoop` on a small workload, and what it says where something is missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine import read
from tests.conftest import ROOT
from tests.hadoop.gantry_decisions import placements
from tests.hadoop.referee import MISSING, PROJECT, NotFetched, build, can_run
from tests.hadoop.scripts import scenario
from tests.hadoop.side_by_side import __main__, comparison_text, measure
from tests.hadoop.side_by_side.workload import FULL, SCHEDULERS, SMALL, lines, racks, script, trace
from tests.waiting import until

COMMAND = [sys.executable, "-m", "tests.hadoop.side_by_side"]
with_java = pytest.mark.skipif(not can_run(), reason=MISSING)


@with_java
def test_the_engine_and_hadoop_decide_the_same() -> None:
    try:
        build(PROJECT)
    except NotFetched as error:
        pytest.skip(str(error))
    for name in SCHEDULERS:
        played = script(name, SMALL)
        theirs = measure.real(played, 2)
        assert len(theirs.placements) == SMALL.containers
        assert placements(played) == ("finished", theirs.placements), name
        assert 0 < theirs.calls_s < theirs.driver_s and 0 < theirs.first_s <= theirs.first_process_s


@pytest.mark.parametrize("name", SCHEDULERS)
def test_the_simulators_trace_has_the_same_jobs(name: str, tmp_path: Path) -> None:
    """The engine's own reader of Rumen traces finds in it what the engine plays."""
    played = script(name, SMALL)
    (tmp_path / "trace.json").write_text(lines(trace(played)), "utf-8")
    with (tmp_path / "trace.json").open("rb") as source:
        result = read("rumen", source, None).scenario.jobs
    times = lambda jobs: [
        (job.user, job.maps.duration_s.values, job.reduces.duration_s.values) for job in jobs
    ]
    assert times(result) == times(scenario(played).jobs)


def test_the_simulators_nodes_are_the_same() -> None:
    nodes = racks(script("fair", FULL))["nodes"]
    assert len({one["node"] for one in nodes}) == FULL.nodes
    assert [[one["memory-mb"], one["vcores"]] for one in nodes] == script("fair", FULL)["nodes"]


@with_java
def test_the_simulator_is_built_offline_once_fetched_and_plays() -> None:
    try:
        build(measure.SIMULATOR, "--offline")
    except NotFetched as error:
        pytest.skip(f"{error.library} was never fetched; make bench-hadoop does it.")
    result = measure.simulator(script("drf", SMALL), 10)
    assert 0 < result.decisions <= SMALL.containers and result.clock_s >= 10 and result.cpu_s > 0


@with_java
def test_libraries_that_cannot_be_fetched_are_named(tmp_path: Path) -> None:
    with pytest.raises(measure.Unavailable, match=r"^Maven can't fetch org\.apache\.\S+:\S+ now$"):
        measure.build_simulator("--offline", f"-Dmaven.repo.local={tmp_path}")


def test_the_simulator_has_no_fifo() -> None:
    with pytest.raises(measure.Unavailable, match=measure.NO_FIFO):
        measure.simulator(script("fifo", SMALL), 1)


def test_without_java_it_says_so() -> None:
    done = subprocess.run(COMMAND, cwd=ROOT, env={"PATH": ""}, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", __main__.MISSING + "\n")


def is_there(group: int) -> bool:
    """Any process of it."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@with_java
def test_an_interrupt_ends_what_it_started() -> None:
    asked = subprocess.Popen(
        [*COMMAND, "--small"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert "building" in asked.stderr.readline()
    until(Path(f"/proc/{asked.pid}/task/{asked.pid}/children").read_text)  # Maven has begun
    asked.send_signal(signal.SIGINT)
    said = asked.communicate(timeout=60)[1]
    assert (asked.returncode, said.splitlines()[-1]) == (__main__.STOPPED, "Stopped.")
    until(lambda: not is_there(asked.pid))


def test_the_table_says_which_decision_differs_and_why_there_is_no_simulator() -> None:
    own = measure.Engine(2.0, 0.5, False, 30.0, [[0, 0, 0, 0], [1, 0, 0, 2]])
    theirs = measure.Real(4.0, 5.0, 6.0, 7.0, 8.0, [[0, 0, 0, 0], [2, 0, 0, 2]])
    result = comparison_text.table("fair", own, theirs, "Maven can't fetch x:y now", 1).splitlines()
    assert "DIFFERENT from Hadoop's from decision 2 on" in result[0]
    assert result[-1] == "  Load Simulator: not run, Maven can't fetch x:y now."
    assert [line.split()[-1] for line in result if line.startswith("  Hadoop, scheduler's")] == ["8.00x"]
    assert "Hadoop's are the same" in comparison_text.table(
        "fair", own, theirs._replace(placements=own.placements), measure.Simulator(1, 1, 10, 5, 4, 1), 1
    )
