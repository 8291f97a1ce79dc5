"""Each experiment is run once a session, by whichever process first asks for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.papers import Result, paper_experiments, reproduce
from tests.shared_work import once


class Reproduced(NamedTuple):
    """A result over all its seeds, and the steps that were reported on the way to it, as (done, of)."""

    result: Result
    steps: list[tuple[int, int]]


@pytest.fixture(scope="session")
def reproduced(session_folder: Path) -> Callable[[str], Reproduced]:
    """`reproduced("saf/table-4")` is what this experiment gives."""

    def make(name: str) -> tuple[tuple, list[tuple[int, int]]]:
        steps: list[tuple[int, int]] = []
        result = reproduce(paper_experiments()[name], lambda done, of: steps.append((done, of)))
        return tuple(result)[1:], steps  # without the experiment, whose functions can't be pickled

    @cache
    def judge_claim(name: str) -> Reproduced:
        parts, steps = once(session_folder, name, lambda: make(name))
        return Reproduced(Result(paper_experiments()[name], *parts), steps)

    return judge_claim
