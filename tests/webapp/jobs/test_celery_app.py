"""Works done by Celery's processes, with the real Redis as broker: tickets only, so that none of them can
lose anything.
"""

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
from tests.waiting import MAX_WAIT_S, until
from webapp.jobs import celery_wakeups
from webapp.jobs.job_manager import JobManager
from webapp.jobs.job_queue import FINISHED, queue
from webapp.runs import lru, run_cache, saved_tasks
from webapp.runs.cache import SharedCache, shared_cache
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest


@pytest.fixture
def broker(redis: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The cache and the broker of several machines; this one does no long work itself."""
    pytest.importorskip("celery", reason="the extra celery is not installed")
    monkeypatch.setenv("REDIS_URL", redis)
    monkeypatch.setenv("GANTRY_WORKERS", "0")
    for known in (celery_wakeups._redis_client, celery_wakeups._celery_client):
        known.cache_clear()
    celery_wakeups._redis_client().flushall()
    shared_cache.start(Flask("test"), VERSION)
    yield redis
    for known in (celery_wakeups._redis_client, celery_wakeups._celery_client):
        known.cache_clear()


@pytest.fixture
def machine(broker: str, data: Path) -> Iterator[subprocess.Popen]:
    """Another machine's processes."""
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "webapp.jobs.celery_app",
        "worker",
        "--concurrency",
        "1",
        "--loglevel",
        "WARNING",
    ]
    with (data.parent / "celery.log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {"C_FORCE_ROOT": "1"}, stdout=log, stderr=log
        )
    yield process
    process.terminate()
    process.wait(MAX_WAIT_S)


def ended_in_log(log: Path) -> list[str]:
    """The background tasks that a worker's log says have ended; its banner is no JSON."""
    events = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    return [event["work"] for event in events if event["event"] == "work ended"]


def test_another_machine_does_what_is_queued_also_when_a_ticket_is_lost_and_its_results_are_found(
    machine: subprocess.Popen, small: dict, data: Path
) -> None:
    works = JobManager(shared_cache)
    works.set_queued_callback(celery_wakeups.wakeup_sender())
    task = build_task(RunRequest(small, ("fifo", "fair")))
    name, progress = works.start("run", {"key": task.key}, 2, 60.0, after=saved_tasks.save_task(task))
    assert progress.state == "queued"
    until(lambda: works.progress(name).state == FINISHED)
    other = build_task(RunRequest(small | {"seed": 2}, ("fifo",)))
    saved_tasks.save_task(other).result()
    lost = queue().add("run", json.dumps({"key": other.key}), "ann", 1, 60.0, 10)
    until(lambda: queue().find(lost).state == FINISHED)
    run_cache._outcomes = lru.WeightedLRUCache(run_cache.MAX_HELD)
    assert all(shared_cache.get(f"run:{task.scenario.digest}:{scheduler}") for scheduler in task.schedulers)
    until(lambda: ended_in_log(data.parent / "celery.log") == [name, lost])  # the log follows the database


def test_tickets_without_anybody_who_takes_them_are_bounded(
    broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GANTRY_MAX_QUEUE", "3")
    for _ in range(10):
        celery_wakeups.send_wakeup()
    assert celery_wakeups._redis_client().llen(celery_wakeups.QUEUE) == 3


def test_a_redis_that_is_away_stops_nobody(
    cache: SharedCache, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:9/0")
    for known in (celery_wakeups._redis_client, celery_wakeups._celery_client):
        known.cache_clear()
    celery_wakeups._send_or_log()
    assert phrase("work.ticket_was_not_sent") in caplog.text


def test_without_redis_no_ticket_is_sent(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(celery_wakeups, "_send_or_log", lambda: pytest.fail("it was sent"))
    celery_wakeups.wakeup_sender()()
