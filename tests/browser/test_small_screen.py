"""On a telephone, and on a page enlarged until it is as narrow: results first, one scheduler at a time, and
the editor on demand.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.chromium import visitor_of, watch
from tests.browser.server import Server
from tests.phrases import phrase

# What sticks out of the window to the right and stands in nothing that scrolls by itself.
OUTSIDE = """() => [...document.querySelectorAll("body *")].filter((node) => {
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height || box.right <= document.documentElement.clientWidth + 1) return false;
    for (let around = node.parentElement; around !== document.body; around = around.parentElement)
        if (getComputedStyle(around).overflowX !== "visible" || !around.checkVisibility({ contentVisibilityAuto: true })) return false;
    return node.checkVisibility() && !node.closest("svg, .unseen, details:not([open]) > :not(summary)");
}).map((node) => node.outerHTML.slice(0, 80))"""  # noqa: E501
STUCK = """() => [...document.querySelectorAll("body *")].filter((node) => ["sticky", "fixed"].includes(getComputedStyle(node).position))
    .filter((node) => !node.closest(".ag-root-wrapper, .left") && node.checkVisibility())
    .reduce((sum, node) => sum + node.getBoundingClientRect().height, 0)"""  # noqa: E501
ABOVE = (
    "(y) => [...document.querySelectorAll('.lane .rows')].find((rows) => "
    "rows.checkVisibility()).getBoundingClientRect().bottom <= y + 1"
)


def fits(page: Page) -> None:
    """The page scrolls down only."""
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_a_telephone_shows_the_result_first(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, server.url)
    panes = page.get_by_role("navigation", name="What is shown")
    chart = page.locator(".lane:visible .rows")
    expect(page.locator("#editor-jobs")).not_to_be_visible()
    expect(page.locator("#lanes")).to_have_attribute("data-columns", "1")
    fits(page)
    assert violations(page) == []

    # It shows one scheduler and switches by the verdict; pressed again it stays.
    for name in ("fair", "haste", "haste"):
        page.locator(".chip").filter(has_text=name).click()
        expect(page.locator(".chip[aria-pressed=true]")).to_have_count(1)
        expect(page.locator(".chip[aria-pressed=true]")).to_contain_text(name)
        expect(page.locator(".lane:visible")).to_have_count(1)
        expect(page.locator(".lane:visible h3")).to_have_text(name)

    # Each pane is shown in turn, the slider together with what it moves, and the player under the thumb.
    for pane, panel in (("Compare", "#metrics-grid .ag-row"), ("What if", "#whatif-line")):
        panes.get_by_role("button", name=pane, exact=True).click()
        expect(page.locator(panel).first).to_be_visible()
        expect(panes.locator("[aria-pressed=true]")).to_have_text(pane)
        assert violations(page) == [], pane
    page.wait_for_function(ABOVE, arg=page.locator("#drawer").bounding_box()["y"])  # once drawn for its room
    assert chart.bounding_box()["height"] >= 72
    panes.get_by_role("button", name="Result", exact=True).click()
    expect(page.locator("#drawer")).not_to_be_visible()
    assert page.locator("#tools").bounding_box()["y"] > page.locator("#lanes").bounding_box()["y"]

    # Nothing scrolls through the head of a sheet.
    page.locator(".chip").filter(has_text="fair").click()
    expect(page.locator(".lane:visible h3")).to_have_text("fair")
    page.mouse.click(*dashboard.on_bar(page, 0, number=30))
    expect(page.locator("#decision .because")).to_be_visible()
    dashboard.wait_for_animations(page)
    body, head = page.locator("#drawer-body"), page.locator(".drawer-head")
    body.evaluate("body => body.scrollTo(0, 150)")
    assert body.evaluate("body => body.scrollTop") > 50
    box = head.bounding_box()
    assert body.bounding_box()["y"] >= box["y"] + box["height"] - 1
    on_top = "([x, y]) => Boolean(document.elementFromPoint(x, y).closest('.drawer-head'))"
    assert all(
        page.evaluate(on_top, [box["x"] + box["width"] * part / 10, box["y"] + box["height"] / 2])
        for part in range(1, 10)
    )
    # what goes up ends at the head's lower edge
    assert body.evaluate("body => getComputedStyle(body).overflowY") == "auto"

    # The editor is there on demand; a run leads back to the charts.
    panes.get_by_role("button", name="Edit", exact=True).click()
    expect(page.locator("#editor-jobs")).to_be_visible()
    assert violations(page) == []
    page.get_by_label(phrase("browser.title_scenario")).fill("From a telephone")
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    expect(page.locator("#run-reason")).to_be_visible()
    page.click("#run")
    expect(page.locator("#lanes")).to_be_visible()
    expect(page.locator("#editor-jobs")).not_to_be_visible()
    expect(page.locator("#run-status")).to_contain_text("From a telephone")
    page.set_viewport_size({"width": 1280, "height": 740})
    expect(page.locator(".lane:visible")).to_have_count(2)


@pytest.mark.parametrize(
    ("width", "height"),
    [
        pytest.param(640, 360, id="1280 px at 200 %", marks=pytest.mark.everything),
        pytest.param(320, 256, id="1280 px at 400 %"),
    ],
)
def test_an_enlarged_page_scrolls_down_only_and_leaves_room_to_read(
    page: Page, server: Server, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    dashboard.opened_narrow(page, server.url)
    assert page.evaluate(STUCK) <= height / 4
    assert page.locator(".lane:visible .rows").bounding_box()["height"] >= 72
    fits(page)
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.locator("#editor-jobs")).to_be_visible()
    fits(page)
    for path in ("/schedulers", "/schedulers/fair", "/model", "/checked-against-hadoop", "/help/tutorial"):
        page.goto(server.url + path)
        expect(page.locator("h1")).to_be_visible()
        fits(page)


def test_a_finger_scrolls_the_page_and_pans_the_charts_and_two_zoom(browser: Browser, server: Server) -> None:
    page = visitor_of(
        browser, viewport={"width": 360, "height": 440}, has_touch=True, is_mobile=True
    ).new_page()
    page.complaints = watch(page)
    dashboard.opened_narrow(page, server.url)
    dashboard.wait_for_charts_under(page, (160, 300), (220, 300))
    hand = page.context.new_cdp_session(page)

    def move(*fingers: tuple[tuple[int, int], tuple[int, int]]) -> list[float]:
        """Fingers from one point to another, all at once; the window that the charts then rest at."""
        for step in range(9):
            places = [
                {"x": a + (c - a) * step / 8, "y": b + (d - b) * step / 8} for (a, b), (c, d) in fingers
            ]
            hand.send(
                "Input.dispatchTouchEvent",
                {"type": "touchMove" if step else "touchStart", "touchPoints": places},
            )
            page.evaluate("() => new Promise(requestAnimationFrame)")
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return dashboard.sharp(page)

    whole = dashboard.ranges(page)[0]
    zoomed = move(((160, 300), (120, 300)), ((220, 300), (300, 300)))
    assert zoomed[1] - zoomed[0] < 0.6 * (whole[1] - whole[0])
    panned = move(((250, 300), (130, 300)))
    assert panned[0] > zoomed[0]
    before = page.evaluate("() => window.scrollY")
    assert move(((200, 340), (200, 240))) == panned
    page.wait_for_function("before => window.scrollY > before + 40", arg=before)
    assert dashboard.ranges(page)[0] == panned
    assert page.complaints == []
    page.context.close()
