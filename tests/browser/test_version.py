"""Every page says which Gantry it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from engine import VERSION
from tests.browser import dashboard
from tests.browser.server import Server


@pytest.mark.parametrize("path", ["/", "/model", "/schedulers/fair", "/papers", "/nothing/here"])
def test_on_a_screen(page: Page, server: Server, path: str) -> None:
    page.goto(server.url + path)
    expect(page.locator(".version:visible").first).to_have_text(f"Gantry {VERSION}", timeout=dashboard.READY_MS)
    if path.startswith("/nothing"):
        page.complaints[:] = [said for said in page.complaints if "404" not in said]


def test_on_a_telephone(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, server.url)
    page.get_by_role("navigation", name="What is shown").get_by_role("button", name="Edit", exact=True).click()
    expect(page.locator("#left .version")).to_have_text(f"Gantry {VERSION}")
    page.locator("#left .version").scroll_into_view_if_needed()
    expect(page.locator("#left .version")).to_be_in_viewport()
