"""For those who enlarge the page, use it by keyboard or with colours of their own, and for paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server

# What sticks out of the window to the right and stands in nothing that scrolls by itself.
OUTSIDE = """() => [...document.querySelectorAll("body *")].filter((node) => {
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height || box.right <= document.documentElement.clientWidth + 1) return false;
    for (let around = node.parentElement; around !== document.body; around = around.parentElement)
        if (getComputedStyle(around).overflowX !== "visible" || !around.checkVisibility({ contentVisibilityAuto: true })) return false;
    return node.checkVisibility() && !node.closest("svg, .unseen, details:not([open]) > :not(summary)");
}).map((node) => node.outerHTML.slice(0, 80))"""
LEVELS = """() => [...document.querySelectorAll("h1, h2, h3, h4")].filter((node) => node.checkVisibility()).map((node) => Number(node.localName[1]))"""
STUCK = """() => [...document.querySelectorAll("body *")].filter((node) => ["sticky", "fixed"].includes(getComputedStyle(node).position))
    .filter((node) => !node.closest(".ag-root-wrapper, .left") && node.checkVisibility())
    .reduce((sum, node) => sum + node.getBoundingClientRect().height, 0)"""


@pytest.mark.parametrize(("width", "height"), [(640, 360), (320, 256)], ids=["1280 px at 200 %", "1280 px at 400 %"])
def test_an_enlarged_page_scrolls_down_only_and_leaves_room_to_read(page: Page, server: Server, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    dashboard.opened_narrow(page, server.url)
    assert page.evaluate(STUCK) <= height / 4
    assert page.locator(".lane:visible .rows").bounding_box()["height"] >= 72
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert page.evaluate(OUTSIDE) == []
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.locator("#editor-jobs")).to_be_visible()
    assert page.evaluate(OUTSIDE) == []
    for path in ("/schedulers", "/schedulers/fair", "/model", "/checked-against-hadoop"):
        page.goto(server.url + path)
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("button", "first"), [("#show-export", "Report")])
def test_a_menu_is_entered_walked_and_left_by_keyboard(shared_page: Page, server: Server, button: str, first: str) -> None:
    page = dashboard.as_opened(shared_page, server.url)
    opener = page.locator(button)
    items = page.locator(f"details:has({button}) .menu-entries > *")
    for key in ("Enter", "Space", "Enter"):  # a menu opens in another order of events the second time
        opener.focus()
        page.keyboard.press(key)
        expect(items.first).to_be_focused()
        expect(items.first).to_contain_text(first)
        page.keyboard.press("ArrowDown")
        expect(items.nth(1)).to_be_focused()
        page.keyboard.press("End")
        expect(items.last).to_be_focused()
        page.keyboard.press("ArrowDown")
        expect(items.first).to_be_focused()
        page.keyboard.press("Escape")
        expect(items.first).to_be_hidden()
        expect(opener).to_be_focused()
    opener.click()
    expect(items.first).to_be_visible()
    page.mouse.click(5, 5)
    expect(items.first).to_be_hidden()
    opener.click()
    expect(items.first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(opener).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(items.first).to_be_hidden()


def test_headings_go_down_one_level_at_a_time(page: Page, server: Server) -> None:
    for path in ("/", "/schedulers", "/schedulers/fair", "/model", "/checked-against-hadoop"):
        page.goto(server.url + path)
        if path == "/":
            dashboard.drawn(page)
        expect(page.locator("h1")).to_have_count(1)
        levels = page.evaluate(LEVELS)
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False)), f"{path}: {levels}"


def test_the_head_says_which_page_this_is(page: Page, server: Server) -> None:
    for path, name, what in (("/model", "Limits", "page"), ("/schedulers", "Schedulers", "page"), ("/schedulers/fair", "Schedulers", "true")):
        page.goto(server.url + path)
        expect(page.locator(".head nav [aria-current]")).to_have_count(1)
        expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name=name)).to_have_attribute("aria-current", what)


def test_colours_that_mean_something_outlive_forced_colours_and_paper(page: Page, server: Server) -> None:
    page.emulate_media(forced_colors="active")
    dashboard.opened(page, server.url)
    colour = "(name) => getComputedStyle(document.querySelector(name)).backgroundColor"
    assert page.evaluate(colour, ".swatch-map") == "rgb(47, 122, 184)"
    assert page.evaluate(colour, "#run .icon") != page.evaluate(colour, "#run")
    page.emulate_media(media="print", forced_colors="none")
    for name in (".panes", "#tools", "#run", ".card-tools"):
        expect(page.locator(name).first).not_to_be_visible()
    assert page.evaluate("() => getComputedStyle(document.querySelector('.swatch')).printColorAdjust") == "exact"
