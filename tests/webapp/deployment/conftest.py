"""One gunicorn behind one nginx for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.webapp.deployment import site


@pytest.fixture(scope="session")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[site.Behind]:
    running = site.Behind(tmp_path_factory.mktemp("behind") / "data")
    yield running
    running.stop()


@pytest.fixture(scope="session")
def proxy(behind: site.Behind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[site.Proxy]:
    running = site.nginx(tmp_path_factory.mktemp("nginx"), f"unix:{behind.socket}")
    yield running
    running.stop()
