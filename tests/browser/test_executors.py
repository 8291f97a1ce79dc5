"""The button Executors on a Spark application's page: its curve beside the others', kept in the address, and
a number of executors run in the charts.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server


def test_an_application_s_curve_is_asked_shared_and_run(page: Page, server: Server) -> None:
    address = f"{server.url}/?preset=spark-with-maximum&s=fair&tab=job"
    dashboard.opened(page, f"{address}&job=report", charts=1)
    expect(page.locator("#job-title")).to_have_text("report")
    expect(page.locator("#job-executors")).to_be_hidden()  # a MapReduce job
    page.get_by_role("button", name="Previous job").click()
    expect(page.locator("#job-title")).to_have_text("etl")
    button = page.get_by_role("button", name="Executors", exact=True)
    # What was cancelled is asked once more.
    cancelled = {"says": "Cancelled.", "state": "cancelled"}
    page.route("**/jobs/executors/start", lambda route: route.fulfill(json=cancelled), times=1)
    button.click()
    expect(page.locator("#executors-says")).to_have_text("Cancelled.")
    button.focus()
    page.keyboard.press("Enter")
    headline = page.locator(".executors-headline")
    expect(headline).to_contain_text("etl", timeout=60_000)
    expect(page.locator("#executors-others-story")).to_contain_text("The others take")
    expect(page).to_have_url(re.compile("executors=0:etl"))
    assert violations(page, "#drawer") == []
    told, where = headline.inner_text(), page.url

    # A point of the curve runs the scenario with so many, beside what it was.
    points = page.locator("#executors-own-graph .scatterlayer .points path")
    expect(points).not_to_have_count(0)
    points.nth(3).scroll_into_view_if_needed()
    points.nth(3).click(force=True)
    dashboard.drawn(page, 2)
    maximum = "gantry.state.draft.scenario.jobs[0].executors.dynamic.maximum"
    assert page.evaluate(maximum) == 4
    # Another result is shown: the curve is of the one before.
    expect(page.locator("#executors-curve")).to_be_empty()

    # The link asks for the same, and by keyboard another number is run.
    page.goto(where)
    expect(headline).to_have_text(told, timeout=60_000)
    page.locator("#executors-take").focus()
    page.keyboard.press("Enter")
    dashboard.drawn(page, 2)
    assert page.evaluate(maximum) == int(re.search(r"(\d+) executors", told)[1])

    # Another job's page has none.
    page.goto(where)
    expect(headline).to_have_text(told, timeout=60_000)
    page.get_by_role("button", name="Next job").click()
    expect(headline).to_have_count(0)
    expect(page).not_to_have_url(re.compile("executors="))
