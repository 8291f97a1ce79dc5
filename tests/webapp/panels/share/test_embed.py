"""The snippet and what oEmbed says."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from engine.dashboard import course_exercise
from webapp.panels.share import embed

PAGE = "http://localhost/?preset=wordcount&s=fair&s=haste&t=5"
EXERCISE = "http://localhost/exercises/first-to-finish"


@pytest.fixture
def client(data: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    monkeypatch.setenv("GANTRY_EMBED", "https://lms.example.org")
    from webapp.app import make

    return make().server.test_client()


def test_a_title_is_text_in_the_snippet() -> None:
    text = embed.snippet("https://gantry.example/?r=1", '"><script>')
    assert "<script>" not in text and 'title="&quot;&gt;&lt;script&gt;"' in text
    assert unescape(text).startswith('<iframe src="https://gantry.example/?r=1&embed=1"')
    assert 'src="https://gantry.example/?embed=1" title="Gantry"' in embed.snippet(
        "https://gantry.example/", ""
    )


def test_oembed_tells_of_the_pages_that_may_stand_in_a_frame(client: FlaskClient) -> None:
    told = client.get("/oembed", query_string={"url": PAGE, "maxwidth": 400, "format": "json"}).json
    assert (told["type"], told["version"], told["width"], told["height"]) == ("rich", "1.0", 400, 600)
    assert told["title"] == "Four WordCount jobs"
    assert f'src="{PAGE}&embed=1"' in unescape(told["html"])
    assert (
        client.get("/oembed", query_string={"url": EXERCISE}).json["title"]
        == course_exercise("first-to-finish").title
    )
    assert client.get("/oembed", query_string={"url": "http://localhost"}).json["title"].startswith("Gantry")
    for asked, width in (("-5", 1), ("0", 1), ("99999", 960), ("wide", 960)):
        assert client.get("/oembed", query_string={"url": PAGE, "maxwidth": asked}).json["width"] == width
    for other in (
        PAGE.replace("http", "ftp"),
        "//localhost/",
        "http://evil.example/",
        "http://localhost/papers",
        f"{EXERCISE}-not",
        "http://[",
        "",
    ):
        assert client.get("/oembed", query_string={"url": other}).status_code == 404
    assert client.get("/oembed", query_string={"url": PAGE, "format": "xml"}).status_code == 501


def test_documents_name_where_it_is(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    found = re.search(
        r'<link rel="alternate" type="application/json\+oembed" href="([^"]*)">', client.get(PAGE).text
    )
    assert client.get(unescape(found[1])).json["title"] == "Four WordCount jobs"
    assert "json+oembed" not in client.get("/papers").text
    monkeypatch.delenv("GANTRY_EMBED")
    assert "json+oembed" not in client.get(PAGE).text
    assert client.get("/oembed", query_string={"url": PAGE}).status_code == 404
