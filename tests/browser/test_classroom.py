"""A lesson: a teacher makes a class link, students join and answer, the overview follows, and all of it is
deleted.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from engine.dashboard import check, course, question
from tests.browser.axe import violations
from tests.browser.chromium import visitor_of, watch
from tests.browser.conftest import visit
from tests.browser.server import Server
from tests.phrases import phrase

PHONE = {"width": 360, "height": 740}
WIDE = "() => document.documentElement.scrollWidth"
TRIES = """() => Object.values(JSON.parse(localStorage["gantry-exercises"] ?? "{}"))
  .reduce((count, one) => count + one.tries.length, 0)"""
# in the frame of the click, before Dash has emptied the field
TYPED_AT_ONCE = """(name) => {
  document.getElementById("class-other").click();
  document.execCommand("insertText", false, name);
}"""
EXERCISE = next(iter(course()[0].exercises.values()))
CARD = EXERCISE.title
(FIELD,) = question(EXERCISE).fields
# its labels, what is wrong before what is right
WRONG, *_, RIGHT = (
    choice.label
    for choice in sorted(FIELD.choices, key=lambda one: check(EXERCISE, {FIELD.key: one.value}).correct)
)


@pytest.fixture(scope="module")
def students(browser: Browser) -> Iterator[list[BrowserContext]]:
    """Two browsers of their own, one of them a phone's."""
    with ExitStack() as stack:
        opened = [visitor_of(browser), visitor_of(browser, viewport=PHONE)]
        for context in opened:
            stack.callback(context.close)
        yield opened


def make(page: Page, server: Server, title: str) -> tuple[str, str]:
    """Makes a class by the dialog; the students' link and the secret one."""
    page.goto(f"{server.url}/exercises")
    page.click("#class-new")
    page.fill("#class-title", title)
    page.click("#class-make")
    expect(page.locator("#class-students")).to_have_value(re.compile(r"/class/[0-9a-f]{16}$"))
    return page.input_value("#class-students"), page.input_value("#class-secret")


def joined(context: BrowserContext, link: str, name: str) -> Page:
    page = context.new_page()
    page.complaints = watch(page)
    page.goto(link)
    page.fill("#class-name", name)
    page.click("#class-join")
    expect(page.locator("#class-who")).not_to_be_empty()
    return page


def answer(page: Page, choice: str) -> None:
    """Answers the exercise that is open."""
    page.locator("#exercise-form label", has_text=choice).click()
    page.locator("#exercise-form button[type=submit]").click()
    expect(page.locator("#exercise-says")).not_to_be_empty()


def test_a_lesson(page: Page, server: Server, students: list[BrowserContext], tmp_path: Path) -> None:
    link, secret = make(page, server, "Winter 2026")
    expect(page.locator("#class-code img")).to_be_visible()
    page.click("#class-secret-copy")
    expect(page.locator(".class-made", has_text="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == secret

    ann, number = joined(students[0], link, "=Ann"), joined(students[1], link, "")
    expect(ann.locator("#class-who")).to_have_text(phrase("browser.you_are_in_class", "=Ann"))
    expect(number.locator("#class-who")).to_have_text(phrase("browser.you_are_in_class", "Student 2"))
    assert number.evaluate(WIDE) == PHONE["width"]

    page.goto(secret)
    rows = page.locator("#class-rows tr")
    expect(rows).to_have_count(2)
    page.locator("#class-csv").focus()
    for student in (ann, number):
        student.get_by_role("link", name=CARD).click()
        expect(student.locator("#exercise-form")).to_be_visible()
    expect(rows.nth(0)).to_contain_text("·")
    answer(ann, WRONG)
    answer(number, RIGHT)
    expect(rows.nth(1)).to_contain_text("✓ 1")
    answer(ann, RIGHT)
    expect(rows.nth(0)).to_contain_text("✓ 2")
    assert page.evaluate("document.activeElement.id") == "class-csv", "what is new takes no focus"

    page.get_by_role("button", name=f"First answers: {CARD}").click()
    shown = page.locator(".first-answers")
    expect(shown).to_contain_text(phrase("classroom.thought", 1, 2, ""))
    expect(shown.locator(".right")).to_have_count(0)
    expect(shown).not_to_contain_text("=Ann")
    page.get_by_role("button", name=phrase("browser.show_right_answer")).click()
    expect(shown.locator(".right")).to_contain_text(RIGHT)
    page.keyboard.press("Escape")
    expect(shown).to_be_hidden()

    with page.expect_download() as download:
        page.click("#class-csv")
    text = Path(download.value.path()).read_bytes().decode("utf-8-sig")
    table = [row for row in csv.DictReader(io.StringIO(text, newline="")) if row["title"] == CARD]
    assert [(row["name"], row["answers"], row["first_answer"]) for row in table] == [
        ("'=Ann", "2", WRONG),
        ("", "1", RIGHT),
    ]

    ann.goto(link)
    expect(ann.locator(".exercises li", has_text=CARD)).to_contain_text("solved at answer 2")
    page.click("#class-delete")
    page.click("#class-keep")
    expect(page.locator("#class-delete-now")).to_be_hidden()
    page.click("#class-delete")
    page.click("#class-delete-now")
    expect(page.get_by_role("heading", level=1)).to_have_text(phrase("browser.class_is_deleted"))
    ann.click("#class-join")
    expect(ann.locator("#class-who")).to_contain_text(phrase("classroom.over"))
    for student in (ann, number):
        assert not student.complaints
        student.close()
    for gone in (link, secret):
        assert page.request.get(gone).status == 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, server: Server, elsewhere: BrowserContext, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    link, secret = make(page, server, "Winter 2026")
    assert violations(page) == []
    with visit(elsewhere) as student:
        student.emulate_media(color_scheme=scheme)
        student.goto(link)
        student.locator("summary").click()
        assert violations(student) == []
        student.click("#class-join")
        expect(student.locator("#class-who")).not_to_be_empty()
    page.goto(secret)
    expect(page.locator("#class-rows tr")).to_have_count(1)
    for summary in page.locator("main summary").all():
        summary.click()
    assert violations(page) == []
    page.get_by_role("button", name=f"First answers: {CARD}").click()
    expect(page.locator(".first-answers-bars li").first).to_be_visible()
    page.get_by_role("button", name=phrase("browser.show_right_answer")).click()
    expect(page.locator(".first-answers .right").first).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.click("#class-delete")
    expect(page.locator("#class-delete-now")).to_be_visible()
    assert violations(page) == []


def test_it_is_done_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/exercises")
    page.locator("#class-new").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#class-title")).to_be_visible()
    page.locator("#class-title").focus()
    page.keyboard.type("By keyboard")
    page.locator("#class-make").focus()
    page.keyboard.press("Space")
    expect(page.locator("#class-students")).to_have_value(re.compile("/class/"))
    link, secret = page.input_value("#class-students"), page.input_value("#class-secret")
    page.locator("#class-students-copy").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".class-made", has_text="Copied")).to_be_visible()
    page.goto(link)
    page.locator("#class-name").focus()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    expect(page.locator("#class-who")).to_contain_text("Ann")
    page.goto(secret)
    show = page.get_by_role("button", name=f"First answers: {CARD}")
    show.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".first-answers-prompt")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".first-answers-prompt")).to_be_hidden()
    expect(show).to_be_focused()
    page.locator("#class-delete").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#class-delete-now")).to_be_visible()
    page.locator("#class-delete-now").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(phrase("browser.class_is_deleted"))


