"""`make pictures`: the pictures of the README and of the tutorial, taken from the running page."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from tests.browser import dashboard
from tests.browser.chromium import launched, watch
from tests.browser.server import STARTUP_S, Server

README = Path(__file__).parent
TUTORIAL = README.parents[1] / "webapp" / "docs" / "pictures"
CHART = "#lanes .rows .moving svg"
SECOND_CHART = f"{CHART} >> nth=1"
EXPERIMENT = "/papers/omo/figure-13"
SETTLED_MS = 1500  # fonts and tables have settled
COLORS = 160  # of the tutorial's pictures: a third of the bytes
# name -> (width, height, colour scheme, path, what is there when it is drawn)
PICTURES = {
    "light": (1440, 900, "light", "/", SECOND_CHART),
    "dark": (1920, 1080, "dark", "/", SECOND_CHART),
    "1920": (1920, 1080, "light", "/", SECOND_CHART),
    "1280": (1280, 800, "light", "/", SECOND_CHART),
    "360": (360, 780, "light", "/", CHART),
    "papers": (1280, 1000, "light", EXPERIMENT, ".paper-picture .barlayer"),
}


def main() -> None:
    """Overwrites the pictures."""
    with tempfile.TemporaryDirectory() as data, launched("--hide-scrollbars") as browser:
        server = Server(Path(data))
        try:
            for name, (width, height, scheme, path, drawn) in PICTURES.items():
                page = opened(browser, width, height, scheme)
                page.goto(server.url + path)
                page.wait_for_selector(drawn, timeout=STARTUP_S * 1000, state="attached")
                page.wait_for_timeout(SETTLED_MS)
                page.screenshot(path=README / f"{name}.png")
                closed(page)
            page = opened(browser, 1200, 720, "light")
            tutorial(page, server.url)
            closed(page)
        finally:
            server.stop()


def opened(browser: Browser, width: int, height: int, scheme: str) -> Page:
    """A page of its own, whose console is watched."""
    page = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB"
    ).new_page()
    page.complaints = watch(page)
    return page


def closed(page: Page) -> None:
    """Its console was clean."""
    assert not page.complaints, page.complaints
    page.context.close()


def tutorial(page: Page, url: str) -> None:
    """The steps of webapp/docs/tutorial.md."""
    dashboard.opened(page, url, 2)
    save(page, "result")

    page.mouse.click(*dashboard.on_bar(page, chart=0, kind="reduce", number=3))
    page.wait_for_selector("#decision table")
    page.mouse.move(5, 5)
    save(page, "why")

    page.locator(".chart").first.focus()
    for _ in range(3):  # the decision and the highlight
        page.keyboard.press("Escape")
    dashboard.show(page, "What if")
    page.locator("#questions-scheduler").click()
    page.get_by_role("option", name="fair", exact=True).click()
    page.wait_for_timeout(SETTLED_MS)
    page.get_by_role("button", name="Slow start", exact=True).click()
    page.wait_for_selector(".questions-answer")
    page.locator("#drawer-edge").focus()
    for _ in range(16):
        page.keyboard.press("ArrowUp")
    page.evaluate("() => document.activeElement.blur()")
    save(page.locator("#drawer"), "answer")

    page.locator(".questions-answer [data-act=open]").click()
    page.wait_for_function("() => window.gantry.state.result.pinned")
    page.locator("[data-drawer-way=close]").click()
    save(page, "other")


def save(taken: Page | Locator, name: str) -> None:
    """A picture of the page or a part of it, with few colours."""
    (taken if isinstance(taken, Page) else taken.page).wait_for_timeout(SETTLED_MS)
    path = TUTORIAL / f"{name}.png"
    taken.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(
        COLORS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
    ).save(path, optimize=True)


if __name__ == "__main__":
    main()
