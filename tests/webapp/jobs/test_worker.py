"""A work process whose work hears of no wish ends with it."""

from __future__ import annotations

import importlib
import os
import pkgutil
import threading

import pytest

from tests.waiting import MAX_WAIT_S
from webapp import jobs
from webapp.jobs import job_runner, worker
from webapp.jobs.job_queue import CANCELLED, BackgroundTask, new_id, queue
from webapp.jobs.job_runner import JobRunner
from webapp.jobs.worker import JOB_MODULES, exit_if_overdue
from webapp.runs.cache import SharedCache


def test_every_kind_of_work_that_is_begun_is_known_to_it() -> None:
    """The old one: a work process did not know "bench", so lamps of the papers that took longer than a
    server's patience stayed dark.
    """
    for module in pkgutil.iter_modules(jobs.__path__, f"{jobs.__name__}."):
        importlib.import_module(module.name)
    registering = {
        do.__module__ for do in job_runner.JOB_TYPES.values() if do.__module__.startswith(jobs.__name__)
    }
    assert registering == {module.__name__ for module in JOB_MODULES}


def test_work_that_hears_of_no_wish_ends_its_process(
    cache: SharedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, ended = threading.Event(), []
    monkeypatch.setitem(job_runner.JOB_TYPES, "deaf", lambda what, control: go.wait(MAX_WAIT_S))
    monkeypatch.setattr(os, "_exit", ended.append)
    name = queue().add(BackgroundTask(new_id(), "deaf", "{}", "ann", 1.0, 1), 10)
    one = JobRunner(queue().take("w"), "w", queue, limit_s=60)
    thread = threading.Thread(target=one.run)
    thread.start()
    exit_if_overdue(one)
    assert ended == []
    one.request_end(CANCELLED)
    monkeypatch.setattr(worker, "GRACE_S", -1.0)
    exit_if_overdue(one)
    assert ended == [1] and queue().find(name).state == CANCELLED
    go.set()
    thread.join()
