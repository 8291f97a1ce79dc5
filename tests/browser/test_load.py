"""The first load: how much comes over the wire, from where, and what is done about what does not come."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser import dashboard
from tests.browser.network import Log, listen
from tests.browser.server import Server

MAX_BYTES = 2_000_000
MAX_REPEAT_BYTES = 150_000  # the document and the answers of callbacks
MAX_FILES = 15
GRIDS, CHARTS = "/dash_ag_grid/", "/plotly-"
PACKED_FROM = 1_000  # bytes
# What the class of the grid that comes late says of itself, and what the library's does.
CLASSES = """async () => {
  const late = window.dash_ag_grid;
  const script = document.createElement("script");
  script.src = document.querySelector("script[data-grid]").dataset.grid;
  await new Promise((done) => ((script.onload = done), document.head.append(script)));
  const names = Object.keys(window.dash_ag_grid.AgGrid);
  window.dash_ag_grid = late;
  return [Object.keys(late.AgGrid), names];
}"""


def test_a_first_visit_takes_little_and_a_second_one_what_has_changed(
    first_page: Page, server: Server
) -> None:
    log = listen(first_page)
    dashboard.opened(first_page, server.url)
    log.settle(first_page)
    check_first_visit(log, server.url)
    check_asked_before_scripts(first_page)

    first_page.evaluate("() => localStorage.clear()")
    again = first_page.context.new_page()
    log = listen(again)
    dashboard.opened(again, server.url)
    log.settle(again)
    assert log.bytes() < MAX_REPEAT_BYTES
    kept = [answer for answer in log.files() if "/bundle/" in answer.url or "/assets/" in answer.url]
    assert len(kept) >= 4
    assert [answer.url for answer in kept if answer.bytes] == []
    asked = [answer for answer in log.files() if "/_dash-" in answer.url]
    assert [answer.url for answer in asked if answer.bytes > PACKED_FROM] == []  # not changed


def check_first_visit(log: Log, url: str) -> None:
    """Few files of our own, small, packed, and none of Dash's components one by one."""
    assert 500_000 < log.bytes() < MAX_BYTES
    assert 5 < len(log.files()) <= MAX_FILES, [answer.url for answer in log.files()]
    answers = log.all()
    assert {answer.url.startswith(url + "/") for answer in answers} == {True}
    assert [
        answer.url for answer in answers if answer.bytes > PACKED_FROM + 1_000 and answer.packed != "zstd"
    ] == []
    assert [answer.url for answer in answers if answer.status not in (200, 204)] == []
    assert [answer.url for answer in answers if "_dash-component-suites" in answer.url] == []


def check_asked_before_scripts(page: Page) -> None:
    """Layout and callbacks are asked for before the scripts have come, and once."""
    state = page.evaluate(
        """() => performance.getEntriesByType("resource")
        .map((one) => [one.name, one.startTime, one.responseEnd])"""
    )
    scripts = max(end for name, _start, end in state if name.endswith(("/dash-renderer.js", "/gantry.js")))
    for name in ("/_dash-layout", "/_dash-dependencies"):
        [start] = [start for address, start, _end in state if address.endswith(name)]
        assert start < scripts


def test_the_libraries_of_tables_and_charts_come_when_the_first_is_shown(
    first_page: Page, server: Server
) -> None:
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
    # Dash reads these of a component's class before it is shown; propTypes and dashPersistence serve what no
    # table of ours asks for.
    late, real = first_page.evaluate(CLASSES)
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
