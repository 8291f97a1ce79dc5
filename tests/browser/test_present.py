"""Present, for a class on a projector: what is left, how large it is, what is said and marked, and that
nothing of it stays.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from engine import Run, explain, parse, presets, simulate
from tests.browser import dashboard
from tests.browser.server import Server
from tests.phrases import phrase

SIZE = """(selector) => {
    const node = document.querySelector(selector);
    return parseFloat(getComputedStyle(node).fontSize) * (node.closest("#workbench").currentCSSZoom || 1);
}"""
TYPE = ("#lanes .lane-head h3", "#lanes .names text", "#ruler .times span", "#legend li")
FITTED = """() => [...document.querySelectorAll(".lane:not([data-folded]) .rows .moving > svg")].every((drawing) =>
    Math.abs(Number(drawing.getAttribute("width")) - drawing.closest(".plot").clientWidth) < 3)"""  # noqa: E501
MARKS = ".lane:not([data-folded]) .mark:not([hidden])"


@pytest.fixture(scope="module")
def fifo() -> Run:
    """What the example shows under its first scheduler."""
    return simulate(presets()[0].scenario, "fifo")


def shown(page: Page, charts: int) -> None:
    """Wait until so many charts are seen, drawn as wide as there is room."""
    expect(page.locator("#lanes .chart:visible")).to_have_count(charts)
    page.wait_for_function(FITTED)


def presenting(page: Page) -> None:
    expect(page.locator("#workbench")).to_have_attribute("data-presenting", "")
    shown(page, 2)


def left_behind(page: Page) -> None:
    expect(page.locator("#workbench")).not_to_have_attribute("data-presenting", "")


def sizes(page: Page) -> list[float]:
    return [page.evaluate(SIZE, selector) for selector in TYPE]


def arranged(page: Page) -> dict:
    """What of the page's state a presentation changes."""
    return page.evaluate("""() => {
        const { folded = [], rail, drawer, matches = null, presenting = false } = window.gantry.state;
        return { folded, rail, drawer, matches, presenting };
    }""")


def across(page: Page, ms: int) -> float:
    """Where a time is on the screen, in the first chart."""
    box = page.locator("#lanes .plot").first.bounding_box()
    first, last = dashboard.ranges(page)[0]
    return box["x"] + (int(ms) / 1000 - first) / (last - first) * box["width"]


def step(page: Page) -> int:
    """On to the next decision; its time."""
    before = page.locator("#play").get_attribute("data-at")
    page.keyboard.press("]")
    page.wait_for_function(
        "before => (document.getElementById('play').dataset.at ?? null) !== before", arg=before
    )
    return int(page.locator("#play").get_attribute("data-at"))


def because(run: Run, ms: int) -> tuple[int, str]:
    """The container placed last at a time, and why."""
    placed = int(np.searchsorted(run.containers.start, ms, "right")) - 1
    return placed, explain(run, parse(run.scheduler), placed)["because"]


