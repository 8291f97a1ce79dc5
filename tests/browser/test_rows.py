"""Rows of the charts: by node, job or queue, sorted, filtered, opened; zoom in both directions; the map; the pointer and the keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from engine import presets
from tests.bench.scenarios import stream
from tests.browser import dashboard
from tests.browser.server import Server
from webapp.services import url_state
from webapp.services.url_state import Asked

LABELS = "() => [...document.querySelectorAll('#lanes .chart')[0].querySelectorAll('.names .name')].map((text) => text.textContent)"
ROWS = "() => window.gantry.charts.view.whole.rows"


def name(page: Page, text: str) -> tuple[float, float]:
    """The middle of a name beside the rows of the first chart, in the window's pixels."""
    dashboard.sharp(page)
    found = page.locator("#lanes .chart").first.locator(".names .name", has_text=text)
    return tuple(found.evaluate("name => { const { x, y, width, height } = name.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }"))


def test_rows_by_job_are_sums_sorted_and_in_the_link(own: Page) -> None:
    own.select_option("#rows-by", label="Jobs")
    own.wait_for_url("**rows=job*")
    own.wait_for_function(f"() => ({LABELS})().some((text) => text.endsWith('nt4'))")
    assert dashboard.modes(own) == ["sampled"] * 4
    own.select_option("#rows-sort", label="First start")
    own.wait_for_url("**rows=job&sort=first*")
    own.locator("#rows-find").fill("count2")
    own.wait_for_url("**rows=job&sort=first&find=count2*")
    expect(own.locator("#rows-hidden")).to_have_text("3 rows filtered out")
    assert [text[-1] for text in own.evaluate(LABELS) if text.startswith("wo")] == ["2"]
    other = own.context.new_page()
    dashboard.opened(other, own.url)
    other.wait_for_function(f"() => ({LABELS})().join() === 'wordcount2'")
    expect(other.locator("#rows-find")).to_have_value("count2")
    expect(other.locator("#rows-by")).to_have_value("job")


def test_rows_zoom_by_keys_and_come_back(shown: Page) -> None:
    shown.wait_for_timeout(400)  # the drawer has taken its height
    high = dashboard.bars(shown)[0][3]
    shown.locator(".chart").first.focus()
    shown.keyboard.press("e")
    shown.wait_for_url("**y0=*&y1=*")
    rows = "() => Object.values(window.gantry.charts.nowRows())"
    drawn = "() => window.gantry.lanes.all().every(({ looked, node }) => looked.y0 === window.gantry.charts.nowRows().y0 && !node.hasAttribute('data-scaled'))"
    shown.wait_for_function(drawn)
    assert dashboard.bars(shown)[0][3] > high
    zoomed = shown.evaluate(rows)
    shown.keyboard.press("ArrowDown")
    shown.wait_for_function(f"before => ({rows})()[0] > before", arg=zoomed[0])
    shown.wait_for_function(drawn)
    shown.keyboard.press("0")
    shown.wait_for_function("() => window.location.search === ''")
    shown.wait_for_function(drawn)
    assert dashboard.bars(shown)[0][3] == high


def test_a_name_beside_the_rows_highlights_them_everywhere_and_a_double_click_closes_them(own: Page) -> None:
    place = name(own, "worker-3")
    own.mouse.click(*place)
    own.wait_for_url("**node=worker-3*")
    dashboard.highlighted(own, "node:worker-3")
    before = own.evaluate(ROWS)
    own.mouse.dblclick(*place)
    own.wait_for_function(f"before => ({ROWS})() < before", arg=before)


def test_a_phase_is_highlighted_by_its_colour_in_the_legend(shown: Page) -> None:
    reduce = shown.get_by_role("button", name="Reduce", exact=True)
    reduce.click()
    shown.wait_for_url("**phase=reduce*")
    expect(reduce).to_have_attribute("aria-pressed", "true")
    dashboard.highlighted(shown, "phase:reduce")
    reduce.click()
    shown.wait_for_function("() => window.location.search === ''")


