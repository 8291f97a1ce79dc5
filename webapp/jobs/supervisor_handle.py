"""The supervisor as the server's process sees it. It imports neither database nor counters: what gunicorn's
first process has loaded, all others share.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from typing import Any

from engine.dashboard import start_module

TERMINATE_S = 2.5  # for work processes to end, before they are killed


def start_work_module(*arguments: str, **options: Any) -> subprocess.Popen:
    """python -m webapp.jobs."""
    return start_module(__package__, *arguments, stdin=subprocess.DEVNULL, **options)


class SupervisorHandle:
    """Starts the supervisor process, restarts it when it dies, and stops it."""

    def __init__(self, count: int) -> None:
        self._count, self._stopping = count, threading.Event()
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        """Start it now, and from then on whenever it has died.

        A process that gunicorn forks meanwhile would inherit the pipe on which Popen waits for its child, and
        Popen would wait for as long as that process lives. So the first start is done before any is forked.
        """
        self._spawn()
        threading.Thread(target=self._keep_alive, name="supervisor", daemon=True).start()

    def stop(self) -> None:
        """Ends it, with whatever it started; work under way goes back to the queue."""
        self._stopping.set()
        process = self._process
        if process:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TERMINATE_S + 1)

    def _spawn(self) -> None:
        arguments = "--supervise", str(self._count), "--parent", str(os.getpid())
        self._process = start_work_module(*arguments, start_new_session=True)  # it ends by us, not by Ctrl-C

    def _keep_alive(self) -> None:
        while self._process:
            self._process.wait()
            if self._stopping.wait(1.0):
                return
            self._spawn()
