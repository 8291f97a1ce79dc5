"""Work too long for one answer: begun here, followed and ended from any process by its id.

What is thought to take less than AT_ONCE_S is done at once in threads of the server's process, and nobody else hears of it unless it takes longer
than the one who asked is patient. What turns out to take more than LIMIT_S, and all longer work, waits in the queue of the database (webapp/store/works.py)
for work processes (webapp/work/), or for a thread here where there are none. Where the cache keeps nothing, no other process could hand over what
it makes: then all is done here, one long work at a time.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from flask import has_request_context, request, session

from webapp import settings
from webapp.services.cache import Shared, shared
from webapp.services.doing import BACK, LOST, Cancelled, Doing, TaskControl, kind, take_and_do
from webapp.services.held import Latest
from webapp.store.database import StoreError
from webapp.store.works import CANCELLED, ENDED, FAILED, MOST_AT_ONCE, QUEUED, RUNNING, QueueFull, Work, new_id, own_name, queue

__all__ = ["Cancelled", "Progress", "TaskControl", "Works", "kind", "named", "visitor", "welcome", "works"]
log = logging.getLogger("gantry")
AT_ONCE_S = 1.0  # what is thought to take less is done at once
LIMIT_S = 3.0  # what takes more after all goes to the queue
MOST_HERE = 32  # pieces of work that wait for this process's threads; others go to the queue
KEEP_OWN_S = 60.0  # after the end
NOTE_S = 20.0  # between two notes that somebody follows a piece of work
MOST_NOTED = 1000
IDLE_S = 1.0  # after which the thread that stands in for work processes ends
ID = re.compile("[0-9a-f]{16}")  # of a piece of work
ENOUGH = 5  # steps, by which the time of the rest is told
FORGOTTEN = "Result expired: run again. Finished runs are kept."


@dataclass(frozen=True)
class Progress:
    """How far it is: `done` of `of` steps, `now` names the one under way. state: queued, running, finished, cancelled or failed.

    ahead: how many wait before it; left_s: about so long it still takes, None where nobody knows; here: it is done by the process that says so;
    is_ending: it was asked to end, and has not yet.
    """

    done: int
    of: int
    now: str
    state: str = RUNNING
    because: str = ""
    ahead: int = 0
    left_s: float | None = None
    here: bool = False
    is_ending: bool = False

    @property
    def under_way(self) -> bool:
        """Has it not ended?"""
        return self.state not in ENDED


def named(work: Any) -> dict | None:
    """What a page keeps of a piece of work, {id}; None for anything else."""
    return work if isinstance(work, dict) and isinstance(work.get("id"), str) else None


class Works:
    """Starts, follows and ends pieces of work."""

    def __init__(
        self,
        cache: Shared,
        queue=queue,
        *,
        limit_s: float = LIMIT_S,
        idle_s: float = IDLE_S,
        note_s: float = NOTE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cache, self._queue, self._clock = cache, queue, clock
        self._limit_s, self._idle_s, self._note_s = limit_s, idle_s, note_s
        self._short = ThreadPoolExecutor(max(4, os.cpu_count() or 1), "work")
        self._long = ThreadPoolExecutor(1, "long-work")
        self._own: dict[str, Doing] = {}
        self._futures: dict[str, Future] = {}
        self._noted: Latest[float] = Latest(MOST_NOTED)
        self._lock = threading.Lock()
        self._stand_in: threading.Thread | None = None
        self._tickets: Callable[[], None] = lambda: None

    def start(
        self, kind: str, what: dict, steps: int, seconds: float, patience_s: float = 0.0, after: Future | None = None, here: bool = False
    ) -> tuple[str, Progress]:
        """Begin a piece of work of so many steps, thought to take so long; its id, and how far it is after at most `patience_s`.

        after: what must be there before another process may begin it; here: by this process, to whom no other can hand it over.
        Raises QueueFull where too much waits, StoreError where the database is needed and away.
        """
        by, text, short = visitor(), json.dumps(what, sort_keys=True), seconds <= AT_ONCE_S
        alone = here or not self._cache.keeps()
        if (short and self._has_room(by)) or alone:
            work = Work(new_id(), kind, text, by, seconds, RUNNING, 0, steps, "", "", True, own_name(), 1, time.time(), None, 0.0)
            return self._here(work, short, alone, patience_s)
        if after:
            after.result()
        name = self._queue().add(kind, text, by, steps, seconds, settings.max_queue())
        log.info("work queued", extra={"work": name, "kind": kind, "steps": steps})
        self._queued()
        return name, self.progress(name)

    def progress(self, name: str, patience_s: float = 0) -> Progress:
        """How far it is, or once it has ended here, after at most `patience_s`."""
        own = self._own.get(name)
        if own and own.state != BACK:
            if patience_s and name in self._futures:
                wait([self._futures[name]], patience_s)
            state = own.state
            if state not in (BACK, LOST):
                if own.told and not state:
                    self._note(name)
                return _of_own(own, state)
        try:
            self._note(name)
            found = self._queue().find(name) if ID.fullmatch(name) else None
        except StoreError as error:
            return Progress(0, 1, str(error), QUEUED)  # it is followed on: nothing is lost
        if found and found.state == QUEUED:
            self._stand_in_for_workers()
        return _of_queue(found) if found else Progress(0, 0, "", FAILED, FORGOTTEN)

    def _note(self, name: str) -> None:
        """Somebody follows it: written down now and then, for what nobody follows ends."""
        before, now = self._noted.get(name), self._clock()
        if ID.fullmatch(name) and (before is None or now - before > self._note_s):
            self._noted.put(name, now)
            with contextlib.suppress(StoreError):
                self._queue().follow(name)

    def same(self, kind: str, what: dict) -> str | None:
        """The id of the same work, if anybody's is under way."""
        text = json.dumps(what, sort_keys=True)
        for name, own in list(self._own.items()):
            if (own.work.kind, own.work.what, own.state) == (kind, text, "") and not own.control.cancelled():
                return name
        try:
            return self._queue().under_way(kind, text)
        except StoreError:
            return None

    def cancel(self, name: str) -> None:
        """Wish that it ends; a run under way does at once here, within about a second elsewhere."""
        own = self._own.get(name)
        if own:
            own.end(CANCELLED)
        if (own is None or own.told or own.state == BACK) and ID.fullmatch(name):
            try:
                self._queue().cancel(name)
            except StoreError:
                log.warning("a work was not cancelled: the database does not answer")

    def on_queued(self, tell: Callable[[], None]) -> None:
        """Have this called whenever work was queued."""
        self._tickets = tell

    def stop(self, patience_s: float = 2.0) -> None:
        """The process ends: what is done here goes to the queue, as if it had not been begun."""
        with self._lock:
            own = [one for one in self._own.values() if not one.state and one.told]
        for one in own:
            one.end(BACK)
        wait([self._futures[one.work.id] for one in own], patience_s)

    def _here(self, work: Work, short: bool, alone: bool, patience_s: float) -> tuple[str, Progress]:
        limit, late = (settings.max_seconds(), FAILED) if alone else (self._limit_s, BACK)
        pool = self._short if short else self._long
        doing = Doing(work, own_name(), self._queue, limit_s=limit, late=late, here=True, told=False, clock=self._clock)
        with self._lock:
            if pool is self._long and sum(not one.state for one in self._own.values()) >= settings.max_queue():
                raise QueueFull("As much work waits as this server lets; try again in a few minutes.")
            self._forget()
            self._own[work.id] = doing
            self._futures[work.id] = future = pool.submit(self._run, doing)
        if wait([future], patience_s).not_done:
            try:
                doing.tell()
            except StoreError:
                log.warning("work is known to this process alone: the database does not answer")
        return work.id, self.progress(work.id)

    def _run(self, doing: Doing) -> None:
        doing.run()
        if doing.state == BACK:
            self._queued()

    def _has_room(self, by: str) -> bool:
        """May this visitor's short work be done here, or are there enough of theirs, or of all?"""
        with self._lock:
            busy = [one for one in self._own.values() if not one.state]
        return len(busy) < MOST_HERE and (not by or sum(one.work.visitor == by for one in busy) < MOST_AT_ONCE)

    def _forget(self) -> None:
        now = self._clock()
        for name in [name for name, one in self._own.items() if one.state and one.ended_at < now - KEEP_OWN_S]:
            del self._own[name], self._futures[name]

    def _queued(self) -> None:
        self._tickets()
        self._stand_in_for_workers()

    def _stand_in_for_workers(self) -> None:
        """Work processes look at the queue by themselves; where there are none a thread here does what waits."""
        if os.environ.get(settings.BESIDE) or settings.workers() == 0:
            return
        with self._lock:
            if self._stand_in is None or not self._stand_in.is_alive():
                self._stand_in = threading.Thread(target=self._work, name="stand-in", daemon=True)
                self._stand_in.start()

    def _work(self) -> None:
        with contextlib.suppress(StoreError):
            self._queue().recover()
        take_and_do(own_name(), self._queue, threading.Event(), self._idle_s)


