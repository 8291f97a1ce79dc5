"""Arrays as plotly.js reads them fastest, and names that may not act as markup."""

from __future__ import annotations

import base64

import numpy as np

MAX_NAME_LENGTH = 60


def typed_array(values: np.ndarray, kind: str) -> dict[str, str]:
    """A base64 typed array of a figure dict; kind: a dtype plotly.js knows, such as f8, f4, i4, u1."""
    return {
        "dtype": kind,
        "bdata": base64.b64encode(np.ascontiguousarray(values, "<" + kind).data).decode("ascii"),
    }


def escaped(name: str) -> str:
    """A name for hover, ticks and labels, where plotly.js takes tags for markup."""
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def shortened(name: str, max_chars: int = MAX_NAME_LENGTH) -> str:
    """At most so many characters, the middle left out: the number at the end of a name tells it from its
    neighbours.
    """
    if len(name) <= max_chars:
        return name
    tail = max_chars // 2
    return f"{name[: max_chars - 1 - tail]}…{name[len(name) - tail :]}"
