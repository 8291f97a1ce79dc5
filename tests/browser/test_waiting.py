"""What waits: opened by a click where nothing runs, kept by the address, and of a deadlock."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, tasks

ROWS = "#decision .waiting-table tbody tr"


def test_what_waits_where_nothing_runs(page: Page, server: Server) -> None:
    """Beside the bar of a's map of 8 GB, b's, of 2 GB, waits for room; the address opens it again."""
    jobs = [job(name, tasks(1, 20.0, size)) for name, size in (("a", 6144), ("b", 3072))]
    cluster = {"nodes": [node(8192, 8), node(1024, 8)]}
    dashboard.opened(page, server.url)
    dashboard.load(page, {"version": 1, "name": "Two jobs", "cluster": cluster, "jobs": jobs}, ["fifo"])
    dashboard.run(page)
    dashboard.drawn(page, 1)
    left, top = dashboard.on_bar(page, 0, number=0)
    page.mouse.click(left, top + 40)
    expect(page.locator("#decision-title")).to_contain_text("Waiting at")
    expect(page.locator(ROWS)).to_have_count(1)
    expect(page.locator(ROWS)).to_contain_text(phrase("browser.no_node_has_room", "3 GB", "1 vcore"))
    page.wait_for_url(lambda address: "why=0:t" in address)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#decision-title")).to_contain_text("Decision 2 of 2")


def test_a_deadlock_says_what_waits_for_ever(page: Page, server: Server) -> None:
    """A master of 2 GB is more than half of 2 GB."""
    one = job("a", tasks(1, 1.0, 1024), am=master(memory=2048))
    cluster = {"nodes": [node(2048, 8)]}
    dashboard.opened(page, server.url)
    dashboard.load(page, {"version": 1, "name": "Stuck", "cluster": cluster, "jobs": [one]}, ["fair"])
    dashboard.run(page)
    page.locator(".lane-head button.deadlock").click()
    expect(page.locator(ROWS)).to_contain_text("maxAMShare")
    expect(page.locator("#decision-title")).to_contain_text("Waiting at")
