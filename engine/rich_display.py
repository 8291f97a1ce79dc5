"""How a value shows itself in a notebook: the engine says what does, and draws nothing."""

from __future__ import annotations

from collections.abc import Callable

_draw: Callable[[object], str] | None = None


def draw_with(draw: Callable[[object], str]) -> None:
    """From now on `draw` makes the HTML of every RichDisplay."""
    global _draw
    _draw = draw


class RichDisplay:
    """What a notebook shows as HTML where somebody draws, else as its text."""

    def _repr_html_(self) -> str | None:
        return _draw(self) if _draw else None
