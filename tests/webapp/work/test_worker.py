"""A work process whose work hears of no wish ends with it."""

from __future__ import annotations

import importlib
import os
import pkgutil
import threading

import pytest

from tests.waiting import PATIENT_S
from webapp import services
from webapp.services import doing
from webapp.services.cache import Shared
from webapp.services.doing import Doing
from webapp.store.works import CANCELLED, queue
from webapp.work import worker
from webapp.work.worker import DOES, end_if_late


def test_every_kind_of_work_that_is_begun_is_known_to_it() -> None:
    """The old one: a work process did not know "bench", so lamps of the papers that took longer than a server's patience stayed dark."""
    for module in pkgutil.iter_modules(services.__path__, f"{services.__name__}."):
        importlib.import_module(module.name)
    registering = {do.__module__ for do in doing.KINDS.values() if do.__module__.startswith(services.__name__)}
    assert registering == {module.__name__ for module in DOES}


def test_work_that_hears_of_no_wish_ends_its_process(cache: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    go, ended = threading.Event(), []
    monkeypatch.setitem(doing.KINDS, "deaf", lambda what, control: go.wait(PATIENT_S))
    monkeypatch.setattr(os, "_exit", ended.append)
    name = queue().add("deaf", "{}", "ann", 1, 1.0, 10)
    one = Doing(queue().take("w"), "w", queue, limit_s=60)
    thread = threading.Thread(target=one.run)
    thread.start()
    end_if_late(one)
    assert ended == []
    one.end(CANCELLED)
    monkeypatch.setattr(worker, "GRACE_S", -1.0)
    end_if_late(one)
    assert ended == [1] and queue().find(name).state == CANCELLED
    go.set()
    thread.join()
