"""The name that a misspelt one could mean, for the first few of a check."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from engine.messages import msg
from engine.scenario.scenario_limits import MAX_HINT_CANDIDATES, MAX_HINTS, MAX_NAME_LENGTH


class NameHints:
    """Ends of sentences. It looks MAX_HINTS times, each time among the first MAX_HINT_CANDIDATES names."""

    def __init__(self) -> None:
        self._remaining = MAX_HINTS

    def __call__(self, misspelt: Any, names: Sequence[str]) -> str:
        """Such as " (did you mean weight?)"; empty where nothing is close, or enough has been looked for."""
        if not isinstance(misspelt, str) or len(misspelt) > MAX_NAME_LENGTH or self._remaining <= 0:
            return ""
        self._remaining -= 1
        matches = difflib.get_close_matches(
            misspelt,
            [name for name in names[:MAX_HINT_CANDIDATES] if len(name) <= MAX_NAME_LENGTH],
            n=1,
            cutoff=0.5,
        )
        return msg("scenario.name_hints.did_you_mean", matches=matches[0]) if matches else ""
