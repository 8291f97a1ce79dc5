"""How gunicorn serves: `gunicorn -c python:webapp.serving webapp.app:server`, with work processes beside its
own.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from engine import GantryError
from webapp import settings
from webapp.jobs.supervisor_handle import SupervisorHandle
from webapp.monitoring import logs, metric_files

try:
    settings.check()
    settings.secret_key()  # a disk without room is told before any process begins
    logconfig_dict = logs.config()
except GantryError as error:
    sys.exit(str(error))
bind = os.environ.get("GANTRY_BIND", "").strip() or f"0.0.0.0:{settings.port()}"
workers = settings.web_processes()
threads = 8
timeout = 120
graceful_timeout = 2
control_socket_disable = True
# Whom to believe what about a visitor says GANTRY_PROXIES alone (http/trusted_proxies.py). gunicorn by
# itself believes whoever comes by a Unix socket or from this machine the scheme, and by a header the path,
# past what a proxy refuses.
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""
_supervisors: list[SupervisorHandle] = []


def on_starting(_server: Any) -> None:
    """Processes of the server learn from their environment that work is done beside them."""
    os.environ[settings.HAS_WORKERS_VARIABLE] = "1"
    logs.capture_uncaught()
    metric_files.start()
    metric_files.join("server")


def when_ready(_server: Any) -> None:
    """Before the server's processes are begun."""
    if settings.workers():
        _supervisors.append(SupervisorHandle(settings.workers()))
        _supervisors[0].start()


def post_fork(_server: Any, _worker: Any) -> None:
    """A process of the server has begun, and not yet loaded the application."""
    metric_files.join("web")


def child_exit(_server: Any, _worker: Any) -> None:
    """It has gone; what it counted has not."""
    metric_files.merge_exited_processes()


def worker_exit(_server: Any, _worker: Any) -> None:
    """A process of the server ends: what it does goes to the queue."""
    from webapp.jobs.job_manager import job_manager

    job_manager.stop(1.0)


def on_exit(_server: Any) -> None:
    """The server has ended."""
    for supervisor in _supervisors:
        supervisor.stop()
