"""Tickets for work processes of other machines, over Redis; nothing is sent where Celery is not installed or REDIS_URL is not set."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from webapp import settings

log = logging.getLogger("gantry")
QUEUE = "gantry"
TAKE = "gantry.take"
WAIT_S = 2.0  # for Redis
_sender = ThreadPoolExecutor(1, "tickets")


def sender() -> Callable[[], None]:
    """What tells other machines that work was queued; whoever calls it waits for nothing."""
    if not settings.redis_url() or importlib.util.find_spec("celery") is None:
        return lambda: None

    def tell() -> None:
        _sender.submit(_quietly)

    return tell


def send() -> None:
    """One ticket, unless as many lie there as there may be works."""
    client = _client()
    if client.llen(QUEUE) < settings.max_queue():
        _celery().send_task(TAKE, retry=False)


def _quietly() -> None:
    try:
        send()
    except Exception as error:  # whatever Redis or the library raises: the machines look by themselves, somewhat later
        log.warning("a ticket was not sent (%s)", type(error).__name__)


@cache
def _client() -> Any:
    import redis

    return redis.from_url(settings.redis_url(), socket_timeout=WAIT_S, socket_connect_timeout=WAIT_S)


@cache
def _celery() -> Any:
    from celery import Celery

    found = Celery("gantry", broker=settings.redis_url())
    waits = {"socket_timeout": WAIT_S, "socket_connect_timeout": WAIT_S}
    found.conf.update(task_default_queue=QUEUE, task_ignore_result=True, broker_transport_options=waits)
    return found
