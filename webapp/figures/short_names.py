"""Names made short without becoming the same: what all of them share goes first."""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence

SEPARATORS = re.compile(r"[._\-]")
ENDS = 5  # characters of a name's beginning that stay at least beside what tells it apart


def short_names(names: Sequence[str], most: int = 20) -> list[str]:
    """Names of at most about `most` characters in the same order, as distinct as they were.

    A domain that all share is left out (a2115, not a2115.smile.com); then the middle that all share becomes an ellipsis. What differs is never cut.
    """
    if len(set(names)) < 2 or max(map(len, names)) <= most:
        return list(names)
    ending = os.path.commonprefix([name[::-1] for name in names])[::-1]
    dot = ending.find(".")
    short = [name[: len(name) - len(ending) + dot] for name in names] if dot >= 0 else list(names)
    shared = os.path.commonprefix(short)
    cut = max((found.end() for found in SEPARATORS.finditer(shared)), default=len(shared))
    begins = max(ENDS, most - 1 - max(len(name) - cut for name in short))
    if max(map(len, short)) > most and cut > begins + 1:
        short = [f"{name[:begins]}…{name[cut:]}" for name in short]
    return short if len(set(short)) == len(set(names)) and all(short) else list(names)
