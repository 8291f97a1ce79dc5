"""Long work by its addresses: begun, followed, cancelled, begun again, lost; and whatever a stranger may
send.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from dash import Dash, html
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import GantryError
from tests.waiting import until
from webapp.jobs import job_manager as jobs
from webapp.jobs.job_manager import TASK_EXPIRED, Cancelled, JobControl, Progress, job_manager
from webapp.jobs.job_runner import JOB_TYPES
from webapp.panels import long_work
from webapp.panels.long_work import Begun, LongWork
from webapp.runs.cache import SharedCache

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
REFUSED = "no number"


def begin(sent: dict) -> Begun:
    if type(sent.get("count")) is not int:
        raise GantryError(REFUSED)
    asked = {"count": sent["count"]}
    return Begun(*job_manager.start("counting", asked, 4, 0.1, 0.01), asked)


def answer(asked: Any, progress: Progress, sent: dict) -> dict[str, Any]:
    if progress.is_active:
        return {"found": {"so far": progress.done}}
    return {"found": asked} if progress.state == "finished" else {}


def says(progress: Progress) -> str:
    return f"{progress.done} of {progress.total}"


WORK = LongWork("counting", begin, says, answer, not_kept="It is lost.", cancelled="It was cancelled.")


@pytest.fixture
def go(cache: SharedCache, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The counting waits until this is set, or it is cancelled."""
    event = threading.Event()

    def count(arguments: dict, control: JobControl) -> None:
        control.report(1, "counting")
        until(lambda: event.is_set() or control.cancelled())
        if control.cancelled():
            raise Cancelled
        if arguments["count"] < 0:
            raise GantryError("It went below 0.")

    monkeypatch.setitem(JOB_TYPES, "counting", count)
    yield event
    event.set()


@pytest.fixture
def client(go: threading.Event) -> Iterator[FlaskClient]:
    app = Dash("jobs", server=Flask("jobs"))
    app.layout = html.Div()
    long_work.bind(app, WORK)
    with app.server.test_client() as client:
        yield client


def post(client: FlaskClient, act: str, body: object) -> dict[str, Any]:
    result = client.post(f"/jobs/counting/{act}", json=body)
    assert result.status_code == 200
    return result.get_json()


def ended(client: FlaskClient, begun: dict[str, Any]) -> dict[str, Any]:
    """The answer at its end."""
    ask = lambda: post(client, "follow", {"job": begun["job"]})
    return until(lambda: None if "job" in (now := ask()) else now)


def test_it_is_followed_to_what_was_found(client: FlaskClient, go: threading.Event) -> None:
    begun = post(client, "start", {"count": 3})
    follow = until(
        lambda: now if (now := post(client, "follow", {"job": begun["job"]}))["percent"] > 25 else None
    )
    assert (follow["state"], follow["says"], follow["wait"]) == ("running", "1 of 4", 0)
    assert follow["job"] == begun["job"] and follow["job"]["asked"] == {"count": 3}
    assert follow["found"] == {"so far": 1} and follow["percent"] == 100 * 1.3 / 4
    go.set()
    assert ended(client, begun) == {"says": "", "state": "finished", "found": {"count": 3}}


def test_it_is_cancelled(client: FlaskClient) -> None:
    begun = post(client, "start", {"count": 3})
    assert post(client, "cancel", {"job": begun["job"]}) == {}
    assert ended(client, begun) == {"says": "It was cancelled.", "state": "cancelled"}


def test_what_visitors_share_nobody_cancels(client: FlaskClient, go: threading.Event) -> None:
    begun = post(client, "start", {"count": 4})
    assert long_work.cancel(replace(WORK, is_shared=True), {"job": begun["job"]}) == {}
    go.set()
    assert ended(client, begun)["state"] == "finished"


def test_its_own_failure_is_told(client: FlaskClient, go: threading.Event) -> None:
    begun = post(client, "start", {"count": -1})
    go.set()
    assert ended(client, begun) == {"says": "It went below 0.", "state": "failed"}


