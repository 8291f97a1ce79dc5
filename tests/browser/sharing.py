"""What a link is made of and opens to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import dashboard
from tests.browser.conftest import visit
from tests.phrases import phrase

FIGURES = (
    f"() => [...document.querySelectorAll('{dashboard.CHARTS} .moving')].map((painted) => painted.innerHTML)"
)
DRAWN_FOR = "() => window.gantry.lanes.open().length > 0 && window.gantry.lanes.isSharp()"


@contextmanager
def stranger(elsewhere: BrowserContext, url: str, charts: int = 4) -> Iterator[Page]:
    """Somebody else opens the address in a browser in which nothing is stored."""
    with visit(elsewhere) as page:
        yield dashboard.opened(page, url, charts)


def figures(page: Page, traffic: dashboard.Traffic) -> list[str]:
    """What the charts show, once nothing is on its way that would draw them anew."""
    traffic.wait_until_idle()
    page.wait_for_function(DRAWN_FOR)
    return page.evaluate(FIGURES)


def shared(page: Page) -> str:
    """The link of one click."""
    page.click("#share")
    expect(page.locator("#share-link")).not_to_have_value("")
    return page.locator("#share-link").input_value()


def composed(page: Page, url: str, title: str) -> None:
    """A page with a result of its own, zoomed and with a highlight."""
    dashboard.opened(page, url)
    dashboard.compose(page)
    page.get_by_label(phrase("browser.title_scenario")).fill(title)
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    dashboard.run(page)
    page.click("#turn-rail")
    page.locator(".chart").first.focus()
    page.keyboard.press("w")
    dashboard.choose(page, "find", "wordcount2")
    page.wait_for_url(re.compile(r"x0=\d+&x1=\d+&job=wordcount2"))
