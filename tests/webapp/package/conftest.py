"""One installation for all tests of the package."""

from __future__ import annotations

import pytest

from tests.webapp.package.installation import Installation, install_checkout


@pytest.fixture(scope="session")
def installed_gantry(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return install_checkout(tmp_path_factory.mktemp("installed"))
