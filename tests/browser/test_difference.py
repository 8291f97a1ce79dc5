"""Where the capacity went, and what changed between two schedulers: filled when looked at, in words, pictures and tables."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine import Scenario, capacity_comparison, capacity_split, capacity_use, difference, simulate
from tests.browser import dashboard
from tests.browser.server import Server
from webapp.services import url_state
from webapp.services.url_state import Asked

BATCH = {
    "version": 1,
    "name": "One large, then small ones",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [
        {"name": "large", "maps": {"count": 40, "memory_mb": 1024, "vcores": 1, "duration_s": 10}},
        {"name": "small", "count": 3, "arrival_s": 1, "maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 5}},
    ],
}
A, B = "fifo", "fair"


def opened(page: Page, server: Server, scenario: dict, schedulers: list[str], charts: int = 2) -> Page:
    """The page with a result; runs that are equal have one chart."""
    asked = Asked(Scenario.of(scenario).plain(), tuple(schedulers))
    return dashboard.opened(page, server.url + url_state.address(asked=asked), charts)


@pytest.fixture
def shown(page: Page, server: Server) -> Page:
    return opened(page, server, BATCH, [A, B])


def look(page: Page, section: str) -> None:
    dashboard.show(page, {"capacity": "Capacity", "difference": "Differences"}[section])
    expect(page.locator(f"#{section} .picture .main-svg").first).to_be_attached(timeout=dashboard.READY_MS)


def test_sections_fill_when_looked_at_and_say_what_made_the_difference(shown: Page) -> None:
    runs = [simulate(Scenario.of(BATCH), name) for name in (A, B)]
    expect(shown.locator("#difference-room")).to_be_empty()
    look(shown, "capacity")
    for resource in ("vcores", "memory"):
        said = capacity_comparison([capacity_use(run.scheduler, True, capacity_split(run), resource) for run in runs], resource)
        expect(shown.locator("#capacity-says")).to_contain_text(said.difference)
        expect(shown.locator("#capacity-says")).to_contain_text(said.account)
        shown.locator("#capacity-resource").get_by_text("Memory").click()
    table = shown.locator("#capacity-room details").first
    table.locator("summary").click()
    expect(table.locator(".ag-row").first).to_be_visible()


def test_two_schedulers_are_compared_and_turned_around(shown: Page) -> None:
    found = difference(*(simulate(Scenario.of(BATCH), name) for name in (A, B)))
    gain = int((found.finish_ms < 0).sum())
    assert gain == 3  # the small jobs need not wait for the large one
    look(shown, "difference")
    says = shown.locator("#difference-says")
    expect(says).to_contain_text(f"Under fair, compared with fifo: {gain} jobs finish earlier")
    expect(shown.locator("#difference-room .picture .main-svg").nth(2)).to_be_attached()
    shown.locator("#difference-b").click()
    shown.get_by_role("listbox").get_by_role("option", name="fifo").click()
    expect(says).to_have_text("Choose two different schedulers to see what changes between them.")
    shown.locator("#difference-a").click()
    shown.get_by_role("listbox").get_by_role("option", name="fair").click()
    expect(says).to_contain_text(f"Under fifo, compared with fair: 1 job finishes earlier, by 5 s; {gain} jobs finish later")


def test_pictures_and_tables_are_saved(shown: Page) -> None:
    look(shown, "difference")
    card = shown.locator("#difference .picture-card").first
    with shown.expect_download() as saved:
        card.locator("[data-picture=svg]").click()
    assert "Which jobs gain and which lose?" in Path(saved.value.path()).read_text()
    card.locator("summary").click()
    with shown.expect_download() as saved:
        card.locator("[data-csv]").click()
    rows = list(csv.DictReader(io.StringIO(Path(saved.value.path()).read_text("utf-8-sig"))))
    found = difference(*(simulate(Scenario.of(BATCH), name) for name in (A, B)))
    assert {row["Job"]: float(row["Difference (s)"]) for row in rows} == dict(zip(found.a.workload.job_names, (found.finish_ms / 1000).tolist()))


@pytest.mark.parametrize(
    ("jobs", "schedulers", "says"),
    [
        (BATCH["jobs"][:1], [A, B], "They schedule every container alike."),
        (BATCH["jobs"], [A], "One scheduler was run; add another to see what changes between two."),
    ],
)
def test_equal_runs_and_single_ones_are_a_sentence(page: Page, server: Server, jobs: list, schedulers: list[str], says: str) -> None:
    opened(page, server, BATCH | {"jobs": jobs}, schedulers, 1)
    dashboard.show(page, "Differences")
    expect(page.locator("#difference-says")).to_have_text(says)
    expect(page.locator("#difference-room")).to_be_empty()
