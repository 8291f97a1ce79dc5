"""A job's page: opened from the table of jobs, on to the next, shown in the charts, and kept in the address."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from engine import Scenario, presets, simulate
from tests.browser import dashboard
from tests.browser.server import Server
from webapp.services import url_state
from webapp.services.url_state import Asked

BATCH = {
    "version": 1,
    "name": "Early and late",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [
        {"name": "early", "count": 2, "maps": {"count": 20, "memory_mb": 1024, "vcores": 1, "duration_s": 10}},
        {"name": "late", "arrival_s": 40, "maps": {"count": 8, "memory_mb": 1024, "vcores": 1, "duration_s": 5}},
        {"name": "last", "arrival_s": 120, "maps": {"count": 8, "memory_mb": 1024, "vcores": 1, "duration_s": 5}},
    ],
}
ROWS = "#job-grid .ag-center-cols-container .ag-row"


def job_cell(page: Page, name: str) -> Locator:
    """The name of a job in the table of jobs."""
    dashboard.show(page, "Compare")
    return page.locator('#jobs-grid .ag-pinned-left-cols-container [col-id="title"]', has_text=name)


def test_a_click_on_a_job_opens_its_page_and_its_buttons_lead_on(page: Page, server: Server) -> None:
    run = simulate(presets()[0].scenario, "fifo")
    names = run.workload.job_names
    dashboard.opened(page, server.url)
    job_cell(page, names[1]).click()
    expect(page.locator("#drawer [data-tab=job]")).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#job-title")).to_have_text(names[1])
    own = run.containers.job == 1
    expect(page.locator("#job-count")).to_contain_text(f"{own.sum()} containers")
    expect(page.locator("#job-grid [row-index='0'] [col-id=task]")).to_have_text("master")
    life = page.get_by_role("group", name=re.compile("^Life")).first
    expect(life).to_contain_text("fifo")
    expect(page).to_have_url(re.compile(f"job={names[1]}&.*tab=job"))
    page.get_by_role("button", name="Next job").click()
    expect(page.locator("#job-title")).to_have_text(names[2])
    expect(page).to_have_url(re.compile(f"job={names[2]}&"))
    page.get_by_role("button", name="Previous job").click()
    expect(page.locator("#job-title")).to_have_text(names[1])
    page.get_by_role("button", name="Previous job").click()
    expect(page.locator("#job-title")).to_have_text(names[0])
    expect(page.get_by_role("button", name="Previous job")).to_be_disabled()


def test_show_in_charts_zooms_to_the_job_and_highlights_it(page: Page, server: Server) -> None:
    runs = [simulate(Scenario.of(BATCH), name) for name in ("fifo", "fair")]
    dashboard.opened(page, server.url + url_state.address(asked=Asked(Scenario.of(BATCH).plain(), ("fifo", "fair"))), 2)
    job_cell(page, "late").click()
    expect(page.locator("#job-title")).to_have_text("late")
    page.get_by_role("button", name="Show in charts").click()
    own = [run.containers.job == 2 for run in runs]
    first = min(run.containers.start[some].min() for run, some in zip(runs, own)) / 1000
    last = max(run.containers.end[some].max() for run, some in zip(runs, own)) / 1000
    page.wait_for_function("first => window.gantry.charts.now().x0 > 800 * first", arg=float(first))
    low, high = dashboard.ranges(page)[0]
    assert low <= first < last <= high
    assert high - low == pytest.approx(1.1 * (last - first), rel=0.01)
    expect(page.locator("#lanes .moving .dim")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"x0=\d+.*&job=late&"))


def test_the_address_of_a_job_opens_its_page(page: Page, server: Server) -> None:
    name = simulate(presets()[0].scenario, "fifo").workload.job_names[2]
    dashboard.opened(page, f"{server.url}/?job={name}&tab=job")
    expect(page.locator("#job-title")).to_have_text(name)
    expect(page.locator(ROWS).first).to_be_visible()
    page.locator("#job-why").click()
    expect(page.locator("#job-reasons")).to_contain_text(re.compile("waited"))
