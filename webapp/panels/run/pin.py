"""Pin: keep a result as the reference; later runs, of this scenario or another, are shown beside it and
compared to it.
"""

from __future__ import annotations

from dash import html

from webapp.messages import msg
from webapp.panels.components import attributes, icon


def button() -> html.Button:
    """Pins what is shown; pressed again, it unpins."""
    return html.Button(
        [icon("pin"), html.Span("Pin", id="pin-words")],
        id="pin",
        type="button",
        title=msg("panels.pin.keep_result_as_reference_later_runs"),
        **attributes({"aria-pressed": "false"}),
    )


def layout() -> html.P:
    """What is pinned, in a sentence."""
    return html.P(id="pin-says", className="pin-says", role="status")
