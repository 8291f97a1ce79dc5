"""The dashboard as a user starts it: `python -m webapp`, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.webapp.real_stores import free_port

ROOT = Path(__file__).resolve().parents[2]
STARTUP_S = 120  # a cold compile cache on a slow machine


class Server:
    """A running dashboard; `url` is its address. `data` is the folder it keeps its links and caches in,
    `settings` are more environment variables.
    """

    def __init__(self, data: Path, settings: dict[str, str] | None = None) -> None:
        self.data = data
        self.settings = settings or {}
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data / "server.log"
        self.start()

    def start(self) -> None:
        """Starts it and waits until it answers; RuntimeError with its output when it does not."""
        command = [sys.executable, "-m", "webapp", "--host", "127.0.0.1", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdout=log,
                stderr=log,
                env={**os.environ, "GANTRY_DATA": str(self.data), **self.settings},
            )
        until = time.monotonic() + STARTUP_S
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with urllib.request.urlopen(self.url, timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        ended = self.process.poll()
        self.stop()
        what = (
            f"did not answer at {self.url} within {STARTUP_S} s" if ended is None else f"ended with {ended}"
        )
        raise RuntimeError(f"python -m webapp {what}; it said:\n{self.log.read_text()}")

    def stop(self) -> None:
        """Ends it as Ctrl-C does, or at once when it does not heed that."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
