"""The charts under a hand: an address that forgot, a pointer whose text was elsewhere, and a drag that cost
the browser work.
"""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.conftest import visit
from tests.browser.server import Server

MOVES = 30


def test_pointer_drag_and_address(page: Page, server: Server, elsewhere: BrowserContext) -> None:
    dashboard.opened(page, server.url)
    # The pointer's text is at the pointer, where a bar begins left of the window.
    page.locator(".chart").nth(1).focus()
    for _ in range(5):
        page.keyboard.press("w")
    dashboard.sharp(page)
    plot = page.locator(dashboard.ROWS).nth(1).bounding_box()
    begun = [
        bar
        for bar in dashboard.bars(page, 1, "master")
        if bar[0] < plot["x"] - 100 and bar[0] + bar[2] > plot["x"] + 0.6 * plot["width"]
    ]
    left, top, _, high = begun[0]
    x, y = plot["x"] + plot["width"] / 2, top + high / 2
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y)
    tip = page.locator("#tip")
    expect(tip).to_contain_text("master")
    box = tip.bounding_box()
    near = lambda at, low, size: max(low - at, at - low - size)  # px between them
    assert near(x, box["x"], box["width"]) < 20
    assert near(y, box["y"], box["height"]) < 20

    # A drag dispatches nothing to Dash and lays nothing out.
    with dashboard.answered(page):
        page.mouse.move(5, 5)
    page.evaluate(
        "() => { window.dispatched = 0; window.store.subscribe(() => { window.dispatched += 1; }); }"
    )
    wire = page.context.new_cdp_session(page)
    wire.send("Performance.enable")
    layouts = lambda: next(
        one["value"] for one in wire.send("Performance.getMetrics")["metrics"] if one["name"] == "LayoutCount"
    )
    box = page.locator(dashboard.ROWS).first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y)
    window, laid_out = dashboard.ranges(page)[0], layouts()
    for move in range(MOVES):
        page.mouse.move(x + 8 + 2 * move, y)
    result = layouts() - laid_out
    assert dashboard.ranges(page)[0] != window
    assert page.evaluate("() => window.dispatched") == 0
    assert result == 0
    page.mouse.up()

    # An address opens the schedulers that it was taken from: it once said the highlighted job alone, which
    # opened the four default ones.
    dashboard.load(page, presets()[0].scenario.plain(), ["fair", "haste"])
    dashboard.run(page)
    dashboard.choose(page, "find", "wordcount4")
    page.wait_for_url("**/?preset=wordcount&s=fair&s=haste*&job=wordcount4*")
    with visit(elsewhere) as other:
        dashboard.opened(other, page.url, 2)
        expect(other.locator("#lanes h3")).to_have_text(["fair", "haste"])
        dashboard.highlighted(other, "job:wordcount4")
