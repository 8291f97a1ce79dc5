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
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from engine import GantryError
from webapp.cache import Shared, shared

log = logging.getLogger("gantry")
KEEP_S = 3600
BEAT_S = 2.0
KEEP_OWN_S = 60.0  # after the end, so that a cache that is away loses no short work
LOST_S = 15.0  # without a sign of life the process that did it has gone
Step = tuple[str, Callable[[], object]]


@dataclass(frozen=True)
class Progress:
    """How far it is: `done` of `of` steps, `now` names the one under way. state: running, finished, cancelled or failed."""

    done: int
    of: int
    now: str
    state: str = "running"
    because: str = ""
    beat: float = 0.0


class Works:
    """Starts, follows and cancels pieces of work."""

    def __init__(self, cache: Shared) -> None:
        self._cache = cache
        self._pool = ThreadPoolExecutor(max_workers=max(4, os.cpu_count() or 1), thread_name_prefix="work")
        self._own: dict[str, Progress] = {}
        self._lock = threading.RLock()
        self._ticker: threading.Thread | None = None

    def start(self, steps: Sequence[Step], patience_s: float) -> tuple[str, Progress]:
        """Begin the steps, one after another; the id, and how far it is after at most `patience_s`."""
        name = secrets.token_hex(8)
        self._tell(name, Progress(0, len(steps), "waiting for its turn"))
        if self._ticker is None:
            self._ticker = threading.Thread(target=self._beat, name="work-beat", daemon=True)
            self._ticker.start()
        wait([self._pool.submit(self._do, name, steps)], patience_s)
        return name, self.progress(name)

    def progress(self, name: str) -> Progress:
        """How far it is; failed where nobody does it any more."""
        found = self._own.get(name) or self._cache.get(f"work:{name}")
        if not isinstance(found, Progress):
            return Progress(0, 0, "", "failed", "The server no longer knows this work. Press Run again; what is done is kept.")
        if name not in self._own and found.state == "running" and time.time() - found.beat > LOST_S:
            return replace(found, state="failed", because="The server process that did this has ended. Press Run again; what is done is kept.")
        return found

    def cancel(self, name: str) -> None:
        """Wish that it ends; it does before its next step."""
        self._cache.put(f"cancel:{name}", True, KEEP_S)

    def _do(self, name: str, steps: Sequence[Step]) -> None:
        try:
            for number, (label, step) in enumerate(steps):
                if self._cache.get(f"cancel:{name}"):
                    self._tell(name, replace(self._own[name], state="cancelled"))
                    break
                self._tell(name, Progress(number, len(steps), label))
                step()
            else:
                self._tell(name, Progress(len(steps), len(steps), "", "finished"))
        except GantryError as error:
            self._tell(name, replace(self._own[name], state="failed", because=str(error)))
        except Exception:  # a fault of ours: the page must hear of it, the log says more
            log.exception("work failed")
            self._tell(
                name, replace(self._own[name], state="failed", because="Something went wrong on the server, and its log says what. What you composed is kept.")
            )

    def _tell(self, name: str, progress: Progress) -> None:
        with self._lock:
            self._own[name] = replace(progress, beat=time.time())
            self._cache.put(f"work:{name}", self._own[name], KEEP_S)

    def _beat(self) -> None:
        """Signs of life for other processes, also while a step takes long; what ended a while ago is left to the cache."""
        while True:
            time.sleep(BEAT_S)
            for name, progress in list(self._own.items()):
                with self._lock:
                    if self._own[name] is not progress:
                        continue
                    if progress.state == "running":
                        self._tell(name, progress)
                    elif time.time() - progress.beat > KEEP_OWN_S:
                        del self._own[name]


works = Works(shared)
