"""Start-up with a cold and a warm compile cache, a program's first run and the dashboard's first charts; and a visit by a browser new to the page, or not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.chromium import launched
from tests.browser.network import listen
from tests.browser.server import ROOT, STARTUP_S, Server

FIRST_RUN = "from tests.bench.scenarios import word_counts; from engine.simulate import simulate; simulate(word_counts(), 'fair')"
FOURTH_CHART = "#cards .js-plotly-plot >> nth=3"
VISITS = 7
CHARTS_DRAWN = """() => {
  const graphs = [...document.querySelectorAll("#cards .js-plotly-plot")];
  return graphs.length === 4 && graphs.every((graph) => graph.querySelector(".xaxislayer-above, .xaxislayer-below")) && performance.now() / 1000;
}"""


def startup() -> list[dict]:
    """Seconds from starting the process, first with an empty compile cache, then with what that left in it."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, measure in (("a program's first run", _program), ("from starting the dashboard to four charts", _dashboard)):
            cache = Path(folder, measure.__name__)
            cache.mkdir()
            for state in ("cold", "warm"):
                rows.append({"part": "start", "title": f"{name}, {state} compile cache", "seconds": measure(cache)})
    return rows + visits()


def visits() -> list[dict]:
    """Seconds from asking a running server for the page to four charts, the median of several visits, and the bytes that came over the wire meanwhile."""
    found: dict[str, list[tuple[float, int]]] = {"first": [], "second": []}
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        try:
            for round in range(VISITS + 1):
                with launched() as browser:
                    visitor = browser.new_context(viewport={"width": 1440, "height": 900})
                    for seen in found.values():
                        one = _visit(visitor.new_page(), server.url)
                        if round:  # the server's own first answer is not a browser's first visit
                            seen.append(one)
        finally:
            server.stop()
    rows = []
    for (which, seen), most_s in zip(found.items(), (1.5, 0.4), strict=True):
        seconds, size = sorted(seen)[len(seen) // 2]
        title = f"{which} visit of a browser, {size / 1e6:.2f} MB over the wire, to four charts"
        rows.append({"part": "start", "title": title, "seconds": seconds, "target": f"under {most_s:g} s", "met": seconds < most_s})
    return rows


def _visit(page: Page, url: str) -> tuple[float, int]:
    log = listen(page)
    page.goto(url, wait_until="commit")
    seconds = page.wait_for_function(CHARTS_DRAWN, timeout=STARTUP_S * 1000, polling="raf").json_value()
    page.wait_for_load_state("networkidle")
    page.close()
    return seconds, log.bytes()


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
