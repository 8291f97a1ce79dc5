"""Why there and then: opened by a click or by keyboard, stepped through, pointed at on the charts, and closed
again; and signals.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase

PLACES = f"""() => [...document.querySelectorAll('{dashboard.CHARTS}, #lanes, #results')].map((node) => {{
    const box = node.getBoundingClientRect();
    return [box.left, box.top + window.scrollY, box.width, box.height].map(Math.round).join();
}})"""
STRIPS = "#lanes .signals:has(.strip)"
MARKS = ".mark:not([hidden])"
CURSORS = (
    "() => [...document.querySelectorAll('.chart .cursor:not([hidden])')].map((line) => line.style.transform)"
)


def at(page: Page) -> tuple[int, int]:
    """Which decision of how many is shown."""
    return tuple(int(number) for number in re.findall(r"\d+", page.locator("#decision-title").inner_text()))


def stepped(page: Page, act: Callable[[], object], to: int) -> None:
    act()
    expect(page.locator("#decision-title")).to_have_text(re.compile(rf"^Decision {to} of"))


def opened(page: Page) -> tuple[int, int]:
    """A decision within the second chart's run: a click on a map that runs neither first nor last."""
    page.mouse.click(*dashboard.on_bar(page, 1, number=30))
    expect(page.locator("#decision")).to_be_focused()
    expect(page.locator("#decision-title")).to_have_text(re.compile("^Decision [0-9]+ of"))
    return at(page)


def decided(page: Page) -> float:
    """The time of the decision, in seconds, as the panel says it."""
    minutes, seconds = re.search(r"at (\d+):([\d.]+)$", page.locator("#decision-where").inner_text()).groups()
    return 60 * int(minutes) + float(seconds)


