"""A Spark application is composed from nothing: framework, executors, stages and what they come after; it
runs, and finishes.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.composer import Composer
from tests.phrases import phrase

BOXES = "(graph) => [...graph.querySelectorAll('title')].map(({ textContent }) => textContent)"
BEYOND = "(node) => node.scrollWidth > node.clientWidth + 1"
LATER = phrase("editor.move_stage_down")


def begun(composer: Composer) -> Page:
    """An empty scenario with nodes and a Spark application, whose form is open."""
    page = composer.page
    page.click("#editor-new")
    page.click("#editor-nodes-add")
    page.click("#editor-jobs-add-spark")
    expect(composer.line("jobs", 0).locator('[data-path="name"]')).to_be_focused()
    return page


def test_an_application_of_three_stages_is_composed_and_runs(composer: Composer) -> None:
    page = begun(composer)
    page.keyboard.type("etl")
    composer.until(lambda scenario: scenario["jobs"][0].get("name") == "etl")
    expect(composer.field("jobs", 0, "framework")).to_have_value("spark")
    expect(composer.field("jobs", 0, "maps.count")).to_be_hidden()

    # Executors: a fixed number, or as many as the tasks need.
    expect(composer.field("jobs", 0, "executors.dynamic.maximum")).to_be_hidden()
    composer.field("jobs", 0, "executors.dynamic").check()
    composer.write("jobs", 0, "executors.dynamic.maximum", "10")
    expect(composer.field("jobs", 0, "executors.count")).to_be_hidden()
    line = composer.line("jobs", 0).locator("> summary")
    expect(line).to_contain_text("0 to 10 × 2 GB, 2 vc")

    # Stages: each new one comes after the last; another is chosen beside it, and follows when it is renamed.
    add = page.get_by_role("button", name="Add stage", exact=True)
    for _ in range(2):
        add.click()
    composer.field("jobs", 0, "stages[2].after").select_option("stage1")
    composer.write("jobs", 0, "stages[0].name", "read")
    composer.write("jobs", 0, "stages[2].tasks", "4")
    composed = composer.until(lambda scenario: scenario["jobs"][0]["stages"][2]["tasks"] == 4)
    stages = composed["jobs"][0]["stages"]
    assert [(stage["name"], stage.get("after", [])) for stage in stages] == [
        ("read", []),
        ("stage2", ["read"]),
        ("stage3", ["stage2", "read"]),
    ]
    expect(line).to_contain_text("3 stages, 44 tasks")
    graph = page.locator(".editor-graph")
    expect(graph.locator("g")).to_have_count(3)
    assert graph.evaluate(BOXES) == ["read: 20 tasks", "stage2: 20 tasks", "stage3: 4 tasks"]
    assert violations(page, "#rail") == []
    assert not page.locator("#editor").evaluate(BEYOND)

    # It runs, and finishes.
    dashboard.load(page, composed, ["fair", "capacity"])
    dashboard.run(page)
    expect(page.locator("#lanes .chart").first).to_be_visible()
    expect(page.locator("#run-status")).to_contain_text("2 schedulers")
    expect(page.locator("#lanes")).to_contain_text("Makespan")


def test_what_is_wrong_with_a_stage_is_told_beside_it_and_nothing_is_lost(composer: Composer) -> None:
    page = begun(composer)
    page.get_by_role("button", name="Add stage", exact=True).click()
    before = composer.scenario()["jobs"]

    # A stage that is moved above what it comes after keeps it, and says so.
    page.get_by_role("button", name=LATER).first.click()
    composer.until(lambda scenario: scenario["jobs"][0]["stages"][0]["name"] == "stage2")
    status = page.locator("#editor-faults-summary")
    expect(status).to_contain_text(phrase("editor.stage1_not_earlier"))
    first = page.get_by_role("group", name="stage 1", exact=True)
    expect(first.locator(".editor-field-names .editor-error")).to_have_text(phrase("editor.not_earlier"))
    expect(page.get_by_role("button", name=LATER).nth(1)).to_be_focused()
    first.get_by_role("button", name=phrase("editor.no_longer_after", "stage1")).click()
    expect(status).to_have_text("No errors")

    # A number that is none stays as it was typed, and its fault leads back to it.
    composer.write("jobs", 0, "stages[1].tasks", "many")
    page.click("#editor-faults-summary")
    page.locator("#editor-faults button").first.click()
    expect(composer.field("jobs", 0, "stages[1].tasks")).to_be_focused()
    expect(composer.field("jobs", 0, "stages[1].tasks")).to_have_value("many")

    # Another framework keeps what both have; undo brings all of it back.
    composer.field("jobs", 0, "framework").select_option("")
    job = composer.until(lambda scenario: "maps" in scenario["jobs"][0])["jobs"][0]
    assert sorted(job) == ["am", "maps"] and job["am"] == before[0]["am"]
    expect(composer.field("jobs", 0, "executors.memory_mb")).to_be_hidden()
    for _ in range(4):
        page.click("#editor-undo")
    assert composer.scenario()["jobs"] == before


def test_the_table_of_jobs_has_applications_beside_mapreduce(composer: Composer) -> None:
    page = begun(composer)
    page.click("#editor-jobs-add")
    composer.until(lambda scenario: len(scenario["jobs"]) == 2)
    stages = composer.scenario()["jobs"][0]["stages"]
    composer.table("jobs")
    assert page.evaluate(dashboard.CUT, "#editor-jobs-grid") == []
    expect(composer.cell("jobs", 0, "stages")).to_have_text("stage1")
    composer.focus("jobs", 0, "stages")
    page.keyboard.press("Delete")  # a list is changed in the job's form
    composer.type("jobs", 0, "executors.count", "6")
    changed = composer.until(lambda scenario: scenario["jobs"][0]["executors"]["count"] == 6)
    assert changed["jobs"][0]["stages"] == stages