def test_two_charts_are_left_in_large_type_the_container_being_placed_is_marked_and_all_is_as_before(
    page: Page, server: Server, fifo: Run
) -> None:
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.choose(page, "rows-by", "node")
    page.locator("#lanes .names text").first.wait_for()
    small = sizes(page)
    page.locator(".chart").first.focus()
    page.keyboard.press("p")
    presenting(page)
    for gone in ("#rail", "#drawer", "#view", ".head", ".lane[data-folded]"):
        expect(page.locator(gone).first).to_be_hidden()
    assert sizes(page) == pytest.approx([1.5 * size for size in small], rel=0.02)
    assert page.locator("#lanes").evaluate("lanes => lanes.scrollHeight <= lanes.clientHeight + 1")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    # The pointer's text stands beside the pointer, in the larger type too.
    box = page.locator("#lanes .plot").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + 20)
    page.mouse.move(box["x"] + box["width"] / 3 + 1, box["y"] + 20)
    expect(page.locator("#tip")).to_be_visible()
    tip = page.locator("#tip").bounding_box()
    assert (tip["x"], tip["y"]) == pytest.approx((box["x"] + box["width"] / 3 + 15, box["y"] + 34), abs=2)

    # What is being placed is marked and pulses, and why is the subtitle.
    expect(page.locator("#subtitle")).to_be_hidden()
    for _ in range(4):
        at = step(page)
    placed, why = because(fifo, at)
    expect(page.locator("#subtitle")).to_contain_text(why)
    mark = page.locator(MARKS)
    expect(mark).to_have_count(1)
    expect(mark).to_have_css("animation-name", "pulse")
    left, right = (across(page, ms[placed]) for ms in (fifo.containers.start, fifo.containers.end))
    box = mark.bounding_box()
    assert box["x"] == pytest.approx(left, abs=3)
    assert box["x"] + box["width"] == pytest.approx(right, abs=3)
    future = page.locator(".lane:not([data-folded]) .future:not([hidden])")
    expect(future).to_have_count(2)
    assert future.first.bounding_box()["x"] == pytest.approx(across(page, at), abs=3)
    opacity = future.first.evaluate("future => getComputedStyle(future).backgroundColor")
    assert 0.5 < float(re.findall(r"[\d.]+", opacity)[-1]) < 0.9  # over the bars, which are still to be seen
    page.get_by_role("button", name=phrase("browser.start_home")).click()
    first, why = because(fifo, 0)
    expect(page.locator("#subtitle")).to_contain_text(why)
    page.wait_for_function("container => window.gantry.state.matches[0].container === container", arg=first)
    expect(mark).to_have_count(1)
    page.keyboard.press("p")
    left_behind(page)

    # It is shared as it is presented, and stays: a class photographs the code.
    page.locator(".chart").first.focus()
    expect(page.locator("#present-share")).to_be_hidden()
    page.keyboard.press("p")
    presenting(page)
    page.locator("#present-share").click()
    expect(page.locator("#share-link")).to_have_value(re.compile(r"[?&]present=1\b"))
    expect(page.locator("#share-code img")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(page.locator("#present-share")).to_be_focused()
    presenting(page)
    page.keyboard.press("p")
    left_behind(page)

    # However it is ended, all is as before.
    dashboard.choose(page, "rows-by", "lane")
    dashboard.show(page, "Capacity")
    page.locator("#lanes [data-fold]").nth(1).click()
    shown(page, 3)
    before, small = arranged(page), sizes(page)
    for ends in ("p", "Escape"):
        page.locator("#present").click()
        presenting(page)
        expect(page.locator("#present")).to_have_attribute("aria-pressed", "true")
        page.locator(".chart:visible").first.focus()
        step(page)
        expect(page.locator("#subtitle")).to_be_visible()
        page.wait_for_url("**present=1*")
        page.keyboard.press(ends)
        left_behind(page)
        shown(page, 3)
        expect(page.locator("#subtitle")).to_be_hidden()
        expect(page.locator("#present")).to_have_attribute("aria-pressed", "false")
        expect(page.locator(MARKS)).to_have_count(0)
        assert arranged(page) == before
        assert sizes(page) == small
        page.wait_for_function("() => !window.location.search.includes('present')")

    # P presents from wherever no letter is typed, and counts once while the pointer rests on a chart.
    box = page.locator("#lanes .plot:visible").first.bounding_box()
    page.mouse.move(box["x"] + 50, box["y"] + 20)
    for focused in ("#drawer [data-tab=compare]", "#present", "#run"):
        page.locator(focused).first.focus()
        page.keyboard.press("p")
        presenting(page)
        page.keyboard.press("p")
        left_behind(page)
    page.locator(".chart:visible").first.focus()
    page.keyboard.press("/")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.press("p")
    expect(page.locator("#find")).to_have_value("p")
    left_behind(page)
