"""An empty database: SQLite, and a real PostgreSQL where one can be started."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from glob import glob
from pathlib import Path

import pytest
import sqlalchemy as sql

from webapp import settings


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
