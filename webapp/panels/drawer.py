"""The drawer below or beside the charts: a tab a question, and the panel of the one that is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import dcc, html

from webapp.messages import msg
from webapp.panels.components import attributes, icon, version

TABS = (
    ("why", "Why"),
    ("compare", "Compare"),
    ("capacity", "Capacity"),
    ("difference", "Differences"),
    ("replay", "Replay"),
    ("whatif", msg("shared.what_if")),
    ("span", "Interval"),
    ("nodes", "Nodes"),
    ("job", "Job"),
    ("more", "More"),
)


def layout(panels: Mapping[str, Sequence[Any]]) -> html.Section:
    """panels: what stands in each tab, by its key."""
    tabs = [
        html.Button(
            title,
            type="button",
            **attributes({"data-tab": key, "aria-expanded": "false", "aria-controls": f"tab-{key}"}),
        )
        for key, title in TABS
    ]
    buttons = [
        version(),
        html.Button(
            icon("dock"),
            type="button",
            title=msg("panels.drawer.dock_below_or_at_right"),
            **attributes(
                {"data-drawer-way": "dock", "aria-label": msg("panels.drawer.dock_below_or_at_right")}
            ),
        ),
        html.Button(
            icon("close"),
            type="button",
            title=msg("panels.drawer.close_drawer"),
            **attributes({"data-drawer-way": "close", "aria-label": msg("panels.drawer.close_drawer")}),
        ),
    ]
    edge = {
        "aria-label": msg("panels.drawer.size_drawer"),
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
                title=msg("panels.drawer.drag_to_resize_also_arrow_keys"),
                **attributes(edge),
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
        **attributes({"aria-label": "Details"}),
    )
