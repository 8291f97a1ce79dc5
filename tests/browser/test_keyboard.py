"""All of it by keyboard, and in words for those who don't see it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server

FOCUS = """() => {
    const node = document.activeElement;
    const style = getComputedStyle(node);
    const name = node.getAttribute("aria-label") || node.title || node.innerText || node.placeholder || node.role || "";
    return { id: node.id, name: name.trim(), ring: style.outlineStyle !== "none" || style.boxShadow !== "none" };
}"""


def test_the_first_tab_skips_to_the_results(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#results")).to_be_focused()


def test_tab_reaches_every_tool_and_each_has_a_name(shared_page: Page, server: Server) -> None:
    page = dashboard.as_opened(shared_page, server.url)
    page.locator("#turn-rail").focus()
    reached = [page.evaluate(FOCUS)]
    for _ in range(90):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUS)
        reached.append(found)
        if found["name"] == "Close the drawer":
            break
    names, ids = [found["name"] for found in reached], [found["id"] for found in reached]
    for id in ("turn-rail", "run", "pin", "share", "show-recent", "colour-by", "rows-by", "rows-find", "find", "play-speed", "drawer-edge"):
        assert id in ids, f"{id} is not reached by Tab"
    for name in ("Zoom in (W or +)", "Zoom out (S or -)", "Charts of fifo", "More of fifo", "Compare", "What if", "Close the drawer"):
        assert name in names
    assert names.count("Present") == 1
    assert [found for found in reached if not found["name"] and not found["id"]] == []
    assert [found for found in reached if not found["ring"]] == []


def test_a_chart_takes_the_focus_shows_it_and_is_described(shared_page: Page, server: Server) -> None:
    page = dashboard.as_opened(shared_page, server.url)
    chart = page.locator(".chart").first
    page.locator(".lane-menu > summary").first.focus()
    page.keyboard.press("Tab")
    expect(chart).to_be_focused()
    assert page.evaluate(FOCUS)["ring"]
    expect(chart).to_have_accessible_name("fifo")
    story = chart.get_attribute("aria-describedby")
    expect(page.locator(f"#{story}")).to_contain_text("fifo: 4 jobs, 148 containers on 8 nodes, makespan")


def test_a_picture_of_a_chart_is_downloaded_by_keyboard(shared_page: Page, server: Server) -> None:
    page = dashboard.as_opened(shared_page, server.url)
    page.locator(".lane-menu > summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Download PNG").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(".svg")


def test_what_happens_is_said_aloud(shared_page: Page, server: Server) -> None:
    page = dashboard.as_opened(shared_page, server.url)
    expect(page.locator("#run-status")).to_have_attribute("aria-live", "polite")
    expect(page.get_by_role("status").filter(has_text="4 schedulers")).to_have_count(1)


def test_share_is_opened_closed_and_left_by_keyboard(shared_page: Page, server: Server) -> None:
    page = dashboard.as_opened(shared_page, server.url)
    page.locator("#share").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("#share-link")).not_to_have_value("")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).not_to_be_visible()
    expect(page.locator("#share")).to_be_focused()


def test_a_scheduler_is_added_by_keyboard(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.locator("#turn-rail").focus()
    page.keyboard.press("Enter")
    page.locator("#schedulers").focus()
    page.keyboard.type("fifo(resources=memory)")
    page.keyboard.press("Enter")
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#lanes h3")).to_have_text(["fifo", "fair", "drf", "capacity", "fifo(resources=memory)"])


def test_one_heading_one_main_and_named_regions(shared_page: Page, server: Server) -> None:
    page = dashboard.as_opened(shared_page, server.url)
    expect(page.get_by_role("main")).to_have_count(1)
    for name in ("Run", "Charts", "Play", "Details", "Compare"):
        expect(page.get_by_role("region", name=name, exact=True)).to_have_count(1)
    assert page.locator("h1").count() == 1


def test_tab_leaves_a_table_of_numbers_and_arrows_move_in_it(shared_page: Page, server: Server) -> None:
    page = dashboard.as_opened(shared_page, server.url)
    dashboard.show(page, "Compare")
    cell = page.locator("#metrics-grid .ag-row[row-id='Makespan'] [col-id=s0]")
    cell.click()
    expect(cell).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#metrics-grid .ag-row[row-id='Mean wait'] [col-id=s0]")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#bounds summary")).to_be_focused()