def visitor() -> str:
    """Who asks: a random name in a signed cookie, which every page brings; the address of who sends none; "" where nobody asks."""
    if not has_request_context():
        return ""
    found = session.get("visitor")
    return found if isinstance(found, str) else f"from {request.remote_addr}"


def welcome() -> None:
    """Name the visitor of a page who has no name yet."""
    if not isinstance(session.get("visitor"), str):
        session["visitor"] = secrets.token_hex(12)


def _of_own(own: Doing, state: str) -> Progress:
    control = own.control
    if state:
        return Progress(control.of if state == "finished" else control.done, control.of, "", state, own.because)
    left = _left(control.done, control.of, own.work.seconds, own.taken_s) if own.began else None
    return Progress(control.done, control.of, control.now or "queued", RUNNING, left_s=left, here=True, is_ending=control.cancelled())


def _of_queue(found: Work) -> Progress:
    left = _left(found.done, found.steps, found.seconds, time.time() - found.began) if found.state == RUNNING and found.began else None
    return Progress(found.done, found.steps, found.now, found.state, found.because, found.ahead, left, is_ending=found.state == RUNNING and not found.wanted)


def _left(done: int, of: int, seconds: float, taken: float) -> float | None:
    """By what has been done, where that is enough to tell, else by what it was thought to take; None also where the clock was set back meanwhile."""
    if taken < 0:
        return None
    if done >= ENOUGH:
        return taken / done * (of - done)
    return seconds - taken if taken < seconds else None


works = Works(shared)
