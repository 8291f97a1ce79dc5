"""Names made short without becoming the same: what all of them share goes first."""

from __future__ import annotations

import functools
import os.path
import re
from collections.abc import Sequence

from webapp.figures.plotly_arrays import shortened

SEPARATORS = re.compile(r"[._\-]")
ENDS = 5  # characters of a name's beginning that stay at least beside what tells it apart


def short_names(names: Sequence[str], max_chars: int = 20) -> list[str]:
    """Names of at most about `max_chars` characters in the same order, as distinct as they were.

    A domain that all share is left out (a2115, not a2115.smile.com); then the middle that all share becomes
    an ellipsis. What differs is never cut.
    """
    if len(set(names)) < 2 or max(map(len, names)) <= max_chars:
        return list(names)
    short = _without_domain(names)
    shared = os.path.commonprefix(short)
    cut = max((match.end() for match in SEPARATORS.finditer(shared)), default=len(shared))
    begins = max(ENDS, max_chars - 1 - max(len(name) - cut for name in short))
    if max(map(len, short)) > max_chars and cut > begins + 1:
        short = [f"{name[:begins]}…{name[cut:]}" for name in short]
    return short if len(set(short)) == len(set(names)) and all(short) else list(names)


@functools.lru_cache(maxsize=256)
def cut_names(names: tuple[str, ...], max_chars: int) -> tuple[str, ...]:
    """Names of at most `max_chars` characters in the same order: short ones, else without their middle, else
    without their beginning, as it tells them apart.
    """
    whole = _without_domain(names) if max(map(len, names), default=0) > max_chars else names
    shortenings = (
        lambda: short_names(names, max_chars),
        lambda: [shortened(name, max_chars) for name in whole],
        lambda: [
            name if len(name) <= max_chars else f"…{name[len(name) - max_chars + 1 :]}" for name in whole
        ],
    )
    for shorten in shortenings:
        candidates = shorten()
        if max(map(len, candidates), default=0) <= max_chars and len(set(candidates)) == len(set(names)):
            return tuple(candidates)
    return tuple(shortened(name, max_chars) for name in whole)


def _without_domain(names: Sequence[str]) -> list[str]:
    ending = os.path.commonprefix([name[::-1] for name in names])[::-1]
    dot = ending.find(".")
    short = [name[: len(name) - len(ending) + dot] for name in names] if dot >= 0 else list(names)
    return short if len(set(names)) > 1 and all(short) else list(names)
