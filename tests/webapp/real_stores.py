"""Real PostgreSQL and Redis of a test's own: started, stopped in their tracks, killed, and started again at
the same address.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from glob import glob
from pathlib import Path

from tests.waiting import until

HERE = "127.0.0.1"


class NotHere(RuntimeError):
    """This machine has no such server."""


class Redis:
    """An empty Redis; raises NotHere."""

    def __init__(self) -> None:
        self._program = shutil.which("redis-server")
        if not self._program:
            raise NotHere("no redis-server on this machine")
        self._place = tempfile.mkdtemp(prefix="gantry-redis-")
        self._port = free_port()
        self.url = f"redis://{HERE}:{self._port}/0"
        self.start()

    def start(self) -> None:
        """At the same address, with nothing in it."""
        self._process = subprocess.Popen(
            [self._program, "--port", str(self._port), "--save", "", "--dir", self._place],
            stdout=subprocess.DEVNULL,
        )
        until(lambda: _answers(self._port))

    def stop(self) -> None:
        """It holds its connections and answers nothing."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """After stop()."""
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """It goes at once."""
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """It goes, with its files."""
        self.kill()
        shutil.rmtree(self._place, ignore_errors=True)


class Postgres:
    """An empty PostgreSQL; raises NotHere."""

    def __init__(self) -> None:
        rows = [
            place for place in sorted(glob("/usr/lib/postgresql/*/bin")) if Path(place, "initdb").exists()
        ]
        if not rows:
            raise NotHere("no PostgreSQL server on this machine")
        if os.getuid() == 0 and not shutil.which("runuser"):
            raise NotHere("PostgreSQL does not run as root, and there is no runuser")
        self._user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        self._tools, self._port = rows[-1], free_port()
        self._place = Path(tempfile.gettempdir()) / f"gantry-postgres-{os.getpid()}-{self._port}"
        self.url = f"postgres://gantry@{HERE}:{self._port}/postgres"
        try:
            self._tool("initdb", "-D", str(self._place), "-U", "gantry", "-A", "trust", "--no-sync")
            self.start()
        except (subprocess.SubprocessError, OSError) as error:
            self._remove()
            raise NotHere(f"PostgreSQL could not be started: {error}") from None

    def start(self) -> None:
        """At the same address, with what it held."""
        options = (
            f"-p {self._port} -c listen_addresses={HERE} -c unix_socket_directories={self._place} -c "
            "fsync=off"
        )
        self._tool("pg_ctl", "-D", str(self._place), "-l", f"{self._place}/log", "-w", "-o", options, "start")

    def stop(self) -> None:
        """It and all its processes hold their connections and answer nothing."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """After stop()."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """It goes at once, as with the machine's power."""
        self._signal(signal.SIGKILL)
        until(lambda: not _answers(self._port))

    def end(self) -> None:
        """It goes, with its files."""
        with contextlib.suppress(subprocess.SubprocessError):
            self._tool("pg_ctl", "-D", str(self._place), "-m", "immediate", "stop")
        self._remove()

    def _tool(self, name: str, *words: str) -> None:
        subprocess.run(
            [*self._user, f"{self._tools}/{name}", *words],
            check=True,
            capture_output=True,
            cwd="/",
            timeout=60,
        )

    def _signal(self, number: int) -> None:
        first = subprocess.run(
            [*self._user, "head", "-1", f"{self._place}/postmaster.pid"],
            check=True,
            capture_output=True,
            text=True,
            cwd="/",
        ).stdout.strip()
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *children):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), number)

    def _remove(self) -> None:
        subprocess.run([*self._user, "rm", "-rf", str(self._place)], check=False, cwd="/")


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return probe.getsockname()[1]


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HERE, port)) == 0
