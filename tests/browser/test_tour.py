"""The tour: offered by a quiet line on the first visit and by the Help page, taken by keyboard, put away for
good.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server

WIDE = ("#answer", "#lanes", ".lane .strips", "#turn-rail", "#drawer .tabs", "#share")
PHONE = ("#answer", "#lanes", ".lane .strips", "[data-pane-of=editor]", "[data-pane-of=compare]", "#share")
# Whether what is lit is this part of the page.
LIT = """(selector) => {
    const edges = (node) => JSON.stringify(Object.values(node.getBoundingClientRect().toJSON()).map(Math.round));
    const parts = [...document.querySelectorAll(selector)].filter((part) => part.offsetHeight);
    return edges(document.querySelector(".tour-lit")) === edges(parts[0]);
}"""  # noqa: E501


def is_at(page: Page, step: int, parts: tuple[str, ...]) -> None:
    """The tour says this step, lights its part, and is in the window with the focus on how to go on."""
    expect(page.locator("#tour-says")).to_contain_text(f"{step} of 6.")
    page.wait_for_function(LIT, arg=parts[step - 1])
    expect(page.locator(".tour-card")).to_be_in_viewport(ratio=1)
    expect(page.locator(".tour-card .next")).to_be_focused()


def test_the_first_visit_offers_a_tour_which_is_taken_by_keyboard(page: Page, server: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.set_viewport_size({"width": 1440, "height": 1300})
    dashboard.opened(page, server.url)
    start, tour = page.get_by_role("button", name="Take the tour"), page.get_by_role("dialog", name="Tour")
    assert "tour.js" not in asked
    start.focus()
    page.keyboard.press("Enter")
    expect(tour).to_have_accessible_description(page.locator("#tour-says").inner_text())
    assert violations(page, "#tour") == []
    for step in range(1, 7):
        is_at(page, step, WIDE)
        page.keyboard.press("Enter" if step % 2 else "ArrowRight")
    expect(tour).to_have_count(0)
    expect(start).to_be_focused()

    # Arrows go back too; Escape ends it and clears nothing of the page.
    page.locator("#legend .pick-phase").first.click()
    highlight = page.evaluate("() => window.gantry.state.highlight")
    start.press("Enter")
    is_at(page, 1, WIDE)
    for key, step in (("ArrowLeft", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
        page.keyboard.press(key)
        is_at(page, step, WIDE)
    page.keyboard.press("Shift+Tab")
    expect(tour.get_by_role("button", name="Back")).to_be_focused()
    page.keyboard.press("Escape")
    expect(tour).to_have_count(0)
    expect(start).to_be_focused()
    assert page.evaluate("() => window.gantry.state.highlight") == highlight is not None
    assert asked.count("tour.js") == 1

    # Who took it is not asked again.
    page.reload()
    dashboard.drawn(page)
    expect(start).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 1920])
def test_the_offer_is_put_away_for_good_and_moves_nothing(page: Page, server: Server, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 1080})
    dashboard.opened(page, server.url)
    dashboard.sharp(page)
    offer = page.locator("#tour-offer")
    expect(offer).to_be_in_viewport(ratio=1)
    places = "() => ['lanes', 'drawer', 'drawer-body'].map((id) => document.getElementById(id).getBoundingClientRect())"  # noqa: E501
    before = page.evaluate(places)
    offer.get_by_role("button", name="Don't offer").click()
    expect(offer).to_be_hidden()
    assert page.evaluate(places) == before
    page.reload()
    dashboard.drawn(page)
    expect(offer).to_be_hidden()


def test_help_has_the_tour_also_on_a_phone(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{server.url}/help")
    page.get_by_role("link", name="A tour").click()
    for step in range(1, 7):
        is_at(page, step, PHONE)
        page.keyboard.press("ArrowRight")
    expect(page.locator("#tour")).to_have_count(0)
    page.wait_for_url(lambda address: "tour" not in address)
