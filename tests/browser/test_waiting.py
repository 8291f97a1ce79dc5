"""What waits: opened by a click where nothing runs, kept by the address, and of a deadlock."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
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
    dashboard.sharp(page)
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


def test_a_job_that_waits_is_clicked_in_the_row_of_its_own(page: Page, server: Server) -> None:
    """b waits for its master under fair, and not under fifo; c is refused. The job's page opens under the
    scheduler whose waits were read.
    """
    jobs = [job(name, tasks(1, 20.0, 1024), am=master(memory=1024)) for name in "ab"]
    jobs.append(job("c", tasks(1, 1.0, 1024), rejected="unwanted"))
    cluster = {"nodes": [node(3072, 8)]}
    dashboard.opened(page, server.url)
    dashboard.load(page, {"version": 1, "name": "Rows", "cluster": cluster, "jobs": jobs}, ["fifo", "fair"])
    dashboard.run(page)
    dashboard.drawn(page, 2)
    page.wait_for_url(lambda address: "s=v2." in address)
    address = page.url
    badge = page.locator(".lane-head button.badge").nth(1)
    expect(badge).to_have_attribute("title", "unwanted")
    badge.click()
    expect(page.locator("#job-title")).to_have_text("c")
    expect(page.locator("#job-life")).to_contain_text("refused: unwanted")
    page.goto(f"{address}&rows=job")
    expect(page.locator(dashboard.DRAWN).nth(1)).to_contain_text("refused")
    box = page.locator(dashboard.ROWS).nth(1).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 0.5 * box["height"])
    expect(page.locator(ROWS)).to_have_count(1)
    page.locator(ROWS).get_by_role("button", name="b").click()
    expect(page.locator("#job-title")).to_have_text("b")
    expect(page.locator("#job-scheduler")).to_have_value("fair")


def test_on_a_phone_nothing_of_a_wait_is_cut_off(browser: Browser, server: Server) -> None:
    with browser.new_context(viewport={"width": 360, "height": 780}) as context:
        page = context.new_page()
        dashboard.opened_narrow(page, f"{server.url}/?preset=wordcount&s=fair&why=0:t60000&drawer=400")
        expect(page.locator(ROWS).first).to_be_visible()
        table = page.locator("#decision .waiting-table")
        assert table.evaluate("(node) => node.scrollWidth <= node.clientWidth")
        assert violations(page, "#decision") == []
