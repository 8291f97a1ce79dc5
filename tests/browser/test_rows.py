"""Rows of the charts: by node, job or queue, sorted, filtered, closed, zoomed; names, containers and
intervals; the keys.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.browser.sharing import stranger
from tests.phrases import phrase

LABELS = (
    "() => [...document.querySelectorAll('#lanes .chart')[0].querySelectorAll('.names .name')].map((text) "
    "=> text.textContent)"
)
ROWS = "() => window.gantry.charts.view().whole.rows"
SEEN = "() => Object.values(window.gantry.charts.currentRows())"
DRAWN = "() => window.gantry.lanes.isSharp()"
MARKS = ".mark:not([hidden])"
SPANS = ".span:not([hidden])"


def name(page: Page, text: str) -> tuple[float, float]:
    """The middle of a name beside the rows of the first chart, in the window's pixels."""
    dashboard.sharp(page)
    result = page.locator("#lanes .chart").first.locator(".names .name", has_text=text)
    return tuple(
        result.evaluate(
            "name => { const { x, y, width, height } = name.getBoundingClientRect(); return [x + width / "
            "2, y + height / 2]; }"
        )
    )


def test_rows_by_job_sorted_and_filtered_are_in_the_link(
    page: Page, server: Server, elsewhere: BrowserContext
) -> None:
    dashboard.opened(page, server.url)
    dashboard.choose(page, "rows-by", "job")
    page.wait_for_url("**rows=job*")
    page.wait_for_function(f"() => ({LABELS})().some((text) => text.endsWith('nt4'))")
    assert dashboard.modes(page) == ["sampled"] * 4
    dashboard.choose(page, "rows-sort", "first")
    page.wait_for_url("**rows=job&sort=first*")
    dashboard.choose(page, "rows-find", "count2")
    page.wait_for_url("**rows=job&sort=first&find=count2*")
    expect(page.locator("#rows-hidden")).to_have_text("3 rows filtered out")
    assert [text[-1] for text in page.evaluate(LABELS) if text.startswith("wo")] == ["2"]
    with stranger(elsewhere, page.url) as other:
        other.wait_for_function(f"() => ({LABELS})().join() === 'wordcount2'")
        expect(other.locator("#rows-find")).to_have_value("count2")
        expect(other.locator("#rows-by")).to_have_value("job")

    # Containers again: a name highlights its row in all charts, and a double click closes the nodes of its
    # kind.
    dashboard.choose(page, "rows-find", "")
    page.wait_for_url("**rows=job&sort=first")
    dashboard.choose(page, "rows-by", "lane")
    dashboard.choose(page, "rows-sort", "order")
    page.wait_for_url(lambda url: "rows" not in url and "sort" not in url)
    page.wait_for_function(f"() => ({LABELS})().some((text) => text.includes('worker-3'))")
    dashboard.wait_until_stable(page, LABELS, 20)
    place = name(page, "worker-3")
    page.mouse.click(*place)
    page.wait_for_url("**node=worker-3*")
    dashboard.highlighted(page, "node:worker-3")
    before = page.evaluate(ROWS)
    page.mouse.dblclick(*place)
    page.wait_for_function(f"before => ({ROWS})() < before", arg=before)


