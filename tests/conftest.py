"""What all tests share: reproducible examples, and material that may lie beside the clone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# The same examples on every run, so that a failure is the change's; EXAMPLES=random looks further.
settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("EXAMPLES", "fixed"))


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """`shared("data/NAME")` is a file of the folder beside the clone that holds what is not ours to commit; the test is skipped without it."""

    def find(name: str) -> Path:
        path = ROOT.parent / "shared" / name
        if not path.exists():
            pytest.skip(f"../shared/{name} is not there: it is not ours to commit; put the file there to run this test")
        return path

    return find
