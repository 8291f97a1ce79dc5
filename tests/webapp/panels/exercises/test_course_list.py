"""The course's list: every lesson and exercise, its kind in plain words, the way from one to the next."""

from __future__ import annotations

import pytest
from dash import Dash

from engine.dashboard import course
from tests.webapp.layout_reading import as_json, words
from tests.webapp.panels.exercises.small_pages import EXERCISES
from webapp.panels.exercises import course_list

NAMES = [name for lesson in course() for name in lesson.exercises]


@pytest.fixture(autouse=True)
def app() -> Dash:
    return Dash("test")


def test_every_lesson_and_exercise_is_listed_with_its_kind_and_what_it_teaches() -> None:
    layout = course_list.layout()
    text, links = words(layout), as_json(layout)
    for number, lesson in enumerate(course(), start=1):
        assert f"Lesson {number}.  {lesson.title}" in text
        assert lesson.about in text
        for name, exercise in lesson.exercises.items():
            assert f"{exercise.title} {exercise.learn} {course_list.kind_text(exercise)}" in text
            assert f'"/exercises/{name}"' in links


def test_each_kind_has_words_of_its_own() -> None:
    kinds = {course_list.kind_text(exercise) for exercise in EXERCISES.values()}
    assert len(kinds) == len(EXERCISES)


def test_previous_and_next_go_through_the_whole_course() -> None:
    walked, at = [NAMES[0]], course_list.neighbours(NAMES[0])[1]
    while at:
        assert course_list.neighbours(at[0])[0][0] == walked[-1]
        walked.append(at[0])
        at = course_list.neighbours(at[0])[1]
    assert walked == NAMES
    assert course_list.neighbours("nothing") == (None, None)
    assert course_list.lesson_title("nothing") == ""


def test_an_exercise_of_a_class_keeps_its_class_in_its_address() -> None:
    assert course_list.exercise_address("one") == "/exercises/one"
    assert course_list.exercise_address("one", "a&b") == "/exercises/one?class=a%26b"
