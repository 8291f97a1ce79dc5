"""Small pieces that several panels are made of."""

from __future__ import annotations

from dash import html


def icon(name: str) -> html.Span:
    """A picture from gantry.css; it says nothing to a screen reader."""
    return html.Span(className=f"icon icon-{name}", **{"aria-hidden": "true"})
