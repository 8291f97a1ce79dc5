"""Light and dark, wide and projected, and paper."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.scenarios import SMALL
from tests.browser.server import Server
from tests.browser.sliders import NODES, RANGE, add
from webapp import theme
from webapp.panels import drawer

MAP = theme.PHASES[theme.MAP_PHASE]
SCHEME = """() => ({
    page: document.documentElement.getAttribute("data-mantine-color-scheme"),
    grid: document.documentElement.getAttribute("data-ag-theme-mode"),
    charts: [...document.querySelectorAll("#lanes .chart")].map((chart) => getComputedStyle(chart.querySelector(".p-map")).fill),
})"""  # noqa: E501
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
}"""  # noqa: E501
TYPE = {12, 13, 15, 18, 24}
# Gantt charts of which all is seen above the drawer.
SEEN = """() => {
    const [room, drawer] = ["lanes", "drawer"].map((id) => document.getElementById(id).getBoundingClientRect());
    const bottom = Math.min(room.bottom, drawer.top, window.innerHeight) + 1;
    return [...document.querySelectorAll("#lanes .rows .plot")].map((plot) => plot.getBoundingClientRect())
      .filter(({ top, bottom: low, height }) => height > 60 && top >= room.top - 1 && low <= bottom).length;
}"""  # noqa: E501
SIZE = """(name) => {
    const node = [...document.querySelectorAll(name)].find((one) => one.checkVisibility());
    return parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom;
}"""
MIDDLES = (
    "(tools) => tools.map((tool) => tool.getBoundingClientRect()).filter((box) => box.height).map((box) "
    "=> box.top + box.height / 2)"
)
# The first row of numbers or the first sentence of a tab.
ANSWERS = {
    "Compare": "#metrics-grid .ag-header",
    "Capacity": "#capacity-says strong",
    "Differences": "#difference-says strong",
    "Nodes": ".play-run strong",
}
PANELS = [panel.name for tab in drawer.TABS for panel in tab.panels]


def map_colour(scheme: str) -> str:
    return "rgb({}, {}, {})".format(*theme.rgb(MAP.colour(scheme == "dark")))


def boxes(page: Page) -> list[dict]:
    """Where the charts and the player stand."""
    return [box.bounding_box() for box in page.locator(f"{dashboard.CHARTS}, #play").all()]


