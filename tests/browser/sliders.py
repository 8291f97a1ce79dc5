"""The sliders of the tab What if, as a user handles them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.scenarios import SMALL
from tests.browser.server import Server

NODES = "Nodes, total"
PREVIEW = "#lanes[data-preview]"
RANGE = ".whatif-row input[type=range]"
LONG_MS = 60_000


def opened(page: Page, server: Server) -> None:
    """A small run with a slider for its nodes."""
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.load(page, SMALL, ["fifo", "fair"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    add(page, NODES)


def add(page: Page, name: str, unit: str = "") -> None:
    page.click("#whatif-add")
    page.get_by_role("option", name=name + unit, exact=True).click()
    expect(page.get_by_role("group", name=name, exact=True)).to_be_visible()


def rested(page: Page, before: str) -> None:
    """Wait until the exact charts of another run have taken the preview's place."""
    page.wait_for_function(
        "before => document.getElementById('lanes').dataset.key !== before", arg=before, timeout=LONG_MS
    )
    expect(page.locator(PREVIEW)).to_have_count(0, timeout=LONG_MS)


def shows_again(page: Page, key: str) -> None:
    """Wait until an earlier result is shown again."""
    page.wait_for_function(
        "key => document.getElementById('lanes').dataset.key === key", arg=key, timeout=LONG_MS
    )
