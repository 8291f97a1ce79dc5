"""What a link keeps: scenario, schedulers, metrics and engine version; figures are computed again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from webapp import settings
from webapp.messages import msg
from webapp.monitoring import audit
from webapp.store.database import Database, StoreError, with_utc, without_unstorable
from webapp.store.kept_records import TRIES, AddResult

BEFORE_0_2 = re.compile(r"0\.[01]\.")
# as exactly is it known when a link was last opened, so that most openings write nothing
ONE_DAY = timedelta(days=1)
NOT_SAVED = msg("url.links.link_could_not_be_kept_servers")
NOT_OPENED = msg("url.links.link_could_not_be_opened_servers")
MAX_TITLE_CHARS, MAX_SENTENCE_CHARS = 200, 300  # of what a sharer writes; a scenario's own name may be longer
ROWS_PER_FETCH = 16  # rows that are fetched together: one may hold a scenario of several megabytes

links_table = sql.table(
    "links",
    *map(sql.column, ("id", "title", "sentence", "scenario", "schedulers", "metrics", "version")),
    sql.column("read_only", sql.Boolean),
    sql.column("created", sql.DateTime(timezone=True)),
    sql.column("opened", sql.DateTime(timezone=True)),
)


@dataclass(frozen=True)
class Link:
    """A stored link. scenario: JSON values; metrics: one dict a scheduler, in their order; sentence: what its
    sharer says of it; read_only: it opens without writing over what the visitor has.
    """

    id: str
    title: str
    scenario: dict
    schedulers: tuple[str, ...]
    metrics: list[dict[str, Any]]
    version: str
    created: datetime
    sentence: str = ""
    read_only: bool = False

    @property
    def is_from_0_1(self) -> bool:
        """Was it stored by Gantry 0.1, whose bare names meant something else?"""
        return bool(BEFORE_0_2.match(self.version))


class LinkHead(NamedTuple):
    """What a list of links shows of one."""

    id: str
    title: str
    version: str
    created: datetime
    opened: datetime


class LinkSummary(NamedTuple):
    """What a preview says of a link; its scenario, which may be large, is not read for it."""

    title: str
    sentence: str
    read_only: bool
    schedulers: tuple[str, ...]
    metrics: list[dict[str, Any]]


class StoredLink(NamedTuple):
    """A link, and when it was last opened."""

    link: Link
    opened: datetime


def link_id(canonical: bytes, schedulers: Sequence[str], version: str) -> str:
    """First 16 hexadecimal digits of sha256 over the canonical scenario, the schedulers' names in order and
    the engine's version.
    """
    text = b"\n".join([canonical, *(name.encode() for name in schedulers), version.encode()])
    return hashlib.sha256(text).hexdigest()[:16]


def described_id(id: str, sentence: str, read_only: bool) -> str:
    """The id of the link that shows the same with this sentence, or read-only; with neither it is `id`."""
    if not sentence and not read_only:
        return id
    return hashlib.sha256(json.dumps([id, sentence, read_only]).encode()).hexdigest()[:16]


class LinkStore:
    """Links by id, in a database. Every method raises StoreError, one sentence, when it is away."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self._not_read = msg("url.links.links_could_not_be_read_database", name=self.database.name)
        self._not_changed = msg("url.links.links_could_not_be_changed_database", name=self.database.name)

    def save(self, link: Link, opened: datetime | None = None) -> bool:
        """Keep a link; the same id is the same content, so a second time changes nothing. Whether it is
        new.
        """
        row = _to_row(StoredLink(link, opened or link.created))
        try:
            with self.database.begin(NOT_SAVED) as connection:
                connection.execute(sql.insert(links_table).values(**row))
        except IntegrityError:
            return False
        audit.log_link(audit.SAVED, link.id)
        return True

    def find(self, id: str) -> Link | None:
        """The link with this id, or None."""
        with self.database.begin(NOT_OPENED) as connection:
            row = _select(connection, id)
            is_stale = row is not None and with_utc(row["opened"]) < now() - ONE_DAY
            if is_stale:
                still_exists = connection.execute(
                    sql.update(links_table).where(links_table.c.id == id).values(opened=now())
                ).rowcount
                row = row if still_exists else None  # it expired since it was read
        if is_stale and row is not None:
            audit.log_link(audit.OPENED, id)
        return _from_row(row) if row is not None else None

    def iterate(self) -> Iterator[StoredLink]:
        """All links as they are now, by their ids; StoreError, naming the link, for one that can't be read.
        Few stand in memory at a time.
        """
        with self.database.begin(self._not_read) as connection:
            result = connection.execution_options(yield_per=ROWS_PER_FETCH).execute(
                sql.select(links_table).order_by(links_table.c.id)
            )
            for row in result.mappings():
                try:
                    stored = _stored(row)
                except (ValueError, TypeError, RecursionError):
                    raise StoreError(msg("url.links.link_cant_be_read_what_database", id=row["id"])) from None
                yield stored

    def heads(self, unopened_days: int | None = None) -> Iterator[LinkHead]:
        """All links, or those that nobody has opened for so many days, the oldest first."""
        listed = sql.select(*(links_table.c[name] for name in LinkHead._fields)).order_by(
            links_table.c.created, links_table.c.id
        )
        if unopened_days is not None:
            listed = listed.where(links_table.c.opened < unopened_cutoff(unopened_days))
        with self.database.begin(self._not_read) as connection:
            for row in connection.execution_options(yield_per=64 * ROWS_PER_FETCH).execute(listed):
                yield LinkHead(row.id, row.title, row.version, with_utc(row.created), with_utc(row.opened))

    def find_stored(self, id: str) -> StoredLink | None:
        """The link with this id, or None; it does not count as opened."""
        with self.database.begin(self._not_read) as connection:
            row = _select(connection, id)
        return _stored(row) if row is not None else None

    def summary(self, id: str) -> LinkSummary | None:
        """What a preview says of the link with this id, or None; it does not count as opened."""
        listed = sql.select(*(links_table.c[name] for name in LinkSummary._fields))
        with self.database.begin(NOT_OPENED) as connection:
            row = connection.execute(listed.where(links_table.c.id == id)).one_or_none()
        if row is None:
            return None
        schedulers, metrics = json.loads(row.schedulers), json.loads(row.metrics)
        return LinkSummary(row.title, row.sentence, row.read_only, tuple(schedulers), metrics)

    def ids(self) -> Iterator[str]:
        """Of all links."""
        return (head.id for head in self.heads())

    def count(self) -> int:
        """How many links there are."""
        with self.database.begin(self._not_read) as connection:
            return connection.execute(sql.select(sql.func.count()).select_from(links_table)).scalar_one()

    def existing_ids(self, ids: Collection[str]) -> set[str]:
        """Those of the ids that are links'."""
        with self.database.begin(self._not_read) as connection:
            return set(connection.execute(sql.select(links_table.c.id).where(_is_one_of(ids))).scalars())

    def add(self, new_links: Sequence[StoredLink], write: bool = True) -> AddResult:
        """Keep links of another store, all or none; one that is there stays as it is. write=False: only say
        what would become of them.
        """
        for _ in range(TRIES):
            try:
                return self._add(new_links, write)
            except IntegrityError:  # a visitor shared one of them meanwhile
                continue
        raise StoreError(self._not_changed)

    def _add(self, new_links: Sequence[StoredLink], write: bool) -> AddResult:
        by_id = {link.link.id: link for link in new_links}
        with self.database.begin(self._not_changed) as connection:
            rows = connection.execute(sql.select(links_table).where(_is_one_of(by_id))).mappings()
            existing = {row["id"]: row for row in rows}
            new = [link for id, link in by_id.items() if id not in existing]
            if new and write:
                connection.execute(sql.insert(links_table), [_to_row(stored) for stored in new])
        differing = tuple(id for id, row in existing.items() if not _has_same_content(row, by_id[id].link))
        return AddResult(len(new), len(existing) - len(differing), differing)

    def delete(self, ids: Collection[str]) -> set[str]:
        """Delete these links, all or none; the ids that are no link's, and then nothing is deleted."""
        with self.database.begin(self._not_changed) as connection:
            found = connection.execute(sql.select(links_table.c.id).where(_is_one_of(ids))).scalars()
            if missing := set(ids) - set(found):
                return missing
            connection.execute(sql.delete(links_table).where(_is_one_of(ids)))
        for id in set(ids):
            audit.log_link(audit.DELETED, id)
        return set()

    def expire(self, days: int) -> int:
        """Delete the links that nobody has opened for so many days; how many."""
        is_expired = links_table.c.opened < unopened_cutoff(days)
        with self.database.begin(self._not_changed) as connection:
            deletion = sql.delete(links_table).where(is_expired).returning(links_table.c.id)
            expired_ids = connection.execute(deletion).scalars().all()
        for id in expired_ids:
            audit.log_link(audit.EXPIRED, id)
        return len(expired_ids)


