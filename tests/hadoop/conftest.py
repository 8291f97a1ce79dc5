"""Java as its short runs here cost the least."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@pytest.fixture(autouse=True, scope="session")
def java_starts_quickly() -> Iterator[None]:
    """Code that runs for a second is not worth the second compiler's work, nor a small heap several threads
    that sweep it.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("JAVA_TOOL_OPTIONS", QUICK)
        yield
