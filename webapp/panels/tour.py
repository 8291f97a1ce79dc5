"""The quiet line that offers a tour of the page (assets/scripts/tour/)."""

from __future__ import annotations

from dash import html

from webapp.messages import msg
from webapp.panels.components import button, icon_button


def offer() -> html.Div:
    """Hidden until the browser knows that the visitor neither took the tour nor put the line away."""
    start = button(msg("panels.tour.take_tour"), id="tour-start")
    away = icon_button("close", msg("panels.tour.dont_offer_tour_again"), id="tour-away")
    return html.Div(
        [msg("panels.tour.new_here"), start, away], id="tour-offer", className="tour-offer", hidden=True
    )
