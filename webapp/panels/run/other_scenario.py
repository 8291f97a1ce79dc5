"""Another scenario beside the one shown: chosen in a dialog that a script makes once it is asked for
(assets/scripts/run/other_scenario.ts); a line says what it is and what differs.
"""

from __future__ import annotations

from dash import html

from webapp.messages import msg
from webapp.panels.components import button as plain_button
from webapp.panels.components import icon


def button() -> html.Button:
    """Opens the dialog."""
    return plain_button(
        [icon("columns"), msg("panels.other_scenario.another_scenario")],
        {"aria-haspopup": "dialog"},
        id="compare-scenario",
        title=msg("shared.compare_with_another_scenario"),
    )


def layout() -> html.Div:
    """With what the result is compared, and what differs; empty without."""
    return html.Div(id="compared-with", className="compared-with", role="status")
