"""Probes of services that may hang: each runs in its own thread, one at a time, with a timeout."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any


class Probe:
    """ask() is called again only after it has returned; whoever asks meanwhile gets that answer."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._asked: Future | None = None

    def begin(self) -> Future:
        """Its answer, once there is one; a process may end meanwhile."""
        with self._lock:
            if self._asked is None or self._asked.done():
                self._asked = Future()
                threading.Thread(target=self._answer, args=(self._asked,), name="probe", daemon=True).start()
            return self._asked

    def _answer(self, future: Future) -> None:
        try:
            future.set_result(self._ask())
        except Exception as error:
            future.set_exception(error)


def run_probes(questions: Sequence[Probe], seconds: float) -> list[Any]:
    """What each answers, all of them asked at once; an exception instead of an answer where one was raised,
    or TimeoutError.
    """
    until = time.monotonic() + seconds
    answers: list[Any] = []
    for future in [question.begin() for question in questions]:
        try:
            answers.append(future.result(max(until - time.monotonic(), 0.0)))
        except Exception as error:
            answers.append(error)
    return answers
