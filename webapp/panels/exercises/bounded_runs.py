"""The runs behind one answer, all together within a bound of time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from engine import GantryError, Run, Scenario, parse
from webapp.messages import msg
from webapp.runs import run_cache

MAX_ANSWER_S = 4.0  # after which an answer begins no further run
_until = ContextVar("_until", default=float("inf"))


@contextmanager
def answer_bound() -> Iterator[None]:
    """What is run inside is for one answer."""
    token = _until.set(time.monotonic() + MAX_ANSWER_S)
    try:
        yield
    finally:
        _until.reset(token)


def bounded_run(scenario: Scenario, scheduler: str) -> Run:
    """A run from the cache: an exercise's Simulate, the same function always, by which the engine keeps what
    it found. Raises GantryError where it takes longer than an answer may, or those before it did together.
    """
    try:
        if time.monotonic() > _until.get():
            raise run_cache.ResultExpired
        return run_cache.outcome(scenario, parse(scheduler)).run
    except run_cache.ResultExpired:
        raise GantryError(msg("panels.bounded_runs.takes_too_long")) from None
