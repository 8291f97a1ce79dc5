"""A data folder of its own for each test, and the smallest scenario."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from webapp import settings
from webapp.services import gallery, repeats, runs, whatif
from webapp.services.cache import Shared, shared
from webapp.store import asked, links, works

OF_THE_OWNER = (
    "REDIS_URL", "DATABASE_URL", "GANTRY_MAX_CONTAINERS", "GANTRY_MAX_SECONDS", "GANTRY_MAX_QUEUE", "GANTRY_CACHE_MB", "GANTRY_WORKERS", "SECRET_KEY"
)  # fmt: skip


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data folder, by GANTRY_DATA; neither REDIS_URL nor DATABASE_URL is set."""
    for name in OF_THE_OWNER:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GANTRY_DATA", str(tmp_path / "data"))
    forget()
    yield tmp_path / "data"
    forget()


def forget() -> None:
    """What this process knows of a server's data, as if it had just started."""
    for known in (settings.data_dir, links.store, works.queue, asked.questions):
        known.cache_clear()
    for held in (runs._tasks, repeats._held, whatif._curves, gallery._own, gallery._begun):
        held.clear()
    runs._held = runs.Held(runs.MOST_HELD)


@pytest.fixture
def cache(data: Path) -> Shared:
    """The shared cache on an empty folder, the page's own."""
    shared.start(Flask("test"), "test")
    return shared


@pytest.fixture
def small() -> dict[str, Any]:
    """Two maps and a reduce on one node."""
    return {
        "version": 1,
        "name": "small",
        "cluster": {"nodes": [{"count": 1, "memory_mb": 4096, "vcores": 4}]},
        "jobs": [
            {
                "name": "one",
                "maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 10},
                "reduces": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 5},
            }
        ],
    }
