"""All of it by keyboard, and in words for those who don't see it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase

FOCUS = """() => {
    const node = document.activeElement;
    const style = getComputedStyle(node);
    const name = node.getAttribute("aria-label") || node.title || node.innerText || node.placeholder || node.role || "";
    return { id: node.id, name: name.trim(), ring: style.outlineStyle !== "none" || style.boxShadow !== "none" };
}"""  # noqa: E501
TOOLS = (
    "turn-rail",
    "run",
    "share",
    "show-recent",
    "compare-with",
    "show-view",
    "drawer-edge",
)
VIEW = ("find", "colour-by", "rows-by", "rows-sort", "rows-find", "play-speed")
NAMES = (
    "Zoom in (W or +)",
    "Zoom out (S or -)",
    "Charts of fifo",
    "More of fifo",
    "Compare",
    "Close the drawer",
)


def walk_menu(page: Page) -> None:
    """A menu is entered, walked and left by keyboard."""
    opener = page.locator("#show-export")
    items = page.locator("details:has(#show-export) .menu-entries > *")
    for key in ("Enter", "Space", "Enter"):  # a menu opens in another order of events the second time
        opener.focus()
        page.keyboard.press(key)
        expect(items.first).to_be_focused()
        expect(items.first).to_contain_text("Report")
        page.keyboard.press("ArrowDown")
        expect(items.nth(1)).to_be_focused()
        page.keyboard.press("End")
        expect(items.last).to_be_focused()
        page.keyboard.press("ArrowDown")
        expect(items.first).to_be_focused()
        page.keyboard.press("Escape")
        expect(items.first).to_be_hidden()
        expect(opener).to_be_focused()
    opener.click()
    expect(items.first).to_be_visible()
    page.mouse.click(5, 5)
    expect(items.first).to_be_hidden()
    opener.click()
    expect(items.first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(opener).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(items.first).to_be_hidden()


def test_the_dashboard_is_read_and_worked_by_keyboard(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    # The first Tab skips to the results.
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#results")).to_be_focused()

    # One heading, one main, named regions; what happens is said aloud.
    expect(page.get_by_role("main")).to_have_count(1)
    for name in ("Run", "Charts", "Play", "Details", "Compare"):
        expect(page.get_by_role("region", name=name, exact=True)).to_have_count(1)
    assert page.locator("h1").count() == 1
    expect(page.locator("#run-status")).to_have_attribute("aria-live", "polite")
    expect(page.get_by_role("status").filter(has_text="4 schedulers")).to_have_count(1)
    assert violations(page) == []

    # Tab reaches every tool; each has a name and shows that it is there.
    page.locator("#turn-rail").focus()
    reached = [page.evaluate(FOCUS)]
    for _ in range(90):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUS))
        if reached[-1]["name"] == "Close the drawer":
            break
    names, ids = [result["name"] for result in reached], [result["id"] for result in reached]
    assert set(TOOLS) - set(ids) == set() == set(NAMES) - set(names)
    assert names.count("Present") == 1
    assert [result for result in reached if not result["name"] and not result["id"]] == []
    assert [result for result in reached if not result["ring"]] == []

    # View opens with the search in focus, and Tab walks through it.
    page.locator("#show-view").press("Enter")
    for id in VIEW:
        expect(page.locator(f"#{id}")).to_be_focused()
        page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator("#show-view")).to_be_focused()

    # Arrows, Home and End walk along the drawer's tabs, Enter opens one; Tab goes on to what is in it.
    tab = lambda name: page.get_by_role("tab", name=name)
    tab("Compare").focus()
    page.keyboard.press("ArrowRight")
    expect(tab("Why")).to_be_focused()
    expect(tab("Compare")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(tab("What if")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel", name="What if")).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tabpanel", name="Compare")).to_be_visible()

    # A chart takes the focus, shows it and is described; its picture is downloaded.
    chart = page.locator(".chart").first
    page.locator(".lane-menu > summary").first.focus()
    page.keyboard.press("Tab")
    expect(chart).to_be_focused()
    assert page.evaluate(FOCUS)["ring"]
    expect(chart).to_have_accessible_name("fifo")
    expect(page.locator(f"#{chart.get_attribute('aria-describedby')}")).to_contain_text(
        phrase("browser.fifo_jobs_containers_on_nodes", 4, 148, 8)
    )
    page.locator(".lane-menu > summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Download PNG").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(".svg")
    page.keyboard.press("Escape")

    # Menus and dialogs give the focus back.
    walk_menu(page)
    page.locator("#share").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("#share-link")).not_to_have_value("")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).not_to_be_visible()
    expect(page.locator("#share")).to_be_focused()

    # Arrows move in a table of numbers, Tab leaves it.
    dashboard.show(page, "Compare")
    cell = page.locator("#metrics-grid .ag-row[row-id='Makespan'] [col-id=s0]")
    cell.click()
    expect(cell).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#metrics-grid .ag-row[row-id='Mean wait'] [col-id=s0]")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#bounds summary")).to_be_focused()

    # A scheduler is added and run.
    page.locator("#turn-rail").focus()
    page.keyboard.press("Enter")
    page.locator("#schedulers").focus()
    page.keyboard.type("fifo(resources=memory)")
    page.keyboard.press("Enter")
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#lanes h3")).to_have_text(
        ["fifo", "fair", "drf", "capacity", "fifo(resources=memory)"]
    )
