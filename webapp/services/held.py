"""What a process holds ready: the latest values by key, by their number or by what they weigh."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
BESIDES = 10_000  # containers


class Weighed(Protocol):
    """An outcome: what it weighs are the containers of its run."""

    run: Any


class Latest(Generic[T]):
    """So many values by key, the latest used."""

    def __init__(self, most: int) -> None:
        self._most, self._found, self._lock = most, OrderedDict(), threading.Lock()

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


class Held:
    """The latest outcomes, so that a zoom reads no file; the oldest go when the containers add up to too many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[str, Weighed] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: str) -> Weighed | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def put(self, key: str, value: Weighed) -> None:
        with self._lock:
            if key in self._found:
                self._size -= _weight(self._found.pop(key))
            self._found[key] = value
            self._size += _weight(value)
            while len(self._found) > 1 and self._size > self._most:
                self._size -= _weight(self._found.popitem(last=False)[1])


def _weight(one: Weighed) -> int:
    """Containers, and for every run as if they were some more: a few hundred small ones are enough, for reading one from the cache takes half a millisecond."""
    return len(one.run.containers.job) + BESIDES
