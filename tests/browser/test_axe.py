"""WCAG 2.2, levels A and AA, as far as axe can tell, on every page and with every dialog open."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser import dashboard
from tests.browser.chromium import watch
from tests.browser.server import Server

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}, "resultTypes": ["violations"]}

# What a library does wrong and we can't fix: (rule, start of the selector, its issue). Nothing today.
KNOWN: tuple[tuple[str, str, str], ...] = ()

TABLES_DRAWN = "() => [...document.querySelectorAll('#drawer .panel-of-tab:not([hidden]) .ag-root')].every((table) => table.querySelector('.ag-header-cell'))"


def violations(page: Page, within: str = "html") -> list[str]:
    """A line for each element that breaks a rule; the drawings, hidden from assistive technology as they are, take most of the time and are left out."""
    assert page.locator(":is(.main-svg, .moving):not([aria-hidden=true] *)").count() == 0
    found = Axe().run(page, context={"include": [within], "exclude": [".main-svg", ".moving"]}, options=RULES).response
    assert len(found["passes"]) > 5  # it did look
    lines = []
    for rule in found["violations"]:
        for node in rule["nodes"]:
            selector = " ".join(map(str, node["target"]))
            if not any(rule["id"] == known and selector.startswith(start) for known, start, _issue in KNOWN):
                lines.append(f"{rule['id']}: {selector}: {node['html'][:200]}: {node['failureSummary']}")
    return lines


def opens(button: str, what: str) -> Callable[[Page], None]:
    """A click on the button, until what it opens stands still."""

    def step(page: Page) -> None:
        page.click(button)
        expect(page.locator(what)).to_be_visible()
        page.wait_for_timeout(400)  # it has faded in: before that its colours are pale

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
    page.wait_for_timeout(400)


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
        page.wait_for_timeout(400)
        page.wait_for_function(TABLES_DRAWN)

    return step


def opens_a_job(page: Page) -> None:
    dashboard.show(page, "Compare")
    page.locator('#jobs-grid .ag-pinned-left-cols-container [col-id="title"]').first.click()
    reads("Job", "#job-grid .ag-center-cols-container .ag-row")(page)


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
    "Compare beside the charts": (reads("Compare", "#metrics-grid .ag-row", "right"), "#drawer"),
    "Capacity": (reads("Capacity", "#capacity-room .picture-card"), "#drawer"),
    "Differences": (reads("Differences", "#difference-room .picture-card"), "#drawer"),
    "Replay": (reads("Replay", "#replay-answer .finding"), "#drawer"),
    "What if": (reads("What if", "#whatif-line"), "#drawer"),
    "Interval": (reads("Interval", "#span-panel"), "#drawer"),
    "Nodes": (reads("Nodes", ".play-run"), "#drawer"),
    "Job": (opens_a_job, "#drawer"),
    "More": (reads("More", "#more-room .picture-card"), "#drawer"),
}


@pytest.fixture(scope="module")
def visited(browser: Browser, server: Server):
    """A dashboard for each scheme, opened once: each state is left by Escape."""
    pages: dict[str, Page] = {}

    def get(scheme: str) -> Page:
        if scheme not in pages:
            pages[scheme] = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme, locale="en-GB").new_page()
            pages[scheme].complaints = watch(pages[scheme])
            dashboard.opened(pages[scheme], server.url)
        return pages[scheme]

    yield get
    for page in pages.values():
        assert page.complaints == []
        page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_the_dashboard(visited: Callable[[str], Page], scheme: str, state: str) -> None:
    page = visited(scheme)
    step, within = STATES[state]
    step(page)
    found = violations(page, within)
    page.keyboard.press("Escape")
    expect(page.locator("[role=dialog]:visible, [role=menu]:visible, .menu[open]")).to_have_count(0)
    assert found == []


def test_the_dashboard_on_a_telephone(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, server.url)
    assert violations(page) == []
    for pane, what in (("Compare", "#metrics-grid .ag-row"), ("What if", "#whatif-line"), ("Edit", "#editor-jobs")):
        page.get_by_role("navigation", name="What is shown").get_by_role("button", name=pane, exact=True).click()
        expect(page.locator(what).first).to_be_visible()
        assert violations(page) == [], pane


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    [
        "/schedulers",
        "/schedulers/fair",
        "/papers",
        "/papers/haste",
        "/papers/dynamic-priority/table-1",
        "/papers/haste/mixed",
        "/model",
        "/checked-against-hadoop",
        "/nothing/here",
    ],
)
def test_the_other_pages(page: Page, server: Server, path: str, scheme: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 4000})
    page.emulate_media(color_scheme=scheme)
    page.goto(server.url + path)
    expect(page.locator("h1")).to_be_visible()
    if path.startswith("/nothing"):
        page.complaints[:] = [said for said in page.complaints if "404" not in said]
    if path.endswith("fair"):
        expect(page.locator(".case img.schedule")).to_have_count(8, timeout=dashboard.READY_MS)
    if path.endswith("mixed"):
        expect(page.locator("#bench-sliders input").first).to_be_visible()
        expect(page.locator("#bench-says")).to_contain_text("hold", timeout=dashboard.READY_MS)
    if path.endswith(("table-1", "mixed")):
        for drawn in ("#claim-1", "#paper-charts img.schedule >> nth=0", ".paper-picture .barlayer >> nth=1"):
            expect(page.locator(drawn)).to_be_attached(timeout=dashboard.READY_MS)
        page.wait_for_timeout(400)  # the way there: plotly draws a figure's layers one by one
    assert violations(page) == []
