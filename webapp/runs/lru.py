"""Least-recently-used caches of a process, bounded by their number of values or by their weight."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
BASE_WEIGHT = 10_000  # containers


class HasRun(Protocol):
    """An outcome: what it weighs are the containers of its run."""

    run: Any


class LRUCache(Generic[T]):
    """At most so many values by key, the most recently used."""

    def __init__(self, max_values: int) -> None:
        self._most, self._lock = max_values, threading.Lock()
        self._found: OrderedDict[str, T] = OrderedDict()

    def get(self, key: str) -> T | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def put(self, key: str, value: T) -> None:
        with self._lock:
            self._found[key] = value
            self._found.move_to_end(key)
            while len(self._found) > self._most:
                self._found.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._found.clear()


def run_weight(outcome: HasRun) -> int:
    """What a run weighs, and every run as if they were some more: a few hundred small ones are enough, for
    reading one from the cache takes 0.5 ms.
    """
    return len(outcome.run.containers.job) + BASE_WEIGHT


class WeightedLRUCache(Generic[T]):
    """The latest values, so that a zoom reads no file; the oldest go when what all weigh adds up to too much,
    but never the last that came.
    """

    def __init__(self, max_weight: int, weigh: Callable[[Any], int] = run_weight) -> None:
        self._most, self._weigh = max_weight, weigh
        self._found: OrderedDict[str, T] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: str) -> T | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def put(self, key: str, value: T) -> None:
        with self._lock:
            if key in self._found:
                self._size -= self._weigh(self._found.pop(key))
            self._found[key] = value
            self._size += self._weigh(value)
            while len(self._found) > 1 and self._size > self._most:
                self._size -= self._weigh(self._found.popitem(last=False)[1])

    def clear(self) -> None:
        with self._lock:
            self._found.clear()
            self._size = 0
