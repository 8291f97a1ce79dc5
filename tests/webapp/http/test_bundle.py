"""Files named by what is in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from webapp.http import bundle
from webapp.http.bundle import Bundle

TEXT = "all work and no play " * 500
GZIP = {"Accept-Encoding": "gzip, br"}


@pytest.fixture
def server() -> Flask:
    return Flask("test")


@pytest.fixture
def files(server: Flask) -> Bundle:
    return Bundle(server, "/")


@pytest.fixture
def client(server: Flask, files: Bundle) -> FlaskClient:
    return server.test_client()


def test_an_address_names_what_is_in_the_file(files: Bundle) -> None:
    one, same, other = files.add("a.js", TEXT), files.add("a.js", TEXT), files.add("a.js", TEXT + " ")
    assert one == same == f"/bundle/{bundle.digest(TEXT.encode())}/a.js"
    assert other != one


def test_a_file_is_kept_for_a_year(files: Bundle, client: FlaskClient) -> None:
    answer = client.get(files.add("a.css", TEXT))
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert (answer.mimetype, answer.text) == ("text/css", TEXT)


def test_what_the_browser_has_is_not_sent_again(files: Bundle, client: FlaskClient) -> None:
    address = files.add("a.js", TEXT)
    for accepted in (GZIP, {}):
        tag = client.get(address, headers=accepted).headers["ETag"]
        again = client.get(address, headers={**accepted, "If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")
        assert client.get(address, headers={**accepted, "If-None-Match": '"other"'}).status_code == 200


def test_a_late_file_is_read_once_and_when_it_is_asked_for(files: Bundle, client: FlaskClient) -> None:
    read = []
    address = files.add_late("v1", "part/a.js", lambda: read.append(1) or TEXT.encode())
    assert (address, read) == ("/bundle/v1/part/a.js", [])
    assert [client.get(address, headers=GZIP).text for _ in range(3)] == [TEXT] * 3
    assert read == [1]


@pytest.mark.parametrize(
    "path", ["/bundle/v1/b.js", "/bundle/v2/a.js", "/bundle/", "/bundle/v1/../v1/b.js", "/bundle/v1/%00"]
)
def test_another_version_and_any_other_path_are_not_there(
    files: Bundle, client: FlaskClient, path: str
) -> None:
    files.add_late("v1", "a.js", TEXT.encode)
    assert client.get(path).status_code == 404


def test_messages_stand_before_the_scripts_as_they_are() -> None:
    messages = {"a.b": 'say "{name}" …', "a.c": "{{}}"}
    script = bundle.messages_script(messages)
    assert json.loads(script.partition("gantryMessages ??= {}, ")[2].rstrip(");\n")) == messages


def test_styles_are_joined_in_order_each_with_its_name(tmp_path: Path) -> None:
    for name in ("b.css", "a.css"):
        (tmp_path / name).write_text(f"/* within {name} */")
    assert bundle.join_styles(tmp_path) == "/* a.css */\n/* within a.css */\n/* b.css */\n/* within b.css */"
