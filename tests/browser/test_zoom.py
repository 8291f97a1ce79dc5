"""Zoom, pan, cursor and highlight are the same on all charts; a picture is drawn anew for what is looked at."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.bench.scenarios import stream
from tests.browser import dashboard
from tests.browser.server import Server


def middle(page: Page, chart: int = 0) -> tuple[float, float]:
    """A point within the Gantt of a chart, in the window's pixels."""
    page.locator(dashboard.CHARTS).nth(chart).scroll_into_view_if_needed()
    box = page.locator(dashboard.CHARTS).nth(chart).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + 150


def same(page: Page) -> list[float]:
    """The range of all charts, once they agree."""
    ranges = f"[...document.querySelectorAll('{dashboard.CHARTS}')].map((graph) => graph._fullLayout.xaxis.range.map((x) => Number(x).toFixed(3)).join())"
    page.wait_for_function(f"() => new Set({ranges}).size === 1")
    return dashboard.ranges(page)[0]


@pytest.fixture
def shown(shared_page: Page, server: Server) -> Page:
    return dashboard.as_opened(shared_page, server.url)


@pytest.fixture
def own(page: Page, server: Server) -> Page:
    """For tests that leave more behind than keys take back."""
    return dashboard.opened(page, server.url)


def test_ctrl_and_wheel_zoom_all_charts_and_the_address(shown: Page) -> None:
    first, last = same(shown)
    shown.mouse.move(*middle(shown))
    shown.keyboard.down("Control")
    shown.mouse.wheel(0, -400)
    shown.keyboard.up("Control")
    shown.wait_for_url("**/?x0=*&x1=*")
    zoomed = same(shown)
    assert first < zoomed[0] < zoomed[1] < last


def test_the_wheel_alone_scrolls_the_page(shown: Page) -> None:
    before = same(shown)
    shown.mouse.move(*middle(shown))
    shown.mouse.wheel(0, 300)
    shown.wait_for_function("() => window.scrollY > 100")
    assert same(shown) == before


def test_dragging_one_chart_pans_all(shown: Page) -> None:
    shown.locator(".chart").first.focus()
    for _ in range(3):
        shown.keyboard.press("w")
    before = same(shown)
    x, y = middle(shown, 1)
    shown.mouse.move(x, y)
    shown.mouse.down()
    for step in range(1, 9):
        shown.mouse.move(x - 15 * step, y)
    shown.mouse.up()
    shown.wait_for_timeout(400)
    after = same(shown)
    assert after[0] > before[0]
    assert after[1] - after[0] == pytest.approx(before[1] - before[0], rel=0.01)


def test_keys_and_buttons_zoom_and_go_back_to_all(shown: Page) -> None:
    whole = same(shown)
    for zoom, back in (("w", "0"), ("+", "f"), ("w", "Home")):
        shown.locator(".chart").nth(2).focus()
        shown.keyboard.press(zoom)
        shown.wait_for_url("**/?x0=*")
        assert same(shown) != whole
        shown.keyboard.press(back)
        shown.wait_for_function("() => window.location.search === ''")
        assert same(shown) == whole
    shown.get_by_role("button", name="Zoom in").click()
    shown.wait_for_url("**/?x0=*")
    shown.get_by_role("button", name="Show all of the run").click()
    shown.wait_for_function("() => window.location.search === ''")
    assert same(shown) == whole


def test_a_double_click_shows_all(shown: Page) -> None:
    whole = same(shown)
    shown.locator(".chart").first.focus()
    shown.keyboard.press("w")
    shown.wait_for_url("**/?x0=*")
    shown.mouse.dblclick(*middle(shown))
    shown.wait_for_function("() => !window.location.search.includes('x0')")
    assert same(shown) == whole


def test_one_cursor_goes_through_all_charts(shown: Page) -> None:
    shown.mouse.move(*middle(shown))
    shown.mouse.move(middle(shown)[0] + 20, middle(shown)[1])
    cursors = shown.locator(".cursor:not([hidden])")
    expect(cursors).to_have_count(4)
    places = cursors.evaluate_all("lines => lines.map((line) => line.style.transform)")
    assert len(set(places)) == 1
    shown.mouse.move(5, 5)
    expect(shown.locator(".cursor:not([hidden])")).to_have_count(0)


def test_a_click_highlights_the_job_of_what_runs_there_everywhere(shown: Page) -> None:
    shown.mouse.click(*middle(shown, 1))
    expect(shown.locator("#decision-where")).to_contain_text("wordcount")
    shown.wait_for_url("**/?job=wordcount*")
    job = shown.locator("#find-job").input_value()
    lit = f"name => [...document.querySelectorAll('{dashboard.CHARTS}')].every((graph) => graph.layout.meta.drawn.highlight === name)"
    shown.wait_for_function(lit, arg=f"job:{job}")
    shown.keyboard.press("Escape")
    expect(shown.locator("#decision")).to_be_hidden()
    expect(shown.locator("#find-job")).to_have_value(job)
    shown.keyboard.press("Escape")
    shown.wait_for_function("() => window.location.search === ''")
    expect(shown.locator("#find-job")).to_have_value("")


def test_a_job_is_found_by_its_name(shown: Page) -> None:
    shown.locator("#find-job").fill("wordcount3")
    shown.wait_for_url("**/?job=wordcount3")
    lit = f"() => [...document.querySelectorAll('{dashboard.CHARTS}')].every((graph) => graph.layout.meta.drawn.highlight === 'job:wordcount3')"
    shown.wait_for_function(lit)


def test_many_slices_are_a_picture_that_becomes_bars_when_few_are_looked_at(own: Page) -> None:
    dashboard.load(own, stream(10_000, 10, 4).plain(), ["fifo", "fair"])
    dashboard.run(own)
    expect(own.locator(".badge").first).to_have_text("sampled")
    assert dashboard.modes(own) == ["raster"] * 2
    for _ in range(40):
        own.locator(".chart").first.focus()
        own.keyboard.press("w")
        own.wait_for_timeout(350)
        if dashboard.modes(own) == ["exact"] * 2:
            break
    assert dashboard.modes(own) == ["exact"] * 2
    expect(own.locator(".badge").first).to_have_text("")
    assert own.locator(f"{dashboard.CHARTS} .barlayer path").count() > 10
    same(own)
    own.keyboard.press("0")
    expect(own.locator(".badge").first).to_have_text("sampled")
    assert dashboard.modes(own) == ["raster"] * 2


def test_a_zoom_in_a_picture_never_snaps_back(own: Page) -> None:
    dashboard.load(own, stream(10_000, 10, 4).plain(), ["fifo", "fair"])
    dashboard.run(own)
    own.mouse.move(*middle(own))
    own.keyboard.down("Control")
    for _ in range(12):
        own.mouse.wheel(0, -60)
        own.wait_for_timeout(40)
    own.keyboard.up("Control")
    reached = own.evaluate("() => document.querySelector('#cards .js-plotly-plot')._fullLayout.xaxis.range.map(Number)")
    own.wait_for_timeout(1500)
    assert same(own) == pytest.approx(reached, abs=0.002)
    drawn = own.evaluate("() => document.querySelector('#cards .js-plotly-plot').layout.meta.drawn.window")
    assert [drawn["x0"] / 1000, drawn["x1"] / 1000] == pytest.approx(reached, abs=0.002)
