"""Processes for studies stay from one to the next, and end once there has been none for a while."""

from __future__ import annotations

import threading

import pytest

from webapp.services import warm_processes
from webapp.services.warm_processes import WarmProcesses


def test_they_stay_warm_and_are_closed_when_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_processes, "IDLE_S", 0.01)
    closed = threading.Event()
    monkeypatch.setattr(warm_processes.Processes, "close", lambda self: closed.set())
    warm = WarmProcesses(lambda: 3)
    assert not warm.begun
    with warm as first:
        with warm as second:
            assert first is second and first.count == 3 and warm.begun
        assert not closed.wait(0.05)  # one of the two studies is still under way
    assert closed.wait(5)
    with warm as third:
        assert third is not first
