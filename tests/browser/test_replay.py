"""Replay: what was measured beside its simulation, job by job; what was fitted becomes the draft; and what stands there without a record."""

from __future__ import annotations

import csv
import re

import pytest
from playwright.sync_api import Page, expect

from engine import Scenario, predict
from tests.browser import dashboard
from tests.browser.server import Server
from tests.webapp.replayed import record
from webapp.panels.replay import replay_text
from webapp.services import url_state
from webapp.services.url_state import Asked


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    """Of a record beside its simulation."""
    return server.url + url_state.address(asked=Asked(Scenario.of(record()).plain(), ("measured", "fair")))


def replayed(page: Page, address: str) -> Page:
    """The tab with its answer."""
    dashboard.opened(page, address, 2)
    dashboard.show(page, "Replay")
    expect(page.locator(".replay-headline")).to_be_visible(timeout=dashboard.READY_MS)
    return page


def test_the_answer_stands_first_and_a_job_leads_to_its_page_by_keyboard(page: Page, address: str) -> None:
    replayed(page, address)
    found = predict(Scenario.of(record()), "fair")
    expect(page.locator(".replay-headline")).to_have_text(replay_text.headline(found))
    rows = page.locator("#replay-jobs [data-job]")
    expect(rows).to_have_count(len(found.held_out.rows))
    worst = found.held_out.rows[0].name
    page.get_by_text("All jobs", exact=True).click()
    expect(rows).to_have_count(len(found.replay.rows))
    page.get_by_text("Jobs held out", exact=True).click()
    expect(rows).to_have_count(len(found.held_out.rows))
    expect(rows.first).to_contain_text(worst)
    page.get_by_role("button", name=worst, exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#job-title")).to_have_text(worst)
    dashboard.highlighted(page, f"job:{worst}")
    dashboard.show(page, "Replay")
    expect(page.locator(f'#replay-jobs [data-job="{worst}"]')).to_have_attribute("data-marked", "")


def test_what_was_fitted_becomes_the_draft_carries_its_band_and_undo_takes_it_back(page: Page, address: str) -> None:
    replayed(page, address)
    before = page.evaluate("() => JSON.stringify(window.gantry.state.draft.scenario)")
    page.get_by_role("button", name="Use the fitted cluster in the draft").click()
    expect(page.locator("#replay-draft-says")).to_contain_text("Undo takes it back")
    expect(page.locator("#run")).to_have_class(re.compile("is-stale"))
    dashboard.run(page)
    expect(page.locator("#answer-says")).to_contain_text("± from the replay under fair (3 jobs held out)")
    expect(page.locator(".replay-headline")).to_be_visible()
    dashboard.compose(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("before => JSON.stringify(window.gantry.state.draft.scenario) === before", arg=before)


def test_its_tables_are_taken_away(page: Page, address: str) -> None:
    replayed(page, address)
    for room, first in (("#replay-jobs", "Job"), ("#replay-fit", "Parameter")):
        page.locator(f"{room} .card-menu summary").click()
        with page.expect_download() as download:
            page.locator(room).get_by_text("Numbers as CSV").click()
        rows = list(csv.reader(download.value.path().read_text().splitlines()))
        assert rows[0][0] == first and len(rows) > 3
        page.keyboard.press("Escape")


def test_on_a_telephone_nothing_is_wider_than_the_screen(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, address)
    page.evaluate("() => window.gantry.workbench.openTab('replay')")
    expect(page.locator(".replay-headline")).to_be_visible(timeout=dashboard.READY_MS)
    expect(page.locator("#replay-jobs .replay-reason").first).to_be_visible()
    assert page.evaluate("() => { const body = document.getElementById('drawer-body'); return body.scrollWidth - body.clientWidth; }") <= 0


def test_a_result_without_a_record_says_how_to_bring_one(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.show(page, "Replay")
    expect(page.locator("#replay-answer")).to_contain_text("no record of a real cluster")
    with page.expect_download() as download:
        page.locator("#replay-answer").get_by_role("link", name="gantry-collect").click()
    text = download.value.path().read_text()
    compile(text, "gantry_collect.py", "exec")
    assert text.startswith("#!/usr/bin/env python3")
    page.get_by_role("button", name="Look at fourteen jobs").click()
    expect(page.locator(".replay-headline")).to_contain_text("7 jobs held out", timeout=dashboard.READY_MS)
    page.goto(server.url + "/model")
    page.get_by_role("link", name="How well does it predict?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How well does it predict?")
