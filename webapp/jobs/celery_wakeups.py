"""Wake-up messages for worker processes on other machines, over Redis; nothing is sent where Celery is not
installed or REDIS_URL is not set.
"""

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
TAKE_TASK = "gantry.take"
REDIS_TIMEOUT_S = 2.0  # for Redis
_executor = ThreadPoolExecutor(1, "tickets")


def wakeup_sender() -> Callable[[], None]:
    """A callback that tells other machines a task was queued, without blocking."""
    if not settings.redis_url() or importlib.util.find_spec("celery") is None:
        return lambda: None

    def notify() -> None:
        _executor.submit(_send_or_log)

    return notify


def send_wakeup() -> None:
    """Send one wake-up, unless as many are queued as there may be tasks."""
    client = _redis_client()
    if client.llen(QUEUE) < settings.max_queue():
        _celery_client().send_task(TAKE_TASK, retry=False)


def _send_or_log() -> None:
    try:
        send_wakeup()
    except (
        Exception
    ) as error:  # whatever Redis or the library raises: the machines look by themselves, somewhat later
        log.warning("a ticket was not sent (%s)", type(error).__name__)


@cache
def _redis_client() -> Any:
    import redis

    return redis.from_url(
        settings.redis_url(), socket_timeout=REDIS_TIMEOUT_S, socket_connect_timeout=REDIS_TIMEOUT_S
    )


@cache
def _celery_client() -> Any:
    from celery import Celery

    client = Celery("gantry", broker=settings.redis_url())
    waits = {"socket_timeout": REDIS_TIMEOUT_S, "socket_connect_timeout": REDIS_TIMEOUT_S}
    client.conf.update(task_default_queue=QUEUE, task_ignore_result=True, broker_transport_options=waits)
    return client
