"""A data folder of its own for each test, the smallest scenario, and real servers: PostgreSQL and Redis where they can be started, one of each a session."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from flask import Flask

from engine import presets, simulate
from webapp import settings
from webapp.services import gallery, repeats, runs, whatif
from webapp.services.cache import Shared, shared
from webapp.store import asked, database, links, works

OF_THE_OWNER = ("REDIS_URL", "DATABASE_URL", "GANTRY_TRUSTED_HOSTS", "SECRET_KEY", "GANTRY_LOG", "GANTRY_METRICS_TOKEN", *settings.LIMITS)
ENDS_S = 3.0


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
    yield tmp_path / "data"
    for thread in threading.enumerate():  # what a test has begun must not write to the next one's database
        if thread.name in ("stand-in", "work-beat"):
            thread.join(ENDS_S)
    forget()


def forget() -> None:
    """What this process knows of a server's data, as if it had just started."""
    for known in (settings.data_dir, links.store, works.queue, asked.questions, database.database):
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


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an empty Redis; skipped where there is none."""
    found = shutil.which("redis-server")
    if not found:
        pytest.skip("no redis-server on this machine")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    place = tmp_path_factory.mktemp("redis")
    process = subprocess.Popen([found, "--port", str(port), "--save", "", "--dir", str(place)], stdout=subprocess.DEVNULL)
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.02)
    yield f"redis://127.0.0.1:{port}/0"
    process.terminate()
    process.wait()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an empty PostgreSQL, as hosts give it; skipped where none can be started."""
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    found = [place for place in sorted(glob("/usr/lib/postgresql/*/bin")) if Path(place, "initdb").exists()]
    if not found:
        pytest.skip("no PostgreSQL server on this machine")
    if os.getuid() == 0 and not shutil.which("runuser"):
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    place = Path("/tmp") / f"gantry-postgres-{os.getpid()}"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    tool = lambda name, *words: subprocess.run([*user, f"{found[-1]}/{name}", *words], check=True, capture_output=True, cwd="/tmp", timeout=60)
    try:
        tool("initdb", "-D", str(place), "-U", "gantry", "-A", "trust", "--no-sync")
        tool(
            "pg_ctl",
            "-D",
            str(place),
            "-l",
            f"{place}/log",
            "-w",
            "-o",
            f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={place} -c fsync=off",
            "start",
        )
    except (subprocess.SubprocessError, OSError) as error:
        subprocess.run([*user, "rm", "-rf", str(place)], check=False)
        pytest.skip(f"PostgreSQL could not be started: {error}")
    yield f"postgres://gantry@127.0.0.1:{port}/postgres"
    tool("pg_ctl", "-D", str(place), "-m", "immediate", "stop")
    subprocess.run([*user, "rm", "-rf", str(place)], check=False)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, data: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Of an empty database."""
    if request.param == "postgres":
        monkeypatch.setenv("DATABASE_URL", request.getfixturevalue("postgres"))
        with sql.create_engine(settings.database_url()).begin() as connection:
            connection.execute(sql.text("DROP SCHEMA public CASCADE"))
            connection.execute(sql.text("CREATE SCHEMA public"))
    return settings.database_url()
