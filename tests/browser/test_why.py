"""Why there and then: opened by a click or by keyboard, stepped through, pointed at on the charts, and closed again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.chromium import watch
from tests.browser.server import Server

PLACES = f"""() => [...document.querySelectorAll('{dashboard.CHARTS}, #lanes, #results')].map((node) => {{
    const box = node.getBoundingClientRect();
    return [box.left, box.top + window.scrollY, box.width, box.height].map(Math.round).join();
}})"""
STRIPS = "#lanes .signals:has(.strip)"
CURSORS = "() => [...document.querySelectorAll('.chart .cursor:not([hidden])')].map((line) => line.style.transform)"


def click(page: Page, chart: int = 1) -> None:
    """Click a map of a Gantt that runs neither first nor last."""
    page.mouse.click(*dashboard.on_bar(page, chart, number=30))


def at(page: Page) -> tuple[int, int]:
    """Which decision of how many is shown."""
    return tuple(int(number) for number in re.findall(r"\d+", page.locator("#decision-title").inner_text()))


def stepped(page: Page, act: Callable[[], object], to: int) -> None:
    act()
    expect(page.locator("#decision-title")).to_have_text(re.compile(rf"^Decision {to} of"))


def opened(page: Page) -> tuple[int, int]:
    """A decision within the second chart's run."""
    click(page)
    expect(page.locator("#decision")).to_be_focused()
    expect(page.locator("#decision-title")).to_have_text(re.compile("^Decision [0-9]+ of"))
    return at(page)


def test_a_click_opens_the_reason_beside_the_charts_and_moves_none(shown: Page) -> None:
    before = shown.evaluate(PLACES)
    number, of = opened(shown)
    assert 1 < number < of == 148
    panel = shown.get_by_role("region", name="Decision", exact=True)
    expect(panel).to_be_focused()
    expect(panel.locator(".because")).to_contain_text("wordcount")
    expect(panel.locator(".facts").first).to_contain_text(re.compile(r"Node\s*worker-\d\s*Time\s*\d+:\d\d\S*?\s*Free memory\s*\d GB\s*Free vcores\s*\d vcores"))
    expect(panel.locator(".candidates tbody tr").first).to_contain_text("★")
    expect(panel.locator("#decision-where")).to_contain_text("under fair")
    charts = shown.locator("#lanes").bounding_box()
    assert panel.bounding_box()["y"] >= charts["y"] + charts["height"]
    shown.wait_for_timeout(500)
    assert shown.evaluate(PLACES) == before
    stepped(shown, lambda: shown.keyboard.press("ArrowRight"), number + 1)
    assert shown.evaluate(PLACES) == before


def test_steps_by_keys_and_buttons(shown: Page) -> None:
    number, of = opened(shown)
    ranges = dashboard.ranges(shown)
    press = shown.keyboard.press
    stepped(shown, lambda: press("ArrowRight"), number + 1)
    stepped(shown, lambda: press("ArrowLeft"), number)
    stepped(shown, lambda: press("End"), of)
    expect(shown.get_by_role("button", name="Next decision", exact=True)).to_have_attribute("aria-disabled", "true")
    stepped(shown, lambda: press("Home"), 1)
    expect(shown.get_by_role("button", name="Previous decision", exact=True)).to_have_attribute("aria-disabled", "true")
    press("ArrowLeft")
    stepped(shown, lambda: shown.get_by_role("button", name="Next decision", exact=True).click(), 2)
    stepped(shown, lambda: shown.get_by_role("button", name="Previous decision", exact=True).click(), 1)
    stepped(shown, lambda: [press("ArrowRight") for _ in range(12)], 13)
    expect(shown.locator("#decision-says")).to_contain_text("Decision 13 of 148: wordcount")
    assert dashboard.ranges(shown) == ranges


