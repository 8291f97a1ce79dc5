"""Zoom, pan, cursor and highlight are the same on all charts; a picture is drawn anew for what is looked
at.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.bench.scenarios import stream
from tests.browser import dashboard
from tests.browser.dashboard import sharp
from tests.browser.server import Server
from tests.phrases import phrase

ZOOMED = "**x0=*&x1=*"
NO_QUERY = f"() => window.location.search === '?{dashboard.EXAMPLE}'"


def middle(page: Page, chart: int = 0) -> tuple[float, float]:
    """The middle of the Gantt of a chart, in the window's pixels."""
    box = page.locator(dashboard.ROWS).nth(chart).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def wheeled(page: Page, turns: int, by: int) -> None:
    """Turn the wheel with Ctrl held, over the first chart."""
    page.mouse.move(*middle(page))
    page.keyboard.down("Control")
    for _ in range(turns):
        page.mouse.wheel(0, by)
    page.keyboard.up("Control")


def test_zoom_pan_cursor_and_highlight_are_the_same_on_all_charts_and_keys_live_wherever_the_hand_was(
    page: Page, server: Server
) -> None:
    dashboard.opened(page, server.url)
    whole = first, last = sharp(page)
    wheeled(page, 1, -400)
    page.wait_for_url(ZOOMED)
    zoomed = sharp(page)
    assert first < zoomed[0] < zoomed[1] < last

    # Each way in, and each way back to all.
    for zoom, back in (("w", "0"), ("+", "f"), ("w", "Home")):
        page.locator(".chart").nth(2).focus()
        page.keyboard.press(back)
        page.wait_for_function(NO_QUERY)
        assert sharp(page) == whole
        page.keyboard.press(zoom)
        page.wait_for_url(ZOOMED)
        assert sharp(page) != whole
    page.get_by_role("button", name=phrase("browser.show_all_run")).click()
    page.wait_for_function(NO_QUERY)
    page.get_by_role("button", name="Zoom in").click()
    page.wait_for_url(ZOOMED)
    page.mouse.dblclick(*middle(page))
    page.wait_for_function("() => !window.location.search.includes('x0')")
    assert sharp(page) == whole

    # A drag on one chart moves all of them, and what is painted follows the hand.
    page.locator(".chart").first.focus()
    for _ in range(3):
        page.keyboard.press("w")
    before = sharp(page)
    (x, y), masters = middle(page, 1), [dashboard.bars(page, chart, "master")[0] for chart in (1, 3)]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y, steps=6)
    # the hand still holds it
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    for chart, master in zip((1, 3), masters):
        assert dashboard.bars(page, chart, "master")[0][0] == pytest.approx(master[0] - 60, abs=1.5)
    page.mouse.up()
    after = sharp(page)
    assert after[0] > before[0] and after[1] - after[0] == pytest.approx(before[1] - before[0], rel=0.01)
    left, _, wide, _ = dashboard.bars(page, 1, "master")[0]
    assert left + wide == pytest.approx(masters[0][0] + masters[0][2] - 60, abs=2)

    # The wheel alone scrolls.
    page.set_viewport_size({"width": 1440, "height": 620})
    dashboard.press_in_view(page, "card-columns")
    expect(page.locator("#lanes")).to_have_attribute("data-columns", "1")
    before = sharp(page)
    page.mouse.move(*middle(page))
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => document.getElementById('lanes').scrollTop > 60")
    assert sharp(page) == before
    dashboard.press_in_view(page, "card-columns")

    # One cursor goes through all charts.
    page.set_viewport_size({"width": 1440, "height": 900})
    dashboard.as_opened(page, server.url)
    sharp(page)
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.move(x + 20, y)
    cursors = page.locator(".crosshair:not([hidden])")
    expect(cursors).to_have_count(4)
    assert len(set(cursors.evaluate_all("lines => lines.map((line) => line.style.transform)"))) == 1
    page.mouse.move(5, 5)
    expect(cursors).to_have_count(0)

    # The cursor of play stands where it is while the mouse moves.
    page.get_by_role("button", name="Next decision (])").click()
    cursor = page.locator(".chart .cursor").first
    expect(cursor).to_be_visible()
    place = cursor.evaluate("line => line.style.transform")
    page.mouse.move(*middle(page))
    expect(cursors.first).to_be_visible()
    assert cursor.evaluate("line => line.style.transform") == place

    # A click highlights the job of what runs there; Escape closes the reason first, then lets the job go.
    page.mouse.click(*dashboard.on_bar(page, 1))
    page.wait_for_url("**job=wordcount*")
    job = re.search(r"job=(wordcount\d)", page.url)[1]
    expect(page.locator("#decision-where")).to_contain_text(job)
    dashboard.highlighted(page, f"job:{job}")
    page.keyboard.press("Escape")
    expect(page.locator("#decision")).to_be_hidden()
    dashboard.highlighted(page, f"job:{job}")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !window.location.search.includes('job')")
    dashboard.highlighted(page, None)

    # Keys live after a zoom by wheel, whatever had the focus, and after a pan that starts on a bar, which is
    # no click.
    wide = "() => window.gantry.charts.currentWindow().x1 - window.gantry.charts.currentWindow().x0"
    page.locator("#run").focus()
    wheeled(page, 1, -400)
    sharp(page)
    before = page.evaluate(wide)
    page.keyboard.press("w")
    page.wait_for_function(f"was => ({wide})() < 0.9 * was", arg=before)
    sharp(page)
    x, y = dashboard.on_bar(page, 1, number=0)
    x = max(x, page.locator(dashboard.ROWS).nth(1).bounding_box()["x"] + 10)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=4)
    page.mouse.up()
    sharp(page)
    before = page.evaluate(wide)
    page.keyboard.press("s")
    page.wait_for_function(f"was => ({wide})() > 1.1 * was", arg=before)
    expect(page.locator("#decision")).to_be_hidden()


