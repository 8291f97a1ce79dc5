"""The optimum: looked for from the tab Compare, followed, and then a run among the charts; ended before its time, the best until then."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.server import Server
from tests.browser.test_axe import violations

LONG_MS = 120_000
NAMES = ["fifo", "fair", "drf", "capacity"]
SAID = re.compile(r"^Best found [\d.,]+ s, proved at least [\d.,]+ s, gap [\d.,]+\s%…$")
NOT_PROVED = re.compile(r"^The best schedule found takes .* s, at most .* % above the best possible \(not proved optimal\): no schedule takes less than .* s")
MAKESPANS = "#lanes .lane-facts div:first-child .far"  # how far each is above the best possible
TWO_MAPS = {
    "version": 1,
    "name": "Two maps",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 2048, "vcores": 1}]},
    "jobs": [{"name": "a", "maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 30}}],
}


def panel_of(page: Page) -> Locator:
    dashboard.show(page, "Compare")
    panel = page.get_by_role("region", name="The optimum")
    expect(panel.get_by_role("button", name="Find the optimum")).to_be_enabled()
    return panel


def test_it_is_found_and_stands_among_the_charts_after_a_reload_too(own: Page, server: Server) -> None:
    panel = panel_of(own)
    panel.get_by_role("button", name="Find the optimum").click()
    expect(panel.get_by_role("status")).to_have_text(SAID, timeout=LONG_MS)
    expect(panel.get_by_role("img")).to_have_attribute("aria-label", re.compile(r"^Gap over time: [\d.]+ % after .* m?s, [\d.]+ % after .* s$"))
    assert violations(own) == []
    expect(own.locator("#lanes h3")).to_have_text([*NAMES, "optimum"], timeout=LONG_MS)
    expect(panel.locator("strong")).to_have_text(NOT_PROVED)
    expect(panel.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(own.locator("#answer-says")).to_contain_text(panel.locator("strong").inner_text())
    assert len(dashboard.bars(own, 4, "map")) > 50
    heads = own.locator("#metrics-grid .ag-header-cell-text")
    expect(heads).to_have_text(["Metric", *NAMES, "optimum"])
    makespan = own.locator("#metrics-grid .ag-row[row-id='Makespan']")
    expect(makespan.locator("[col-id=s4] .far")).to_have_text(re.compile(r"^≤ [\d.]+ % above best$"))
    expect(makespan.locator("[col-id=s4]")).not_to_contain_text("★")
    held_against = [one.get_attribute("title").partition("it is at least ")[2] for one in [*makespan.locator(".far").all(), *own.locator(MAKESPANS).all()]]
    assert len(held_against) == 2 * (len(NAMES) + 1) and len(set(held_against)) == 1, held_against
    assert violations(own) == []
    own.reload()
    dashboard.drawn(own, 5)
    expect(own.locator("#lanes h3")).to_have_text([*NAMES, "optimum"])


def test_why_and_the_export_of_an_optimum_and_other_inputs_are_without(own: Page, server: Server) -> None:
    panel = panel_of(own)
    dashboard.compose(own)
    dashboard.load(own, TWO_MAPS, ["fifo", "fair"])
    dashboard.run(own)
    panel.get_by_role("button", name="Find the optimum").click()
    expect(own.locator("#lanes h3").last).to_have_text("optimum", timeout=LONG_MS)
    expect(panel.locator("strong")).to_have_text(re.compile(r"^The optimum takes 3\d(\.\d)? s \(proved optimal\)\.$"))
    expect(own.locator("#lanes .lane-facts").last.locator(".far").first).to_have_text(re.compile("optimal"))
    own.locator(".chart").last.focus()
    own.keyboard.press("Enter")
    expect(own.locator("#decision-body")).to_contain_text("No rule decided here: the optimum is a plan")
    address = own.locator("a[href*='/runs.csv']").get_attribute("href")
    rows = own.request.get(server.url + address).text().splitlines()
    assert [row.partition(",")[0] for row in rows] == ["scheduler", *dashboard_names(own)]
    dashboard.load(own, {**TWO_MAPS, "name": "Others"}, ["fifo"])
    dashboard.run(own)
    expect(own.locator("#lanes h3")).to_have_text(["fifo"])
    expect(own.locator("#optimum-says")).to_be_empty()
    expect(own).not_to_have_url(re.compile("optimum="))


def dashboard_names(page: Page) -> list[str]:
    """As the result has them, equal runs each."""
    return page.evaluate("() => window.gantry.state.result.charts.map((one) => one.name)")


def test_ended_before_its_time_the_best_so_far_is_kept(own: Page) -> None:
    panel = panel_of(own)
    panel.get_by_label("within").select_option("60")
    panel.get_by_role("button", name="Find the optimum").click()
    expect(panel.get_by_role("status")).to_have_text(SAID, timeout=LONG_MS)
    panel.get_by_role("button", name="Cancel").click()
    expect(own.locator("#lanes h3").last).to_have_text("optimum", timeout=LONG_MS)
    expect(panel.get_by_role("status")).to_have_text("Ended: the best found until then stands among the charts as optimum.")
    expect(panel.locator("strong")).to_have_text(NOT_PROVED)


def test_a_reload_follows_it_on(own: Page) -> None:
    panel = panel_of(own)
    panel.get_by_label("within").select_option("60")
    panel.get_by_role("button", name="Find the optimum").click()
    expect(panel.get_by_role("status")).to_have_text(SAID, timeout=LONG_MS)
    own.reload()
    dashboard.drawn(own)
    panel = panel_of(own)
    expect(panel.get_by_role("status")).to_have_text(SAID, timeout=LONG_MS)
    panel.get_by_role("button", name="Cancel").click()
    expect(own.locator("#lanes h3").last).to_have_text("optimum", timeout=LONG_MS)


def test_where_it_can_not_be_looked_for_it_says_why(own: Page) -> None:
    panel = panel_of(own)
    fails = presets()[0].scenario.plain()
    fails["cluster"]["failures"] = {"probability": 0.05}
    dashboard.compose(own)
    dashboard.load(own, fails, ["fifo"])
    dashboard.run(own)
    expect(panel.get_by_role("button", name="Find the optimum")).to_be_disabled()
    expect(panel).to_contain_text("The optimum can't be told where attempts may fail: a failed job ends before its work is done.")
