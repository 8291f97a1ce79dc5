"""Another scenario beside the one shown: the present one kept and changed, a recent one, a file; which it is
and what differs, in a line, its details and the tab; and that it ends.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.scenarios import SMALL
from tests.browser.server import Server
from tests.browser.sharing import shared, stranger
from tests.phrases import phrase

LINE = "#compared-with"
DIALOG = "dialog.other-scenario"


def press(page: Page, name: str) -> None:
    page.locator(DIALOG).get_by_role("button", name=name).press("Enter")


def test_the_result_shown_is_kept_and_stands_beside_what_runs_next_by_keyboard(
    page: Page, server: Server, elsewhere: BrowserContext
) -> None:
    dashboard.opened(page, server.url)
    menu, dialog, line = page.locator("#compare-with"), page.locator(DIALOG), page.locator(LINE)
    opener = page.locator("#compare-scenario")
    menu.press("Enter")
    opener.press("Enter")
    expect(page.get_by_role("dialog", name=phrase("browser.compare_with_another_scenario"))).to_be_visible()
    expect(dialog).to_contain_text(phrase("browser.no_other_scenario_has_been_run"))
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(menu).to_be_focused()
    menu.press("Enter")
    opener.press("Enter")
    press(page, phrase("browser.keep_result_shown"))
    expect(line).to_contain_text(phrase("browser.compared_with_four_wordcount_jobs_under"))
    expect(line).to_contain_text(phrase("browser.change_something_and_run"))
    expect(page.locator("#turn-rail")).to_have_attribute("aria-expanded", "true")

    other = copy.deepcopy(presets()[0].scenario.plain())
    other["cluster"]["nodes"][0]["count"] = 12
    other["jobs"][1]["maps"]["count"] = 62
    dashboard.load(page, other, ["fair", "fifo"])
    dashboard.run(page)
    expect(page.locator("#lanes h3")).to_have_text(["fair", "fair", "fifo", "fifo", "drf", "capacity"])
    assert len({tuple(one) for one in dashboard.ranges(page)}) == 1
    expect(line.locator("p")).to_contain_text(phrase("browser.differences_nodes", 3, 8, 12))
    changes = [
        phrase("compare.other_schedulers", "fifo, fair, drf, capacity", "fair, fifo"),
        "Nodes: 8 → 12",
        "Job wordcount2: maps 31 → 62",
    ]
    details = line.locator("summary")
    details.press("Enter")
    expect(line.locator("li")).to_have_text(changes)
    assert violations(page, "#compared-with") == []
    page.keyboard.press("Escape")
    expect(details).to_be_focused()
    expect(line.locator("li").first).to_be_hidden()
    details.press("Enter")
    line.get_by_role("button", name=phrase("browser.show_in_differences")).press("Enter")
    expect(page.locator("#scenario-differences li")).to_have_text(changes)
    assert violations(page) == []

    dashboard.show(page, "Compare")
    heads = page.locator("#metrics-grid .ag-header-cell-text")
    expect(heads.filter(has_text="fair, other scenario")).to_have_count(1)
    link = shared(page)
    assert "&pin=" in link
    with stranger(elsewhere, link, 6) as opened:
        expect(opened.locator(LINE)).to_contain_text(phrase("browser.compared_with_four_wordcount_jobs"))
        expect(opened.locator(LINE)).to_contain_text(phrase("browser.differences_nodes", 3, 8, 12))
    page.keyboard.press("Escape")
    menu.press("Enter")
    opener.press("Enter")
    expect(dialog).to_contain_text(phrase("browser.compared_with_four_wordcount_jobs_under"))
    press(page, phrase("browser.stop_comparing"))
    expect(page.locator("#lanes h3")).to_have_text(["fair", "fifo"])
    expect(line).to_be_empty()
    dashboard.show(page, "Differences")
    expect(page.locator("#scenario-differences li")).to_have_count(0)


def test_a_recent_scenario_and_a_file_run_under_the_schedulers_shown(
    page: Page, server: Server, tmp_path: Path
) -> None:
    dashboard.opened(page, server.url)
    dashboard.load(page, SMALL | {"name": "First"}, ["capacity"])
    dashboard.run(page)
    jobs = [job | {"slowstart": 0.8} for job in SMALL["jobs"]]
    dashboard.load(page, SMALL | {"name": "Second", "jobs": jobs}, ["fifo", "fair"])
    dashboard.run(page)
    dialog, line, heads = page.locator(DIALOG), page.locator(LINE), page.locator("#lanes h3")
    page.click("#compare-with")
    page.click("#compare-scenario")
    recent = dialog.locator(".recent button")
    expect(recent).to_have_count(2)  # beside what was opened at first
    expect(recent.first).to_contain_text("First")
    recent.first.press("Enter")
    expect(line).to_contain_text(phrase("browser.compared_with_under", "First", "fifo, fair"))
    expect(line.locator("p")).to_contain_text("slow start 0.05 → 0.8")
    expect(page.locator("#lanes .badge").filter(has_text="First")).not_to_have_count(0)
    assert page.evaluate("() => gantry.state.draft.scenario.name") == "Second"

    # A file that can't be read is said where it was asked for, and changes nothing; another one is compared.
    page.click("#compare-with")
    page.click("#compare-scenario")
    file = dialog.get_by_role("button", name="Open a file…")
    for name, text in (("torn.json", "{"), ("other.json", json.dumps(SMALL | {"name": "Filed", "seed": 9}))):
        path = tmp_path / name
        path.write_text(text)
        with page.expect_file_chooser() as chooser:
            file.click()
        chooser.value.set_files(path)
        if name == "torn.json":
            expect(dialog.get_by_role("status")).to_contain_text("torn.json")
            expect(line).to_contain_text("First")
    expect(dialog).to_have_count(0)
    expect(line).to_contain_text(phrase("browser.compared_with_under", "Filed", "fifo, fair"))
    expect(line.locator("p")).to_contain_text("seed 9 → 0")
    expect(heads.first).to_have_text("fifo")


def test_a_preset_that_is_one_of_two_runs_beside_the_other_at_once(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    menu = page.locator("#editor-presets")
    menu.locator("summary").click()
    menu.locator("[data-preset=spark-with-maximum]").click()
    heads, line = page.locator("#lanes h3"), page.locator(LINE)
    expect(heads).to_have_text(["fair", "fair"])
    expect(line).to_contain_text(phrase("browser.compared_with_under", "Spark beside MapReduce", "fair"))
    expect(line.locator("p")).to_contain_text(phrase("compare.application_maximum", 8))
    legend = page.locator("#legend li:visible")
    expect(legend.filter(has_text="Executor idle")).to_have_count(1)
    expect(legend.filter(has_text="Speculative")).to_have_count(0)

    # the other goes with the next preset
    dashboard.compose(page)
    menu.locator("summary").click()
    menu.locator("[data-preset=tez-session]").click()
    expect(line).to_be_empty()
    dashboard.run(page)
    expect(heads).to_have_text(["fair", "capacity"])
    expect(legend.filter(has_text=phrase("browser.container_held_idle"))).to_have_count(1)
    expect(legend.filter(has_text="Executor idle")).to_have_count(0)
    tez = next(preset for preset in presets() if preset.key == "tez-session").scenario.plain()
    dashboard.load(page, {**tez, "jobs": tez["jobs"][:1]}, ["fair"])
    dashboard.run(page)
    expect(heads).to_have_text(["fair"])
    for title in ("Map", "Reduce"):
        expect(legend.filter(has_text=title)).to_have_count(0)
    expect(legend.filter(has_text="Shuffle")).to_have_count(1)
