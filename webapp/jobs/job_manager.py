"""Work too long for one answer: begun here, followed and ended from any process by its id.

What is thought to take less than AT_ONCE_S is done at once in threads of the server's process, and nobody
else hears of it unless it takes longer than the one who asked is patient. What turns out to take more than
LIMIT_S, and all longer work, waits in the queue of the database (webapp/jobs/job_queue.py) for work
processes (webapp/jobs/), or for a thread here where there are none. Where the cache keeps nothing, no other
process could hand over what it makes: then all is done here, one long work at a time.
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

from cachetools import TTLCache
from flask import has_request_context, request, session

from webapp import settings
from webapp.jobs.job_queue import (
    CANCELLED,
    END_STATES,
    FAILED,
    JOINED_JOB_TYPES,
    MAX_RUNNING_PER_VISITOR,
    QUEUED,
    RUNNING,
    SHARED_JOB_TYPES,
    BackgroundTask,
    JobQueue,
    QueueFull,
    new_id,
    queue,
    worker_name,
)
from webapp.jobs.job_runner import (
    LOST,
    REQUEUED,
    Cancelled,
    JobControl,
    JobRunner,
    job_type,
    process_queue,
)
from webapp.messages import msg
from webapp.runs.cache import SharedCache, shared_cache
from webapp.store.database import StoreError

__all__ = [
    "Cancelled",
    "JobControl",
    "JobManager",
    "Progress",
    "current_visitor",
    "job_manager",
    "job_type",
    "name_visitor",
    "new_visitor",
]
log = logging.getLogger("gantry")
IMMEDIATE_S = 1.0  # what is thought to take less is done at once
LOCAL_LIMIT_S = 3.0  # what takes more after all goes to the queue
MAX_LOCAL_TASKS = 32  # pieces of work that wait for this process's threads; others go to the queue
KEEP_LOCAL_S = 60.0  # after the end
FOLLOW_INTERVAL_S = 20.0  # between two notes that somebody follows a piece of work
MAX_FOLLOWED = 1000
IDLE_S = 1.0  # after which the thread that stands in for work processes ends
ID_PATTERN = re.compile("[0-9a-f]{16}")  # of a piece of work
MIN_STEPS_FOR_ESTIMATE = 5  # steps, by which the time of the rest is told
TASK_EXPIRED = msg("jobs.job_manager.result_expired_runs_are_kept")


@dataclass(frozen=True)
class Progress:
    """How far it is: `done` of `total` steps, `now` names the one under way. state: queued, running,
    finished, cancelled or failed.

    ahead: how many wait before it; remaining_s: about so long it still takes, None where nobody knows;
    is_local: it is done by the process that says so;
    is_ending: it was asked to end, and has not yet.
    """

    done: int
    total: int
    now: str
    state: str = RUNNING
    because: str = ""
    ahead: int = 0
    remaining_s: float | None = None
    is_local: bool = False
    is_ending: bool = False

    @property
    def is_active(self) -> bool:
        """Has it not ended?"""
        return self.state not in END_STATES


class JobManager:
    """Starts, follows and ends pieces of work."""

    def __init__(
        self,
        cache: SharedCache,
        queue: Callable[[], JobQueue] = queue,
        *,
        limit_s: float = LOCAL_LIMIT_S,
        idle_s: float = IDLE_S,
        follow_interval_s: float = FOLLOW_INTERVAL_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cache, self._queue, self._clock = cache, queue, clock
        self._limit_s, self._idle_s = limit_s, idle_s
        self._short = ThreadPoolExecutor(max(4, os.cpu_count() or 1), "work")
        self._long = ThreadPoolExecutor(1, "long-work")
        self._local: dict[str, JobRunner] = {}
        self._futures: dict[str, Future] = {}
        self._recently_followed: TTLCache[str, bool] = TTLCache(MAX_FOLLOWED, follow_interval_s, clock)
        self._lock = threading.Lock()
        self._fallback_thread: threading.Thread | None = None

    def start(
        self,
        kind: str,
        what: dict,
        steps: int,
        seconds: float,
        timeout_s: float = 0.0,
        after: Future | None = None,
        is_local: bool = False,
    ) -> tuple[str, Progress]:
        """Begin a piece of work of so many steps, thought to take so long; its id, and how far it is after at
        most `timeout_s`.

        after: what must be there before another process may begin it; is_local: by this process, to which no
        other can hand it over. Raises QueueFull where too much waits, StoreError where the database is needed
        and away.
        """
        by, text, short = current_visitor(), json.dumps(what, sort_keys=True), seconds <= IMMEDIATE_S
        must_run_here = is_local or not self._cache.is_available()
        work = BackgroundTask(new_id(), kind, text, by, seconds, steps)
        if kind in JOINED_JOB_TYPES and (same := self._find_local(work)):
            return same, self.progress(same, timeout_s)
        if (short and self._has_local_slot(by)) or must_run_here:
            return self._run_locally(work, short, must_run_here, timeout_s)
        if after:
            after.result()
        name = self._queue().add(work, settings.max_queue())
        log.info("work queued", extra={"work": name, "kind": kind, "steps": steps})
        self._start_fallback_thread()
        return name, self.progress(name)

    def progress(self, name: str, timeout_s: float = 0) -> Progress:
        """How far it is, or once it has ended here, after at most `timeout_s`."""
        runner = self._local.get(name)
        if runner and runner.state != REQUEUED:
            if timeout_s and name in self._futures:
                wait([self._futures[name]], timeout_s)
            state = runner.state
            if state not in (REQUEUED, LOST):
                if runner.is_announced and not state:
                    self._note_follower(name)
                return _local_progress(runner, state)
        try:
            self._note_follower(name)
            task = self._queue().find(name) if ID_PATTERN.fullmatch(name) else None
        except StoreError as error:
            return Progress(0, 1, str(error), QUEUED)  # it is followed on: nothing is lost
        if task and task.state == QUEUED:
            self._start_fallback_thread()
        return _queue_progress(task) if task else Progress(0, 0, "", FAILED, TASK_EXPIRED)

    def _note_follower(self, name: str) -> None:
        """Somebody follows it: written down now and then, for what nobody follows ends."""
        with self._lock:
            if not ID_PATTERN.fullmatch(name) or name in self._recently_followed:
                return
            self._recently_followed[name] = True
        with contextlib.suppress(StoreError):
            self._queue().follow(name)

    def cancel(self, name: str) -> None:
        """Wish that it ends; a run under way does at once here, within about a second elsewhere."""
        runner = self._local.get(name)
        if runner:
            runner.request_end(CANCELLED)
        if (runner is None or runner.is_announced or runner.state == REQUEUED) and ID_PATTERN.fullmatch(name):
            try:
                self._queue().cancel(name)
            except StoreError:
                log.warning("a work was not cancelled: the database does not answer")

    def stop(self, timeout_s: float = 2.0) -> None:
        """The process ends: what is done here goes to the queue, as if it had not been begun."""
        with self._lock:
            announced = [runner for runner in self._active() if runner.is_announced]
        for runner in announced:
            runner.request_end(REQUEUED)
        wait([self._futures[runner.work.id] for runner in announced], timeout_s)

    def _run_locally(
        self, work: BackgroundTask, short: bool, is_exclusive: bool, timeout_s: float
    ) -> tuple[str, Progress]:
        limit, late = (settings.max_seconds(), FAILED) if is_exclusive else (self._limit_s, REQUEUED)
        runner = JobRunner(
            work,
            worker_name(),
            self._queue,
            limit_s=limit,
            on_timeout=late,
            is_local=True,
            is_announced=False,
            clock=self._clock,
        )
        with self._lock:
            if not short and len(self._active()) >= settings.max_queue():
                raise QueueFull(msg("jobs.job_manager.queue_is_full"))
            self._forget_ended()
            self._local[work.id] = runner
            self._futures[work.id] = future = (self._short if short else self._long).submit(self._run, runner)
        if wait([future], timeout_s).not_done:
            try:
                runner.announce()
            except StoreError:
                log.warning("work is known to this process alone: the database does not answer")
        return work.id, self.progress(work.id)

    def _run(self, runner: JobRunner) -> None:
        runner.run()
        if runner.state == REQUEUED:
            self._start_fallback_thread()

    def _find_local(self, work: BackgroundTask) -> str | None:
        """The id of the same work for the same visitor, if this process is doing it."""
        for runner in list(self._local.values()):
            of, is_active = runner.work, not runner.state and not runner.control.cancelled()
            is_theirs = work.kind in SHARED_JOB_TYPES or of.visitor == work.visitor
            if is_active and is_theirs and (of.kind, of.what) == (work.kind, work.what):
                return of.id
        return None

    def _has_local_slot(self, by: str) -> bool:
        """May this visitor's short work be done here, or are there enough of theirs, or of all?"""
        with self._lock:
            busy = self._active()
        own = [runner for runner in busy if by and runner.work.visitor == by]
        return len(busy) < MAX_LOCAL_TASKS and len(own) < MAX_RUNNING_PER_VISITOR

    def _active(self) -> list[JobRunner]:
        return [runner for runner in self._local.values() if not runner.state]

    def _forget_ended(self) -> None:
        before = self._clock() - KEEP_LOCAL_S
        for name, runner in list(self._local.items()):
            if runner.state and runner.ended_at < before:
                del self._local[name], self._futures[name]

    def _start_fallback_thread(self) -> None:
        """Work processes look at the queue by themselves; where there are none a thread here does what
        waits.
        """
        if os.environ.get(settings.HAS_WORKERS_VARIABLE) or settings.workers() == 0:
            return
        with self._lock:
            if self._fallback_thread is None or not self._fallback_thread.is_alive():
                thread = threading.Thread(target=self._run_fallback, name="stand-in", daemon=True)
                self._fallback_thread = thread
                thread.start()

    def _run_fallback(self) -> None:
        with contextlib.suppress(StoreError):
            self._queue().recover()
        process_queue(worker_name(), self._queue, threading.Event(), self._idle_s)


