"""The first load: how much comes over the wire, from where, and under which rules."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.network import listen
from tests.browser.server import Server

MOST_BYTES = 2_500_000
MOST_BYTES_AGAIN = 150_000  # the document and the answers of callbacks
PACKED_FROM = 1_000  # bytes
VIOLATIONS = "() => document.addEventListener('securitypolicyviolation', (event) => console.error(`refused: ${event.violatedDirective} ${event.blockedURI}`))"


def test_a_first_visit_takes_less_than_two_and_a_half_megabytes(first_page: Page, server: Server) -> None:
    log = listen(first_page)
    dashboard.opened(first_page, server.url)
    log.settle(first_page)
    assert 1_000_000 < log.bytes() < MOST_BYTES
    assert {answer.url.startswith(server.url + "/") for answer in log.all()} == {True}
    assert [answer.url for answer in log.all() if answer.bytes > PACKED_FROM + 1_000 and answer.packed != "gzip"] == []
    assert [answer.url for answer in log.all() if answer.status not in (200, 204)] == []


def test_plotly_js_comes_once_and_is_the_small_one(first_page: Page, server: Server) -> None:
    log = listen(first_page)
    dashboard.opened(first_page, server.url)
    log.settle(first_page)
    found = [answer.url for answer in log.all() if re.search(r"plotly[^/]*\.js", answer.url)]
    assert len(found) == 1
    assert "/assets/vendor/plotly-basic-" in found[0]


def test_a_second_visit_asks_for_what_changes_only(first_page: Page, server: Server) -> None:
    dashboard.opened(first_page, server.url)
    first_page.wait_for_load_state("networkidle")
    first_page.evaluate("() => localStorage.clear()")
    again = first_page.context.new_page()
    log = listen(again)
    dashboard.opened(again, server.url)
    log.settle(again)
    assert log.bytes() < MOST_BYTES_AGAIN
    files = [answer for answer in log.all() if "/assets/" in answer.url or "_dash-component-suites" in answer.url]
    assert len(files) > 30
    assert [answer.url for answer in files if answer.bytes > PACKED_FROM] == []


@pytest.mark.parametrize("path", ["/", "/schedulers", "/schedulers/fair", "/model", "/checked-against-hadoop"])
def test_scripts_come_from_here_alone_and_none_is_made_of_text(page: Page, server: Server, path: str) -> None:
    page.add_init_script(f"({VIOLATIONS})()")
    answer = page.goto(server.url + path)
    rules = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    assert all(source == "'self'" or re.fullmatch(r"'sha256-[\w+/=]+'", source) for source in rules["script-src"].split())
    assert (rules["default-src"], rules["object-src"], rules["base-uri"], rules["frame-ancestors"]) == ("'self'", "'none'", "'self'", "'self'")
    expect(page.locator("h1")).to_have_count(1)
    if path in ("/", "/schedulers/fair"):
        page.locator(".js-plotly-plot").first.scroll_into_view_if_needed()
        expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached(timeout=dashboard.READY_MS)
    page.wait_for_load_state("networkidle")  # the page's console must be clean, refusals included


def test_no_component_makes_every_change_a_walk_through_the_whole_layout(page: Page, server: Server) -> None:
    """dash-renderer walks it for each component whose class asks to hear of its children: half of a click's time once."""
    dashboard.opened(page, server.url)
    assert page.evaluate("() => Object.keys(dash_mantine_components).length") > 100
    assert page.evaluate("() => Object.keys(dash_mantine_components).filter((name) => 'dashChildrenUpdate' in dash_mantine_components[name])") == []
