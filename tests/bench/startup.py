"""Start-up with a cold and a warm compile cache: a program's first run, and the dashboard's first charts."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.browser.chromium import launched
from tests.browser.server import ROOT, STARTUP_S, Server

FIRST_RUN = "from tests.bench.scenarios import word_counts; from engine.simulate import simulate; simulate(word_counts(), 'fair')"
FOURTH_CHART = "#cards .js-plotly-plot >> nth=3"


def startup() -> list[dict]:
    """Seconds from starting the process, first with an empty compile cache, then with what that left in it."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, measure in (("a program's first run", _program), ("from starting the dashboard to four charts", _dashboard)):
            cache = Path(folder, measure.__name__)
            cache.mkdir()
            for state in ("cold", "warm"):
                rows.append({"part": "start", "title": f"{name}, {state} compile cache", "seconds": measure(cache)})
    return rows


def _program(cache: Path) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST_RUN], cwd=ROOT, check=True, env={**os.environ, "GANTRY_CACHE_DIR": str(cache)})
    return time.perf_counter() - start


def _dashboard(cache: Path) -> float:
    with tempfile.TemporaryDirectory() as data, launched() as browser:
        page = browser.new_page()
        start = time.perf_counter()
        server = Server(Path(data), {"GANTRY_CACHE_DIR": str(cache)})
        try:
            page.goto(server.url)
            page.wait_for_selector(FOURTH_CHART, timeout=STARTUP_S * 1000)
            return time.perf_counter() - start
        finally:
            server.stop()
