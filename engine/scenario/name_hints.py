"""The name that a misspelt one could mean, for the first few of a check."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from engine.scenario.bounds import MOST_HINTS, MOST_KNOWN, MOST_NAME


class NameHints:
    """Ends of sentences. It looks MOST_HINTS times, each time among the first MOST_KNOWN names."""

    def __init__(self) -> None:
        self._left = MOST_HINTS

    def __call__(self, word: Any, known: Sequence[str]) -> str:
        """Such as " (did you mean weight?)"; empty where nothing is close, or enough has been looked for."""
        if not isinstance(word, str) or len(word) > MOST_NAME or self._left <= 0:
            return ""
        self._left -= 1
        close = difflib.get_close_matches(word, [name for name in known[:MOST_KNOWN] if len(name) <= MOST_NAME], n=1, cutoff=0.5)
        return f" (did you mean {close[0]}?)" if close else ""
