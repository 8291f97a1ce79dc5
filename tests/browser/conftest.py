"""A real server and a real browser; a test fails on any error in the page's console."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import launched, watch
from tests.browser.server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard with an empty data folder."""
    running = Server(tmp_path_factory.mktemp("gantry"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launched() as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has never been here; `page.complaints` may be emptied by a test that provokes errors."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    opened = context.new_page()
    opened.complaints = watch(opened)
    yield opened
    context.close()
    assert not opened.complaints, "the page's console must stay clean: " + "; ".join(opened.complaints)
