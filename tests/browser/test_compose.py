"""Composing in a real browser: tables, fields, faults, marks and undo."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer import SCENARIO, Composer
from tests.browser.dashboard import READY_MS
from tests.browser.server import Server

FAULT, OURS, FOCUS = re.compile("editor-fault"), re.compile("editor-ours"), re.compile("ag-cell-focus")


def test_a_first_visit_finds_the_first_preset(page: Page, server: Server) -> None:
    page.goto(server.url)
    expect(page.locator("#editor-jobs .ag-row").first).to_be_visible(timeout=READY_MS)
    expect(page.get_by_label("Title of the scenario")).not_to_have_value("")
    expect(page.locator("#editor-undo")).to_be_disabled()
    expect(page.locator("#editor-faults-summary")).to_contain_text("No errors")


def test_an_edited_cell_is_in_the_draft_and_an_emptied_one_is_the_default(shared: Composer) -> None:
    shared.type("jobs", 0, "maps.count", "1,200")
    shared.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 1200)
    shared.type("jobs", 1, "arrival_s", "0")
    shared.until(lambda scenario: "arrival_s" not in scenario["jobs"][1])
    shared.type("nodes", 0, "memory_mb", "16 GB")
    shared.until(lambda scenario: scenario["cluster"]["nodes"][0]["memory_mb"] == 16384)
    shared.focus("jobs", 0, "arrival_s")
    shared.page.keyboard.press("ArrowLeft")
    shared.page.keyboard.press("Delete")
    shared.until(lambda scenario: "queue" not in scenario["jobs"][0])
    expect(shared.cell("jobs", 0, "queue")).to_contain_text("root.default")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("normal(30, 4)", {"dist": "normal", "mean": 30, "sd": 4}),
        ("LogNormal( 30 ; 4 )", {"dist": "lognormal", "mean": 30, "sd": 4}),
        ("uniform(10,30)", {"dist": "uniform", "low": 10, "high": 30}),
        ("exponential(2 min)", {"dist": "exponential", "mean": 120}),
        ("values(1, 2, 3, 4.5)", {"values": [1, 2, 3, 4.5]}),
        ("0,5", 0.5),
    ],
)
def test_durations_are_numbers_or_distributions(shared: Composer, text: str, value: Any) -> None:
    shared.type("jobs", 0, "maps.duration_s", text)
    shared.until(lambda scenario: scenario["jobs"][0]["maps"]["duration_s"] == value)
    expect(shared.page.locator("#editor-faults-summary")).to_contain_text("No errors")


def test_a_fault_stands_at_its_cell_while_one_types_and_keeps_what_was_typed(composer: Composer) -> None:
    page = composer.page
    composer.focus("jobs", 0, "maps.duration_s")
    page.keyboard.type("normal(20")
    expect(page.locator("#editor-jobs-help")).to_contain_text("must be a number of seconds or a distribution")
    page.keyboard.press("Enter")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["duration_s"] == "normal(20")
    expect(composer.cell("jobs", 0, "maps.duration_s")).to_have_class(FAULT)
    composer.type("jobs", 0, "maps.memory_mb", "9000")
    summary = page.locator("#editor-faults-summary")
    expect(summary).to_contain_text("2 errors")
    summary.click()
    page.locator("#editor-faults button", has_text="Job alpha, maps memory").click()
    expect(composer.cell("jobs", 0, "maps.memory_mb")).to_have_class(FOCUS)
    page.keyboard.type("2048")
    page.keyboard.press("Enter")
    composer.type("jobs", 0, "maps.duration_s", "normal(20, 5)")
    expect(summary).to_contain_text("No errors")


def test_faults_of_fields_stand_at_the_fields(composer: Composer) -> None:
    page = composer.page
    composer.shown("settings")
    page.get_by_role("textbox", name="Seed").fill("abc")
    expect(page.locator("#editor-settings-faults")).to_have_text("1")
    expect(page.get_by_role("textbox", name="Seed")).to_have_attribute("aria-invalid", "true")
    assert composer.scenario()["seed"] == "abc"
    page.get_by_role("textbox", name="Seed").fill("7")
    composer.until(lambda scenario: scenario["seed"] == 7)
    expect(page.get_by_role("textbox", name="Seed")).not_to_have_attribute("aria-invalid", "true")
    page.get_by_label("No limit").check()
    composer.until(lambda scenario: scenario["cluster"].get("containers_per_heartbeat", 1) is None)
    page.get_by_label("No limit").uncheck()
    composer.until(lambda scenario: "containers_per_heartbeat" not in scenario["cluster"])


def test_more_containers_than_the_page_runs_are_a_fault_with_both_numbers(shared: Composer) -> None:
    shared.type("jobs", 0, "maps.count", "1300000")
    expect(shared.page.locator("#editor-faults-summary")).to_contain_text("1,300,006 containers in all; this page runs at most 1,000,000")


def test_cells_of_a_spreadsheet_are_pasted_from_the_focused_cell_on(shared: Composer) -> None:
    shared.focus("jobs", 1, "name")
    shared.paste('gamma\troot.prod\t1,5\t1,024\t2 048\ndelta\t\t60\t8\t512\t2\t"uniform(1, 2)"\n')
    jobs = shared.until(lambda scenario: len(scenario["jobs"]) == 3)["jobs"]
    assert jobs[1]["name"] == "gamma" and jobs[1]["queue"] == "root.prod" and jobs[1]["arrival_s"] == 1.5
    assert jobs[1]["maps"] == {"count": 1024, "memory_mb": 2048, "vcores": 1, "duration_s": 20}
    assert jobs[2] == {
        "name": "delta",
        "arrival_s": 60,
        "maps": {"count": 8, "memory_mb": 512, "vcores": 2, "duration_s": {"dist": "uniform", "low": 1, "high": 2}},
    }
    shared.page.keyboard.press("Control+z")
    shared.until(lambda scenario: scenario["jobs"] == SCENARIO["jobs"])


def test_a_line_of_titles_says_where_pasted_cells_go(shared: Composer) -> None:
    shared.focus("nodes", 0, "rack")
    shared.paste("Vcores\tMemory (MB)\tName\n16\t32768\tbig\n4\t4096\tsmall\n")
    nodes = shared.until(lambda scenario: len(scenario["cluster"]["nodes"]) == 2)["cluster"]["nodes"]
    assert nodes[0] == {"name": "big", "count": 4, "memory_mb": 32768, "vcores": 16}
    assert nodes[1] == {"name": "small", "memory_mb": 4096, "vcores": 4}
    expect(shared.page.locator("#editor-faults-summary")).to_contain_text("Node group small, count: is required")


def test_rows_are_copied_as_lines_of_a_spreadsheet(composer: Composer) -> None:
    composer.focus("jobs", 0, "maps.count")
    assert composer.copied() == "4"
    composer.page.locator('#editor-jobs .ag-row[row-index="0"] input[type=checkbox]').check()
    assert composer.copied().split("\t")[:7] == ["alpha", "root.prod", "", "4", "1024", "1", "20"]


def test_rows_are_added_duplicated_and_deleted_and_all_of_it_undone(composer: Composer) -> None:
    page, undo = composer.page, composer.page.locator("#editor-undo")
    before = composer.scenario()
    composer.focus("jobs", 1, "name")
    page.click("#editor-jobs-duplicate")
    twice = composer.until(lambda scenario: [job["name"] for job in scenario["jobs"]] == ["alpha", "beta", "beta_2"])
    assert twice["x_ours"] == ["cluster.shuffle_mb_s", "jobs[1].maps.duration_s", "jobs[2].maps.duration_s"]
    page.click("#editor-nodes-add")
    composer.until(lambda scenario: len(scenario["cluster"]["nodes"]) == 2)
    page.locator('#editor-jobs .ag-row[row-index="0"] input[type=checkbox]').check()
    page.click("#editor-jobs-delete")
    left = composer.until(lambda scenario: [job["name"] for job in scenario["jobs"]] == ["beta", "beta_2"])
    assert left["x_ours"][1:] == ["jobs[0].maps.duration_s", "jobs[1].maps.duration_s"]
    expect(undo).to_contain_text("4")
    for _ in range(3):
        undo.click()
    composer.until(lambda scenario: scenario == before)
    expect(composer.cell("jobs", 0, "name")).to_have_text("alpha")
    for _ in range(3):
        page.click("#editor-redo")
    composer.until(lambda scenario: scenario == left)
    expect(page.locator("#editor-redo")).to_be_disabled()


def test_a_job_s_queue_is_chosen_from_the_leaves_and_follows_a_rename(composer: Composer) -> None:
    page = composer.page
    composer.focus("jobs", 0, "queue")
    options = page.locator(".ag-select-list-item")
    expect(options).to_have_text(["root.default", "root.prod", "root.dev"])
    options.nth(2).click()
    composer.until(lambda scenario: scenario["jobs"][0]["queue"] == "root.dev")
    page.mouse.move(0, 0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(options).to_have_count(3)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    composer.until(lambda scenario: scenario["jobs"][1]["queue"] == "root.prod")
    page.keyboard.press("Control+z")
    composer.shown("queues")
    composer.type("queues", 1, "name", "root.research")
    moved = composer.until(lambda scenario: scenario["queues"][1]["name"] == "root.research")
    assert [job["queue"] for job in moved["jobs"]] == ["root.research", "root.research"]
    expect(composer.cell("jobs", 1, "queue")).to_contain_text("root.research")


def test_what_we_chose_is_marked_until_the_user_chooses(composer: Composer) -> None:
    cell = composer.cell("jobs", 1, "maps.duration_s")
    expect(cell).to_have_class(OURS)
    composer.type("jobs", 1, "maps.duration_s", "33")
    composer.until(lambda scenario: scenario["x_ours"] == ["cluster.shuffle_mb_s"])
    expect(cell).not_to_have_class(OURS)
    composer.shown("settings")
    expect(composer.page.locator("#editor-field-cluster-shuffle_mb_s-ours")).to_be_visible()


def test_the_keyboard_alone_is_enough(composer: Composer) -> None:
    page, keys = composer.page, composer.page.keyboard
    page.locator("#editor-jobs-add").focus()
    keys.press("Enter")
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    expect(composer.cell("jobs", 2, "name")).to_have_class(FOCUS)
    keys.type("typed")
    keys.press("Tab")
    keys.press("Escape")
    composer.until(lambda scenario: scenario["jobs"][2].get("name") == "typed")
    keys.press("Control+d")
    composer.until(lambda scenario: [job.get("name") for job in scenario["jobs"]] == ["alpha", "beta", "typed", "typed_2"])
    page.wait_for_timeout(200)
    keys.press("Control+Delete")
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    keys.press("Control+z")
    composer.until(lambda scenario: len(scenario["jobs"]) == 4)
    keys.press("Control+Shift+Z")
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    composer.focus("jobs", 0, "name")
    keys.press("Tab")
    assert not page.evaluate("() => document.getElementById('editor-jobs').contains(document.activeElement)")


@pytest.mark.parametrize("width", [360, 1920])
def test_nothing_sticks_out_sideways(composer: Composer, width: int) -> None:
    composer.page.set_viewport_size({"width": width, "height": 900})
    if width < 800:
        composer.page.get_by_role("button", name="Edit", exact=True).click()
    composer.page.wait_for_timeout(300)
    assert composer.page.evaluate("() => document.getElementById('editor').scrollWidth <= document.getElementById('editor').clientWidth + 1")


def test_numbers_are_read_as_people_write_them(shared: Composer) -> None:
    written = {
        ("1,024", "MB"): 1024, ("1 048 576", "MB"): 1048576, ("1.048.576", "MB"): 1048576, ("1.024,5", "s"): 1024.5, ("0,5", "s"): 0.5,
        ("8 GB", "MB"): 8192, ("2 min", "s"): 120, ("20 s", "s"): 20, ("250ms", "s"): 0.25, ("80 %", ""): 0.8, ("40%", "%"): 40, ("1e3", "s"): 1000,
        ("12 apples", "MB"): "12 apples", ("1,2,3", "s"): "1,2,3", ("99999999999999999999", ""): "99999999999999999999", ("", "s"): None,
    }  # fmt: skip
    script = "(list) => list.map(([text, unit]) => window.gantryEditor.values.parse(text, { kind: 'number', unit, default: null, empty: '' }) ?? null)"
    assert shared.page.evaluate(script, [list(key) for key in written]) == list(written.values())


def test_a_block_pasted_into_an_open_cell_fills_the_table(shared: Composer) -> None:
    shared.focus("jobs", 0, "maps.count")
    shared.page.keyboard.press("Enter")
    shared.paste("7\t2048\n8\t512\n")
    jobs = shared.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 7)["jobs"]
    assert [job["maps"]["memory_mb"] for job in jobs] == [2048, 512]
    assert shared.page.locator("#editor-jobs .ag-cell-inline-editing").count() == 0


def test_a_table_is_widened_and_escape_brings_it_back(shared: Composer) -> None:
    page = shared.page
    page.click("#editor-jobs-widen")
    assert page.locator("#editor-jobs").bounding_box()["width"] > 1300
    shared.focus("jobs", 0, "weight")
    page.keyboard.press("Escape")
    expect(page.locator(".editor-wide")).to_have_count(0)


def test_undo_leaves_the_chosen_schedulers(composer: Composer) -> None:
    composer.type("jobs", 0, "maps.count", "9")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 9)
    draft = {**composer.kept(), "schedulers": ["fifo"]}
    composer.page.evaluate("(data) => window.dash_clientside.set_props('draft', { data })", draft)
    composer.page.wait_for_timeout(300)
    composer.page.click("#editor-undo")
    composer.until(lambda scenario: scenario == SCENARIO)
    assert composer.kept()["schedulers"] == ["fifo"]
