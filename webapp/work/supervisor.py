"""Keeps work processes alive beside a server: starts those that die again, gives their work back to the queue, and ends with the server, however that ends."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

from webapp import settings
from webapp.monitoring import count_files
from webapp.store.database import StoreError
from webapp.store.links import store
from webapp.store.works import own_name, queue
from webapp.work.beside import END_S, environment

log = logging.getLogger("gantry")
LOOK_S = 0.2  # between two looks at the processes
RECOVER_S = 5.0  # between two looks for work whose process has gone
EXPIRE_S = 24 * 3600.0  # between two looks for links that nobody opens
SOON_S = 10.0  # a process that ended sooner is started again later and later
SLOWEST_S = 30.0


@dataclass
class Child:
    """One of the places for a process.

    name: by which it takes work; again_at: when it is started again (monotonic); wait: how long it then waits should it end soon.
    """

    process: subprocess.Popen | None = None
    name: str = ""
    began: float = 0.0
    again_at: float = 0.0
    wait: float = field(default=0.5)


class Supervisor:
    """Of so many work processes; parent: the server's process, whose end it does not outlive."""

    def __init__(self, count: int, parent: int) -> None:
        self._children = [Child() for _ in range(count)]
        self._parent, self._stop = parent, threading.Event()

    def run(self) -> None:
        """Until SIGTERM or SIGINT, or until the parent has gone."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop.set())
        looked, expires_at = 0.0, time.monotonic()
        while not self._stop.is_set() and os.getppid() == self._parent:
            for child in self._children:
                self._look(child)
            if time.monotonic() - looked > RECOVER_S:
                looked = time.monotonic()
                recovered()
            if time.monotonic() >= expires_at:
                expires_at = time.monotonic() + (EXPIRE_S if expired() else RECOVER_S)
            self._stop.wait(LOOK_S)
        self._end()

    def _look(self, child: Child) -> None:
        now = time.monotonic()
        if child.process and child.process.poll() is not None:
            log.warning("work: process %d ended with %d", child.process.pid, child.process.returncode)
            child.wait = min(2 * child.wait, SLOWEST_S) if now - child.began < SOON_S else 0.5
            child.process, child.again_at = None, now + (child.wait if now - child.began < SOON_S else 0.0)
            recovered(child.name)
            count_files.sweep()
        if child.process is None and now >= child.again_at:
            child.name = f"{own_name()}:{secrets.token_hex(3)}"
            command = [sys.executable, "-m", "webapp.work", "--parent", str(os.getpid()), "--name", child.name]
            child.process, child.began = subprocess.Popen(command, env=environment(), stdin=subprocess.DEVNULL), now

    def _end(self) -> None:
        running = [child for child in self._children if child.process]
        for child in running:
            child.process.terminate()
        until = time.monotonic() + END_S
        for child in running:
            try:
                child.process.wait(max(until - time.monotonic(), 0.0))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()
                given_back(child.name)


def recovered(worker: str | None = None) -> None:
    """Work whose process has gone waits again; worker: of this one, which is known to have gone, else of all that gave no sign of life."""
    try:
        queue().recover(worker)
    except StoreError:
        log.warning("work: the database does not answer")


def expired() -> bool:
    """Delete the links that nobody has opened for as long as the owner says, if he does; whether that is done."""
    days = settings.link_days()
    try:
        count = store().expire(days) if days else 0
    except StoreError:
        return False
    if count:
        log.info("links: %d that nobody opened for %d days have expired", count, days)
    return True


def given_back(worker: str) -> None:
    """The same of one that was told to end and was killed: its work was not what ended it."""
    try:
        queue().give_back(worker)
    except StoreError:
        log.warning("work: the database does not answer")
