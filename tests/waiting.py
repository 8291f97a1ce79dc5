"""Waiting for what another thread or process does: for the thing itself, however long a busy machine
takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
MAX_WAIT_S = 300.0  # nobody waits so long where all is well
POLL_S = 0.02
# two uses of a database: SQLite's lock goes to whom asks most often, and who always asks has it for ever
YIELD_S = 0.01


def until(condition: Callable[[], T], seconds: float = MAX_WAIT_S, poll_s: float = POLL_S) -> T:
    """What holds() is, once that is something; look_s: between two looks."""
    end = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < end, "what was waited for has not come"
        time.sleep(poll_s)
    return result
