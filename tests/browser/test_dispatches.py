"""How much work a click and a drag give the browser: components that make dash-renderer walk the whole page, dispatches to its store, layouts."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser import dashboard
from tests.browser.server import Server
from tests.browser.test_run import SMALL

CLICK = 130  # dispatches, with those of the panel that is open; some 100 as it is
MOVES = 30
VISIT = 8  # calls of the server's callbacks: the page, the schedulers' names, and what follows from the drawer's width and open tab

# The types of all components on the page; then those of them whose class makes dash-renderer walk the page.
COMPONENTS = """() => {
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (node && node.props) {
      found.push([node.namespace, node.type]);
      Object.values(node.props).forEach(visit);
    }
  };
  visit(Object.values(window.store.getState().layout));
  const walks = ([space, type]) => window[space] && window[space][type] && "dashChildrenUpdate" in window[space][type];
  return [found, found.filter(walks)].map((some) => some.map(([, type]) => type));
}"""
COUNT = "() => { window.dispatched = 0; window.store.subscribe(() => { window.dispatched += 1; }); }"


def settled(page: Page) -> int:
    """The dispatches so far, once a second has passed without another."""
    seen, found = -1, page.evaluate("() => window.dispatched")
    while found != seen:
        page.wait_for_timeout(1000)
        seen, found = found, page.evaluate("() => window.dispatched")
    return found


def test_the_page_has_no_component_that_dash_walks_all_of_it_for(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    for tab in ("Compare", "Capacity", "Differences", "More", "What if"):
        dashboard.show(page, tab)
    page.wait_for_load_state("networkidle")
    every, walkers = page.evaluate(COMPONENTS)
    assert len(every) > 300
    assert walkers == []


def test_a_visit_asks_the_server_s_callbacks_for_what_it_shows(page: Page, server: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.post_data or "") if "/_dash-update-component" in request.url else None)
    dashboard.opened(page, server.url)
    page.locator("#jobs-room .ag-row").first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    assert 0 < len(asked) <= VISIT, asked


def test_a_click_on_run_is_few_dispatches(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.load(page, SMALL, ["fifo", "fair"])
    page.evaluate(COUNT)
    settled(page)
    before = page.evaluate("() => window.dispatched")
    dashboard.run(page)
    assert 0 < settled(page) - before <= CLICK


def test_a_drag_dispatches_nothing_and_lays_nothing_out(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.locator(dashboard.CHARTS).first.focus()
    page.keyboard.press("w")
    page.keyboard.press("w")
    page.evaluate(COUNT)
    before = settled(page)
    wire = page.context.new_cdp_session(page)
    wire.send("Performance.enable")
    layouts = lambda: next(one["value"] for one in wire.send("Performance.getMetrics")["metrics"] if one["name"] == "LayoutCount")
    box = page.locator("#lanes .rows .plot").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y)
    window, laid_out = dashboard.ranges(page)[0], layouts()
    for move in range(MOVES):
        page.mouse.move(x + 8 + 2 * move, y)
    found = layouts() - laid_out
    assert dashboard.ranges(page)[0] != window
    assert page.evaluate("() => window.dispatched") == before
    assert found == 0
    page.mouse.up()
