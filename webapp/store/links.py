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
from webapp.monitoring import audit
from webapp.store.database import Database, StoreError

BEFORE_0_2 = re.compile(r"0\.[01]\.")
A_DAY = timedelta(days=1)  # as exactly is it known when a link was last opened, so that most openings write nothing
NOT_KEPT = "The link could not be kept: the server's database does not answer. Nothing else is lost; try again later."
NOT_OPENED = "The link could not be opened: the server's database does not answer. Try again later; your own draft is shown."
TRIES = 3
AT_A_TIME = 16  # rows that are fetched together: one may hold a scenario of several megabytes

links = sql.table("links", *(sql.column(name) for name in ("id", "title", "scenario", "schedulers", "metrics", "version")),
                  sql.column("created", sql.DateTime(timezone=True)), sql.column("opened", sql.DateTime(timezone=True)))  # fmt: skip


@dataclass(frozen=True)
class Link:
    """A stored link. scenario: JSON values; metrics: one dict a scheduler, in their order."""

    id: str
    title: str
    scenario: dict
    schedulers: tuple[str, ...]
    metrics: list[dict[str, Any]]
    version: str
    created: datetime

    @property
    def of_0_1(self) -> bool:
        """Was it stored by Gantry 0.1, whose bare names meant something else?"""
        return bool(BEFORE_0_2.match(self.version))


class Head(NamedTuple):
    """What a list of links shows of one."""

    id: str
    title: str
    version: str
    created: datetime
    opened: datetime


class Kept(NamedTuple):
    """A link, and when it was last opened."""

    link: Link
    opened: datetime


class Added(NamedTuple):
    """What became of links that were to be added: how many are new, how many were there already, and the ids of those that are there with other content."""

    new: int
    same: int
    differing: tuple[str, ...]


def id_of(canonical: bytes, schedulers: Sequence[str], version: str) -> str:
    """First 16 hexadecimal digits of sha256 over the canonical scenario, the schedulers' names in order and the engine's version."""
    text = b"\n".join([canonical, *(name.encode() for name in schedulers), version.encode()])
    return hashlib.sha256(text).hexdigest()[:16]


