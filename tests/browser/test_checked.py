"""What was checked against Hadoop, from a scheduler's page, as a file, and on a telephone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from engine.dashboard import checked_against_hadoop
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase


def test_from_a_scheduler_to_its_numbers_a_file_of_them_and_back(page: Page, server: Server) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server.url}/schedulers/fair")
    page.get_by_role("link", name="Checked against Hadoop").click()
    expect(page).to_have_title(phrase("browser.checked_against_hadoop_gantry", "-"))
    same, of = checked_against_hadoop().of_order("fair")
    expect(page.get_by_role("row", name=re.compile(r"^all \d"))).to_contain_text(f"{same:,} of {of:,}")
    assert violations(page) == []
    page.locator(".card-menu summary").click()
    with page.expect_download() as download:
        page.get_by_text("Numbers as CSV").click()
    assert (
        download.value.path().read_text().splitlines()[0] == "Feature,Scheduler,Identical decisions,Decisions"
    )

    # On a telephone the table scrolls in its own box, beside the features.
    page.set_viewport_size({"width": 360, "height": 740})
    box = page.get_by_role("region", name=phrase("browser.decisions_by_scheduler_and_feature"))
    expect(box).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    feature, last = box.get_by_role("rowheader", name="one queue"), box.get_by_role("columnheader").last
    left = feature.bounding_box()["x"]
    assert last.bounding_box()["x"] > 360
    box.evaluate("(box) => { box.scrollLeft = box.scrollWidth }")
    assert feature.bounding_box()["x"] == left
    assert left + feature.bounding_box()["width"] < last.bounding_box()["x"] < 360

    page.get_by_role("columnheader", name="fair").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Fair sharing fair")
