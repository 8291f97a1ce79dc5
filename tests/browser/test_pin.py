"""A pinned result is shown beside what runs next, is what it is compared to, and is in the link."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.bench.scenarios import word_counts
from tests.browser import dashboard
from tests.browser.server import Server


def test_another_scenario_beside_the_pinned_one(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.click("#pin")
    expect(page.locator("#pin-says")).to_contain_text("Pinned: Four WordCount jobs under fifo, fair, drf, capacity.")
    other = word_counts().plain()
    other["cluster"]["nodes"][0]["count"] = 12
    dashboard.load(page, other, ["fair", "fifo"])
    dashboard.run(page)
    expect(page.locator("#lanes h3")).to_have_text(["fair", "fair", "fifo", "fifo", "drf", "capacity"])
    assert len({tuple(one) for one in dashboard.ranges(page)}) == 1
    dashboard.show(page, "Compare")
    heads = page.locator("#metrics-grid .ag-header-cell-text")
    expect(heads.filter(has_text="fair, pinned")).to_have_count(1)
    page.click("#share")
    expect(page.locator("#share-link")).not_to_have_value("")
    link = page.locator("#share-link").input_value()
    assert "&pin=" in link
    opened = page.context.new_page()
    dashboard.opened(opened, link, charts=6)
    expect(opened.locator("#pin-says")).to_contain_text("Pinned: Four WordCount jobs")
    page.keyboard.press("Escape")
    page.click("#pin")
    expect(page.locator("#lanes h3")).to_have_text(["fair", "fifo"])
