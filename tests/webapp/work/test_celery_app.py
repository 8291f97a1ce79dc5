"""Works done by Celery's processes, with the real Redis as broker: tickets only, so that none of them can lose anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from engine import VERSION
from tests.conftest import ROOT
from tests.phrases import phrase
from tests.waiting import PATIENT_S, until
from webapp.services import runs
from webapp.services.cache import Shared, shared
from webapp.services.tasks import Works
from webapp.services.url_state import Asked
from webapp.store.works import FINISHED, queue
from webapp.work import tickets


@pytest.fixture
def broker(redis: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The cache and the broker of several machines; this one does no long work itself."""
    pytest.importorskip("celery", reason="the extra celery is not installed")
    monkeypatch.setenv("REDIS_URL", redis)
    monkeypatch.setenv("GANTRY_WORKERS", "0")
    for known in (tickets._client, tickets._celery):
        known.cache_clear()
    tickets._client().flushall()
    shared.start(Flask("test"), VERSION)
    yield redis
    for known in (tickets._client, tickets._celery):
        known.cache_clear()


@pytest.fixture
def machine(broker: str, data: Path) -> Iterator[subprocess.Popen]:
    """Another machine's processes."""
    command = [sys.executable, "-m", "celery", "-A", "webapp.work.celery_app", "worker", "--concurrency", "1", "--loglevel", "WARNING"]
    with (data.parent / "celery.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"C_FORCE_ROOT": "1"}, stdout=log, stderr=log)
    yield process
    process.terminate()
    process.wait(PATIENT_S)


def test_another_machine_does_what_is_queued_also_when_a_ticket_is_lost_and_its_results_are_found(machine: subprocess.Popen, small: dict, data: Path) -> None:
    works = Works(shared)
    works.on_queued(tickets.sender())
    task = runs.task(Asked(small, ("fifo", "fair")))
    name, progress = works.start("run", {"key": task.key}, 2, 60.0, after=runs.keep(task))
    assert progress.state == "queued"
    until(lambda: works.progress(name).state == FINISHED)
    other = runs.task(Asked(small | {"seed": 2}, ("fifo",)))
    runs.keep(other).result()
    lost = queue().add("run", json.dumps({"key": other.key}), "ann", 1, 60.0, 10)
    until(lambda: queue().find(lost).state == FINISHED)
    runs._held = runs.Held(runs.MOST_HELD)
    assert all(shared.get(f"run:{task.scenario.digest}:{one}") for one in task.schedulers)
    lines = [json.loads(line) for line in (data.parent / "celery.log").read_text().splitlines() if line.startswith("{")]  # below its banner
    assert [one["work"] for one in lines if one["event"] == "work ended"] == [name, lost]


def test_tickets_without_anybody_who_takes_them_are_bounded(broker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GANTRY_MAX_QUEUE", "3")
    for _ in range(10):
        tickets.send()
    assert tickets._client().llen(tickets.QUEUE) == 3


def test_a_redis_that_is_away_stops_nobody(cache: Shared, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:9/0")
    for known in (tickets._client, tickets._celery):
        known.cache_clear()
    tickets._quietly()
    assert phrase("work.ticket_was_not_sent") in caplog.text


def test_without_redis_no_ticket_is_sent(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tickets, "_quietly", lambda: pytest.fail("it was sent"))
    tickets.sender()()
