"""What a chat shows of a link, and that nobody holds the server up by asking for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape

import pytest
from flask.testing import FlaskClient

from tests.phrases import phrase, phrase_pattern
from tests.webapp.conftest import forget
from webapp.figures import link_picture
from webapp.panels.share import preview
from webapp.runs import run_cache
from webapp.runs.cache import shared_cache
from webapp.runs.task import Task, build_task
from webapp.runs.task_link import make_link, with_title
from webapp.url import links
from webapp.url.url_state import RunRequest

HOSTILE = "\"><script>alert(1)</script>{%scripts%}&amp;'"
PAGE = phrase("webapp.gantry_side_by_side")


@pytest.fixture
def client(data, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    from webapp.app import make

    with make().server.test_client() as client:
        yield client
    forget()


@pytest.fixture
def task(client: FlaskClient, small: dict) -> Task:
    return build_task(RunRequest(small, ("fair", "fifo")))


def head(client: FlaskClient, address: str, **more) -> dict[str, str]:
    """What the document says of itself."""
    text = client.get(address, **more).text
    tags = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', text))
    assert text.count('og:image"') == 1 and text.count("<title>") == 1
    tags["title"] = re.search("<title>(.*?)</title>", text)[1]
    return {key: unescape(value) for key, value in tags.items()}


def test_a_link_says_what_its_sharer_says(client: FlaskClient, task: Task) -> None:
    link = make_link(with_title(task, "For the class"), task, "Look at the reduces.")
    said = head(client, f"/?r={link.id}")
    assert said["title"] == said["og:title"] == phrase("webapp.window_title", "For the class")
    assert said["og:description"] == said["description"] == "Look at the reduces."
    assert said["og:image"] == said["twitter:image"] == f"http://localhost/preview/{link.id}.png"
    assert (said["og:image:width"], said["og:image:height"]) == ("1200", "630")
    assert said["twitter:card"] == "summary_large_image"
    assert said["twitter:image:alt"] == said["og:image:alt"]
    assert 'property="twitter:' not in client.get(f"/?r={link.id}").text
    assert client.get(f"/preview/{link.id}.png").data.startswith(b"\x89PNG")


def test_a_link_without_a_sentence_says_what_came_of_it(client: FlaskClient, task: Task) -> None:
    said = head(client, f"/?r={make_link(task).id}")
    assert said["title"] == phrase("webapp.window_title", "small")
    times = phrase_pattern("webapp.makespan_of_two", r"[\d.]+ s", r"[\d.]+ s")
    assert re.fullmatch(times, said["og:description"])


@pytest.mark.parametrize("query", ["", "?r=", "?r=0123456789abcdef", "?r=../x", "?r=%00", "?r=a&r=b"])
def test_the_page_without_a_link_says_what_it_is(client: FlaskClient, query: str) -> None:
    said = head(client, f"/{query}")
    assert said["title"] == said["og:title"] == PAGE
    assert said["og:image"] == "http://localhost/preview/first.png"
    assert said["og:url"] == said["twitter:url"]


def test_a_page_of_text_has_its_own_title(client: FlaskClient) -> None:
    assert head(client, "/papers")["title"] == phrase("webapp.window_title", "Papers")


def test_the_address_of_the_picture_is_the_one_the_visitor_came_by(
    data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GANTRY_PROXIES", "1")
    monkeypatch.setenv("DASH_URL_BASE_PATHNAME", "/behind/")
    from webapp.app import make

    with make().server.test_client() as client:
        came_by = {"Host": "gantry.example:8443", "X-Forwarded-Proto": "https", "X-Forwarded-For": "1.2.3.4"}
        image = head(client, "/behind/", headers=came_by)["og:image"]
        assert image == "https://gantry.example:8443/behind/preview/first.png"
        said = head(client, "/behind/?r=0123456789abcdef&x0=5", headers=came_by)
        assert said["og:url"] == "https://gantry.example:8443/behind/?r=0123456789abcdef&x0=5"
        assert client.get("/behind/preview/first.png").status_code == 200
    forget()


def test_what_a_sharer_writes_is_text(client: FlaskClient, task: Task) -> None:
    link = make_link(with_title(task, HOSTILE), task, HOSTILE)
    text = client.get(f"/?r={link.id}").text
    assert "alert(1)</script>" not in text and HOSTILE not in text
    said = head(client, f"/?r={link.id}")
    assert said["title"] == phrase("webapp.window_title", HOSTILE) and said["og:description"] == HOSTILE
    assert client.get("/?r={%25scripts%25}").text.count("<script ") == client.get("/").text.count("<script ")
    assert "<script>alert" not in client.get("/?r=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").text


def test_a_picture_is_drawn_once(client: FlaskClient, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = link_picture.link_picture
    monkeypatch.setattr(preview, "link_picture", lambda *given: drawn.append(1) or draw(*given))
    address = f"/preview/{make_link(task).id}.png"
    first = client.get(address)
    assert first.mimetype == "image/png" and "max-age=86400" in first.headers["Cache-Control"]
    assert first.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert client.get(address).data == first.data
    assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert drawn == [1]


@pytest.mark.parametrize("id", ["0" * 16, "x", "FIRST", "a" * 500, "%00", "..", "0" * 15 + "G"])
def test_of_a_link_that_is_not_there_is_no_picture(client: FlaskClient, id: str) -> None:
    assert client.get(f"/preview/{id}.png").status_code == 404


def test_a_link_that_was_deleted_has_no_picture(client: FlaskClient, task: Task) -> None:
    link = make_link(task)
    assert client.get(f"/preview/{link.id}.png").status_code == 200
    links.link_store().delete([link.id])
    assert client.get(f"/preview/{link.id}.png").status_code == 404


def test_what_takes_long_is_not_run_for_a_picture(
    client: FlaskClient, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the numbers that the link keeps, and is asked for again soon."""
    link = make_link(task)
    shared_cache.flush()
    shared_cache._cache.clear()
    shared_cache.hold_at_most(1)
    monkeypatch.setattr(run_cache, "estimate_seconds", lambda *_: 1e9)
    monkeypatch.setattr(run_cache, "_run", lambda *_: pytest.fail("it was run"))
    answer = client.get(f"/preview/{link.id}.png")
    assert answer.data.startswith(b"\x89PNG") and "max-age=60" in answer.headers["Cache-Control"]
    odd = replace(
        link, id="0" * 16, scenario={}, schedulers=("nonsense(", "b"), metrics=[{}, {"makespan_s": "x"}]
    )
    links.link_store().save(odd)
    assert client.get(f"/preview/{odd.id}.png").status_code == 200
    assert client.get(f"/?r={odd.id}").status_code == 200


def test_a_picture_does_not_count_as_opening_the_link(client: FlaskClient, task: Task) -> None:
    opened = links.now().replace(year=2020)
    link = make_link(task)
    stored = links.link_store().find_stored(link.id)
    links.link_store().delete([link.id])
    links.link_store().add([stored._replace(opened=opened)])
    client.get(f"/preview/{link.id}.png")
    assert links.link_store().find_stored(link.id).opened == opened


def test_a_database_that_is_away_costs_the_preview_alone(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = links.LinkStore("postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    monkeypatch.setattr(preview, "link_store", lambda: away)
    assert head(client, "/?r=0123456789abcdef")["title"] == PAGE
    answer = client.get("/preview/0123456789abcdef.png")
    assert answer.status_code == 503 and "does not answer" in answer.text
