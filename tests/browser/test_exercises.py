"""Exercises as a student does them: wrong, with a hint, right; by keyboard, on a phone, and without finding
the answer on the page before it was given.
"""

from __future__ import annotations

import base64
import json
import re

import pytest
from playwright.sync_api import Page, Response, expect

from engine.dashboard import Exercise, check, course, course_exercise, question, solution
from tests.browser.axe import violations
from tests.browser.exercise_answers import Answer, by_kind, right_answer, wrong_answer
from tests.browser.server import Server
from tests.phrases import phrase

KINDS = by_kind()
NAMES = [name for lesson in course() for name in lesson.exercises]
SAYS = "#exercise-says"
PICTURES = "#exercise-charts img"
SCROLLS = "() => document.documentElement.scrollWidth - innerWidth"


def opened(page: Page, server: Server, name: str) -> Exercise:
    """An exercise's page, whose form is there and whose charts are drawn, as far as they are shown."""
    exercise = course_exercise(name)
    assert exercise is not None
    with page.expect_response(re.compile("/exercise/charts$")):
        page.goto(f"{server.url}/exercises/{name}")
    expect(page.get_by_role("button", name="Check")).to_be_visible()
    return exercise


def fill(page: Page, answer: Answer) -> None:
    """Into the fields, whatever they are."""
    for key, value in answer.items():
        field = page.locator(f'#exercise-form [name="{key}"]')
        kind = field.first.evaluate("one => one.type")
        if kind == "radio":
            page.locator(f'#exercise-form [name="{key}"][value="{value}"]').check()
        elif kind == "text":
            field.fill(f"{value:.10g}")
        else:
            field.select_option(str(value))


def says(page: Page, kind: str, sentence: str) -> None:
    """What was said of the answer is there and has the focus."""
    expect(page.locator(f'{SAYS}[data-kind="{kind}"]')).to_contain_text(sentence)
    expect(page.locator(SAYS)).to_be_focused()


@pytest.mark.parametrize("kind", KINDS)
def test_an_exercise_is_done_wrong_with_a_hint_and_right(page: Page, server: Server, kind: str) -> None:
    name = KINDS[kind]
    page.emulate_media(color_scheme="dark" if len(kind) % 2 else "light")
    exercise = opened(page, server, name)
    prompt = page.get_by_role("heading", level=2, name=question(exercise).prompt)
    expect(prompt).to_be_visible()
    expect(page.get_by_role("button", name="Show the answer")).to_be_hidden()
    assert violations(page) == []

    wrong = wrong_answer(exercise)
    fill(page, wrong)
    page.get_by_role("button", name="Check").click()
    says(page, "wrong", check(exercise, wrong).sentence)
    for number, hint in enumerate(exercise.hints, start=1):
        page.get_by_role("button", name=f"Hint {number} of {len(exercise.hints)}").click()
        expect(page.locator("#exercise-hints li").nth(number - 1)).to_have_text(hint)
    expect(page.locator("#exercise-hint")).to_be_hidden()
    expect(page.locator("#exercise-hints")).to_be_focused()
    expect(page.get_by_role("button", name="Show the answer")).to_be_visible()

    right = right_answer(exercise)
    fill(page, right)
    page.locator("#exercise-form :is(input, select)").last.press("Enter")
    says(page, "right", check(exercise, right).sentence)
    found = solution(exercise)
    for said in (found.answer, *found.explanation, exercise.learn):
        expect(page.locator(SAYS)).to_contain_text(said)
    expect(page.locator(PICTURES)).to_have_count(len(exercise.schedulers))
    expect(page.locator("#exercise-open a")).to_be_visible()
    assert violations(page) == []
    if kind == "reach":
        expect(page.locator("#exercise-tries tbody tr")).to_have_count(2)

    # This browser keeps it, until it is told to forget.
    page.reload()
    expect(page.locator("#exercise-solved")).to_be_visible()
    expect(page.locator(PICTURES)).to_have_count(len(exercise.schedulers))
    is_hidden = question(exercise).charts_until_ms is not None
    again = phrase("browser.answered_before") if is_hidden else ""
    expect(page.locator("#exercise-charts-about")).to_have_text(again)
    page.goto(f"{server.url}/exercises")
    done = page.locator(f'[data-exercise="{name}"]')
    expect(done).to_have_attribute("data-solved", "")
    expect(page.locator("#exercises-progress")).to_have_text(f"1 of {len(NAMES)} solved")
    page.get_by_role("button", name="Forget my progress").click()
    expect(page.locator("#exercises-progress")).to_have_text(f"0 of {len(NAMES)} solved")
    expect(page.locator("[data-solved]")).to_have_count(0)
    expect(page.locator("#exercises-progress")).to_be_focused()


