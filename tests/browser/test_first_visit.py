"""The first visit shows a finished example, and nothing a visitor does is lost by a reload."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase

# calls of the server's callbacks: the page, the schedulers' names, and what follows from the drawer's width
# and open tab
VISIT = 8
# The types of all components on the page; then those of them, and of their library, whose class makes
# dash-renderer walk the page at every change.
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
  const mantine = Object.keys(window.dash_mantine_components).map((type) => ["dash_mantine_components", type]);
  return [found.length, mantine.length, [...found, ...mantine].filter(walks)];
}"""  # noqa: E501

# The browser's storage with no room left.
FULL = """() => {
    for (const length of [200000, 1])
        try {
            for (let count = 0; ; count++) localStorage.setItem(`fill${length} ${count}`, "x".repeat(length));
        } catch {}
}"""


def test_a_visitor_finds_an_example_and_loses_nothing_of_their_own(page: Page, server: Server) -> None:
    asked: list[str] = []
    page.on(
        "request",
        lambda request: (
            asked.append(request.post_data or "") if "/_dash-update-component" in request.url else None
        ),
    )
    with dashboard.answered(page):
        dashboard.opened(page, server.url, 2)
        page.locator("#jobs-room .ag-row").first.wait_for(state="attached")
    # A finished example, which is no run of theirs and needs no address.
    expect(page.locator("#lanes h3")).to_have_text(["fair", "haste"])
    expect(page.locator("#run-status")).to_contain_text("2 schedulers, 296")
    assert dashboard.modes(page) == ["exact"] * 2
    assert (
        sum(
            len(dashboard.bars(page, chart, kind))
            for chart in range(2)
            for kind in ("master", "map", "shuffle", "waiting", "reduce")
        )
        > 250
    )
    assert "Gantry" in page.title()
    assert page.url.rstrip("/") == server.url
    assert 0 < len(asked) <= VISIT, asked
    page.click("#show-recent")
    expect(page.locator("#recent-list")).to_contain_text("No runs yet")
    page.keyboard.press("Escape")
    dashboard.compose(page)
    title = page.get_by_label(phrase("browser.title_scenario"))
    expect(page.locator("#editor-jobs .editor-line").first).to_be_visible()
    expect(title).not_to_have_value("")
    expect(page.locator("#editor-undo")).to_be_disabled()
    expect(page.locator("#editor-faults-summary")).to_contain_text("No errors")

    # No component makes a change a walk through the whole page, whatever is shown: that was half of a click's
    # time once.
    for tab in ("Capacity", "Differences", "More charts", "What if", "Compare"):
        dashboard.show(page, tab)
    expect(page.locator("#metrics-grid .ag-row").first).to_be_visible()
    components, library, walkers = page.evaluate(COMPONENTS)
    assert components > 300 and library > 100
    assert walkers == []

    # Every result links to what the model leaves out; back from there the charts are there.
    expect(page.locator("#rail a[href='/model']")).to_have_count(1)
    page.locator("header a[href='/model']").click()
    expect(page.locator("h1")).to_have_text(phrase("browser.limits_model"))
    for topic in (
        phrase("webapp.off_until_you_ask"),
        "Why attempts fail",
        "Reservations",
        "Preemption",
        "Shared network",
    ):
        expect(page.locator("#results")).to_contain_text(topic)
    assert violations(page) == []
    page.go_back()
    dashboard.drawn(page, 2)

    # Runs are listed, newest first, and open again.
    dashboard.compose(page)
    for name in ("One", "Two"):
        title.fill(name)
        expect(page.locator("#run-reason")).to_have_text(phrase("browser.inputs_changed_run_again"))
        dashboard.run(page)
    page.click("#show-recent")
    expect(page.locator("#recent-list strong")).to_have_text(["Two", "One"])
    assert violations(page, "[role=dialog]") == []
    page.locator("#recent-list li").nth(1).locator("button").first.click()
    expect(page.locator("#run-status")).to_contain_text("One: 2 schedulers")
    expect(title).to_have_value("One")
    expect(page.locator("#recent-list")).not_to_be_visible()

    # Where the browser has no room, the oldest run makes it.
    page.evaluate(FULL)
    title.fill("Six")
    expect(page.locator("#run-reason")).to_have_text(phrase("browser.inputs_changed_run_again"))
    dashboard.run(page)
    page.click("#show-recent")
    expect(page.locator("#recent-list strong").first).to_have_text("Six")
    page.locator("#recent-list li", has_text="One").locator("button").first.click()
    expect(title).to_have_value("One")
    page.evaluate(
        "() => Object.keys(localStorage).forEach("
        "(key) => key.startsWith('fill') && localStorage.removeItem(key))"
    )

    # A reload and a closed tab lose neither the run nor what was looked at.
    page.locator(".chart").first.focus()
    page.keyboard.press("w")
    page.wait_for_url("**x0=*")
    zoom = dashboard.ranges(page)[0]
    page.reload()
    dashboard.drawn(page, 2)
    expect(page.locator("#run-status")).to_contain_text("One")
    assert dashboard.ranges(page) == [zoom] * 2
    again = page.context.new_page()
    dashboard.opened(again, server.url, 2)
    expect(again.locator("#run-status")).to_contain_text("One")
