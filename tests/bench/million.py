"""A million containers in Chromium, of one scheduler and of four: first paint, frames under the hand,
sharpness after it, the pointer, the server's memory.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from engine import Scenario
from tests.bench import scenarios, watch
from tests.bench.watch import Frames, Stuck
from tests.browser.chromium import launched
from tests.browser.server import STARTUP_S, Server
from webapp.url import url_state

CASES = {
    "a million containers": (lambda: scenarios.stream(1_000_000, 4_000, 50), ("fair",)),
    "four schedulers of 250,000": (
        lambda: scenarios.stream(250_000, 1_000, 50),
        ("fifo", "fair", "drf", "capacity"),
    ),
}
DRAGS, MOVES, WHEELS, TURNS, POINTS, EMPTY = 100, 12, 20, 10, 20, 20
PER_DEPTH = 2  # drags at one depth of zoom
DEEPEST = 30  # steps of zoom, down to hundredths of a second
MAX_S = 300
FIRST_S, FRAME_S, SHARP_S, TEXT_S = 0.7, 0.050, 0.150, 0.100
MAX_MISSED = 0.05
BESIDE_DRAGS = 20
NEIGHBOUR_S = 10  # until another browser has started and shows the run
MAX_MB = 300

# Milliseconds from now until the charts show a drawing of just what is looked at, its pictures are decoded,
# and two frames have passed.
SHARP = """async () => {
  const start = performance.now();
  while (!window.gantry.lanes.isSharp() && performance.now() - start < 5000) await new Promise((done) => setTimeout(done, 2));
  await Promise.all([...document.querySelectorAll("#lanes .rows .moving image")].map((image) => image.decode()));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return (performance.now() - start) / 1000;
}"""  # noqa: E501

TIP = """async () => {
  const start = performance.now();
  const tip = document.getElementById("tip");
  while (tip.hidden && performance.now() - start < 3000) await new Promise((done) => setTimeout(done, 2));
  return tip.hidden ? null : (performance.now() - start) / 1000;
}"""

CLICK = "() => document.getElementById('run').click()"


def million() -> Iterator[dict]:
    """Rows of each case; Stuck where a frame takes over a second or all of it over five minutes."""
    until = time.monotonic() + MAX_S
    with launched() as browser:
        empty = _empty(browser)
        yield watch.share("million", "refreshes missed by an empty page", empty.missed, 1.0)
        for title, (build, schedulers) in CASES.items():
            yield from _case(browser, title, build(), schedulers, empty, until)


def _case(
    browser: Browser, title: str, scenario: Scenario, schedulers: tuple[str, ...], empty: Frames, until: float
) -> Iterator[dict]:
    named = lambda words: f"{title}: {words}"
    asked = url_state.RunRequest(scenario.plain(), schedulers)
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(server.url)
            page.wait_for_selector(watch.DRAWN, timeout=STARTUP_S * 1000)
            page.wait_for_load_state("networkidle")
            before = resident(server)
            start = time.perf_counter()
            page.goto(server.url + url_state.address(request=asked))
            page.wait_for_selector(f"{watch.DRAWN} image", timeout=STARTUP_S * 1000)
            yield watch.row(
                "million", named("opened, run and painted for the first time"), time.perf_counter() - start
            )
            page.wait_for_load_state("networkidle")
            grown = (resident(server) - before) / 2**20
            yield watch.row(
                "million",
                named("click to first paint of a run that is there, median"),
                watch.percentile(_again(page), 50),
                FIRST_S,
            )
            hand, after, sharp = _drags(page, title, DRAGS, until)
            wheeled = _wheels(page, title)
            for name, frames in (("dragging", hand), ("wheeling", wheeled)):
                yield watch.row(
                    "million", named(f"the longest frame while {name}"), max(frames.ms) / 1000, FRAME_S
                )
                missed = named(f"refreshes missed while {name}, beyond those of an empty page")
                yield watch.share("million", missed, max(frames.missed - empty.missed, 0.0), MAX_MISSED)
            yield watch.row(
                "million", named("the longest frame from letting go to sharp"), max(after.ms) / 1000
            )
            yield watch.row(
                "million",
                named("let go to sharp, 95th percentile"),
                watch.percentile(sharp, 95),
                SHARP_S,
                median=watch.percentile(sharp, 50),
            )
            yield watch.row(
                "million",
                named("pointer at rest to its text, 95th percentile"),
                watch.percentile(_points(page), 95),
                TEXT_S,
            )
            with _another(server.url + url_state.address(request=asked)):
                beside = watch.percentile(_drags(page, title, BESIDE_DRAGS, until)[2], 50)
            words = named("let go to sharp beside another visitor who zooms, over alone, medians")
            yield {"part": "million", "title": words, "ratio": beside / watch.percentile(sharp, 50)}
            words = named("the server's memory for the result")
            yield {
                "part": "million",
                "title": words,
                "shown": f"{grown:.0f} MB",
                "target": f"under {MAX_MB} MB",
                "met": grown < MAX_MB,
            }
            page.close()
        finally:
            server.stop()


def resident(server: Server) -> int:
    """Bytes of memory that the server's process holds."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


