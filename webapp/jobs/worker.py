"""A process that takes work from the queue and does it, one piece at a time.

Signals reach only the main thread, and only between two of its own instructions, so that a run in compiled
code would hold them up: the main thread waits and a second one works. SIGTERM ends what is under way and
gives it back to the queue; whatever does not end within GRACE_S ends with the process.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading

from flask import Flask

from webapp.jobs import (
    executor_curves,
    live_claims,
    optima,
    paper_results,
    prediction,
    questions,
    regrets,
    run_job,
    searches,
    seed_replications,
    studies,
    whatif,
)
from webapp.jobs.job_queue import queue, worker_name
from webapp.jobs.job_runner import REQUEUED, JobRunner, process_queue
from webapp.runs import warm_up
from webapp.runs.cache import shared_cache
from webapp.runs.code_version import code_version
from webapp.store.database import StoreError

log = logging.getLogger("gantry")
POLL_INTERVAL_S = 0.25  # between two looks whether to end
GRACE_S = 5.0  # for work that is to end, before its process does
MAX_HELD = 100_000  # containers of what it holds ready: other processes look at what it makes
SHUTDOWN_GRACE_S = 1.5  # the same of a process that is told to end
# what registers the kinds of work
JOB_MODULES = (
    run_job,
    seed_replications,
    whatif,
    studies,
    searches,
    regrets,
    optima,
    paper_results,
    live_claims,
    prediction,
    questions,
    executor_curves,
)


class Worker:
    """The process; parent: whose end it does not outlive, 0 for nobody's."""

    def __init__(self, parent: int = 0, name: str = "") -> None:
        self._parent, self._stop = parent, threading.Event()
        self._runner: JobRunner | None = None
        self.name = name or worker_name()

    def run(self) -> None:
        """Until SIGTERM or SIGINT, or until the parent has gone."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop.set())
        prepare_process()
        thread = threading.Thread(target=self._work, name="work", daemon=True)
        thread.start()
        while not self._stop.wait(POLL_INTERVAL_S):
            if self._parent and os.getppid() != self._parent:
                break
            if self._runner:
                exit_if_overdue(self._runner)
            if not thread.is_alive():
                os._exit(1)
        self._stop.set()
        if self._runner:
            self._runner.request_end(REQUEUED)
        thread.join(SHUTDOWN_GRACE_S)
        if thread.is_alive():
            with contextlib.suppress(StoreError):
                queue().give_back(self.name)
        os._exit(0)  # whatever thread still runs

    def _work(self) -> None:
        warm_up.ready.wait()
        process_queue(self.name, queue, self._stop, on_start=self._on_start)

    def _on_start(self, runner: JobRunner) -> None:
        self._runner = runner
        if self._stop.is_set():
            runner.request_end(REQUEUED)


def exit_if_overdue(runner: JobRunner) -> None:
    """End this process with work that was to end and heard of no wish."""
    if runner.overdue_s > GRACE_S:
        runner.abandon()
        os._exit(1)


def prepare_process() -> None:
    """Make this process one that does work: with the cache of the server, and the simulator loaded."""

    shared_cache.start(Flask("work"), code_version())
    shared_cache.hold_at_most(MAX_HELD)
    warm_up.start()
