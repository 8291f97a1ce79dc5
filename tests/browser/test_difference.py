"""Where the capacity went, and what changed between two schedulers: filled when looked at, in words, pictures
and tables.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from playwright.sync_api import Page, expect

from engine import Scenario, capacity_split, difference, simulate
from engine.dashboard import capacity_comparison, capacity_use
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase
from webapp.url import url_state
from webapp.url.url_state import RunRequest

BATCH = {
    "version": 1,
    "name": "One large, then small ones",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [
        {"name": "large", "maps": {"count": 40, "memory_mb": 1024, "vcores": 1, "duration_s": 10}},
        {
            "name": "small",
            "count": 3,
            "arrival_s": 1,
            "maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 5},
        },
    ],
}
A, B = "fifo", "fair"


def look(page: Page, section: str) -> None:
    dashboard.show(page, {"capacity": "Capacity", "difference": "Differences"}[section])
    expect(page.locator(f"#{section} .picture .main-svg").first).to_be_attached(timeout=dashboard.READY_MS)


def test_two_schedulers_are_compared_turned_around_and_saved(page: Page, server: Server) -> None:
    runs = [simulate(Scenario.of(BATCH), name) for name in (A, B)]
    asked = RunRequest(Scenario.of(BATCH).plain(), (A, B))
    dashboard.opened(page, server.url + url_state.address(request=asked), 2)
    expect(page.locator("#difference-room")).to_be_empty()

    look(page, "capacity")
    for resource in ("vcores", "memory"):
        said = capacity_comparison(
            [capacity_use(run.scheduler, True, capacity_split(run), resource) for run in runs], resource
        )
        expect(page.locator("#capacity-says")).to_contain_text(said.difference)
        expect(page.locator("#capacity-says")).to_contain_text(said.account)
        page.locator("#capacity-resource").get_by_text("Memory").click()
    table = page.locator("#capacity-room details").first
    table.locator("summary").click()
    expect(table.locator(".ag-row").first).to_be_visible()
    assert violations(page, "#drawer") == []

    result = difference(*runs)
    gain = int((result.finish_ms < 0).sum())
    assert gain == 3  # the small jobs need not wait for the large one
    look(page, "difference")
    says = page.locator("#difference-says")
    expect(says).to_contain_text(phrase("browser.under_fair_compared_with_fifo", gain))
    expect(page.locator("#difference-room .picture .main-svg").nth(2)).to_be_attached()
    card = page.locator("#difference .picture-card").first
    with page.expect_download() as saved:
        card.locator("[data-picture=svg]").click()
    assert phrase("browser.which_jobs_gain_and_which") in Path(saved.value.path()).read_text()
    card.locator("summary").click()
    with page.expect_download() as saved:
        card.locator("[data-csv]").click()
    rows = list(csv.DictReader(io.StringIO(Path(saved.value.path()).read_text("utf-8-sig"))))
    assert {row["Job"]: float(row["Difference (s)"]) for row in rows} == dict(
        zip(result.a.workload.job_names, (result.finish_ms / 1000).tolist())
    )
    assert violations(page, "#drawer") == []

    page.locator("#difference-b").click()
    page.get_by_role("listbox").get_by_role("option", name="fifo").click()
    expect(says).to_have_text(phrase("browser.choose_two_different_schedulers_see"))
    page.locator("#difference-a").click()
    page.get_by_role("listbox").get_by_role("option", name="fair").click()
    expect(says).to_contain_text(phrase("browser.under_fifo_compared_with_fair", 1, 5, gain))

    # Equal runs and a single one are a sentence.
    for jobs, schedulers, words in (
        (BATCH["jobs"][:1], [A, B], phrase("browser.they_schedule_every_container_alike")),
        (BATCH["jobs"], [A], phrase("browser.one_scheduler_was_run_add")),
    ):
        dashboard.load(page, BATCH | {"jobs": jobs}, schedulers)
        dashboard.run(page)
        expect(says).to_have_text(words)
        expect(page.locator("#difference-room")).to_be_empty()
