"""The drawer below or beside the charts: a tab a question, and the panel of the one that is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import dcc, html

from webapp.panels.components import icon, version

TABS = (
    ("why", "Why"),
    ("compare", "Compare"),
    ("capacity", "Capacity"),
    ("difference", "Differences"),
    ("replay", "Replay"),
    ("whatif", "What if"),
    ("span", "Interval"),
    ("nodes", "Nodes"),
    ("job", "Job"),
    ("more", "More"),
)


def layout(panels: dict[str, Sequence[Any]]) -> html.Section:
    """panels: what stands in each tab, by its key."""
    tabs = [
        html.Button(
            title, type="button", **{"data-tab": key, "aria-expanded": "false", "aria-controls": f"tab-{key}"}
        )
        for key, title in TABS
    ]
    buttons = [
        version(),
        html.Button(
            icon("dock"),
            type="button",
            title="Dock below or at the right",
            **{"data-drawer-way": "dock", "aria-label": "Dock below or at the right"},
        ),
        html.Button(
            icon("close"),
            type="button",
            title="Close the drawer",
            **{"data-drawer-way": "close", "aria-label": "Close the drawer"},
        ),
    ]
    edge = {
        "aria-label": "Size of the drawer",
        "aria-valuemin": "0",
        "aria-valuemax": "4000",
        "aria-valuenow": "240",
    }
    return html.Section(
        [
            html.Div(
                id="drawer-edge",
                className="drawer-edge",
                tabIndex="0",
                role="separator",
                title="Drag to resize (also the arrow keys)",
                **edge,
            ),
            html.Div(
                [html.Div(tabs, className="tabs"), html.Div(buttons, className="drawer-ways")],
                className="drawer-head",
            ),
            html.Div(
                [
                    html.Div(list(panels[key]), id=f"tab-{key}", className="panel-of-tab", hidden=True)
                    for key, _ in TABS
                ],
                id="drawer-body",
                className="drawer-body",
                tabIndex="0",  # a keyboard scrolls it where nothing in it takes the focus
            ),
            dcc.Store(id="drawer-width"),
        ],
        id="drawer",
        className="drawer",
        **{"aria-label": "Details"},
    )
