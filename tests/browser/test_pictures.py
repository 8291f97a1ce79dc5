"""The drawer's panel More charts: made when opened, filled for every result, of one scheduler, highlighted by
a click, and downloaded.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.scenarios import SMALL
from tests.browser.server import Server
from tests.phrases import phrase

BATCH = {
    "version": 1,
    "name": "Two users",
    "cluster": {"nodes": [{"name": "n", "count": 3, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [
        {
            "name": name,
            "user": user,
            "count": 2,
            "maps": {"count": 8, "memory_mb": 1024, "vcores": 1, "duration_s": 10},
        }
        for name, user in (("sort", "ann"), ("grep", "bob"))
    ],
}
MAPS = {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": {"dist": "exponential", "mean": 10}}
RANDOM = SMALL | {"name": "Random", "jobs": [SMALL["jobs"][0] | {"maps": MAPS}]}
KEYS = ("queue", "waits", "turnarounds", "fair-shares", "lifecycles", "heat", "fragmentation")


def scrolled(page: Page) -> None:
    """Nothing is made before the tab is opened; then every card is filled."""
    expect(page.locator("#more .picture-card")).to_have_count(0)
    dashboard.show(page, "More charts")
    for key in KEYS:
        expect(page.locator(f"#{key}-story")).not_to_be_empty(timeout=30_000)


def ticks(page: Page, key: str, names: list[str]) -> None:
    """Wait until the rows of a picture have these names."""
    now = f"JSON.stringify(document.querySelector('#{key}-graph .js-plotly-plot').layout.yaxis.ticktext)"
    page.wait_for_function(f"names => {now} === JSON.stringify(names)", arg=names)


def test_pictures_are_taken_away_shown_at_any_time_and_follow_choices_highlight_and_result(
    page: Page, server: Server, tmp_path: Path
) -> None:
    page.emulate_media(color_scheme="dark")
    dashboard.opened(page, server.url)
    scrolled(page)
    assert violations(page, "#drawer") == []
    repeat, told = page.locator("#repeat"), page.locator("#repeat-says")
    expect(repeat).to_be_disabled()
    expect(told).to_contain_text(phrase("browser.nothing_in_this_scenario_random"))

    # A table is made when it is opened.
    expect(page.locator("#heat-grid")).to_have_count(0)
    card = page.locator("article:has(#heat-graph)")
    card.locator("summary").click()
    expect(card.locator(".ag-row")).to_have_count(8)
    with page.expect_download() as download:
        card.locator("[data-csv=heat]").click()
    download.value.save_as(tmp_path / "heat.csv")
    rows = list(csv.DictReader((tmp_path / "heat.csv").open(newline="", encoding="utf-8-sig")))
    assert [row["Node"] for row in rows] == [f"worker-{number}" for number in range(1, 9)]
    # masters, maps and reduces of four jobs; fifo kills none
    assert sum(int(row["Containers"]) for row in rows) == 4 * (1 + 31 + 5)
    with page.expect_download() as download:
        card.locator("[data-picture=svg]").click()
    download.value.save_as(tmp_path / "heat.svg")
    assert phrase("browser.how_full_each_node_fifo") in (tmp_path / "heat.svg").read_text("utf-8")
    slider = page.locator("#fragmentation-at [role=slider]")
    slider.focus()
    slider.press("End")
    expect(page.locator("#fragmentation-story")).to_contain_text("no request waits")
    page.locator("#fragmentation-worst").click()
    expect(page.locator("#fragmentation-story")).to_contain_text("the worst moment")

    # All follow what is chosen.
    dashboard.load(page, BATCH, ["fifo", "fair"])
    dashboard.run(page)
    expect(page.locator("#fair-shares-of")).to_have_text("fifo")
    expect(page.locator("#fair-shares-story")).to_contain_text("of 4 jobs")
    page.locator("#fair-shares-by").get_by_text("Users").click()
    expect(page.locator("#fair-shares-story")).to_contain_text("of 2 users")
    page.locator("#more-scheduler").click()
    page.get_by_role("listbox").get_by_role("option", name="fair").click()
    for key in KEYS[3:]:
        expect(page.locator(f"#{key}-of")).to_have_text("fair")
    page.locator("#heat-resource").get_by_text("Vcores").click()
    expect(page.locator("#heat-story")).to_contain_text(phrase("browser.nodes_vcores"))

    # A click on the strip of the second user highlights it in every chart, and another one lets it go.
    strips = page.locator("#fair-shares-graph .nsewdrag").first
    strips.evaluate("node => node.scrollIntoView({block: 'center'})")
    ticks(page, "fair-shares", ["ann", "bob"])
    box = strips.bounding_box()
    second = {"x": 42, "y": 0.8 * box["height"]}
    page.mouse.move(box["x"] + 40, box["y"] + second["y"] - 2)
    strips.click(position=second)
    expect(page).to_have_url(re.compile("user=bob"))
    ticks(page, "fair-shares", ["ann", "<b>bob</b>"])
    ticks(page, "lifecycles", ["sort-1", "sort-2", "<b>grep-1</b>", "<b>grep-2</b>"])
    strips.click(position=second)
    ticks(page, "fair-shares", ["ann", "bob"])

    # And the result.
    dashboard.load(page, BATCH | {"name": "Less", "jobs": BATCH["jobs"][:1]}, ["drf"])
    dashboard.run(page)
    expect(page.locator("#fragmentation-story")).to_contain_text("Under drf")
    expect(page.locator("#fair-shares-of")).to_have_text("drf")
    ticks(page, "lifecycles", ["sort-1", "sort-2"])
    page.wait_for_function("() => document.querySelector('#queue-graph .js-plotly-plot').data.length === 1")

    # Repeating over seeds tells noise from winners.
    dashboard.load(page, RANDOM, ["fifo", "fair"])
    dashboard.run(page)
    repeat.click()
    expect(told).to_have_text("30 seeds, 60 runs.", timeout=dashboard.READY_MS)
    expect(page.locator("#repeat-grid .ag-center-cols-container .ag-row").first).to_contain_text("±")
    expect(page.locator("#spread-graph .scatterlayer .point").first).to_be_visible()
    card = page.locator("article:has(#spread-graph)")
    with page.expect_download() as saved:
        card.locator("[data-picture=svg]").click()
    assert phrase("browser.how_far_do_seeds_spread") in saved.value.path().read_text()
    card.locator("summary").click()
    with page.expect_download() as saved:
        card.locator("[data-csv]").click()
    assert len(saved.value.path().read_text("utf-8-sig").splitlines()) == 1 + 2
