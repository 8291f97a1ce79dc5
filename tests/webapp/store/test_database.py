"""Tables are brought forward from every released version, by one process of many, in a file that is its
owner's alone.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import socket
import sqlite3
import stat
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sql

from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S
from tests.webapp.real_stores import Postgres
from webapp import settings
from webapp.jobs.job_queue import BackgroundTask, JobQueue, new_id
from webapp.store import database as module
from webapp.store.database import Database, StoreError


def test_today_s_tables_are_made_once(url: str) -> None:
    database = Database(url)
    assert database.revision() is None
    with database.begin("away"):
        pass
    assert database.revision() == Database(url).revision() == "7"


def _first_use(url: str) -> str | None:
    database = Database(url)
    with database.begin("away"):
        pass
    return database.revision()


def test_processes_that_begin_together_do_not_disturb_each_other(url: str) -> None:
    with ProcessPoolExecutor(
        4, multiprocessing.get_context("spawn")
    ) as pool:  # a Pool may wait for ever for processes that it ends while they begin
        assert list(pool.map(_first_use, [url] * 4)) == ["7"] * 4


def test_the_file_is_its_owner_s_alone(data: Path) -> None:
    with Database(settings.database_url()).begin("away") as connection:
        connection.execute(sql.text("INSERT INTO asked VALUES ('a', 'b', 1)"))
        assert {stat.S_IMODE(file.stat().st_mode) for file in data.glob("links.sqlite*")} == {0o600}


def test_a_file_that_was_deleted_is_made_anew(data: Path) -> None:
    database = Database(settings.database_url())
    with database.begin("away"):
        pass
    for file in data.glob("links.sqlite*"):
        file.unlink()
    with database.begin("away") as connection:
        assert connection.execute(sql.text("SELECT count(*) FROM links")).scalar() == 0


def test_a_database_that_somebody_keeps_locked_is_a_sentence(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.store.database.WAIT_S", 0.2)
    database = Database(settings.database_url())
    with database.begin("away"):
        pass
    other = sqlite3.connect(data / "links.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="It is away."), database.begin("It is away.") as connection:
        connection.execute(sql.text("INSERT INTO asked VALUES ('a', 'b', 1)"))
    other.close()


def test_a_folder_that_can_t_be_written_is_a_sentence(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="It is away."),
        Database(f"sqlite:///{tmp_path}/nowhere/links.sqlite").begin("It is away."),
    ):
        pass


def test_a_data_folder_that_was_deleted_is_made_again(data: Path) -> None:
    result = JobQueue(settings.database_url())
    result.add(BackgroundTask(new_id(), "run", "{}", "ann", 1.0, 1), 10)
    shutil.rmtree(data)
    assert result.find("a" * 16) is None
    assert result.add(BackgroundTask(new_id(), "run", "{}", "ann", 1.0, 1), 10)
    assert data.stat().st_mode & 0o777 == 0o700


def test_a_new_file_that_another_process_made_is_noticed(data: Path) -> None:
    """The old one: a work process went on to look into the deleted one."""
    ours, theirs = JobQueue(settings.database_url()), JobQueue(settings.database_url())
    assert not ours.has_waiting()
    shutil.rmtree(data)
    name = theirs.add(BackgroundTask(new_id(), "run", "{}", "ann", 1.0, 1), 10)
    assert ours.take("w").id == name


def test_a_database_that_hangs_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The old one: with PostgreSQL stopped everybody who shared waited for it in turn."""
    monkeypatch.setattr(module, "RETRY_AFTER_S", MAX_WAIT_S)
    with socket.create_server(("127.0.0.1", 0)) as deaf:  # connections are taken and nothing is said
        result = JobQueue(f"postgresql+psycopg://nobody@127.0.0.1:{deaf.getsockname()[1]}/nothing")
        for _ in range(5):
            assert _away(result)
        deaf.accept()[0].close()
        deaf.setblocking(False)
        with pytest.raises(BlockingIOError):
            deaf.accept()


def test_a_postgresql_that_stops_while_it_holds_our_connection_is_not_waited_for_for_ever(
    a_postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one: Share hung for ever, for the limits of a statement are kept by the server that had
    stopped.
    """
    monkeypatch.setattr(module, "WAIT_S", 1)
    monkeypatch.setattr(module, "SLOW_FAILURE_S", 0.0)
    monkeypatch.setattr(module, "RETRY_AFTER_S", MAX_WAIT_S)
    result = JobQueue(a_postgres.url.replace("postgres://", "postgresql+psycopg://"))
    assert not result.has_waiting()
    a_postgres.stop()
    try:
        over = []
        threads = [threading.Thread(target=lambda: over.append(_away(result)), daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(MAX_WAIT_S)
        assert over == [True] * 3
    finally:
        a_postgres.go_on()
    monkeypatch.setattr(result.database, "_retry_at", 0.0)
    assert not result.has_waiting()


def _away(found: JobQueue) -> bool:
    with pytest.raises(StoreError, match="does not answer"):
        found.has_waiting()
    return True


@pytest.mark.parametrize("damage", [0, 4096])
def test_a_damaged_file_is_a_sentence_and_left_as_it_is(data: Path, damage: int) -> None:
    """The old one: an error of SQLite's own, which no page could say; damage: its place in the file."""
    database = Database(settings.database_url())
    with database.begin("away"):
        pass
    database._engine.dispose()
    file = data / "links.sqlite"
    with sqlite3.connect(file) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    whole = file.read_bytes()
    noise = whole[:damage] + os.urandom(len(whole) - damage)
    file.write_bytes(noise)
    for result in (database, Database(settings.database_url())):
        with (
            pytest.raises(StoreError, match="^" + phrase("store.damaged_and_left_as")),
            result.begin("It does not answer.") as connection,
        ):
            connection.execute(sql.text("SELECT * FROM links"))
    assert file.read_bytes() == noise
