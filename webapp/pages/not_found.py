"""The page for an address that has none."""

from __future__ import annotations

from typing import Any

from dash import html

from webapp.messages import msg
from webapp.pages import parts


def layout(**_query: str) -> html.Main:
    """One sentence and the way back."""
    says: list[Any] = [
        msg("pages.not_found.address_has_no_page"),
        parts.link(msg("pages.not_found.go_to_dashboard"), "/"),
        msg("pages.not_found.your_draft_kept"),
    ]
    return parts.page([html.H1(msg("pages.not_found.page_not_found")), html.P(says)])
