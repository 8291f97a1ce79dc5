from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest
from hypothesis import given

from engine.errors import RunCancelled
from engine.simulation.cancellation import CancelToken
from engine.studies.process_runner import ProcessRunner, StudyFailed
from engine.studies.result import StudyResult
from engine.studies.run_study import run_study
from engine.studies.study import Study, Vary
from tests.conftest import ROOT
from tests.engine.studies.small_studies import MEMORY, same, studies, study
from tests.examples import examples
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S

PARENT = """
import sys
from engine import run_study
from engine.dashboard import ProcessRunner
from tests.engine.studies.small_studies import study

if __name__ == "__main__":
    run_study(study(seeds=10_000), ProcessRunner(2), lambda found, done: print(done, flush=True))
"""


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessRunner]:
    result = ProcessRunner(2)
    yield result
    result.close()


@examples(2, 10)
@given(of=studies())
def test_the_same_bytes_as_serial(processes: ProcessRunner, of: Study) -> None:
    assert same(run_study(of, processes), run_study(of))


def test_what_is_refused_is_told_as_serial_tells_it(processes: ProcessRunner) -> None:
    of = study(seeds=200, vary=(Vary(MEMORY, (1024, 2**20)),))
    result = run_study(of, processes)
    assert same(result, run_study(of)) and "jobs[0].maps" in result.because[1, 0]


def children() -> list[int]:
    """The processes that were begun by this one and run studies."""
    return [
        one.pid for one in psutil.Process().children() if any("spawn_main" in word for word in one.cmdline())
    ]


def test_a_process_that_is_killed_loses_nothing(processes: ProcessRunner) -> None:
    of = study(seeds=600)
    killed = []

    def kill(found: StudyResult, done: int) -> None:
        if not killed:
            killed.append(children()[0])
            os.kill(killed[0], signal.SIGKILL)

    found = run_study(of, processes, kill)
    assert killed and killed[0] not in children()
    assert found.done == 1200 and same(found, run_study(of))


def test_a_study_that_ends_processes_again_and_again_is_given_up() -> None:
    own = ProcessRunner(1)
    with pytest.raises(StudyFailed, match=phrase("studies.process_ended_times_as_for", 3)):
        run_study(
            study(seeds=2000),
            own,
            lambda found, done: os.kill(next(iter(own._pool._processes)), signal.SIGKILL),
        )
    own.close()


def test_it_ends_soon_after_it_is_asked_to_and_the_next_one_is_whole(processes: ProcessRunner) -> None:
    cancel_token, observed = CancelToken(), []
    with pytest.raises(RunCancelled):
        run_study(
            study(seeds=10_000),
            processes,
            lambda found, done: (observed.append(done), cancel_token.cancel()),
            cancel_token,
        )
    assert len(observed) == 1 and observed[0] < 10_000
    of = study(seeds=20)
    assert same(run_study(of, processes), run_study(of))


def test_processes_end_with_their_parent(tmp_path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen(
        [sys.executable, script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    ) as parent:
        parent.stdout.readline()
        below = psutil.Process(parent.pid).children(recursive=True)
        parent.kill()
    gone, alive = psutil.wait_procs(below, timeout=MAX_WAIT_S)
    assert len(gone) >= 2 and not alive


def test_an_interrupt_of_the_terminal_is_the_parents_affair(processes: ProcessRunner) -> None:
    of = study(seeds=300)
    found = run_study(of, processes, lambda found, done: [os.kill(pid, signal.SIGINT) for pid in children()])
    assert same(found, run_study(of))
