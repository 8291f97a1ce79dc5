"""A process that takes work from the queue and does it, one piece at a time.

Signals reach only the main thread, and only between two of its own instructions, so that a run in compiled code would hold them up: the main thread
waits and a second one works. SIGTERM ends what is under way and gives it back to the queue; whatever does not end within GRACE_S ends with the process.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading

from flask import Flask

from engine import VERSION
from webapp.services import gallery, live_claims, optima, prediction, questions, regrets, repeats, runs, searches, studies, warm_up, whatif
from webapp.services.cache import shared
from webapp.services.doing import BACK, KINDS, Doing, take_and_do
from webapp.store.database import StoreError
from webapp.store.works import own_name, queue

log = logging.getLogger("gantry")
LOOK_S = 0.25  # between two looks whether to end
GRACE_S = 5.0  # for work that is to end, before its process does
STOP_S = 1.5  # the same of a process that is told to end
DOES = (runs, repeats, whatif, studies, searches, regrets, optima, gallery, live_claims, prediction, questions)  # what registers the kinds of work


class Worker:
    """The process; parent: whose end it does not outlive, 0 for nobody's. Celery's processes use `do_all` alone."""

    def __init__(self, parent: int = 0, name: str = "") -> None:
        self._parent, self._stop = parent, threading.Event()
        self._doing: Doing | None = None
        self.name = name or own_name()

    def run(self) -> None:
        """Until SIGTERM or SIGINT, or until the parent has gone."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop.set())
        prepare()
        thread = threading.Thread(target=self._work, name="work", daemon=True)
        thread.start()
        while not self._stop.wait(LOOK_S):
            if self._parent and os.getppid() != self._parent:
                break
            if self._doing:
                end_if_late(self._doing)
            if not thread.is_alive():
                os._exit(1)
        self._stop.set()
        if self._doing:
            self._doing.end(BACK)
        thread.join(STOP_S)
        if thread.is_alive():
            with contextlib.suppress(StoreError):
                queue().give_back(self.name)
        os._exit(0)  # whatever thread still runs

    def _work(self) -> None:
        warm_up.ready.wait()
        take_and_do(self.name, queue, self._stop, begins=self._begins)

    def _begins(self, doing: Doing) -> None:
        self._doing = doing
        if self._stop.is_set():
            doing.end(BACK)


def end_if_late(doing: Doing) -> None:
    """End this process with work that was to end and heard of no wish."""
    if doing.late_s > GRACE_S:
        doing.given_up()
        os._exit(1)


def prepare() -> None:
    """Make this process one that does work: with the cache of the server, and the simulator loaded."""
    assert KINDS and DOES
    shared.start(Flask("work"), VERSION)
    runs.hold_little()
    warm_up.start()
