"""Zoom, pan, cursor and highlight are the same on all charts; a picture is drawn anew for what is looked at."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.bench.scenarios import stream
from tests.browser import dashboard


def middle(page: Page, chart: int = 0) -> tuple[float, float]:
    """The middle of the Gantt of a chart, in the window's pixels."""
    box = page.locator(dashboard.ROWS).nth(chart).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


same = dashboard.sharp  # the range of all charts, once they are drawn for it


def test_ctrl_and_wheel_zoom_all_charts_and_the_address(shown: Page) -> None:
    first, last = same(shown)
    shown.mouse.move(*middle(shown))
    shown.keyboard.down("Control")
    shown.mouse.wheel(0, -400)
    shown.keyboard.up("Control")
    shown.wait_for_url("**x0=*&x1=*")
    zoomed = same(shown)
    assert first < zoomed[0] < zoomed[1] < last


def test_the_wheel_alone_scrolls_the_charts(own: Page) -> None:
    own.set_viewport_size({"width": 1440, "height": 620})
    before = same(own)
    own.mouse.move(*middle(own))
    own.mouse.wheel(0, 300)
    own.wait_for_function("() => document.getElementById('lanes').scrollTop > 60")
    assert same(own) == before


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
    after = same(shown)
    assert after[0] > before[0]
    assert after[1] - after[0] == pytest.approx(before[1] - before[0], rel=0.01)


def test_keys_and_buttons_zoom_and_go_back_to_all(shown: Page) -> None:
    whole = same(shown)
    for zoom, back in (("w", "0"), ("+", "f"), ("w", "Home")):
        shown.locator(".chart").nth(2).focus()
        shown.keyboard.press(zoom)
        shown.wait_for_url("**x0=*")
        assert same(shown) != whole
        shown.keyboard.press(back)
        shown.wait_for_function("() => window.location.search === ''")
        assert same(shown) == whole
    shown.get_by_role("button", name="Zoom in").click()
    shown.wait_for_url("**x0=*")
    shown.get_by_role("button", name="Show all of the run").click()
    shown.wait_for_function("() => window.location.search === ''")
    assert same(shown) == whole


def test_a_double_click_shows_all(shown: Page) -> None:
    whole = same(shown)
    shown.locator(".chart").first.focus()
    shown.keyboard.press("w")
    shown.wait_for_url("**x0=*")
    shown.mouse.dblclick(*middle(shown))
    shown.wait_for_function("() => !window.location.search.includes('x0')")
    assert same(shown) == whole


def test_one_cursor_goes_through_all_charts(shown: Page) -> None:
    shown.mouse.move(*middle(shown))
    shown.mouse.move(middle(shown)[0] + 20, middle(shown)[1])
    cursors = shown.locator(".crosshair:not([hidden])")
    expect(cursors).to_have_count(4)
    places = cursors.evaluate_all("lines => lines.map((line) => line.style.transform)")
    assert len(set(places)) == 1
    shown.mouse.move(5, 5)
    expect(shown.locator(".crosshair:not([hidden])")).to_have_count(0)


def test_the_mouse_leaves_the_cursor_of_play_where_it_stands(shown: Page) -> None:
    shown.get_by_role("button", name="Next decision (])").click()
    cursor = shown.locator(".chart .cursor").first
    expect(cursor).to_be_visible()
    place = cursor.evaluate("line => line.style.transform")
    shown.mouse.move(*middle(shown))
    expect(shown.locator(".chart .crosshair").first).to_be_visible()
    assert cursor.evaluate("line => line.style.transform") == place


def test_a_click_highlights_the_job_of_what_runs_there_everywhere(shown: Page) -> None:
    shown.mouse.click(*dashboard.on_bar(shown, 1))
    expect(shown.locator("#decision-where")).to_contain_text("wordcount")
    shown.wait_for_url("**job=wordcount*")
    job = re.search(r"job=(wordcount\d)", shown.url)[1]
    expect(shown.locator("#decision-where")).to_contain_text(job)
    dashboard.highlighted(shown, f"job:{job}")
    shown.keyboard.press("Escape")
    expect(shown.locator("#decision")).to_be_hidden()
    dashboard.highlighted(shown, f"job:{job}")
    shown.keyboard.press("Escape")
    shown.wait_for_function("() => window.location.search === ''")
    dashboard.highlighted(shown, None)


def test_a_job_is_found_by_its_name(shown: Page) -> None:
    shown.locator("#find").fill("wordcount3")
    shown.wait_for_url("**job=wordcount3*")
    dashboard.highlighted(shown, "job:wordcount3")
    shown.locator("#find").fill("")
    expect(shown.locator("#find-count")).to_have_text("")


def test_many_slices_are_sampled_and_become_bars_when_few_are_looked_at(own: Page) -> None:
    dashboard.load(own, stream(10_000, 10, 4).plain(), ["fifo", "fair"])
    dashboard.run(own)
    badge = own.locator("#lanes .badge.sampled").first
    expect(badge).to_be_visible()
    assert dashboard.modes(own) == ["sampled"] * 2
    for _ in range(40):
        own.locator(".chart").first.focus()
        own.keyboard.press("w")
        same(own)
        if dashboard.modes(own) == ["exact"] * 2:
            break
    assert dashboard.modes(own) == ["exact"] * 2
    expect(badge).to_be_hidden()
    assert len(dashboard.bars(own)) > 10
    own.keyboard.press("0")
    expect(badge).to_be_visible()
    assert dashboard.modes(own) == ["sampled"] * 2


def test_a_zoom_in_a_picture_never_snaps_back(own: Page) -> None:
    dashboard.load(own, stream(10_000, 10, 4).plain(), ["fifo", "fair"])
    dashboard.run(own)
    own.mouse.move(*middle(own))
    own.keyboard.down("Control")
    for _ in range(12):
        own.mouse.wheel(0, -60)
        own.wait_for_timeout(40)
    own.keyboard.up("Control")
    reached = dashboard.ranges(own)[0]
    own.wait_for_timeout(1500)
    assert same(own) == reached
    assert reached[1] - reached[0] < 0.5 * (own.evaluate("() => { const { x0, x1 } = window.gantry.charts.view.whole; return x1 - x0; }") / 1000)


def test_while_a_drag_goes_on_what_is_painted_follows_the_hand(shown: Page) -> None:
    shown.locator(".chart").first.focus()
    for _ in range(3):
        shown.keyboard.press("w")
    same(shown)
    x, y = middle(shown, 1)
    before = dashboard.bars(shown, 1, "master")[0]
    other = dashboard.bars(shown, 3, "master")[0]
    shown.mouse.move(x, y)
    shown.mouse.down()
    shown.mouse.move(x - 60, y, steps=6)
    shown.wait_for_timeout(50)  # the hand still holds it
    assert dashboard.bars(shown, 1, "master")[0][0] == pytest.approx(before[0] - 60, abs=1.5)
    assert dashboard.bars(shown, 3, "master")[0][0] == pytest.approx(other[0] - 60, abs=1.5)
    shown.mouse.up()
    same(shown)
    assert dashboard.bars(shown, 1, "master")[0][0] + dashboard.bars(shown, 1, "master")[0][2] == pytest.approx(before[0] + before[2] - 60, abs=2)