def test_the_answer_is_shown_after_a_try_with_its_charts(page: Page, server: Server) -> None:
    exercise = opened(page, server, KINDS["reach"])
    fill(page, wrong_answer(exercise))
    page.get_by_role("button", name="Check").click()
    tried = page.locator(PICTURES).first.get_attribute("alt")
    page.get_by_role("button", name="Show the answer").click()
    says(page, "answer", solution(exercise).answer)
    expect(page.locator(PICTURES).first).not_to_have_attribute("alt", tried or "")
    expect(page.locator(PICTURES)).to_have_count(len(exercise.schedulers))
    page.goto(f"{server.url}/exercises")  # that is no answer of one's own
    expect(page.locator("#exercises-progress")).to_have_text(f"0 of {len(NAMES)} solved")


def test_an_empty_answer_is_asked_for_and_counts_for_nothing(page: Page, server: Server) -> None:
    opened(page, server, KINDS["first"])
    page.get_by_role("button", name="Check").click()
    expect(page.locator(f'{SAYS}[data-kind="fault"]')).not_to_be_empty()
    expect(page.get_by_role("button", name="Show the answer")).to_be_hidden()


def test_a_number_is_read_as_it_is_written_or_asked_for(page: Page, server: Server) -> None:
    exercise = opened(page, server, KINDS["makespan"])
    (field,) = question(exercise).fields
    control = page.locator(f'#exercise-form [name="{field.key}"]')
    for unreadable in ("", "1:76", "76 s"):
        control.fill(unreadable)
        page.get_by_role("button", name="Check").click()
        says(page, "fault", phrase("exercises.enter_a_number", field.title))
    expect(page.get_by_role("button", name="Show the answer")).to_be_hidden()
    seconds = right_answer(exercise)[field.key]
    control.fill(f"{seconds // 60:.0f}:{seconds % 60:02.0f}")
    page.get_by_role("button", name="Check").click()
    says(page, "right", check(exercise, {field.key: seconds}).sentence)


def test_all_of_it_can_be_done_by_keyboard(page: Page, server: Server) -> None:
    exercise = opened(page, server, KINDS["first"])
    jobs = [choice.value for choice in question(exercise).fields[0].choices]
    right = jobs.index(right_answer(exercise)["job"])
    page.locator("#exercise-prompt").click()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.type") == "radio":
            break
    page.keyboard.press("Space")
    for _ in range(right):
        page.keyboard.press("ArrowDown")
    expect(page.locator("#exercise-form :checked")).to_have_value(jobs[right])
    page.keyboard.press("Enter")
    says(page, "right", check(exercise, {"job": jobs[right]}).sentence)
    page.keyboard.press("Tab")  # from what is said onward
    expect(page.locator(".exercise-next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/exercises/{NAMES[NAMES.index(KINDS['first']) + 1]}$"))


