"""The workbench: charts always in view, with everything else around them, and all of it in the address."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.chromium import watch
from tests.browser.server import Server
from tests.browser.test_run import SMALL

BY_ITSELF = {(1280, 720): 2, (1440, 900): 4, (1920, 1080): 4}  # Gantts seen at least, without scrolling
SIZE = "() => { const { width, height } = document.getElementById('drawer').getBoundingClientRect(); return [width, height].map(Math.round); }"


def shared(users: int) -> dict:
    """Jobs of several queues and users. users: how many."""
    queues = [{"name": "root.prod", "weight": 2.0}, {"name": "root.dev"}]
    maps = {"count": 6, "memory_mb": 1024, "vcores": 1, "duration_s": 20}
    jobs = [{"name": f"job{one}", "queue": queues[one % 2]["name"], "user": f"user{one % users}", "maps": maps} for one in range(4)]
    return {**SMALL, "name": "Shared", "queues": queues, "jobs": jobs}


def again(page: Page, charts: int = 4) -> Page:
    """The address as it stands, in a browser that has never been here."""
    page.wait_for_timeout(400)  # the address follows
    fresh = page.context.browser.new_context(viewport=page.viewport_size, locale="en-GB").new_page()
    fresh.complaints = watch(fresh)
    return dashboard.opened(fresh, page.url, charts)


@pytest.mark.parametrize("size", BY_ITSELF, ids=lambda size: f"{size[0]}x{size[1]}")
def test_ruler_and_gantts_are_seen_without_scrolling(page: Page, server: Server, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    dashboard.opened(page, server.url)
    page.wait_for_timeout(300)
    lanes, ruler = page.locator("#lanes").bounding_box(), page.locator("#ruler .times").first.bounding_box()
    assert ruler["y"] + ruler["height"] <= lanes["y"] <= size[1] / 3
    plots = [plot.bounding_box() for plot in page.locator(dashboard.ROWS).all()]
    whole = [plot for plot in plots if plot["y"] >= lanes["y"] and plot["y"] + plot["height"] <= lanes["y"] + lanes["height"] + 1 <= size[1] + 1]
    assert len(whole) >= BY_ITSELF[size]
    assert min(plot["height"] for plot in plots) >= 64
    assert page.evaluate("() => document.documentElement.scrollHeight") <= size[1]
    assert page.locator("#workbench").get_attribute("data-drawer") == ("open" if size[1] > 800 else "closed")


def test_the_ruler_s_times_stand_over_the_bars_they_are_of(shown: Page) -> None:
    dashboard.sharp(shown)
    first_s, last_s = dashboard.ranges(shown)[0]
    plot = shown.locator(dashboard.ROWS).first.bounding_box()
    ruler = shown.locator("#ruler .times:not([hidden]) span:not([hidden])")
    ticks = ruler.evaluate_all("ticks => ticks.map((tick) => [tick.textContent, tick.getBoundingClientRect().x])")
    assert len(ticks) > 5
    for words, x in ticks:
        minutes, seconds = re.fullmatch(r"(\d+):(\d\d)", words).groups()
        second = 60 * int(minutes) + int(seconds)
        assert x == pytest.approx(plot["x"] + (second - first_s) / (last_s - first_s) * plot["width"], abs=2)


def test_charts_stand_side_by_side_where_it_is_wide(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    dashboard.opened(page, server.url)
    page.locator("#turn-rail").click()  # it opens by itself there
    page.get_by_role("button", name="Close the drawer").click()
    left = "() => [...document.querySelectorAll('.lane')].map((lane) => Math.round(lane.getBoundingClientRect().x))"
    page.wait_for_function(f"() => {{ const [a, b, c, d] = ({left})(); return a === c && b === d && b > a + 800; }}")
    expect(page.locator("#ruler .times:not([hidden])")).to_have_count(2)
    page.locator("#card-columns").click()
    page.wait_for_function(f"() => new Set(({left})()).size === 1")
    expect(page.locator("#ruler .times:not([hidden])")).to_have_count(1)


def test_a_lane_folds_and_the_others_take_its_room(own: Page) -> None:
    plots = own.locator(dashboard.ROWS)
    box = plots.nth(1).bounding_box()
    dashboard.steady_under(own, (box["x"] + box["width"] / 2, box["y"] + 10))  # its room is measured once the page has found its own
    high = plots.nth(1).bounding_box()["height"]
    own.get_by_role("button", name="Charts of fifo").click()
    expect(own.locator(".chart").first).to_be_hidden()
    expect(own.get_by_role("button", name="Charts of fifo")).to_have_attribute("aria-expanded", "false")
    own.wait_for_function(f"high => document.querySelectorAll('{dashboard.ROWS}')[1].getBoundingClientRect().height > high", arg=high)
    own.wait_for_url("**folded=0*")
    own.get_by_role("button", name="Charts of fifo").click()
    expect(own.locator(".chart").first).to_be_visible()
    own.wait_for_function(f"high => document.querySelectorAll('{dashboard.ROWS}')[1].getBoundingClientRect().height === high", arg=high)


def test_a_chip_shows_its_scheduler_alone_and_again_all(own: Page) -> None:
    chip = own.locator("#verdict .chip").nth(2)
    expect(chip).to_contain_text(re.compile(r"drf\s*7:\d\d"))
    expect(own.locator("#lanes .strip")).to_have_count(0)
    chip.click()
    expect(own.locator(".chart:visible")).to_have_count(1)
    expect(own.locator(".lane").nth(2).locator(".chart")).to_be_visible()
    expect(own.locator("#verdict .chip").nth(2)).to_have_attribute("aria-pressed", "true")
    expect(own.locator(".lane").nth(2).locator(".strip")).not_to_have_count(0)  # there is room for them now
    own.locator("#verdict .chip").nth(2).click()
    expect(own.locator(".chart:visible")).to_have_count(4)


def test_equal_runs_stand_once(own: Page) -> None:
    dashboard.load(own, SMALL, ["capacity", "fifo", "fair+slowstart"])
    own.click("#run")
    expect(own.locator("#run-status")).to_contain_text("Small: 3 schedulers")
    lanes = own.locator("#lanes h3")
    expect(lanes.first).to_contain_text("capacity = fifo")
    assert lanes.count() == own.locator(dashboard.DRAWN).count() < 3
    chips = own.locator("#verdict .chip")
    expect(chips).to_have_count(3)
    expect(chips.nth(1)).to_contain_text("= capacity")


def test_a_chart_is_as_low_as_the_drawer_and_follows_it(own: Page) -> None:
    dashboard.show(own, "More")
    expect(own.locator("#queue-story")).not_to_be_empty(timeout=30_000)
    fits = """room => {
      const [frame, drawn] = ["#queue-graph", "#queue-graph .main-svg"].map((one) => Math.round(document.querySelector(one).getBoundingClientRect().height));
      const body = document.getElementById("drawer-body").clientHeight;
      return frame === drawn && (room === "low" ? frame <= body - 40 && frame >= 150 : frame >= 280 && frame <= body);
    }"""
    own.wait_for_function(fits, arg="low")
    edge = own.locator("#drawer-edge").bounding_box()
    own.mouse.move(edge["x"] + 300, edge["y"] + 4)
    own.mouse.down()
    own.mouse.move(edge["x"] + 300, edge["y"] - 216, steps=4)
    own.wait_for_function(fits, arg="high")
    own.mouse.move(edge["x"] + 300, edge["y"] + 104, steps=4)
    own.mouse.up()
    least = "() => Math.round(document.getElementById('queue-graph').getBoundingClientRect().height)"
    own.wait_for_function(f"() => ({least})() === 160")  # it scrolls then
    assert own.evaluate("() => document.getElementById('drawer-body').clientHeight") < 160


def test_the_drawer_s_tab_height_and_dock_are_in_the_address_and_come_back_from_it(own: Page) -> None:
    assert own.url.partition("?")[2] == ""
    dashboard.show(own, "Capacity")
    own.wait_for_url("**tab=capacity")
    edge = own.locator("#drawer-edge").bounding_box()
    own.mouse.move(edge["x"] + 300, edge["y"] + 4)
    own.mouse.down()
    own.mouse.move(edge["x"] + 300, edge["y"] - 56, steps=4)
    own.mouse.up()
    _, high = own.evaluate(SIZE)
    assert high > 280
    own.wait_for_url(f"**tab=capacity&drawer={high}")
    fresh = again(own)
    expect(fresh.get_by_role("button", name="Capacity", exact=True)).to_have_attribute("aria-expanded", "true")
    assert fresh.evaluate(SIZE)[1] == high
    fresh.get_by_role("button", name="Dock below or at the right").click()
    fresh.wait_for_url("**dock=right*")
    wide, _ = fresh.evaluate(SIZE)
    other = again(fresh)
    assert other.evaluate(SIZE)[0] == wide < 800
    other.get_by_role("button", name="Close the drawer").click()
    other.wait_for_url("**drawer=closed*")
    assert again(other).locator("#workbench").get_attribute("data-drawer") == "closed"
    for page in (fresh, other):
        assert page.complaints == []
        page.context.close()


def test_the_drawer_s_height_follows_the_arrow_keys(own: Page) -> None:
    _, high = own.evaluate(SIZE)
    own.locator("#drawer-edge").focus()
    own.keyboard.press("ArrowUp")
    own.wait_for_function(f"high => ({SIZE})()[1] === high + 24", arg=high)
    own.keyboard.press("ArrowDown")
    own.wait_for_function(f"high => ({SIZE})()[1] === high", arg=high)


def test_colour_by_job_queue_or_user_with_its_legend(own: Page) -> None:
    dashboard.load(own, shared(users=3), ["fifo", "fair"])
    dashboard.run(own)
    names = {"job": ["job0", "job1", "job2", "job3"], "queue": ["root.prod", "root.dev"], "user": ["user0", "user1", "user2"]}
    for by, expected in names.items():
        own.select_option("#colour-by", by)
        own.wait_for_url(f"**colour={by}*")
        expect(own.locator("#legend")).to_be_hidden()
        legend = own.locator("#legend-groups .pick-phase")
        expect(legend).to_have_text(expected)
        painted = "[...document.querySelectorAll('#lanes .chart')[0].querySelectorAll('.rows path[class^=g-]')].map((path) => path.getAttribute('class'))"
        assert legend.evaluate_all("all => all.map((one) => one.ariaPressed)") == ["false"] * len(expected)
        own.wait_for_function(f"many => new Set({painted}).size === many", arg=len(expected))
        swatch = legend.first.locator(".swatch").evaluate("swatch => getComputedStyle(swatch).backgroundColor")
        assert swatch == own.locator("#lanes .chart .rows path.g-0").first.evaluate("path => getComputedStyle(path).fill")
    own.locator("#legend-groups").get_by_role("button", name="user1").click()
    own.wait_for_url("**user=user1*")
    dashboard.highlighted(own, "user:user1")
    own.select_option("#colour-by", "phase")
    expect(own.locator("#legend")).to_be_visible()
    own.wait_for_function("() => !window.location.search.includes('colour')")


def test_search_counts_goes_on_and_marks_each_match_in_every_scheduler(own: Page) -> None:
    find, count = own.locator("#find"), own.locator("#find-count")
    find.fill("wordcount2")
    expect(count).to_have_text(re.compile(r"^1 of \d+$"))
    of = int(count.inner_text().split()[-1])
    assert of > 10
    marks = own.locator(".mark:not([hidden])")
    expect(marks).to_have_count(4)
    before = [mark.bounding_box() for mark in marks.all()]
    own.keyboard.press("Enter")
    expect(count).to_have_text(f"2 of {of}")
    own.keyboard.press("Enter")
    expect(count).to_have_text(f"3 of {of}")
    expect(marks).to_have_count(4)
    assert [mark.bounding_box() for mark in marks.all()] != before
    own.keyboard.press("Shift+Enter")
    expect(count).to_have_text(f"2 of {of}")
    for _ in range(2):
        own.keyboard.press("Shift+Enter")
    expect(count).to_have_text(f"{of} of {of}")  # round and round
    find.fill("nobody")
    expect(count).to_have_text("No match")
    expect(marks).to_have_count(0)


def test_a_label_stays_in_what_is_seen_of_its_bar(own: Page) -> None:
    own.locator("#verdict .chip").nth(1).click()
    expect(own.locator(".chart:visible")).to_have_count(1)
    labels = (
        "() => [...document.querySelectorAll('.lane:not([data-folded]) .rows .labels text')].map((text) => [text.textContent, text.getBoundingClientRect().x])"
    )
    own.locator(".chart:visible").focus()
    for key in "eewwww":
        own.keyboard.press(key)
    dashboard.sharp(own)
    own.wait_for_function(f"() => ({labels})().length > 3")
    plot = own.locator(dashboard.ROWS).nth(1).bounding_box()
    masters = [bar for bar in dashboard.bars(own, 1, "master") if plot["y"] < bar[1] < plot["y"] + plot["height"] - bar[3]]
    begun = [bar for bar in masters if bar[0] < plot["x"] and bar[0] + bar[2] > plot["x"] + 200]
    assert begun  # a master that began long before
    stuck = [text for text, x in own.evaluate(labels) if plot["x"] <= x <= plot["x"] + 12]
    assert len(stuck) >= len(begun) and all(text.startswith("wordc") for text in stuck)


def test_keys_live_after_a_zoom_by_wheel_and_after_a_pan_that_starts_on_a_bar(own: Page) -> None:
    x, y = dashboard.on_bar(own, 1)
    own.locator("#run").focus()  # as after a click on it
    own.mouse.move(x, y)
    own.keyboard.down("Control")
    own.mouse.wheel(0, -400)
    own.keyboard.up("Control")
    zoomed = dashboard.sharp(own)
    own.keyboard.press("w")
    own.wait_for_function("was => window.gantry.charts.now().x1 - window.gantry.charts.now().x0 < 900 * was", arg=zoomed[1] - zoomed[0])
    dashboard.sharp(own)
    x, y = dashboard.on_bar(own, 1, number=0)
    plot = own.locator(dashboard.ROWS).nth(1).bounding_box()
    own.mouse.move(max(x, plot["x"] + 10), y)
    own.mouse.down()
    own.mouse.move(max(x, plot["x"] + 10) + 40, y, steps=4)
    own.mouse.up()
    before = dashboard.sharp(own)
    own.keyboard.press("s")
    own.wait_for_function("was => window.gantry.charts.now().x1 - window.gantry.charts.now().x0 > 1100 * was", arg=before[1] - before[0])
    expect(own.locator("#decision")).to_be_hidden()  # a pan is no click


def test_a_link_keeps_time_decision_interval_and_drawer(own: Page) -> None:
    own.locator(".chart").nth(2).focus()
    for _ in range(3):
        own.keyboard.press("]")
    clock = own.locator("#play-time")
    expect(clock).not_to_have_text(re.compile(r"^(0:00(\.0+)?)?$"))
    box = own.locator(dashboard.ROWS).first.bounding_box()
    own.keyboard.down("Shift")
    own.mouse.move(box["x"] + 300, box["y"] + 30)
    own.mouse.down()
    own.mouse.move(box["x"] + 420, box["y"] + 30, steps=3)
    own.mouse.up()
    own.keyboard.up("Shift")
    own.mouse.click(*dashboard.on_bar(own, 1, number=30))
    expect(own.locator("#decision-title")).to_have_text(re.compile(r"^Decision \d+ of 148"))
    own.wait_for_function("() => ['t', 'span', 'why', 'tab'].every((key) => new URLSearchParams(window.location.search).has(key))")
    fresh = again(own)
    expect(fresh.locator("#decision-title")).to_have_text(own.locator("#decision-title").inner_text())
    expect(fresh.locator("#decision-where")).to_have_text(own.locator("#decision-where").inner_text())
    expect(fresh.locator("#play-time")).to_have_text(clock.inner_text())
    expect(fresh.get_by_role("button", name="Why", exact=True)).to_have_attribute("aria-expanded", "true")
    assert fresh.locator(".span").first.bounding_box() == own.locator(".span").first.bounding_box()
    expect(fresh.locator(".mark:not([hidden])")).to_have_count(1)
    fresh.wait_for_timeout(400)
    assert fresh.url == own.url
    assert fresh.complaints == []
    fresh.context.close()


def test_the_rail_holds_the_editor_and_the_charts_stay(own: Page) -> None:
    expect(own.get_by_label("Title of the scenario")).to_be_hidden()
    dashboard.compose(own)
    expect(own.get_by_label("Title of the scenario")).to_have_value(presets()[0].scenario.name)
    rail = own.locator("#rail").bounding_box()
    own.wait_for_function(f"edge => document.querySelector('{dashboard.CHARTS}').getBoundingClientRect().x >= edge", arg=rail["x"] + rail["width"])
    own.click("#turn-rail")
    expect(own.get_by_label("Title of the scenario")).to_be_hidden()
