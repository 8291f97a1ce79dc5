"""Rows of the charts: by node, job or queue, sorted, filtered, opened; zoom in both directions; the map; the pointer and the keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.bench.scenarios import stream
from tests.browser import dashboard
from tests.browser.server import Server

DRAWN = "() => document.querySelector('#cards .js-plotly-plot').layout.meta.drawn"
# A point left of the rows of the second node, in the window's pixels.
SECOND = """() => {
  const graph = document.querySelector('#cards .js-plotly-plot');
  const { xaxis, yaxis } = graph._fullLayout;
  const box = graph.getBoundingClientRect();
  return [box.left + xaxis._offset - 20, box.top + yaxis._offset + yaxis.l2p(Number(yaxis.tickvals[1]))];
}"""
GRAPHS = "[...document.querySelectorAll('#cards .chart .js-plotly-plot')]"
LABELS = "() => [...document.querySelectorAll('#cards .js-plotly-plot')[0].querySelectorAll('.ytick text')].map((text) => text.textContent)"


@pytest.fixture
def shown(shared_page: Page, server: Server) -> Page:
    return dashboard.as_opened(shared_page, server.url)


@pytest.fixture
def own(page: Page, server: Server) -> Page:
    """For tests that leave more behind than keys take back."""
    return dashboard.opened(page, server.url)


def arrange(page: Page, id: str, option: str) -> None:
    page.locator(f"#{id}").click()
    page.get_by_role("option", name=option, exact=True).click()


def test_rows_by_job_are_sums_sorted_and_in_the_link(own: Page) -> None:
    arrange(own, "rows-by", "Jobs")
    own.wait_for_url("**/?rows=job")
    own.wait_for_function(f"() => ({LABELS})().some((text) => text.endsWith('nt4'))")
    assert dashboard.modes(own) == ["raster"] * 4
    arrange(own, "rows-sort", "First start")
    own.wait_for_url("**/?rows=job&sort=first")
    own.locator("#rows-find").fill("count2")
    own.wait_for_url("**/?rows=job&sort=first&find=count2")
    expect(own.locator(".badge").first).to_contain_text("3 rows filtered out")
    assert [text[-1] for text in own.evaluate(LABELS) if text.startswith("wo")] == ["2"]
    other = own.context.new_page()
    dashboard.opened(other, own.url)
    other.wait_for_function(f"() => ({DRAWN})().rows.find === 'count2'")
    expect(other.locator("#rows-find")).to_have_value("count2")


def test_rows_zoom_by_keys_and_come_back(shown: Page) -> None:
    shown.locator(".chart").first.focus()
    shown.keyboard.press("e")
    shown.wait_for_url("**/?y0=*&y1=*")
    ranges = f"() => {GRAPHS}.map((graph) => graph._fullLayout.yaxis.range.map((y) => Number(y).toFixed(2)).join())"
    shown.wait_for_function(f"() => new Set(({ranges})()).size === 1")
    zoomed = shown.evaluate(ranges)
    shown.keyboard.press("ArrowDown")
    shown.wait_for_function(f"before => ({ranges})()[0] !== before", arg=zoomed[0])
    shown.keyboard.press("0")
    shown.wait_for_function("() => window.location.search === ''")
    shown.wait_for_function(f"before => ({DRAWN})().complete", arg=None)


def test_a_name_beside_the_rows_highlights_them_everywhere_and_a_double_click_closes_them(own: Page) -> None:
    own.locator(".chart").first.scroll_into_view_if_needed()
    place = own.evaluate(SECOND)
    own.mouse.click(*place)
    own.wait_for_url("**/?node=worker-2")
    own.wait_for_function(f"() => {GRAPHS}.every((graph) => graph.layout.meta.drawn.highlight === 'node:worker-2')")
    before = own.evaluate("() => document.querySelector('#cards .js-plotly-plot').layout.meta.rows")
    own.mouse.dblclick(*place)
    own.wait_for_function("before => document.querySelector('#cards .js-plotly-plot').layout.meta.rows < before", arg=before)


def test_a_phase_is_highlighted_by_its_colour_in_the_legend(shown: Page) -> None:
    reduce = shown.get_by_role("button", name="Reduce", exact=True)
    reduce.click()
    shown.wait_for_url("**/?phase=reduce")
    expect(reduce).to_have_attribute("aria-pressed", "true")
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


def test_a_container_is_found_by_its_name(shown: Page) -> None:
    shown.locator(".chart").first.focus()
    shown.keyboard.press("/")
    expect(shown.locator("#find-job")).to_be_focused()
    shown.keyboard.type("wordcount2/1/map/3")
    expect(shown.locator("#tip-says")).to_contain_text("wordcount2 map 3")
    expect(shown.locator(".chart").first).to_be_focused()


def test_the_keys_are_listed(shown: Page) -> None:
    shown.locator(".chart").first.focus()
    shown.keyboard.press("?")
    expect(shown.get_by_role("dialog")).to_contain_text("next and previous container of the row")
    shown.keyboard.press("Escape")
    expect(shown.get_by_role("dialog")).not_to_be_visible()


def test_in_a_picture_the_pointer_is_told_what_is_there_and_the_map_goes_there(own: Page) -> None:
    dashboard.load(own, stream(10_000, 10, 4).plain(), ["fair"])
    dashboard.run(own)
    chart = own.locator(dashboard.CHARTS).first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    own.mouse.move(box["x"] + box["width"] / 2, box["y"] + 120)
    expect(own.locator("#tip")).to_contain_text("asked for at")
    own.locator(".chart").first.focus()
    own.keyboard.press("w")
    own.wait_for_url("**/?x0=*")
    own.locator("#map").scroll_into_view_if_needed()
    frame = own.locator("#map").bounding_box()
    own.mouse.click(frame["x"] + frame["width"] * 0.9, frame["y"] + 10)
    own.wait_for_function("() => window.gantry.charts.view.window.x1 === window.gantry.charts.view.whole.x1")


def test_a_span_is_told_in_numbers_and_dropped(own: Page) -> None:
    chart = own.locator(dashboard.CHARTS).first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    own.keyboard.down("Shift")
    own.mouse.move(box["x"] + 200, box["y"] + 100)
    own.mouse.down()
    own.mouse.move(box["x"] + 300, box["y"] + 100)
    own.mouse.up()
    own.keyboard.up("Shift")
    panel = own.locator("#span-panel")
    expect(panel).to_contain_text("Containers that ran")
    expect(panel.locator("thead th")).to_have_count(5)
    own.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    own.locator("#drag-mode").click()
    own.mouse.move(box["x"] + 200, box["y"] + 100)
    own.mouse.down()
    own.mouse.move(box["x"] + 260, box["y"] + 100)
    own.mouse.up()
    expect(panel).to_be_visible()
