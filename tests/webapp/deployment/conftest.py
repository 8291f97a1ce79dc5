"""One gunicorn behind one nginx for all tests of a process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer

import pytest

from tests.webapp.deployment import site
from tests.webapp.deployment.heard import Heard


@pytest.fixture(scope="session")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[site.Behind]:
    running = site.Behind(
        tmp_path_factory.mktemp("behind") / "data", {"WEB_CONCURRENCY": "1", "GANTRY_WORKERS": "1"}
    )
    yield running
    running.stop()


@pytest.fixture(scope="session")
def proxy(behind: site.Behind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[site.Proxy]:
    running = site.nginx(tmp_path_factory.mktemp("nginx"), f"unix:{behind.socket}")
    yield running
    running.stop()


@pytest.fixture
def heard() -> Iterator[ThreadingHTTPServer]:
    """A server that keeps the heads it hears, in Gantry's place or oauth2-proxy's."""
    Heard.heads = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Heard)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()
