"""A data folder of its own for each test, the smallest scenario, and real servers: PostgreSQL and Redis where
they can be started, one of each a session. One installation too.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sql
from flask import Flask
from flask.testing import FlaskClient

from engine import presets, simulate
from tests.shared_work import once
from tests.waiting import MAX_WAIT_S
from tests.webapp.package.installation import Installation, install_checkout
from tests.webapp.real_stores import NotHere, Postgres, Redis
from webapp import settings
from webapp.jobs import (
    job_manager,
    job_queue,
)
from webapp.runs import saved_tasks, task_store
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache
from webapp.store import database
from webapp.url import links

T = TypeVar("T", Postgres, Redis)
OF_THE_OWNER = (
    "REDIS_URL",
    "DATABASE_URL",
    "GANTRY_EMBED",
    "GANTRY_TRUSTED_HOSTS",
    "SECRET_KEY",
    "GANTRY_LOG",
    "GANTRY_METRICS_TOKEN",
    *settings.LIMITS,
)


@pytest.fixture(scope="session", autouse=True)
def loaded() -> None:
    """As on a server that has been started: no answer's time has the simulator's loading in it."""
    simulate(presets()[0].scenario, "fifo")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data folder, by GANTRY_DATA; neither REDIS_URL nor DATABASE_URL is set."""
    for name in OF_THE_OWNER:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GANTRY_DATA", str(tmp_path / "data"))
    forget()
    monkeypatch.setattr(job_manager.job_manager, "_idle_s", 0.0)
    # what is begun here is not late because the machine is busy
    monkeypatch.setattr(job_manager.job_manager, "_limit_s", MAX_WAIT_S)
    yield tmp_path / "data"
    settle()
    forget()


def settle() -> None:
    """Returns once all that a test has begun is over, which must not write to the next one's database and
    cache.
    """
    job_manager.job_manager.stop(MAX_WAIT_S)
    for thread in threading.enumerate():
        if thread.name in ("stand-in", "work-beat"):
            thread.join(MAX_WAIT_S)
    saved_tasks._saver.submit(int).result()
    shared_cache.flush()


def forget() -> None:
    """What this process knows of a server's data, as if it had just started."""
    for known in (
        settings.data_dir,
        links.link_store,
        job_queue.queue,
        task_store.task_store,
        database.database,
    ):
        known.cache_clear()
    shared_cache.hold_at_most(MAX_HELD)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """The whole application on an empty data folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GANTRY_DATA", str(tmp_path_factory.mktemp("data")))
        forget()
        from webapp.app import make

        with make().server.test_client() as client:
            yield client
        forget()


@pytest.fixture
def cache(data: Path) -> SharedCache:
    """The shared cache on an empty folder, the page's own."""
    shared_cache.start(Flask("test"), "test")
    return shared_cache


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


@pytest.fixture(scope="session")
def installed_gantry(session_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """This checkout's wheel, built and installed by whichever process first asks for it."""
    return once(session_folder, "installed", lambda: install_checkout(tmp_path_factory.mktemp("installed")))


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """The URL of an empty Redis; skipped where there is none."""
    for server in _started(Redis):
        yield server.url


@pytest.fixture(scope="session")
def a_postgres() -> Iterator[Postgres]:
    """A PostgreSQL; skipped where none can be started. Who stops it has it go on."""
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    yield from _started(Postgres)


@pytest.fixture(scope="session")
def postgres(a_postgres: Postgres) -> str:
    """Its URL, as hosts give it."""
    return a_postgres.url


def _started(server: type[T]) -> Iterator[T]:
    try:
        result = server()
    except NotHere as error:
        pytest.skip(str(error))
    yield result
    result.end()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, data: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Of an empty database."""
    if request.param == "postgres":
        monkeypatch.setenv("DATABASE_URL", request.getfixturevalue("postgres"))
        with sql.create_engine(settings.database_url()).begin() as connection:
            connection.execute(sql.text("DROP SCHEMA public CASCADE"))
            connection.execute(sql.text("CREATE SCHEMA public"))
    return settings.database_url()
