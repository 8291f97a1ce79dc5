"""The workbench: charts always in view, with everything else around them, and all of it in the address."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.conftest import visit
from tests.browser.scenarios import SMALL
from tests.browser.server import Server
from tests.browser.sharing import stranger
from tests.phrases import phrase
from webapp.panels import drawer

SIZE = (
    "() => { const { width, height } = document.getElementById('drawer').getBoundingClientRect(); return "
    "[width, height].map(Math.round); }"
)
LEFT = "[...document.querySelectorAll('.lane')].map((lane) => Math.round(lane.getBoundingClientRect().x))"
HIGH = f"document.querySelectorAll('{dashboard.ROWS}')[1].getBoundingClientRect().height"
LABELS = """[...document.querySelectorAll('.lane:not([data-folded]) .rows .labels text')]
    .map((text) => [text.textContent, text.getBoundingClientRect().x])"""
PAINTED = (
    "[...document.querySelectorAll('#lanes .chart')[0].querySelectorAll('.rows "
    "path[class^=g-]')].map((path) => path.getAttribute('class'))"
)
PLACES_OF = "(charts) => [...document.querySelectorAll(charts)].map((chart) => chart.getBoundingClientRect())"
IN_ADDRESS = "keys => keys.every((key) => new URLSearchParams(window.location.search).has(key))"


def many_users() -> dict:
    """Jobs of several queues and users."""
    queues = [{"name": "root.prod", "weight": 2.0}, {"name": "root.dev"}]
    maps = {"count": 6, "memory_mb": 1024, "vcores": 1, "duration_s": 20}
    jobs = [
        {"name": f"job{one}", "queue": queues[one % 2]["name"], "user": f"user{one % 3}", "maps": maps}
        for one in range(4)
    ]
    return {**SMALL, "name": "Shared", "queues": queues, "jobs": jobs}


def sees(page: Page, width: int, height: int, least: int) -> None:
    """The ruler and so many Gantts are seen without scrolling."""
    dashboard.wait_until_stable(page, PLACES_OF, 20, dashboard.ROWS)
    lanes, ruler = page.locator("#lanes").bounding_box(), page.locator("#ruler .times").first.bounding_box()
    assert ruler["y"] + ruler["height"] <= lanes["y"] <= height / 3
    plots = [plot.bounding_box() for plot in page.locator(dashboard.ROWS).all()]
    whole = [
        plot
        for plot in plots
        if plot["y"] >= lanes["y"]
        and plot["y"] + plot["height"] <= lanes["y"] + lanes["height"] + 1 <= height + 1
    ]
    assert len(whole) >= least
    assert min(plot["height"] for plot in plots) >= 64
    assert page.evaluate("() => document.documentElement.scrollHeight") <= height


def dragged(page: Page, *ways: float) -> None:
    """The edge of the drawer, up by so many pixels, and so on from there."""
    edge = page.locator("#drawer-edge").bounding_box()
    x, y = edge["x"] + 300, edge["y"] + 4
    page.mouse.move(x, y)
    page.mouse.down()
    for way in ways:
        y -= way
        page.mouse.move(x, y, steps=4)
    page.mouse.up()


def test_charts_have_the_room_that_there_is_and_stand_side_by_side_where_it_is_wide(
    page: Page, server: Server, elsewhere: BrowserContext
) -> None:
    with visit(elsewhere) as low:
        low.set_viewport_size({"width": 1280, "height": 720})
        dashboard.opened(low, server.url)
        sees(low, 1280, 720, 2)
        expect(low.locator("#workbench")).to_have_attribute("data-drawer", "closed")
    page.set_viewport_size({"width": 1920, "height": 1080})
    dashboard.opened(page, server.url)
    sees(page, 1920, 1080, 4)
    expect(page.locator("#workbench")).to_have_attribute("data-drawer", "open")
    page.locator("#turn-rail").click()  # it opens by itself there
    page.get_by_role("button", name="Close the drawer").click()
    page.wait_for_function(
        f"() => {{ const [a, b, c, d] = {LEFT}; return a === c && b === d && b > a + 800; }}"
    )
    expect(page.locator("#ruler .times:not([hidden])")).to_have_count(2)
    dashboard.press_in_view(page, "card-columns")
    page.wait_for_function(f"() => new Set({LEFT}).size === 1")
    expect(page.locator("#ruler .times:not([hidden])")).to_have_count(1)


def test_lanes_fold_are_shown_alone_coloured_and_beside_the_editor(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    sees(page, 1440, 900, 4)
    expect(page.locator("#workbench")).to_have_attribute("data-drawer", "open")

    # The ruler's times stand over the bars they are of.
    first_s, last_s = dashboard.sharp(page)
    plot = page.locator(dashboard.ROWS).first.bounding_box()
    ruler = page.locator("#ruler .times:first-child span:not([hidden])")
    ticks = ruler.evaluate_all(
        "ticks => ticks.map((tick) => [tick.textContent, tick.getBoundingClientRect().x])"
    )
    assert len(ticks) > 5
    for words, x in ticks:
        minutes, seconds = re.fullmatch(r"(\d+):(\d\d)", words).groups()
        second = 60 * int(minutes) + int(seconds)
        assert x == pytest.approx(plot["x"] + (second - first_s) / (last_s - first_s) * plot["width"], abs=2)

    # The rail holds the editor, and the charts stay beside it.
    title = page.get_by_label(phrase("browser.title_scenario"))
    expect(title).to_be_hidden()
    dashboard.compose(page)
    expect(title).to_have_value(presets()[0].scenario.name)
    rail = page.locator("#rail").bounding_box()
    page.wait_for_function(
        f"edge => document.querySelector('{dashboard.CHARTS}').getBoundingClientRect().x >= edge",
        arg=rail["x"] + rail["width"],
    )
    page.click("#turn-rail")
    expect(title).to_be_hidden()

    # Below each other a lane folds, and the others take its room.
    dashboard.press_in_view(page, "card-columns")
    expect(page.locator("#lanes")).to_have_attribute("data-columns", "1")
    dashboard.sharp(page)
    fold = page.get_by_role("button", name="Charts of fifo")
    high = page.evaluate(f"() => {HIGH}")
    fold.click()
    expect(page.locator(".chart").first).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    page.wait_for_function(f"high => {HIGH} > high", arg=high)
    page.wait_for_url("**folded=0*")
    fold.click()
    expect(page.locator(".chart").first).to_be_visible()
    page.wait_for_function(f"high => {HIGH} === high", arg=high)

    # A scheduler alone has what there is room for then; a label stays in what is seen of its bar.
    lane = page.locator(".lane").nth(2)
    expect(lane.locator(".lane-facts")).to_contain_text(re.compile(r"Makespan\s*7:\d\d"))
    dashboard.show_only(page, 2)
    expect(page.locator(".chart:visible")).to_have_count(1)
    expect(lane.locator(".chart")).to_be_visible()
    expect(lane.locator(".strip")).to_have_count(2)
    dashboard.show_only(page, 2)
    expect(page.locator(".chart:visible")).to_have_count(4)
    dashboard.show_only(page, 1)
    expect(page.locator(".chart:visible")).to_have_count(1)
    page.locator(".chart:visible").focus()
    for key in "eewwww":
        page.keyboard.press(key)
    dashboard.sharp(page)
    page.wait_for_function(f"() => {LABELS}.length > 3")
    plot = page.locator(dashboard.ROWS).nth(1).bounding_box()
    masters = [
        bar
        for bar in dashboard.bars(page, 1, "master")
        if plot["y"] < bar[1] < plot["y"] + plot["height"] - bar[3]
    ]
    begun = [bar for bar in masters if bar[0] < plot["x"] and bar[0] + bar[2] > plot["x"] + 200]
    assert begun  # a master that began long before
    stuck = [text for text, x in page.evaluate(f"() => {LABELS}") if plot["x"] <= x <= plot["x"] + 12]
    assert len(stuck) >= len(begun) and all(text.startswith("wordc") for text in stuck)
    page.keyboard.press("0")
    dashboard.show_only(page, 1)
    expect(page.locator(".chart:visible")).to_have_count(4)

    # Equal runs stand once.
    dashboard.load(page, SMALL, ["capacity", "fifo", "fair+slowstart"])
    dashboard.run(page)
    expect(page.locator("#run-status")).to_contain_text("Small: 3 schedulers")
    lanes = page.locator("#lanes h3")
    expect(lanes.first).to_contain_text("capacity = fifo")
    assert lanes.count() == page.locator(dashboard.DRAWN).count() < 3

    # Colour by job, queue or user, with its legend.
    dashboard.load(page, many_users(), ["fifo", "fair"])
    dashboard.run(page)
    names = {
        "job": ["job0", "job1", "job2", "job3"],
        "queue": ["root.prod", "root.dev"],
        "user": ["user0", "user1", "user2"],
    }
    for by, expected in names.items():
        dashboard.choose(page, "colour-by", by)
        page.wait_for_url(f"**colour={by}*")
        expect(page.locator("#legend")).to_be_hidden()
        legend = page.locator("#legend-groups .pick-phase")
        expect(legend).to_have_text(expected)
        assert legend.evaluate_all("all => all.map((one) => one.ariaPressed)") == ["false"] * len(expected)
        page.wait_for_function(f"many => new Set({PAINTED}).size === many", arg=len(expected))
        swatch = legend.first.locator(".swatch").evaluate(
            "swatch => getComputedStyle(swatch).backgroundColor"
        )
        assert swatch == page.locator("#lanes .chart .rows path.g-0").first.evaluate(
            "path => getComputedStyle(path).fill"
        )
    page.locator("#legend-groups").get_by_role("button", name="user1").click()
    page.wait_for_url("**user=user1*")
    dashboard.highlighted(page, "user:user1")
    dashboard.choose(page, "colour-by", "phase")
    expect(page.locator("#legend")).to_be_visible()
    page.wait_for_function("() => !window.location.search.includes('colour')")


def test_the_drawer_is_as_high_as_it_is_made_and_a_link_keeps_it_with_time_decision_and_interval(
    page: Page, server: Server, elsewhere: BrowserContext
) -> None:
    dashboard.opened(page, server.url)
    assert "drawer" not in page.url
    _, high = page.evaluate(SIZE)
    page.locator("#drawer-edge").focus()
    for key, by in (("ArrowUp", 24), ("ArrowDown", 0)):
        page.keyboard.press(key)
        page.wait_for_function(f"high => ({SIZE})()[1] === high", arg=high + by)

    # A chart is as low as the drawer and follows it, down to where it scrolls.
    dashboard.show(page, "More charts")
    expect(page.locator("#queue-story")).not_to_be_empty(timeout=dashboard.READY_MS)
    fits = """room => {
      const [frame, drawn] = ["#queue-graph", "#queue-graph .main-svg"].map((one) => Math.round(document.querySelector(one).getBoundingClientRect().height));
      const body = document.getElementById("drawer-body").clientHeight;
      return frame === drawn && (room === "low" ? frame <= body - 40 && frame >= 150 : frame >= 280 && frame <= body);
    }"""  # noqa: E501
    page.wait_for_function(fits, arg="low")
    dragged(page, 220)
    page.wait_for_function(fits, arg="high")
    dragged(page, -320)
    page.wait_for_function(
        "() => Math.round(document.getElementById('queue-graph').getBoundingClientRect().height) === 160"
    )
    assert page.evaluate("() => document.getElementById('drawer-body').clientHeight") < 160

    # Time, interval, decision and drawer are in the address and come back from it.
    dragged(page, 100)
    page.locator(".chart").nth(2).focus()
    for _ in range(3):
        page.keyboard.press("]")
    clock = page.locator("#play-time")
    expect(clock).not_to_have_text(re.compile(r"^(0:00(\.0+)?)?$"))
    dashboard.sharp(page)
    box = page.locator(dashboard.ROWS).first.bounding_box()
    page.keyboard.down("Shift")
    page.mouse.move(box["x"] + 300, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 420, box["y"] + 30, steps=3)
    page.mouse.up()
    page.keyboard.up("Shift")
    page.mouse.click(*dashboard.on_bar(page, 1, number=30))
    expect(page.locator("#decision-title")).to_have_text(re.compile(r"^Decision \d+ of 148"))
    _, high = page.evaluate(SIZE)
    page.wait_for_url(f"**drawer={high}*")
    page.wait_for_function(IN_ADDRESS, arg=["t", "span", "why", "tab"])
    with visit(elsewhere) as fresh:
        traffic = dashboard.Traffic(fresh)
        dashboard.opened(fresh, page.url)
        for said in ("#decision-title", "#decision-where", "#play-time"):
            expect(fresh.locator(said)).to_have_text(page.locator(said).inner_text())
        expect(fresh.get_by_role("tab", name="Why")).to_have_attribute("aria-selected", "true")
        assert fresh.evaluate(SIZE)[1] == high
        dashboard.sharp(fresh)
        assert fresh.locator(".span").first.bounding_box() == page.locator(".span").first.bounding_box()
        expect(fresh.locator(".mark:not([hidden])")).to_have_count(1)
        traffic.wait_until_idle()
        assert fresh.url == page.url
    dashboard.show(page, "Capacity")
    page.wait_for_url("**tab=capacity*")
    page.get_by_role("button", name=phrase("browser.dock_below_or_at_right")).click()
    page.wait_for_url("**dock=right*")
    wide, _ = page.evaluate(SIZE)
    page.get_by_role("button", name="Close the drawer").click()
    page.wait_for_url("**drawer=closed*")
    with stranger(elsewhere, page.url) as fresh:
        expect(fresh.locator("#workbench")).to_have_attribute("data-drawer", "closed")
        dashboard.show(fresh, "Capacity")
        expect(fresh.locator("#workbench")).to_have_attribute("data-drawer", "open")
        assert fresh.evaluate(SIZE)[0] == wide < 800


def test_a_tab_says_what_it_answers_and_opens_the_panel_that_was_open_last(
    page: Page, server: Server
) -> None:
    dashboard.opened(page, server.url)
    says, tab = page.locator(".panel-head p:visible"), lambda name: page.get_by_role("tab", name=name)
    for each in drawer.TABS:
        for panel in each.panels:
            dashboard.show(page, panel.name)
            expect(says).to_have_text([panel.question])
            assert page.locator(".panel-head").bounding_box()["height"] <= 26
    dashboard.show(page, "Nodes")
    tab("Compare").click()
    expect(says).to_have_text([drawer.TABS[0].panels[2].question])  # the last of the loop
    tab("Where the time goes").click()
    expect(page.locator("#tab-nodes")).to_be_visible()
    tab("Where the time goes").click()
    expect(page.locator("#workbench")).to_have_attribute("data-drawer", "closed")
    expect(page.locator("[role=tab][aria-selected=true]")).to_have_count(0)
    tab("Where the time goes").click()
    expect(page.locator("#tab-nodes")).to_be_visible()


def test_a_sentence_over_the_page_takes_of_its_height(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.evaluate("window.dash_clientside.set_props('notice', {children: 'A sentence.'})")
    expect(page.locator("#notice")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0
