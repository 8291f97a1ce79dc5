"""Work too long for one answer: done in threads of a server process, followed and cancelled from any of them.

Progress and the wish to cancel lie in the shared cache under the work's id; results are cached by value by the steps themselves.
The kernel works without Python's lock, so a long run blocks no other request.
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from engine import GantryError
from webapp.services.cache import Shared, shared

log = logging.getLogger("gantry")
KEEP_S = 3600
BEAT_S = 2.0
KEEP_OWN_S = 60.0  # after the end, so that a cache that is away loses no short work
LOST_S = 15.0  # without a sign of life the process that did it has gone


class Cancelled(Exception):
    """Raised by work that was asked to end."""


@dataclass(frozen=True)
class Progress:
    """How far it is: `done` of `of` steps, `now` names the one under way. state: running, finished, cancelled or failed."""

    done: int
    of: int
    now: str
    state: str = "running"
    because: str = ""
    beat: float = 0.0


@dataclass(frozen=True)
class TaskControl:
    """How a task, done in `of` steps, reports its progress and learns that it is to end."""

    works: Works
    name: str
    of: int

    def report(self, done: int, now: str) -> None:
        """So many steps are done, and this one is under way."""
        self.works.report(self.name, Progress(done, self.of, now))

    def cancelled(self) -> bool:
        """Whether it is to end."""
        return self.works.cancel_requested(self.name)

    def step(self, done: int, now: str) -> None:
        """Begin a step. Raises Cancelled when it is to end."""
        if self.cancelled():
            raise Cancelled
        self.report(done, now)


class Works:
    """Starts, follows and cancels pieces of work."""

    def __init__(self, cache: Shared) -> None:
        self._cache = cache
        self._pool = ThreadPoolExecutor(max_workers=max(4, os.cpu_count() or 1), thread_name_prefix="work")
        self._own: dict[str, Progress] = {}
        self._doing: dict[str, Future] = {}
        self._lock = threading.RLock()
        self._ticker: threading.Thread | None = None

    def start(self, do: Callable[[TaskControl], None], of: int, patience_s: float) -> tuple[str, Progress]:
        """Begin a piece of work of so many steps; its id, and how far it is after at most `patience_s`."""
        control = TaskControl(self, secrets.token_hex(8), of)
        control.report(0, "queued")
        if self._ticker is None:
            self._ticker = threading.Thread(target=self._beat, name="work-beat", daemon=True)
            self._ticker.start()
        doing = self._pool.submit(self._do, do, control)
        if wait([doing], patience_s).not_done:
            with self._lock:
                self._doing[control.name] = doing
                self.report(control.name, self._own[control.name])
        return control.name, self.progress(control.name)

    def progress(self, name: str, patience_s: float = 0) -> Progress:
        """How far it is, or once it has ended, after at most `patience_s`; failed where nobody does it any more."""
        if patience_s:
            doing = self._doing.get(name)
            if doing is None:
                time.sleep(patience_s)
            else:
                wait([doing], patience_s)
        found = self._own.get(name) or self._cache.get(f"work:{name}")
        if not isinstance(found, Progress):
            return Progress(0, 0, "", "failed", "Result expired: run again. Finished runs are kept.")
        if name not in self._own and found.state == "running" and time.time() - found.beat > LOST_S:
            return replace(found, state="failed", because="The server was restarted: run again. Finished runs are kept.")
        return found

    def cancel(self, name: str) -> None:
        """Wish that it ends; it does before its next step."""
        self._cache.put(f"cancel:{name}", True, KEEP_S)

    def cancel_requested(self, name: str) -> bool:
        """Has somebody cancel_requested that it ends?"""
        return bool(self._cache.get(f"cancel:{name}"))

    def report(self, name: str, progress: Progress) -> None:
        """Keep how far it is; for other processes too, where it takes longer than the one that began it was patient: nobody else knows of it before."""
        with self._lock:
            self._own[name] = replace(progress, beat=time.time())
            if name in self._doing:
                self._cache.put(f"work:{name}", self._own[name], KEEP_S)

    def _do(self, do: Callable[[TaskControl], None], control: TaskControl) -> None:
        try:
            do(control)
            last = Progress(control.of, control.of, "", "finished")
        except Cancelled:
            last = replace(self._own[control.name], state="cancelled")
        except GantryError as error:
            last = replace(self._own[control.name], state="failed", because=str(error))
        except Exception:  # a bug: the page gets a sentence, the log the traceback
            log.exception("work failed")
            last = replace(self._own[control.name], state="failed", because="Server error; its log has the details. Your draft is kept.")
        self.report(control.name, last)

    def _beat(self) -> None:
        """Signs of life for other processes, also while a step takes long; what ended a while ago is left to the cache."""
        while True:
            time.sleep(BEAT_S)
            for name, progress in list(self._own.items()):
                with self._lock:
                    if self._own[name] is not progress:
                        continue
                    if progress.state == "running":
                        self.report(name, progress)
                    elif time.time() - progress.beat > KEEP_OWN_S:
                        del self._own[name]
                        self._doing.pop(name, None)


works = Works(shared)
