"""A Dask scheduler and two workers, each a process of its own on this machine's loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT
from tests.waiting import until


class SeparateCluster:
    """threads: of each worker. folder: where they may write. settings: of their environment. `end` ends
    all.
    """

    def __init__(self, folder: Path, threads: int = 1, settings: dict[str, str] | None = None) -> None:
        self.folder, self.settings, where = folder, settings or {}, folder / "scheduler.json"
        by_file = ("--scheduler-file", str(where), "--no-dashboard")
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", *by_file)
        self.workers = [
            self._start("worker", "--nthreads", str(threads), "--no-nanny", *by_file) for _ in range(2)
        ]
        until(lambda: where.exists() and where.read_text().strip())
        self.address = json.loads(where.read_text())["address"]

    def _start(self, *what: str) -> subprocess.Popen:
        own, nowhere = {**os.environ, "PYTHONPATH": str(ROOT), **self.settings}, subprocess.DEVNULL
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *what], cwd=self.folder, env=own, stdout=nowhere, stderr=nowhere
        )

    def end(self) -> None:
        for one in (*self.workers, self.scheduler):
            one.kill()
            one.wait()
