"""Runs as the page asks for them, with the engine: begun, followed, cancelled; and whatever a stranger may
send instead.
"""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Iterator

import pytest
import sqlalchemy as sql
from dash import Dash, html
from flask import Flask
from flask.testing import FlaskClient

from engine import GantryError, simulate
from engine.dashboard import expand_0_1
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S
from tests.webapp.followed_work import followed
from webapp import settings, theme
from webapp.jobs import job_manager
from webapp.jobs.job_manager import Progress
from webapp.jobs.job_queue import UNFOLLOWED, queue, works_table
from webapp.panels import long_work
from webapp.panels.run import run_routes
from webapp.runs import run_cache, saved_tasks
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache
from webapp.runs.task_store import task_store


@pytest.fixture
def asked(small: dict) -> dict:
    return {"scenario": small, "schedulers": ["fifo", "fair"], "look": {"width": 300}}


@pytest.fixture
def broken(small: dict) -> dict:
    return {**small, "cluster": {"nodes": []}}


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Runs wait until this is set, and an answer waits for no run."""
    go = threading.Event()
    shared_cache.hold_at_most(MAX_HELD)
    monkeypatch.setattr(
        run_cache, "simulate", lambda *given, **more: (go.wait(MAX_WAIT_S), simulate(*given, **more))[1]
    )
    monkeypatch.setattr(run_routes, "INITIAL_WAIT_S", 0.01)
    yield go
    go.set()


def start(sent: dict) -> dict:
    return long_work.start(run_routes.WORK, sent)


def follow(sent: dict) -> dict:
    return long_work.follow(run_routes.WORK, sent)


def finished(answer: dict) -> dict:
    """What is answered once the work is done."""
    return followed(run_routes.WORK, {"look": {"width": 300}}, answer)


def test_a_short_run_is_answered_at_once_with_its_charts(cache: SharedCache, asked: dict) -> None:
    result_ = finished(start(asked | {"why": "draft", "link": None}))
    assert result_["says"] == "small: 2 schedulers, 6 containers."
    result = result_["result"]
    assert (result["schedulers"], result["name"], result["why"], result["random"]) == (
        ["fifo", "fair"],
        "small",
        "draft",
        False,
    )
    assert saved_tasks.load_task(result["key"]).names == ("fifo", "fair")
    assert result_["drawn"]["key"] == result["key"]
    assert {key: result_["drawn"]["whole"][key] for key in ("x0", "x1")} == result["whole"]
    assert result["address"]
    json.dumps(result_, allow_nan=False)


def test_equal_runs_are_drawn_once_and_say_whose_they_are(cache: SharedCache, asked: dict) -> None:
    result_ = finished(start(asked))
    first, second = result_["result"]["charts"]
    assert (first["same"], second["same"]) == (None, 0)
    assert sorted(result_["drawn"]["charts"]) == [0]
    assert f'<div><dt>Makespan</dt><dd><span>{first["makespan"]}</span><span class="far" ' in first["lane"]
    assert '<span class="equal"> = fair</span></h3>' in first["lane"]
    assert (second["name"], second["colour"], second["lane"]) == ("fair", 1, None)
    assert "fair = fifo" in " ".join(result_["result"]["verdict"])


def test_of_a_chart_all_is_said_that_stands_around_it(cache: SharedCache, asked: dict) -> None:
    one = finished(start(asked | {"schedulers": ["haste"]}))["result"]["charts"][0]
    assert (one["place"], one["label"], one["pinned"], one["deadlock"], one["signals"]) == (
        0,
        "haste",
        None,
        False,
        True,
    )
    assert phrase("run.haste_job_containers_on_node", 1, 3, 1) + " " in one["lane"]
    assert "Other scenario" not in one["lane"] and "Deadlock" not in one["lane"]


def test_a_textbook_scheduler_has_a_name_and_its_full_text_as_a_tooltip(
    cache: SharedCache, asked: dict
) -> None:
    full = expand_0_1("fair")
    result = finished(start(asked | {"schedulers": ["haste", full]}))["result"]
    chart = result["charts"][1]
    assert (chart["name"], chart["label"], chart["full"]) == ("fair, textbook", "fair, textbook", full)
    assert f'title="{full}"' in result["charts"][chart["same"] or 0]["lane"] + (chart["lane"] or "")
    assert full not in " ".join(result["verdict"])
    assert result["schedulers"] == ["haste", full]
    assert result["display_names"] == {"haste": "haste", full: "fair, textbook"}


def test_a_deadlock_is_said_first_and_beside_its_chart(cache: SharedCache, asked: dict) -> None:
    asked["scenario"]["jobs"][0] |= {"count": 4, "am": {"memory_mb": 1024, "vcores": 1}}
    result_ = finished(start(asked | {"schedulers": ["fifo", "fair+admit-all"]}))
    assert result_["says"].endswith(phrase("run.ended_in_deadlock", "fair+admit-all"))
    assert [one["deadlock"] for one in result_["result"]["charts"]] == [False, True]
    assert [">Deadlock</button>" in one["lane"] for one in result_["result"]["charts"]] == [False, True]


def test_refused_jobs_are_said_with_hadoop_s_reason(cache: SharedCache, asked: dict) -> None:
    """One of two under fair; under capacity both, so that nothing runs."""
    first = asked["scenario"]["jobs"][0]
    asked["scenario"]["jobs"] = [first, first | {"name": "y", "queue": "root.y"}]
    closed = {"name": "root.y", "max_share": {"memory_mb": 0, "vcores": 0}}
    asked["scenario"]["queues"] = [{"name": "root", "state": "stopped"}, closed]
    result = finished(start(asked | {"schedulers": ["fair", "capacity"]}))["result"]
    told, stopped = " ".join(result["verdict"]), phrase("run.all_refused", first["name"])
    assert phrase("report.job_is_refused", 1, "fair", "y", "root.y") in told and stopped in told
    fair, capacity = result["charts"]
    assert phrase("run.refused_in_words", "y", "root.y") in fair["lane"]
    assert (fair["deadlock"], capacity["deadlock"], capacity["makespan"]) == (False, False, "all refused")
    assert '"y" data-place="0">1 job refused</button>' in fair["lane"]
    assert ">Refused</strong>" in capacity["lane"] and ">Refused</strong>" not in fair["lane"]


def test_what_is_pinned_is_shown_beside(cache: SharedCache, asked: dict) -> None:
    other = copy.deepcopy(asked["scenario"]) | {"name": "<b>other"}
    other["jobs"][0]["maps"]["duration_s"] = 20
    result_ = finished(start(asked | {"pinned": {"scenario": other, "schedulers": ["fifo"]}}))
    result = result_["result"]
    assert [(one["name"], one["pinned"], one["place"]) for one in result["charts"]] == [
        ("fifo", None, 0),
        ("fifo", "<b>other", 1),
        ("fair", None, 2),
    ]
    # a scheduler has one colour everywhere
    assert [(one["colour"], one["same"]) for one in result["charts"]] == [
        (0, None),
        (0, None),
        (1, 0),
    ]
    assert sorted(result_["drawn"]["charts"]) == [0, 1]
    assert '<span class="badge">Other scenario: &lt;b&gt;other</span>' in result["charts"][1]["lane"]
    assert result["pinned"]


def test_a_pinned_scenario_that_cannot_be_run_is_said(cache: SharedCache, asked: dict, broken: dict) -> None:
    result_ = finished(start(asked | {"pinned": {"scenario": broken, "schedulers": ["fifo"]}}))
    assert result_["says"].startswith(phrase("run.other_scenario_cant_be_run") + " ")
    assert result_["result"]["pinned"] is None


def test_the_last_good_run_is_shown_where_a_draft_cannot_be_run(
    cache: SharedCache, small: dict, broken: dict
) -> None:
    result_ = finished(
        start(
            {"scenario": broken, "schedulers": ["fifo"], "spare": {"scenario": small, "schedulers": ["fifo"]}}
        )
    )
    assert result_["result"]["name"] == "small"
    assert phrase("run.must_hold_at_least_one") in result_["says"] and "shown instead:" in result_["says"]


@pytest.mark.parametrize("spare", [None, {}, {"scenario": {}, "schedulers": ["fifo"]}, "broken"])
def test_without_a_good_one_a_sentence_says_why(cache: SharedCache, broken: dict, spare: object) -> None:
    asked = {"scenario": broken, "schedulers": ["fifo"]}
    result_ = start({**asked, "spare": asked if spare == "broken" else spare})
    assert (result_["state"], result_["found"]) == ("failed", None)
    assert phrase("run.must_hold_at_least_one") in result_["says"]


def test_a_long_run_is_followed_to_its_result(cache: SharedCache, asked: dict, slow: threading.Event) -> None:
    first = start(asked | {"why": "draft", "link": "a" * 16})
    assert set(first) == {"says", "state", "job", "percent", "wait"}
    assert first["says"].startswith(("1 of 2: ", "1 of 2: queued"))
    assert 0 < first["percent"] < 100
    again = follow({"job": first["job"]})
    assert again["job"] == first["job"]
    slow.set()
    result_ = finished(again)
    assert result_["result"]["why"] == "draft"
    assert result_["drawn"]["charts"]


def test_a_cancelled_run_ends_and_leaves_what_is_shown(
    cache: SharedCache, asked: dict, slow: threading.Event
) -> None:
    first = start(asked)
    assert long_work.cancel(run_routes.WORK, {"job": first["job"]}) == {}
    slow.set()
    says = phrase("common.cancelled_previous_result_still_shown")
    assert finished(first) == {"says": says, "state": "cancelled"}


def test_what_is_forgotten_is_said(cache: SharedCache, asked: dict) -> None:
    asked = {"key": "0" * 16, "note": "", "request": {}}
    answer = follow({"job": {"id": "0" * 16, "asked": asked}})
    assert "Run again" in answer["says"] and answer["lost"]
    for forged in (None, [], {}, {"key": 5, "note": ""}, asked):
        with pytest.raises(GantryError, match=phrase("run.result_expired_run_again")):
            run_routes.answer(forged, Progress(1, 1, "", "finished"), {})


@pytest.fixture
def client(cache: SharedCache) -> Iterator[FlaskClient]:
    server = Flask("runs")
    shared_cache.start(server, "test")
    app = Dash("runs", server=server)
    app.layout = html.Div()
    run_routes.register(app)
    with server.test_client() as client:
        yield client


NONSENSE = (
    "null",
    "true",
    "-1",
    "1e30",
    "NaN",
    "Infinity",
    '""',
    '"\\u0000"',
    '"\\ud800"',
    "[]",
    "[[]]",
    "{}",
    '{"scenario": 5}',
    '{"id": "\\ud800"}',
)


def test_forged_bodies_are_answered(client: FlaskClient, asked: dict) -> None:
    done = finished(client.post("/jobs/run/start", json=asked).get_json())
    work = {"key": done["result"]["key"], "note": "", "request": {"link": None, "why": None}}
    whole = {
        "start": asked,
        "follow": {"job": {"id": "x", "asked": work}, "look": {}},
        "cancel": {"job": {"id": "x"}},
    }
    for act, sent in whole.items():
        for field in ("scenario", "schedulers", "pinned", "spare", "why", "link", "look", "job"):
            for value in NONSENSE:
                rest = {key: kept for key, kept in sent.items() if key != field}
                body = f'{json.dumps(rest)[:-1]}{", " if rest else ""}"{field}": {value}}}'
                answer = client.post(f"/jobs/run/{act}", data=body, content_type="application/json")
                assert answer.status_code == 200, (act, field, value)
                assert act == "cancel" or answer.get_json()["says"]
        for field in work:
            for value in NONSENSE:
                body = (
                    f'{{"job": {{"id": "x", "asked": '
                    f"{json.dumps({key: kept for key, kept in work.items() if key != field})[:-1]}, "
                    f'"{field}": {value}}}}}}}'
                )
                assert (
                    client.post(f"/jobs/run/{act}", data=body, content_type="application/json").status_code
                    == 200
                ), (act, field, value)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"3", b"\xff"])
def test_what_is_no_object_is_refused(client: FlaskClient, body: bytes) -> None:
    for act in ("start", "follow", "cancel"):
        assert client.post(f"/jobs/run/{act}", data=body, content_type="application/json").status_code == 400
    assert client.post("/jobs/run/nothing", json={}).status_code == 400


def test_a_chart_has_the_colour_of_its_place(cache: SharedCache, asked: dict) -> None:
    names = [f"fifo+slowstart(at={at / 10})" for at in range(1, 10)]
    charts = finished(start(asked | {"schedulers": names}))["result"]["charts"]
    assert [one["colour"] for one in charts] == [place % len(theme.SCHEDULERS) for place in range(9)]


def test_a_result_that_nobody_kept_is_made_here(
    cache: SharedCache, asked: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one: with the cache away every longer Run ended in "press Run again", for ever."""
    monkeypatch.setattr(cache, "put", lambda *_, **__: False)
    monkeypatch.setattr(run_cache, "MAX_ANSWER_ESTIMATE_S", 0.0)
    monkeypatch.setattr(job_manager, "IMMEDIATE_S", 0.0)
    result_ = finished(start(asked))
    assert result_["result"]["schedulers"] == ["fifo", "fair"] and result_["drawn"]["charts"]


