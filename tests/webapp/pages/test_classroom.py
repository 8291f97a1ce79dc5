"""The pages of a class as a server answers them; and the secret of an overview is handed on to nobody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask, session
from flask.testing import FlaskClient

from engine.dashboard import course
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from webapp.classroom.classes import create_class, delete_class
from webapp.pages import classroom
from webapp.store.database import database

NAME = next(iter(course()[0].exercises))


@pytest.fixture
def made(client: FlaskClient) -> Iterator[tuple[str, str]]:
    """A class's id and secret."""
    id, secret = create_class("Winter <b>", [NAME], 30, "teacher")
    yield id, secret
    delete_class(secret)


@pytest.fixture
def asked(client: FlaskClient) -> Iterator[Flask]:
    """A request without cookies."""
    with client.application.test_request_context("/"):
        yield client.application


def test_a_class_has_two_pages(client: FlaskClient, made: tuple[str, str]) -> None:
    id, secret = made
    assert [client.get(path).status_code for path in (f"/class/{id}", f"/overview/{secret}")] == [200, 200]
    for path in (
        f"/class/{secret}",
        f"/overview/{id}",
        "/class/" + "0" * 16,
        "/overview/" + "0" * 32,
        "/class/",
    ):
        assert client.get(path).status_code == 404, path


def test_one_that_was_deleted_has_none(client: FlaskClient) -> None:
    id, secret = create_class("", [NAME], 30, "teacher")
    delete_class(secret)
    assert [client.get(path).status_code for path in (f"/class/{id}", f"/overview/{secret}")] == [404, 404]
    assert phrase("classroom.ask_your_teacher") in words(classroom.entry(id))
    assert phrase("classroom.secret_not_complete") in words(classroom.teacher_layout(secret))


def test_the_secret_is_handed_on_to_nobody(client: FlaskClient, made: tuple[str, str]) -> None:
    answer = client.get(f"/overview/{made[1]}")
    assert (
        answer.headers["Referrer-Policy"] == "no-referrer" and answer.headers["Cache-Control"] == "no-store"
    )
    assert client.get(f"/class/{made[0]}").headers["Referrer-Policy"] == "same-origin"
    assert made[1] not in client.get(f"/class/{made[0]}").get_data(as_text=True)


def test_a_student_without_cookies_is_told(asked: Flask, made: tuple[str, str]) -> None:
    assert phrase("classroom.no_cookies") in words(classroom.entry(made[0]))


def test_a_student_sees_the_exercises_and_what_is_kept(asked: Flask, made: tuple[str, str]) -> None:
    session["visitor"] = "ann"
    page = classroom.entry(made[0])
    assert f"/exercises/{NAME}?class={made[0]}" in as_json(page)
    assert "Winter <b>" in words(page) and phrase("classroom.what_is_kept") in words(page)


def test_a_teacher_sees_who_is_where(asked: Flask, made: tuple[str, str]) -> None:
    page = classroom.teacher_layout(made[1])
    assert f"/class/{made[0]}" in as_json(page) and phrase("classroom.what_is_kept") in words(page)


def test_a_database_that_is_away_is_a_sentence(asked: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:9/nothing")
    database.cache_clear()
    try:
        assert classroom.has_page("class", "0" * 16) and classroom.has_page("overview", "0" * 32)
        for page in (classroom.entry("0" * 16), classroom.teacher_layout("0" * 32)):
            assert phrase("classroom.database_away") in words(page)
        assert "Gantry" in classroom.title("0" * 16)
    finally:
        database.cache_clear()