@cache
def link_store() -> LinkStore:
    """The server's store, by DATABASE_URL."""
    return LinkStore(settings.database_url())


def now() -> datetime:
    """When a link is made or opened."""
    return datetime.now(UTC)


def unopened_cutoff(days: int) -> datetime:
    """What was last opened then or earlier was not opened for so many days."""
    try:
        return now() - timedelta(days=days)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def _select(connection: sql.Connection, id: str) -> Any:
    return connection.execute(sql.select(links_table).where(links_table.c.id == id)).mappings().one_or_none()


def _is_one_of(ids: Collection[str]) -> sql.ColumnElement[bool]:
    return links_table.c.id.in_(list(ids))


def _to_row(stored: StoredLink) -> dict[str, Any]:
    link = stored.link
    return {
        "id": link.id,
        "title": without_unstorable(link.title),
        "sentence": without_unstorable(link.sentence),
        "read_only": link.read_only,
        "scenario": json.dumps(link.scenario),
        "schedulers": json.dumps(list(link.schedulers)),
        "metrics": json.dumps(link.metrics),
        "version": link.version,
        "created": link.created,
        "opened": stored.opened,
    }


def _has_same_content(row: Any, link: Link) -> bool:
    """Does a row hold the same as a link, whenever either was made?"""
    try:
        stored = _from_row(row)
    except (ValueError, TypeError, RecursionError):
        return False
    return _content_text(stored) == _content_text(link)


def _content_text(link: Link) -> str:
    texts = [without_unstorable(text) for text in (link.title, link.sentence)]
    values = [*texts, link.read_only, link.scenario, link.schedulers, link.metrics, link.version]
    return json.dumps(values, sort_keys=True)


def _from_row(row: Any) -> Link:
    scenario, schedulers, metrics = (json.loads(row[key]) for key in ("scenario", "schedulers", "metrics"))
    return Link(
        row["id"],
        row["title"],
        scenario,
        tuple(schedulers),
        metrics,
        row["version"],
        with_utc(row["created"]),
        row["sentence"],
        row["read_only"],
    )


def _stored(row: Any) -> StoredLink:
    return StoredLink(_from_row(row), with_utc(row["opened"]))
