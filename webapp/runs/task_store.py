"""What was asked, by its key: a scenario with its schedulers, so that the page need not send it again and no
cache can lose it.
"""

from __future__ import annotations

import time
from functools import cache

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from webapp import settings
from webapp.messages import msg
from webapp.store.database import Database

KEEP_S = 7 * 24 * 3600.0
DAY_S = 24 * 3600.0  # as exactly is it known when a key was last asked for, so that most looks write nothing
MAX_CHARS = 2**28  # of all texts; those that were asked for longest ago go
LARGE_CHARS = 2**16  # of one, for which it is looked whether something has to go
DATABASE_UNAVAILABLE = msg("runs.task_store.servers_database_does_not_answer_so")

asked_table = sql.table("asked", sql.column("key"), sql.column("what"), sql.column("seen"))


class TaskStore:
    """What was asked, in a database. Every method raises StoreError, one sentence, when it is away."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)

    def keep(self, key: str, what: str) -> None:
        """Remember a text by its key for a week after it was last asked for; equal keys are equal texts."""
        now = time.time()
        try:
            with self.database.begin(DATABASE_UNAVAILABLE) as connection:
                connection.execute(sql.delete(asked_table).where(asked_table.c.seen < now - KEEP_S - DAY_S))
                again = sql.update(asked_table).where(asked_table.c.key == key).values(seen=now)
                if connection.execute(again).rowcount == 0:
                    connection.execute(sql.insert(asked_table).values(key=key, what=what, seen=now))
                    if len(what) >= LARGE_CHARS:
                        self._make_room(connection)
        except IntegrityError:  # another process kept it meanwhile
            return

    def _make_room(self, connection: sql.Connection) -> None:
        size = sql.func.length(asked_table.c.what)
        total, old = 0, []
        latest_first = asked_table.c.seen.desc(), asked_table.c.key
        for key, chars in connection.execute(sql.select(asked_table.c.key, size).order_by(*latest_first)):
            total += chars
            if total > MAX_CHARS:
                old.append(key)
        if old:
            connection.execute(sql.delete(asked_table).where(asked_table.c.key.in_(old)))

    def find(self, key: str) -> str | None:
        """The text, or None."""
        now = time.time()
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            row = connection.execute(
                sql.select(asked_table.c.what, asked_table.c.seen).where(asked_table.c.key == key)
            ).one_or_none()
            if row is None or row.seen < now - KEEP_S - DAY_S:
                return None
            if row.seen < now - DAY_S:
                connection.execute(sql.update(asked_table).where(asked_table.c.key == key).values(seen=now))
            return row.what


@cache
def task_store() -> TaskStore:
    """The server's, by DATABASE_URL."""
    return TaskStore(settings.database_url())
