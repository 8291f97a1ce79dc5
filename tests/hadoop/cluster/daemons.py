"""The cluster's processes: a ResourceManager, a JobHistoryServer and four NodeManagers, one JVM each, started
and ended together.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.hadoop.cluster.configuration import HOSTS, JVM, Addresses, write
from tests.hadoop.referee import BUILT, build

PROJECT = Path(__file__).parent / "client"
LIBRARIES = BUILT.parent / "cluster"
SERVER = "org.apache.hadoop.yarn.server."
MANAGER = SERVER + "resourcemanager.ResourceManager"
HISTORY = "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer"
NODE = SERVER + "nodemanager.NodeManager"
OPENED = [
    f"--add-opens=java.base/{name}=ALL-UNNAMED"
    for name in ("java.lang", "java.lang.reflect", "java.util", "java.net", "java.io", "java.text")
]
EVENT_LOGS = Path("history", "spark")  # in a cluster's folder
UP_S = 90
END_S = 5  # NodeManagers would wait 10 s for logs that they could still delete


class StartupError(RuntimeError):
    """The cluster, or a batch's client, ended or kept silent; the message has its last words."""


class Cluster(NamedTuple):
    """A running one. work: its folder, which goes with it."""

    work: Path
    addresses: Addresses

    def rest_get(self, path: str) -> bytes:
        """A REST answer in JSON; path: "cluster/…" of the ResourceManager, "history/…" of the
        JobHistoryServer.
        """
        address = self.addresses.manager if path.startswith("cluster") else self.addresses.history
        request = urllib.request.Request(
            f"http://{address}/ws/v1/{path}", headers={"Accept": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read()

    def rest_put(self, path: str, body: bytes, content_type: str) -> None:
        """Changes something; urllib.error.HTTPError with the ResourceManager's words where it refuses."""
        request = urllib.request.Request(
            f"http://{self.addresses.manager}/ws/v1/{path}?user.name=admin",
            body,
            {"Content-Type": content_type},
            method="PUT",
        )
        urllib.request.urlopen(request, timeout=20).close()

    def value(self, path: str) -> Any:
        return json.loads(self.rest_get(path))

    def history_files(self) -> list[Path]:
        """What the JobHistoryServer keeps: each job's .jhist and _conf.xml, those that it has not moved yet
        too.
        """
        return sorted(
            path
            for path in (self.work / "history").rglob("job_*")
            if path.is_file() and path.suffix in (".jhist", ".xml")
        )


@contextmanager
def cluster(scheduler: str) -> Iterator[Cluster]:
    """A cluster under one scheduler. All its processes and its folder are gone afterwards, however the block
    ends.
    """
    with ExitStack() as ends:
        running, processes = _place(scheduler, ends)
        (running.work / EVENT_LOGS).mkdir(parents=True)
        processes.append(start(running.work, "resourcemanager", MANAGER, 400))
        processes.append(start(running.work, "historyserver", HISTORY, 300))
        for host in HOSTS:
            for name in ("local", "logs"):
                (running.work / "nodes" / host / name).mkdir(parents=True)
            processes.append(start(running.work, host, NODE, 250, f"-Dnode.host={host}"))
        _wait(running, processes, _is_up)
        yield running


@contextmanager
def resource_manager() -> Iterator[Cluster]:
    """A ResourceManager with CapacityScheduler alone, which has no nodes; ended as a cluster is."""
    with ExitStack() as ends:
        running, processes = _place("capacity", ends)
        processes.append(start(running.work, "resourcemanager", MANAGER, 400))
        _wait(running, processes, lambda running: running.value("cluster/scheduler-conf"))
        yield running


def _place(scheduler: str, ends: ExitStack) -> tuple[Cluster, list[subprocess.Popen]]:
    """A cluster's folder, and the list that its processes are to be put into."""
    build(PROJECT)
    work = Path(tempfile.mkdtemp(prefix="gantry-cluster-"))
    ends.callback(shutil.rmtree, work, ignore_errors=True)
    addresses = write(work, scheduler)
    (work / "lib").mkdir()
    for jar in (*(LIBRARIES / "lib").glob("*.jar"), LIBRARIES / "cluster.jar"):
        (work / "lib" / jar.name).symlink_to(jar.resolve())
    ends.callback(_kill_containers, work)
    processes: list[subprocess.Popen] = []
    ends.callback(_end, processes)
    return Cluster(work, addresses), processes


def start(
    work: Path,
    name: str,
    main: str,
    heap_mb: int,
    *more: str,
    arguments: tuple[str, ...] = (),
    classpath: Iterable[Path] = (),
    environment: Mapping[str, Path] | None = None,
    **given: Any,
) -> subprocess.Popen:
    """A program of the cluster; it ends when its standard input is closed: when this process ends.

    more: words for Java; classpath: what it has beside the configuration, by default Hadoop's libraries;
    environment: variables of its own.
    """
    java = [
        "java",
        f"-Xmx{heap_mb}m",
        *JVM.split(),
        *OPENED,
        f"-Djdk.net.hosts.file={work / 'hosts'}",
        f"-Dlog.file={work / name}.log",
        *more,
    ]
    call = [
        *java,
        f"-Dhadoop.log.dir={work}",
        "-cp",
        ":".join(map(str, (work / "conf", *(classpath or [work / "lib" / "*"])))),
        "gantry.cluster.Watched",
        main,
        *arguments,
    ]
    home = os.environ.get("JAVA_HOME") or str(Path(shutil.which("java")).resolve().parents[1])
    with (work / f"{name}.out").open("w") as words:
        streams = {"stdin": subprocess.PIPE, "stdout": words, "stderr": words, **given}
        return subprocess.Popen(
            call,
            cwd=work,
            env={**os.environ, "JAVA_HOME": home, **(environment or {})},
            start_new_session=True,
            **streams,
        )


def log_tail(work: Path, name: str) -> str:
    """The end of what a program of the cluster printed and logged."""
    return "".join(
        path.read_text("utf-8", "replace")[-2000:]
        for path in (work / f"{name}.out", work / f"{name}.log")
        if path.exists()
    )


def _is_up(running: Cluster) -> bool:
    active = running.value("cluster/metrics")["clusterMetrics"]["activeNodes"]
    return active == len(HOSTS) and bool(running.value("history/info"))


def _wait(running: Cluster, processes: list[subprocess.Popen], is_up: Callable[[Cluster], Any]) -> None:
    names = ["resourcemanager", "historyserver", *HOSTS]
    until = time.monotonic() + UP_S
    while time.monotonic() < until:
        for name, process in zip(names, processes):
            if process.poll() is not None:
                raise StartupError(
                    f"{name} ended with {process.returncode} as it started:\n{log_tail(running.work, name)}"
                )
        try:
            if is_up(running):
                return
        except OSError:  # it does not answer yet
            pass
        time.sleep(0.3)
    raise StartupError(f"the cluster was not up after {UP_S} s:\n{log_tail(running.work, 'resourcemanager')}")


def _end(processes: list[subprocess.Popen]) -> None:
    for process in reversed(processes):
        process.stdin.close()
    until = time.monotonic() + END_S
    for process in processes:
        try:
            process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _kill_containers(work: Path) -> None:
    """Those that outlive their NodeManager: processes that name the folder of this cluster."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if str(work).encode() in (folder / "cmdline").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)
        except OSError:  # it has ended by itself
            continue
