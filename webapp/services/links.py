"""What a link keeps: scenario, schedulers, metrics and engine version; figures are computed again.

SQLite in the data directory, or any database SQLAlchemy knows by DATABASE_URL. Only this file imports sqlalchemy.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from engine import GantryError
from webapp import settings

log = logging.getLogger("gantry")
BEFORE_0_2 = re.compile(r"0\.[01]\.")
PRIVATE = 0o600
BESIDE = ("-wal", "-shm", "-journal")
WAIT_S = 5  # for a database that does not answer, or another process that writes

tables = sql.MetaData()
links = sql.Table(
    "links",
    tables,
    sql.Column("id", sql.String(16), primary_key=True),
    sql.Column("title", sql.Text, nullable=False),
    sql.Column("scenario", sql.Text, nullable=False),
    sql.Column("schedulers", sql.Text, nullable=False),
    sql.Column("metrics", sql.Text, nullable=False),
    sql.Column("version", sql.String(40), nullable=False),
    sql.Column("created", sql.DateTime(timezone=True), nullable=False),
)


class StoreError(GantryError):
    """Links can't be kept or read just now."""


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
    """Links by id. Every method raises StoreError, one sentence, when the database is away."""

    def __init__(self, url: str) -> None:
        try:
            self._engine = sql.create_engine(url, pool_pre_ping=True, connect_args=_patience(url))
        except (SQLAlchemyError, ImportError) as error:
            log.error("links: the database can't be used (%s)", type(error).__name__)
            raise StoreError("DATABASE_URL names a database that can't be used here: it must be a URL SQLAlchemy knows, with its driver installed.") from None
        if self._engine.dialect.name == "sqlite":
            sql.event.listen(self._engine, "connect", _many_readers)
        file = self._engine.url.database if self._engine.dialect.name == "sqlite" else None
        self._file = Path(file) if file and file != ":memory:" and not file.startswith("file:") else None
        self._made = False

    def save(self, link: Link) -> None:
        """Keep a link; the same id is the same content, so a second time changes nothing."""
        row = {
            "id": link.id,
            "title": link.title,
            "scenario": json.dumps(link.scenario, ensure_ascii=False),
            "schedulers": json.dumps(list(link.schedulers)),
            "metrics": json.dumps(link.metrics),
            "version": link.version,
            "created": link.created,
        }
        try:
            with self._begin() as connection:
                connection.execute(sql.insert(links).values(**row))
        except IntegrityError:
            return
        except SQLAlchemyError as error:
            raise _away(error, "The link could not be kept: the server's database does not answer. Nothing else is lost; try again later.") from None

    def find(self, id: str) -> Link | None:
        """The link with this id, or None."""
        try:
            with self._begin() as connection:
                row = connection.execute(sql.select(links).where(links.c.id == id)).mappings().one_or_none()
        except SQLAlchemyError as error:
            raise _away(error, "The link could not be opened: the server's database does not answer. Try again later; your own draft is shown.") from None
        if row is None:
            return None
        unpacked = {key: json.loads(row[key]) for key in ("scenario", "schedulers", "metrics")}
        created = row["created"] if row["created"].tzinfo else row["created"].replace(tzinfo=UTC)
        return Link(**{**row, **unpacked, "schedulers": tuple(unpacked["schedulers"]), "created": created})

    def _begin(self) -> Any:
        if self._file and not self._file.exists():  # deleted under us: open connections would write into nothing
            self._engine.dispose()
            self._made = False
        if not self._made:
            if self._file:
                _only_ours(self._file)
            # IntegrityError is PostgreSQL's answer to the second of two that make it at once.
            with contextlib.suppress(IntegrityError), self._engine.begin() as connection:
                connection.execute(sql.schema.CreateTable(links, if_not_exists=True))
            self._made = True
        return self._engine.begin()


def _only_ours(file: Path) -> None:
    """Makes the file of SQLite for this user alone, what stands beside it too: SQLite gives its log and its index the file's own mode."""
    with contextlib.suppress(OSError):  # of a folder that can't be written, or of another's: SQLite says so
        file.touch(PRIVATE)
    for one in (file, *(file.with_name(file.name + end) for end in BESIDE)):
        with contextlib.suppress(OSError):
            one.chmod(PRIVATE)


@cache
def store() -> Store:
    """The server's store, by DATABASE_URL."""
    return Store(settings.database_url())


def now() -> datetime:
    """When a link is made."""
    return datetime.now(UTC)


def _patience(url: str) -> dict[str, Any]:
    return {"timeout": WAIT_S} if url.startswith("sqlite") else {"connect_timeout": WAIT_S} if url.startswith("postgresql") else {}


def _many_readers(connection: Any, _record: Any) -> None:
    """Write-ahead log: server processes read while one writes. It stays with the file, so one of those who switch it on at once is enough."""
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode=WAL")


def _away(error: SQLAlchemyError, sentence: str) -> StoreError:
    log.error("links: %s", type(error).__name__)
    return StoreError(sentence)
