"""Slides: by keyboard and pointer a picture and an animation come down, which show what the page shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageSequence
from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase
from webapp import theme

TWO = "/?preset=wordcount&s=fair&s=haste"


def saved(page: Page, format: str, to: Path) -> tuple[str, Image.Image]:
    """The name of the file that the menu's entry gives, and the picture; by keyboard."""
    page.locator("#show-slides").focus()
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("data-slide", "png")
    if format == "gif":
        page.keyboard.press("ArrowDown")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    expect(page.locator("#show-slides + .menu-entries")).to_be_hidden()
    expect(page.locator("#run-status")).to_have_text(phrase("browser.slide_is_saved"))
    download.value.save_as(to)
    return download.value.suggested_filename, Image.open(to)


def share(picture: Image.Image | np.ndarray, colour: str) -> float:
    """Of all pixels those that have this colour."""
    return float((np.asarray(picture)[..., :3] == theme.rgb(colour)).all(axis=2).mean())


def test_a_picture_and_an_animation_of_what_is_shown(page: Page, server: Server, tmp_path: Path) -> None:
    dashboard.opened(page, server.url + TWO, 2)
    page.locator("#show-slides").click()
    assert violations(page, ".result-tools") == []
    page.keyboard.press("Escape")
    expect(page.locator("#show-slides")).to_be_focused()

    name, picture = saved(page, "png", tmp_path / "slide.png")
    assert (name, picture.size) == ("gantry-Four-WordCount-jobs-slide.png", (1920, 1080))
    both = picture.convert("RGB")
    assert share(both, theme.colour("map", False)) > 0.05
    # what is highlighted, folded and dark on the page is so on the slide
    page.locator('[data-select="phase:reduce"]').click()
    page.locator("#lanes [data-fold]").nth(1).click()
    page.locator("#turn-scheme").click()
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")
    expect(page.locator("#lanes .chart:visible")).to_have_count(1)
    _, one = saved(page, "png", tmp_path / "dark.png")
    assert share(one.convert("RGB"), theme.colour("map", True)) < 0.01
    assert share(one.convert("RGB"), theme.colour("reduce", True)) > 0.01
    assert one.getpixel((5, 5))[:3] == theme.rgb(theme.DARK.paper)

    name, moving = saved(page, "gif", tmp_path / "play.gif")
    assert (name, moving.size) == ("gantry-Four-WordCount-jobs-play.gif", (1280, 720))
    frames = [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(moving)]
    reduces = [share(frame, theme.colour("reduce", True)) for frame in frames]
    assert reduces == sorted(reduces) and reduces[0] < 0.2 * reduces[-1]
    # its end is the picture, but for the line and the time
    small = np.asarray(one.convert("RGB").resize((1280, 720), Image.Resampling.BOX)).astype(int)
    assert abs(small - frames[-1]).mean() < 4


def test_a_result_that_has_expired_is_run_again_and_too_many_charts_are_refused(
    page: Page, server: Server
) -> None:
    dashboard.opened(page, server.url + TWO, 2)
    status = page.locator("#run-status")
    page.route("**/charts/slide", lambda route: route.fulfill(json={"says": "no room"}))
    page.locator("#show-slides").click()
    page.locator("[data-slide=gif]").click()
    expect(status).to_have_text("no room")
    page.unroute("**/charts/slide")
    page.route("**/charts/slide", lambda route: route.fulfill(status=410, body="expired"), times=1)
    page.locator("#show-slides").click()
    with page.expect_response("**/jobs/run/start"):
        page.locator("[data-slide=png]").click()
    page.complaints.clear()
