"""The report from the Export menu: it opens without a server, asks nobody for anything, and prints."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server


def test_the_report_opens_offline_and_prints(page: Page, server: Server, tmp_path: Path) -> None:
    dashboard.opened(page, server.url)
    page.click("#show-export")
    with page.expect_download() as download:
        page.get_by_role("link", name="Report").click()
    assert download.value.suggested_filename == "four-wordcount-jobs-report.html"
    file = tmp_path / "report.html"
    download.value.save_as(file)
    page.context.set_offline(True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert asked == [file.as_uri()]
    expect(page.get_by_role("heading", level=1)).to_have_text("Four WordCount jobs")
    expect(page.locator("figure svg[role=img]")).to_have_count(4)
    expect(page.get_by_role("link", name=f"{server.url}/model")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    for size in ("A4", "Letter"):
        pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format=size))
        assert 3 <= len(pages) <= 5
