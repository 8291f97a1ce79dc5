"""Light and dark, wide and narrow, and paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import dashboard
from tests.browser.chromium import watch
from tests.browser.server import Server

SCHEME = """() => ({
    page: document.documentElement.getAttribute("data-mantine-color-scheme"),
    grid: document.documentElement.getAttribute("data-ag-theme-mode"),
    charts: [...document.querySelectorAll("#cards .chart .js-plotly-plot")].map((graph) => graph._fullLayout.paper_bgcolor),
})"""
LIGHT, DARK = "#ffffff", "#242424"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_visit_follows_the_system(page: Page, server: Server, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    dashboard.opened(page, server.url)
    page.wait_for_timeout(500)
    assert page.evaluate(SCHEME) == {"page": scheme, "grid": scheme, "charts": [DARK if scheme == "dark" else LIGHT] * 4}


def test_the_scheme_is_switched_for_all_and_kept(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.click("#turn-scheme")
    page.wait_for_function(f"() => [...document.querySelectorAll('{dashboard.CHARTS}')].every((graph) => graph._fullLayout.paper_bgcolor === '{DARK}')")
    assert page.evaluate(SCHEME)["grid"] == "dark"
    page.reload()
    dashboard.drawn(page)
    assert page.evaluate(SCHEME) == {"page": "dark", "grid": "dark", "charts": [DARK] * 4}


@pytest.mark.parametrize(("width", "columns"), [(1920, 2), (1280, 2), (360, 1)])
def test_nothing_is_wider_than_the_window(page: Page, server: Server, width: int, columns: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    dashboard.opened(page, server.url)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert len(page.evaluate("() => getComputedStyle(document.getElementById('cards')).gridTemplateColumns.split(' ')")) == columns
    charts = page.evaluate(
        f"() => [...document.querySelectorAll('{dashboard.CHARTS}')].map((graph) => [graph.clientWidth, graph.closest('.card').clientWidth])"
    )
    assert all(chart <= card for chart, card in charts)


def test_a_narrow_page_shows_results_first_and_both_on_demand(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened(page, server.url)
    expect(page.locator("#editor-jobs")).not_to_be_visible()
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.locator("#editor-jobs")).to_be_visible()
    expect(page.locator("#cards")).not_to_be_visible()
    page.get_by_label("Title of the scenario").fill("From a telephone")
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    page.locator("#run").tap() if page.evaluate("() => 'ontouchstart' in window") else page.click("#run")
    expect(page.locator("#cards")).to_be_visible()
    expect(page.locator("#run-status")).to_contain_text("From a telephone")


def test_paper_has_the_charts_and_no_tools(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.emulate_media(media="print")
    expect(page.locator("#left")).not_to_be_visible()
    expect(page.locator("#run")).not_to_be_visible()
    expect(page.locator("#cards h3").first).to_be_visible()


def test_a_finger_scrolls_the_page_and_pans_the_charts_and_two_zoom(browser: Browser, server: Server) -> None:
    page = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True).new_page()
    page.complaints = watch(page)
    dashboard.opened(page, server.url)
    hand = page.context.new_cdp_session(page)

    def move(*fingers: tuple[tuple[int, int], tuple[int, int]]) -> None:
        """Fingers from one point to another, all at once."""
        for step in range(9):
            places = [{"x": a + (c - a) * step / 8, "y": b + (d - b) * step / 8} for (a, b), (c, d) in fingers]
            hand.send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": places})
            page.wait_for_timeout(30)
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(500)

    page.evaluate("() => window.scrollTo(0, document.getElementById('cards').offsetTop)")
    whole = dashboard.ranges(page)[0]
    move(((160, 300), (120, 300)), ((220, 300), (300, 300)))
    zoomed = dashboard.ranges(page)[0]
    assert zoomed[1] - zoomed[0] < 0.6 * (whole[1] - whole[0])
    move(((250, 300), (130, 300)))
    panned = dashboard.ranges(page)[0]
    assert panned[0] > zoomed[0]
    assert all(other == panned for other in dashboard.ranges(page))
    before = page.evaluate("() => window.scrollY")
    move(((200, 500), (200, 300)))
    assert page.evaluate("() => window.scrollY") > before + 100
    assert dashboard.ranges(page)[0] == panned
    assert page.complaints == []
    page.context.close()
