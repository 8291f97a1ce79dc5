"""On a telephone: the reason lies below what was clicked, the version is in the editor, and replay is no
wider than the screen.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from engine import VERSION, Scenario
from tests.browser import dashboard
from tests.browser.server import Server
from tests.webapp.replay_record import record
from webapp.url import url_state
from webapp.url.url_state import RunRequest

BELOW = """() => {
  const mark = document.querySelector(".mark:not([hidden])"), drawer = document.getElementById("drawer");
  return mark && mark.getBoundingClientRect().bottom <= drawer.getBoundingClientRect().top;
}"""


def test_why_the_version_and_replay(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, server.url)
    page.mouse.click(*dashboard.on_bar(page, 0, number=30))
    expect(page.locator("#decision")).to_be_visible()
    page.wait_for_function(BELOW)  # once the page has scrolled there
    panel = page.locator("#drawer").bounding_box()
    assert panel["x"] == 0 and panel["width"] == 360
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    page.get_by_role("navigation", name="What is shown").get_by_role(
        "button", name="Edit", exact=True
    ).click()
    expect(page.locator("#left .version")).to_have_text(f"Gantry {VERSION}")
    page.locator("#left .version").scroll_into_view_if_needed()
    expect(page.locator("#left .version")).to_be_in_viewport()

    recorded = RunRequest(Scenario.of(record()).plain(), ("measured", "fair"))
    dashboard.opened_narrow(page, server.url + url_state.address(request=recorded))
    page.evaluate("() => window.gantry.openTab('replay')")
    expect(page.locator(".replay-headline")).to_be_visible(timeout=dashboard.READY_MS)
    expect(page.locator("#replay-jobs .replay-reason").first).to_be_visible()
    assert (
        page.evaluate(
            "() => { const body = document.getElementById('drawer-body'); return body.scrollWidth - "
            "body.clientWidth; }"
        )
        <= 0
    )
