"""Run: results without a reload, faults with their reason, progress and cancel, deadlocks in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server
from tests.webapp.served import CROWD

SMALL = {
    "version": 1,
    "name": "Small",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [{"name": "job", "count": 2, "maps": {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}],
}
STUCK = {
    "version": 1,
    "name": "Stuck",
    "cluster": {"nodes": [{"count": 1, "memory_mb": 2048, "vcores": 2}]},
    "jobs": [{"name": "a", "count": 2, "am": {"memory_mb": 1024, "vcores": 1}, "maps": {"count": 3, "memory_mb": 1024, "vcores": 1, "duration_s": 5}}],
}


@pytest.fixture
def used(shared_page: Page, server: Server) -> Page:
    """The dashboard as the test before left it: each loads a draft of its own."""
    return shared_page if shared_page.url.startswith(server.url) else dashboard.opened(shared_page, server.url)


def test_a_run_replaces_the_charts_without_a_reload(used: Page) -> None:
    used.evaluate("() => { window.stays = true; }")
    dashboard.show(used, "Compare")
    dashboard.load(used, {**SMALL, "name": "Other"}, ["fifo", "fair"])
    assert dashboard.run(used) == "Other: 2 schedulers, 16 containers."
    expect(used.locator("#lanes h3")).to_have_text(["fifo", "fair"])
    expect(used.locator("#metrics-grid .ag-header-cell-text")).to_have_text(["Metric", "fifo", "fair"])
    assert used.evaluate("() => window.stays")


def test_one_scheduler_alone_and_with_parameters(used: Page) -> None:
    dashboard.load(used, SMALL, ["fifo(resources=memory)"])
    dashboard.run(used)
    expect(used.locator("#lanes h3")).to_have_text(["fifo(resources=memory)"])


def test_ctrl_enter_runs(used: Page) -> None:
    dashboard.load(used, {**SMALL, "name": "By keyboard"}, ["fifo", "fair"])
    used.keyboard.press("Control+Enter")
    expect(used.locator("#run-status")).to_have_text("By keyboard: 2 schedulers, 16 containers.")


def test_with_faults_run_says_which_and_how_many(used: Page) -> None:
    faulty = {**SMALL, "jobs": [{**SMALL["jobs"][0], "maps": {"count": 4, "memory_mb": 99_999, "vcores": 99, "duration_s": 10}}]}
    dashboard.load(used, faulty, ["fifo", "fair"])
    expect(used.locator("#run-reason")).to_have_text("Fix 2 errors to run. Job job: maps memory 99999 fits no node (largest: 4096) (and 1 more)")
    expect(used.locator("#run")).to_have_class(re.compile("is-blocked"))
    expect(used.locator("#run")).to_be_enabled()
    before = dashboard.key(used)
    used.click("#run")
    expect(used.locator("#turn-rail")).to_have_attribute("aria-expanded", "true")
    expect(used.locator(":focus")).to_have_attribute("data-path", re.compile("maps.memory_mb$"))
    assert dashboard.key(used) == before


def test_an_unknown_scheduler_is_told_with_a_hint(used: Page) -> None:
    dashboard.load(used, SMALL, ["fifo", "fiar"])
    expect(used.locator("#run-reason")).to_contain_text("Fix 1 error to run.")
    expect(used.locator("#run-reason")).to_contain_text("did you mean fair?")
    dashboard.load(used, SMALL, [])
    expect(used.locator("#run-reason")).to_contain_text("Choose at least one scheduler.")


def test_a_faulty_draft_survives_a_reload_beside_the_last_good_run(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.load(page, SMALL, ["fifo", "fair"])
    dashboard.run(page)
    dashboard.load(page, {**SMALL, "name": "Broken", "cluster": {"nodes": [{"count": 0, "memory_mb": 1, "vcores": 1}]}}, ["fifo", "fair"])
    page.reload()
    dashboard.drawn(page, 2)
    expect(page.get_by_label("Title of the scenario")).to_have_value("Broken")
    expect(page.locator("#run-reason")).to_contain_text("to run.")
    expect(page.locator("#run-status")).to_contain_text("Shown instead: Small")


def test_a_deadlock_says_who_holds_what(used: Page) -> None:
    dashboard.load(used, STUCK, ["fifo+slowstart", "fair(reservations=no, update_ms=0)+slowstart+admit-all"])
    assert "admit-all ended in a deadlock" in dashboard.run(used)
    expect(used.locator(".lane").nth(0).locator(".deadlock")).to_have_count(0)
    stuck = used.locator(".lane").nth(1).locator(".deadlock")
    expect(stuck).to_have_text("Deadlock")
    expect(stuck).to_have_attribute("title", re.compile("3 maps of a-1, 3 maps of a-2 wait.* hold 2048 MB and 2 vcores"))
    expect(used.locator(".lane").nth(1).locator(".deadlock-why")).to_contain_text("3 maps of a-1")
    expect(used.locator("#verdict .chip").nth(1)).to_contain_text("deadlock")
    expect(used.locator("#answer-says")).to_contain_text(re.compile("deadlock", re.IGNORECASE))


def test_long_work_shows_progress_and_can_be_cancelled(used: Page) -> None:
    before = dashboard.key(used)
    dashboard.load(used, CROWD, ["fifo", "fair", "drf", "capacity", "fifo(resources=memory)", "fair(resources=memory)"])
    used.click("#run")
    expect(used.locator("#run-status")).to_have_text(re.compile(r"^\d of 6: "))
    expect(used.locator("#run-progress")).to_be_visible()
    assert dashboard.key(used) == before
    used.click("#cancel")
    expect(used.locator("#run-status")).to_have_text("Cancelled; the previous result is still shown.", timeout=30_000)
    expect(used.locator("#run-under-way")).to_be_hidden()
    assert dashboard.key(used) == before


def test_more_containers_than_the_owner_allows_are_refused_in_a_sentence(used: Page) -> None:
    many = {**SMALL, "jobs": [{**SMALL["jobs"][0], "count": 300_000}]}
    dashboard.load(used, many, ["fifo"])
    expect(used.locator("#run-reason")).to_contain_text("1,200,000 containers in all; this page runs at most 1,000,000")


def test_repeating_over_seeds_tells_noise_from_winners(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.show(page, "More")
    expect(page.locator("#repeat")).to_be_disabled()
    expect(page.locator("#repeat-says")).to_contain_text("Nothing in this scenario is random")
    random = {
        **SMALL,
        "name": "Random",
        "jobs": [{**SMALL["jobs"][0], "maps": {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": {"dist": "exponential", "mean": 10}}}],
    }
    dashboard.load(page, random, ["fifo", "fair"])
    dashboard.run(page)
    page.click("#repeat")
    expect(page.locator("#repeat-says")).to_have_text("30 seeds, 60 runs.", timeout=30_000)
    expect(page.locator("#repeat-grid .ag-center-cols-container .ag-row").first).to_contain_text("±")
    expect(page.locator("#spread-graph .scatterlayer .point").first).to_be_visible()
    card = page.locator("article:has(#spread-graph)")
    with page.expect_download() as saved:
        card.locator("[data-picture=svg]").click()
    assert "How far do the seeds spread?" in Path(saved.value.path()).read_text()
    card.locator("summary").click()
    with page.expect_download() as saved:
        card.locator("[data-csv]").click()
    assert len(Path(saved.value.path()).read_text("utf-8-sig").splitlines()) == 1 + 2


def test_a_server_that_is_away_is_said_and_nothing_is_lost(page: Page, tmp_path: Path) -> None:
    own = Server(tmp_path)
    try:
        with dashboard.answered(page):
            dashboard.opened(page, own.url)
            dashboard.load(page, SMALL, ["fifo", "fair"])
        own.stop()
        page.click("#run")
        expect(page.locator("#run-status")).to_contain_text("The server does not answer.")
        expect(page.locator("#lanes h3")).to_have_text(["fifo", "fair", "drf", "capacity"])
        own.start()
        page.click("#run")
        expect(page.locator("#run-status")).to_have_text("Small: 2 schedulers, 16 containers.", timeout=dashboard.READY_MS)
        page.wait_for_load_state("networkidle")
        page.goto("about:blank")  # what the page still asks for while its server goes away is not what is tested
        theirs = ("ERR_CONNECTION", "did not respond")  # what the browser and Dash themselves say about it
        page.complaints[:] = [said for said in page.complaints if not any(words in said for words in theirs)]
    finally:
        own.stop()
