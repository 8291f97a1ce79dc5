"""Processes for studies stay from one to the next, and end once there has been none for a while."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from webapp.jobs import warm_pool
from webapp.jobs.warm_pool import IDLE_S, WarmPool


class Timer:
    """Goes off when the test says so, unless it was cancelled."""

    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        self.seconds, self._act, self._cancelled = seconds, act, False

    def start(self) -> None:
        assert self.daemon

    def cancel(self) -> None:
        self._cancelled = True

    def go_off(self) -> None:
        if not self._cancelled:
            self._act()


def test_they_stay_warm_and_are_closed_when_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    closed, timers = threading.Event(), []
    monkeypatch.setattr(warm_pool.ProcessRunner, "close", lambda self: closed.set())
    warm = WarmPool(lambda: 3, lambda *given: timers.append(Timer(*given)) or timers[-1])
    assert not warm.begun
    with warm as first:
        with warm as second:
            assert first is second and first.count == 3 and warm.begun
        assert not timers, "one of the two studies is still under way"
    with warm as second:
        timers[0].go_off()
        assert second is first and not closed.is_set(), "the next study came first"
    assert timers[1].seconds == IDLE_S
    timers[1].go_off()
    assert closed.is_set()
    with warm as third:
        assert third is not first
