"""The server's database: SQLite in the data directory, or any that SQLAlchemy knows by DATABASE_URL, brought
to today's tables by Alembic.

A database that is away raises StoreError, one sentence, after WAIT_S at most; nothing waits for it longer. A
damaged file is left as it is.
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
from datetime import UTC, datetime
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
from webapp.messages import msg
from webapp.monitoring import counters

log = logging.getLogger("gantry")
OWNER_ONLY = 0o600
COMPANION_SUFFIXES = ("-wal", "-shm", "-journal", ".lock")
WAIT_S = 5  # for a database that does not answer, or another process that writes
CONNECT_S = 2  # for PostgreSQL to take a connection
SLOW_FAILURE_S, RETRY_AFTER_S = 1.0, 5.0  # a failure that took so long is not tried again for so long
NO_ANSWER = msg("store.database.does_not_answer")
DAMAGED = msg("store.database.damaged_was_not_changed_restore_from")
FAILURE_TEXTS = {  # by what SQLite and PostgreSQL say
    "not a database": DAMAGED,
    "malformed": DAMAGED,
    "is full": msg("store.database.has_no_room_left_on_its"),
    "No space left": msg("store.database.has_no_room_left_on_its"),
    "is locked": msg("store.database.locked_by_another_program"),
    "readonly": msg("store.database.cant_be_written"),
}
MIGRATION_LOCK = 0x67616E74  # of PostgreSQL's advisory locks: who migrates
_migration_lock = threading.Lock()  # Alembic's context is the process's own


class StoreError(GantryError):
    """The server's database can't be written or read just now."""


class Database:
    """One database. Raises StoreError for a URL that none has."""

    def __init__(self, url: str) -> None:
        try:
            self._engine = sql.create_engine(
                url, pool_pre_ping=True, pool_timeout=WAIT_S, connect_args=_timeout_arguments(url)
            )
        except (SQLAlchemyError, ImportError) as error:
            log.error(msg("store.database.database_database_url_names_one_cant"), type(error).__name__)
            raise StoreError(msg("store.database.database_url_names_database_cant_be")) from None
        self.kind = self._engine.dialect.name
        file = self._engine.url.database if self.kind == "sqlite" else None
        self._file = Path(file) if file and file != ":memory:" and not file.startswith("file:") else None
        if self.kind == "sqlite":
            sql.event.listen(self._engine, "connect", _prepare_file)
        parts = self._engine.url
        port = f":{parts.port}" if parts.port else ""
        self.name = f"{self.kind}://{parts.host or ''}{port}/{parts.database or ''}"  # no user, no password
        if self.kind == "postgresql" and self._engine.driver == "psycopg":
            sql.event.listen(self._engine, "do_connect", _connect_with_timeout)
        self._ready = False
        self._file_id: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._retry_at = 0.0

    @contextlib.contextmanager
    def begin(self, sentence: str) -> Iterator[sql.Connection]:
        """A connection in a transaction, on today's tables; StoreError with this sentence where the database
        does not answer, or what it does instead.

        One that was waited for in vain is left alone for a while, so that not everybody waits for it, one
        after another.
        """
        started_at = time.monotonic()
        if started_at < self._retry_at:
            raise StoreError(sentence)
        try:
            self._prepare()
            with self._engine.begin() as connection:
                yield connection
        except sql.exc.IntegrityError:
            raise
        except (SQLAlchemyError, sqlite3.Error) as error:  # SQLite's own: of a connection that is being made
            said = str(getattr(error, "orig", None) or error)  # by the database itself
            more = f" ({said})" if self.kind == "sqlite" else ""
            log.error("database: %s%s", type(error).__name__, more)
            counters.database_failures.labels(type(error).__name__).inc()
            self._back_off_if_slow(started_at)
            why = next((text for word, text in FAILURE_TEXTS.items() if word in said), NO_ANSWER)
            raise StoreError(sentence.replace(NO_ANSWER, why)) from None

    def check_connection(self, sentence: str) -> None:
        """Returns if it does; else raises StoreError with this sentence."""
        with self.begin(sentence) as connection:
            connection.execute(sql.select(1))

    def forget_deleted(self) -> None:
        """Empties SQLite's write-ahead log, where what was deleted still stands. While somebody reads what is
        older it stays, and the next call empties it.
        """
        if self._file:
            with contextlib.suppress(SQLAlchemyError, sqlite3.Error), self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def is_same_database(self, other: Database) -> bool:
        """Is it the same database, by its URL, whoever may ask there?"""
        if self._file and other._file:
            return self._file.resolve() == other._file.resolve()
        return self.name == other.name

    def is_missing(self) -> bool:
        """Is it a file that is not there yet?"""
        return self._file is not None and not self._file.exists()

    def revision(self) -> str | None:
        """Of its tables; None before the first migration."""
        with self._engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()

    def _prepare(self) -> None:
        """Migrate once in each process, and anew when a file was deleted under us, even if another has made a
        new one: our connections are to the old.
        """
        started_at = time.monotonic()
        with self._lock:
            if started_at < self._retry_at:  # whoever had the lock has waited in vain meanwhile
                raise OperationalError("", None, TimeoutError())
            if self._file and _file_identity(self._file) != self._file_id:
                self._engine.dispose()
                self._ready = False
            if not self._ready:
                try:
                    self._migrate()
                except (SQLAlchemyError, sqlite3.Error):
                    self._back_off_if_slow(started_at)
                    raise
                self._ready, self._file_id = True, _file_identity(self._file) if self._file else None

    def _back_off_if_slow(self, started_at: float) -> None:
        if time.monotonic() - started_at > SLOW_FAILURE_S:
            self._retry_at = time.monotonic() + RETRY_AFTER_S

    def _migrate(self) -> None:
        head = ScriptDirectory.from_config(_alembic_config()).get_current_head()
        with _migration_lock, self._exclusive_file(), self._engine.begin() as connection:
            if self.kind == "postgresql":
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
            if MigrationContext.configure(connection).get_current_revision() != head:
                _upgrade(connection)

    @contextlib.contextmanager
    def _exclusive_file(self) -> Iterator[None]:
        """Of the processes that share a file, one migrates; the file is the owner's alone, for it holds what
        visitors shared.
        """
        if not self._file:
            yield
            return
        try:
            if self._file.parent == settings.data_dir():  # ours to make again when somebody deleted it
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(f"{self._file}.lock", os.O_CREAT | os.O_RDWR, OWNER_ONLY)
        except OSError as error:
            raise OperationalError("", None, error) from None
        with os.fdopen(descriptor) as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            _restrict_to_owner(self._file)
            yield


@cache
def database() -> Database:
    """The server's, by DATABASE_URL."""
    return Database(settings.database_url())


