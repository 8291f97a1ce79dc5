"""What was asked, by its key: a scenario with its schedulers, so that the page need not send it again and no cache can lose it."""

from __future__ import annotations

import time
from functools import cache

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from webapp import settings
from webapp.store.database import Database

KEEP_S = 7 * 24 * 3600.0
A_DAY_S = 24 * 3600.0  # as exactly is it known when a key was last asked for, so that most looks write nothing
AWAY = "The server's database does not answer, so what was asked is not known just now; try again in a minute."

asked = sql.table("asked", sql.column("key"), sql.column("what"), sql.column("seen"))


class Questions:
    """What was asked, in a database. Every method raises StoreError, one sentence, when it is away."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)

    def keep(self, key: str, what: str) -> None:
        """Remember a text by its key for a week after it was last asked for; equal keys are equal texts."""
        now = time.time()
        try:
            with self.database.begin(AWAY) as connection:
                connection.execute(sql.delete(asked).where(asked.c.seen < now - KEEP_S - A_DAY_S))
                if connection.execute(sql.update(asked).where(asked.c.key == key).values(seen=now)).rowcount == 0:
                    connection.execute(sql.insert(asked).values(key=key, what=what, seen=now))
        except IntegrityError:  # another process kept it meanwhile
            return

    def find(self, key: str) -> str | None:
        """The text, or None."""
        now = time.time()
        with self.database.begin(AWAY) as connection:
            row = connection.execute(sql.select(asked.c.what, asked.c.seen).where(asked.c.key == key)).one_or_none()
            if row is None or row.seen < now - KEEP_S - A_DAY_S:
                return None
            if row.seen < now - A_DAY_S:
                connection.execute(sql.update(asked).where(asked.c.key == key).values(seen=now))
            return row.what


@cache
def questions() -> Questions:
    """The server's, by DATABASE_URL."""
    return Questions(settings.database_url())
