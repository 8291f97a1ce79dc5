"""The gallery: from the list to an experiment, on to the next by keyboard, large type, and into the dashboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from engine import paper_experiments
from tests.browser import dashboard
from tests.browser.server import Server

FIRST, SECOND = list(paper_experiments())[:2]
HAND = "dynamic-priority/table-1"
SIZES = """() => [...document.querySelectorAll("main *")]
  .filter((node) => !node.closest(".paper-schedule .chart") && [...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim()))
  .map((node) => getComputedStyle(node).fontSize)"""


def computed(page: Page) -> None:
    """Wait until an experiment is run and its pictures and schedules are drawn."""
    expect(page.locator(".paper-answer:has-text('computed now') .paper-verdict")).to_be_visible(timeout=dashboard.READY_MS)
    expect(page.locator(".paper-picture .cartesianlayer .subplot").first).to_be_attached(timeout=dashboard.READY_MS)
    expect(page.locator("#paper-charts img.schedule").first).to_be_visible(timeout=dashboard.READY_MS)


def test_from_the_header_to_an_experiment_and_its_schedule_in_the_dashboard(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Papers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Papers")
    page.locator(".experiments").get_by_role("link", name="Six jobs, by hand").click()
    computed(page)
    expect(page.locator(".paper-answer")).to_contain_text("agrees")
    row = page.get_by_role("row", name="Average waiting time under the score")
    expect(row).to_contain_text("18.33 s18.33 s")
    page.get_by_role("link", name="Open in the dashboard", exact=True).click()
    dashboard.drawn(page, 2)
    expect(page.locator("#lanes h3")).to_have_text(["fifo+slowstart", "priority-fifo(k1=1)+slowstart"])


def test_a_class_goes_on_by_keyboard_in_large_type(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{FIRST}")
    computed(page)
    size = "() => parseFloat(getComputedStyle(document.querySelector('.paper .says')).fontSize)"
    small = page.evaluate(size)
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="Large type")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(size) > small
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{server.url}/papers/{SECOND}")
    expect(page.locator("h1")).to_have_text(paper_experiments()[SECOND].title)
    computed(page)
    assert page.evaluate(size) > small
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(f"{server.url}/papers/{FIRST}")
    page.reload()
    computed(page)
    expect(page.get_by_role("button", name="Large type")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("L")
    expect(page.get_by_role("button", name="Large type")).to_have_attribute("aria-pressed", "false")


def test_arrows_in_a_table_scroll_it_and_leave_the_page_where_it_is(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{FIRST}")
    computed(page)
    page.locator(".claims-room").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    expect(page).to_have_url(f"{server.url}/papers/{FIRST}")


def test_a_cell_of_the_matrix_leads_to_its_claim_and_arrows_walk_from_cell_to_cell(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers")
    cells = page.locator(".matrix-claims a")
    cells.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cells.nth(1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(cells.nth(3)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.url}/papers/{SECOND}#claim-2")
    computed(page)
    row = page.locator("#claim-2")
    expect(row).to_be_in_viewport()
    expect(row).to_have_attribute("data-asked", "yes")


def test_numbers_and_charts_are_taken_away_from_one_menu_a_card(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{HAND}")
    computed(page)
    menu = page.locator(".paper-picture .card-menu").first
    for entry, name, begin in (("Numbers as CSV", "csv", b"Series,Source,"), ("Chart as PNG", "png", b"\x89PNG"), ("Chart as SVG", "svg", b"<svg")):
        menu.locator("summary").click()
        with page.expect_download() as download:
            menu.get_by_text(entry).click()
        assert download.value.suggested_filename == f"gantry-dynamic-priority-table-1-1.{name}"
        assert download.value.path().read_bytes().startswith(begin)
        expect(menu).not_to_have_attribute("open", "")
    schedule = page.locator(".paper-schedule .card-menu").first
    schedule.locator("summary").click()
    with page.expect_download() as download:
        schedule.get_by_text("Chart as SVG").click()
    assert paper_experiments()[HAND].shows()[0].title in download.value.path().read_text("utf-8")


def test_a_menu_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{HAND}")
    computed(page)
    menu = page.locator(".paper-picture .card-menu").first
    head = menu.locator("summary")
    head.focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_text("Chart as PNG")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(menu.get_by_text("Numbers as CSV")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{server.url}/papers/{HAND}")
    page.keyboard.press("Escape")
    expect(menu.get_by_text("Chart as PNG")).to_be_hidden()
    expect(head).to_be_focused()
    page.keyboard.press("Enter")
    expect(menu.get_by_text("Chart as PNG")).to_be_visible()
    page.locator("h1").click()
    expect(menu.get_by_text("Chart as PNG")).to_be_hidden()


def test_only_five_sizes_of_type(page: Page, server: Server) -> None:
    """Those of the charts of containers are the dashboard's."""
    page.goto(f"{server.url}/papers/{HAND}")
    computed(page)
    sizes = {"12px", "13px", "15px", "18px", "24px"}
    assert set(page.evaluate(SIZES)) <= sizes
    page.keyboard.press("l")
    expect(page.locator(".paper-picture .xtick text").first).to_have_css("font-size", "18px")
    assert set(page.evaluate(SIZES)) <= sizes


def test_an_experiment_that_none_has(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/saf/nothing")
    expect(page.get_by_role("main")).to_contain_text("This address has no page.")
    assert [said for said in page.complaints if "404" not in said] == []
    page.complaints.clear()


@pytest.mark.parametrize("width", [360, 1280, 1920])
@pytest.mark.parametrize("path", ["/papers", f"/papers/{HAND}"])
def test_nothing_is_wider_than_the_window(page: Page, server: Server, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(server.url + path)
    if path != "/papers":
        computed(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
