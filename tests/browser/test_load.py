"""The first load: how much comes over the wire, from where, and under which rules."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import dashboard
from tests.browser.network import listen
from tests.browser.server import Server
from webapp.services import bundle

MOST_BYTES = 2_000_000
MOST_BYTES_AGAIN = 150_000  # the document and the answers of callbacks
MOST_FILES = 15
GRIDS, CHARTS = "/dash_ag_grid/", "/plotly-"
PACKED_FROM = 1_000  # bytes
VIOLATIONS = "() => document.addEventListener('securitypolicyviolation', (event) => console.error(`refused: ${event.violatedDirective} ${event.blockedURI}`))"


def test_a_first_visit_takes_less_than_two_megabytes_in_fifteen_files(first_page: Page, server: Server) -> None:
    log = listen(first_page)
    dashboard.opened(first_page, server.url)
    log.settle(first_page)
    assert 500_000 < log.bytes() < MOST_BYTES
    assert len(log.files()) <= MOST_FILES, [answer.url for answer in log.files()]
    assert len(log.files()) > 5
    assert {answer.url.startswith(server.url + "/") for answer in log.all()} == {True}
    assert [answer.url for answer in log.all() if answer.bytes > PACKED_FROM + 1_000 and answer.packed != "gzip"] == []
    assert [answer.url for answer in log.all() if answer.status not in (200, 204)] == []
    assert [answer.url for answer in log.all() if "_dash-component-suites" in answer.url] == []


def test_the_libraries_of_tables_and_charts_come_when_the_first_is_shown(first_page: Page, server: Server) -> None:
    log = listen(first_page)
    first_page.goto(server.url + "/model")
    expect(first_page.locator("h1")).to_have_count(1)
    log.settle(first_page)
    assert [answer.url for answer in log.all() if GRIDS in answer.url or "plotly" in answer.url] == []
    assert log.bytes() < 1_000_000

    first_page.set_viewport_size({"width": 1280, "height": 720})  # the drawer is closed there
    dashboard.opened(first_page, server.url)
    log.settle(first_page)
    assert [answer.url for answer in log.all() if GRIDS in answer.url or "plotly" in answer.url] == []

    dashboard.show(first_page, "Compare")
    first_page.locator(".ag-root").first.wait_for(state="attached")
    expect(first_page.locator("#finish-graph .main-svg").first).to_be_attached()
    log.settle(first_page)
    assert len([answer for answer in log.all() if GRIDS in answer.url]) == 2
    [plotly] = [answer.url for answer in log.all() if "plotly" in answer.url]
    assert CHARTS + "basic-" in plotly


def test_the_late_grid_says_of_itself_what_the_library_s_does(page: Page, server: Server) -> None:
    """Dash reads these of a component's class before it is shown; propTypes and dashPersistence serve what no table of ours asks for."""
    dashboard.opened(page, server.url)
    page.locator(".ag-root").first.wait_for(state="attached")
    real = page.evaluate("""async () => {
      const late = window.dash_ag_grid;
      const script = document.createElement("script");
      script.src = document.querySelector("script[data-grid]").dataset.grid;
      await new Promise((done) => ((script.onload = done), document.head.append(script)));
      const names = Object.keys(window.dash_ag_grid.AgGrid);
      window.dash_ag_grid = late;
      return names;
    }""")
    late = page.evaluate("() => Object.keys(window.dash_ag_grid.AgGrid)")
    assert set(real) - {"propTypes", "dashPersistence"} == set(late) == {"dashRenderType"}


def test_a_library_that_did_not_come_is_asked_for_again(page: Page, server: Server) -> None:
    away = {"dash_ag_grid.min.js", "async-community.js"}

    def once(route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[-1]
        if name in away:
            away.remove(name)
            return route.abort()
        return route.continue_()

    page.route(f"**{GRIDS}*", once)
    dashboard.opened(page, server.url)
    dashboard.show(page, "Compare")
    page.locator("#metrics-grid .ag-row").first.wait_for(state="attached")
    assert not away
    assert len(page.complaints) == 2 and all("ERR_FAILED" in said for said in page.complaints)
    page.complaints.clear()


def test_layout_and_callbacks_are_asked_for_before_the_scripts_have_come_and_once(first_page: Page, server: Server) -> None:
    dashboard.opened(first_page, server.url)
    found = first_page.evaluate("""() => performance.getEntriesByType("resource").map((one) => [one.name, one.startTime, one.responseEnd])""")
    scripts = max(end for name, _start, end in found if name.endswith(("/dash-renderer.js", "/gantry.js")))
    for name in ("/_dash-layout", "/_dash-dependencies"):
        [start] = [start for address, start, _end in found if address.endswith(name)]
        assert start < scripts


def test_a_second_visit_asks_for_what_changes_only(first_page: Page, server: Server) -> None:
    dashboard.opened(first_page, server.url)
    first_page.wait_for_load_state("networkidle")
    first_page.evaluate("() => localStorage.clear()")
    again = first_page.context.new_page()
    log = listen(again)
    dashboard.opened(again, server.url)
    log.settle(again)
    assert log.bytes() < MOST_BYTES_AGAIN
    kept = [answer for answer in log.files() if "/bundle/" in answer.url or "/assets/" in answer.url]
    assert len(kept) >= 4
    assert [answer.url for answer in kept if answer.bytes] == []
    asked = [answer for answer in log.files() if "/_dash-" in answer.url]
    assert [answer.url for answer in asked if answer.bytes > PACKED_FROM] == []  # not changed


def test_an_error_in_one_script_is_said_with_its_name_and_does_not_stop_the_others(page: Page, server: Server) -> None:
    broken = bundle.SCRIPT.format(name="broken.js", text="throw new Error('on purpose');")

    def with_broken(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=broken + answer.text())

    page.route("**/gantry.js", with_broken)
    dashboard.opened(page, server.url)
    [complaint] = page.complaints
    assert complaint.startswith("broken.js: Error: on purpose")
    page.complaints.clear()


@pytest.mark.parametrize("path", ["/", "/schedulers", "/schedulers/fair", "/model", "/checked-against-hadoop"])
def test_scripts_come_from_here_alone_and_none_is_made_of_text(page: Page, server: Server, path: str) -> None:
    page.add_init_script(f"({VIOLATIONS})()")
    answer = page.goto(server.url + path)
    rules = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    assert all(source == "'self'" or re.fullmatch(r"'sha256-[\w+/=]+'", source) for source in rules["script-src"].split())
    assert (rules["default-src"], rules["object-src"], rules["base-uri"], rules["frame-ancestors"]) == ("'self'", "'none'", "'self'", "'self'")
    expect(page.locator("h1")).to_have_count(1)
    if path == "/":
        dashboard.drawn(page)
        dashboard.show(page, "More")
        expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached(timeout=dashboard.READY_MS)
    if path == "/schedulers/fair":
        page.wait_for_function("() => [...document.querySelectorAll('main img')].some((picture) => picture.naturalWidth > 100)")
    page.wait_for_load_state("networkidle")  # the page's console must be clean, refusals included


def test_no_component_makes_every_change_a_walk_through_the_whole_layout(page: Page, server: Server) -> None:
    """dash-renderer walks it for each component whose class asks to hear of its children: half of a click's time once."""
    dashboard.opened(page, server.url)
    assert page.evaluate("() => Object.keys(dash_mantine_components).length") > 100
    assert page.evaluate("() => Object.keys(dash_mantine_components).filter((name) => 'dashChildrenUpdate' in dash_mantine_components[name])") == []