def test_the_next_container_of_the_row_and_why_it_was_placed(shown: Page) -> None:
    shown.locator(".chart").first.focus()
    shown.keyboard.press(".")
    expect(shown.locator("#tip-says")).to_contain_text("wordcount1 master")
    shown.keyboard.press(".")
    expect(shown.locator("#tip-says")).to_contain_text(re.compile(r"wordcount\d (map|reduce) \d+"))
    said = shown.locator("#tip-says").inner_text().split(",")[0]
    expect(shown.locator(".mark:not([hidden])")).to_have_count(1)
    shown.keyboard.press("Enter")
    expect(shown.locator("#decision-where")).to_contain_text(said)


def test_a_name_that_looks_like_markup_is_shown_as_it_is(page: Page, server: Server) -> None:
    scenario = presets()[0].scenario.plain()
    scenario["jobs"][0]["name"] = "a &lt;b"
    dashboard.opened(page, f"{server.url}/{url_state.address(asked=Asked(scenario, ('fifo',)))}", charts=1)
    page.locator(".chart").first.focus()
    page.keyboard.press(".")
    expect(page.locator("#tip strong")).to_have_text("a &lt;b master")
    page.keyboard.press("Enter")
    expect(page.locator("#decision-where")).to_contain_text("a &lt;b master")


def test_a_container_is_found_by_its_name(shown: Page) -> None:
    shown.locator(".chart").first.focus()
    shown.keyboard.press("/")
    expect(shown.locator("#find")).to_be_focused()
    shown.keyboard.type("wordcount2/1/map/3")
    expect(shown.locator("#find-count")).to_have_text("1 of 1")
    expect(shown.locator(".mark:not([hidden])")).to_have_count(4)
    shown.keyboard.press("Escape")
    expect(shown.locator(".mark:not([hidden])")).to_have_count(0)
    expect(shown.locator("#find")).not_to_be_focused()


def test_the_keys_are_listed(shown: Page) -> None:
    shown.locator(".chart").first.focus()
    shown.keyboard.press("?")
    expect(shown.get_by_role("dialog")).to_contain_text("next and previous container of the row")
    shown.keyboard.press("Escape")
    expect(shown.get_by_role("dialog")).not_to_be_visible()


def test_in_a_picture_the_pointer_is_told_what_is_there_and_the_map_goes_there(own: Page) -> None:
    dashboard.load(own, stream(10_000, 10, 4).plain(), ["fair"])
    dashboard.run(own)
    assert dashboard.modes(own) == ["sampled"]
    box = own.locator(dashboard.ROWS).bounding_box()
    own.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(own.locator("#tip")).to_contain_text("asked for at")
    own.locator(".chart").first.focus()
    own.keyboard.press("w")
    own.wait_for_url("**x0=*")
    expect(own.locator("#map-frame")).to_be_visible()
    frame = own.locator("#map").bounding_box()
    own.mouse.click(frame["x"] + frame["width"] * 0.9, frame["y"] + 10)
    own.wait_for_function("() => window.gantry.charts.view.window.x1 === window.gantry.charts.view.whole.x1")
    seen = own.locator("#map-frame").bounding_box()
    assert seen["x"] + seen["width"] == pytest.approx(frame["x"] + frame["width"], abs=3)


def test_an_interval_is_told_in_numbers_and_dropped(own: Page) -> None:
    box = own.locator(dashboard.ROWS).first.bounding_box()

    def drag(wide: float) -> None:
        own.mouse.move(box["x"] + 200, box["y"] + 40)
        own.mouse.down()
        own.mouse.move(box["x"] + 200 + wide, box["y"] + 40, steps=3)
        own.mouse.up()

    own.keyboard.down("Shift")
    drag(100)
    own.keyboard.up("Shift")
    expect(own.locator(".span:not([hidden])")).to_have_count(4)
    assert own.locator(".span").first.bounding_box()["width"] == pytest.approx(100, abs=1.5)
    panel = own.locator("#span-panel")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("Containers that ran")
    expect(panel.locator("thead th")).to_have_count(5)
    assert panel.bounding_box()["y"] >= own.locator(dashboard.ROWS).last.bounding_box()["y"] + 40  # it covers nothing of what it measures
    own.locator(".chart").first.focus()
    own.keyboard.press("Escape")
    expect(own.locator(".span:not([hidden])")).to_have_count(0)
    expect(panel).not_to_contain_text("Containers that ran")
    own.locator("#drag-mode").click()
    drag(60)
    expect(own.locator(".span:not([hidden])")).to_have_count(4)
    expect(panel).to_contain_text("Containers that ran")