def test_the_overview_fits_a_phone(page: Page, server: Server) -> None:
    _, secret = make(page, server, "A title that is longer than a telephone is wide, by far")
    page.set_viewport_size(PHONE)
    page.goto(secret)
    expect(page.locator("#class-counts")).to_contain_text("0 students")
    assert page.evaluate(WIDE) == PHONE["width"]
    page.get_by_role("button", name=f"First answers: {CARD}").click()
    expect(page.locator(".first-answers-prompt")).to_be_visible()
    assert page.evaluate(WIDE) == PHONE["width"]


def test_a_second_class_keeps_the_first_one_s_links(page: Page, server: Server) -> None:
    _, secret = make(page, server, "First")
    expect(page.locator("#class-made-title")).to_be_focused()
    expect(page.locator("#class-made-title")).to_be_in_viewport()
    page.fill("#class-title", "Second")
    page.click("#class-make")
    expect(page.locator("#class-former")).to_contain_text(secret)
    expect(page.locator("#class-secret")).not_to_have_value(secret)
    page.keyboard.press("Escape")
    page.click("#class-new")
    expect(page.locator("#class-made")).to_be_hidden()
    expect(page.locator("#class-secret")).to_have_value("")
    expect(page.locator("#class-former")).to_be_empty()


def test_what_is_wrong_is_a_sentence(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/exercises")
    page.click("#class-new")
    page.fill("#class-own", "mine")
    page.click("#class-make")
    expect(page.locator("#class-says")).to_contain_text(phrase("classroom.names_no_exercise", 16))
    expect(page.locator("#class-made")).to_be_hidden()


def test_someone_else_at_the_same_computer_begins_anew(
    page: Page, server: Server, elsewhere: BrowserContext
) -> None:
    link, secret = make(page, server, "One computer")
    with visit(elsewhere) as student:
        student.goto(link)
        expect(student.locator("#class-other")).to_be_hidden()
        student.fill("#class-name", "Ann")
        student.click("#class-join")
        expect(student.locator("#class-who")).to_have_text(phrase("browser.you_are_in_class", "Ann"))
        student.get_by_role("link", name=CARD).click()
        answer(student, WRONG)
        assert student.evaluate(TRIES) == 1
        student.get_by_role("link", name=phrase("browser.someone_else")).click()

        student.locator("#class-other").press("Enter")
        expect(student.locator("#class-name")).to_be_focused()
        expect(student.locator("#class-name")).to_have_value("")
        assert violations(student) == []
        student.keyboard.type("x" * 41)
        student.keyboard.press("Enter")
        expect(student.locator("#class-who")).to_contain_text("40")
        student.reload()
        expect(student.locator("#class-who")).to_have_text(phrase("browser.you_are_in_class", "Ann"))

        student.evaluate(TYPED_AT_ONCE, "Bob")
        expect(student.locator("#class-name")).to_be_focused()
        student.keyboard.press("Enter")
        expect(student.locator("#class-who")).to_have_text(phrase("browser.you_are_in_class", "Bob"))
        expect(student.locator(".class-state:not(:empty)")).to_have_count(0)
        assert student.evaluate(TRIES) == 0
        student.get_by_role("link", name=CARD).click()
        answer(student, RIGHT)
    page.goto(secret)
    rows = page.locator("#class-rows tr")
    expect(rows.nth(0)).to_contain_text("Ann")
    expect(rows.nth(0)).not_to_contain_text("✓")
    expect(rows.nth(1)).to_contain_text("Bob")
    expect(rows.nth(1)).to_contain_text("✓ 1")
