"""A real server and a real browser; a test fails on any error in the page's console."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chromium import forget, launched, visitor_of, watch
from tests.browser.composer import Composer, composing
from tests.browser.server import Server
from tests.webapp.deployment.site import NAME
from tests.webapp.store.released import left_by

expect.set_options(timeout=20_000)  # ms; several workers share few cores, and only a failure waits so long


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard, with the database that 0.1 left and one link in it."""
    data = tmp_path_factory.mktemp("gantry")
    left_by("0.1", f"sqlite:///{data}/links.sqlite")
    running = Server(data)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    # Pages of one address in one process, which has compiled their scripts already; and the name of the
    # server behind a proxy is found here.
    with launched("--process-per-site", f"--host-resolver-rules=MAP {NAME} 127.0.0.1") as started:
        yield started


@pytest.fixture
def first_page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has never been here: no file is in its cache."""
    opened = _new(visitor_of(browser))
    yield opened
    opened.context.close()
    _clean(opened)


@pytest.fixture(scope="session")
def visitor(browser: Browser, server: Server) -> BrowserContext:
    """The browser of all tests' `page`, with one page open for ever: opening the dashboard in a new browser
    costs half as much again.
    """
    return _warm(browser, server)


@pytest.fixture(scope="session")
def elsewhere(browser: Browser, server: Server) -> BrowserContext:
    """Another visitor's browser, for `visit`."""
    return _warm(browser, server)


@pytest.fixture
def page(visitor: BrowserContext) -> Iterator[Page]:
    """A page of a browser in which nothing is stored; `page.complaints` may be emptied by a test that
    provokes errors.
    """
    with visit(visitor) as opened:
        yield opened
    visitor.set_offline(False)


@pytest.fixture(scope="module")
def module_page(browser: Browser) -> Iterator[Page]:
    """A page for the tests of a module that leave it as they found it, for opening the dashboard costs more
    than most of them.
    """
    opened = _new(visitor_of(browser))
    yield opened
    opened.context.close()


@pytest.fixture
def shared_page(module_page: Page) -> Iterator[Page]:
    """The module's page, whatever the test before left on it."""
    module_page.complaints.clear()
    yield module_page
    _clean(module_page)


@pytest.fixture(scope="module")
def composing_page(module_page: Page, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Composer:
    """The editor of the module's page."""
    return composing(module_page, server.url, tmp_path_factory.mktemp("files"))


@pytest.fixture
def shared(composing_page: Composer, shared_page: Page) -> Composer:
    """The module's editor, for tests that need no history and change nothing but the draft."""
    composing_page.begin_again()
    return composing_page


@pytest.fixture
def composer(page: Page, server: Server, tmp_path: Path) -> Composer:
    """The editor of a page of the test's own."""
    return composing(page, server.url, tmp_path)


@contextmanager
def visit(context: BrowserContext) -> Iterator[Page]:
    """A page whose pop-ups, complaints and stored things go with it."""
    earlier = list(context.pages)
    opened = _new(context)
    addresses: set[str] = set()
    opened.on(
        "framenavigated", lambda frame: addresses.add("{0.scheme}://{0.netloc}".format(urlsplit(frame.url)))
    )
    yield opened
    for other in context.pages:
        if other not in (*earlier, opened):
            other.close()
    forget(opened, addresses)
    _clean(opened)


def _warm(browser: Browser, server: Server) -> BrowserContext:
    context = visitor_of(browser)
    _new(context).goto(server.url + "/model")
    return context


def _new(context: BrowserContext) -> Page:
    opened = context.new_page()
    opened.complaints = watch(opened)
    return opened


def _clean(page: Page) -> None:
    assert not page.complaints, "the page's console must stay clean: " + "; ".join(page.complaints)