@cache
def tables() -> dict[str, sql.Table]:
    """Today's, by their names, as the migrations make them; times have their zone."""
    metadata = sql.MetaData()

    def with_zone(_inspector: Any, _table: Any, column: Any) -> None:
        if isinstance(column["type"], sql.DateTime):
            column["type"] = sql.DateTime(timezone=True)

    with _migration_lock, sql.create_engine("sqlite://").begin() as connection:
        _upgrade(connection)
        sql.event.listen(sql.Table, "column_reflect", with_zone)
        metadata.reflect(connection)
        sql.event.remove(sql.Table, "column_reflect", with_zone)
    return dict(metadata.tables)


def with_utc(at: datetime) -> datetime:
    """A time as a database gives it back: SQLite forgets the zone, which is UTC."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def without_unstorable(text: str) -> str:
    """A text without the letters that a database does not keep: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def _restrict_to_owner(file: Path) -> None:
    """For this user alone, with what stands beside it: SQLite gives its log and its index the file's own
    mode.
    """
    with contextlib.suppress(OSError):  # of a folder that can't be written, or of another's: SQLite says so
        file.touch(OWNER_ONLY)
    for path in (file, *(file.with_name(file.name + end) for end in COMPANION_SUFFIXES)):
        with contextlib.suppress(OSError):
            path.chmod(OWNER_ONLY)


def _file_identity(file: Path) -> tuple[int, int] | None:
    """Which file it is that bears this name now."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _upgrade(connection: sql.Connection) -> None:
    config = _alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    return config


def _timeout_arguments(url: str) -> dict[str, Any]:
    if url.startswith("sqlite"):
        return {"timeout": WAIT_S}
    if url.startswith("postgresql"):
        # of a statement, of a lock; and of an answer, should the server be stopped in the midst of one
        limit = f"{1000 * WAIT_S}"
        return {
            "connect_timeout": CONNECT_S,
            "options": f"-c statement_timeout={limit} -c lock_timeout={limit}",
            "tcp_user_timeout": 1000 * WAIT_S,
        }
    return {}


def _connect_with_timeout(_dialect: Any, _record: Any, arguments: list, settings: dict) -> Any:
    """A server that was stopped while it holds our connection keeps none of those limits."""
    from webapp.store import connection_timeout

    return connection_timeout.connect(WAIT_S + 0.5, *arguments, **settings)


def _prepare_file(connection: Any, _record: Any) -> None:
    """What is deleted is overwritten. Write-ahead log: processes read while one writes. It stays with the
    file, so one of those who switch it on at once is enough.
    """
    connection.execute("PRAGMA secure_delete=ON")
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode=WAL")
