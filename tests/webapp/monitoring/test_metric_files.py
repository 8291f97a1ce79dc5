"""What several processes count is one sum, also of those that were killed, and no folder of a server that has
gone is left.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector

from tests.conftest import ROOT
from tests.waiting import MAX_WAIT_S
from webapp.monitoring import metric_files
from webapp.monitoring.metric_files import EXITED, FILE_BYTES, LOCK_SUFFIX, TYPES, Process

COUNTS = """
import sys
from webapp.monitoring import metric_files
metric_files.join("work")
from webapp.monitoring import counters
for _ in range(int(sys.argv[1])):
    counters.runs.labels("fifo", "finished").inc()
    counters.task_seconds.labels("run").observe(2.0)
print("counted", metric_files.folder(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def server(data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a server that this process is."""
    monkeypatch.setenv(metric_files.FOLDER_VARIABLE, "")
    held, metric_files._locks = metric_files._locks, []
    metric_files.start()
    yield metric_files.folder()
    for handle in metric_files._locks:
        os.close(handle)
    metric_files._locks = held


def counting(times: int) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, "-c", COUNTS, str(times)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    process.said = process.stdout.readline()
    return process


def sums(place: Path) -> tuple[float | None, ...]:
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(place))
    runs = registry.get_sample_value("gantry_runs_total", {"order": "fifo", "outcome": "finished"})
    return runs, registry.get_sample_value(
        "gantry_work_duration_seconds_bucket", {"kind": "run", "le": "3.0"}
    )


def test_counts_outlive_the_processes_and_their_files_do_not(server: Path) -> None:
    first, second = counting(2), counting(3)
    assert metric_files.live_processes() == sorted(Process("work", one.pid) for one in (first, second))
    assert sums(server) == (5, 5)
    for one in (first, second):
        assert {path.stat().st_blocks * 512 >= FILE_BYTES for path in server.glob(f"*_{one.pid}.db")} == {
            True
        }, "a full disk would end a process that counts"
        os.kill(one.pid, signal.SIGKILL)
        one.wait()
        metric_files.merge_exited_processes()
        assert sums(server) == (5, 5)
    assert metric_files.live_processes() == [] and not list(server.glob(f"*{LOCK_SUFFIX}"))
    assert {path.name for path in server.glob("*.db")} == {f"{kind}_{EXITED}.db" for kind in TYPES}
    third = counting(4)
    assert sums(server) == (9, 9)
    third.communicate()


def test_a_folder_goes_with_its_server_and_no_other(server: Path, data: Path) -> None:
    other = (
        "from webapp.monitoring import metric_files\nmetric_files.start()\nprint(metric_files.folder(), "
        "flush=True)\ninput()"
    )
    beside = subprocess.Popen(
        [sys.executable, "-c", other], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    theirs = Path(beside.stdout.readline().strip())
    assert server.is_dir() and theirs.is_dir() and theirs.stat().st_mode & 0o777 == 0o700
    beside.communicate("\n")
    subprocess.run(
        [sys.executable, "-c", other], cwd=ROOT, input="\n", check=True, text=True, stdout=subprocess.DEVNULL
    )
    assert server.is_dir() and not theirs.exists()


def test_without_room_a_process_counts_for_itself(server: Path) -> None:
    """A file that may not grow is what a full disk is to it."""
    limited = (
        "import resource\nimport prometheus_client\nresource.setrlimit(resource.RLIMIT_FSIZE, (4096, "
        f"4096))\n{COUNTS}"
    )
    ended = subprocess.run(
        [sys.executable, "-c", limited, "1"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=MAX_WAIT_S,
    )
    assert ended.stdout == "counted None\n" and ended.returncode == 0


def test_a_deleted_folder_stops_nobody(server: Path, data: Path) -> None:
    import shutil

    shutil.rmtree(data)
    one = counting(1)
    assert one.said == f"counted {server}\n" and sums(server) == (1, 1)
    one.communicate()
    metric_files.merge_exited_processes()
    assert sums(server) == (1, 1)
