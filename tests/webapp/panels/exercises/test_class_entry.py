"""Who joins a class; and who joins it after somebody else at the same computer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import session
from flask.testing import FlaskClient

from engine.dashboard import course
from tests.phrases import phrase
from webapp.classroom.classes import ClassError, create_class, delete_class, find_student, progress, record
from webapp.classroom.pseudonyms import visitor
from webapp.panels.exercises.class_entry import joined

NAME = next(iter(course()[0].exercises))


@pytest.fixture
def class_id(client: FlaskClient) -> Iterator[str]:
    """A class, asked for by Ann, who has answered."""
    id, secret = create_class("", [NAME], 30, "teacher")
    with client.application.test_request_context("/"):
        session["visitor"] = "ann"
        assert joined(id, "Ann", False) == phrase("browser.you_are_in_class", "Ann")
        record(id, "ann", NAME, {}, "", True)
        yield id
    delete_class(secret)


def test_a_student_changes_the_name(class_id: str) -> None:
    assert joined(class_id, "Anna", False) == phrase("browser.you_are_in_class", "Anna")
    assert visitor() == "ann"
    assert find_student(class_id, "ann") == (1, "Anna")


def test_someone_else_is_another_student(class_id: str) -> None:
    assert joined(class_id, "", True) == phrase("browser.you_are_in_class", "Student 2")
    own = visitor()
    assert own and own != "ann"
    assert progress(class_id, own) == {}
    assert find_student(class_id, "ann") == (1, "Ann")
    assert progress(class_id, "ann")[NAME].solved_at_try == 1


def test_who_could_not_join_is_nobody_else(class_id: str) -> None:
    with pytest.raises(ClassError):
        joined(class_id, "x" * 41, True)
    assert visitor() == "ann"
