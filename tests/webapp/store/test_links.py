"""Links in a real SQLite file, and in a real PostgreSQL where one can be started."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine import Scenario
from webapp import settings
from webapp.store.database import StoreError
from webapp.store.links import Link, Store, id_of

LINK = Link(
    id="0123456789abcdef",
    title="Four jobs, ünïcode",
    scenario={"version": 1, "name": "Four jobs, ünïcode", "x_note": [1, 2.5, None]},
    schedulers=("fair", "haste+lazy-start"),
    metrics=[{"makespan_s": 12.5, "killed_containers": 0}, {"makespan_s": None}],
    version="0.1.0",
    created=datetime(2026, 11, 21, 10, 30, tzinfo=UTC),
)


@pytest.fixture
def store(url: str) -> Store:
    return Store(url)


def test_a_link_comes_back_as_it_was(store: Store) -> None:
    store.save(LINK)
    assert store.find(LINK.id) == LINK


def test_a_link_not_kept_is_none(store: Store) -> None:
    assert store.find("f" * 16) is None


def test_the_same_link_twice_is_kept_once(store: Store) -> None:
    store.save(LINK)
    store.save(replace(LINK, created=datetime.now(UTC)))
    assert store.find(LINK.id) == LINK


def test_another_process_finds_it(store: Store) -> None:
    store.save(LINK)
    assert Store(settings.database_url()).find(LINK.id) == LINK


def test_many_write_at_once_into_an_empty_store(store: Store) -> None:
    failed = []

    def save(number: int) -> None:
        try:
            Store(settings.database_url()).save(replace(LINK, id=f"{number:016x}"))
        except Exception as error:
            failed.append(error)

    writers = [threading.Thread(target=save, args=(number,)) for number in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failed == []
    assert all(store.find(f"{number:016x}") for number in range(8))


def test_it_is_known_within_a_day_when_a_link_was_last_opened(store: Store) -> None:
    old, today = LINK.created - timedelta(days=400), datetime.now(UTC)
    store.save(LINK, opened=old)
    store.save(replace(LINK, id="f" * 16), opened=old)
    assert [(one.id, opened) for one, opened in store.every()] == [(LINK.id, old), ("f" * 16, old)]
    store.find(LINK.id)
    ((_, first), (_, second)) = store.every()
    assert today <= first and second == old
    store.find(LINK.id)
    assert next(store.every())[1] == first, "a second opening on the same day writes nothing"


def test_links_that_nobody_opens_expire(store: Store) -> None:
    store.save(LINK, opened=datetime.now(UTC) - timedelta(days=31))
    store.save(replace(LINK, id="f" * 16), opened=datetime.now(UTC) - timedelta(days=29))
    assert store.expire(30) == 1
    assert [one.id for one, _ in store.every()] == ["f" * 16]
    assert store.expire(30) == 0


def test_a_database_that_is_away_is_a_sentence(data: Path) -> None:
    away = Store("postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    with pytest.raises(StoreError, match="does not answer"):
        away.save(LINK)
    with pytest.raises(StoreError, match="does not answer"):
        away.find(LINK.id)


@pytest.mark.parametrize("url", ["nonsense", "nosuch://host/db", "sqlite+nosuch:///x"])
def test_a_url_of_no_database_is_a_sentence(url: str) -> None:
    with pytest.raises(StoreError, match="DATABASE_URL"):
        Store(url)


def test_a_file_that_is_no_database_is_a_sentence(data: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("This is no database, and long enough to have no header of one. " * 20)
    with pytest.raises(StoreError, match="is damaged and left as it is"):
        Store(f"sqlite:///{tmp_path}/text").find(LINK.id)


def test_hosts_short_names_of_postgresql_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    for short in ("postgres://u:p@h/d", "postgresql://u:p@h/d"):
        monkeypatch.setenv("DATABASE_URL", short)
        assert settings.database_url() == "postgresql+psycopg://u:p@h/d"
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://u:p@h/d")
    assert settings.database_url() == "postgresql+psycopg://u:p@h/d"


def test_an_id_stands_for_scenario_schedulers_in_order_and_version(small: dict) -> None:
    canonical = Scenario.of(small).canonical
    one = id_of(canonical, ("fifo", "fair"), "0.1.0")
    others = [
        id_of(canonical, ("fair", "fifo"), "0.1.0"),
        id_of(canonical, ("fifo",), "0.1.0"),
        id_of(canonical, ("fifo", "fair"), "0.2.0"),
        id_of(Scenario.of(small | {"name": "other"}).canonical, ("fifo", "fair"), "0.1.0"),
    ]
    assert len(one) == 16
    assert len({one, *others}) == 5


def test_sqlite_s_files_are_this_user_s_alone(data: Path) -> None:
    """The log and its index too, made new or found from before."""
    settings.data_dir()
    mode = lambda: {path.name: path.stat().st_mode & 0o777 for path in data.glob("links.sqlite*")}
    before = os.umask(0o000)
    try:
        store = Store(settings.database_url())
        with store.database.begin(""):
            assert mode() == dict.fromkeys(("links.sqlite", "links.sqlite-wal", "links.sqlite-shm", "links.sqlite.lock"), 0o600)
        store.save(LINK)
        for path in data.glob("links.sqlite*"):
            path.chmod(0o644)
        assert Store(settings.database_url()).find(LINK.id) == LINK
        assert set(mode().values()) == {0o600}
    finally:
        os.umask(before)
