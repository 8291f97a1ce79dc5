"""A job's page: opened from the table of jobs, on to the next, shown in the charts, and kept in the
address.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from engine import Scenario, presets, simulate
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server

BATCH = {
    "version": 1,
    "name": "Early and late",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [
        {
            "name": "early",
            "count": 2,
            "maps": {"count": 20, "memory_mb": 1024, "vcores": 1, "duration_s": 10},
        },
        {
            "name": "late",
            "arrival_s": 40,
            "maps": {"count": 8, "memory_mb": 1024, "vcores": 1, "duration_s": 5},
        },
        {
            "name": "last",
            "arrival_s": 120,
            "maps": {"count": 8, "memory_mb": 1024, "vcores": 1, "duration_s": 5},
        },
    ],
}


def test_a_job_s_page_is_opened_by_its_address_and_from_the_table(page: Page, server: Server) -> None:
    run = simulate(presets()[0].scenario, "fifo")
    names = run.workload.job_names
    # By its address.
    dashboard.opened(page, f"{dashboard.four(server.url)}&job={names[2]}&tab=job")
    expect(page.locator("#job-title")).to_have_text(names[2])
    row = page.locator("#job-grid .ag-center-cols-container .ag-row").first
    expect(row).to_be_attached()  # until the grid is loaded, an empty element stands in its place
    row.scroll_into_view_if_needed()
    expect(row).to_be_visible()
    page.locator("#job-why").click()
    expect(page.locator("#job-reasons")).to_contain_text(re.compile("waited"))
    assert violations(page, "#drawer") == []

    # From the table of jobs, and on to the next.
    dashboard.show(page, "Compare")
    page.locator('#jobs-grid .ag-pinned-left-cols-container [col-id="title"]', has_text=names[1]).click()
    expect(page.locator("#drawer [data-tab=job]")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#job-title")).to_have_text(names[1])
    own = run.containers.job == 1
    expect(page.locator("#job-count")).to_contain_text(f"{own.sum()} containers")
    expect(page.locator("#job-grid [row-index='0'] [col-id=task]")).to_have_text("master")
    expect(page.get_by_role("group", name=re.compile("^Life")).first).to_contain_text("fifo")
    expect(page).to_have_url(re.compile(f"job={names[1]}&.*tab=job"))
    page.get_by_role("button", name="Next job").click()
    expect(page.locator("#job-title")).to_have_text(names[2])
    expect(page).to_have_url(re.compile(f"job={names[2]}&"))
    for place in (1, 0):
        page.get_by_role("button", name="Previous job").click()
        expect(page.locator("#job-title")).to_have_text(names[place])
    expect(page.get_by_role("button", name="Previous job")).to_be_disabled()

    # The charts zoom to it and highlight it.
    runs = [simulate(Scenario.of(BATCH), name) for name in ("fifo", "fair")]
    dashboard.load(page, BATCH, ["fifo", "fair"])
    dashboard.run(page)
    dashboard.show(page, "Compare")
    page.locator('#jobs-grid .ag-pinned-left-cols-container [col-id="title"]', has_text="late").click()
    expect(page.locator("#job-title")).to_have_text("late")
    page.get_by_role("button", name="Show in charts").click()
    own = [run.containers.job == 2 for run in runs]
    first = min(run.containers.start[some].min() for run, some in zip(runs, own)) / 1000
    last = max(run.containers.end[some].max() for run, some in zip(runs, own)) / 1000
    page.wait_for_function("first => window.gantry.charts.currentWindow().x0 > 800 * first", arg=float(first))
    low, high = dashboard.ranges(page)[0]
    assert low <= first < last <= high
    assert high - low == pytest.approx(1.1 * (last - first), rel=0.01)
    expect(page.locator("#lanes .moving .dim")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"x0=\d+.*&job=late&"))
