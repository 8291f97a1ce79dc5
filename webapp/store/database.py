"""The server's database: SQLite in the data directory, or any that SQLAlchemy knows by DATABASE_URL, brought to today's tables by Alembic.

A database that is away raises StoreError, one sentence, after WAIT_S at most; nothing waits for it longer. A damaged file is left as it is.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from engine import GantryError
from webapp import settings
from webapp.monitoring import counters

log = logging.getLogger("gantry")
PRIVATE = 0o600
BESIDE = ("-wal", "-shm", "-journal", ".lock")
WAIT_S = 5  # for a database that does not answer, or another process that writes
CONNECT_S = 2  # for PostgreSQL to take a connection
SLOW_S, REST_S = 1.0, 5.0  # a failure that took so long is not tried again for so long
AWAY = "does not answer"
DAMAGED = "is damaged and left as it is, for its owner to restore"
INSTEAD = {  # by what SQLite and PostgreSQL say
    "not a database": DAMAGED,
    "malformed": DAMAGED,
    "is full": "has no room left on its disk",
    "No space left": "has no room left on its disk",
    "is locked": "is kept busy by another program",
    "readonly": "can't be written",
}
ONE_AT_A_TIME = 0x67616E74  # of PostgreSQL's advisory locks: who migrates
_migrating = threading.Lock()  # Alembic's context is the process's own


class StoreError(GantryError):
    """The server's database can't be written or read just now."""


class Database:
    """One database. Raises StoreError for a URL that none has."""

    def __init__(self, url: str) -> None:
        try:
            self._engine = sql.create_engine(url, pool_pre_ping=True, pool_timeout=WAIT_S, connect_args=_patience(url))
        except (SQLAlchemyError, ImportError) as error:
            log.error("database: DATABASE_URL names one that can't be used (%s)", type(error).__name__)
            raise StoreError("DATABASE_URL names a database that can't be used here: it must be a URL SQLAlchemy knows, with its driver installed.") from None
        self.kind = self._engine.dialect.name
        file = self._engine.url.database if self.kind == "sqlite" else None
        self._file = Path(file) if file and file != ":memory:" and not file.startswith("file:") else None
        if self.kind == "sqlite":
            sql.event.listen(self._engine, "connect", _many_readers)
        shown = self._engine.url
        self.name = f"{self.kind}://{shown.host or ''}{f':{shown.port}' if shown.port else ''}/{shown.database or ''}"  # with neither user nor password
        if self.kind == "postgresql" and self._engine.driver == "psycopg":
            sql.event.listen(self._engine, "do_connect", _not_for_ever)
        self._ready = False
        self._place: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._rests_until = 0.0

    @contextlib.contextmanager
    def begin(self, sentence: str) -> Iterator[sql.Connection]:
        """A connection in a transaction, on today's tables; StoreError with this sentence where the database does not answer, or what it does instead.

        One that was waited for in vain is left alone for a while, so that not everybody waits for it, one after another.
        """
        begun = time.monotonic()
        if begun < self._rests_until:
            raise StoreError(sentence)
        try:
            self._prepare()
            with self._engine.begin() as connection:
                yield connection
        except sql.exc.IntegrityError:
            raise
        except (SQLAlchemyError, sqlite3.Error) as error:  # SQLite's own come from a connection that is being made
            log.error("database: %s%s", type(error).__name__, f" ({_cause(error)})" if self.kind == "sqlite" else "")
            counters.database_failures.labels(type(error).__name__).inc()
            self._rest_if_slow(begun)
            raise StoreError(sentence.replace(AWAY, next((says for word, says in INSTEAD.items() if word in _cause(error)), AWAY))) from None

    def answers(self, sentence: str) -> None:
        """Returns if it does; else raises StoreError with this sentence."""
        with self.begin(sentence) as connection:
            connection.execute(sql.select(1))

    def same_as(self, other: Database) -> bool:
        """Is it the same database, by its URL, whoever may ask there?"""
        if self._file and other._file:
            return self._file.resolve() == other._file.resolve()
        return self.name == other.name

    def missing(self) -> bool:
        """Is it a file that is not there yet?"""
        return bool(self._file) and not self._file.exists()

    def revision(self) -> str | None:
        """Of its tables; None before the first migration."""
        with self._engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()

    def _prepare(self) -> None:
        """Migrate once in each process, and anew when a file was deleted under us, even if another has made a new one: our connections are to the old."""
        begun = time.monotonic()
        with self._lock:
            if begun < self._rests_until:  # whoever had the lock has waited in vain meanwhile
                raise OperationalError("", None, TimeoutError())
            if self._file and _place(self._file) != self._place:
                self._engine.dispose()
                self._ready = False
            if not self._ready:
                try:
                    self._migrate()
                except (SQLAlchemyError, sqlite3.Error):
                    self._rest_if_slow(begun)
                    raise
                self._ready, self._place = True, _place(self._file) if self._file else None

    def _rest_if_slow(self, begun: float) -> None:
        if time.monotonic() - begun > SLOW_S:
            self._rests_until = time.monotonic() + REST_S

    def _migrate(self) -> None:
        head = ScriptDirectory.from_config(_config()).get_current_head()
        with _migrating, self._alone(), self._engine.begin() as connection:
            if self.kind == "postgresql":
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(ONE_AT_A_TIME)))
            if MigrationContext.configure(connection).get_current_revision() != head:
                found = _config()
                found.attributes["connection"] = connection
                command.upgrade(found, "head")

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Of the processes that share a file, one migrates; the file is the owner's alone, for it holds what visitors shared."""
        if not self._file:
            yield
            return
        try:
            if self._file.parent == settings.data_dir():  # ours to make again when somebody deleted it
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(f"{self._file}.lock", os.O_CREAT | os.O_RDWR, PRIVATE)
        except OSError as error:
            raise OperationalError("", None, error) from None
        with os.fdopen(descriptor) as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            _only_ours(self._file)
            yield


@cache
def database() -> Database:
    """The server's, by DATABASE_URL."""
    return Database(settings.database_url())


def _only_ours(file: Path) -> None:
    """For this user alone, with what stands beside it: SQLite gives its log and its index the file's own mode."""
    with contextlib.suppress(OSError):  # of a folder that can't be written, or of another's: SQLite says so
        file.touch(PRIVATE)
    for one in (file, *(file.with_name(file.name + end) for end in BESIDE)):
        with contextlib.suppress(OSError):
            one.chmod(PRIVATE)


def _place(file: Path) -> tuple[int, int] | None:
    """Which file it is that bears this name now."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _cause(error: BaseException) -> str:
    """What the database itself said."""
    return str(getattr(error, "orig", None) or error)


def _config() -> Config:
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    return found


def _patience(url: str) -> dict[str, Any]:
    if url.startswith("sqlite"):
        return {"timeout": WAIT_S}
    if url.startswith("postgresql"):
        limit = f"{1000 * WAIT_S}"  # of a statement, of a lock; and of an answer, should the server be stopped in the midst of one
        return {"connect_timeout": CONNECT_S, "options": f"-c statement_timeout={limit} -c lock_timeout={limit}", "tcp_user_timeout": 1000 * WAIT_S}
    return {}


def _not_for_ever(_dialect: Any, _record: Any, words: list, settings: dict) -> Any:
    """A server that was stopped while it holds our connection keeps none of those limits."""
    from webapp.store import patient_connection

    return patient_connection.connect(WAIT_S + 0.5, *words, **settings)


def _many_readers(connection: Any, _record: Any) -> None:
    """Write-ahead log: processes read while one writes. It stays with the file, so one of those who switch it on at once is enough."""
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode=WAL")
