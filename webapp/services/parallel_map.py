"""Several large results at once: what is computed of them, compiled, leaves the interpreter to others."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T, R = TypeVar("T"), TypeVar("R")
LARGE = 20_000  # containers, from which on threads are worth it

_threads = ThreadPoolExecutor(max(2, os.cpu_count() or 1), "schedulers")
_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc alone


def begun(act: Callable[[], R]) -> Future[R]:
    """act, beside what goes on here."""
    return _threads.submit(act)


def side_by_side(act: Callable[[T], R], every: Sequence[T], containers: int) -> list[R]:
    """act of each, in order; of large results (containers in all) at once."""
    return list(_threads.map(act, every) if containers > LARGE else map(act, every))


def give_back() -> None:
    """What was freed goes back to the system: of a million containers malloc keeps as much again as their result takes."""
    if _trim:
        _trim(0)
