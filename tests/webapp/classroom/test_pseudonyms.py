"""Who a student is, and what is kept of it."""

from __future__ import annotations

import pytest
from flask import Flask, session

from webapp.classroom.pseudonyms import is_hash_of, new_secret, pseudonym, secret_hash, visitor


def test_a_visitor_is_who_sends_the_cookie_back(data: object) -> None:
    assert visitor() is None
    server = Flask("test")
    server.secret_key = "key"
    with server.test_request_context("/"):
        assert visitor() is None
        session["visitor"] = "ann"
        assert visitor() == "ann"


def test_a_pseudonym_is_another_in_each_class_and_on_each_server(
    data: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = pseudonym("one", "ann")
    assert first == pseudonym("one", "ann") and len(first) == 64
    assert len({first, pseudonym("two", "ann"), pseudonym("one", "bob")}) == 3
    monkeypatch.setenv("SECRET_KEY", "another")
    assert pseudonym("one", "ann") != first


def test_of_a_secret_its_hash_is_kept() -> None:
    secret, other = new_secret(), new_secret()
    assert secret != other and secret not in secret_hash(secret)
    assert is_hash_of(secret_hash(secret), secret) and not is_hash_of(secret_hash(secret), other)
