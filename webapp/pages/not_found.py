"""The page for an address that has none."""

from __future__ import annotations

from dash import get_relative_path, html


def layout(**_query: str) -> html.Main:
    """One sentence and the way back."""
    return html.Main(
        [
            html.H1("Page not found"),
            html.P(
                [
                    "This address has no page. ",
                    html.A("Go to the dashboard", href=get_relative_path("/")),
                    "; your draft is still there.",
                ]
            ),
        ],
        id="results",
        className="prose",
    )
