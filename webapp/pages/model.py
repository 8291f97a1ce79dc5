"""What the model leaves out, so that nobody reads more into a result than stands in it."""

from __future__ import annotations

from dash import get_relative_path, html


def layout(**_query: str) -> html.Main:
    """The page."""
    return html.Main([html.H1("What the model leaves out"), html.A("Back", href=get_relative_path("/"))], id="results", className="prose")
