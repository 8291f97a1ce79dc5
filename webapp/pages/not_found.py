"""The page for an address that has none."""

from __future__ import annotations

from dash import get_relative_path, html

from webapp.messages import msg


def layout(**_query: str) -> html.Main:
    """One sentence and the way back."""
    return html.Main(
        [
            html.H1(msg("pages.not_found.page_not_found")),
            html.P(
                [
                    msg("pages.not_found.address_has_no_page"),
                    html.A(msg("pages.not_found.go_to_dashboard"), href=get_relative_path("/")),
                    msg("pages.not_found.your_draft_kept"),
                ]
            ),
        ],
        id="results",
        className="prose",
    )
