"""Another scenario beside the one shown: chosen in a dialog that a script makes once it is asked for
(assets/scripts/run/other_scenario.ts); a line says what it is and what differs.
"""

from __future__ import annotations

from dash import html

from webapp.messages import msg
from webapp.panels.components import button


def entry() -> html.Button:
    """Opens the dialog, from a menu."""
    about = html.Small(msg("panels.other_scenario.recent_file_or_this_one"))
    words = [msg("panels.other_scenario.another_scenario"), about]
    return button(words, {"aria-haspopup": "dialog"}, id="compare-scenario")


def layout() -> html.Div:
    """With what the result is compared, and what differs; empty without."""
    return html.Div(id="compared-with", className="compared-with", role="status")