def test_a_queue_that_is_full_is_said(
    cache: SharedCache, asked: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GANTRY_MAX_QUEUE", "1")
    monkeypatch.setenv(settings.HAS_WORKERS_VARIABLE, "1")
    monkeypatch.setattr(job_manager, "IMMEDIATE_S", 0.0)
    assert start(asked)["says"] == phrase("run.waiting_for_free_process_next")
    assert start(asked)["says"].startswith(phrase("common.pieces_work_wait_already", "1 task"))


def test_a_database_that_is_away_costs_long_runs_alone(
    cache: SharedCache, asked: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    task_store.cache_clear(), queue.cache_clear()
    assert finished(start(asked))["result"]
    monkeypatch.setattr(job_manager, "IMMEDIATE_S", 0.0)
    assert finished(start(asked))["result"], "what is there takes no time"
    assert phrase("common.database_does_not_answer") in start({**asked, "schedulers": ["drf"]})["says"]


def test_a_page_that_comes_back_begins_again_what_ended_without_it(
    cache: SharedCache, asked: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_manager, "IMMEDIATE_S", 0.0)
    monkeypatch.setenv(settings.HAS_WORKERS_VARIABLE, "1")
    begun = start(asked)
    with queue().database.begin("away") as connection:
        connection.execute(sql.update(works_table).values(followed=works_table.c.followed - 3600))
    queue().recover()
    queue()._checked_since -= 3600
    queue().recover()
    assert follow(begun) == {"says": UNFOLLOWED, "state": "cancelled", "lost": True}