def current_visitor() -> str:
    """Who asks: a random name in a signed cookie, which every page brings; the address of who sends none; ""
    where nobody asks.
    """
    if not has_request_context():
        return ""
    name = session.get("visitor")
    return name if isinstance(name, str) else msg("jobs.job_manager.from", remote_addr=request.remote_addr)


def new_visitor() -> str:
    """A name that no visitor has."""
    return secrets.token_hex(12)


def name_visitor(name: str = "") -> None:
    """Name the visitor of a page who has no name yet; with a name: someone else sits at this browser from now
    on. It lasts from the last page on.
    """
    session.permanent = True
    if name or not isinstance(session.get("visitor"), str):
        session["visitor"] = name or new_visitor()


def _local_progress(runner: JobRunner, state: str) -> Progress:
    control, left = runner.control, None
    if state:
        done = control.total if state == "finished" else control.done
        return Progress(done, control.total, "", state, runner.because)
    if runner.began:
        left = _remaining_s(control.done, control.total, runner.work.seconds, runner.elapsed_s)
    now, is_ending = control.now or "queued", control.cancelled()
    return Progress(control.done, control.total, now, remaining_s=left, is_local=True, is_ending=is_ending)


def _queue_progress(task: BackgroundTask) -> Progress:
    left, is_running = None, task.state == RUNNING
    if is_running and task.began:
        left = _remaining_s(task.done, task.steps, task.seconds, time.time() - task.began)
    return Progress(
        task.done,
        task.steps,
        task.now,
        task.state,
        task.because,
        task.ahead,
        left,
        is_ending=is_running and not task.wanted,
    )


def _remaining_s(done: int, total: int, seconds: float, elapsed_s: float) -> float | None:
    """By what has been done, where that is enough to tell, else by what it was thought to take; None also
    where the clock was set back meanwhile.
    """
    if elapsed_s < 0:
        return None
    if done >= MIN_STEPS_FOR_ESTIMATE:
        return elapsed_s / done * (total - done)
    return seconds - elapsed_s if elapsed_s < seconds else None


job_manager = JobManager(shared_cache)
