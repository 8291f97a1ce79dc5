"""Replay: what was measured beside its simulation, job by job; what was fitted becomes the draft; and what
stands there without a record.
"""

from __future__ import annotations

import csv
import re

from playwright.sync_api import Page, expect

from engine import VERSION, Scenario, predict, presets
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase
from tests.webapp.replay_record import record
from webapp.panels.replay import replay_text
from webapp.url import url_state
from webapp.url.url_state import RunRequest

# Charts whose legend lies on their plot.
COVERED = """() => [...document.querySelectorAll("#tab-replay .js-plotly-plot:has(.legend)")].filter((graph) => {
    const [legend, plot] = [".legend", ".nsewdrag"].map((part) => graph.querySelector(part).getBoundingClientRect());
    return legend.bottom > plot.top + 1;
}).map((graph) => graph.parentElement.id)"""  # noqa: E501


def test_what_was_measured_stands_beside_its_simulation_and_what_was_fitted_becomes_the_draft(
    page: Page, server: Server
) -> None:
    page.emulate_media(color_scheme="dark")
    dashboard.opened(
        page,
        server.url
        + url_state.address(request=RunRequest(Scenario.of(record()).plain(), ("measured", "fair"))),
        2,
    )
    dashboard.show(page, "Measured")
    result, headline, rows = (
        predict(Scenario.of(record()), "fair"),
        page.locator(".replay-headline"),
        page.locator("#replay-jobs [data-job]"),
    )
    expect(headline).to_have_text(replay_text.headline(result), timeout=dashboard.READY_MS)
    expect(rows).to_have_count(len(result.held_out.rows))
    assert violations(page, "#drawer") == []
    assert page.evaluate(COVERED) == []

    # Its tables are taken away.
    for room, first in (("#replay-jobs", "Job"), ("#replay-fit", "Parameter")):
        page.locator(f"{room} .card-menu summary").click()
        with page.expect_download() as download:
            page.locator(room).get_by_text("Numbers as CSV").click()
        taken = list(csv.reader(download.value.path().read_text().splitlines()))
        assert taken[0][0] == first and len(taken) > 3
        page.keyboard.press("Escape")

    page.get_by_text("All jobs", exact=True).click()
    expect(rows).to_have_count(len(result.replay.rows))
    page.get_by_text("Jobs held out", exact=True).click()
    expect(rows).to_have_count(len(result.held_out.rows))

    # A job leads to its page by keyboard.
    worst = result.held_out.rows[0].name
    expect(rows.first).to_contain_text(worst)
    page.get_by_role("button", name=worst, exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#job-title")).to_have_text(worst)
    dashboard.highlighted(page, f"job:{worst}")
    dashboard.show(page, "Measured")
    expect(page.locator(f'#replay-jobs [data-job="{worst}"]')).to_have_attribute("data-marked", "")

    # What was fitted carries its band, and undo takes it back.
    before = page.evaluate("() => JSON.stringify(window.gantry.state.draft.scenario)")
    page.get_by_role("button", name=phrase("browser.use_fitted_cluster_in_draft")).click()
    expect(page.locator("#replay-draft-says")).to_contain_text(phrase("browser.undo_takes_back"))
    expect(page.locator("#run")).to_have_class(re.compile("is-stale"))
    dashboard.run(page)
    expect(page.locator("#answer-others")).to_contain_text(phrase("browser.from_replay_under_fair_jobs", 3))
    expect(headline).to_be_visible()
    dashboard.compose(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(
        "before => JSON.stringify(window.gantry.state.draft.scenario) === before", arg=before
    )

    # A result without a record says how to bring one.
    plain = presets()[0].scenario.plain()
    dashboard.load(page, plain, ["fifo"])
    dashboard.run(page)
    answer = page.locator("#replay-answer")
    expect(answer).to_contain_text(phrase("browser.no_record_real_cluster"))
    with page.expect_download() as download:
        answer.get_by_role("link", name="gantry-collect").click()
    text = download.value.path().read_text()
    compile(text, "gantry_collect.py", "exec")
    assert text.startswith("#!/usr/bin/env python3")
    page.get_by_role("button", name=phrase("browser.look_at_fourteen_jobs")).click()
    expect(headline).to_contain_text("7 jobs held out", timeout=dashboard.READY_MS)
    page.goto(server.url + "/model")
    expect(page.locator(".version:visible").first).to_have_text(f"Gantry {VERSION}")
    page.get_by_role("link", name=phrase("browser.how_well_does_predict")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(phrase("browser.how_well_does_predict"))