def test_what_can_not_be_begun_is_told_and_nothing_is_shown(client: FlaskClient) -> None:
    assert post(client, "start", {}) == {"says": REFUSED, "state": "failed", "found": None}


def test_what_the_server_no_longer_knows_is_lost(client: FlaskClient) -> None:
    answer = post(client, "follow", {"job": {"id": "0" * 16, "asked": {}}})
    assert answer == {"says": TASK_EXPIRED, "state": "failed", "lost": True}


@pytest.mark.parametrize(
    ("progress", "expected"),
    [
        (Progress(4, 4, "", "finished"), {"says": "It is lost.", "state": "failed"}),
        (
            Progress(1, 4, "", "cancelled", "Nobody followed it."),
            {"says": "Nobody followed it.", "state": "cancelled", "lost": True},
        ),
    ],
)
def test_an_end_without_a_result_says_why(progress: Progress, expected: dict) -> None:
    nothing = LongWork("nothing", begin, says, lambda *_: {}, not_kept="It is lost.")
    assert long_work.status(nothing, Begun("a", progress, {}), {}) == expected


@pytest.mark.parametrize(
    ("progress", "wait"),
    [
        (Progress(0, 4, "", "queued"), 1000),
        (Progress(0, 4, "", "running"), 250),
        (Progress(0, 4, "", "running", is_local=True), 0),
    ],
)
def test_what_waits_is_asked_after_less_often(progress: Progress, wait: int) -> None:
    quick = LongWork("quick", begin, says, lambda *_: {}, poll_s=0.25)
    assert long_work.status(quick, Begun("a", progress, {}), {})["wait"] == wait


def test_no_count_of_steps_is_more_than_all() -> None:
    for progress in (Progress(4, 4, ""), Progress(1, 0, ""), Progress(9, 4, "")):
        assert long_work.status(WORK, Begun("a", progress, {}), {})["percent"] == 100


def test_a_result_that_nobody_kept_is_made_again_and_not_for_ever() -> None:
    finished = Progress(4, 4, "", "finished")

    def again(asked: Any, progress: Progress, sent: dict) -> dict[str, Any] | Begun:
        return Begun("", finished, asked - 1) if asked else {"found": "it"}

    work = LongWork("again", begin, says, again, not_kept="It is lost.")
    assert long_work.status(work, Begun("", finished, long_work.MAX_BEGUN_AGAIN - 1), {})["found"] == "it"
    assert long_work.status(work, Begun("", finished, 99), {}) == {"says": "It is lost.", "state": "failed"}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"3", b"\xff"])
@pytest.mark.parametrize("act", ["start", "follow", "cancel", "nothing"])
def test_what_is_no_object_is_refused(client: FlaskClient, act: str, body: bytes) -> None:
    answer = client.post(f"/jobs/counting/{act}", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert client.post(f"/jobs/nothing/{act}", data=body).status_code in (404, 405)


@given(st.sampled_from(("start", "follow", "cancel")), st.dictionaries(st.text(), JSON, max_size=3), JSON)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_is_sent_is_answered(client: FlaskClient, act: str, sent: dict, job: Any) -> None:
    for body in (sent, {**sent, "job": job}, {**sent, "job": {"id": "\ud800", "asked": job}}):
        answer = post(client, act, body)
        assert answer == {} if act == "cancel" else answer["says"] and answer["state"] == "failed"


def test_what_needs_the_database_while_it_is_away_is_told(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise jobs.StoreError("The database does not answer.")

    monkeypatch.setattr(job_manager, "start", away)
    assert post(client, "start", {"count": 1})["says"] == "The database does not answer."


def test_a_panel_has_what_the_script_fills() -> None:
    made = json.dumps(long_work.layout("it", "How far it is"), default=lambda one: one.to_plotly_json())
    for id in ("says", "progress", "under-way", "cancel", "ask", "found", "state"):
        assert f'"id": "it-{id}"' in made
