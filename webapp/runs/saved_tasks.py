"""Tasks by their keys, so that a page sends its scenario once: this process, the database or the cache
keeps them.
"""

from __future__ import annotations

import json
import re
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from engine import GantryError
from webapp.messages import msg
from webapp.runs.cache import shared_cache
from webapp.runs.run_cache import ResultExpired
from webapp.runs.task import Task, build_task, with_optimum, with_pinned
from webapp.runs.task_store import task_store
from webapp.store.database import StoreError
from webapp.url.url_state import RunRequest

KEY_PATTERN = re.compile("[0-9a-f]{16}")  # of a task
TASK_EXPIRED = msg("runs.saved_tasks.result_expired_run_again")  # said of a task that is no longer stored
_saver = ThreadPoolExecutor(1, "keeper")


def save_task(task: Task) -> Future:
    """Remember a task by its key, so that the page need not send it again; done when every process knows
    it.
    """
    shared_cache.hold(f"held-task:{task.key}", task)
    return _saver.submit(_save_task, task)


def _save_task(task: Task) -> None:
    data = task.request.plain()
    if task.optimum:
        data["optimum"] = task.optimum
    if task.pinned:
        data["pinned"] = task.pinned.request.plain()
    text = json.dumps(data)
    try:
        task_store().keep(task.key, text)
    except StoreError:
        shared_cache.put(f"task:{task.key}", text)


def load_task(key: str) -> Task | None:
    """The task with this key, for a week after it was last asked for."""
    task = shared_cache.held(f"held-task:{key}")
    if task is None and KEY_PATTERN.fullmatch(key):
        try:
            text = task_store().find(key)
        except StoreError:
            text = shared_cache.get(f"task:{key}")
        task = _parse_task(key, text) if isinstance(text, str) else None
        if task:
            shared_cache.hold(f"held-task:{key}", task)
    return task


def task_of_result(result: Any) -> Task | None:
    """The task of what a page says its result is, {key}; None for anything else."""
    key = part_of_result(result, "key")
    return load_task(key) if isinstance(key, str) else None


def part_of_result(result: Any, name: str) -> Any:
    """A part of what a page says its result is, the store result, which may be anything; None where it is
    missing.
    """
    return result.get(name) if isinstance(result, dict) else None


def _parse_task(key: str, text: str) -> Task | None:
    """A task as it was kept; None of one that another version of Gantry would run otherwise."""
    data = json.loads(text)
    try:
        task = build_task(RunRequest.of(data))
        task = with_optimum(task, data["optimum"]) if "optimum" in data else task
        if "pinned" in data:
            task = with_pinned(task, build_task(RunRequest.of(data["pinned"])))
    except GantryError:
        return None
    return task if task.key == key else None


def require_task(key: str) -> Task:
    """The task with this key, which work is of."""
    task = load_task(key)
    if task is None:
        raise ResultExpired(TASK_EXPIRED)
    return task
