"""A menu: the browser's own <details>, for Mantine's make dash-renderer walk the whole page at every change
(assets/scripts/page/menus.ts has its keys).
"""

from __future__ import annotations

from collections.abc import Sequence

from dash import html
from dash.development.base_component import Component

from webapp.panels.components import attributes, icon


def menu(id: str, label: str, entries: Sequence[Component], picture: str, about: str) -> html.Details:
    """A button (id, label, picture: an icon's name) that opens entries, which are links and buttons; about:
    what a screen reader says of them.
    """
    group = html.Div(
        list(entries), className="menu-entries", role="group", **attributes({"aria-label": about})
    )
    return html.Details([html.Summary([icon(picture), label], id=id), group], className="menu")
