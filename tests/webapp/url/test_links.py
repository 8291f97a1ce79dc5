"""Links in a real SQLite file, and in a real PostgreSQL where one can be started."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sql

from engine import Scenario
from tests.phrases import phrase
from tests.waiting import YIELD_S
from tests.webapp.url.link import LINK
from webapp import settings
from webapp.store.database import StoreError
from webapp.store.kept_records import AddResult
from webapp.url.links import LinkStore, LinkSummary, StoredLink, described_id, link_id


@pytest.fixture
def store(url: str) -> LinkStore:
    return LinkStore(url)


def test_a_link_comes_back_as_it_was(store: LinkStore) -> None:
    store.save(LINK)
    assert store.find(LINK.id) == LINK


def test_what_its_sharer_says_comes_back_and_is_another_link(store: LinkStore) -> None:
    id = described_id(LINK.id, "Ünïcode, see the reduces", True)
    described = replace(LINK, id=id, sentence="Ünïcode, see the reduces", read_only=True)
    store.save(LINK)
    store.save(described)
    assert (store.find(id), store.find(LINK.id)) == (described, LINK)
    assert described_id(LINK.id, "", False) == LINK.id
    ids = {described_id(LINK.id, sentence, mode) for sentence in ("", "a", "b") for mode in (False, True)}
    assert len(ids) == 6 and all(len(one) == 16 for one in ids)


def test_a_summary_leaves_the_scenario_where_it_is_and_opens_nothing(store: LinkStore) -> None:
    old = LINK.created - timedelta(days=400)
    store.save(replace(LINK, sentence="See"), opened=old)
    assert store.summary(LINK.id) == LinkSummary(LINK.title, "See", False, LINK.schedulers, LINK.metrics)
    assert store.summary("f" * 16) is None
    assert [one.opened for one in store.iterate()] == [old]


def test_a_link_not_kept_is_none(store: LinkStore) -> None:
    assert store.find("f" * 16) is None


def test_the_same_link_twice_is_kept_once(store: LinkStore) -> None:
    store.save(LINK)
    store.save(replace(LINK, created=datetime.now(UTC)))
    assert store.find(LINK.id) == LINK


def test_another_process_finds_it(store: LinkStore) -> None:
    store.save(LINK)
    assert LinkStore(settings.database_url()).find(LINK.id) == LINK


def test_many_write_at_once_into_an_empty_store(store: LinkStore) -> None:
    failed = []

    def save(number: int) -> None:
        try:
            LinkStore(settings.database_url()).save(replace(LINK, id=f"{number:016x}"))
        except Exception as error:
            failed.append(error)

    writers = [threading.Thread(target=save, args=(number,)) for number in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failed == []
    assert all(store.find(f"{number:016x}") for number in range(8))


def test_it_is_known_within_a_day_when_a_link_was_last_opened(store: LinkStore) -> None:
    old, today = LINK.created - timedelta(days=400), datetime.now(UTC)
    store.save(LINK, opened=old)
    store.save(replace(LINK, id="f" * 16), opened=old)
    opened = lambda: [one.opened for one in store.iterate()]
    assert opened() == [old, old]
    store.find(LINK.id)
    first, second = opened()
    assert today <= first and second == old
    store.find(LINK.id)
    assert opened() == [first, old], "a second opening on the same day writes nothing"


def test_links_that_nobody_opens_expire(store: LinkStore) -> None:
    store.save(LINK, opened=datetime.now(UTC) - timedelta(days=31))
    store.save(replace(LINK, id="f" * 16), opened=datetime.now(UTC) - timedelta(days=29))
    assert store.expire(30) == 1
    assert [one.link.id for one in store.iterate()] == ["f" * 16]
    assert store.expire(30) == 0 == store.expire(10**9)


def test_a_link_that_expires_while_it_is_opened_is_either_opened_or_gone(store: LinkStore) -> None:
    """The old one: who opened it saw it a last time, and nobody after them."""
    store.save(LINK, opened=datetime.now(UTC) - timedelta(days=31))
    other = LinkStore(settings.database_url())

    def meanwhile(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("UPDATE"):
            assert other.expire(30) == 1

    sql.event.listen(store.database._engine, "before_cursor_execute", meanwhile)
    assert store.find(LINK.id) is None


def test_links_that_visitors_open_never_expire(store: LinkStore) -> None:
    ids = [f"{number:016x}" for number in range(60)]
    for id in ids:
        store.save(replace(LINK, id=id), opened=datetime.now(UTC) - timedelta(days=31))
    opened, over = [], threading.Event()

    def visit() -> None:
        own = LinkStore(settings.database_url())
        try:
            opened.extend(id for id in ids if own.find(id))
        finally:
            over.set()

    visitor = threading.Thread(target=visit)
    visitor.start()
    while not over.wait(YIELD_S):
        store.expire(30)
    visitor.join()
    assert {head.id for head in store.heads()} == set(opened)


def test_links_are_listed_by_age_with_those_nobody_opens(store: LinkStore) -> None:
    now = datetime.now(UTC)
    store.save(LINK, opened=now - timedelta(days=40))
    store.save(replace(LINK, id="0" * 16, created=now), opened=now)
    assert [head.id for head in store.heads()] == [LINK.id, "0" * 16]
    assert [(head.id, head.title) for head in store.heads(30)] == [(LINK.id, LINK.title)]
    assert store.count() == 2 and store.find_stored("f" * 16) is None
    assert store.find_stored(LINK.id) == StoredLink(LINK, now - timedelta(days=40))


def test_links_are_deleted_together_or_not_at_all(store: LinkStore) -> None:
    store.save(LINK)
    assert store.delete([LINK.id, "f" * 16]) == {"f" * 16}
    assert store.count() == 1
    assert store.delete([LINK.id]) == set()
    assert store.count() == 0


def test_what_is_added_leaves_what_is_there(store: LinkStore) -> None:
    old, other = StoredLink(LINK, LINK.created), StoredLink(replace(LINK, id="f" * 16), LINK.created)
    assert store.add([old], write=False) == AddResult(1, 0)
    assert store.count() == 0
    assert store.add([old]) == AddResult(1, 0)
    changed = StoredLink(replace(LINK, metrics=[{}, {}], created=datetime.now(UTC)), LINK.created)
    assert store.add([changed, other]) == AddResult(1, 0, (LINK.id,))
    assert store.add([old, other]) == AddResult(0, 2)
    assert store.find(LINK.id) == LINK


def test_a_link_that_is_shared_while_it_is_added_is_there_already(store: LinkStore) -> None:
    other, once = LinkStore(settings.database_url()), []
    other.count()

    def meanwhile(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT") and not once:
            once.append(other.save(LINK))

    sql.event.listen(store.database._engine, "before_cursor_execute", meanwhile)
    assert store.add([StoredLink(LINK, LINK.created)]) == AddResult(0, 1)
    assert once == [True]


def test_letters_that_no_database_keeps_are_left_out(store: LinkStore) -> None:
    """PostgreSQL takes no NUL, and neither database half of a surrogate pair."""
    odd = replace(LINK, title="a\0b\ud800c", scenario={"name": "a\0b\ud800c"})
    assert store.save(odd)
    assert store.find(LINK.id) == replace(odd, title="abc")
    assert store.add([StoredLink(odd, LINK.created)]) == AddResult(0, 1)


def test_a_row_that_is_no_json_is_named(store: LinkStore) -> None:
    store.save(LINK)
    with store.database.begin("") as connection:
        connection.execute(sql.text("UPDATE links SET metrics = '['"))
    with pytest.raises(StoreError, match=phrase("store.link_cant_be_read", LINK.id)):
        list(store.iterate())
    assert store.add([StoredLink(LINK, LINK.created)]) == AddResult(0, 0, (LINK.id,))


def test_a_database_that_is_away_is_a_sentence(data: Path) -> None:
    away = LinkStore("postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    with pytest.raises(StoreError, match="does not answer"):
        away.save(LINK)
    with pytest.raises(StoreError, match="does not answer"):
        away.find(LINK.id)


@pytest.mark.parametrize("url", ["nonsense", "nosuch://host/db", "sqlite+nosuch:///x"])
def test_a_url_of_no_database_is_a_sentence(url: str) -> None:
    with pytest.raises(StoreError, match="DATABASE_URL"):
        LinkStore(url)


def test_a_file_that_is_no_database_is_a_sentence(data: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("This is no database, and long enough to have no header of one. " * 20)
    with pytest.raises(StoreError, match=phrase("common.damaged_and_left_as")):
        LinkStore(f"sqlite:///{tmp_path}/text").find(LINK.id)


def test_hosts_short_names_of_postgresql_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    for short in ("postgres://u:p@h/d", "postgresql://u:p@h/d"):
        monkeypatch.setenv("DATABASE_URL", short)
        assert settings.database_url() == "postgresql+psycopg://u:p@h/d"
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://u:p@h/d")
    assert settings.database_url() == "postgresql+psycopg://u:p@h/d"


def test_an_id_stands_for_scenario_schedulers_in_order_and_version(small: dict) -> None:
    canonical = Scenario.of(small).canonical
    one = link_id(canonical, ("fifo", "fair"), "0.1.0")
    others = [
        link_id(canonical, ("fair", "fifo"), "0.1.0"),
        link_id(canonical, ("fifo",), "0.1.0"),
        link_id(canonical, ("fifo", "fair"), "0.2.0"),
        link_id(Scenario.of(small | {"name": "other"}).canonical, ("fifo", "fair"), "0.1.0"),
    ]
    assert len(one) == 16
    assert len({one, *others}) == 5


def test_sqlite_s_files_are_this_user_s_alone(data: Path) -> None:
    """The log and its index too, made new or found from before."""
    settings.data_dir()
    mode = lambda: {path.name: path.stat().st_mode & 0o777 for path in data.glob("links.sqlite*")}
    before = os.umask(0o000)
    try:
        store = LinkStore(settings.database_url())
        with store.database.begin(""):
            assert mode() == dict.fromkeys(
                ("links.sqlite", "links.sqlite-wal", "links.sqlite-shm", "links.sqlite.lock"), 0o600
            )
        store.save(LINK)
        for path in data.glob("links.sqlite*"):
            path.chmod(0o644)
        assert LinkStore(settings.database_url()).find(LINK.id) == LINK
        assert set(mode().values()) == {0o600}
    finally:
        os.umask(before)
