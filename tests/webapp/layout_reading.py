"""Layouts of the page read back."""

from __future__ import annotations

import json
from typing import Any


def words(parts: Any) -> str:
    """All text of components, in their order."""
    if isinstance(parts, (list, tuple)):
        return " ".join(filter(None, map(words, parts)))
    if parts is None or isinstance(parts, str):
        return parts or ""
    return words(getattr(parts, "children", None))


def as_json(parts: Any) -> str:
    """All that components hold, as the page gets it."""
    return json.dumps(parts, default=lambda one: one.to_plotly_json(), ensure_ascii=False)