def test_many_slices_are_a_picture_until_few_are_looked_at(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    traffic = dashboard.Traffic(page)
    dashboard.load(page, stream(10_000, 10, 4).plain(), ["fifo", "fair"])
    dashboard.run(page)
    badge = page.locator("#lanes .badge.sampled").first
    expect(badge).to_be_visible()
    assert dashboard.modes(page) == ["sampled"] * 2
    page.mouse.move(*middle(page))
    expect(page.locator("#tip")).to_contain_text("requested at")

    # A zoom by many turns of the wheel stays where it was left, whatever answers come late.
    wheeled(page, 12, -60)
    reached = dashboard.ranges(page)[0]
    traffic.wait_until_idle()
    assert sharp(page) == reached
    first, last = page.evaluate(
        "() => { const { x0, x1 } = window.gantry.charts.view().whole; return [x0, x1]; }"
    )
    whole = (last - first) / 1000
    assert reached[1] - reached[0] < 0.5 * whole

    # The map goes where it is clicked.
    expect(page.locator("#map-frame")).to_be_visible()
    frame = page.locator("#map").bounding_box()
    page.mouse.click(frame["x"] + frame["width"] * 0.99, frame["y"] + 10)
    page.wait_for_function(
        "() => { const { window: now, whole } = window.gantry.charts.view(); return now.x1 === whole.x1; }"
    )
    seen = page.locator("#map-frame").bounding_box()
    assert seen["x"] + seen["width"] == pytest.approx(frame["x"] + frame["width"], abs=3)

    page.locator(".chart").first.focus()
    for _ in range(40):
        if dashboard.modes(page) == ["exact"] * 2:
            break
        page.keyboard.press("w")
        sharp(page)
    assert dashboard.modes(page) == ["exact"] * 2
    expect(badge).to_be_hidden()
    assert len(dashboard.bars(page)) > 10
    page.keyboard.press("0")
    expect(badge).to_be_visible()
    assert dashboard.modes(page) == ["sampled"] * 2
