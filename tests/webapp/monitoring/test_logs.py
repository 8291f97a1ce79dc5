"""Lines of a log: readable by machines, about what happened, never about what a visitor sent or only the
owner knows.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import GantryError
from tests.conftest import ROOT
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S
from webapp import settings
from webapp.monitoring import logs


def line(name: str, message: str, *args: object, error: BaseException | None = None, **facts: object) -> dict:
    record = logging.getLogger(name).makeRecord(
        name,
        logging.ERROR,
        "",
        0,
        message,
        args,
        error and (type(error), error, error.__traceback__),
        extra=facts,
    )
    return json.loads(logs.JsonLineFormatter().format(record))


def test_a_line_has_its_time_its_event_and_what_it_is_about() -> None:
    with logs.log_context(work="a1", kind="run"):
        result = line("gantry", "work %s", "ended", state="finished")
    assert {
        "level": "ERROR",
        "logger": "gantry",
        "event": "work ended",
        "state": "finished",
        "work": "a1",
        "kind": "run",
    }.items() <= result.items()
    assert result["time"].endswith("+00:00") and result["process"] == os.getpid()
    assert "work" not in line("gantry", "after it")


def test_an_error_is_told_by_its_places_not_by_its_words() -> None:
    try:
        try:
            raise KeyError("a visitor's word")
        except KeyError as error:
            raise GantryError("their scenario") from error
    except GantryError as error:
        result = line("gantry", "refused", error=error)
        text = logs.TextFormatter().format(
            logging.LogRecord(
                "gantry", logging.ERROR, "", 0, "refused", (), (type(error), error, error.__traceback__)
            )
        )
    for told in (result["error"], text):
        assert "GantryError" in told and "KeyError" in told and "test_logs.py" in told
    assert (
        "visitor's word\n" not in result["error"].replace('"', "")
        and "GantryError: " not in result["error"]
        and "KeyError: " not in result["error"]
    )


def test_gunicorn_says_why_a_process_did_not_start_but_not_what_was_sent() -> None:
    error = GantryError("GANTRY_MAX_QUEUE must be a whole number")
    assert (
        "GANTRY_MAX_QUEUE must"
        in line(logs.GUNICORN_LOGGER, "Exception in worker process", error=error)["error"]
    )
    assert (
        line(
            logs.GUNICORN_LOGGER, "Invalid request from ip=10.0.0.1: Invalid Request Line 'GET /?title=mine'"
        )["event"]
        == "Invalid request from ip=10.0.0.1"
    )
    handled = line(
        logs.GUNICORN_LOGGER,
        "Error handling request %s %s",
        "GET",
        "/?title=mine",
        error=ValueError("title=mine"),
    )
    assert (
        handled["event"] == phrase("monitoring.error_handling_request_get")
        and handled["error"] == "ValueError"
    )


def test_secrets_are_struck_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "only-ours")
    monkeypatch.setenv("DATABASE_URL", "postgres://teacher:p%40ssword@db.example/gantry")
    result = line(
        "gantry", "it has %s, p%%40ssword, p@ssword and %s", "only-ours", "redis://:another@cache.example"
    )["event"]
    assert result == "it has ***, ***, *** and redis://***@cache.example"


def test_the_owner_chooses_how_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GANTRY_LOG", "xml")
    with pytest.raises(
        settings.SettingError, match=phrase("monitoring.must_be_json_or_text", "GANTRY_LOG", "'xml'")
    ):
        logs.config()
    for words in (
        ["-m", "gunicorn", "-c", "python:webapp.serving", "webapp.app:server"],
        ["-m", "webapp"],
        ["-m", "webapp.jobs"],
    ):
        ended = subprocess.run(
            [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=MAX_WAIT_S
        )
        assert (
            ended.returncode != 0
            and ended.stderr == phrase("monitoring.must_be_json_or_text", "GANTRY_LOG", "'xml'") + "\n"
        )


UNCAUGHT = """
import threading, warnings
from webapp.monitoring import logs
logs.start()
warnings.warn("a library's")
def fails():
    raise ValueError("a visitor's")
thread = threading.Thread(target=fails)
thread.start()
thread.join()
fails()
"""


def test_what_nobody_catches_is_a_line_too(tmp_path: Path) -> None:
    own = {**os.environ, "GANTRY_DATA": str(tmp_path), "GANTRY_LOG": "json"}
    said = subprocess.run(
        [sys.executable, "-c", UNCAUGHT],
        cwd=ROOT,
        env=own,
        capture_output=True,
        text=True,
        timeout=MAX_WAIT_S,
    ).stderr.splitlines()
    rows = [json.loads(one) for one in said]
    assert [one["level"] for one in rows] == ["WARNING", "ERROR", "CRITICAL"]
    assert rows[1]["error"].endswith("ValueError") and rows[2]["error"].endswith("ValueError")
