"""Files joined, packed once and named by what is in them."""

from __future__ import annotations

import gzip
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


def test_a_file_is_kept_for_a_year_and_packed_for_who_can_unpack(files: Bundle, client: FlaskClient) -> None:
    address = files.add("a.css", TEXT)
    packed, plain = (
        client.get(address, headers=GZIP),
        client.get(address, headers={"Accept-Encoding": "gzip;q=0"}),
    )
    assert {answer.headers["Cache-Control"] for answer in (packed, plain)} == {
        "public, max-age=31536000, immutable"
    }
    assert {answer.headers["Vary"] for answer in (packed, plain)} == {"Accept-Encoding"}
    assert {answer.mimetype for answer in (packed, plain)} == {"text/css"}
    assert (packed.headers["Content-Encoding"], gzip.decompress(packed.data).decode()) == ("gzip", TEXT)
    assert int(packed.headers["Content-Length"]) == len(packed.data) < 500
    assert ("Content-Encoding" in plain.headers, plain.text) == (False, TEXT)


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
    assert [gzip.decompress(client.get(address, headers=GZIP).data).decode() for _ in range(3)] == [TEXT] * 3
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
    assert json.loads(script.partition(".messages = ")[2].rstrip(";\n")) == messages


def test_scripts_and_styles_are_joined_in_order_each_with_its_name(tmp_path: Path) -> None:
    for name in ("b.js", "a.js", "tools.js", "state.js", "b.css", "a.css"):
        (tmp_path / name).write_text(f"/* within {name} */")
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor" / "c.js").write_text("no")
    assert bundle.join_scripts(tmp_path) == "".join(
        f'try {{\n(function (gantry) {{\n"use strict";\n/* within {name} */\n}})(window.gantry = '
        f"window.gantry || {{}});\n"
        f'}} catch (error) {{\n  console.error("{name}:", error);\n}}\n'
        for name in ("state.js", "tools.js", "a.js", "b.js")
    )
    assert bundle.join_styles(tmp_path) == "/* a.css */\n/* within a.css */\n/* b.css */\n/* within b.css */"
