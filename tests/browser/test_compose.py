"""Composing in a real browser: lines and their forms, tables, faults, marks and undo."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer import SCENARIO, Composer
from tests.browser.dashboard import READY_MS, compose
from tests.browser.server import Server

FAULT, ASSUMED, FOCUS = re.compile("editor-fault"), re.compile("editor-is-assumed"), re.compile("ag-cell-focus")


def test_a_first_visit_finds_the_first_preset(page: Page, server: Server) -> None:
    page.goto(server.url)
    compose(page)
    expect(page.locator("#editor-jobs .editor-line").first).to_be_visible(timeout=READY_MS)
    expect(page.get_by_label("Title of the scenario")).not_to_have_value("")
    expect(page.locator("#editor-undo")).to_be_disabled()
    expect(page.locator("#editor-faults-summary")).to_contain_text("No errors")


def test_a_job_is_a_line_and_the_rest_a_form_under_it(composer: Composer) -> None:
    line = composer.line("jobs", 0)
    expect(line.locator("> summary")).to_have_text("alphaat 0 s4 × 1 GB, 1 vc · 20 s2 × 1 GB, 1 vc · 10 s")
    composer.write("jobs", 0, "maps.count", "1,200")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 1200)
    expect(line.locator("> summary")).to_contain_text("1,200 × 1 GB")
    composer.write("jobs", 0, "arrival_s", "1h 30m")
    composer.until(lambda scenario: scenario["jobs"][0]["arrival_s"] == 5400)
    composer.field("jobs", 0, "queue").select_option("root.dev")
    composer.until(lambda scenario: scenario["jobs"][0]["queue"] == "root.dev")
    composer.write("jobs", 1, "arrival_s", "")
    composer.until(lambda scenario: "arrival_s" not in scenario["jobs"][1])
    composer.write("nodes", 0, "memory_mb", "16 GB")
    composer.until(lambda scenario: scenario["cluster"]["nodes"][0]["memory_mb"] == 16384)
    expect(composer.line("nodes", 0)).to_contain_text("4 × 16 GB, 8 vc")


def test_lines_are_added_duplicated_and_deleted_by_their_buttons(composer: Composer) -> None:
    page = composer.page
    page.click("#editor-jobs-add")
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    expect(composer.line("jobs", 2).locator('[data-path="name"]')).to_be_focused()
    page.keyboard.type("typed")
    composer.line("jobs", 2).get_by_role("button", name="Duplicate").click()
    composer.until(lambda scenario: [job.get("name") for job in scenario["jobs"]] == ["alpha", "beta", "typed", "typed_2"])
    expect(composer.line("jobs", 3).locator('[data-path="name"]')).to_have_value("typed_2")
    composer.line("jobs", 3).get_by_role("button", name="Delete").click()
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    page.click("#editor-undo")
    composer.until(lambda scenario: len(scenario["jobs"]) == 4)
    expect(composer.line("jobs", 3)).to_contain_text("typed_2")


def test_equal_hosts_are_one_line_that_is_edited_as_one(shared: Composer) -> None:
    hosts = [{"name": f"a{2115 + number}.smile.com.example.org", "count": 1, "memory_mb": 8192, "vcores": 8} for number in range(50)]
    shared.open("hosts.json", {**SCENARIO, "cluster": {"nodes": hosts}, "x_ours": []})
    expect(shared.line("nodes", 0)).to_contain_text("50 hosts like a2115")
    expect(shared.page.locator("#editor-nodes .editor-line")).to_have_count(1)
    shared.write("nodes", 0, "vcores", "16")
    nodes = shared.until(lambda scenario: scenario["cluster"]["nodes"][49]["vcores"] == 16)["cluster"]["nodes"]
    assert nodes == [{**host, "vcores": 16} for host in hosts]


@pytest.mark.parametrize(
    "scenario",
    [
        {"version": 1, "jobs": 3, "cluster": 7, "queues": {}},
        {"name": 5, "x_ours": "x", "jobs": [3, {"name": 7, "maps": []}], "cluster": {"nodes": [None]}},
    ],
)
def test_a_forged_draft_of_wrong_types_gives_sentences_and_no_error(shared: Composer, scenario: dict) -> None:
    shared.page.evaluate("(data) => window.dash_clientside.set_props('load', { data })", {"scenario": scenario, "schedulers": [3], "assumed": 3})
    shared.until(lambda shown: shown == scenario)
    expect(shared.page.locator("#editor-faults-summary")).to_contain_text("errors")
    shared.page.wait_for_timeout(400)  # the lines are those of this draft
    for line in shared.page.locator("#editor-jobs .editor-line summary").all():
        line.click()
    shared.page.evaluate("() => window.dash_clientside.set_props('load', { data: { scenario: 'x' } })")
    expect(shared.page.locator("#editor-message")).to_contain_text("is not a scenario")


def test_an_edited_cell_is_in_the_draft_and_an_emptied_one_is_the_default(shared: Composer) -> None:
    shared.table("jobs")
    shared.type("jobs", 0, "maps.count", "1,200")
    shared.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 1200)
    shared.type("jobs", 1, "arrival_s", "0")
    shared.until(lambda scenario: "arrival_s" not in scenario["jobs"][1])
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
    shared.write("jobs", 0, "maps.duration_s", text)
    shared.until(lambda scenario: scenario["jobs"][0]["maps"]["duration_s"] == value)
    expect(shared.page.locator("#editor-faults-summary")).to_contain_text("No errors")


def test_a_fault_stands_at_its_field_while_one_types_and_keeps_what_was_typed(composer: Composer) -> None:
    page = composer.page
    field = composer.field("jobs", 0, "maps.duration_s")
    field.fill("normal(20")
    expect(composer.line("jobs", 0).locator(".editor-error:not(:empty)")).to_contain_text("must be a number of seconds or a distribution")
    expect(field).to_have_attribute("aria-invalid", "true")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["duration_s"] == "normal(20")
    composer.field("jobs", 0, "maps.memory_mb").fill("9000")
    summary = page.locator("#editor-faults-summary")
    expect(summary).to_contain_text("2 errors")
    composer.line("jobs", 0).locator("> summary").click()
    summary.click()
    page.locator("#editor-faults button", has_text="Job alpha: maps memory 9000 fits no node").click()
    expect(composer.line("jobs", 0).locator('[data-path="maps.memory_mb"]')).to_be_focused()
    composer.field("jobs", 0, "maps.memory_mb").fill("2048")
    composer.field("jobs", 0, "maps.duration_s").fill("normal(20, 5)")
    expect(summary).to_contain_text("No errors")


def test_a_fault_stands_at_its_cell_too(shared: Composer) -> None:
    shared.table("jobs")
    shared.focus("jobs", 0, "maps.duration_s")
    shared.page.keyboard.type("normal(20")
    expect(shared.page.locator("#editor-table-help")).to_contain_text("must be a number of seconds or a distribution")
    shared.page.keyboard.press("Enter")
    shared.until(lambda scenario: scenario["jobs"][0]["maps"]["duration_s"] == "normal(20")
    expect(shared.cell("jobs", 0, "maps.duration_s")).to_have_class(FAULT)


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
    page.get_by_role("textbox", name="Containers per heartbeat").fill("no limit")
    composer.until(lambda scenario: scenario["cluster"].get("containers_per_heartbeat", 1) is None)
    page.get_by_role("textbox", name="Containers per heartbeat").fill("")
    composer.until(lambda scenario: "containers_per_heartbeat" not in scenario["cluster"])


def test_more_containers_than_the_page_runs_are_a_fault_with_both_numbers(shared: Composer) -> None:
    shared.write("jobs", 0, "maps.count", "1300000")
    expect(shared.page.locator("#editor-faults-summary")).to_contain_text("1,300,006 containers in all; this page runs at most 1,000,000")


def test_cells_of_a_spreadsheet_are_pasted_from_the_focused_cell_on(shared: Composer) -> None:
    shared.table("jobs")
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
    shared.table("nodes")
    shared.focus("nodes", 0, "rack")
    shared.paste("Vcores\tMemory (MB)\tName\n16\t32768\tbig\n4\t4096\tsmall\n")
    nodes = shared.until(lambda scenario: len(scenario["cluster"]["nodes"]) == 2)["cluster"]["nodes"]
    assert nodes[0] == {"name": "big", "count": 4, "memory_mb": 32768, "vcores": 16}
    assert nodes[1] == {"name": "small", "memory_mb": 4096, "vcores": 4}
    expect(shared.page.locator("#editor-faults-summary")).to_contain_text("Node small: count is required")


def test_rows_are_copied_as_lines_of_a_spreadsheet(composer: Composer) -> None:
    composer.table("jobs")
    composer.focus("jobs", 0, "maps.count")
    assert composer.copied() == "4"
    composer.page.locator('#editor-jobs-grid .ag-row[row-index="0"] input[type=checkbox]').check()
    assert composer.copied().split("\t")[:7] == ["alpha", "root.prod", "", "4", "1024", "1", "20"]


def test_rows_are_added_duplicated_and_deleted_and_all_of_it_undone(composer: Composer) -> None:
    page, undo = composer.page, composer.page.locator("#editor-undo")
    before = composer.scenario()
    tool = lambda action: page.click(f"#editor-table [data-action={action}]")
    composer.table("jobs")
    composer.focus("jobs", 1, "name")
    tool("duplicate")
    twice = composer.until(lambda scenario: [job["name"] for job in scenario["jobs"]] == ["alpha", "beta", "beta_2"])
    assert twice["x_ours"] == ["cluster.shuffle_mb_s", "jobs[1].maps.duration_s", "jobs[2].maps.duration_s"]
    page.locator('#editor-jobs-grid .ag-row[row-index="0"] input[type=checkbox]').check()
    tool("delete")
    left = composer.until(lambda scenario: [job["name"] for job in scenario["jobs"]] == ["beta", "beta_2"])
    assert left["x_ours"][1:] == ["jobs[0].maps.duration_s", "jobs[1].maps.duration_s"]
    tool("close")
    expect(undo).to_have_text("Undo 3")
    for _ in range(2):
        undo.click()
    composer.until(lambda scenario: scenario == before)
    expect(composer.line("jobs", 0)).to_contain_text("alpha")
    for _ in range(2):
        page.click("#editor-redo")
    composer.until(lambda scenario: scenario == left)
    expect(page.locator("#editor-redo")).to_be_disabled()


def test_a_job_s_queue_is_chosen_from_the_leaves_and_follows_a_rename(composer: Composer) -> None:
    page = composer.page
    composer.table("jobs")
    composer.focus("jobs", 0, "queue")
    options = page.locator(".ag-select-list-item")
    expect(options).to_have_text(["root.default", "root.prod", "root.dev"])
    options.nth(2).click()
    composer.until(lambda scenario: scenario["jobs"][0]["queue"] == "root.dev")
    page.click("#editor-table [data-action=close]")
    composer.write("queues", 1, "name", "root.research")
    moved = composer.until(lambda scenario: scenario["queues"][1]["name"] == "root.research")
    assert [job["queue"] for job in moved["jobs"]] == ["root.research", "root.research"]
    expect(composer.field("jobs", 1, "queue")).to_have_value("root.research")
    assert composer.field("jobs", 1, "queue").locator("option").all_inner_texts() == ["root.default", "root.prod", "root.research"]


def test_what_we_chose_is_marked_until_the_user_chooses(composer: Composer) -> None:
    composer.field("jobs", 1, "name").focus()
    mark = composer.line("jobs", 1).locator('.editor-field:has([data-path="maps.duration_s"]) .editor-mark')
    expect(mark).to_be_visible()
    composer.table("jobs")
    expect(composer.cell("jobs", 1, "maps.duration_s")).to_have_class(ASSUMED)
    composer.type("jobs", 1, "maps.duration_s", "33")
    composer.until(lambda scenario: scenario["x_ours"] == ["cluster.shuffle_mb_s"])
    expect(composer.cell("jobs", 1, "maps.duration_s")).not_to_have_class(ASSUMED)
    composer.page.keyboard.press("Escape")
    expect(mark).to_be_hidden()
    composer.shown("settings")
    expect(composer.page.locator('#editor-settings .editor-field:has([data-path="cluster.shuffle_mb_s"])').locator(".editor-mark")).to_be_visible()


def test_the_keyboard_alone_is_enough(composer: Composer) -> None:
    page, keys = composer.page, composer.page.keyboard
    page.locator("#editor-jobs-table").focus()
    keys.press("Enter")
    composer.focus("jobs", 1, "name")
    keys.press("Insert")
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    expect(composer.cell("jobs", 2, "name")).to_have_class(FOCUS)
    keys.type("typed")
    keys.press("Tab")
    keys.press("Escape")
    composer.until(lambda scenario: scenario["jobs"][2].get("name") == "typed")
    keys.press("Control+d")
    composer.until(lambda scenario: [job.get("name") for job in scenario["jobs"]] == ["alpha", "beta", "typed", "typed_2"])
    page.wait_for_timeout(300)
    keys.press("Control+Delete")
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    keys.press("Control+z")
    composer.until(lambda scenario: len(scenario["jobs"]) == 4)
    keys.press("Control+Shift+Z")
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    composer.focus("jobs", 0, "name")
    keys.press("Tab")
    assert not page.evaluate("() => document.getElementById('editor-jobs-grid').contains(document.activeElement)")
    keys.press("Escape")
    expect(page.locator("#editor-table")).to_be_hidden()


@pytest.mark.parametrize("width", [360, 1920])
def test_nothing_sticks_out_sideways(composer: Composer, width: int) -> None:
    composer.page.set_viewport_size({"width": width, "height": 900})
    if width < 800:
        composer.page.get_by_role("button", name="Edit", exact=True).click()
    composer.field("jobs", 0, "maps.count").focus()
    assert composer.page.evaluate("() => document.getElementById('editor').scrollWidth <= document.getElementById('editor').clientWidth + 1")


def test_numbers_are_read_as_people_write_them(shared: Composer) -> None:
    written = {
        ("1,024", "MB"): 1024, ("1 048 576", "MB"): 1048576, ("1.048.576", "MB"): 1048576, ("1.024,5", "s"): 1024.5, ("0,5", "s"): 0.5,
        ("8 GB", "MB"): 8192, ("2 min", "s"): 120, ("20 s", "s"): 20, ("250ms", "s"): 0.25, ("80 %", ""): 0.8, ("40%", "%"): 40, ("1e3", "s"): 1000,
        ("4h", "s"): 14400, ("90 s", "s"): 90, ("1h 30m", "s"): 5400, ("1 h 30 min 5 s", "s"): 5405, ("250 ms", "ms"): 250, ("2 s", "ms"): 2000,
        ("1 GB/s", "MB/s"): 1024,
        ("1h 30", "s"): "1h 30", ("1h 2 apples", "s"): "1h 2 apples",
        ("12 apples", "MB"): "12 apples", ("1,2,3", "s"): "1,2,3", ("99999999999999999999", ""): "99999999999999999999", ("", "s"): None,
    }  # fmt: skip
    script = "(list) => list.map(([text, unit]) => window.gantry.parseValue(text, { kind: 'number', unit }) ?? null)"
    assert shared.page.evaluate(script, [list(key) for key in written]) == list(written.values())


def test_a_block_pasted_into_an_open_cell_fills_the_table(shared: Composer) -> None:
    shared.table("jobs")
    shared.focus("jobs", 0, "maps.count")
    shared.page.keyboard.press("Enter")
    shared.paste("7\t2048\n8\t512\n")
    jobs = shared.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 7)["jobs"]
    assert [job["maps"]["memory_mb"] for job in jobs] == [2048, 512]
    assert shared.page.locator("#editor-jobs .ag-cell-inline-editing").count() == 0


def test_escape_leaves_an_open_cell_and_then_the_table(shared: Composer) -> None:
    page = shared.page
    shared.table("jobs")
    assert page.locator("#editor-jobs-grid").bounding_box()["width"] > 1300
    shared.focus("jobs", 0, "maps.count")
    page.keyboard.type("7")
    page.keyboard.press("Escape")
    expect(page.locator(".ag-cell-inline-editing")).to_have_count(0)
    expect(page.locator("#editor-table")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#editor-table")).to_be_hidden()
    assert shared.scenario() == SCENARIO


def test_schedulers_stand_by_their_full_names_with_a_sentence(composer: Composer) -> None:
    chosen = composer.page.locator("#schedulers-chosen li")
    expect(chosen.first).to_contain_text("First in, first out fifo")
    composer.page.click("#schedulers")
    expect(composer.page.locator(".scheduler-option", has_text="Batch finish").first).to_contain_text("A job whose reduces have begun")
    composer.page.fill("#schedulers", "haste+lazy-start")
    composer.page.keyboard.press("Enter")
    expect(chosen.last).to_contain_text("HaSTE, lazy start")
    assert composer.kept()["schedulers"][-1] == "haste+lazy-start"


def test_undo_leaves_the_chosen_schedulers(composer: Composer) -> None:
    composer.write("jobs", 0, "maps.count", "9")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 9)
    composer.page.evaluate("() => window.dash_clientside.set_props('schedulers', { value: ['fifo'] })")
    composer.page.wait_for_function("() => window.gantry.state.draft.schedulers.length === 1")
    composer.page.click("#editor-undo")
    composer.until(lambda scenario: scenario == SCENARIO)
    assert composer.kept()["schedulers"] == ["fifo"]


def test_what_begins_as_a_formula_is_inert_in_a_spreadsheet_and_comes_back(composer: Composer) -> None:
    composer.table("jobs")
    composer.focus("jobs", 0, "name")
    composer.paste("=HYPERLINK(1)")
    composer.until(lambda scenario: scenario["jobs"][0]["name"] == "=HYPERLINK(1)")
    composer.focus("jobs", 0, "name")
    assert composer.copied() == "'=HYPERLINK(1)"
    composer.paste(composer.copied())
    composer.until(lambda scenario: scenario["jobs"][0]["name"] == "=HYPERLINK(1)")
    cells = ["@a", "+a", "-a", "-1+1", "\ta", "\ra", "-5", "+1,000.5", "-1e3", "a=b", 7, -7.5]
    inert = ["'@a", "'+a", "'-a", "'-1+1", "'\ta", "'\ra", "-5", "+1,000.5", "-1e3", "a=b", "7", "-7.5"]
    assert composer.page.evaluate("(cells) => cells.map(window.gantry.inert)", cells) == inert
