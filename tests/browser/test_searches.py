"""The search for the best setting: what it asks for, a real one, its answer in the charts, and back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server
from tests.browser.test_run import SMALL
from tests.browser.test_whatif import NODES, add

LONG_MS = 120_000


def test_a_search_is_asked_answered_opened_and_undone(page: Page, server: Server) -> None:
    """Two jobs of four maps on two nodes: more nodes and an earlier start of the reduces are no slower, so the best of all has more nodes."""
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.load(page, SMALL, ["fifo"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    page.locator("#best > summary").click()
    expect(page.locator("#best-form")).to_contain_text("Add sliders above: they are what is searched.")
    expect(page.locator("#best-run")).to_be_disabled()
    add(page, NODES)
    add(page, "job: slow start")
    form = page.locator("#best-form")
    expect(form.get_by_role("checkbox")).to_have_count(2)
    form.get_by_label("Trials").select_option("20")
    form.get_by_label("Metric of constraint 1").select_option("max_wait_s")
    form.get_by_label("Number of constraint 1").fill("soon")
    expect(page.locator("#best-price")).to_contain_text("Constraint 1: must be a number of seconds")
    form.get_by_label("Number of constraint 1").fill("5 min")
    expect(page.locator("#best-price")).to_contain_text("runs")
    form.get_by_label("Number of constraint 1").press("Enter")
    answer = page.locator("#best-answer")
    expect(answer).to_contain_text(f"{NODES}", timeout=LONG_MS)
    expect(answer).to_contain_text("instead of 2")
    expect(answer).to_contain_text("at most 300 s holds")
    before = dashboard.key(page)
    page.reload()
    dashboard.drawn(page, 1)
    expect(answer).to_contain_text("instead of 2")
    answer.get_by_role("button", name="Open this setting").click()
    page.wait_for_function("before => document.getElementById('lanes').dataset.key !== before", arg=before)
    expect(page.locator("#lanes h3")).to_have_count(2)
    dashboard.compose(page)
    expect(page.locator("#editor-nodes-summary")).not_to_contain_text("2 nodes")
    page.click("#editor-undo")
    expect(page.locator("#editor-nodes-summary")).to_contain_text("2 nodes")
