"""Applications are composed from nothing: framework, executors, stages and what they come after, what a
demand holds; they run, and finish.
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


def begun(composer: Composer, framework: str = "spark") -> Page:
    """An empty scenario with nodes and an application, whose form is open."""
    page = composer.page
    page.click("#editor-new")
    page.click("#editor-nodes-add")
    page.click(f"#editor-jobs-add-{framework}")
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
    composer.field("jobs", 0, "stages[1].result").check()
    composer.write("jobs", 0, "stages[2].tasks", "4")
    composed = composer.until(lambda scenario: scenario["jobs"][0]["stages"][2]["tasks"] == 4)
    stages = composed["jobs"][0]["stages"]
    assert [(stage["name"], stage.get("after", []), stage.get("result")) for stage in stages] == [
        ("read", [], None),
        ("stage2", ["read"], True),
        ("stage3", ["stage2", "read"], None),
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


def test_a_dag_of_three_stages_is_composed_and_runs(composer: Composer) -> None:
    page = begun(composer, "stages")
    page.keyboard.type("nightly")
    composer.until(lambda scenario: scenario["jobs"][0].get("name") == "nightly")
    for hidden in ("maps.count", "executors.memory_mb", "stages[0].start_s", "stages[0].after"):
        expect(composer.field("jobs", 0, hidden)).to_be_hidden()

    # A new stage is like the last and comes after it; a word in a field that wants a number is told there.
    add = page.get_by_role("button", name="Add stage", exact=True)
    add.click()
    composer.write("jobs", 0, "stages[1].memory_mb", "2 GB")
    composer.write("jobs", 0, "stages[1].output_mb", "100")
    add.click()
    composer.write("jobs", 0, "stages[2].slow_start", "soon")
    expect(page.locator("#editor-faults-summary")).to_contain_text(phrase("editor.slow_start_number"))
    composer.write("jobs", 0, "stages[2].slow_start", "50 %")
    line = composer.line("jobs", 0).locator("> summary")
    expect(line).to_contain_text(phrase("editor.dag_line", "3 stages", 60, "1 GB to 2 GB", 1))
    composed = composer.until(lambda scenario: scenario["jobs"][0]["stages"][2].get("slow_start") == 0.5)
    size = {"tasks": 20, "duration_s": 10, "vcores": 1}
    assert composed["jobs"][0]["stages"] == [
        {"name": "stage1", "memory_mb": 1024, **size},
        {"name": "stage2", "memory_mb": 2048, "output_mb": 100, "after": ["stage1"], **size},
        {
            "name": "stage3",
            "memory_mb": 2048,
            "output_mb": 100,
            "after": ["stage2"],
            "slow_start": 0.5,
            **size,
        },
    ]
    assert page.locator(".editor-graph").evaluate(BOXES) == [f"stage{n}: 20 tasks" for n in (1, 2, 3)]
    assert violations(page, "#rail") == []
    assert not page.locator("#editor").evaluate(BEYOND)

    dashboard.load(page, composed, ["fair", "capacity"])
    dashboard.run(page)
    expect(page.locator("#run-status")).to_contain_text("2 schedulers")
    expect(page.locator("#lanes")).to_contain_text("Makespan")


def test_a_demand_is_composed_of_what_is_held_and_another_framework_keeps_what_both_have(
    composer: Composer,
) -> None:
    page = begun(composer, "demand")
    composer.write("jobs", 0, "stages[0].tasks", "6")
    composer.write("jobs", 0, "stages[0].start_s", "1 min")
    line, graph = composer.line("jobs", 0).locator("> summary"), page.locator(".editor-graph")
    expect(line).to_contain_text(phrase("editor.demand_line", 6, 2, 1, 300))
    expect(graph).to_contain_text("12 GB")
    expect(graph).to_contain_text("6:00")
    first = page.get_by_role("group", name="stage 1", exact=True)
    expect(first).to_contain_text("Containers")
    expect(first).to_contain_text("Held for")
    before = composer.scenario()["jobs"]

    composer.field("jobs", 0, "framework").select_option("stages")
    expect(first).not_to_contain_text("Containers")
    expect(composer.field("jobs", 0, "stages[0].start_s")).to_be_hidden()
    expect(graph.locator("rect")).to_have_count(1)
    assert graph.evaluate(BOXES) == ["stage1: 6 tasks"]
    (job,) = composer.until(lambda scenario: "am" in scenario["jobs"][0])["jobs"]
    held = {key: value for key, value in before[0]["stages"][0].items() if key != "start_s"}
    assert job["stages"] == [held]
    page.click("#editor-undo")
    assert composer.scenario()["jobs"] == before


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
