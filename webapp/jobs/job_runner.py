"""A background task as this process runs it: one at a time per thread, reported about once a second, ended
when it is cancelled or times out.

What is to be done is named by its kind and JSON values, so that any process can do it; `job_type` registers
the function.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
import time
from collections.abc import Callable

from engine import GantryError, quantities
from engine.dashboard import CancelToken, RunCancelled
from webapp import settings
from webapp.jobs.job_queue import CANCELLED, END_STATES, FAILED, FINISHED, BackgroundTask, JobQueue
from webapp.messages import msg
from webapp.monitoring import counters, logs
from webapp.runs.cache import shared_cache
from webapp.store.database import StoreError

log = logging.getLogger("gantry")
HEARTBEAT_S = 1.0  # between two reports, each of which is one writing to the database
POLL_S = 0.2  # between two looks at an empty queue
DATABASE_RETRY_S = 2.0  # before a database that is away is asked again
END_REPORT_S = 60.0  # the end of work is told for so long to a database that is away
REQUEUED, LOST = "back", "lost"
BUG_TEXT = msg("shared.server_error_its_log_has_details")

JobFunction = Callable[[dict, "JobControl"], None]
JOB_TYPES: dict[str, JobFunction] = {}


class Cancelled(Exception):
    """Raised by work that was asked to end."""


class JobControl:
    """How a task, done in `total` steps, reports its progress and learns that it is to end. is_local: its
    results are looked at in this very process.
    """

    def __init__(self, total: int, is_local: bool = False) -> None:
        self.total, self.is_local = total, is_local
        self.done, self.now = 0, ""
        self.cancel_token = CancelToken()

    def report(self, done: int, now: str) -> None:
        """So many steps are done, and this one is under way."""
        self.done, self.now = done, now

    def cancelled(self) -> bool:
        """Whether it is to end."""
        return self.cancel_token.is_cancelled

    def step(self, done: int, now: str) -> None:
        """Begin a step. Raises Cancelled when it is to end."""
        if self.cancelled():
            raise Cancelled
        self.report(done, now)


def job_type(name: str) -> Callable[[JobFunction], JobFunction]:
    """Registers what does work of this kind: a function of its JSON values and a JobControl."""

    def register(do: JobFunction) -> JobFunction:
        JOB_TYPES[name] = do
        return do

    return register


class JobRunner:
    """A background task that this process runs; `is_announced` is whether other processes know of it by the
    queue.

    limit_s: how long it may take; on_timeout: FAILED, or REQUEUED where it then belongs to the queue; began,
    ended_at, end_requested_at: by the clock.
    """

    def __init__(
        self,
        work: BackgroundTask,
        worker: str,
        queue: Callable[[], JobQueue],
        *,
        limit_s: float,
        on_timeout: str = FAILED,
        is_local: bool = False,
        is_announced: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.work, self.worker, self.is_announced, self._clock = work, worker, is_announced, clock
        self.control = JobControl(work.steps, is_local)
        self.state, self.because = "", ""
        self.began, self.ended_at, self.end_requested_at = 0.0, 0.0, 0.0
        self._queue, self._limit_s, self._on_timeout = queue, limit_s, on_timeout
        self._end_reason = ""
        self._ended = threading.Event()
        self._report_lock = threading.Lock()

    def run(self) -> None:
        """Do it, and tell how it ended."""
        with logs.log_context(work=self.work.id, kind=self.work.kind):
            self._run()

    def _run(self) -> None:
        self.began = self._clock()
        if self.is_announced:
            self._start_heartbeat()
        try:
            with self.control.cancel_token.cancel_after(self._limit_s):
                JOB_TYPES[self.work.kind](json.loads(self.work.what), self.control)
            shared_cache.flush()
            state, because = FINISHED, ""
        except (Cancelled, RunCancelled):
            state, because = self._requested_end()
        except GantryError as error:
            state, because = FAILED, str(error)
        except MemoryError:
            state, because = FAILED, msg("jobs.job_runner.needs_more_memory_than_server_has")
        except Exception:  # a bug: the page gets a sentence, the log the traceback
            log.exception("work failed")
            state, because = FAILED, BUG_TEXT
        self._finish(state, because)

    def request_end(self, reason: str) -> None:
        """Make it end soon: CANCELLED, REQUEUED, or LOST, when it is another's by now."""
        self._end_reason = self._end_reason or reason
        self.end_requested_at = self.end_requested_at or self._clock()
        self.control.cancel_token.cancel()

    def announce(self) -> None:
        """Register it in the queue for other processes, if it has not ended meanwhile."""
        with self._report_lock:
            if not self.state and not self.is_announced:
                self._queue().add_running(self.work, self.worker)
                self.is_announced = True
                self._start_heartbeat()

    @property
    def elapsed_s(self) -> float:
        """How long it has been under way."""
        return self._clock() - self.began

    @property
    def overdue_s(self) -> float:
        """How long ago it was to end, while it has not."""
        since = self.end_requested_at or (self.began + self._limit_s if self.began else 0.0)
        return max(self._clock() - since, 0.0) if since and not self.state else 0.0

    def abandon(self) -> None:
        """Tell how it ended although it has not: its process ends with it."""
        self._finish(*self._requested_end())

    def _requested_end(self) -> tuple[str, str]:
        why = self._end_reason or self._on_timeout
        if why != FAILED:
            return why, ""
        limit = quantities.duration(1000 * self._limit_s)
        return FAILED, msg("jobs.job_runner.took_longer_than_most_server_lets", limit=limit)

    def _finish(self, state: str, because: str) -> None:
        with self._report_lock:
            self._ended.set()
            until = self._clock() + END_REPORT_S
            while True:
                try:
                    self._store_end(state, because)
                    break
                except StoreError as error:
                    if state == REQUEUED and not self.is_announced:
                        state, because = FAILED, str(error)
                        break
                    if self._clock() > until or self.control.is_local:
                        break
                    time.sleep(DATABASE_RETRY_S)
                except GantryError as error:  # the queue is full
                    state, because = FAILED, str(error)
                    break
            self.because, self.state, self.ended_at = because, state, self._clock()
        if state not in END_STATES:
            return
        seconds = self.ended_at - self.began
        counters.ended_tasks.labels(self.work.kind, state).inc()
        counters.task_seconds.labels(self.work.kind).observe(max(seconds, 0.0))
        if self.is_announced:
            facts = {"state": state, "steps": self.control.done, "seconds": round(seconds, 3)}
            log.info("work ended", extra=facts)

    def _store_end(self, state: str, because: str) -> None:
        work = self.work
        if state == REQUEUED and not self.is_announced:
            self._queue().add(work, settings.max_queue(), joins=False)
        elif state == REQUEUED:
            self._queue().give_back(self.worker, work.id)
        elif self.is_announced and state != LOST:
            self._queue().end(work.id, self.worker, state, because)

    def _start_heartbeat(self) -> None:
        threading.Thread(target=self._heartbeat, name="work-beat", daemon=True).start()

    def _heartbeat(self) -> None:
        """Heartbeats, also while a step takes long; the queue answers whether the task is still wanted."""
        while True:
            # where the database is away it goes on; what it makes is there when that is
            with contextlib.suppress(StoreError):
                control, queue = self.control, self._queue()
                is_wanted = queue.report(self.work.id, self.worker, control.done, control.now)
                if not is_wanted and not self._ended.is_set():
                    task = queue.find(self.work.id)
                    self.request_end(CANCELLED if task and task.worker == self.worker else LOST)
            if self._ended.wait(HEARTBEAT_S):
                return


def process_queue(
    worker: str,
    queue: Callable[[], JobQueue],
    stop: threading.Event,
    idle_s: float | None = None,
    on_start: Callable[[JobRunner], None] = lambda runner: None,
) -> int:
    """Take work and do it, until `stop`, or until there has been none for idle_s; how much was done. on_start
    hears of each.
    """
    done, idle_since = 0, time.monotonic()
    while not stop.is_set():
        try:
            work = queue().take(worker)
        except StoreError:
            stop.wait(DATABASE_RETRY_S)
            continue
        if work:
            counters.wait_seconds.labels(work.kind).observe(max(time.time() - work.queued, 0.0))
            runner = JobRunner(work, worker, queue, limit_s=settings.max_seconds())
            on_start(runner)
            runner.run()
            done, idle_since = done + 1, time.monotonic()
        elif idle_s is not None and time.monotonic() - idle_since >= idle_s:
            break
        else:
            stop.wait(POLL_S)
    return done
