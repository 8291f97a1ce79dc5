"""The queue of long work: what was asked, by whom, how far it is. Workers of any process or machine take from
it; nothing of it lies in a cache.

Short work goes first, a visitor has no more than MAX_RUNNING_PER_VISITOR under way, and whoever has fewest
under way is served before the others.
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

from engine import GantryError, quantities
from webapp import settings
from webapp.messages import msg
from webapp.store.database import Database

QUEUED, RUNNING, FINISHED, CANCELLED, FAILED = "queued", "running", "finished", "cancelled", "failed"
MAX_RUNNING_PER_VISITOR = 2  # of a visitor
VISITOR_SHARE = 10  # of the room in the queue, a visitor has one of so many parts
SHORT_TASK_S = 3.0  # work that is thought to take less goes before the rest
HEARTBEAT_TIMEOUT_S = 15.0  # without a sign of life the process that did it has gone
MAX_ATTEMPTS = 2  # of work whose process has gone: it may be what ended it
KEEP_S = 24 * 3600.0
UNFOLLOWED_S = 180.0  # after which nobody follows it: a page that lies behind others asks once a minute
CLOCK_JUMP_S = 5.0  # that the clock may be set without being noticed
TAKE_LOCK = 0x67616E75  # of PostgreSQL's advisory locks: who takes the next work
# kinds of work whose results many look at: they go on when whoever asked first has gone
SHARED_JOB_TYPES = ("experiment",)
# kinds that a visitor who asks for the same again joins
JOINED_JOB_TYPES = (*SHARED_JOB_TYPES, "regret", "search")
UNFOLLOWED = msg("jobs.job_queue.stopped_no_page_asked")
DATABASE_UNAVAILABLE = msg("jobs.job_queue.servers_database_does_not_answer_so")

works_table = sql.table(
    "works",
    *(
        sql.column(name)
        for name in (
            "id",
            "kind",
            "what",
            "visitor",
            "seconds",
            "state",
            "done",
            "steps",
            "now",
            "because",
            "wanted",
            "worker",
            "tries",
            "queued",
            "began",
            "beat",
            "followed",
        )
    ),
)
END_STATES = (FINISHED, CANCELLED, FAILED)


class QueueFull(GantryError):
    """So much work waits that no more is taken."""


@dataclass(frozen=True)
class BackgroundTask:
    """A piece of work as it stands. what: JSON text for its kind; seconds: it is thought to take; done of
    steps, now: the one under way.

    wanted: nobody has asked for its end; ahead: how many wait before it, where it waits itself; queued,
    began, beat (its worker's last sign of life) and followed (when a page last asked about it): s since 1970.
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
def _worker_name_of(process: int) -> str:
    return f"{socket.gethostname()[:30]}:{process}:{secrets.token_hex(3)}"


def worker_name() -> str:
    """By which this process takes work."""
    return _worker_name_of(os.getpid())


class JobQueue:
    """The queue in a database. Every method raises StoreError, one sentence, when it is away."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self._last_check: float | None = None
        self._checked_since, self._clock_offset = 0.0, 0.0

    def add(
        self, kind: str, what: str, visitor: str, steps: int, seconds: float, max_waiting: int, name: str = ""
    ) -> str:
        """Queue a piece of work; its id, or that of the same work under way of a kind that is
        joined. name: of work that was begun under this id.
        QueueFull where `max_waiting` wait already, or this visitor's share of them.
        """
        now = time.time()
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            may_join = not name and kind in JOINED_JOB_TYPES
            if may_join and (same := self._find_active(connection, kind, what, visitor)):
                return same
            name = name or new_id()
            waiting = connection.execute(
                sql.select(sql.func.count()).where(works_table.c.state == QUEUED)
            ).scalar_one()
            if waiting >= max_waiting:
                tasks = quantities.count(waiting, "tasks")
                raise QueueFull(msg("jobs.job_queue.queue_is_full", tasks=tasks))
            visitor_waiting = connection.execute(
                sql.select(sql.func.count()).where(
                    works_table.c.state == QUEUED, works_table.c.visitor == visitor
                )
            ).scalar_one()
            if visitor and visitor_waiting >= max(MAX_RUNNING_PER_VISITOR, max_waiting // VISITOR_SHARE):
                raise QueueFull(
                    msg("jobs.job_queue.your_tasks_wait_already_maximum_per", visitor_waiting=visitor_waiting)
                )
            self._insert(
                connection,
                BackgroundTask(
                    name,
                    kind,
                    what,
                    visitor,
                    seconds,
                    QUEUED,
                    0,
                    steps,
                    "",
                    "",
                    True,
                    "",
                    0,
                    now,
                    None,
                    now,
                    now,
                ),
            )
        return name

    def add_running(
        self, name: str, worker: str, kind: str, what: str, visitor: str, steps: int, seconds: float
    ) -> None:
        """Make known a piece of work that this worker does already, so that other processes can follow and
        end it.
        """
        now = time.time()
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            self._insert(
                connection,
                BackgroundTask(
                    name,
                    kind,
                    what,
                    visitor,
                    seconds,
                    RUNNING,
                    0,
                    steps,
                    "",
                    "",
                    True,
                    worker,
                    1,
                    now,
                    now,
                    now,
                    now,
                ),
            )

    def take(self, worker: str) -> BackgroundTask | None:
        """The work whose turn it is, now this worker's; None where none may begin."""
        if not self.has_waiting():
            return None
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            if self.database.kind == "sqlite":
                # who writes holds the lock from here on
                connection.exec_driver_sql("UPDATE works SET state = state WHERE 0")
            under_way = works_table.alias("under_way")
            busy = (
                sql.select(sql.func.count())
                .where(under_way.c.visitor == works_table.c.visitor, under_way.c.state == RUNNING)
                .scalar_subquery()
            )
            order = (
                sql.case((works_table.c.seconds <= SHORT_TASK_S, 0), else_=1),
                busy,
                works_table.c.queued,
                works_table.c.id,
            )
            next_task = (
                sql.select(works_table.c.id)
                .where(works_table.c.state == QUEUED, busy < MAX_RUNNING_PER_VISITOR)
                .order_by(*order)
                .limit(1)
            )
            if self.database.kind == "postgresql":
                # two that take at once would count without each other
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(TAKE_LOCK)))
            next_id = connection.execute(next_task).scalar()
            if next_id is None:
                return None
            now = time.time()
            connection.execute(
                sql.update(works_table)
                .where(works_table.c.id == next_id)
                .values(state=RUNNING, worker=worker, tries=works_table.c.tries + 1, began=now, beat=now)
            )
            return self._read(connection, next_id)

    def has_waiting(self) -> bool:
        """Does any work wait? Asked often by those who have nothing to do, so it only reads."""
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            return (
                connection.execute(
                    sql.select(works_table.c.id).where(works_table.c.state == QUEUED).limit(1)
                ).first()
                is not None
            )

    def report(self, name: str, worker: str, done: int, now: str) -> bool:
        """So many steps are done, and it lives; whether it is still wanted, and this worker's."""
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            is_own = (
                works_table.c.id == name,
                works_table.c.worker == worker,
                works_table.c.state == RUNNING,
            )
            is_still_own = connection.execute(
                sql.update(works_table).where(*is_own).values(done=done, now=now, beat=time.time())
            ).rowcount
            return bool(is_still_own) and bool(
                connection.execute(sql.select(works_table.c.wanted).where(works_table.c.id == name)).scalar()
            )

    def end(self, name: str, worker: str, state: str, because: str = "") -> None:
        """It has ended, if it is still this worker's; all its steps are done where it finished."""
        changed: dict[str, Any] = {"state": state, "beat": time.time(), "now": ""} | (
            {"because": because} if because else {}
        )
        if state == FINISHED:
            changed["done"] = works_table.c.steps
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            connection.execute(
                sql.update(works_table)
                .where(
                    works_table.c.id == name, works_table.c.worker == worker, works_table.c.state == RUNNING
                )
                .values(**changed)
            )

    def give_back(self, worker: str, name: str | None = None) -> int:
        """What this worker has begun, or one piece of it, waits again as if it had not; what nobody wants
        ends. How much it was.
        """
        is_own = (
            works_table.c.worker == worker,
            works_table.c.state == RUNNING,
            *((works_table.c.id == name,) if name else ()),
        )
        requeued = {
            "state": QUEUED,
            "worker": "",
            "tries": works_table.c.tries - 1,
            "done": 0,
            "now": "",
            "beat": time.time(),
        }
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            ended = connection.execute(
                sql.update(works_table)
                .where(*is_own, works_table.c.wanted == sql.false())
                .values(state=CANCELLED, beat=time.time())
            ).rowcount
            return (
                ended + connection.execute(sql.update(works_table).where(*is_own).values(**requeued)).rowcount
            )

    def cancel(self, name: str) -> None:
        """Nobody wants it any more: it ends now where it waits, else as soon as its worker hears of it."""
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            connection.execute(sql.update(works_table).where(works_table.c.id == name).values(wanted=False))
            connection.execute(
                sql.update(works_table)
                .where(works_table.c.id == name, works_table.c.state == QUEUED)
                .values(state=CANCELLED, beat=time.time())
            )

    def follow(self, name: str) -> None:
        """A page asks about it: noted now and then, it goes on."""
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            connection.execute(
                sql.update(works_table).where(works_table.c.id == name).values(followed=time.time())
            )

    def find(self, name: str) -> BackgroundTask | None:
        """As it stands, or None."""
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            return self._read(connection, name)

    def _find_active(self, connection: sql.Connection, kind: str, what: str, visitor: str) -> str | None:
        is_same = (
            works_table.c.kind == kind,
            works_table.c.what == what,
            works_table.c.state.in_((QUEUED, RUNNING)),
            works_table.c.wanted == sql.true(),
            *(() if kind in SHARED_JOB_TYPES else (works_table.c.visitor == visitor,)),
        )
        return connection.execute(
            sql.select(works_table.c.id).where(*is_same).order_by(works_table.c.queued).limit(1)
        ).scalar()

    def recover(self, worker: str | None = None) -> int:
        """Work whose process has gone waits again, or has failed where that happened too often; what nobody
        follows any more ends, and what ended long ago is forgotten. How much was lost.

        worker: of this one alone, which is known to have gone; else of all that gave no sign of life.
        """
        now = time.time()
        lost = (
            works_table.c.state == RUNNING,
            works_table.c.worker == worker if worker else works_table.c.beat < now - HEARTBEAT_TIMEOUT_S,
        )
        failed = {
            "state": FAILED,
            "beat": now,
            "because": msg("jobs.job_queue.process_did_ended_twice_may_need"),
        }
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            if not worker and self._end_unfollowed(connection, now):
                return 0
            count = connection.execute(
                sql.select(sql.func.count()).select_from(works_table).where(*lost)
            ).scalar_one()
            connection.execute(
                sql.update(works_table)
                .where(*lost, works_table.c.wanted == sql.false())
                .values(state=CANCELLED, beat=now)
            )
            connection.execute(
                sql.update(works_table).where(*lost, works_table.c.tries >= MAX_ATTEMPTS).values(**failed)
            )
            connection.execute(
                sql.update(works_table).where(*lost).values(state=QUEUED, worker="", now="", beat=now)
            )
            connection.execute(
                sql.delete(works_table).where(
                    works_table.c.state.in_(END_STATES), works_table.c.beat < now - KEEP_S
                )
            )
            return count

    def _end_unfollowed(self, connection: sql.Connection, now: float) -> bool:
        """Ends what nobody follows, once looks and clock have gone on for as long without a break, in which
        no page could ask. Was the clock set meanwhile?

        Then signs of life are of another time: those that are yet to come count as of now, and nothing is
        lost before the next look.
        """
        monotonic_now, is_active = time.monotonic(), works_table.c.state.in_((QUEUED, RUNNING))
        clock_was_set = (
            self._last_check is not None and abs(now - monotonic_now - self._clock_offset) > CLOCK_JUMP_S
        )
        if (
            clock_was_set
            or self._last_check is None
            or monotonic_now - self._last_check > HEARTBEAT_TIMEOUT_S
        ):
            self._checked_since = monotonic_now
        self._last_check, self._clock_offset = monotonic_now, now - monotonic_now
        for column in (works_table.c.queued, works_table.c.beat, works_table.c.followed):
            connection.execute(
                sql.update(works_table)
                .where(is_active, column > now + CLOCK_JUMP_S)
                .values({column.name: now})
            )
        if monotonic_now - self._checked_since > UNFOLLOWED_S:
            unfollowed = (
                works_table.c.followed < now - UNFOLLOWED_S,
                works_table.c.wanted == sql.true(),
                works_table.c.kind.not_in(SHARED_JOB_TYPES),
            )
            connection.execute(
                sql.update(works_table)
                .where(*unfollowed, works_table.c.state == RUNNING)
                .values(wanted=False, because=UNFOLLOWED)
            )
            connection.execute(
                sql.update(works_table)
                .where(*unfollowed, works_table.c.state == QUEUED)
                .values(state=CANCELLED, wanted=False, because=UNFOLLOWED, beat=now)
            )
        return clock_was_set

    def counts(self) -> dict[str, int]:
        """How many pieces of work are in each state."""
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            return dict(
                connection.execute(
                    sql.select(works_table.c.state, sql.func.count()).group_by(works_table.c.state)
                ).all()
            )

    def oldest_wait_s(self) -> float:
        """How long the one that has waited longest has, in seconds; 0 where none waits."""
        with self.database.begin(DATABASE_UNAVAILABLE) as connection:
            first = connection.execute(
                sql.select(sql.func.min(works_table.c.queued)).where(works_table.c.state == QUEUED)
            ).scalar()
        return max(time.time() - first, 0.0) if first is not None else 0.0

    def _insert(self, connection: sql.Connection, row: BackgroundTask) -> None:
        connection.execute(
            sql.insert(works_table).values(
                **{key: value for key, value in row.__dict__.items() if key != "ahead"}
            )
        )

    def _read(self, connection: sql.Connection, name: str) -> BackgroundTask | None:
        row = (
            connection.execute(sql.select(works_table).where(works_table.c.id == name))
            .mappings()
            .one_or_none()
        )
        if row is None:
            return None
        task = BackgroundTask(**{**row, "wanted": bool(row["wanted"])})
        if task.state != QUEUED:
            return task
        before = (
            sql.select(sql.func.count())
            .select_from(works_table)
            .where(works_table.c.state == QUEUED, works_table.c.queued < task.queued)
        )
        return BackgroundTask(**{**task.__dict__, "ahead": connection.execute(before).scalar()})


@cache
def queue() -> JobQueue:
    """The server's, by DATABASE_URL."""
    return JobQueue(settings.database_url())
