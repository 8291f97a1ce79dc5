"""From the click on Run to four painted Gantts, in Chromium: of a page just opened, and of one that has been
used for long.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from engine import Scenario
from tests.bench import scenarios, watch
from tests.browser import dashboard
from tests.browser.chromium import launched
from tests.browser.server import STARTUP_S, Server
from webapp.url import url_state

SCHEDULERS = ("fifo", "fair", "drf", "capacity")
PARTS = {
    "four WordCount jobs": (scenarios.word_counts, 0.3),
    "10,000 containers": (lambda: scenarios.stream(10_000, 100, 50), 0.8),
}
REPEATS = 9
RUNS, ZOOMS = 60, 200
TEN = 10
MAX_GROWTH = 1.2
CLICK = "() => document.getElementById('run').click()"


def page() -> list[dict]:
    """One row a batch: the median of the clicks; each runs another seed, so nothing is answered from a cache.
    Then the clicks of a long use.
    """
    rows = []
    with tempfile.TemporaryDirectory() as data, launched() as browser:
        server = Server(Path(data))
        try:
            for title, (build, max_s) in PARTS.items():
                opened = _opened(
                    browser.new_page(viewport={"width": 1440, "height": 900}), server.url, build()
                )
                seconds = [_click(opened, build(), seed) for seed in range(REPEATS)]
                opened.close()
                middle = statistics.median(seconds)
                rows.append(
                    watch.row(
                        "page",
                        f"click to four painted Gantts, {title}",
                        middle,
                        max_s,
                        fastest=min(seconds),
                        slowest=max(seconds),
                    )
                )
            rows.append(
                _long_use(
                    _opened(
                        browser.new_page(viewport={"width": 1440, "height": 900}),
                        server.url,
                        scenarios.word_counts(),
                    )
                )
            )
        finally:
            server.stop()
    return rows


def _opened(opened: Page, url: str, scenario: Scenario) -> Page:
    """A page that shows a run and has done all that follows from it."""
    opened.goto(url + url_state.address(request=url_state.RunRequest(scenario.plain(), SCHEDULERS)))
    opened.wait_for_selector(watch.DRAWN, timeout=STARTUP_S * 1000)
    opened.wait_for_load_state("networkidle")
    return opened


def _click(opened: Page, scenario: Scenario, seed: int) -> float:
    """Seconds of a click on Run, once the editor has checked what is loaded into it."""
    dashboard.load(opened, {**scenario.plain(), "seed": 100 + seed}, list(SCHEDULERS))
    return watch.painted(opened, CLICK)


def _long_use(opened: Page) -> dict:
    """The last clicks of many over the first; between them the charts are zoomed."""
    seconds = []
    for number in range(RUNS):
        seconds.append(_click(opened, scenarios.word_counts(), REPEATS + number))
        opened.locator(dashboard.CHARTS).first.focus()
        for zoom in range(-(-ZOOMS // RUNS)):
            opened.keyboard.press("wds0"[zoom % 4])
            opened.wait_for_timeout(60)
    first, last = (statistics.median(part) for part in (seconds[:TEN], seconds[-TEN:]))
    title = f"the last {TEN} clicks of {RUNS}, with {ZOOMS} zooms between them, over the first"
    return {
        "part": "page",
        "title": title,
        "ratio": last / first,
        "target": f"within {MAX_GROWTH:g}x",
        "met": last <= MAX_GROWTH * first,
    }
