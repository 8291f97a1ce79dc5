"""What a link keeps: scenario, schedulers, metrics and engine version; figures are computed again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from webapp import settings
from webapp.monitoring import audit
from webapp.store.database import Database

BEFORE_0_2 = re.compile(r"0\.[01]\.")
A_DAY = timedelta(days=1)  # as exactly is it known when a link was last opened, so that most openings write nothing
NOT_KEPT = "The link could not be kept: the server's database does not answer. Nothing else is lost; try again later."
NOT_OPENED = "The link could not be opened: the server's database does not answer. Try again later; your own draft is shown."
NOT_LISTED = "The links could not be listed: the database does not answer."

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


def id_of(canonical: bytes, schedulers: Sequence[str], version: str) -> str:
    """First 16 hexadecimal digits of sha256 over the canonical scenario, the schedulers' names in order and the engine's version."""
    text = b"\n".join([canonical, *(name.encode() for name in schedulers), version.encode()])
    return hashlib.sha256(text).hexdigest()[:16]


class Store:
    """Links by id, in a database. Every method raises StoreError, one sentence, when it is away."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)

    def save(self, link: Link, opened: datetime | None = None) -> bool:
        """Keep a link; the same id is the same content, so a second time changes nothing. Whether it is new."""
        row = {
            "id": link.id,
            "title": link.title,
            "scenario": json.dumps(link.scenario, ensure_ascii=False),
            "schedulers": json.dumps(list(link.schedulers)),
            "metrics": json.dumps(link.metrics),
            "version": link.version,
            "created": link.created,
            "opened": opened or link.created,
        }
        try:
            with self.database.begin(NOT_KEPT) as connection:
                connection.execute(sql.insert(links).values(**row))
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
                connection.execute(sql.update(links).where(links.c.id == id).values(opened=now()))
        if anew:
            audit.link(audit.OPENED, id)
        return _link(row) if row is not None else None

    def every(self) -> Iterator[tuple[Link, datetime]]:
        """All links with when each was last opened, the oldest first."""
        with self.database.begin(NOT_LISTED) as connection:
            for row in connection.execute(sql.select(links).order_by(links.c.created, links.c.id)).mappings():
                yield _link(row), _aware(row["opened"])

    def expire(self, days: int) -> int:
        """Delete the links that nobody has opened for so many days; how many."""
        old = links.c.opened < now() - timedelta(days=days)
        with self.database.begin(NOT_LISTED) as connection:
            gone = connection.execute(sql.delete(links).where(old).returning(links.c.id)).scalars().all()
        for id in gone:
            audit.link(audit.EXPIRED, id)
        return len(gone)

    def count(self) -> int:
        """How many there are."""
        with self.database.begin(NOT_LISTED) as connection:
            return connection.execute(sql.select(sql.func.count()).select_from(links)).scalar()


@cache
def store() -> Store:
    """The server's store, by DATABASE_URL."""
    return Store(settings.database_url())


def now() -> datetime:
    """When a link is made or opened."""
    return datetime.now(UTC)


def _link(row: Any) -> Link:
    unpacked = {key: json.loads(row[key]) for key in ("scenario", "schedulers", "metrics")}
    return Link(row["id"], row["title"], unpacked["scenario"], tuple(unpacked["schedulers"]), unpacked["metrics"], row["version"], _aware(row["created"]))


def _aware(at: datetime) -> datetime:
    """SQLite forgets the zone, which is UTC."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)
