"""Run: results without a reload, faults with their reason, progress and cancel, deadlocks in words."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.scenarios import SMALL
from tests.browser.server import Server
from tests.phrases import phrase
from tests.waiting import until
from tests.webapp.live_server import CROWD

STUCK = {
    "version": 1,
    "name": "Stuck",
    "cluster": {"nodes": [{"count": 1, "memory_mb": 2048, "vcores": 2}]},
    "jobs": [
        {
            "name": "a",
            "count": 2,
            "am": {"memory_mb": 1024, "vcores": 1},
            "maps": {"count": 3, "memory_mb": 1024, "vcores": 1, "duration_s": 5},
        }
    ],
}


def test_results_come_without_a_reload_and_what_does_not_run_is_said(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    status, reason, heads = (
        page.locator("#run-status"),
        page.locator("#run-reason"),
        page.locator("#lanes h3"),
    )
    page.evaluate("() => { window.stays = true; }")
    dashboard.show(page, "Compare")
    dashboard.load(page, {**SMALL, "name": "Other"}, ["fifo", "fair"])
    assert dashboard.run(page) == "Other: 2 schedulers, 16 containers."
    expect(heads).to_have_text(["fifo", "fair"])
    expect(page.locator("#metrics-grid .ag-header-cell-text")).to_have_text(["Metric", "fifo", "fair"])
    dashboard.load(page, SMALL, ["fifo(resources=memory)"])
    dashboard.run(page)
    expect(heads).to_have_text(["fifo(resources=memory)"])
    dashboard.load(page, {**SMALL, "name": "By keyboard"}, ["fifo", "fair"])
    page.keyboard.press("Control+Enter")
    expect(status).to_have_text(phrase("browser.by_keyboard_schedulers_containers", 2, 16))

    # Faults: which and how many; Run leads to the first.
    faulty = {
        **SMALL,
        "jobs": [
            {**SMALL["jobs"][0], "maps": {"count": 4, "memory_mb": 99_999, "vcores": 99, "duration_s": 10}}
        ],
    }
    dashboard.load(page, faulty, ["fifo", "fair"])
    expect(reason).to_have_text(phrase("browser.fix_errors_run_job_job", 2, 99999, 4096, 1))
    expect(page.locator("#run")).to_have_class(re.compile("is-blocked"))
    expect(page.locator("#run")).to_be_enabled()
    before = dashboard.key(page)
    page.click("#run")
    expect(page.locator("#turn-rail")).to_have_attribute("aria-expanded", "true")
    expect(page.locator(":focus")).to_have_attribute("data-path", re.compile("maps.memory_mb$"))
    assert dashboard.key(page) == before
    dashboard.load(page, SMALL, ["fifo", "fiar"])
    expect(reason).to_contain_text(phrase("browser.fix_error_run", 1))
    expect(reason).to_contain_text(phrase("schedulers.did_you_mean_fair"))
    dashboard.load(page, SMALL, [])
    expect(reason).to_contain_text(phrase("browser.choose_at_least_one_scheduler"))
    dashboard.load(page, {**SMALL, "jobs": [{**SMALL["jobs"][0], "count": 300_000}]}, ["fifo"])
    expect(reason).to_contain_text(phrase("browser.containers_in_all_this_page", "1,200,000", "1,000,000"))

    # A deadlock: who holds what.
    dashboard.load(page, STUCK, ["fifo+slowstart", "fair(reservations=no, update_ms=0)+slowstart+admit-all"])
    assert phrase("browser.fair_textbook_ended_in_deadlock") in dashboard.run(page)
    lanes = page.locator(".lane")
    expect(lanes.nth(0).locator(".deadlock")).to_have_count(0)
    stuck = lanes.nth(1).locator(".deadlock")
    expect(stuck).to_have_text("Deadlock")
    expect(stuck).to_have_attribute(
        "title", re.compile(phrase("browser.maps_maps_hold_mb_and", 3, "a-1", 3, "a-2", "wait.*", "2 GB", 2))
    )
    expect(lanes.nth(1).locator(".deadlock-why")).to_contain_text("3 maps of a-1")
    expect(page.locator("#answer-says")).to_contain_text(re.compile("deadlock", re.IGNORECASE))

    # Long work shows how far it is and can be cancelled.
    before = dashboard.key(page)
    dashboard.load(
        page, CROWD, ["fifo", "fair", "drf", "capacity", "fifo(resources=memory)", "fair(resources=memory)"]
    )
    page.click("#run")
    expect(status).to_have_text(re.compile(r"^\d of 6: "))
    expect(page.locator("#run-progress")).to_be_visible()
    assert dashboard.key(page) == before
    page.click("#cancel")
    expect(status).to_have_text(
        phrase("common.cancelled_previous_result_still_shown"), timeout=dashboard.READY_MS
    )
    expect(page.locator("#run-under-way")).to_be_hidden()
    assert dashboard.key(page) == before
    assert page.evaluate("() => window.stays")

    # A faulty draft survives a reload beside the last good run.
    dashboard.load(page, SMALL, ["fifo", "fair"])
    dashboard.run(page)
    dashboard.load(
        page,
        {**SMALL, "name": "Broken", "cluster": {"nodes": [{"count": 0, "memory_mb": 1, "vcores": 1}]}},
        ["fifo", "fair"],
    )
    # the address is no more that of what is composed
    page.wait_for_function("() => window.location.search === ''")
    page.reload()
    dashboard.drawn(page, 2)
    expect(page.get_by_label(phrase("browser.title_scenario"))).to_have_value("Broken")
    expect(reason).to_contain_text("to run.")
    expect(status).to_contain_text("shown instead: Small")


def is_ready(server: Server) -> bool:
    """Is all that runs loaded, so that a small run is done within its answer? What takes longer is kept in
    the database.
    """
    told = [
        line for line in server.log.read_text().splitlines() if f'"process": {server.process.pid},' in line
    ]
    return any(phrase("webapp.simulator_ready") in line for line in told)


def test_a_database_and_then_a_server_that_is_away_are_said_and_nothing_is_lost(
    page: Page, tmp_path: Path
) -> None:
    own = Server(tmp_path, {"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/nothing"})
    try:
        until(lambda: is_ready(own), dashboard.READY_MS / 1000)
        dashboard.opened(page, own.url + "/?r=0123456789abcdef", 2)
        expect(page.locator("#complaints")).to_contain_text(phrase("browser.could_not_be_opened"))
        page.click("#share")
        expect(page.locator("#share-says")).to_contain_text(phrase("browser.could_not_be_kept_servers"))
        expect(page.locator("#share-inline")).not_to_have_value("")
        page.keyboard.press("Escape")

        traffic = dashboard.Traffic(page)
        dashboard.load(page, SMALL, ["fifo", "fair"])
        traffic.wait_until_idle()
        own.stop()
        page.click("#run")
        expect(page.locator("#run-status")).to_contain_text(phrase("browser.server_does_not_answer"))
        expect(page.locator("#lanes h3")).to_have_text(["fair", "haste"])
        own.start()
        until(lambda: is_ready(own), dashboard.READY_MS / 1000)
        page.click("#run")
        expect(page.locator("#run-status")).to_have_text(
            "Small: 2 schedulers, 16 containers.", timeout=dashboard.READY_MS
        )
        # what the page still asks for while its server goes away is not what is tested
        page.goto("about:blank")
        theirs = ("ERR_CONNECTION", "did not respond")  # what the browser and Dash themselves say about it
        page.complaints[:] = [said for said in page.complaints if not any(words in said for words in theirs)]
    finally:
        own.stop()
