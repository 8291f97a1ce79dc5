"""Celery on other machines: `celery -A webapp.work.celery_app worker` does whole works of the same DATABASE_URL, by tickets that come over REDIS_URL.

A ticket says "take the next work" and nothing else: what waits, whose turn it is and how far it is stand in the database, so that a lost ticket loses
nothing. Needs the extra `celery`.
"""

from __future__ import annotations

import contextlib
import threading

from celery import Celery
from celery.signals import worker_process_init, worker_ready

from engine import GantryError
from webapp import settings
from webapp.services.doing import take_and_do
from webapp.store.works import own_name, queue
from webapp.work.tickets import QUEUE, TAKE, send
from webapp.work.worker import prepare

LOOK_S = 5.0  # between two looks for work whose ticket or process was lost
GRACE_S = 60  # beyond the limit of a work, before its process is killed

app = Celery("gantry", broker=settings.redis_url() or "redis://")
app.conf.update(
    task_default_queue=QUEUE,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    task_time_limit=None,
)


@app.task(name=TAKE)
def take() -> int:
    """Do what waits, until nothing does that may begin; how much it was."""
    return take_and_do(own_name(), queue, threading.Event(), idle_s=0.0)


@worker_process_init.connect
def _prepare(**_: object) -> None:
    prepare()


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
