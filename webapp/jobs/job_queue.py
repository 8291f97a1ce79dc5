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
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace
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
    steps: int
    state: str = QUEUED
    done: int = 0
    now: str = ""
    because: str = ""
    wanted: bool = True
    worker: str = ""
    tries: int = 0
    queued: float = 0.0
    began: float | None = None
    beat: float = 0.0
    followed: float = 0.0
    ahead: int = 0

    @property
    def columns(self) -> dict[str, Any]:
        """The row of the table."""
        return {key: value for key, value in self.__dict__.items() if key != "ahead"}


works_table = sql.table(
    "works", *(sql.column(field.name) for field in fields(BackgroundTask) if field.name != "ahead")
)
row = works_table.c


def new_id() -> str:
    """Of a piece of work; nobody guesses another's."""
    return secrets.token_hex(8)


@cache
def _worker_name_of(process: int) -> str:
    return f"{socket.gethostname()[:30]}:{process}:{secrets.token_hex(3)}"


def worker_name() -> str:
    """By which this process takes work."""
    return _worker_name_of(os.getpid())


def _update(connection: sql.Connection, *where: sql.ColumnElement[bool], **values: Any) -> int:
    """Change the works where all this holds; how many those are."""
    return connection.execute(sql.update(works_table).where(*where).values(**values)).rowcount


def _is_own(worker: str, name: str | None) -> list[sql.ColumnElement[bool]]:
    """What this worker does, or that of it with this id."""
    return [row.worker == worker, row.state == RUNNING, *([row.id == name] if name else [])]


