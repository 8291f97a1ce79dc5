"""WCAG 2.2, levels A and AA, as far as axe can tell, on every page and with every dialog open, in light and
dark; of each a journey asks in one of them.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase

TABLES_DRAWN = (
    "() => [...document.querySelectorAll('#drawer-body > :not([hidden]) .ag-root')].every((table) "
    "=> table.querySelector('.ag-header-cell'))"
)


def opens(button: str, what: str) -> Callable[[Page], None]:
    """A click on the button, until what it opens stands still."""

    def step(page: Page) -> None:
        page.click(button)
        expect(page.locator(what)).to_be_visible()

    return step


def decide(page: Page) -> None:
    page.locator(".chart").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#decision table").first).to_be_visible()


def composes(button: str, what: str) -> Callable[[Page], None]:
    """The same of what stands in the rail."""
    step = opens(button, what)
    return lambda page: (dashboard.compose(page), step(page))


def sections(page: Page) -> None:
    dashboard.compose(page)
    for key in ("queues", "settings"):
        page.locator(f"summary:has(#editor-{key}-summary)").click()
    page.locator("#editor-jobs .editor-line > summary").first.click()
    expect(page.locator("#editor-jobs .editor-line[open] .editor-input").first).to_be_visible()


def faults(page: Page) -> None:
    dashboard.compose(page)
    page.locator("#editor-nodes .editor-line > summary").first.click()
    page.locator("#editor-nodes .editor-line[open]").locator("[data-path=count]").fill("many")
    page.keyboard.press("Tab")
    expect(page.locator("#editor-faults-summary")).to_contain_text("1 error")
    page.click("#editor-faults-summary")


def reads(tab: str, what: str, dock: str = "below") -> Callable[[Page], None]:
    """A tab of the drawer with what it shows, below the charts or beside them."""

    def step(page: Page) -> None:
        dashboard.show(page, tab)
        if page.locator("#workbench").get_attribute("data-dock") != dock:
            page.click("[data-drawer-way=dock]")
        expect(page.locator(what).first).to_be_visible()
        page.wait_for_function(TABLES_DRAWN)

    return step


def opens_a_job(page: Page) -> None:
    dashboard.show(page, "Compare")
    page.locator('#jobs-grid .ag-pinned-left-cols-container [col-id="title"]').first.click()
    reads("A job", "#job-grid .ag-center-cols-container .ag-row")(page)


# How the page gets there, and where it then differs.
STATES = {
    "nothing open": (lambda page: None, "html"),
    "Share": (opens("#share", "[role=dialog] #share-link"), "[role=dialog]"),
    "Export": (opens("#show-export", ".menu[open] .menu-entries"), ".menu[open]"),
    "Presets": (composes("#editor-presets > summary", "#editor-presets .editor-menu"), "#editor-presets"),
    "Recent": (opens("#show-recent", "[role=dialog] #recent-list"), "[role=dialog]"),
    "Compose an order": (composes("#show-composer", "[role=dialog] #composed"), "[role=dialog]"),
    "All policies": (composes("#show-policies", "[role=dialog] .policy >> nth=0"), "[role=dialog]"),
    "queues and settings": (sections, "#left"),
    "a fault": (faults, "#left"),
    "a decision": (decide, "#decision"),
    "Compare": (reads("Compare", "#metrics-grid .ag-row"), "#drawer"),
    phrase("browser.compare_beside_charts"): (reads("Compare", "#metrics-grid .ag-row", "right"), "#drawer"),
    "Capacity": (reads("Capacity", "#capacity-room .picture-card"), "#drawer"),
    "Differences": (reads("Differences", "#difference-room .picture-card"), "#drawer"),
    "Replay": (reads("Measured", "#replay-answer .finding"), "#drawer"),
    "What if": (reads("What if", "#whatif-line"), "#drawer"),
    "Interval": (reads("Interval", "#span-panel"), "#drawer"),
    "Nodes": (reads("Nodes", ".play-run"), "#drawer"),
    "Job": (opens_a_job, "#drawer"),
    "More": (reads("More charts", "#more-room .picture-card"), "#drawer"),
}


@pytest.mark.everything
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_dashboard(page: Page, server: Server, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    dashboard.opened(page, server.url)
    by_name = {}
    for state, (step, within) in STATES.items():
        step(page)
        by_name[state] = violations(page, within)
        page.keyboard.press("Escape")
        expect(page.locator("[role=dialog]:visible, [role=menu]:visible, .menu[open]")).to_have_count(0)
    assert {state: lines for state, lines in by_name.items() if lines} == {}


OTHERS = (
    "/exercises",
    "/schedulers",
    "/schedulers/fair",
    "/papers",
    "/papers/haste",
    "/papers/dynamic-priority/table-1",
    "/papers/haste/mixed",
    "/model",
    "/help",
    "/help/tutorial",
    "/help/deployment",
    "/help/reference/links",
    "/checked-against-hadoop",
    "/nothing/here",
)


@pytest.mark.everything
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_other_pages(page: Page, server: Server, scheme: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 4000})
    page.emulate_media(color_scheme=scheme)
    by_name = {}
    for path in OTHERS:
        page.goto(server.url + path)
        expect(page.locator("h1")).to_be_visible()
        if path.startswith("/nothing"):
            page.complaints[:] = [said for said in page.complaints if "404" not in said]
        if path.endswith("fair"):
            expect(page.locator(".case img.schedule")).to_have_count(8, timeout=dashboard.READY_MS)
        if path.endswith("mixed"):
            expect(page.locator("#sensitivity-sliders input").first).to_be_visible()
            expect(page.locator("#sensitivity-says")).to_contain_text("hold", timeout=dashboard.READY_MS)
        if path.endswith(("table-1", "mixed")):
            for drawn in (
                "#claim-1",
                "#paper-charts img.schedule >> nth=0",
                ".paper-picture .barlayer >> nth=1",
            ):
                expect(page.locator(drawn)).to_be_attached(timeout=dashboard.READY_MS)
        by_name[path] = violations(page)
    assert {path: lines for path, lines in by_name.items() if lines} == {}
