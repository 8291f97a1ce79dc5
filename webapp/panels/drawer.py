"""The drawer below or beside the charts: a tab a question, and the panel of the one that is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import dcc, html

from webapp.messages import msg
from webapp.panels.components import attributes, button, icon_button, version

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
        button(title, {"data-tab": key, "aria-expanded": "false", "aria-controls": f"tab-{key}"})
        for key, title in TABS
    ]
    ways = [
        version(),
        icon_button("dock", msg("panels.drawer.dock_below_or_at_right"), {"data-drawer-way": "dock"}),
        icon_button("close", msg("panels.drawer.close_drawer"), {"data-drawer-way": "close"}),
    ]
    sizes = {"aria-valuemin": "0", "aria-valuemax": "4000", "aria-valuenow": "240"}
    edge = html.Div(
        id="drawer-edge",
        className="drawer-edge",
        tabIndex="0",
        role="separator",
        title=msg("panels.drawer.drag_to_resize_also_arrow_keys"),
        **attributes({"aria-label": msg("panels.drawer.size_drawer"), **sizes}),
    )
    head = [html.Div(tabs, className="tabs"), html.Div(ways, className="drawer-ways")]
    body = html.Div(
        [
            html.Div(list(panels[key]), id=f"tab-{key}", className="panel-of-tab", hidden=True)
            for key, _ in TABS
        ],
        id="drawer-body",
        className="drawer-body",
        tabIndex="0",  # a keyboard scrolls it where nothing in it takes the focus
    )
    return html.Section(
        [edge, html.Div(head, className="drawer-head"), body, dcc.Store(id="drawer-width")],
        id="drawer",
        className="drawer",
        **attributes({"aria-label": "Details"}),
    )
