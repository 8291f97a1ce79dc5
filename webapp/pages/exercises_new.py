"""The page on which a teacher writes an exercise."""

from __future__ import annotations

from typing import Any

from dash import html

from webapp.messages import msg
from webapp.pages import parts
from webapp.panels.exercises import author_form

TITLE = msg("shared.write_an_exercise")


def layout(**query: Any) -> html.Main:
    """The form, begun with what the address names."""
    where = parts.navigation(
        [parts.link("Exercises", "/exercises"), html.Span(" / "), "New"], "crumbs", msg("shared.where")
    )
    intro = html.P(
        [
            msg("pages.exercises_new.intro"),
            " ",
            parts.link(msg("pages.exercises_new.how_to"), "/help/write-an-exercise"),
        ]
    )
    return parts.page([where, html.H1(TITLE), intro, *author_form.layout(query)], "wide author-page")
