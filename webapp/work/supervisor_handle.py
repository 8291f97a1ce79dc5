"""The supervisor as the server's process sees it. It imports neither database nor counters: what gunicorn's
first process has loaded, all others share.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

TERMINATE_S = 2.5  # for work processes to end, before they are killed


def child_environment() -> dict[str, str]:
    """Of a process that must find this very package."""
    path = os.pathsep.join(
        [str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    return {**os.environ, "PYTHONPATH": path}


class SupervisorHandle:
    """Starts the supervisor process, restarts it when it dies, and stops it."""

    def __init__(self, count: int) -> None:
        self._count, self._stopping = count, threading.Event()
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        """Start it without blocking."""
        threading.Thread(target=self._keep_alive, name="beside", daemon=True).start()

    def stop(self) -> None:
        """Ends it, with whatever it started; work under way goes back to the queue."""
        self._stopping.set()
        process = self._process
        if process:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TERMINATE_S + 1)

    def _keep_alive(self) -> None:
        command = [
            sys.executable,
            "-m",
            "webapp.work",
            "--supervise",
            str(self._count),
            "--parent",
            str(os.getpid()),
        ]
        while not self._stopping.is_set():
            # it ends by us, not by Ctrl-C
            self._process = subprocess.Popen(
                command, env=child_environment(), stdin=subprocess.DEVNULL, start_new_session=True
            )
            self._process.wait()
            self._stopping.wait(1.0)
