"""Work as this process does it: one piece at a time to a thread, reported about once a second, ended when nobody wants it or its time is over.

What is to be done is named by its kind and JSON values, so that any process can do it; `kind` registers the function.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable

from engine import GantryError, Halt, Halted
from webapp import settings
from webapp.monitoring import counters, logs
from webapp.services.cache import shared
from webapp.store.database import StoreError
from webapp.store.works import CANCELLED, ENDED, FAILED, FINISHED, Work, Works

log = logging.getLogger("gantry")
BEAT_S = 1.0  # between two reports, each of which is one writing to the database
POLL_S = 0.2  # between two looks at an empty queue
AWAY_S = 2.0  # before a database that is away is asked again
TELL_S = 60.0  # the end of work is told for so long to a database that is away
LATE, BACK, LOST = "late", "back", "lost"
BUG = "Server error; its log has the details. Your draft is kept."

Do = Callable[[dict, "TaskControl"], None]
KINDS: dict[str, Do] = {}


class Cancelled(Exception):
    """Raised by work that was asked to end."""


class TaskControl:
    """How a task, done in `of` steps, reports its progress and learns that it is to end. here: its results are looked at in this very process."""

    def __init__(self, of: int, here: bool = False) -> None:
        self.of, self.here = of, here
        self.done, self.now = 0, ""
        self.halt = Halt()

    def report(self, done: int, now: str) -> None:
        """So many steps are done, and this one is under way."""
        self.done, self.now = done, now

    def cancelled(self) -> bool:
        """Whether it is to end."""
        return self.halt.asked

    def step(self, done: int, now: str) -> None:
        """Begin a step. Raises Cancelled when it is to end."""
        if self.cancelled():
            raise Cancelled
        self.report(done, now)


def kind(name: str) -> Callable[[Do], Do]:
    """Registers what does work of this kind: a function of its JSON values and a TaskControl."""

    def register(do: Do) -> Do:
        KINDS[name] = do
        return do

    return register


class Doing:
    """A piece of work that this process does; `told` is whether other processes know of it by the queue.

    limit_s: how long it may take; late: FAILED, or BACK where it then belongs to the queue; began, ended_at, asked_at: by the clock.
    """

    def __init__(
        self,
        work: Work,
        worker: str,
        queue: Callable[[], Works],
        *,
        limit_s: float,
        late: str = FAILED,
        here: bool = False,
        told: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.work, self.worker, self.told, self._clock = work, worker, told, clock
        self.control = TaskControl(work.steps, here)
        self.state, self.because = "", ""
        self.began, self.ended_at, self.asked_at = 0.0, 0.0, 0.0
        self._queue, self._limit_s, self._late = queue, limit_s, late
        self._why = ""
        self._over = threading.Event()
        self._telling = threading.Lock()

    def run(self) -> None:
        """Do it, and tell how it ended."""
        with logs.about(work=self.work.id, kind=self.work.kind):
            self._run()

    def _run(self) -> None:
        self.began = self._clock()
        if self.told:
            self._beats()
        try:
            with self.control.halt.after(self._limit_s):
                KINDS[self.work.kind](json.loads(self.work.what), self.control)
            shared.settled()
            state, because = FINISHED, ""
        except (Cancelled, Halted):
            state, because = self._ended_by_wish()
        except GantryError as error:
            state, because = FAILED, str(error)
        except MemoryError:
            state, because = FAILED, "It needs more memory than this server has."
        except Exception:  # a bug: the page gets a sentence, the log the traceback
            log.exception("work failed")
            state, because = FAILED, BUG
        self._end(state, because)

    def end(self, why: str) -> None:
        """Make it end soon: CANCELLED, BACK into the queue, or LOST, when it is another's by now."""
        self._why = self._why or why
        self.asked_at = self.asked_at or self._clock()
        self.control.halt.ask()

    def tell(self) -> None:
        """Make it known to other processes, if it has not ended meanwhile."""
        with self._telling:
            if not self.state and not self.told:
                work = self.work
                self._queue().begun(work.id, self.worker, work.kind, work.what, work.visitor, work.steps, work.seconds)
                self.told = True
                self._beats()

    @property
    def taken_s(self) -> float:
        """How long it has been under way."""
        return self._clock() - self.began

    @property
    def late_s(self) -> float:
        """How long ago it was to end, while it has not."""
        since = self.asked_at or (self.began + self._limit_s if self.began else 0.0)
        return max(self._clock() - since, 0.0) if since and not self.state else 0.0

    def given_up(self) -> None:
        """Tell how it ended although it has not: its process ends with it."""
        state, because = self._ended_by_wish()
        self._end(state, because)

    def _ended_by_wish(self) -> tuple[str, str]:
        why = self._why or (self._late if self._late == BACK else LATE)
        if why == LATE:
            limit = f"{self._limit_s / 60:g} minutes" if self._limit_s >= 120 else f"{self._limit_s:g} s"
            return FAILED, f"It took longer than {limit}, the most this server lets (its owner sets GANTRY_MAX_SECONDS)."
        return why, ""

    def _end(self, state: str, because: str) -> None:
        with self._telling:
            self._over.set()
            until = self._clock() + TELL_S
            while True:
                try:
                    self._write(state, because)
                    break
                except StoreError as error:
                    if state == BACK and not self.told:
                        state, because = FAILED, str(error)
                        break
                    if self._clock() > until or self.control.here:
                        break
                    time.sleep(AWAY_S)
                except GantryError as error:  # the queue is full
                    state, because = FAILED, str(error)
                    break
            self.because, self.state, self.ended_at = because, state, self._clock()
        if state in ENDED:
            counters.works.labels(self.work.kind, state).inc()
            counters.work_seconds.labels(self.work.kind).observe(max(self.ended_at - self.began, 0.0))
        if self.told and state in ENDED:
            log.info("work ended", extra={"state": state, "steps": self.control.done, "seconds": round(self.ended_at - self.began, 3)})

    def _write(self, state: str, because: str) -> None:
        work = self.work
        if state == BACK and not self.told:
            self._queue().add(work.kind, work.what, work.visitor, work.steps, work.seconds, settings.max_queue(), work.id)
        elif state == BACK:
            self._queue().give_back(self.worker, work.id)
        elif self.told and state != LOST:
            self._queue().end(work.id, self.worker, state, because)

    def _beats(self) -> None:
        threading.Thread(target=self._beat, name="work-beat", daemon=True).start()

    def _beat(self) -> None:
        """Signs of life, also while a step takes long; what comes back is whether it is still wanted."""
        while True:
            try:
                if not self._queue().report(self.work.id, self.worker, self.control.done, self.control.now) and not self._over.is_set():
                    found = self._queue().find(self.work.id)
                    self.end(CANCELLED if found and found.worker == self.worker else LOST)
            except StoreError:
                pass  # it goes on; what it makes is there when the database is
            if self._over.wait(BEAT_S):
                return


def take_and_do(
    worker: str, queue: Callable[[], Works], stop: threading.Event, idle_s: float | None = None, begins: Callable[[Doing], None] = lambda doing: None
) -> int:
    """Take work and do it, until `stop`, or until there has been none for idle_s; how much was done. begins hears of each."""
    done, idle_since = 0, time.monotonic()
    while not stop.is_set():
        try:
            work = queue().take(worker)
        except StoreError:
            stop.wait(AWAY_S)
            continue
        if work:
            counters.wait_seconds.labels(work.kind).observe(max(time.time() - work.queued, 0.0))
            doing = Doing(work, worker, queue, limit_s=settings.max_seconds())
            begins(doing)
            doing.run()
            done, idle_since = done + 1, time.monotonic()
        elif idle_s is not None and time.monotonic() - idle_since >= idle_s:
            break
        else:
            stop.wait(POLL_S)
    return done
