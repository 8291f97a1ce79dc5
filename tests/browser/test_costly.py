"""The most costly decisions: asked for in the drawer, listed, each a way to why it was decided so, and put
away with their result.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.scenarios import SMALL
from tests.browser.server import Server
from tests.phrases import phrase

LONG_MS = 60_000


def test_they_are_found_listed_explained_and_put_away(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.show(page, "Why")
    panel = page.get_by_role("region", name="Most costly decisions")
    expect(panel).to_contain_text(phrase("browser.hindsight_one_choice_at_time"))
    panel.get_by_label("Run to search").select_option("fair")
    panel.get_by_role("button", name=phrase("browser.find_costliest_decisions")).click()
    rows = panel.locator("li button")
    expect(rows).to_have_count(10, timeout=LONG_MS)
    expect(panel).to_contain_text(phrase("browser.all_decisions_were_tried", 148))
    expect(rows.first).to_be_in_viewport(ratio=1)
    second = rows.nth(1)
    sentence = second.locator("span").inner_text()
    number = int(second.get_attribute("data-costly"))
    second.click()
    expect(page.locator("#decision-title")).to_have_text(f"Decision {number + 1} of 148")
    expect(page.locator("#decision-where")).to_contain_text("under fair")
    expect(page.locator("#costly-note")).to_have_text(sentence)
    expect(second).to_have_attribute("aria-current", "true")
    page.locator("#decision [data-decision='-1']").click()
    expect(page.locator("#decision-title")).to_have_text(re.compile(f"^Decision {number} of"))
    expect(second).to_have_attribute("aria-current", "false")

    dashboard.compose(page)
    dashboard.load(page, SMALL, ["fifo"])
    dashboard.run(page)
    expect(rows).to_have_count(0)
    expect(page.locator("#costly-form option")).to_have_text(["fifo"])
