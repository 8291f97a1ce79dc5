"""Keeps work processes alive beside a server: starts those that die again, gives their work back to the
queue, and ends with the server, however that ends.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

from webapp import settings
from webapp.classroom.classes import expire_classes
from webapp.classroom.shared_exercises import expire_exercises
from webapp.jobs.job_queue import queue, worker_name
from webapp.jobs.supervisor_handle import TERMINATE_S, start_work_module
from webapp.monitoring import metric_files
from webapp.store.database import StoreError
from webapp.url.links import link_store

log = logging.getLogger("gantry")
POLL_INTERVAL_S = 0.2  # between two looks at the processes
RECOVERY_INTERVAL_S = 5.0  # between two looks for work whose process has gone
EXPIRY_INTERVAL_S = 24 * 3600.0  # between two looks for links that nobody opens
EARLY_EXIT_S = 10.0  # a process that ended sooner is started again later and later
FIRST_BACKOFF_S, MAX_BACKOFF_S = 0.5, 30.0


@dataclass
class WorkerSlot:
    """One of the places for a process.

    name: by which it takes work; restart_at: when it is started again (monotonic); wait: how long it then
    waits should it end soon.
    """

    process: subprocess.Popen | None = None
    name: str = ""
    began: float = 0.0
    restart_at: float = 0.0
    backoff_s: float = FIRST_BACKOFF_S


class Supervisor:
    """Of so many work processes; parent: the server's process, whose end it does not outlive."""

    def __init__(self, count: int, parent: int) -> None:
        self._slots = [WorkerSlot() for _ in range(count)]
        self._parent, self._stop = parent, threading.Event()

    def run(self) -> None:
        """Until SIGTERM or SIGINT, or until the parent has gone."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop.set())
        last_recovery, expires_at = 0.0, time.monotonic()
        while not self._stop.is_set() and os.getppid() == self._parent:
            for child in self._slots:
                self._check(child)
            if time.monotonic() - last_recovery > RECOVERY_INTERVAL_S:
                last_recovery = time.monotonic()
                recover_tasks()
            if time.monotonic() >= expires_at:
                expires_at = time.monotonic() + (EXPIRY_INTERVAL_S if expire_kept() else RECOVERY_INTERVAL_S)
            self._stop.wait(POLL_INTERVAL_S)
        self._end()

    def _check(self, child: WorkerSlot) -> None:
        now = time.monotonic()
        if child.process and child.process.poll() is not None:
            log.warning("work: process %d ended with %d", child.process.pid, child.process.returncode)
            is_early = now - child.began < EARLY_EXIT_S
            child.backoff_s = min(2 * child.backoff_s, MAX_BACKOFF_S) if is_early else FIRST_BACKOFF_S
            child.process, child.restart_at = None, now + (child.backoff_s if is_early else 0.0)
            recover_tasks(child.name)
            metric_files.merge_exited_processes()
        if child.process is None and now >= child.restart_at:
            child.name = f"{worker_name()}:{secrets.token_hex(3)}"
            child.process, child.began = (
                start_work_module("--parent", str(os.getpid()), "--name", child.name),
                now,
            )

    def _end(self) -> None:
        running = [(child.process, child.name) for child in self._slots if child.process]
        for process, _ in running:
            process.terminate()
        until = time.monotonic() + TERMINATE_S
        for process, name in running:
            try:
                process.wait(max(until - time.monotonic(), 0.0))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                give_back_tasks(name)


def recover_tasks(worker: str | None = None) -> None:
    """Work whose process has gone waits again; worker: of this one, which is known to have gone, else of all
    that gave no sign of life.
    """
    try:
        queue().recover(worker)
    except StoreError:
        log.warning("work: the database does not answer")


def expire_kept() -> bool:
    """Delete the classes whose time is over, and the links and exercises that nobody has opened for as long
    as the owner says, if he does; whether that is done.
    """
    days = settings.link_days()
    try:
        expire_classes()
        if days:
            expire_exercises(days)
        count = link_store().expire(days) if days else 0
    except StoreError:
        return False
    if count:
        log.info("links: %d that nobody opened for %d days have expired", count, days)
    return True


def give_back_tasks(worker: str) -> None:
    """The same of one that was told to end and was killed: its work was not what ended it."""
    try:
        queue().give_back(worker)
    except StoreError:
        log.warning("work: the database does not answer")
