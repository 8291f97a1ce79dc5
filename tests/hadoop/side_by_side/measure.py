"""Each of the three plays a script in a process of its own, which ends with this one."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tests.hadoop.referee import BUILT, HERE, NotFetched, build, run
from tests.hadoop.scripts import script_line
from tests.hadoop.side_by_side.workload import lines, racks, trace

SIMULATOR = HERE / "side_by_side" / "sls"
SIMULATOR_BUILT = BUILT.parent / "load-simulator"
RUNS = 5
START_UP_S = 240  # what the simulator may take beside its seconds
NO_FIFO = "it knows no FifoScheduler"  # RMRunner.startRM


class Engine(NamedTuple):
    """CPU seconds of the first run and of the quickest after it; compiled: the first had to compile the
    kernel, else it read it from its cache.
    """

    first_s: float
    warm_s: float
    compiled: bool
    simulated_s: float
    placements: list[list[int]]


class Real(NamedTuple):
    """CPU seconds of the quickest run after the first: in the scheduler's calls, with the driver, of all the
    JVM's threads; and of the first.
    """

    calls_s: float
    driver_s: float
    process_s: float
    first_s: float
    first_process_s: float
    placements: list[list[int]]


class Simulator(NamedTuple):
    """clock_s: simulated seconds are those of the clock; start-up: until all nodes are registered; decisions
    and jobs finished until its end.
    """

    start_up_s: float
    start_up_cpu_s: float
    clock_s: float
    cpu_s: float
    decisions: int
    jobs: int


class Unavailable(RuntimeError):
    """The Scheduler Load Simulator can't play a script; the message says why."""


def engine(script: dict[str, Any], runs: int = RUNS) -> Engine:
    """The engine, compiled."""
    with tempfile.TemporaryDirectory() as folder:
        script_file, result_file = _write_script(folder, script), Path(folder, "measured.json")
        run(
            [
                sys.executable,
                "-m",
                "tests.hadoop.side_by_side.engine_alone",
                str(script_file),
                str(runs),
                str(result_file),
            ]
        )
        measured = json.loads(result_file.read_text("utf-8"))
    seconds = measured.pop("seconds")
    return Engine(seconds[0], min(seconds[1:]), **measured)


def real(script: dict[str, Any], runs: int = RUNS) -> Real:
    """Hadoop's scheduler in the referee, which must be built."""
    with tempfile.TemporaryDirectory() as folder:
        script_file, result_file = _write_script(folder, script), Path(folder, "measured.jsonl")
        run(
            [
                "java",
                "-cp",
                f"{BUILT / 'referee.jar'}:{BUILT / 'lib' / '*'}",
                "gantry.referee.Timed",
                str(script_file),
                str(runs),
                str(result_file),
            ]
        )
        first, *others = (json.loads(text) for text in result_file.read_text("utf-8").splitlines())
    quickest = min(others, key=lambda one: one["thread_s"])
    return Real(
        quickest["scheduler_s"],
        quickest["thread_s"],
        quickest["process_s"],
        first["thread_s"],
        first["process_s"],
        others[-1]["placements"],
    )


def simulator(script: dict[str, Any], seconds: int) -> Simulator:
    """YARN's Scheduler Load Simulator, which must be built, for so many seconds of the clock at most;
    Unavailable where it can't.
    """
    if script["scheduler"] == "fifo":
        raise Unavailable(NO_FIFO)
    with tempfile.TemporaryDirectory() as folder:
        script_file, jobs, nodes = (
            _write_script(folder, script),
            Path(folder, "trace.json"),
            Path(folder, "nodes.json"),
        )
        jobs.write_text(lines(trace(script)), "utf-8")
        nodes.write_text(json.dumps(racks(script)), "utf-8")
        libraries = f"{SIMULATOR_BUILT / 'load-simulator.jar'}:{SIMULATOR_BUILT / 'lib' / '*'}"
        # for Guice, under the ResourceManager's pages
        opened = [
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
        ]
        files = [str(path) for path in (script_file, jobs, nodes, folder)]
        try:
            run(
                ["java", *opened, "-cp", libraries, "gantry.referee.LoadSimulation", *files, str(seconds)],
                seconds + START_UP_S,
            )
        except subprocess.TimeoutExpired:
            raise Unavailable(f"it had not ended {START_UP_S} s after its time") from None
        except RuntimeError as error:
            raise Unavailable(f"it failed: {_error_of(str(error))}") from error
        return Simulator(**json.loads(Path(folder, "measured.json").read_text("utf-8")))


def build_simulator(*more: str) -> None:
    """Unavailable where its libraries can't be fetched, or it can't be compiled. more: words for Maven."""
    try:
        build(SIMULATOR, *more)
    except NotFetched as error:
        raise Unavailable(f"Maven can't fetch {error.library} now") from error
    except RuntimeError as error:
        raise Unavailable(f"it can't be built: {_error_of(str(error))}") from error


def _write_script(folder: str, script: dict[str, Any]) -> Path:
    file = Path(folder, "script.json")
    file.write_text(script_line(script), "utf-8")
    return file


def _error_of(words: str) -> str:
    """The line that names the error, else the last."""
    text_lines = [text.strip() for text in words.splitlines() if text.strip()]
    return next(
        (text for text in text_lines if "Exception" in text or "ERROR" in text or "Error:" in text),
        text_lines[-1],
    )[:200]
