"""Light and dark, wide and narrow, and paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import dashboard
from tests.browser.chromium import watch
from tests.browser.server import Server
from webapp import theme

MAP = theme.PHASES[theme.MAP_PHASE]
SCHEME = """() => ({
    page: document.documentElement.getAttribute("data-mantine-color-scheme"),
    grid: document.documentElement.getAttribute("data-ag-theme-mode"),
    charts: [...document.querySelectorAll("#lanes .chart")].map((chart) => getComputedStyle(chart.querySelector(".p-map")).fill),
})"""
# Sizes of what is written on the page, in px, each with the start of a text that has it.
SIZES = """() => {
    const sizes = {};
    for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode(); ) {
        const words = walk.currentNode.data.trim();
        const node = walk.currentNode.parentElement;
        if (!words || node.closest("style, script, noscript, kbd, code, .unseen") || !node.checkVisibility({ visibilityProperty: true })) continue;
        const size = parseFloat(getComputedStyle(node).fontSize);
        if (size) sizes[size] = `${words.slice(0, 40)} (${node.className || node.localName})`;
    }
    return sizes;
}"""
TYPE = {12, 13, 15, 18, 24}


def map_colour(scheme: str) -> str:
    return "rgb({}, {}, {})".format(*theme.rgb(MAP.colour(scheme == "dark")))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_visit_follows_the_system(page: Page, server: Server, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    dashboard.opened(page, server.url)
    page.wait_for_timeout(500)
    assert page.evaluate(SCHEME) == {"page": scheme, "grid": scheme, "charts": [map_colour(scheme)] * 4}


def test_the_scheme_is_switched_for_all_and_kept(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.click("#turn-scheme")
    page.wait_for_function("() => document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark'")
    assert page.evaluate(SCHEME) == {"page": "dark", "grid": "dark", "charts": [map_colour("dark")] * 4}
    page.reload()
    dashboard.drawn(page)
    assert page.evaluate(SCHEME) == {"page": "dark", "grid": "dark", "charts": [map_colour("dark")] * 4}


@pytest.mark.parametrize(("width", "charts", "columns"), [(1920, 4, "2"), (1280, 4, "1"), (360, 1, "1")])
def test_nothing_is_wider_than_the_window(page: Page, server: Server, width: int, charts: int, columns: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    dashboard.opened(page, server.url) if charts > 1 else dashboard.opened_narrow(page, server.url)
    if width > 1800:
        page.click("#turn-rail")  # the charts have the whole width
        page.click("[data-drawer-way=close]")
    expect(page.locator("#lanes")).to_have_attribute("data-columns", columns)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    widths = page.evaluate(
        f"() => [...document.querySelectorAll('{dashboard.CHARTS}')].map((chart) => [chart.clientWidth, chart.closest('.lane').clientWidth])"
    )
    assert all(0 <= chart <= lane for chart, lane in widths)


def test_a_projector_has_one_row_of_tools_and_shows_every_chart(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    dashboard.opened(page, server.url)
    page.fill("#find", "map")
    expect(page.locator("#find-count")).not_to_have_text("")
    middle = "(tools) => tools.map((tool) => tool.getBoundingClientRect()).filter((box) => box.height).map((box) => box.top + box.height / 2)"
    middles = page.locator("#tools > *").evaluate_all(middle)
    assert max(middles) - min(middles) <= 2
    for field in ("#find", "#rows-find"):
        assert page.locator(field).bounding_box()["width"] > 60
        assert page.locator(field).bounding_box()["height"] == 28
    room = page.locator("#lanes").bounding_box()
    for chart in page.locator(dashboard.CHARTS).all():
        box = chart.bounding_box()
        assert room["y"] <= box["y"] and box["y"] + box["height"] <= room["y"] + room["height"]


def test_five_sizes_of_type_are_enough(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    for tab in ("Why", "Compare", "Capacity", "Differences", "What if", "Interval", "Nodes", "Job", "More"):
        dashboard.show(page, tab)
        page.wait_for_timeout(1_500)  # what the tab shows has come
        sizes = {float(size): words for size, words in page.evaluate(SIZES).items()}
        assert {size: words for size, words in sizes.items() if size not in TYPE} == {}, tab


def test_a_drawer_puts_its_answer_first(page: Page, server: Server) -> None:
    """The first row of numbers or the first sentence stands within 60 px of the tabs, though the drawer is 240 px high."""
    page.set_viewport_size({"width": 1440, "height": 900})
    dashboard.opened(page, server.url)
    answers = {
        "Compare": "#metrics-grid .ag-header",
        "Capacity": "#capacity-says strong",
        "Differences": "#difference-says strong",
        "Nodes": ".play-run strong",
    }
    for tab, answer in answers.items():
        dashboard.show(page, tab)
        expect(page.locator(answer).first).to_be_visible()
        head = page.locator(".drawer-head").bounding_box()
        assert page.locator(answer).first.bounding_box()["y"] - head["y"] - head["height"] < 60, tab


def test_a_narrow_page_shows_results_first_and_the_editor_on_demand(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, server.url)
    expect(page.locator("#editor-jobs")).not_to_be_visible()
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.locator("#editor-jobs")).to_be_visible()
    page.get_by_label("Title of the scenario").fill("From a telephone")
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    expect(page.locator("#run-reason")).to_be_visible()
    page.click("#run")
    expect(page.locator("#lanes")).to_be_visible()
    expect(page.locator("#editor-jobs")).not_to_be_visible()
    expect(page.locator("#run-status")).to_contain_text("From a telephone")


def test_a_narrow_page_shows_one_scheduler_and_switches_by_the_verdict(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, server.url)
    for name in ("fair", "capacity", "capacity"):  # pressed again it stays
        page.locator(".chip").filter(has_text=name).click()
        expect(page.locator(".chip[aria-pressed=true]")).to_have_count(1)
        expect(page.locator(".chip[aria-pressed=true]")).to_contain_text(name)
        expect(page.locator(".lane:visible")).to_have_count(1)
        expect(page.locator(".lane:visible h3")).to_have_text(name)
    page.set_viewport_size({"width": 1280, "height": 740})
    expect(page.locator(".lane:visible")).to_have_count(4)


def test_panes_of_a_narrow_page(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, server.url)
    panes = page.get_by_role("navigation", name="What is shown")
    chart = page.locator(".lane:visible .rows")
    for pane, panel in (("Compare", "#metrics-grid"), ("What if", "#whatif-line")):
        panes.get_by_role("button", name=pane, exact=True).click()
        expect(page.locator(panel)).to_be_visible()
        expect(panes.locator("[aria-pressed=true]")).to_have_text(pane)
    sheet = page.locator("#drawer").bounding_box()["y"]
    bottom = "(y) => [...document.querySelectorAll('.lane .rows')].find((rows) => rows.checkVisibility()).getBoundingClientRect().bottom <= y + 1"
    page.wait_for_function(bottom, arg=sheet)  # once drawn for its room: the slider and what it moves are seen together
    assert chart.bounding_box()["height"] >= 72
    panes.get_by_role("button", name="Result", exact=True).click()
    expect(page.locator("#drawer")).not_to_be_visible()
    assert page.locator("#tools").bounding_box()["y"] > page.locator("#lanes").bounding_box()["y"]  # the player is under the thumb


def test_paper_has_the_charts_and_the_verdict_in_light_and_no_tools(page: Page, server: Server) -> None:
    page.emulate_media(color_scheme="dark")
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.show(page, "Compare")
    page.wait_for_timeout(500)
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    for name in ("#left", "#run", "#tools", "#drawer", ".panes"):
        expect(page.locator(name)).not_to_be_visible()
    expect(page.locator(".lane h3").first).to_be_visible()
    expect(page.locator("#answer-says")).to_contain_text("finished first")
    says = page.locator("#answer-says")
    assert says.evaluate("(node) => node.scrollWidth <= node.clientWidth")  # nothing of it is cut
    assert page.evaluate(SCHEME)["charts"] == [map_colour("light")] * 4
    assert page.locator("#workbench").bounding_box()["width"] <= 980  # letter size on its side


def test_a_presentation_is_written_half_as_large_again(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    dashboard.opened(page, server.url)
    size = """(name) => {
        const node = [...document.querySelectorAll(name)].find((one) => one.checkVisibility());
        return parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom;
    }"""
    before = {name: page.evaluate(size, name) for name in (".lane-facts", ".chip", ".lane-head h3")}
    page.click("#present")
    expect(page.locator(".lane:visible")).to_have_count(2)
    for name, px in before.items():
        assert page.evaluate(size, name) >= 1.35 * px, name
    page.click("[data-play=next]")
    page.click("[data-play=next]")
    expect(page.locator("#subtitle")).to_be_visible()
    page.wait_for_timeout(500)
    said = page.locator("#subtitle").bounding_box()
    assert said["y"] + said["height"] <= 720
    for chart in page.locator(".lane:visible .chart").all():
        box = chart.bounding_box()
        assert box["y"] + box["height"] <= said["y"] + 1  # it covers none


def test_a_finger_scrolls_the_page_and_pans_the_charts_and_two_zoom(browser: Browser, server: Server) -> None:
    page = browser.new_context(viewport={"width": 360, "height": 440}, has_touch=True, is_mobile=True).new_page()
    page.complaints = watch(page)
    dashboard.opened_narrow(page, server.url)
    dashboard.steady_under(page, (160, 300), (220, 300))
    hand = page.context.new_cdp_session(page)

    def move(*fingers: tuple[tuple[int, int], tuple[int, int]]) -> None:
        """Fingers from one point to another, all at once."""
        for step in range(9):
            places = [{"x": a + (c - a) * step / 8, "y": b + (d - b) * step / 8} for (a, b), (c, d) in fingers]
            hand.send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": places})
            page.wait_for_timeout(30)
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(500)

    whole = dashboard.ranges(page)[0]
    move(((160, 300), (120, 300)), ((220, 300), (300, 300)))
    zoomed = dashboard.ranges(page)[0]
    assert zoomed[1] - zoomed[0] < 0.6 * (whole[1] - whole[0])
    move(((250, 300), (130, 300)))
    panned = dashboard.ranges(page)[0]
    assert panned[0] > zoomed[0]
    before = page.evaluate("() => window.scrollY")
    move(((200, 340), (200, 240)))
    assert page.evaluate("() => window.scrollY") > before + 40
    assert dashboard.ranges(page)[0] == panned
    assert page.complaints == []
    page.context.close()