def test_the_cursor_of_all_charts_and_a_frame_follow_the_decision(shown: Page) -> None:
    opened(shown)
    stepped(shown, lambda: shown.keyboard.press("Home"), 1)
    first = shown.evaluate(CURSORS)
    assert len(first) == 4
    assert len(set(first)) == 1
    expect(shown.locator(".mark:not([hidden])")).to_have_count(1)
    master, frame = dashboard.bars(shown, 1, "master")[0], shown.locator(".mark").nth(1).bounding_box()
    assert (frame["x"], frame["width"]) == (pytest.approx(master[0], abs=1.5), pytest.approx(master[2], abs=2))
    assert frame["y"] < master[1] + master[3] / 2 < frame["y"] + frame["height"]
    stepped(shown, lambda: shown.keyboard.press("End"), 148)
    last = shown.evaluate(CURSORS)
    assert len(set(last)) == 1
    assert float(re.findall(r"[\d.]+", last[0])[0]) > float(re.findall(r"[\d.]+", first[0])[0]) + 200
    plot = shown.locator(dashboard.ROWS).nth(1).bounding_box()
    frame = shown.locator(".mark").nth(1).bounding_box()
    first_s, last_s = dashboard.ranges(shown)[1]
    assert frame["x"] - plot["x"] == pytest.approx((decided(shown) - first_s) / (last_s - first_s) * plot["width"], abs=1.5)


def decided(page: Page) -> float:
    """The time of the decision, in seconds, as the panel says it."""
    minutes, seconds = re.search(r"at (\d+):([\d.]+)$", page.locator("#decision-where").inner_text()).groups()
    return 60 * int(minutes) + float(seconds)


def test_the_window_pans_to_hold_the_decision(shown: Page) -> None:
    opened(shown)
    for _ in range(4):
        shown.keyboard.press("w")
    shown.wait_for_url("**x0=*")
    stepped(shown, lambda: shown.keyboard.press("End"), 148)
    dashboard.sharp(shown)
    for low, high in dashboard.ranges(shown):
        assert low <= decided(shown) <= high
    assert len(set(shown.evaluate(CURSORS))) == 1
    frame, graph = shown.locator(".mark").nth(1).bounding_box(), shown.locator(dashboard.CHARTS).nth(1).bounding_box()
    assert graph["x"] < frame["x"] < graph["x"] + graph["width"]


def test_escape_closes_it_and_gives_the_focus_back_to_the_chart(shown: Page) -> None:
    opened(shown)
    shown.keyboard.press("Escape")
    expect(shown.locator("#decision")).to_be_hidden()
    expect(shown.locator(".chart").nth(1)).to_be_focused()
    expect(shown.locator(".mark:not([hidden])")).to_have_count(0)
    expect(shown.locator(".cursor:not([hidden])")).to_have_count(0)
    expect(shown.locator("#tab-compare")).to_be_visible()  # as before
    before = dashboard.ranges(shown)
    shown.keyboard.press("w")
    shown.keyboard.press("ArrowRight")
    shown.wait_for_timeout(300)
    assert dashboard.ranges(shown) != before


def test_it_opens_by_keyboard_with_the_first_decision_in_sight(shown: Page) -> None:
    shown.locator(".chart").nth(2).focus()
    shown.keyboard.press("Enter")
    expect(shown.locator("#decision-title")).to_have_text(re.compile("^Decision 1 of"))
    expect(shown.locator("#decision-where")).to_contain_text("under drf at 0:00")
    expect(shown.locator("#decision")).to_be_focused()
    shown.keyboard.press("Escape")
    expect(shown.locator(".chart").nth(2)).to_be_focused()


