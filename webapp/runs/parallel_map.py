"""Several large results at once: what is computed of them, compiled, leaves the interpreter to others."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
PARALLEL_CONTAINERS = 20_000  # containers, from which on threads are worth it

_executor = ThreadPoolExecutor(max(2, os.cpu_count() or 1), "schedulers")
_malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc alone


def submit(act: Callable[[], R]) -> Future[R]:
    """act, beside what goes on here."""
    return _executor.submit(act)


def map_in_parallel(act: Callable[[T], R], items: Sequence[T], containers: int) -> list[R]:
    """act of each, in order; of large results (containers in all) at once."""
    return list(_executor.map(act, items) if containers > PARALLEL_CONTAINERS else map(act, items))


def trim_memory() -> None:
    """What was freed goes back to the system: of a million containers malloc keeps as much again as their
    result takes.
    """
    if _malloc_trim:
        _malloc_trim(0)
