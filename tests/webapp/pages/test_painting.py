"""What is painted before any script has run: what the server has, as the visitor last looked at it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from engine import presets
from tests.phrases import phrase
from webapp.app import app, server
from webapp.pages import painting
from webapp.runs import saved_tasks, warm_up
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest

SAYS = phrase("report.story_begins")
LOOK = {"width": 400, "height": 300, "room": 64, "strips": {"memory": 30}, "columns": 1, "dark": True}


@pytest.fixture(autouse=True)
def is_ready(cache: SharedCache) -> Iterator[None]:
    before = warm_up.ready.is_set()
    warm_up.ready.set()
    yield
    if not before:
        warm_up.ready.clear()


def painted(query: dict | None = None, cookie: object = None, agent: str = "Desktop") -> str:
    headers = {"User-Agent": agent}
    if cookie is not None:
        text = cookie if isinstance(cookie, str) else json.dumps(cookie)
        headers["Cookie"] = f"{painting.COOKIE}={quote(text)}"
    with server.test_request_context("/", headers=headers):
        return painting.html(query or {})


def lanes(html: str) -> list[str]:
    return re.findall(r'<article class="lane" data-place="(\d+)"', html)


def example_key() -> str:
    task = build_task(RunRequest(presets()[0].scenario.plain(), warm_up.FIRST_SCHEDULERS))
    saved_tasks.save_task(task).result()
    return task.key


def test_a_first_visit_sees_the_example_stretched_to_the_room_there_is() -> None:
    html = painted()
    assert SAYS in html and lanes(html) == ["0", "1"]
    assert 'class="first-paint stretched"' in html and 'preserveAspectRatio="none"' in html
    assert " id=" not in html.replace('id="first-paint"', "")  # the page has the same ids once more
    assert lanes(painted(agent="Mobile")) == ["0"]
    assert "Waiting" in html and "<script" not in html


def test_the_next_visit_sees_the_charts_as_large_as_they_were() -> None:
    html = painted(cookie={"key": example_key(), **LOOK, "rail": "open", "drawer": "open", "size": 300})
    assert "stretched" not in html and '<div class="rows" style="height:300px">' in html
    assert 'data-rail="open"' in html and "--drawer-px:300px" in html and "color-scheme:dark" in html
    # of another result the sizes say nothing
    assert "stretched" in painted(
        cookie={"key": example_key(), **LOOK}, query={"preset": "random-durations", "s": "fifo"}
    )


def test_a_drafts_last_result_is_painted_while_the_server_has_it(small: dict) -> None:
    task = build_task(RunRequest(small, ("fifo",)))
    saved_tasks.save_task(task).result()
    assert lanes(painted(cookie={"key": task.key, **LOOK})) == ["0"]
    # a draft that was changed since, or one that is gone
    assert painted(cookie={"key": "", **LOOK}) == painted(cookie={"key": "0" * 16, **LOOK}) == ""


def test_what_an_address_asks_for_is_what_is_painted() -> None:
    html = painted({"preset": "wordcount", "s": ["fifo", "fair"]})
    assert ">fifo</span>" in html and ">fair</span>" in html
    assert painted({"preset": "wordcount"}) == painted({"r": "no-such-link"}) == ""
    assert 'data-presenting=""' in painted({"present": "1"})


@pytest.mark.parametrize(
    "cookie",
    [
        "",
        "{",
        "[]",
        "x" * 5000,
        {"key": 3},
        {"key": ["a"], "look": {}},
        {"width": "wide", "strips": 7, "columns": [], "dock": {}, "size": "9" * 400, "dark": "no"},
        {"key": None},
    ],
)
def test_a_cookie_that_no_page_wrote_is_no_error(cookie: object) -> None:
    assert painted(cookie=cookie) in (painted(), "")


def test_nothing_is_painted_before_the_simulator_is_ready_nor_on_other_pages() -> None:
    warm_up.ready.clear()
    assert painted() == ""
    warm_up.ready.set()
    client = app.server.test_client()
    assert b"first-paint" in client.get("/").data and b"first-paint" not in client.get("/help").data
