"""Start-up with a cold and a warm compile cache: a program's first run, and the page's first answer."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.browser.server import ROOT, Server

FIRST_RUN = "from tests.bench.scenarios import word_counts; from engine.simulate import simulate; simulate(word_counts(), 'fair')"


def startup() -> list[dict]:
    """Seconds from starting the process, first with an empty compile cache, then with what that left in it."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, measure in (("first run of a program", _program), ("first page of the dashboard", _dashboard)):
            cache = Path(folder, name)
            cache.mkdir()
            for state in ("cold", "warm"):
                start = time.perf_counter()
                measure(cache)
                rows.append({"part": "start", "title": f"{name}, {state} compile cache", "seconds": time.perf_counter() - start})
    return rows


def _program(cache: Path) -> None:
    subprocess.run([sys.executable, "-c", FIRST_RUN], cwd=ROOT, check=True, env={**os.environ, "GANTRY_CACHE_DIR": str(cache)})


def _dashboard(cache: Path) -> None:
    with tempfile.TemporaryDirectory() as data:
        Server(Path(data), {"GANTRY_CACHE_DIR": str(cache)}).stop()
