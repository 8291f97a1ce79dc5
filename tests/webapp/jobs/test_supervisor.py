"""Work processes over SQLite and PostgreSQL: kept alive, ended with whoever started them, and nothing
lost.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask

from engine import VERSION, Scenario
from tests.conftest import ROOT
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, until
from tests.webapp.live_server import CROWD, alive
from webapp.jobs import supervisor
from webapp.jobs.job_manager import JobManager
from webapp.jobs.job_queue import CANCELLED, FAILED, FINISHED, QUEUED, RUNNING, BackgroundTask, new_id, queue
from webapp.jobs.supervisor_handle import SupervisorHandle
from webapp.runs import cache, saved_tasks
from webapp.runs.cache import SharedCache, shared_cache
from webapp.runs.code_version import code_version
from webapp.runs.task import build_task
from webapp.url.links import Link, link_store
from webapp.url.url_state import RunRequest

PARENT = """
import os, sys, threading
from webapp.jobs.supervisor_handle import SupervisorHandle
beside = SupervisorHandle(1)
beside.start()
print(os.getpid(), flush=True)
if sys.stdin.read(1):
    beside.stop()
else:
    threading.Event().wait()
"""


@pytest.fixture
def beside(cache: SharedCache) -> Iterator[SupervisorHandle]:
    """One work process."""
    result = SupervisorHandle(1)
    result.start()
    yield result
    result.stop()


def processes(data: Path) -> dict[str, int]:
    """The supervisor and its worker."""
    by_name = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            mine = f"GANTRY_DATA={data}\0".encode() in (place / "environ").read_bytes()
            words = (place / "cmdline").read_text().split("\0")
        except OSError:
            continue
        if mine and "webapp.jobs" in words and alive(int(place.name)):
            by_name["supervisor" if "--supervise" in words else "worker"] = int(place.name)
    return by_name


def asked(scenario: dict, *schedulers: str) -> str:
    """Work of a run, for a process to take; its id."""
    task = build_task(RunRequest(scenario, schedulers or ("fifo",)))
    saved_tasks.save_task(task).result()
    return queue().add(
        BackgroundTask(new_id(), "run", json.dumps({"key": task.key}), "ann", 60.0, len(schedulers) or 1), 100
    )


def state(name: str) -> str:
    return queue().find(name).state


def test_what_a_process_ran_is_in_the_cache_and_one_that_dies_is_replaced(
    url: str, beside: SupervisorHandle, data: Path, small: dict
) -> None:
    name = asked(small, "fifo", "fair")
    until(lambda: state(name) == FINISHED)
    cache.shared_cache.start(Flask("test"), code_version())
    scenario = Scenario.of(small)
    assert all(cache.shared_cache.get(f"run:{scenario.digest}:{one}") for one in ("fifo", "fair"))
    crowd = asked(CROWD)
    until(lambda: state(crowd) == RUNNING)
    first = processes(data)["worker"]
    os.kill(first, signal.SIGKILL)
    until(lambda: state(crowd) == RUNNING and queue().find(crowd).tries == 2)
    assert processes(data)["worker"] != first
    queue().cancel(crowd)
    until(lambda: state(crowd) == CANCELLED)


def test_a_supervisor_that_is_killed_takes_its_worker_along_and_is_replaced(
    beside: SupervisorHandle, data: Path
) -> None:
    first = until(lambda: len(result := processes(data)) == 2 and result)
    os.kill(first["supervisor"], signal.SIGKILL)
    until(lambda: not alive(first["worker"]))
    until(lambda: len(result := processes(data)) == 2 and not set(result.values()) & set(first.values()))


def test_the_owner_limits_the_time_of_a_work(
    cache: SharedCache, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GANTRY_MAX_SECONDS", "1")
    beside = SupervisorHandle(1)
    beside.start()
    try:
        name = asked(CROWD)
        until(lambda: state(name) == FAILED)
        assert queue().find(name).because == phrase(
            "common.took_longer_than_s_most", "1 s", "GANTRY_MAX_SECONDS"
        )
    finally:
        beside.stop()


@pytest.mark.parametrize("how", ["told", "killed"])
def test_processes_end_with_the_server_however_it_ends(how: str, cache: SharedCache, data: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with server:
        server.stdout.readline()
        name = asked(CROWD)
        until(lambda: state(name) == RUNNING)
        own = processes(data)
        if how == "told":
            server.stdin.write("x")
            server.stdin.flush()
        else:
            server.kill()
        until(lambda: not any(alive(pid) for pid in own.values()))
        assert (state(name), queue().find(name).tries) == (QUEUED, 0)
        server.kill()


def test_a_database_that_is_away_stops_no_supervisor(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    queue.cache_clear()
    supervisor.recover_tasks()
    supervisor.give_back_tasks("w")


def test_a_supervisor_deletes_links_that_nobody_opens_as_its_owner_says(
    cache: SharedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = datetime.now(UTC) - timedelta(days=31)
    for number in range(2):
        link_store().save(
            Link(f"{number:016x}", "", {}, (), [], VERSION, old), opened=old if number else datetime.now(UTC)
        )
    assert supervisor.expire_kept() and link_store().count() == 2, (
        "they are kept for ever unless the owner says so"
    )
    monkeypatch.setenv("GANTRY_LINK_DAYS", "30")
    result = SupervisorHandle(0)
    result.start()
    try:
        until(lambda: link_store().count() == 1)
    finally:
        result.stop()
    assert [head.id for head in link_store().heads()] == ["0" * 16]


def test_links_expire_later_where_the_database_is_away(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GANTRY_LINK_DAYS", "30")
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:9/nothing")
    assert not supervisor.expire_kept()


def test_another_machine_does_what_is_queued_and_its_results_are_found(
    url: str, redis: str, data: Path, small: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two machines share the database and Redis; this one does no long work itself."""
    monkeypatch.setenv("REDIS_URL", redis)
    monkeypatch.setenv("SECRET_KEY", "theirs")
    monkeypatch.setenv("GANTRY_WORKERS", "0")
    monkeypatch.setenv("DATABASE_URL", url)
    shared_cache.start(Flask("test"), code_version())
    task = build_task(RunRequest(small, ("fifo", "fair")))
    other_data = data.parent / "other machine"
    machine = subprocess.Popen(
        [sys.executable, "-m", "webapp.jobs", "--supervise", "1"],
        cwd=ROOT,
        env=os.environ | {"GANTRY_DATA": str(other_data)},
    )
    try:
        works = JobManager(shared_cache)
        name, progress = works.start("run", {"key": task.key}, 2, 60.0, after=saved_tasks.save_task(task))
        assert progress.state == QUEUED
        until(lambda: works.progress(name).state == FINISHED)
        for scheduler in task.names:
            assert shared_cache.get(f"run:{task.scenario.digest}:{scheduler}", changes=True)
    finally:
        machine.terminate()
        machine.wait(MAX_WAIT_S)