def test_on_a_phone_the_question_is_first_and_a_wide_table_keeps_its_first_column(
    page: Page, server: Server
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    opened(page, server, "oldest-or-shortest")
    top = lambda part: page.locator(part).bounding_box()["y"]
    assert top(".exercise-question") < top(".exercise-scenario")
    table = page.locator(".exercise-state .exercise-table").nth(1)
    job = table.locator("tbody th").first
    left = job.bounding_box()["x"]
    assert table.evaluate("one => (one.scrollLeft = 150, one.scrollLeft)") == 150
    assert job.bounding_box()["x"] == left


def test_every_exercise_fits_a_phone(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{server.url}/exercises")
    expect(page.locator("#exercises-progress")).to_contain_text("solved")
    assert page.evaluate(SCROLLS) <= 0
    for name in NAMES:
        opened(page, server, name)
        assert page.evaluate(SCROLLS) <= 0, name
    fill(page, wrong_answer(course_exercise(NAMES[-1])))
    page.get_by_role("button", name="Check").click()
    expect(page.locator(f"{SAYS} h3")).to_be_in_viewport()
    assert page.evaluate(SCROLLS) <= 0


OTHERS = [pytest.param(name, marks=pytest.mark.everything) for name in NAMES if name not in KINDS.values()]


@pytest.mark.parametrize("name", [*KINDS.values(), *OTHERS])
def test_the_answer_is_nowhere_before_it_is_given(page: Page, server: Server, name: str) -> None:
    bodies: list[str] = []

    def note(response: Response) -> None:
        if "/exercise" in response.url or "_dash-update" in response.url:
            bodies.append(response.text())

    page.on("response", note)
    exercise = opened(page, server, name)
    found, until_ms = solution(exercise), question(exercise).charts_until_ms
    sources = [page.content(), *bodies]
    assert len(sources) > 2
    for said in (found.answer, *found.explanation):
        assert all(said not in text and json.dumps(said) not in text for text in sources)
    if until_ms == 0:
        expect(page.locator("#exercise-charts-about")).not_to_be_empty()
        assert page.locator(PICTURES).count() == 0
    elif until_ms is not None:
        for source in page.locator(PICTURES).evaluate_all("all => all.map((one) => one.src)"):
            drawn = base64.b64decode(source.partition(",")[2]).decode()
            clocks = re.findall(r'class="time">(\d+):(\d\d)(?:\.\d+)?<', drawn)
            assert clocks
            assert (
                max(60_000 * int(minutes) + 1000 * int(seconds) for minutes, seconds in clocks)
                <= 1.02 * until_ms
            )
    page.remove_listener("response", note)


def test_a_setting_is_changed_back_to_the_start_and_nothing_tried_is_lost(page: Page, server: Server) -> None:
    exercise = opened(page, server, KINDS["reach"])
    present = {field.key: field.value for field in question(exercise).fields}
    fill(page, right_answer(exercise))
    page.get_by_role("button", name="Check").click()
    expect(page.locator(f'{SAYS}[data-kind="right"]')).to_be_visible()
    page.get_by_role("button", name=phrase("browser.back_to_the_start")).click()
    expect(page.locator(SAYS)).to_be_empty()
    for key, value in present.items():
        field = page.locator(f'#exercise-form [name="{key}"]')
        if field.count() == 1:
            expect(field).to_have_value(f"{value:g}" if isinstance(value, (int, float)) else str(value))
    expect(page.locator("#exercise-tries tbody tr")).to_have_count(1)
    page.reload()
    expect(page.locator("#exercise-tries tbody tr")).to_have_count(1)


def test_when_the_server_is_away_the_answer_stays(page: Page, server: Server) -> None:
    exercise = opened(page, server, KINDS["first"])
    right = right_answer(exercise)
    fill(page, right)
    page.route("**/exercise/check", lambda route: route.abort())
    page.get_by_role("button", name="Check").click()
    expect(page.locator(f'{SAYS}[data-kind="fault"]')).to_contain_text("does not answer")
    page.unroute("**/exercise/check")
    page.get_by_role("button", name="Check").click()
    says(page, "right", check(exercise, right).sentence)
    page.complaints.clear()
