"""A teacher makes an exercise of what the dashboard shows: locks, asks, tries and shares it, and a student
solves it; nothing that was written is lost.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.conftest import visit
from tests.browser.server import Server
from tests.browser.sharing import shared
from tests.phrases import phrase

PHONE = {"width": 360, "height": 740}
WIDE = "() => document.documentElement.scrollWidth"
FOCUSED = "() => document.activeElement.id"
TWO = "/?preset=random-durations&s=fair&s=haste"
TITLE = "How many nodes?"
KEPT = """titles => JSON.stringify(Object.keys(localStorage)
  .filter(name => name.startsWith("gantry-exercise "))
  .map(name => JSON.parse(localStorage[name]).draft.title).sort()) === JSON.stringify(titles.sort())"""
NODES = "Nodes, total"


def begin(page: Page, server: Server, query: str = "?preset=random-durations&s=fair&s=haste") -> None:
    page.goto(f"{server.url}/exercises/new{query}")
    expect(page.locator("#author-task-kind")).to_be_visible()


def write(page: Page) -> None:
    page.fill("#author-title", TITLE)
    page.fill("#author-learn", "Nodes shorten waits.")
    page.fill("#author-text", "One.\n\nTwo.")
    page.fill("#author-explanation", "Because.")


def lock(page: Page) -> None:
    """All but the number of nodes."""
    page.select_option("#author-task-kind", "reach")
    page.fill("#author-task-conditions-0-at_most", "400")
    page.fill("#author-change-sought", NODES)
    page.get_by_role("checkbox", name=NODES).check()
    page.fill("#author-change-0-low", "2")
    page.fill("#author-change-0-high", "6")
    page.get_by_label(NODES, exact=True).fill("5")


def answer(page: Page, nodes: int) -> None:
    page.locator("#exercise-form .exercise-field input[type=text]").fill(str(nodes))
    page.locator("#exercise-form button[type=submit]").click()


def ready(page: Page) -> None:
    expect(page.locator("#author-state")).to_have_text("Ready to share")


def test_from_the_dashboard_to_a_student(page: Page, server: Server, elsewhere: BrowserContext) -> None:
    dashboard.opened(page, server.url + TWO, 2)
    shared(page)
    page.click("#share-exercise")
    expect(page.locator("#author-task-kind")).to_be_visible()
    assert page.url == f"{server.url}/exercises/new"
    write(page)
    lock(page)
    ready(page)
    assert violations(page) == []

    page.click("#author-try-it")
    expect(page.locator("#author-bar")).to_be_focused()
    expect(page.locator("#author-tried h1")).to_have_text(TITLE)
    answer(page, 3)
    expect(page.locator("#exercise-says")).to_have_attribute("data-kind", "wrong")
    answer(page, 4)
    expect(page.locator("#exercise-says")).to_have_attribute("data-kind", "right")
    assert violations(page) == []
    page.click("#author-back")
    expect(page.locator("#author-try-it")).to_be_focused()

    page.click("#author-share")
    expect(page.locator("#author-link")).to_be_focused()
    link = page.input_value("#author-link")
    assert re.fullmatch(re.escape(server.url) + "/exercises/[0-9a-f]{16}", link)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#author-shared [role=status]")).not_to_be_empty()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.click("#author-class")
    expect(page.locator("#class-own")).to_have_value(link)

    with visit(elsewhere) as student:
        student.set_viewport_size(PHONE)
        student.goto(link)
        expect(student.locator("h1")).to_have_text(TITLE)
        answer(student, 4)
        expect(student.locator("#exercise-says")).to_have_attribute("data-kind", "right")
        expect(student.locator("#exercise-says")).to_contain_text("Because.")


@pytest.mark.parametrize(
    "kind", ["predict/first", "predict/makespan", "predict/next", "predict/place", "explain", "compute"]
)
def test_each_kind_is_ready_as_it_is_offered(page: Page, server: Server, kind: str) -> None:
    begin(page, server)
    write(page)
    page.select_option("#author-task-kind", kind)
    ready(page)


def test_what_is_missing_is_told_at_its_field(page: Page, server: Server) -> None:
    begin(page, server)
    assert page.locator("#author .author-fault").count() == 0
    page.click("#author-try-it")
    expect(page.locator("#author-title")).to_be_focused()
    expect(page.locator("#author-title")).to_have_attribute("aria-invalid", "true")
    described = page.locator("#author-title").get_attribute("aria-describedby")
    expect(page.locator(f"#{described}")).to_have_text(phrase("authoring.empty"))
    assert violations(page) == []
    page.get_by_role("button", name=re.compile("^Explanation")).click()
    expect(page.locator("#author-explanation")).to_be_focused()
    write(page)
    ready(page)
    assert page.locator("#author .author-fault").count() == 0


def test_nothing_is_lost(page: Page, server: Server, tmp_path: Path) -> None:
    begin(page, server)
    write(page)
    lock(page)
    page.reload()
    expect(page.locator("#author-title")).to_have_value(TITLE)
    expect(page.locator("#author-change-0-high")).to_have_value("6")

    page.click("#author-anew")
    expect(page.locator(".author-begin")).to_be_visible()
    page.click("#author-undo")
    expect(page.locator("#author-title")).to_have_value(TITLE)

    ready(page)
    with page.expect_download() as downloading:
        page.click("#author-save")
    file = tmp_path / "exercise.json"
    downloading.value.save_as(file)
    saved = json.loads(file.read_text("utf-8"))
    assert saved["title"] == TITLE and saved["change"][0]["path"] == "cluster.nodes.total"
    broken = tmp_path / "broken.json"
    broken.write_text("{", "utf-8")
    opener = page.locator("#author input[type=file]")
    opener.set_input_files(broken)
    expect(page.locator("#author-says")).to_contain_text("broken.json")
    expect(page.locator("#author-title")).to_have_value(TITLE)
    file.write_text(json.dumps(saved | {"title": "Opened"}), "utf-8")
    opener.set_input_files(file)
    expect(page.locator("#author-title")).to_have_value("Opened")
    page.click("#author-undo")
    expect(page.locator("#author-title")).to_have_value(TITLE)


def test_each_tab_writes_its_own(page: Page, server: Server) -> None:
    begin(page, server)
    write(page)
    other = page.context.new_page()
    other.goto(f"{server.url}/exercises/new")
    written = other.locator(".author-written li")
    expect(written).to_have_count(1)
    begin(other, server)
    other.fill("#author-title", "Second")
    other.wait_for_function(KEPT, arg=["Second", TITLE])
    page.fill("#author-text", "First's.")
    for tab, title in ((page, TITLE), (other, "Second")):
        tab.reload()
        expect(tab.locator("#author-title")).to_have_value(title)
    assert other.input_value("#author-text") == ""

    # a tab that was duplicated begins with the same, and then the two are two
    copied = page.evaluate("JSON.stringify(sessionStorage)")
    twin = page.context.new_page()
    twin.goto(f"{server.url}/help")
    twin.evaluate("kept => Object.assign(sessionStorage, JSON.parse(kept))", copied)
    twin.goto(f"{server.url}/exercises/new")
    expect(twin.locator("#author-title")).to_have_value(TITLE)
    twin.fill("#author-title", "Twin")
    twin.wait_for_function(KEPT, arg=["Second", "Twin"])
    page.fill("#author-learn", "Another.")
    page.wait_for_function(KEPT, arg=["Second", TITLE, "Twin"])
    page.click("#author-undo")
    expect(page.locator("#author-learn")).to_have_value("Nodes shorten waits.")
    page.wait_for_function(KEPT, arg=["Second", TITLE, "Twin"])

    # what closed tabs wrote is offered, newest first
    for tab in (other, twin):
        tab.close()
    fresh = page.context.new_page()
    fresh.goto(f"{server.url}/exercises/new")
    written = fresh.locator(".author-written li")
    expect(written.locator(".link-button")).to_have_text([TITLE, "Twin", "Second"])
    assert violations(fresh) == []
    fresh.get_by_role("button", name="Delete “Twin”").press("Enter")
    expect(written).to_have_count(2)
    expect(fresh.locator("#author-undo")).to_be_focused()
    fresh.keyboard.press("Enter")
    expect(fresh.locator("#author-title")).to_have_value("Twin")
    fresh.click("#author-anew")
    written.get_by_role("button", name="Second", exact=True).press("Enter")
    expect(fresh.locator("#author-title")).to_be_focused()
    expect(fresh.locator("#author-title")).to_have_value("Second")
    fresh.reload()
    expect(fresh.locator("#author-title")).to_have_value("Second")
    fresh.close()


def test_the_last_link_stays_while_the_exercise_is_changed(page: Page, server: Server) -> None:
    begin(page, server)
    write(page)
    lock(page)
    ready(page)
    page.click("#author-share")
    expect(page.locator("#author-link")).to_be_focused()
    link = page.input_value("#author-link")
    page.fill("#author-title", "Another")
    expect(page.locator("#author-last-link")).to_have_text(link)
    expect(page.locator("#author-link")).to_have_count(0)
    page.reload()
    expect(page.locator("#author-last-link")).to_have_text(link)
    page.fill("#author-title", TITLE)
    expect(page.locator("#author-link")).to_have_value(link)
    page.click("#author-anew")
    page.click("#author-undo")
    expect(page.locator("#author-title")).to_have_value(TITLE)
    expect(page.locator("#author-shared")).to_be_empty()


def test_another_scenario_asks_what_becomes_of_what_is_written(page: Page, server: Server) -> None:
    begin(page, server)
    write(page)
    page.goto(f"{server.url}/exercises/new?preset=wordcount&s=fair")
    expect(page.locator(".author-first")).to_be_focused()
    assert violations(page) == []
    page.click("#author-into")
    expect(page.locator("#author-title")).to_have_value(TITLE)
    expect(page.locator("#author-part-scenario")).to_contain_text("WordCount")
    page.click("#author-undo")
    expect(page.locator("#author-part-scenario")).to_contain_text("Random durations")
    page.goto(f"{server.url}/exercises/new?r={'f' * 16}")
    expect(page.locator(".complaints [role=alert]")).to_be_visible()
    expect(page.locator("#author-title")).to_have_value(TITLE)


def test_by_keyboard_on_a_phone(page: Page, server: Server) -> None:
    page.set_viewport_size(PHONE)
    begin(page, server)
    page.locator("#author-title").focus()
    for text in (TITLE, "Learn.", "Text."):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "author-task-kind"
    page.keyboard.type("Change")
    expect(page.locator("#author-section-change")).to_be_visible()
    assert page.evaluate(FOCUSED) == "author-task-kind"
    page.locator("#author-part-hints > button").focus()
    for number in range(2):
        page.keyboard.press("Enter")
        expect(page.locator(f"#author-hints-{number}-")).to_be_focused()
        page.keyboard.type(f"Hint {number}")
        page.locator("#author-part-hints > button").focus()
    page.get_by_role("button", name="Move hint 2 up").press("Enter")
    expect(page.locator("#author-hints-0-")).to_have_value("Hint 1")
    assert page.evaluate(WIDE) == PHONE["width"]
    page.evaluate("scrollTo(0, 0)")  # where the head covers nothing
    assert violations(page) == []


def test_without_a_server_a_sentence_says_so_and_what_is_written_stays(page: Page, server: Server) -> None:
    begin(page, server)
    page.context.set_offline(True)
    page.fill("#author-title", TITLE)
    expect(page.locator("#author-status")).to_contain_text(phrase("browser.server_does_not_answer"))
    page.context.set_offline(False)
    page.complaints.clear()
    page.reload()
    expect(page.locator("#author-title")).to_have_value(TITLE)
