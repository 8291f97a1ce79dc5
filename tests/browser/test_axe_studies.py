"""WCAG 2.2 of what is long in the making: a study's curve and map, a search, and the fold of bounds."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server
from tests.browser.test_axe import violations
from tests.browser.test_searches import LONG_MS
from tests.browser.test_studies import DRAWN, MAPS, choose, is_done, opened, run
from tests.browser.test_whatif import NODES, add


def within(page: Page, what: str) -> list[str]:
    """Once what is drawn stands still."""
    page.wait_for_timeout(600)
    return violations(page, what)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_study_a_search_and_the_bounds(page: Page, server: Server, scheme: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 1600})
    page.emulate_media(color_scheme=scheme)
    opened(page, server, DRAWN)
    run(page, "2 schedulers × 5 values × 10 seeds: 100 runs.")
    is_done(page)
    assert within(page, "#drawer") == []
    add(page, MAPS, " (MB)")
    choose(page, "by", NODES)
    choose(page, "values", "at most 5")
    run(page, "2 schedulers × 5 values × 5 values × 10 seeds: 500 runs")
    expect(page.locator("#study-grid")).to_be_visible(timeout=LONG_MS)
    is_done(page)
    assert within(page, "#drawer") == []
    page.locator("#best > summary").click()
    form = page.locator("#best-form")
    form.get_by_label("Trials").select_option("20")
    page.click("#best-run")
    expect(page.locator("#best-answer")).to_contain_text(NODES, timeout=LONG_MS)
    assert within(page, "#drawer") == []
    dashboard.show(page, "Compare")
    page.locator("#bounds summary").click()
    expect(page.locator("#bounds-grid .ag-row").first).to_be_visible()
    assert within(page, "#drawer") == []
