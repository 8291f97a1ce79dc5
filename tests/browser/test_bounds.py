"""What no scheduler can beat, beside the times it is about: in chips, over the charts, in the table, and in its fold."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Page, expect

from engine import above, lower_bounds, presets, simulate, summary, tightest
from tests.browser import dashboard
from tests.browser.server import Server

NAMES = ("fifo", "fair", "drf", "capacity")
TIMES = ("makespan_s", "mean_turnaround_s")


@pytest.fixture(scope="module")
def signs() -> dict[tuple[str, str], str]:
    """By scheduler and metric what the page should say of its first example."""
    scenario = presets()[0].scenario
    bounds = lower_bounds(scenario)
    measured = {name: summary(simulate(scenario, name)) for name in NAMES}
    return {(name, metric): f"≤ {math.ceil(100 * above(measured[name][metric], tightest(bounds, metric)))} %" for name in NAMES for metric in TIMES}


def test_each_time_stands_beside_the_best_possible(shown: Page, signs: dict) -> None:
    for place, name in enumerate(NAMES):
        expect(shown.locator("#verdict .chip").nth(place).locator(".far")).to_have_text(signs[name, "makespan_s"])
        over = shown.locator(".lane-facts").nth(place).locator(".far")
        for number, metric in enumerate(TIMES):
            expect(over.nth(number)).to_have_text(signs[name, metric])
            expect(over.nth(number)).to_have_attribute("title", re.compile("under any scheduler it is at least .* s \\("))
    dashboard.show(shown, "Compare")
    for metric, title in zip(TIMES, ("Makespan", "Mean turnaround")):
        cells = shown.locator(f"#metrics-grid .ag-row[row-id='{title}'] .far")
        expect(cells).to_have_text([f"{signs[name, metric]} above best" for name in NAMES])
    expect(shown.locator("#answer-says")).to_contain_text(" above the best possible and ")


def test_the_fold_has_every_bound_and_keeps_open_for_the_next_run(own: Page) -> None:
    dashboard.show(own, "Compare")
    fold = own.locator("#bounds")
    expect(fold.locator("summary")).to_contain_text("What no scheduler can beat: makespan 2 m 43.3 s (area of vcores)")
    expect(own.locator("#bounds-grid")).to_have_count(0)
    fold.locator("summary").focus()
    own.keyboard.press("Enter")
    bounds = lower_bounds(presets()[0].scenario)
    expect(own.locator("#bounds-grid .ag-pinned-left-cols-container .ag-row")).to_have_count(len(bounds))
    first = own.locator("#bounds-grid .ag-row[row-id='Makespan: area of vcores']")
    expect(first.locator("[col-id=s0]")).to_have_text("2 m 43.3 s")
    expect(first.locator("[col-id=says]")).to_have_text(bounds[0].about)
    fails = presets()[0].scenario.plain()
    fails["cluster"]["failures"] = {"probability": 0.05}
    dashboard.compose(own)
    dashboard.load(own, fails, ["fifo", "fair"])
    dashboard.run(own)
    expect(own.locator("#bounds-none")).to_contain_text("No bound can be told where attempts may fail")
    expect(fold).to_be_hidden()
    expect(own.locator(".far:not(:empty)")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(320, 640), (1280, 720), (1920, 1080)])
def test_chips_stay_on_one_line_and_no_fact_is_pushed_out(page: Page, server: Server, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    dashboard.opened(page, server.url) if width > 760 else dashboard.opened_narrow(page, server.url)
    tops = page.locator("#verdict .chip").evaluate_all("chips => chips.map((chip) => Math.round(chip.getBoundingClientRect().top))")
    assert len(tops) == 4 and len(set(tops)) == 1
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    for facts in page.locator(".lane-facts:visible").all():
        shown = facts.evaluate("facts => [...facts.children].map((one) => one.offsetTop - facts.firstChild.offsetTop)")
        assert shown[:2] == [0, 0]  # the mean turnaround stands beside the makespan