class Store:
    """Links by id, in a database. Every method raises StoreError, one sentence, when it is away."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self._not_read = f"The links could not be read: the database {self.database.name} does not answer."
        self._not_changed = f"The links could not be changed: the database {self.database.name} does not answer."

    def save(self, link: Link, opened: datetime | None = None) -> bool:
        """Keep a link; the same id is the same content, so a second time changes nothing. Whether it is new."""
        try:
            with self.database.begin(NOT_KEPT) as connection:
                connection.execute(sql.insert(links).values(**_row(Kept(link, opened or link.created))))
        except IntegrityError:
            return False
        audit.link(audit.KEPT, link.id)
        return True

    def find(self, id: str) -> Link | None:
        """The link with this id, or None."""
        with self.database.begin(NOT_OPENED) as connection:
            row = connection.execute(sql.select(links).where(links.c.id == id)).mappings().one_or_none()
            anew = row is not None and _aware(row["opened"]) < now() - A_DAY
            if anew:
                still = connection.execute(sql.update(links).where(links.c.id == id).values(opened=now())).rowcount
                row = row if still else None  # it expired since it was read
        if anew and row is not None:
            audit.link(audit.OPENED, id)
        return _link(row) if row is not None else None

    def every(self) -> Iterator[Kept]:
        """All links as they are now, by their ids; StoreError, naming the link, for one that can't be read. Few stand in memory at a time."""
        with self.database.begin(self._not_read) as connection:
            found = connection.execution_options(yield_per=AT_A_TIME).execute(sql.select(links).order_by(links.c.id))
            for row in found.mappings():
                try:
                    kept = Kept(_link(row), _aware(row["opened"]))
                except (ValueError, TypeError, RecursionError):
                    raise StoreError(f"The link {row['id']} can't be read: what the database keeps of it is no JSON.") from None
                yield kept

    def heads(self, unopened_days: int | None = None) -> Iterator[Head]:
        """All links, or those that nobody has opened for so many days, the oldest first."""
        listed = sql.select(*(links.c[name] for name in Head._fields)).order_by(links.c.created, links.c.id)
        if unopened_days is not None:
            listed = listed.where(links.c.opened < before(unopened_days))
        with self.database.begin(self._not_read) as connection:
            for row in connection.execution_options(yield_per=64 * AT_A_TIME).execute(listed):
                yield Head(row.id, row.title, row.version, _aware(row.created), _aware(row.opened))

    def kept(self, id: str) -> Kept | None:
        """The link with this id, or None; it does not count as opened."""
        with self.database.begin(self._not_read) as connection:
            row = connection.execute(sql.select(links).where(links.c.id == id)).mappings().one_or_none()
        return Kept(_link(row), _aware(row["opened"])) if row is not None else None

    def count(self) -> int:
        """How many links there are."""
        with self.database.begin(self._not_read) as connection:
            return connection.execute(sql.select(sql.func.count()).select_from(links)).scalar()

    def among(self, ids: Collection[str]) -> set[str]:
        """Those of the ids that are links'."""
        with self.database.begin(self._not_read) as connection:
            return set(connection.execute(sql.select(links.c.id).where(links.c.id.in_(list(ids)))).scalars())

    def add(self, these: Sequence[Kept], write: bool = True) -> Added:
        """Keep links of another store, all or none; one that is there stays as it is. write=False: only say what would become of them."""
        for _ in range(TRIES):
            try:
                return self._add(these, write)
            except IntegrityError:  # a visitor shared one of them meanwhile
                continue
        raise StoreError(self._not_changed)

    def _add(self, these: Sequence[Kept], write: bool) -> Added:
        wanted = {one.link.id: one for one in these}
        with self.database.begin(self._not_changed) as connection:
            there = connection.execute(sql.select(links).where(links.c.id.in_(list(wanted)))).mappings()
            known = {row["id"]: row for row in there}
            new = [one for id, one in wanted.items() if id not in known]
            if new and write:
                connection.execute(sql.insert(links), [_row(one) for one in new])
        differing = tuple(id for id, row in known.items() if not _alike(row, wanted[id].link))
        return Added(len(new), len(known) - len(differing), differing)

    def delete(self, ids: Collection[str]) -> set[str]:
        """Delete these links, all or none; the ids that are no link's, and then nothing is deleted."""
        with self.database.begin(self._not_changed) as connection:
            missing = set(ids) - set(connection.execute(sql.select(links.c.id).where(links.c.id.in_(list(ids)))).scalars())
            if not missing:
                connection.execute(sql.delete(links).where(links.c.id.in_(list(ids))))
        for id in set() if missing else set(ids):
            audit.link(audit.DELETED, id)
        return missing

    def expire(self, days: int) -> int:
        """Delete the links that nobody has opened for so many days; how many."""
        old = links.c.opened < before(days)
        with self.database.begin(self._not_changed) as connection:
            gone = connection.execute(sql.delete(links).where(old).returning(links.c.id)).scalars().all()
        for id in gone:
            audit.link(audit.EXPIRED, id)
        return len(gone)


@cache
def store() -> Store:
    """The server's store, by DATABASE_URL."""
    return Store(settings.database_url())


def now() -> datetime:
    """When a link is made or opened."""
    return datetime.now(UTC)


def before(days: int) -> datetime:
    """What was last opened then or earlier was not opened for so many days."""
    try:
        return now() - timedelta(days=days)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def storable(text: str) -> str:
    """A text without the letters that a database does not keep: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def _row(one: Kept) -> dict[str, Any]:
    link = one.link
    return {
        "id": link.id,
        "title": storable(link.title),
        "scenario": json.dumps(link.scenario),
        "schedulers": json.dumps(list(link.schedulers)),
        "metrics": json.dumps(link.metrics),
        "version": link.version,
        "created": link.created,
        "opened": one.opened,
    }


def _alike(row: Any, link: Link) -> bool:
    """Does a row hold the same as a link, whenever either was made?"""
    try:
        found = _link(row)
    except (ValueError, TypeError, RecursionError):
        return False
    same = lambda one: json.dumps([storable(one.title), one.scenario, one.schedulers, one.metrics, one.version], sort_keys=True)
    return same(found) == same(link)


def _link(row: Any) -> Link:
    unpacked = {key: json.loads(row[key]) for key in ("scenario", "schedulers", "metrics")}
    return Link(row["id"], row["title"], unpacked["scenario"], tuple(unpacked["schedulers"]), unpacked["metrics"], row["version"], _aware(row["created"]))


def _aware(at: datetime) -> datetime:
    """SQLite forgets the zone, which is UTC."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)