@contextmanager
def _another(url: str) -> Iterator[None]:
    """Another visitor, in a process and a browser of its own, who zooms without a pause."""
    started = subprocess.Popen([sys.executable, "-m", "tests.bench.background_page", url])
    try:
        time.sleep(NEIGHBOUR_S)
        yield
    finally:
        started.terminate()
        started.wait()


def _empty(browser: Browser) -> Frames:
    """Frames of a page with nothing on it, under the same moves of the mouse."""
    page, frames = browser.new_page(viewport={"width": 1440, "height": 900}), Frames()
    for number in range(EMPTY):
        _drag(page, 700, 300, 1 if number % 2 else -1, frames, "of an empty page")
        page.mouse.up()
    page.close()
    return frames


def _drag(page: Page, x: float, y: float, way: int, frames: Frames, where: str) -> None:
    """Presses the button and moves; it stays pressed."""
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5 * way, y)
    page.evaluate(watch.WATCH)
    for step in range(2, MOVES + 2):
        page.mouse.move(x + 9 * step * way, y)
    frames.take(page, where)


def _again(page: Page) -> list[float]:
    return [watch.painted(page, CLICK) for _ in range(5)]


def _middle(page: Page) -> tuple[float, float]:
    """A place in the first chart's rows."""
    box = page.locator("#lanes .rows .plot").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _drags(page: Page, title: str, count: int, until: float) -> tuple[Frames, Frames, list[float]]:
    """Frames while the hand moves, those from letting go to sharp, and the seconds of that; at depths of zoom
    down to the deepest and up again.
    """
    _all(page)
    moving, after, sharp = Frames(), Frames(), []
    for number in range(count):
        if number % PER_DEPTH == 0:
            page.locator("#lanes .chart").first.focus()
            deep = (number // PER_DEPTH) % (2 * DEEPEST) < DEEPEST
            page.keyboard.press("e" if number % (4 * PER_DEPTH) == 0 else "w" if deep else "s")
            page.evaluate(SHARP)
        if time.monotonic() > until:
            raise Stuck(f"{title}: {number} of {count} drags were made when five minutes were over")
        _drag(
            page, *_middle(page), 1 if number % 2 else -1, moving, f"in drag {number + 1} of {count}, {title}"
        )
        page.evaluate(watch.WATCH)
        page.mouse.up()
        sharp.append(page.evaluate(SHARP))
        after.take(page, f"after drag {number + 1} of {count}, {title}")
    return moving, after, sharp


def _wheels(page: Page, title: str) -> Frames:
    """Frames while the wheel zooms in and out."""
    _all(page)
    frames = Frames()
    page.mouse.move(*_middle(page))
    page.keyboard.down("Control")
    for number in range(WHEELS):
        page.evaluate(watch.WATCH)
        for _ in range(TURNS):
            page.mouse.wheel(0, 60 if number % 4 > 1 else -60)
            page.wait_for_timeout(16)
        frames.take(page, f"in turn {number + 1} of the wheel, {title}")
    page.keyboard.up("Control")
    page.evaluate(SHARP)
    return frames


def _points(page: Page) -> list[float]:
    """Seconds from a mouse at rest to the text under it."""
    _all(page)
    box = page.locator("#lanes .rows .plot").first.bounding_box()
    seconds = []
    for number in range(POINTS):
        page.mouse.move(5, 5)
        page.wait_for_timeout(120)
        page.mouse.move(box["x"] + 200 + 17 * number, box["y"] + 6 + (box["height"] - 12) * number / POINTS)
        state = page.evaluate(TIP)
        if state is not None:
            seconds.append(state)
    return seconds


def _all(page: Page) -> None:
    """All of the run, at rest."""
    page.locator("#lanes .chart").first.focus()
    page.keyboard.press("0")
    page.evaluate(SHARP)
    page.wait_for_timeout(300)