class JobQueue:
    """The queue in a database. Every method raises StoreError, one sentence, when it is away."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self._last_check: float | None = None
        self._checked_since, self._clock_offset = 0.0, 0.0

    def add(self, work: BackgroundTask, max_waiting: int, joins: bool = True) -> str:
        """Queue a piece of work; its id, or that of the same work under way of a kind that is joined, if it
        joins. QueueFull where `max_waiting` wait already, or this visitor's share of them.
        """
        now = time.time()
        with self._begin() as connection:
            if joins and (same := self._find_active(connection, work)):
                return same
            count = sql.select(sql.func.count()).where(row.state == QUEUED)
            waiting = connection.execute(count).scalar_one()
            if waiting >= max_waiting:
                tasks = quantities.count(waiting, "tasks")
                raise QueueFull(msg("jobs.job_queue.queue_is_full", tasks=tasks))
            own = connection.execute(count.where(row.visitor == work.visitor)).scalar_one()
            if work.visitor and own >= max(MAX_RUNNING_PER_VISITOR, max_waiting // VISITOR_SHARE):
                raise QueueFull(
                    msg("jobs.job_queue.your_tasks_wait_already_maximum_per", visitor_waiting=own)
                )
            queued = replace(work, state=QUEUED, queued=now, began=None, beat=now, followed=now)
            connection.execute(sql.insert(works_table).values(**queued.columns))
        return work.id

    def add_running(self, work: BackgroundTask, worker: str) -> None:
        """Make known a piece of work that this worker does already, so that other processes can follow and
        end it.
        """
        now = time.time()
        running = replace(
            work, state=RUNNING, worker=worker, tries=1, queued=now, began=now, beat=now, followed=now
        )
        with self._begin() as connection:
            connection.execute(sql.insert(works_table).values(**running.columns))

    def take(self, worker: str) -> BackgroundTask | None:
        """The work whose turn it is, now this worker's; None where none may begin."""
        if not self.has_waiting():
            return None
        with self._begin() as connection:
            if self.database.kind == "sqlite":
                # who writes holds the lock from here on
                connection.exec_driver_sql("UPDATE works SET state = state WHERE 0")
            under_way = works_table.alias("under_way")
            busy = (
                sql.select(sql.func.count())
                .where(under_way.c.visitor == row.visitor, under_way.c.state == RUNNING)
                .scalar_subquery()
            )
            order = sql.case((row.seconds <= SHORT_TASK_S, 0), else_=1), busy, row.queued, row.id
            next_task = (
                sql.select(row.id)
                .where(row.state == QUEUED, busy < MAX_RUNNING_PER_VISITOR)
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
            begun = {"state": RUNNING, "worker": worker, "tries": row.tries + 1, "began": now, "beat": now}
            _update(connection, row.id == next_id, **begun)
            return self._read(connection, next_id)

    def has_waiting(self) -> bool:
        """Does any work wait? Asked often by those who have nothing to do, so it only reads."""
        waiting = sql.select(row.id).where(row.state == QUEUED).limit(1)
        with self._begin() as connection:
            return connection.execute(waiting).first() is not None

    def report(self, name: str, worker: str, done: int, now: str) -> bool:
        """So many steps are done, and it lives; whether it is still wanted, and this worker's."""
        with self._begin() as connection:
            is_still_own = _update(connection, *_is_own(worker, name), done=done, now=now, beat=time.time())
            wanted = sql.select(row.wanted).where(row.id == name)
            return bool(is_still_own and connection.execute(wanted).scalar())

    def end(self, name: str, worker: str, state: str, because: str = "") -> None:
        """It has ended, if it is still this worker's; all its steps are done where it finished."""
        changed: dict[str, Any] = {"state": state, "beat": time.time(), "now": ""}
        if because:
            changed["because"] = because
        if state == FINISHED:
            changed["done"] = row.steps
        with self._begin() as connection:
            _update(connection, *_is_own(worker, name), **changed)

    def give_back(self, worker: str, name: str | None = None) -> int:
        """What this worker has begun, or one piece of it, waits again as if it had not; what nobody wants
        ends. How much it was.
        """
        is_own, now = _is_own(worker, name), time.time()
        requeued = {"state": QUEUED, "worker": "", "tries": row.tries - 1, "done": 0, "now": "", "beat": now}
        with self._begin() as connection:
            ended = _update(connection, *is_own, row.wanted == sql.false(), state=CANCELLED, beat=now)
            return ended + _update(connection, *is_own, **requeued)

    def cancel(self, name: str) -> None:
        """Nobody wants it any more: it ends now where it waits, else as soon as its worker hears of it."""
        with self._begin() as connection:
            _update(connection, row.id == name, wanted=False)
            _update(connection, row.id == name, row.state == QUEUED, state=CANCELLED, beat=time.time())

    def follow(self, name: str) -> None:
        """A page asks about it: noted now and then, it goes on."""
        with self._begin() as connection:
            _update(connection, row.id == name, followed=time.time())

    def find(self, name: str) -> BackgroundTask | None:
        """As it stands, or None."""
        with self._begin() as connection:
            return self._read(connection, name)

    def _find_active(self, connection: sql.Connection, work: BackgroundTask) -> str | None:
        """The id of the same work, if it waits or is being done for somebody who still wants it."""
        if work.kind not in JOINED_JOB_TYPES:
            return None
        is_same = [row.kind == work.kind, row.what == work.what, row.state.in_((QUEUED, RUNNING))]
        if work.kind not in SHARED_JOB_TYPES:
            is_same.append(row.visitor == work.visitor)
        same = sql.select(row.id).where(*is_same, row.wanted == sql.true()).order_by(row.queued)
        return connection.execute(same.limit(1)).scalar()

    def recover(self, worker: str | None = None) -> int:
        """Work whose process has gone waits again, or has failed where that happened too often; what nobody
        follows any more ends, and what ended long ago is forgotten. How much was lost.

        worker: of this one alone, which is known to have gone; else of all that gave no sign of life.
        """
        now = time.time()
        is_gone = row.worker == worker if worker else row.beat < now - HEARTBEAT_TIMEOUT_S
        lost = row.state == RUNNING, is_gone
        because = msg("jobs.job_queue.process_did_ended_twice_may_need")
        with self._begin() as connection:
            if not worker and self._end_unfollowed(connection, now):
                return 0
            count = connection.execute(sql.select(sql.func.count()).where(*lost)).scalar_one()
            _update(connection, *lost, row.wanted == sql.false(), state=CANCELLED, beat=now)
            _update(connection, *lost, row.tries >= MAX_ATTEMPTS, state=FAILED, beat=now, because=because)
            _update(connection, *lost, state=QUEUED, worker="", now="", beat=now)
            is_old = row.state.in_(END_STATES), row.beat < now - KEEP_S
            connection.execute(sql.delete(works_table).where(*is_old))
            return count

    def _end_unfollowed(self, connection: sql.Connection, now: float) -> bool:
        """Ends what nobody follows, once looks and clock have gone on for as long without a break, in which
        no page could ask. Was the clock set meanwhile?

        Then signs of life are of another time: those that are yet to come count as of now, and nothing is
        lost before the next look.
        """
        monotonic_now, is_active = time.monotonic(), row.state.in_((QUEUED, RUNNING))
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
        for column in (row.queued, row.beat, row.followed):
            _update(connection, is_active, column > now + CLOCK_JUMP_S, **{column.name: now})
        if monotonic_now - self._checked_since > UNFOLLOWED_S:
            unfollowed = (
                row.followed < now - UNFOLLOWED_S,
                row.wanted == sql.true(),
                row.kind.not_in(SHARED_JOB_TYPES),
            )
            unwanted = {"wanted": False, "because": UNFOLLOWED}
            _update(connection, *unfollowed, row.state == RUNNING, **unwanted)
            _update(connection, *unfollowed, row.state == QUEUED, state=CANCELLED, beat=now, **unwanted)
        return clock_was_set

    def counts(self) -> dict[str, int]:
        """How many pieces of work are in each state."""
        with self._begin() as connection:
            return dict(connection.execute(sql.select(row.state, sql.func.count()).group_by(row.state)).all())

    def oldest_wait_s(self) -> float:
        """How long the one that has waited longest has, in seconds; 0 where none waits."""
        with self._begin() as connection:
            first = connection.execute(
                sql.select(sql.func.min(row.queued)).where(row.state == QUEUED)
            ).scalar()
        return max(time.time() - first, 0.0) if first is not None else 0.0

    def _read(self, connection: sql.Connection, name: str) -> BackgroundTask | None:
        found = connection.execute(sql.select(works_table).where(row.id == name)).mappings().one_or_none()
        if found is None:
            return None
        task = BackgroundTask(**{**found, "wanted": bool(found["wanted"])})
        if task.state != QUEUED:
            return task
        before = sql.select(sql.func.count()).where(row.state == QUEUED, row.queued < task.queued)
        return replace(task, ahead=connection.execute(before).scalar_one())

    def _begin(self) -> AbstractContextManager[sql.Connection]:
        return self.database.begin(DATABASE_UNAVAILABLE)


@cache
def queue() -> JobQueue:
    """The server's, by DATABASE_URL."""
    return JobQueue(settings.database_url())
