"""The gallery: from the list to an experiment, on to the next by keyboard, large type, and into the dashboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from engine import paper_experiments
from tests.browser import dashboard
from tests.browser.server import Server

FIRST, SECOND = list(paper_experiments())[:2]
HAND = "dynamic-priority/table-1"


def computed(page: Page) -> None:
    """Wait until an experiment is run and its pictures and schedules are drawn."""
    expect(page.locator(".verdict-line .verdict-badge")).to_be_visible(timeout=dashboard.READY_MS)
    expect(page.locator(".paper-picture .cartesianlayer .subplot").first).to_be_attached(timeout=dashboard.READY_MS)
    expect(page.locator("#paper-charts .barlayer").first).to_be_attached(timeout=dashboard.READY_MS)


def test_from_the_header_to_an_experiment_and_its_schedule_in_the_dashboard(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Papers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Papers")
    page.get_by_role("link", name="Six jobs, by hand").click()
    computed(page)
    expect(page.locator(".verdict-line")).to_contain_text("agrees")
    row = page.get_by_role("row", name="Average waiting time under the score")
    expect(row).to_contain_text("18.33 s18.33 s")
    page.get_by_role("link", name="Open in the dashboard", exact=True).click()
    dashboard.drawn(page, 2)
    expect(page.locator("#cards h3")).to_have_text(["fifo+slowstart", "priority-fifo(k1=1)+slowstart"])


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
