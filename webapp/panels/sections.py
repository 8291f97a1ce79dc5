"""Sections of the results below the charts: each fills once it comes near the window, so that what nobody looks at costs nothing."""

from __future__ import annotations

from typing import Any

from dash import dcc, html


def section(key: str, title: str, *content: Any, tools: Any = None) -> html.Section:
    """A section with its head. The store KEY-seen becomes true once the section has come near the window (assets/sections.js)."""
    head = html.Div([html.H2(title, id=f"{key}-title"), *([tools] if tools is not None else [])], className="table-head")
    return html.Section([head, dcc.Store(id=f"{key}-seen"), *content], id=key, className="lazy", **{"aria-labelledby": f"{key}-title"})


def jumps(entries: list[tuple[str, str]]) -> html.Nav:
    """Links to sections, in their order. entries: (id, title)."""
    return html.Nav([html.A(title, href=f"#{key}") for key, title in entries], className="jumps", **{"aria-label": "Sections of the results"})
