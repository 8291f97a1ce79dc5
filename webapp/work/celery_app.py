"""Celery on other machines: `celery -A webapp.work.celery_app worker` does whole works of the same DATABASE_URL, by tickets that come over REDIS_URL.

A ticket says "take the next work" and nothing else: what waits, whose turn it is and how far it is stand in the database, so that a lost ticket loses
nothing. Needs the extra `celery`.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque

from celery import Celery
from celery.signals import setup_logging, worker_process_init, worker_ready

from engine import GantryError
from webapp import settings
from webapp.monitoring import logs
from webapp.services.doing import Doing, take_and_do
from webapp.store.works import own_name, queue
from webapp.work.tickets import QUEUE, TAKE, send
from webapp.work.worker import end_if_late, prepare

LOOK_S = 5.0  # between two looks for work whose ticket or process was lost

app = Celery("gantry", broker=settings.redis_url() or "redis://")
app.conf.update(
    task_default_queue=QUEUE,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
)


@app.task(name=TAKE)
def take() -> int:
    """Do what waits, until nothing does that may begin; how much it was."""
    return take_and_do(own_name(), queue, threading.Event(), idle_s=0.0, begins=_doing.append)


@setup_logging.connect
def _log(**_: object) -> None:
    """Instead of Celery's own."""
    logs.start()


@worker_process_init.connect
def _prepare(**_: object) -> None:
    prepare()
    threading.Thread(target=_watch, name="late-work", daemon=True).start()


def _watch() -> None:
    """Ends the process with work that hears of no wish; Celery replaces it."""
    while True:
        threading.Event().wait(1.0)
        if _doing:
            end_if_late(_doing[-1])


_doing: deque[Doing] = deque(maxlen=1)


@worker_ready.connect
def _look(**_: object) -> None:
    threading.Thread(target=_keep_looking, name="lost-work", daemon=True).start()


def _keep_looking() -> None:
    while True:
        with contextlib.suppress(GantryError):
            queue().recover()
            if queue().waiting():
                send()
        threading.Event().wait(LOOK_S)