def test_rows_are_zoomed_pointed_at_searched_and_measured(page: Page, server: Server) -> None:
    traffic = dashboard.Traffic(page)
    dashboard.opened(page, server.url)
    traffic.wait_until_idle()  # the drawer has taken its height
    page.locator(".chart").first.focus()
    high = dashboard.bars(page)[0][3]
    page.keyboard.press("e")
    page.wait_for_url("**y0=*&y1=*")
    page.wait_for_function(DRAWN)
    assert dashboard.bars(page)[0][3] > high
    zoomed = page.evaluate(SEEN)
    page.keyboard.press("ArrowDown")
    page.wait_for_function(f"before => ({SEEN})()[0] > before", arg=zoomed[0])
    page.wait_for_function(DRAWN)
    page.keyboard.press("0")
    page.wait_for_url(lambda url: "phase" not in url)
    page.wait_for_function(DRAWN)
    assert dashboard.bars(page)[0][3] == high

    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text(phrase("browser.next_and_previous_container_row"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).not_to_be_visible()

    # A phase by its colour in the legend.
    reduce = page.get_by_role("button", name="Reduce", exact=True)
    reduce.click()
    page.wait_for_url("**phase=reduce*")
    expect(reduce).to_have_attribute("aria-pressed", "true")
    dashboard.highlighted(page, "phase:reduce")
    reduce.click()
    page.wait_for_url(lambda url: "phase" not in url)

    # A container by its name; the matches of a job one after another, marked in every scheduler.
    find, count, marks = page.locator("#find"), page.locator("#find-count"), page.locator(MARKS)
    page.locator(".chart").first.focus()
    page.keyboard.press("/")
    expect(find).to_be_focused()
    page.keyboard.type("wordcount2/1/map/3")
    expect(count).to_have_text("1 of 1")
    expect(marks).to_have_count(4)
    page.keyboard.press("Escape")
    expect(marks).to_have_count(0)
    expect(find).not_to_be_focused()
    page.locator(".chart").first.focus()
    page.keyboard.press("/")
    expect(find).to_have_value("")
    find.fill("wordcount2")
    expect(count).to_have_text(re.compile(r"^1 of \d\d+$"))
    of = int(count.inner_text().split()[-1])
    page.wait_for_url("**job=wordcount2*")
    dashboard.highlighted(page, "job:wordcount2")
    expect(marks).to_have_count(4)
    before = [mark.bounding_box() for mark in marks.all()]
    # round and round
    for keys, to in (
        (["Enter"], 2),
        (["Enter"], 3),
        (["Shift+Enter"], 2),
        (["Shift+Enter"] * 2, of),
    ):
        for key in keys:
            page.keyboard.press(key)
        expect(count).to_have_text(f"{to} of {of}")
        expect(marks).to_have_count(4)
        if to == 3:
            assert [mark.bounding_box() for mark in marks.all()] != before
    find.fill("nobody")
    expect(count).to_have_text("No match")
    expect(marks).to_have_count(0)
    find.fill("")
    expect(count).to_have_text("")

    # From container to container of a row, and why one was placed.
    page.locator(".chart").first.focus()
    page.keyboard.press(".")
    expect(page.locator("#tip-says")).to_contain_text("wordcount1 master")
    page.keyboard.press(".")
    expect(page.locator("#tip-says")).to_contain_text(re.compile(r"wordcount\d (map|reduce) \d+"))
    said = page.locator("#tip-says").inner_text().split(",")[0]
    expect(page.locator(MARKS)).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#decision-where")).to_contain_text(said)

    # An interval is told in numbers and dropped.
    dashboard.as_opened(page, server.url)
    dashboard.sharp(page)
    box = page.locator(dashboard.ROWS).first.bounding_box()

    def drag(wide: float) -> None:
        page.mouse.move(box["x"] + 200, box["y"] + 40)
        page.mouse.down()
        page.mouse.move(box["x"] + 200 + wide, box["y"] + 40, steps=3)
        page.mouse.up()

    page.keyboard.down("Shift")
    drag(100)
    page.keyboard.up("Shift")
    expect(page.locator(SPANS)).to_have_count(4)
    assert page.locator(".span").first.bounding_box()["width"] == pytest.approx(100, abs=1.5)
    panel = page.locator("#span-panel")
    expect(panel).to_contain_text("Containers that ran")
    expect(panel.locator("thead th")).to_have_count(5)
    assert violations(page, "#span-panel") == []
    last = page.locator(dashboard.ROWS).last.bounding_box()
    assert panel.bounding_box()["y"] >= last["y"] + 40  # it covers nothing of what it measures
    page.locator(".chart").first.focus()
    page.keyboard.press("Escape")
    expect(page.locator(SPANS)).to_have_count(0)
    expect(panel).not_to_contain_text("Containers that ran")
    dashboard.press_in_view(page, "drag-mode")
    drag(60)
    expect(page.locator(SPANS)).to_have_count(4)
    expect(panel).to_contain_text("Containers that ran")

    # A name that looks like markup is shown as it is.
    scenario = presets()[0].scenario.plain()
    scenario["jobs"][0]["name"] = "a &lt;b"
    dashboard.load(page, scenario, ["fifo"])
    dashboard.run(page)
    page.locator(".chart").first.focus()
    page.keyboard.press(".")
    expect(page.locator("#tip strong")).to_have_text("a &lt;b master")
    page.keyboard.press("Enter")
    expect(page.locator("#decision-where")).to_contain_text("a &lt;b master")