@pytest.fixture(scope="module")
def annealed(browser: Browser, server: Server) -> Iterator[Page]:
    """The example under an order that computes something of its own, beside one that does not."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB").new_page()
    page.complaints = watch(page)
    page.set_default_timeout(dashboard.READY_MS)  # it is compiled
    dashboard.opened(page, server.url)
    dashboard.load(page, presets()[0].scenario.plain(), ["fifo+slowstart", "saf+slowstart"])
    dashboard.run(page)
    dashboard.drawn(page, 2)
    page.set_default_timeout(30_000)
    yield page
    assert page.complaints == []
    page.context.close()


def test_terms_facts_and_the_rules_beside_the_order_are_told(annealed: Page) -> None:
    annealed.locator(".chart").nth(1).focus()
    annealed.keyboard.press("Enter")
    panel = annealed.locator("#decision")
    expect(panel.locator(".candidates th").get_by_text("Dominant share")).to_be_visible()
    expect(panel.locator(".about").get_by_text("Temperature")).to_be_visible()
    for _ in range(60):
        if " reduce " in annealed.locator("#decision-where").inner_text():
            break
        stepped(annealed, lambda: annealed.keyboard.press("ArrowRight"), at(annealed)[0] + 1)
    expect(panel.get_by_role("heading", name="Why it was requested then")).to_be_visible()
    annealed.keyboard.press("Escape")


def signals(page: Page) -> None:
    """Turn the signals on or off, by the menu of the scheduler that has them."""
    page.locator(".lane-menu > summary").nth(1).click()
    page.get_by_role("button", name="Signals").click()
    page.keyboard.press("Escape")


def test_signals_are_drawn_below_the_schedulers_that_have_them_and_follow_the_zoom(annealed: Page) -> None:
    expect(annealed.locator(STRIPS)).to_have_count(0)
    signals(annealed)
    expect(annealed.locator(STRIPS)).to_have_count(1)
    own = annealed.locator(".lane").nth(1).locator(".signals")
    expect(own.locator(".strip-title").first).to_contain_text("Temperature")
    plots = [annealed.locator(".lane").nth(1).locator(f"{room} .plot").first.bounding_box() for room in (".rows", ".signals")]
    assert (plots[0]["x"], plots[0]["width"]) == (plots[1]["x"], pytest.approx(plots[1]["width"], abs=1))
    line = "() => document.querySelector('.signals .moving path').getAttribute('d')"
    before = annealed.evaluate(line)
    annealed.locator(".chart").nth(1).focus()
    annealed.keyboard.press("w")
    annealed.wait_for_function(
        f"before => ({line})() !== before && document.querySelector('.signals .moving').style.transform.endsWith('scaleX(1)')", arg=before
    )
    annealed.keyboard.press("0")
    annealed.wait_for_function(
        f"before => ({line})() === before && document.querySelector('.signals .moving').style.transform.endsWith('scaleX(1)')", arg=before
    )
    signals(annealed)
    expect(annealed.locator(STRIPS)).to_have_count(0)


def test_signals_are_closed_until_somebody_opens_them_and_stay_as_they_were_left(annealed: Page) -> None:
    for count in (1, 0):
        signals(annealed)
        expect(annealed.locator(STRIPS)).to_have_count(count)
        annealed.reload()
        dashboard.drawn(annealed, 2)
        expect(annealed.locator(STRIPS)).to_have_count(count)


def test_a_click_where_nothing_is_and_another_result_close_it(own: Page) -> None:
    opened(own)
    plot = own.locator(dashboard.ROWS).nth(1).bounding_box()
    own.mouse.click(plot["x"] + plot["width"] - 12, plot["y"] + plot["height"] / 2)  # after the last end
    expect(own.locator("#decision")).to_be_hidden()
    opened(own)
    dashboard.load(own, {**presets()[0].scenario.plain(), "name": "Another"}, ["fair", "fifo"])
    dashboard.run(own)
    expect(own.locator("#decision")).to_be_hidden()
    dashboard.show(own, "Why")
    expect(own.locator("#decision")).to_contain_text("Click a container in a chart")
    expect(own.locator("#decision-title")).to_be_hidden()


def test_on_a_narrow_page_it_lies_below_what_was_clicked(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 780})
    page.goto(server.url)
    expect(page.locator(dashboard.DRAWN).first).to_be_attached(timeout=dashboard.READY_MS)
    page.mouse.click(*dashboard.on_bar(page, 0, number=30))
    expect(page.locator("#decision")).to_be_visible()
    page.wait_for_function(
        """() => {
          const mark = document.querySelector(".mark:not([hidden])"), drawer = document.getElementById("drawer");
          return mark && mark.getBoundingClientRect().bottom <= drawer.getBoundingClientRect().top;
        }"""
    )  # once the page has scrolled there
    panel = page.locator("#drawer").bounding_box()
    assert panel["x"] == 0 and panel["width"] == 360
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_a_link_to_a_decision_that_is_not_there_says_so_and_opens(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url + "/?preset=wordcount&s=fifo&why=0:999999", 1)
    expect(page.locator("#complaints")).to_contain_text("The link's open decision (why): container 999,999 must be from 0 to ")
    expect(page.locator("#decision-title")).to_have_text("Decision")
