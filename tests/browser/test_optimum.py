"""The optimum: looked for from the tab Compare, followed, and then a run among the charts; ended before its
time, the best until then.
"""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase, phrase_pattern
from webapp.runs.warm_up import FIRST_SCHEDULERS

LONG_MS = 120_000
NAMES = list(FIRST_SCHEDULERS)
SAID = re.compile(
    "^" + phrase("browser.best_found_s_proved_at", r"[\d.,a-z ]+", r"[\d.,a-z ]+", r"[\d.,]+\s") + "$"
)
NOT_PROVED = re.compile("^" + phrase_pattern("browser.best_schedule_found_takes_s", ".*", ".*", ".*"))
MAKESPANS = "#lanes .lane-facts div:first-child .far"  # how far each is above the best possible
TWO_MAPS = {
    "version": 1,
    "name": "Two maps",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 2048, "vcores": 1}]},
    "jobs": [{"name": "a", "maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 30}}],
}


def panel_of(page: Page) -> Locator:
    dashboard.show(page, "Compare")
    return page.get_by_role("region", name="The optimum")


def searching(page: Page, url: str, charts: int = 4) -> Locator:
    """Begin a search of a minute; the button that cancels it."""
    dashboard.opened(page, url, charts)
    panel = panel_of(page)
    panel.get_by_label("within").select_option("60")
    panel.get_by_role("button", name="Find the optimum").click()
    cancel = panel.get_by_role("button", name="Cancel")
    expect(cancel).to_be_visible(timeout=LONG_MS)
    return cancel


def names(page: Page) -> list[str]:
    """As the result has them, equal runs each."""
    return page.evaluate("() => window.gantry.state.result.charts.map((one) => one.name)")


def test_it_is_followed_over_a_reload_of_a_link(page: Page, server: Server) -> None:
    cancel = searching(page, server.url)
    page.reload()
    dashboard.drawn(page)
    panel_of(page)
    expect(cancel).to_be_visible()
    cancel.click()
    expect(cancel).to_be_hidden(timeout=LONG_MS)


def test_it_is_followed_over_a_reload_ended_and_stands_among_the_charts_and_small_ones_are_proved(
    page: Page, server: Server
) -> None:
    dashboard.opened(page, server.url, 2)
    panel = panel_of(page)
    says, find, head = (
        panel.get_by_role("status"),
        panel.get_by_role("button", name="Find the optimum"),
        page.locator("#lanes h3"),
    )
    panel.get_by_label("within").select_option("60")
    find.click()
    expect(says).to_have_text(SAID, timeout=LONG_MS)
    page.reload()
    dashboard.drawn(page, 2)
    panel_of(page)
    expect(says).to_have_text(SAID, timeout=LONG_MS)
    panel.get_by_role("button", name="Cancel").click()

    # The best until then.
    expect(head).to_have_text([*NAMES, "optimum"], timeout=LONG_MS)
    expect(says).to_have_text(phrase("browser.ended_best_found_until_then"))
    expect(panel.get_by_role("img")).to_have_attribute(
        "aria-label",
        re.compile(
            "^"
            + phrase("browser.gap_over_time_after_after_2", r"[\d.]+", ".*", "m?s", r"[\d.]+", ".*", "m?s")
            + "$"
        ),
    )
    expect(panel.locator("strong")).to_have_text(NOT_PROVED)
    expect(panel.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(page.locator("#answer-others")).to_contain_text(panel.locator("strong").inner_text())
    assert len(dashboard.bars(page, 2, "map")) > 50
    expect(page.locator("#metrics-grid .ag-header-cell-text")).to_have_text(["Metric", *NAMES, "optimum"])
    makespan = page.locator("#metrics-grid .ag-row[row-id='Makespan']")
    expect(makespan.locator("[col-id=s2] .far")).to_have_text(re.compile(r"^≤ [\d.]+ % above best$"))
    expect(makespan.locator("[col-id=s2]")).not_to_contain_text("★")
    held_against = [
        one.get_attribute("title").partition(phrase("browser.at_least") + " ")[2]
        for one in [*makespan.locator(".far").all(), *page.locator(MAKESPANS).all()]
    ]
    assert len(held_against) == 2 * (len(NAMES) + 1) and len(set(held_against)) == 1, held_against
    page.locator("#bounds summary").click()
    expect(page.locator("#bounds-grid .ag-row").first).to_be_visible()
    assert violations(page, "#drawer") == []
    page.reload()
    dashboard.drawn(page, 3)
    expect(head).to_have_text([*NAMES, "optimum"])

    # One that is proved; why there is no reason in it, and its export.
    dashboard.compose(page)
    dashboard.load(page, TWO_MAPS, ["fifo", "fair"])
    dashboard.run(page)
    find.click()
    expect(head.last).to_have_text("optimum", timeout=LONG_MS)
    expect(panel.locator("strong")).to_have_text(
        re.compile("^" + phrase_pattern("services.optimum_takes_s_proved_optimal", r"3\d(\.\d)? s") + "$")
    )
    expect(page.locator("#lanes .lane-facts").last.locator(".far").first).to_have_text(re.compile("optimal"))
    page.locator(".chart").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#decision-body")).to_contain_text(phrase("browser.no_rule_decided_here_optimum"))
    address = page.locator("a[href*='/runs.csv']").get_attribute("href")
    rows = page.request.get(server.url + address).text().splitlines()
    assert [row.partition(",")[0] for row in rows] == ["scheduler", *names(page)]

    # Other inputs are without, and where it can't be looked for it says why.
    fails = presets()[0].scenario.plain()
    fails["cluster"]["failures"] = {"probability": 0.05}
    dashboard.load(page, fails, ["fifo"])
    dashboard.run(page)
    expect(head).to_have_text(["fifo"])
    expect(page.locator("#optimum-says")).to_be_empty()
    expect(page).not_to_have_url(re.compile("optimum="))
    dashboard.show(page, "Compare")
    expect(find).to_be_disabled()
    expect(panel).to_contain_text(phrase("browser.optimum_cant_be_told_where"))


def test_it_ends_as_another_result_is_shown_also_after_a_reload(page: Page, server: Server) -> None:
    cancel = searching(page, server.url, 2)
    page.reload()
    dashboard.drawn(page, 2)
    panel_of(page)
    expect(cancel).to_be_visible()
    with page.expect_request("**/jobs/optimum/cancel"):
        dashboard.load(page, TWO_MAPS, ["fifo", "fair"])
        dashboard.run(page)
    expect(cancel).to_be_hidden()
    expect(page.locator("#optimum-says")).to_be_empty()
