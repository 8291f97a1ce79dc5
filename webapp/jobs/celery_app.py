"""Celery on other machines: `celery -A webapp.jobs.celery_app worker` does whole works of the same
DATABASE_URL, by tickets that come over REDIS_URL.

A ticket says "take the next work" and nothing else: what waits, whose turn it is and how far it is stand in
the database, so that a lost ticket loses nothing. Needs the extra `celery`.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque

from celery import Celery
from celery.signals import setup_logging, worker_process_init, worker_ready

from engine import GantryError
from webapp import settings
from webapp.jobs.celery_wakeups import QUEUE, TAKE_TASK, send_wakeup
from webapp.jobs.job_queue import queue, worker_name
from webapp.jobs.job_runner import JobRunner, process_queue
from webapp.jobs.worker import exit_if_overdue, prepare_process
from webapp.monitoring import logs

RECOVERY_INTERVAL_S = 5.0  # between two looks for work whose ticket or process was lost

app = Celery("gantry", broker=settings.redis_url() or "redis://")
app.conf.update(
    task_default_queue=QUEUE,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
)


@app.task(name=TAKE_TASK)
def run_waiting_tasks() -> int:
    """Do what waits, until nothing does that may begin; how much it was."""
    return process_queue(worker_name(), queue, threading.Event(), idle_s=0.0, on_start=_running.append)


@setup_logging.connect
def _use_own_logging(**_: object) -> None:
    """Instead of Celery's own."""
    logs.start()


@worker_process_init.connect
def _prepare_process(**_: object) -> None:
    prepare_process()
    threading.Thread(target=_exit_when_overdue, name="late-work", daemon=True).start()


def _exit_when_overdue() -> None:
    """Ends the process with work that hears of no wish; Celery replaces it."""
    while True:
        threading.Event().wait(1.0)
        if _running:
            exit_if_overdue(_running[-1])


_running: deque[JobRunner] = deque(maxlen=1)


@worker_ready.connect
def _start_recovery(**_: object) -> None:
    threading.Thread(target=_recover_periodically, name="lost-work", daemon=True).start()


def _recover_periodically() -> None:
    while True:
        with contextlib.suppress(GantryError):
            queue().recover()
            if queue().has_waiting():
                send_wakeup()
        threading.Event().wait(RECOVERY_INTERVAL_S)
