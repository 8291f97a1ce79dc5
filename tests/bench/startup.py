"""How long one waits: for a command on a fresh installation and later, for a dashboard just started, for a
visit by a browser new to the page or not.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.chromium import launched
from tests.browser.network import listen
from tests.browser.server import ROOT, STARTUP_S, Server
from tests.webapp.live_server import Served
from webapp.runs.warm_up import FIRST_SCHEDULERS

RUN = (sys.executable, "-m", "engine", "run", "engine/scenario/samples/wordcount.json", "--scheduler")
LARGE = (
    sys.executable,
    "-c",
    "from tests.bench.scenarios import stream; from engine import simulate; simulate(stream(100_000, 400, "
    "50), 'fair')",
)
VISITS = 5
IN_SIGHT_S = {"first": 0.6, "second": 0.3}
HANDS_ON_S = 0.9
SERVED_S = 3.0
MAX_FILES, MAX_MB = 15, 2
ANSWERS = ("/_dash-update-component", "/jobs/", "/charts/", "/editor/", "/whatif/")
# The browser's own time of its first paint, 0 where that had no charts.
IN_SIGHT = """() => new PerformanceObserver((list, observer) => {
  const [painted] = list.getEntriesByName("first-contentful-paint");
  if (!painted) return;
  observer.disconnect();
  const hasCharts = document.querySelectorAll(".rows .moving svg path").length > 0;
  window.inSight = hasCharts ? painted.startTime / 1000 : 0;
}).observe({ type: "paint", buffered: true })"""
CHARTS_DRAWN = """() => {
  const charts = document.querySelectorAll("#lanes .rows .moving svg");
  const isAwake = !document.querySelector("#first-paint");
  const isAll = charts.length === CHARTS && isAwake && window.inSight >= 0;
  return isAll && [performance.now() / 1000, window.inSight];
}""".replace("CHARTS", str(len(FIRST_SCHEDULERS)))


def startup() -> list[dict]:
    """Seconds of commands and of a first visit, each with nothing compiled and with nothing in the system's
    memory but what the one before left.
    """
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        fresh = (
            ("the first run of a paper's batch on a fresh installation", (*RUN, "fair"), 3.0),
            ("the same again", (*RUN, "fair"), 0.8),
            ("the first run under haste", (*RUN, "haste"), 3.0),
            ("a first run of 100,000 containers, which is compiled", LARGE, None),
            ("the same again", LARGE, None),
        )
        for title, command, max_s in fresh:
            rows.append(_row(title, _command(command, Path(folder)), max_s))
    with tempfile.TemporaryDirectory() as folder:
        for state in ("nothing compiled", "all compiled"):
            started, drawn = _dashboard(Path(folder))
            rows.append(_row(f"a dashboard's start, {state}", started, None))
            rows.append(_row(f"from its first visitor's opening to charts, {state}", drawn, 3.0))
            if state == "nothing compiled":
                _compile_all(Path(folder))
        rows.append(
            _row("gunicorn's start to its first page, all compiled", _gunicorn(Path(folder)), SERVED_S)
        )
    return rows + visits()


def _row(title: str, seconds: float, max_s: float | None) -> dict:
    row = {"part": "start", "title": title, "seconds": seconds}
    return row if max_s is None else {**row, "target": f"under {max_s:g} s", "met": seconds < max_s}


def visits() -> list[dict]:
    """Of a browser's first and second visit to a running server the medians: seconds until charts are in
    sight and until they are at hand, and what came over the wire until all was there.
    """
    by_name: dict[str, list[tuple[float, float, int, int]]] = {"first": [], "second": []}
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        try:
            for round in range(VISITS + 1):
                with launched() as browser:
                    visitor = browser.new_context(viewport={"width": 1440, "height": 900})
                    for seen in by_name.values():
                        one = _visit(visitor.new_page(), server.url)
                        if round:  # the server's own first answer is not a browser's first visit
                            seen.append(one)
        finally:
            server.stop()
    rows = []
    for which, seen in by_name.items():
        seconds, in_sight, size, files = (statistics.median(column) for column in zip(*seen, strict=True))
        rows.append(_row(f"{which} visit of a browser, to charts in sight", in_sight, IN_SIGHT_S[which]))
        rows.append(_row(f"{which} visit of a browser, to charts at hand", seconds, HANDS_ON_S))
        shown = f"{files:.0f} files, {size / 1e6:.2f} MB"
        row = {
            "part": "start",
            "title": f"over the wire at a browser's {which} visit",
            "shown": shown,
            "files": files,
            "bytes": size,
        }
        target = {
            "target": f"at most {MAX_FILES} and {MAX_MB} MB",
            "met": files <= MAX_FILES and size <= MAX_MB * 1e6,
        }
        rows.append(row | target if which == "first" else row)
    return rows


def _visit(page: Page, url: str) -> tuple[float, float, int, int]:
    """Seconds until charts are at hand and until they are in sight, bytes, and how many files came that are
    the same for every visitor.
    """
    log = listen(page)
    page.add_init_script(f"({IN_SIGHT})()")
    page.goto(url, wait_until="commit")
    drawn = page.wait_for_function(CHARTS_DRAWN, timeout=STARTUP_S * 1000, polling="raf").json_value()
    page.wait_for_timeout(1000)  # the page's look is kept for the next visit
    page.wait_for_load_state("networkidle")
    page.close()
    return (
        *drawn,
        log.bytes(),
        len(
            [
                answer
                for answer in log.all()
                if not answer.kept and not any(part in answer.url for part in ANSWERS)
            ]
        ),
    )


def _command(command: tuple[str, ...], cache: Path) -> float:
    start = time.perf_counter()
    subprocess.run(
        command,
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "GANTRY_CACHE_DIR": str(cache)},
    )
    return time.perf_counter() - start


def _compile_all(cache: Path) -> None:
    command = [sys.executable, "-m", "webapp.runs.warm_up"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, env={**os.environ, "GANTRY_CACHE_DIR": str(cache)}
    ) as compiling:
        compiling.wait()


def _gunicorn(cache: Path) -> float:
    """Seconds from its start by the Procfile's line until it shows its page, with the bytecode of Python's
    own there.
    """
    with tempfile.TemporaryDirectory() as place:
        settings = {
            "GANTRY_CACHE_DIR": str(cache),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": f"{place}/bytecode",
        }
        served = Served(Path(place) / "data", settings)
        try:
            served.stop()
            begun = time.perf_counter()
            served.start()
            return time.perf_counter() - begun
        finally:
            served.stop()


def _dashboard(cache: Path) -> tuple[float, float]:
    """Seconds until a server answers, and from a visitor's opening the page then to its charts."""
    with tempfile.TemporaryDirectory() as data, launched() as browser:
        page = browser.new_page()
        start = time.perf_counter()
        server = Server(Path(data), {"GANTRY_CACHE_DIR": str(cache)})
        try:
            return time.perf_counter() - start, _visit(page, server.url)[0]
        finally:
            server.stop()
