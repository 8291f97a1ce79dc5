"""Composing in a real browser: lines and their forms, tables, faults, marks and undo. What was typed is read
in tests/assets.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.composer import SCENARIO, Composer
from tests.browser.dashboard import CUT, wait_for_animations
from tests.phrases import phrase

FAULT, ASSUMED, FOCUS = (
    re.compile("editor-fault"),
    re.compile("editor-is-assumed"),
    re.compile("ag-cell-focus"),
)


def faults_are(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.locator("#editor-faults-summary")).to_contain_text(words)


def test_a_batch_is_composed_in_lines(composer: Composer) -> None:
    page = composer.page
    # A job is a line, and the rest a form under it.
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
    composer.write("jobs", 0, "maps.count", "1300000")
    faults_are(page, phrase("browser.containers_in_all_this_page", "1,300,006", "1,000,000"))

    # Lines are added, duplicated and deleted by their buttons.
    composer.begin_again()
    page.click("#editor-jobs-add")
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    expect(composer.line("jobs", 2).locator('[data-path="name"]')).to_be_focused()
    page.keyboard.type("typed")
    composer.line("jobs", 2).get_by_role("button", name="Duplicate").click()
    composer.until(
        lambda scenario: (
            [job.get("name") for job in scenario["jobs"]] == ["alpha", "beta", "typed", "typed_2"]
        )
    )
    expect(composer.line("jobs", 3).locator('[data-path="name"]')).to_have_value("typed_2")
    composer.line("jobs", 3).get_by_role("button", name="Delete").click()
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    page.click("#editor-undo")
    composer.until(lambda scenario: len(scenario["jobs"]) == 4)
    expect(composer.line("jobs", 3)).to_contain_text("typed_2")

    # A queue that is renamed takes its jobs along.
    composer.begin_again()
    composer.write("queues", 1, "name", "root.research")
    moved = composer.until(lambda scenario: scenario["queues"][1]["name"] == "root.research")
    assert [job["queue"] for job in moved["jobs"]] == ["root.prod", "root.research"]
    expect(composer.field("jobs", 1, "queue")).to_have_value("root.research")
    assert composer.field("jobs", 1, "queue").locator("option").all_inner_texts() == [
        "root.default",
        "root.prod",
        "root.research",
    ]

    # Schedulers stand by their full names with a sentence, and undo leaves them.
    composer.begin_again()
    chosen = page.locator("#schedulers-chosen li")
    expect(chosen.first).to_be_hidden()
    page.click("#schedulers-about > summary")
    expect(chosen.first).to_be_visible()
    expect(chosen.first).to_contain_text("Fair sharing fair")
    page.click("#schedulers")
    expect(page.locator(".scheduler-option", has_text="Batch finish").first).to_contain_text(
        phrase("browser.job_whose_reduces_have_begun")
    )
    composer.write("jobs", 0, "maps.count", "9")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 9)
    page.fill("#schedulers", "haste+lazy-start")
    page.keyboard.press("Enter")
    expect(chosen.last).to_contain_text("HaSTE, lazy start")
    names = composer.draft()["schedulers"]
    assert names[-1] == "haste+lazy-start" and names[0] == "fair"
    page.keyboard.press("Escape")
    page.click("#editor-undo")
    composer.until(lambda scenario: scenario == SCENARIO)
    assert composer.draft()["schedulers"] == names

    # On a wide screen and on a telephone nothing sticks out sideways.
    for width in (1920, 360):
        page.set_viewport_size({"width": width, "height": 900})
        if width < 800:
            page.get_by_role("button", name="Edit", exact=True).click()
        composer.field("jobs", 0, "maps.count").focus()
        assert page.evaluate(
            "() => document.getElementById('editor').scrollWidth <= "
            "document.getElementById('editor').clientWidth + 1"
        )


def test_faults_and_marks_stand_where_they_belong(composer: Composer) -> None:
    page, summary = composer.page, composer.page.locator("#editor-faults-summary")
    # While one types a fault stands at its field, and what was typed is kept.
    field = composer.field("jobs", 0, "maps.duration_s")
    field.fill("normal(20")
    expect(composer.line("jobs", 0).locator(".editor-error:not(:empty)")).to_contain_text(
        phrase("browser.must_be_number_seconds_or")
    )
    expect(field).to_have_attribute("aria-invalid", "true")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["duration_s"] == "normal(20")
    composer.field("jobs", 0, "maps.memory_mb").fill("9000")
    faults_are(page, "2 errors")
    composer.line("jobs", 0).locator("> summary").click()
    summary.click()
    for section in ("queues", "settings"):
        composer.shown(section)
    assert violations(page, "#left") == []
    page.locator("#editor-faults button", has_text=phrase("browser.job_alpha_maps_memory_fits", 9000)).click()
    expect(composer.line("jobs", 0).locator('[data-path="maps.memory_mb"]')).to_be_focused()
    composer.field("jobs", 0, "maps.memory_mb").fill("2048")
    composer.field("jobs", 0, "maps.duration_s").fill("normal(20, 5)")
    faults_are(page, "No errors")
    composer.until(
        lambda scenario: scenario["jobs"][0]["maps"]["duration_s"] == {"dist": "normal", "mean": 20, "sd": 5}
    )

    # Settings are fields too.
    composer.shown("settings")
    seed, at_once = (page.get_by_role("textbox", name=name) for name in ("Seed", "Containers per heartbeat"))
    seed.fill("abc")
    expect(page.locator("#editor-settings-faults")).to_have_text("1")
    expect(seed).to_have_attribute("aria-invalid", "true")
    assert composer.scenario()["seed"] == "abc"
    seed.fill("7")
    composer.until(lambda scenario: scenario["seed"] == 7)
    expect(seed).not_to_have_attribute("aria-invalid", "true")
    at_once.fill("no limit")
    composer.until(lambda scenario: scenario["cluster"].get("containers_per_heartbeat", 1) is None)
    at_once.fill("")
    composer.until(lambda scenario: "containers_per_heartbeat" not in scenario["cluster"])

    # A fault stands at its cell too.
    composer.begin_again()
    composer.table("jobs")
    composer.focus("jobs", 0, "maps.duration_s")
    page.keyboard.type("normal(20")
    expect(page.locator("#editor-table-help")).to_contain_text(phrase("browser.must_be_number_seconds_or"))
    page.keyboard.press("Enter")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["duration_s"] == "normal(20")
    expect(composer.cell("jobs", 0, "maps.duration_s")).to_have_class(FAULT)

    # What we chose is marked until the user chooses.
    composer.begin_again()
    composer.field("jobs", 1, "name").focus()
    mark = composer.line("jobs", 1).locator('.editor-field:has([data-path="maps.duration_s"]) .editor-mark')
    expect(mark).to_be_visible()
    composer.table("jobs")
    expect(composer.cell("jobs", 1, "maps.duration_s")).to_have_class(ASSUMED)
    composer.type("jobs", 1, "maps.duration_s", "33")
    composer.until(lambda scenario: scenario["x_ours"] == ["cluster.shuffle_mb_s"])
    expect(composer.cell("jobs", 1, "maps.duration_s")).not_to_have_class(ASSUMED)
    page.keyboard.press("Escape")
    expect(mark).to_be_hidden()
    composer.shown("settings")
    expect(
        page.locator('#editor-settings .editor-field:has([data-path="cluster.shuffle_mb_s"])').locator(
            ".editor-mark"
        )
    ).to_be_visible()

    # A forged draft of wrong types gives sentences and no error.
    for scenario in (
        {"version": 1, "jobs": 3, "cluster": 7, "queues": {}},
        {"name": 5, "x_ours": "x", "jobs": [3, {"name": 7, "maps": []}], "cluster": {"nodes": [None]}},
    ):
        with page.expect_response("**/editor/check"):
            page.evaluate(
                "(data) => window.dash_clientside.set_props('load', { data })",
                {"scenario": scenario, "schedulers": [3], "assumed": 3},
            )
        composer.until(lambda shown, forged=scenario: shown == forged)
        faults_are(page, re.compile(r"\d errors"))
        for line in page.locator("#editor-jobs .editor-line summary").all():
            line.click()
        page.evaluate("() => window.dash_clientside.set_props('load', { data: { scenario: 'x' } })")
        expect(page.locator("#editor-message")).to_contain_text(phrase("editor.not_scenario"))


def test_jobs_are_edited_as_in_a_spreadsheet(composer: Composer) -> None:
    page, undo = composer.page, composer.page.locator("#editor-undo")
    tool = lambda action: page.click(f"#editor-table [data-action={action}]")
    # Rows are added, duplicated and deleted, and all of it undone, marks included.
    composer.table("jobs")
    assert page.locator("#editor-jobs-grid").bounding_box()["width"] > 1300
    steps = len(page.evaluate("() => window.gantry.steps().past"))
    composer.focus("jobs", 1, "name")
    tool("duplicate")
    twice = composer.until(
        lambda scenario: [job["name"] for job in scenario["jobs"]] == ["alpha", "beta", "beta_2"]
    )
    assert twice["x_ours"] == ["cluster.shuffle_mb_s", "jobs[1].maps.duration_s", "jobs[2].maps.duration_s"]
    page.locator('#editor-jobs-grid .ag-row[row-index="0"] input[type=checkbox]').check()
    assert composer.copied().split("\t")[:7] == ["alpha", "root.prod", "", "4", "1024", "1", "20"]
    tool("delete")
    left = composer.until(lambda scenario: [job["name"] for job in scenario["jobs"]] == ["beta", "beta_2"])
    assert left["x_ours"][1:] == ["jobs[0].maps.duration_s", "jobs[1].maps.duration_s"]
    tool("close")
    expect(undo).to_have_text(f"Undo {steps + 2}")
    for _ in range(2):
        undo.click()
    composer.until(lambda scenario: scenario == SCENARIO)
    expect(composer.line("jobs", 0)).to_contain_text("alpha")
    for _ in range(2):
        page.click("#editor-redo")
    composer.until(lambda scenario: scenario == left)
    expect(page.locator("#editor-redo")).to_be_disabled()

    # What is typed into a cell is in the draft; an emptied one is the default; a queue is one of the leaves.
    composer.begin_again()
    composer.table("jobs")
    composer.type("jobs", 0, "maps.count", "1,200")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 1200)
    composer.type("jobs", 1, "arrival_s", "0")
    composer.until(lambda scenario: "arrival_s" not in scenario["jobs"][1])
    composer.focus("jobs", 0, "queue")
    options = page.locator(".ag-select-list-item")
    expect(options).to_have_text(["root.default", "root.prod", "root.dev"])
    options.nth(2).click()
    composer.until(lambda scenario: scenario["jobs"][0]["queue"] == "root.dev")
    composer.focus("jobs", 0, "arrival_s")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    composer.until(lambda scenario: "queue" not in scenario["jobs"][0])
    expect(composer.cell("jobs", 0, "queue")).to_contain_text("root.default")

    # Cells of a spreadsheet are pasted from the focused one on.
    composer.begin_again()
    composer.table("jobs")
    composer.focus("jobs", 1, "name")
    composer.paste('gamma\troot.prod\t1,5\t1,024\t2 048\ndelta\t\t60\t8\t512\t2\t"uniform(1, 2)"\n')
    jobs = composer.until(lambda scenario: len(scenario["jobs"]) == 3)["jobs"]
    assert jobs[1]["name"] == "gamma" and jobs[1]["queue"] == "root.prod" and jobs[1]["arrival_s"] == 1.5
    assert jobs[1]["maps"] == {"count": 1024, "memory_mb": 2048, "vcores": 1, "duration_s": 20}
    assert jobs[2] == {
        "name": "delta",
        "arrival_s": 60,
        "maps": {
            "count": 8,
            "memory_mb": 512,
            "vcores": 2,
            "duration_s": {"dist": "uniform", "low": 1, "high": 2},
        },
    }
    page.keyboard.press("Control+z")
    composer.until(lambda scenario: scenario["jobs"] == SCENARIO["jobs"])

    # A block pasted into an open cell fills the table; one that begins as a formula is inert when copied and
    # comes back.
    composer.focus("jobs", 0, "maps.count")
    assert composer.copied() == "4"
    page.keyboard.press("Enter")
    composer.paste("7\t2048\n8\t512\n")
    jobs = composer.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 7)["jobs"]
    assert [job["maps"]["memory_mb"] for job in jobs] == [2048, 512]
    assert page.locator("#editor-jobs .ag-cell-inline-editing").count() == 0
    composer.focus("jobs", 0, "name")
    composer.paste("=HYPERLINK(1)")
    composer.until(lambda scenario: scenario["jobs"][0]["name"] == "=HYPERLINK(1)")
    composer.focus("jobs", 0, "name")
    assert composer.copied() == "'=HYPERLINK(1)"
    composer.paste(composer.copied() + "\troot.dev")
    composer.until(lambda scenario: scenario["jobs"][0]["queue"] == "root.dev")
    assert composer.scenario()["jobs"][0]["name"] == "=HYPERLINK(1)"

    # A line of titles says where pasted cells go.
    composer.begin_again()
    composer.table("nodes")
    composer.focus("nodes", 0, "rack")
    composer.paste("Vcores\tMemory (MB)\tName\n16\t32768\tbig\n4\t4096\tsmall\n")
    nodes = composer.until(lambda scenario: len(scenario["cluster"]["nodes"]) == 2)["cluster"]["nodes"]
    assert nodes[0] == {"name": "big", "count": 4, "memory_mb": 32768, "vcores": 16}
    assert nodes[1] == {"name": "small", "memory_mb": 4096, "vcores": 4}
    faults_are(page, phrase("browser.node_small_count_required"))


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
    composer.until(
        lambda scenario: (
            [job.get("name") for job in scenario["jobs"]] == ["alpha", "beta", "typed", "typed_2"]
        )
    )
    expect(composer.cell("jobs", 3, "name")).to_have_text("typed_2")
    keys.press("Control+Delete")
    composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    keys.press("Control+z")
    composer.until(lambda scenario: len(scenario["jobs"]) == 4)
    keys.press("Control+Shift+Z")
    draft = composer.until(lambda scenario: len(scenario["jobs"]) == 3)
    composer.focus("jobs", 0, "name")
    keys.press("Tab")
    assert not page.evaluate(
        "() => document.getElementById('editor-jobs-grid').contains(document.activeElement)"
    )

    # Escape leaves an open cell, and then the table.
    composer.focus("jobs", 0, "maps.count")
    keys.type("7")
    keys.press("Escape")
    expect(page.locator(".ag-cell-inline-editing")).to_have_count(0)
    expect(page.locator("#editor-table")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("#editor-table")).to_be_hidden()
    assert composer.scenario() == draft

    # No head of a column is cut.
    for table in ("nodes", "queues", "jobs"):
        composer.table(table)
        wait_for_animations(page)
        assert page.evaluate(CUT, f"#editor-{table}-grid") == []
        keys.press("Escape")
        expect(page.locator("#editor-table")).to_be_hidden()
