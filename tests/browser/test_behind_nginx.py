"""The page as visitors of a real installation have it: by TLS through nginx, with gunicorn at a Unix
socket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import dashboard
from tests.browser.chromium import visitor_of, watch
from tests.browser.sharing import figures
from tests.phrases import phrase
from tests.webapp.deployment.site import Behind, Proxy, nginx


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    # a busy machine makes any run a long one
    running = Behind(tmp_path_factory.mktemp("behind") / "data", {"GANTRY_WORKERS": "1"})
    yield running
    running.stop()


@pytest.fixture(scope="module")
def proxy(behind: Behind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    running = nginx(tmp_path_factory.mktemp("nginx"), f"unix:{behind.socket}")
    yield running
    running.stop()


@pytest.fixture
def outside(browser: Browser, proxy: Proxy) -> Iterator[Page]:
    """A page of a browser that has never been there."""
    context = visitor_of(browser, ignore_https_errors=True)
    opened = context.new_page()
    opened.complaints = watch(opened)
    yield opened
    context.close()
    assert not opened.complaints


def changed(page: Page, seed: int) -> dict:
    """The scenario of the page with another seed."""
    return {**page.evaluate("window.gantry.state.draft.scenario"), "seed": seed}


def test_the_page_runs_zooms_shares_and_waits_for_a_server_that_is_started_again(
    behind: Behind, proxy: Proxy, outside: Page
) -> None:
    traffic = dashboard.Traffic(outside)
    page = dashboard.opened(outside, proxy.url)
    dashboard.load(page, changed(page, 76), ["fifo", "fair"])
    dashboard.run(page)
    before = dashboard.sharp(page)
    page.locator(".chart").first.focus()
    page.keyboard.press("+")
    page.wait_for_function(
        "before => JSON.stringify(window.gantry.charts.currentWindow().x1 / 1000) !== JSON.stringify(before)",
        arg=before[1],
    )
    assert dashboard.sharp(page) != before
    painted, zoom = figures(page, traffic), dashboard.ranges(page)
    page.click("#share")
    expect(page.locator("#share-link")).to_have_value(
        re.compile(rf"^{re.escape(proxy.url)}/\?r=[0-9a-f]{{16}}")
    )
    link = page.locator("#share-link").input_value()
    other = page.context.new_page()
    other.complaints = watch(other)
    traffic = dashboard.Traffic(other)
    dashboard.opened(other, link, 2)
    assert (figures(other, traffic), dashboard.ranges(other)) == (painted, zoom)
    assert not other.complaints
    other.close()
    page.keyboard.press("Escape")
    cookie = next(one for one in page.context.cookies() if one["name"] == "gantry")
    assert cookie["secure"] and cookie["httpOnly"]

    # While Gantry is away nginx says so and when to ask again; the page does, and a page that is opened then
    # comes by itself.
    before = dashboard.key(page)
    with dashboard.answered(page):
        dashboard.load(page, changed(page, 77), ["fifo", "fair"])
    behind.stop()
    page.click("#run")
    meanwhile = page.context.new_page()
    meanwhile.goto(proxy.url)
    expect(meanwhile.locator("body")).to_have_text(re.compile("^" + phrase("browser.gantry_starting_again")))
    behind.start()
    dashboard.drawn(meanwhile, 2)  # the draft of this browser
    page.complaints[:] = [words for words in page.complaints if "status of 503" not in words]
    assert not page.complaints
    # what was asked meanwhile has run
    page.wait_for_function("before => document.getElementById('lanes').dataset.key !== before", arg=before)

    # A link outlives the server.
    traffic = dashboard.Traffic(meanwhile)
    dashboard.opened(meanwhile, link, 2)
    expect(meanwhile.locator("#notice")).to_contain_text(phrase("browser.what_link_shows"))
    meanwhile.evaluate("window.dash_clientside.set_props('notice', {children: ''})")  # it takes of the height
    assert (figures(meanwhile, traffic), dashboard.ranges(meanwhile)) == (painted, zoom)
