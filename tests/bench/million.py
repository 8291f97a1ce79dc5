"""A run of a million containers in Chromium: first paint, frames while dragging, sharpness afterwards, the pointer, and the server's memory."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

from tests.bench import scenarios
from tests.browser.chromium import launched
from tests.browser.server import STARTUP_S, Server
from webapp.services import url_state

CONTAINERS, NODES, ACTIVE = 1_000_000, 4_000, 50
DRAGS, POINTS = 40, 20
NEIGHBOUR_S = 15  # until another browser has started and shows the run

# Milliseconds until the first chart shows a picture, and two frames more.
FIRST = """async () => {
  const start = performance.now();
  while (!document.querySelector("#cards .js-plotly-plot image") && performance.now() - start < 60000) await new Promise((done) => setTimeout(done, 4));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - start;
}"""

# Milliseconds from a click on Run until the first chart has been drawn, and two frames more.
AGAIN = """async () => {
  const graph = document.querySelector("#cards .js-plotly-plot");
  const drawn = new Promise((done) => graph.once("plotly_afterplot", done));
  const start = performance.now();
  document.getElementById("run").click();
  await Promise.race([drawn, new Promise((done) => setTimeout(done, 20000))]);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - start;
}"""

# The longest frame between two calls.
WATCH = """() => {
  window.frames_ = [];
  let last = performance.now();
  const tick = (now) => { window.frames_.push(now - last); last = now; window.ticking = requestAnimationFrame(tick); };
  window.ticking = requestAnimationFrame(tick);
}"""
FRAMES = "() => { cancelAnimationFrame(window.ticking); return window.frames_.slice(1); }"

# Milliseconds from now until the chart shows a picture of just what is looked at, and two frames more.
SHARP = """async () => {
  const start = performance.now();
  const graph = document.querySelector("#cards .js-plotly-plot");
  const fits = () => {
    const { drawn } = graph.layout.meta;
    const { window: window_, rows } = window.gantry.charts.view;
    return !drawn.complete && JSON.stringify(drawn.window) === JSON.stringify(window_ || rows ? { ...window_, ...rows } : null);
  };
  while (!fits() && performance.now() - start < 5000) await new Promise((done) => setTimeout(done, 2));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - start;
}"""

TIP = """async () => {
  const start = performance.now();
  const tip = document.getElementById("tip");
  while (tip.hidden && performance.now() - start < 3000) await new Promise((done) => setTimeout(done, 2));
  return tip.hidden ? null : performance.now() - start;
}"""


def million() -> list[dict]:
    """Rows of the figures; each is of one scheduler's run."""
    asked = url_state.Asked(scenarios.stream(CONTAINERS, NODES, ACTIVE).plain(), ("fair",))
    with tempfile.TemporaryDirectory() as data, launched() as browser, _another() as neighbour:
        server = Server(Path(data))
        try:
            opened = browser.new_page(viewport={"width": 1440, "height": 900})
            opened.goto(server.url)
            opened.wait_for_selector("#cards .js-plotly-plot .gridlayer", timeout=STARTUP_S * 1000, state="attached")
            opened.wait_for_timeout(3000)
            before = resident(server)
            rows = [_row("run of a million containers to its first paint, the run with it", _opened(opened, server.url, asked), None)]
            after = resident(server)
            rows.append(_row("click to first paint of a run that is there", opened.evaluate(AGAIN) / 1000, 1.0))
            frames, sharp = _drags(opened)
            rows.append(_row("frames while dragging, 95th percentile", _percentile(frames, 95), 0.033))
            rows.append(_row("let go to sharp, 95th percentile", _percentile(sharp, 95), 0.150))
            rows.append(_row("pointer at rest to its text in a picture, 95th percentile", _percentile(_points(opened), 95), 0.100))
            other = neighbour(server.url + url_state.address(asked=asked))
            beside = _percentile(_drags(opened)[1], 50)
            other.terminate()
            title = "let go to sharp beside another visitor who zooms, over alone, medians"
            rows.append({"part": "million", "title": title, "ratio": beside / _percentile(sharp, 50)})
            grown = (after - before) / 2**20
            rows.append({"part": "million", "title": f"server's memory for the result: {grown:.0f} MB", "target": "under 300 MB", "met": grown < 300})
        finally:
            server.stop()
    return rows


def resident(server: Server) -> int:
    """Bytes of memory that the server's process holds."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def _row(title: str, seconds: float, most: float | None) -> dict:
    row = {"part": "million", "title": title, "seconds": seconds}
    return row | ({"target": f"under {most * 1000:g} ms", "met": seconds < most} if most else {})


def _opened(page: Page, url: str, asked: url_state.Asked) -> float:
    page.goto(url + url_state.address(asked=asked))
    seconds = page.evaluate(FIRST) / 1000
    page.wait_for_timeout(1500)
    return seconds


@contextmanager
def _another() -> Iterator[Callable[[str], subprocess.Popen]]:
    """Starts another visitor, in a process and a browser of its own, who zooms without a pause."""
    started: list[subprocess.Popen] = []

    def start(url: str) -> subprocess.Popen:
        started.append(subprocess.Popen([sys.executable, "-m", "tests.bench.neighbour", url]))
        time.sleep(NEIGHBOUR_S)
        return started[-1]

    try:
        yield start
    finally:
        for one in started:
            one.terminate()


def _drags(page: Page) -> tuple[list[float], list[float]]:
    """(every frame, seconds to sharp) of drags at several depths."""
    page.locator(".chart").first.focus()
    page.keyboard.press("0")
    page.wait_for_timeout(800)
    frames, sharp = [], []
    for number in range(DRAGS):
        if number % 5 == 0:
            page.locator(".chart").first.focus()
            page.keyboard.press("w" if number % 20 else "e")
            page.wait_for_timeout(600)
        box = page.locator("#cards .js-plotly-plot").first.bounding_box()
        x, y, way = box["x"] + box["width"] / 2, box["y"] + 150, 1 if number % 2 else -1
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 5 * way, y)
        page.evaluate(WATCH)
        for step in range(2, 20):
            page.mouse.move(x + 6 * step * way, y)
        found = page.evaluate(FRAMES)
        page.mouse.up()
        sharp.append(page.evaluate(SHARP) / 1000)
        frames += [frame / 1000 for frame in found]
    return frames, sharp


def _points(page: Page) -> list[float]:
    """Seconds from a mouse at rest to the text under it."""
    page.locator(".chart").first.focus()
    page.keyboard.press("0")
    page.wait_for_timeout(800)
    box = page.locator("#cards .js-plotly-plot").first.bounding_box()
    seconds = []
    for number in range(POINTS):
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.wait_for_timeout(120)
        page.mouse.move(box["x"] + 200 + 17 * number, box["y"] + 60 + 15 * number)
        found = page.evaluate(TIP)
        if found is not None:
            seconds.append(found / 1000)
    return seconds


def _percentile(values: list[float], percent: int) -> float:
    return sorted(values)[min(len(values) * percent // 100, len(values) - 1)]
