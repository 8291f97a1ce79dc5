"""Runs, comparisons, studies, predictions and explanations as a notebook shows them: charts as SVG, numbers
as tables.

May import: figures, messages, theme.
"""

from __future__ import annotations

from engine.dashboard import draw_with


def register() -> None:
    """From now on they show themselves; what draws them is loaded with the first."""
    draw_with(_draw)


def _draw(value: object) -> str:
    from webapp.notebook.output import output

    return output(value)
