"""The results of a page as a user sees and handles them."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, TimeoutError, expect

CHARTS = "#cards .chart .js-plotly-plot"  # a card may hold its signals too
READY_MS = 120_000  # a cold compile cache on a slow machine


def opened(page: Page, url: str, charts: int = 4) -> Page:
    """Open an address and wait until its charts are drawn."""
    page.goto(url)
    drawn(page, charts)
    return page


def as_opened(page: Page, url: str) -> Page:
    """A shared page as `opened` leaves it: what was shown, highlighted and zoomed is taken back; where that does not do, it is opened anew."""
    if page.url.partition("?")[0].rstrip("/") != url or page.locator(CHARTS).count() != 4:
        return opened(page, url)
    page.keyboard.press("Escape")
    page.locator(".chart").first.focus()
    for key in ("Escape", "Escape", "0"):
        page.keyboard.press(key)
    page.mouse.move(5, 5)
    page.evaluate("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")
    try:
        page.wait_for_function("() => window.location.search === '' && !document.querySelector('.cursor:not([hidden]), .mark:not([hidden])')", timeout=5_000)
    except TimeoutError:
        return opened(page, url)
    return page


def drawn(page: Page, charts: int = 4) -> None:
    """Wait until so many charts are there, and the tables below them."""
    expect(page.locator(f"{CHARTS} .xaxislayer-above, {CHARTS} .xaxislayer-below").first).to_be_attached(timeout=READY_MS)
    expect(page.locator(CHARTS)).to_have_count(charts, timeout=READY_MS)
    expect(page.locator("#metrics-grid .ag-row").first).to_be_visible(timeout=READY_MS)


def load(page: Page, scenario: dict[str, Any], schedulers: list[str]) -> None:
    """Put a whole draft into the editor, as a link or a recent run does."""
    draft = {"scenario": scenario, "schedulers": schedulers, "assumed": [], "ours": []}
    page.evaluate("draft => window.dash_clientside.set_props('load', {data: draft})", draft)
    expect(page.locator("#run")).to_have_class(re.compile("is-stale|is-blocked"))
    page.wait_for_timeout(400)  # the check of what was composed has come back


def run(page: Page) -> str:
    """Press Run, wait for other charts, and return what the status line says."""
    before = key(page)
    page.click("#run")
    page.wait_for_function(
        "before => { const graph = document.querySelector('#cards .js-plotly-plot'); return graph && graph.layout.meta.drawn.key !== before; }", arg=before
    )
    expect(page.locator("#run-under-way")).to_be_hidden()
    return page.locator("#run-status").inner_text()


def key(page: Page) -> str:
    """The key of the result that the first chart shows."""
    return page.evaluate("() => document.querySelector('#cards .js-plotly-plot').layout.meta.drawn.key")


def ranges(page: Page) -> list[list[float]]:
    """The time axis of each chart, in seconds."""
    return page.evaluate(f"() => [...document.querySelectorAll('{CHARTS}')].map((graph) => graph._fullLayout.xaxis.range.map(Number))")


def modes(page: Page) -> list[str]:
    """exact or raster, of each chart."""
    return page.evaluate(f"() => [...document.querySelectorAll('{CHARTS}')].map((graph) => graph.layout.meta.mode)")