def test_a_decision_is_opened_stepped_through_and_closed(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    traffic, press = dashboard.Traffic(page), page.keyboard.press
    traffic.wait_until_idle()
    before = page.evaluate(PLACES)
    number, of = opened(page)
    assert 1 < number < of == 148
    panel = page.get_by_role("region", name="Decision", exact=True)
    expect(panel).to_be_focused()
    expect(panel.locator(".because")).to_contain_text("wordcount")
    facts = r"Node\s*worker-\d\s*Time\s*\d+:\d\d\S*?\s*Free memory\s*\d GB\s*Free vcores\s*\d vcores"
    expect(panel.locator(".facts").first).to_contain_text(re.compile(facts))
    expect(panel.locator(".candidates tbody tr").first).to_contain_text("★")
    expect(panel.locator("#decision-where")).to_contain_text("under fair")
    charts = page.locator("#lanes").bounding_box()
    assert panel.bounding_box()["y"] >= charts["y"] + charts["height"]
    traffic.wait_until_idle()
    assert page.evaluate(PLACES) == before  # it moves no chart

    # By keys and buttons, to either end and no further.
    ranges = dashboard.ranges(page)
    following, previous = (
        page.get_by_role("button", name=f"{which} decision", exact=True) for which in ("Next", "Previous")
    )
    stepped(page, lambda: press("ArrowRight"), number + 1)
    assert page.evaluate(PLACES) == before
    stepped(page, lambda: press("ArrowLeft"), number)
    stepped(page, lambda: press("End"), of)
    expect(following).to_have_attribute("aria-disabled", "true")
    last, frame, plot = (
        page.evaluate(CURSORS),
        page.locator(".mark").nth(1).bounding_box(),
        page.locator(dashboard.ROWS).nth(1).bounding_box(),
    )
    first_s, last_s = ranges[1]
    assert frame["x"] - plot["x"] == pytest.approx(
        (decided(page) - first_s) / (last_s - first_s) * plot["width"], abs=1.5
    )
    stepped(page, lambda: press("Home"), 1)
    expect(previous).to_have_attribute("aria-disabled", "true")
    # The cursor of all charts and a frame follow.
    first = page.evaluate(CURSORS)
    assert (len(first), len(set(first)), len(set(last))) == (4, 1, 1)
    assert float(re.findall(r"[\d.]+", last[0])[0]) > float(re.findall(r"[\d.]+", first[0])[0]) + 200
    expect(page.locator(MARKS)).to_have_count(1)
    master, frame = dashboard.bars(page, 1, "master")[0], page.locator(".mark").nth(1).bounding_box()
    assert (frame["x"], frame["width"]) == (
        pytest.approx(master[0], abs=1.5),
        pytest.approx(master[2], abs=2),
    )
    assert frame["y"] < master[1] + master[3] / 2 < frame["y"] + frame["height"]
    press("ArrowLeft")
    stepped(page, following.click, 2)
    stepped(page, previous.click, 1)
    stepped(page, lambda: [press("ArrowRight") for _ in range(12)], 13)
    expect(page.locator("#decision-says")).to_contain_text("Decision 13 of 148: wordcount")
    assert violations(page, "#decision") == []
    assert dashboard.ranges(page) == ranges

    # Zoomed in, the window pans to hold the decision.
    panel.focus()
    for _ in range(4):
        press("w")
    page.wait_for_url("**x0=*")
    stepped(page, lambda: press("End"), 148)
    dashboard.sharp(page)
    for low, high in dashboard.ranges(page):
        assert low <= decided(page) <= high
    assert len(set(page.evaluate(CURSORS))) == 1
    frame, graph = (
        page.locator(".mark").nth(1).bounding_box(),
        page.locator(dashboard.CHARTS).nth(1).bounding_box(),
    )
    assert graph["x"] < frame["x"] < graph["x"] + graph["width"]

    # Escape closes it and gives the focus back to the chart, whose keys then live.
    press("Escape")
    expect(page.locator("#decision")).to_be_hidden()
    expect(page.locator(".chart").nth(1)).to_be_focused()
    expect(page.locator(MARKS)).to_have_count(0)
    expect(page.locator(".cursor:not([hidden])")).to_have_count(0)
    expect(page.locator("#tab-compare")).to_be_visible()  # as before
    zoomed = page.evaluate("() => window.gantry.charts.currentWindow().x0")
    press("ArrowLeft")
    page.wait_for_function("was => window.gantry.charts.currentWindow().x0 < was", arg=zoomed)
    press("Escape")
    press("0")
    page.wait_for_function("() => !window.location.search.includes('x0')")

    # By keyboard, the first decision in sight.
    page.locator(".chart").nth(2).focus()
    press("Enter")
    expect(page.locator("#decision-title")).to_have_text(re.compile("^Decision 1 of"))
    expect(page.locator("#decision-where")).to_contain_text("under drf at 0:00")
    expect(page.locator("#decision")).to_be_focused()
    press("Escape")
    expect(page.locator(".chart").nth(2)).to_be_focused()

    # A click where nothing is closes it, and so does another result.
    dashboard.sharp(page)
    opened(page)
    plot = page.locator(dashboard.ROWS).nth(1).bounding_box()
    page.mouse.click(plot["x"] + plot["width"] - 12, plot["y"] + plot["height"] / 2)  # after the last end
    expect(page.locator("#decision")).to_be_hidden()
    opened(page)
    dashboard.load(page, {**presets()[0].scenario.plain(), "name": "Another"}, ["fair", "fifo"])
    dashboard.run(page)
    expect(page.locator("#decision")).to_be_hidden()
    dashboard.show(page, "Why")
    expect(page.locator("#decision")).to_contain_text(phrase("browser.click_container_in_chart"))
    expect(page.locator("#decision-title")).to_be_hidden()


def signals(page: Page, strips: int) -> None:
    """Turn the signals on or off, by the menu of the scheduler that has them."""
    page.locator(".lane-menu > summary").nth(1).click()
    page.get_by_role("button", name="Signals").click()
    page.keyboard.press("Escape")
    expect(page.locator(STRIPS)).to_have_count(strips)


def test_what_an_order_computes_is_told_of_a_decision_and_drawn_as_signals(
    page: Page, server: Server
) -> None:
    """An order that computes something of its own, beside one that does not."""
    dashboard.opened(page, server.url)
    page.set_default_timeout(dashboard.READY_MS)  # it is compiled
    dashboard.load(page, presets()[0].scenario.plain(), ["fifo+slowstart", "saf+slowstart"])
    dashboard.run(page)
    dashboard.drawn(page, 2)
    page.locator(".chart").nth(1).focus()
    page.keyboard.press("Enter")
    panel = page.locator("#decision")
    expect(panel.locator(".candidates th").get_by_text("Dominant share")).to_be_visible()
    expect(panel.locator(".about").get_by_text("Temperature")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#decision-where")).to_contain_text(" reduce ")
    expect(panel.get_by_role("heading", name=phrase("browser.why_was_requested_then"))).to_be_visible()
    page.keyboard.press("Escape")

    # Signals are drawn below the scheduler that has them and follow the zoom.
    expect(page.locator(STRIPS)).to_have_count(0)
    signals(page, 1)
    lane = page.locator(".lane").nth(1)
    expect(lane.locator(".signals .strip-title").first).to_contain_text("Temperature")
    plots = [lane.locator(f"{room} .plot").first.bounding_box() for room in (".rows", ".signals")]
    assert (plots[0]["x"], plots[0]["width"]) == (plots[1]["x"], pytest.approx(plots[1]["width"], abs=1))
    line = "document.querySelector('.signals .moving path').getAttribute('d')"
    still = "document.querySelector('.signals .moving').style.transform.endsWith('scaleX(1)')"
    before = page.evaluate(f"() => {line}")
    page.locator(".chart").nth(1).focus()
    for key, same in (("w", "!=="), ("0", "===")):
        page.keyboard.press(key)
        page.wait_for_function(f"before => {line} {same} before && {still}", arg=before)

    # They are closed until somebody opens them, and stay as they were left.
    page.reload()
    dashboard.drawn(page, 2)
    expect(page.locator(STRIPS)).to_have_count(1)
    signals(page, 0)
