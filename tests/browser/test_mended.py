"""What was once wrong on the page and is no other module's: links that miss, addresses that forget, and what covers, cuts or pushes away something else."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from engine import PAPERS, presets
from tests.browser import dashboard
from tests.browser.composer import Composer
from tests.browser.conftest import visit
from tests.browser.server import Server
from tests.browser.test_whatif import RANGE
from tests.browser.test_whatif import opened as with_slider
from webapp.pages.limits import GAPS

LONG = "fair(reservations=no, update_ms=0)+slowstart+admit-all"
SECTIONS = {"/model": GAPS[len(GAPS) // 2].key, "/papers": PAPERS[len(PAPERS) // 2].key}
# Heads of a table's columns of which a part is not seen: outside of their cell, or of the box that holds them.
CUT = """(grid) => [...document.querySelectorAll(`${grid} .ag-header-cell-text`)].filter((head) => {
    const words = document.createRange();
    words.selectNodeContents(head);
    const [text, cell] = [words.getBoundingClientRect(), head.closest(".ag-header-cell").getBoundingClientRect()];
    return text.width && (text.left < cell.left - 1 || text.right > cell.right + 1 || text.top < cell.top - 1 || text.bottom > cell.bottom + 1);
}).map((head) => head.textContent)"""
# Gantt charts of which all is seen above the drawer.
SEEN = """() => {
    const [room, drawer] = ["lanes", "drawer"].map((id) => document.getElementById(id).getBoundingClientRect());
    const bottom = Math.min(room.bottom, drawer.top, window.innerHeight) + 1;
    return [...document.querySelectorAll("#lanes .rows .plot")].map((plot) => plot.getBoundingClientRect())
      .filter(({ top, bottom: low, height }) => height > 60 && top >= room.top - 1 && low <= bottom).length;
}"""


@pytest.mark.parametrize("path", SECTIONS)
@pytest.mark.parametrize("how", ["opened", "clicked"])
def test_a_link_to_a_section_leads_to_it_and_stays_there(page: Page, server: Server, path: str, how: str) -> None:
    link = f"{path}#{SECTIONS[path]}"
    page.goto(server.url + (link if how == "opened" else path))
    section = page.locator(f"[id='{SECTIONS[path]}']")
    section.wait_for(state="attached", timeout=dashboard.READY_MS)
    if how == "clicked":
        page.locator(f"a[href='#{SECTIONS[path]}']").first.click()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    assert page.url.endswith(link)
    assert -1 <= section.bounding_box()["y"] < 150


def test_an_address_opens_the_schedulers_that_it_was_taken_from(page: Page, server: Server, elsewhere: BrowserContext) -> None:
    """It once said the highlighted job alone, which opened the four default schedulers."""
    dashboard.opened(page, server.url)
    dashboard.load(page, presets()[0].scenario.plain(), ["fair", "haste"])
    dashboard.run(page)
    page.fill("#find", "wordcount4")
    page.wait_for_url("**/?preset=wordcount&s=fair&s=haste*&job=wordcount4*")
    with visit(elsewhere) as other:
        dashboard.opened(other, page.url, 2)
        expect(other.locator("#lanes h3")).to_have_text(["fair", "haste"])
        dashboard.highlighted(other, "job:wordcount4")


def test_nodes_and_player_push_nothing_away_on_a_projector(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    dashboard.opened(page, server.url)
    dashboard.show(page, "Nodes")
    page.get_by_role("button", name="Next decision (])").click()
    expect(page.locator("#play-nodes svg")).to_have_count(4)
    page.wait_for_timeout(400)  # the charts have been drawn for their room
    places = [box.bounding_box() for box in page.locator(f"{dashboard.CHARTS}, #play").all()]
    assert page.evaluate(SEEN) >= 1
    for _ in range(3):
        page.get_by_role("button", name="Next decision (])").click()
    page.wait_for_timeout(400)
    assert [box.bounding_box() for box in page.locator(f"{dashboard.CHARTS}, #play").all()] == places
    player = page.locator("#play").bounding_box()
    page.locator("#lanes").evaluate("lanes => lanes.scrollTo(0, lanes.scrollHeight)")
    page.mouse.move(640, 700)
    page.mouse.wheel(0, 2000)
    page.wait_for_timeout(200)
    assert page.locator("#play").bounding_box() == player
    expect(page.locator("#play")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900)], ids=str)
def test_charts_and_slider_are_seen_together_beside_the_curve(page: Page, server: Server, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with_slider(page, server)
    expect(page.locator("#whatif-card .scatterlayer .point").first).to_be_visible(timeout=30_000)
    page.wait_for_timeout(400)
    expect(page.locator(RANGE)).to_be_in_viewport(ratio=1)
    assert page.evaluate(SEEN) >= 1


def test_the_pointer_s_text_is_at_the_pointer_where_a_bar_begins_left_of_the_window(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.locator(".chart").nth(1).focus()
    for _ in range(5):
        page.keyboard.press("w")
    dashboard.sharp(page)
    plot = page.locator(dashboard.ROWS).nth(1).bounding_box()
    begun = [bar for bar in dashboard.bars(page, 1, "master") if bar[0] < plot["x"] - 100 and bar[0] + bar[2] > plot["x"] + 0.6 * plot["width"]]
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


def test_no_head_of_a_column_is_cut(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    dashboard.opened(page, server.url)
    dashboard.load(page, presets()[0].scenario.plain(), [LONG, "capacity", "fifo", "haste+lazy-start"])
    dashboard.run(page)
    dashboard.show(page, "Compare")
    for grid in ("#metrics-grid", "#jobs-grid"):
        expect(page.locator(f"{grid} .ag-header-cell-text").nth(1)).to_be_attached(timeout=dashboard.READY_MS)
        page.locator(grid).scroll_into_view_if_needed()
        page.wait_for_timeout(500)  # heads take the height of their words
        assert page.evaluate(CUT, grid) == []


@pytest.mark.parametrize("table", ["nodes", "queues", "jobs"])
def test_no_head_of_the_editor_s_tables_is_cut(shared: Composer, table: str) -> None:
    shared.table(table)
    shared.page.wait_for_timeout(500)
    assert shared.page.evaluate(CUT, f"#editor-{table}-grid") == []
    shared.page.keyboard.press("Escape")


def test_on_a_telephone_nothing_scrolls_through_the_head_of_a_sheet(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, server.url)
    page.mouse.click(*dashboard.on_bar(page, 0, number=30))
    expect(page.locator("#decision .because")).to_be_visible()
    body, head = page.locator("#drawer-body"), page.locator(".drawer-head")
    body.evaluate("body => body.scrollTo(0, 150)")
    assert body.evaluate("body => body.scrollTop") > 50
    box = head.bounding_box()
    assert body.bounding_box()["y"] >= box["y"] + box["height"] - 1
    on_top = "([x, y]) => Boolean(document.elementFromPoint(x, y).closest('.drawer-head'))"
    assert all(page.evaluate(on_top, [box["x"] + box["width"] * part / 10, box["y"] + box["height"] / 2]) for part in range(1, 10))
    assert body.evaluate("body => getComputedStyle(body).overflowY") == "auto"  # what goes up ends at the head's lower edge
