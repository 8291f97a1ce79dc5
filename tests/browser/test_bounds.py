"""What no scheduler can beat, beside what it is about: in chips, over the charts, in the table, and in its
fold.
"""

from __future__ import annotations

import math
import re

from playwright.sync_api import Page, expect

from engine import lower_bounds, presets, simulate, summary
from engine.dashboard import above, tightest
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase, phrase_pattern

NAMES = ("fifo", "fair", "drf", "capacity")
TIMES = ("makespan_s", "mean_turnaround_s")


def test_each_time_stands_beside_the_best_possible_and_a_fold_has_every_bound(
    page: Page, server: Server
) -> None:
    scenario = presets()[0].scenario
    bounds = lower_bounds(scenario)
    measured = {name: summary(simulate(scenario, name)) for name in NAMES}
    signs = {
        (name, metric): f"≤ {math.ceil(100 * above(measured[name][metric], tightest(bounds, metric)))} %"
        for name in NAMES
        for metric in TIMES
    }
    dashboard.opened(page, server.url)
    for place, name in enumerate(NAMES):
        over = page.locator(".lane-facts").nth(place).locator(".far")
        for number, metric in enumerate(TIMES):
            expect(over.nth(number)).to_have_text(signs[name, metric])
            expect(over.nth(number)).to_have_attribute(
                "title", re.compile(phrase_pattern("browser.under_any_scheduler_at_least", ".*"))
            )
    dashboard.show(page, "Compare")
    for metric, title in zip(TIMES, ("Makespan", "Mean turnaround")):
        cells = page.locator(f"#metrics-grid .ag-row[row-id='{title}'] .far")
        expect(cells).to_have_text([f"{signs[name, metric]} above best" for name in NAMES])
    expect(page.locator("#answer-others")).to_contain_text(
        " " + phrase("browser.above_best_possible_and") + " "
    )

    # The fold has every bound.
    fold = page.locator("#bounds")
    expect(fold.locator("summary")).to_contain_text(
        phrase("browser.what_no_scheduler_can_beat", "2 min 43 s")
    )
    expect(page.locator("#bounds-grid")).to_have_count(0)
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#bounds-grid .ag-pinned-left-cols-container .ag-row")).to_have_count(len(bounds))
    first = page.locator("#bounds-grid .ag-row[row-id='Makespan: area of vcores']")
    expect(first.locator("[col-id=s0]")).to_have_text("2 min 43 s")
    expect(first.locator("[col-id=says]")).to_have_text(bounds[0].about)
    assert violations(page, "#drawer") == []

    # They are shown where they are asked for, or say that it is optimal.
    far = page.locator(".lane-facts").first.locator(".far").first
    expect(far).to_be_hidden()
    dashboard.press_in_view(page, "show-gaps")
    expect(far).to_be_visible()
    page.reload()
    expect(far).to_be_visible()

    # No fact is pushed out, however narrow the page.
    for width, height in ((1920, 1080), (1280, 720), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".lane:visible")).to_have_count(4 if width > 760 else 1)
        dashboard.wait_for_animations(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        for facts in page.locator(".lane-facts:visible").all():
            shown = facts.evaluate(
                "facts => [...facts.children].map((one) => one.offsetTop - facts.firstChild.offsetTop)"
            )
            assert shown[:2] == [0, 0]  # the mean turnaround stands beside the makespan
    page.set_viewport_size({"width": 1440, "height": 900})

    # Where none can be told it is said in its place.
    fails = scenario.plain()
    fails["cluster"]["failures"] = {"probability": 0.05}
    dashboard.compose(page)
    dashboard.load(page, fails, ["fifo", "fair"])
    dashboard.run(page)
    expect(page.locator("#bounds-none")).to_contain_text(phrase("compare.no_bound_can_be_told"))
    expect(fold).to_be_hidden()
    expect(page.locator(".far:not(:empty)")).to_have_count(0)