def fits(page: Page, width: int) -> None:
    """Nothing is wider than the window, and no chart than its lane."""
    dashboard.wait_for_animations(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    for chart in page.locator(dashboard.CHARTS).all():
        assert chart.evaluate("chart => chart.clientWidth <= chart.closest('.lane').clientWidth")


def test_light_dark_and_paper(page: Page, server: Server) -> None:
    # The first visit follows the system.
    page.emulate_media(color_scheme="dark")
    dashboard.opened(page, server.url)
    page.wait_for_function(f"scheme => ({SCHEME})().page === scheme", arg="dark")
    assert page.evaluate(SCHEME) == {"page": "dark", "grid": "dark", "charts": [map_colour("dark")] * 4}

    assert violations(page) == []

    # Paper has the charts and the verdict in light and no tools.
    dashboard.compose(page)
    dashboard.show(page, "Compare")
    expect(page.locator("#metrics-grid .ag-row").first).to_be_visible()
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    for name in ("#left", "#run", "#tools", "#drawer", ".panes", ".card-tools"):
        expect(page.locator(name).first).not_to_be_visible()
    expect(page.locator(".lane h3").first).to_be_visible()
    says = page.locator("#answer-says")
    expect(says).to_contain_text("sooner than")
    assert says.evaluate("(node) => node.scrollWidth <= node.clientWidth")  # nothing of it is cut
    assert page.evaluate(SCHEME)["charts"] == [map_colour("light")] * 4
    assert page.locator("#workbench").bounding_box()["width"] <= 980  # letter size on its side
    assert (
        page.evaluate("() => getComputedStyle(document.querySelector('.swatch')).printColorAdjust") == "exact"
    )
    page.emulate_media(media="screen")
    page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")

    # The scheme is switched for all, and kept.
    page.click("#turn-scheme")
    light = {"page": "light", "grid": "light", "charts": [map_colour("light")] * 4}
    page.wait_for_function(f"scheme => ({SCHEME})().page === scheme", arg="light")
    assert page.evaluate(SCHEME) == light
    page.reload()
    dashboard.drawn(page)
    assert page.evaluate(SCHEME) == light

    # Five sizes of type are enough, whatever tab is open.
    for panel in PANELS:
        with dashboard.answered(page):
            dashboard.show(page, panel)
        sizes = {float(size): words for size, words in page.evaluate(SIZES).items()}
        assert {size: words for size, words in sizes.items() if size not in TYPE} == {}, panel

    # A drawer puts its answer first, within 60 px of what it says it answers, though it is 240 px high.
    for panel, answer in ANSWERS.items():
        dashboard.show(page, panel)
        expect(page.locator(answer).first).to_be_visible()
        head = page.locator(".panel-head").bounding_box()
        below = head["y"] + head["height"] + 60
        page.wait_for_function(
            "([answer, below]) => document.querySelector(answer)?.getBoundingClientRect().y < below",
            arg=[answer, below],
        )

    # Colours that mean something outlive forced colours.
    page.emulate_media(forced_colors="active", color_scheme="light")
    colour = "(name) => getComputedStyle(document.querySelector(name)).backgroundColor"
    assert page.evaluate(colour, ".swatch-map") == "rgb(47, 122, 184)"
    assert page.evaluate(colour, "#run .icon") != page.evaluate(colour, "#run")
    page.emulate_media(forced_colors="none")


def test_wide_and_on_a_projector(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    dashboard.opened(page, server.url)
    expect(page.locator("#lanes")).to_have_attribute("data-columns", "2")
    fits(page, 1280)
    # A projector has one row of tools and shows every chart.
    middles = page.locator(".bar > *").evaluate_all(MIDDLES)
    assert max(middles) - min(middles) <= 2
    page.locator("#view > summary").click()
    fits(page, 1280)
    for field in ("#find", "#rows-find", "#rows-by"):
        assert page.locator(field).bounding_box()["width"] > 200
    page.keyboard.press("Escape")
    room = page.locator("#lanes").bounding_box()
    for chart in page.locator(dashboard.CHARTS).all():
        box = chart.bounding_box()
        assert room["y"] <= box["y"] and box["y"] + box["height"] <= room["y"] + room["height"]

    # Nodes and the player push nothing away.
    dashboard.show(page, "Nodes")
    step = page.get_by_role("button", name="Next decision (])")
    step.click()
    expect(page.locator("#play-nodes svg")).to_have_count(4)
    dashboard.sharp(page)
    places = boxes(page)
    assert page.evaluate(SEEN) >= 1
    for _ in range(3):
        step.click()
    dashboard.sharp(page)
    assert boxes(page) == places
    player = page.locator("#play").bounding_box()
    page.locator("#lanes").evaluate("lanes => lanes.scrollTo(0, lanes.scrollHeight)")
    page.mouse.move(640, 700)
    page.mouse.wheel(0, 2000)
    dashboard.wait_for_animations(page)
    assert page.locator("#play").bounding_box() == player
    expect(page.locator("#play")).to_be_in_viewport(ratio=1)

    # A presentation is written half as large again, and its subtitle covers no chart.
    before = {name: page.evaluate(SIZE, name) for name in (".lane-facts", ".lane-head h3")}
    page.click("#present")
    expect(page.locator(".lane:visible")).to_have_count(2)
    for name, px in before.items():
        assert page.evaluate(SIZE, name) >= 1.35 * px, name
    for _ in range(2):
        page.click("[data-play=next]")
    expect(page.locator("#subtitle")).to_be_visible()
    dashboard.wait_for_animations(page)
    said = page.locator("#subtitle").bounding_box()
    for chart in page.locator(".lane:visible .chart").all():
        box = chart.bounding_box()
        assert said["y"] + said["height"] <= box["y"] + 1 and box["y"] + box["height"] <= 721
    page.keyboard.press("Escape")

    # Charts and slider are seen together beside the curve.
    dashboard.compose(page)
    dashboard.load(page, SMALL, ["fifo", "fair"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    add(page, NODES)
    expect(page.locator("#whatif-card .scatterlayer .point").first).to_be_visible(timeout=dashboard.READY_MS)
    for width, height in ((1280, 720), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        dashboard.wait_for_animations(page)
        expect(page.locator(RANGE)).to_be_in_viewport(ratio=1)
        page.wait_for_function(f"() => ({SEEN})() >= 1")

    # A wide screen has charts side by side where they have its whole width.
    page.set_viewport_size({"width": 1920, "height": 900})
    page.click("#turn-rail")
    page.click("[data-drawer-way=close]")
    expect(page.locator("#lanes")).to_have_attribute("data-columns", "2")
    fits(page, 1920)
