"""The queue of long work: what was asked, by whom, how far it is. Workers of any process or machine take from it; nothing of it lies in a cache.

Short work goes first, a visitor has no more than MOST_AT_ONCE under way, and whoever has fewest under way is served before the others.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import sqlalchemy as sql

from engine import GantryError
from webapp import settings
from webapp.store.database import Database

QUEUED, RUNNING, FINISHED, CANCELLED, FAILED = "queued", "running", "finished", "cancelled", "failed"
MOST_AT_ONCE = 2  # of a visitor
SHARE = 10  # of the room in the queue, a visitor has one of so many parts
SHORT_S = 3.0  # work that is thought to take less goes before the rest
LOST_S = 15.0  # without a sign of life the process that did it has gone
TRIES = 2  # of work whose process has gone: it may be what ended it
KEEP_S = 24 * 3600.0
FORSAKEN_S = 180.0  # after which nobody follows it: a page that lies behind others asks once a minute
MOVED_S = 5.0  # that the clock may be set without being noticed
TAKING = 0x67616E75  # of PostgreSQL's advisory locks: who takes the next work
FOR_EVERYBODY = ("experiment",)  # kinds of work whose results many look at: they go on when whoever asked first has gone
FORSAKEN = "Ended, for no page had asked about it for three minutes: run again."
AWAY = "The server's database does not answer, so long work can't be begun or followed just now; try again in a minute."

works = sql.table("works", *(sql.column(name) for name in (
    "id", "kind", "what", "visitor", "seconds", "state", "done", "steps", "now", "because", "wanted", "worker", "tries", "queued", "began", "beat", "followed"
)))  # fmt: skip
ENDED = (FINISHED, CANCELLED, FAILED)


class QueueFull(GantryError):
    """So much work waits that no more is taken."""


@dataclass(frozen=True)
class Work:
    """A piece of work as it stands. what: JSON text for its kind; seconds: it is thought to take; done of steps, now: the one under way.

    wanted: nobody has asked for its end; ahead: how many wait before it, where it waits itself; queued, began, beat (its worker's last sign of life) and
    followed (when a page last asked about it): s since 1970.
    """

    id: str
    kind: str
    what: str
    visitor: str
    seconds: float
    state: str
    done: int
    steps: int
    now: str
    because: str
    wanted: bool
    worker: str
    tries: int
    queued: float
    began: float | None
    beat: float
    followed: float = 0.0
    ahead: int = 0


def new_id() -> str:
    """Of a piece of work; nobody guesses another's."""
    return secrets.token_hex(8)


@cache
def _name_of(process: int) -> str:
    return f"{socket.gethostname()[:30]}:{process}:{secrets.token_hex(3)}"


def own_name() -> str:
    """By which this process takes work."""
    return _name_of(os.getpid())


class Works:
    """The queue in a database. Every method raises StoreError, one sentence, when it is away."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self._looked, self._since, self._apart = None, 0.0, 0.0

    def add(self, kind: str, what: str, visitor: str, steps: int, seconds: float, most: int, name: str = "") -> str:
        """Queue a piece of work; its id. QueueFull where `most` wait already, or this visitor's share of them."""
        name, now = name or new_id(), time.time()
        row = Work(name, kind, what, visitor, seconds, QUEUED, 0, steps, "", "", True, "", 0, now, None, now, now)
        with self.database.begin(AWAY) as connection:
            waiting = connection.execute(sql.select(sql.func.count()).where(works.c.state == QUEUED)).scalar()
            if waiting >= most:
                raise QueueFull(f"{waiting} pieces of work wait already, as many as this server lets; try again in a few minutes.")
            own = connection.execute(sql.select(sql.func.count()).where(works.c.state == QUEUED, works.c.visitor == visitor)).scalar()
            if visitor and own >= max(MOST_AT_ONCE, most // SHARE):
                raise QueueFull(f"{own} pieces of your work wait already, as many as this server lets one visitor; cancel some, or try again in a few minutes.")
            self._insert(connection, row)
        return name

    def begun(self, name: str, worker: str, kind: str, what: str, visitor: str, steps: int, seconds: float) -> None:
        """Make known a piece of work that this worker does already, so that other processes can follow and end it."""
        now = time.time()
        with self.database.begin(AWAY) as connection:
            self._insert(connection, Work(name, kind, what, visitor, seconds, RUNNING, 0, steps, "", "", True, worker, 1, now, now, now, now))

    def take(self, worker: str) -> Work | None:
        """The work whose turn it is, now this worker's; None where none may begin."""
        if not self.waiting():
            return None
        with self.database.begin(AWAY) as connection:
            if self.database.kind == "sqlite":
                connection.exec_driver_sql("UPDATE works SET state = state WHERE 0")  # who writes holds the lock from here on
            under_way = works.alias("under_way")
            busy = sql.select(sql.func.count()).where(under_way.c.visitor == works.c.visitor, under_way.c.state == RUNNING).scalar_subquery()
            order = (sql.case((works.c.seconds <= SHORT_S, 0), else_=1), busy, works.c.queued, works.c.id)
            turn = sql.select(works.c.id).where(works.c.state == QUEUED, busy < MOST_AT_ONCE).order_by(*order).limit(1)
            if self.database.kind == "postgresql":
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(TAKING)))  # two that take at once would count without each other
            found = connection.execute(turn).scalar()
            if found is None:
                return None
            now = time.time()
            connection.execute(sql.update(works).where(works.c.id == found).values(state=RUNNING, worker=worker, tries=works.c.tries + 1, began=now, beat=now))
            return self._read(connection, found)

    def waiting(self) -> bool:
        """Does any work wait? Asked often by those who have nothing to do, so it only reads."""
        with self.database.begin(AWAY) as connection:
            return connection.execute(sql.select(works.c.id).where(works.c.state == QUEUED).limit(1)).first() is not None

    def report(self, name: str, worker: str, done: int, now: str) -> bool:
        """So many steps are done, and it lives; whether it is still wanted, and this worker's."""
        with self.database.begin(AWAY) as connection:
            of = (works.c.id == name, works.c.worker == worker, works.c.state == RUNNING)
            mine = connection.execute(sql.update(works).where(*of).values(done=done, now=now, beat=time.time())).rowcount
            return bool(mine) and bool(connection.execute(sql.select(works.c.wanted).where(works.c.id == name)).scalar())

    def end(self, name: str, worker: str, state: str, because: str = "") -> None:
        """It has ended, if it is still this worker's; all its steps are done where it finished."""
        changed: dict[str, Any] = {"state": state, "beat": time.time(), "now": ""} | ({"because": because} if because else {})
        if state == FINISHED:
            changed["done"] = works.c.steps
        with self.database.begin(AWAY) as connection:
            connection.execute(sql.update(works).where(works.c.id == name, works.c.worker == worker, works.c.state == RUNNING).values(**changed))

    def give_back(self, worker: str, name: str | None = None) -> int:
        """What this worker has begun, or one piece of it, waits again as if it had not; what nobody wants ends. How much it was."""
        mine = (works.c.worker == worker, works.c.state == RUNNING, *((works.c.id == name,) if name else ()))
        again = {"state": QUEUED, "worker": "", "tries": works.c.tries - 1, "done": 0, "now": "", "beat": time.time()}
        with self.database.begin(AWAY) as connection:
            ended = connection.execute(sql.update(works).where(*mine, works.c.wanted == sql.false()).values(state=CANCELLED, beat=time.time())).rowcount
            return ended + connection.execute(sql.update(works).where(*mine).values(**again)).rowcount

    def cancel(self, name: str) -> None:
        """Nobody wants it any more: it ends now where it waits, else as soon as its worker hears of it."""
        with self.database.begin(AWAY) as connection:
            connection.execute(sql.update(works).where(works.c.id == name).values(wanted=False))
            connection.execute(sql.update(works).where(works.c.id == name, works.c.state == QUEUED).values(state=CANCELLED, beat=time.time()))

    def follow(self, name: str) -> None:
        """A page asks about it: noted now and then, it goes on."""
        with self.database.begin(AWAY) as connection:
            connection.execute(sql.update(works).where(works.c.id == name).values(followed=time.time()))

    def find(self, name: str) -> Work | None:
        """As it stands, or None."""
        with self.database.begin(AWAY) as connection:
            return self._read(connection, name)

    def under_way(self, kind: str, what: str) -> str | None:
        """The id of the same work, if it waits or is being done for anybody who still wants it."""
        same = (works.c.kind == kind, works.c.what == what, works.c.state.in_((QUEUED, RUNNING)), works.c.wanted == sql.true())
        with self.database.begin(AWAY) as connection:
            return connection.execute(sql.select(works.c.id).where(*same).order_by(works.c.queued).limit(1)).scalar()

    def recover(self, worker: str | None = None) -> int:
        """Work whose process has gone waits again, or has failed where that happened too often; what nobody follows any more ends, and what
        ended long ago is forgotten. How much was lost.

        worker: of this one alone, which is known to have gone; else of all that gave no sign of life.
        """
        now = time.time()
        lost = (works.c.state == RUNNING, works.c.worker == worker if worker else works.c.beat < now - LOST_S)
        failed = {"state": FAILED, "beat": now, "because": "The process that did it ended twice; it may need more memory than this server has."}
        with self.database.begin(AWAY) as connection:
            if not worker and self._looks_on(connection, now):
                return 0
            count = connection.execute(sql.select(sql.func.count()).select_from(works).where(*lost)).scalar()
            connection.execute(sql.update(works).where(*lost, works.c.wanted == sql.false()).values(state=CANCELLED, beat=now))
            connection.execute(sql.update(works).where(*lost, works.c.tries >= TRIES).values(**failed))
            connection.execute(sql.update(works).where(*lost).values(state=QUEUED, worker="", now="", beat=now))
            connection.execute(sql.delete(works).where(works.c.state.in_(ENDED), works.c.beat < now - KEEP_S))
            return count

    def _looks_on(self, connection: sql.Connection, now: float) -> bool:
        """Ends what nobody follows, once looks and clock have gone on for as long without a break, in which no page could ask. Was the clock set meanwhile?

        Then signs of life are of another time: those that are yet to come count as of now, and nothing is lost before the next look.
        """
        steady, active = time.monotonic(), works.c.state.in_((QUEUED, RUNNING))
        was_set = self._looked is not None and abs(now - steady - self._apart) > MOVED_S
        if was_set or self._looked is None or steady - self._looked > LOST_S:
            self._since = steady
        self._looked, self._apart = steady, now - steady
        for column in (works.c.queued, works.c.beat, works.c.followed):
            connection.execute(sql.update(works).where(active, column > now + MOVED_S).values({column.name: now}))
        if steady - self._since > FORSAKEN_S:
            alone = (works.c.followed < now - FORSAKEN_S, works.c.wanted == sql.true(), works.c.kind.not_in(FOR_EVERYBODY))
            connection.execute(sql.update(works).where(*alone, works.c.state == RUNNING).values(wanted=False, because=FORSAKEN))
            connection.execute(sql.update(works).where(*alone, works.c.state == QUEUED).values(state=CANCELLED, wanted=False, because=FORSAKEN, beat=now))
        return was_set

    def counts(self) -> dict[str, int]:
        """How many pieces of work are in each state."""
        with self.database.begin(AWAY) as connection:
            return dict(connection.execute(sql.select(works.c.state, sql.func.count()).group_by(works.c.state)).all())

    def oldest_wait_s(self) -> float:
        """How long the one that has waited longest has, in seconds; 0 where none waits."""
        with self.database.begin(AWAY) as connection:
            first = connection.execute(sql.select(sql.func.min(works.c.queued)).where(works.c.state == QUEUED)).scalar()
        return max(time.time() - first, 0.0) if first is not None else 0.0

    def _insert(self, connection: sql.Connection, row: Work) -> None:
        connection.execute(sql.insert(works).values(**{key: value for key, value in row.__dict__.items() if key != "ahead"}))

    def _read(self, connection: sql.Connection, name: str) -> Work | None:
        row = connection.execute(sql.select(works).where(works.c.id == name)).mappings().one_or_none()
        if row is None:
            return None
        found = Work(**{**row, "wanted": bool(row["wanted"])})
        if found.state != QUEUED:
            return found
        before = sql.select(sql.func.count()).select_from(works).where(works.c.state == QUEUED, works.c.queued < found.queued)
        return Work(**{**found.__dict__, "ahead": connection.execute(before).scalar()})


@cache
def queue() -> Works:
    """The server's, by DATABASE_URL."""
    return Works(settings.database_url())
