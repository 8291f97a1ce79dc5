"""The drawer below or beside the charts: a tab for each thing that people look for, and in it the panels
that answer it. One panel is open; its first line says what it answers and has the tab's other panels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dash import dcc, html

from webapp.messages import msg
from webapp.panels import tour
from webapp.panels.components import attributes, button, icon_button, version


class Panel(NamedTuple):
    """A panel. key: as addresses name it; question: what it answers."""

    key: str
    name: str
    question: str


class Tab(NamedTuple):
    """A tab of the bar; a first click opens the first of its panels, later ones the one last open."""

    title: str
    panels: tuple[Panel, ...]

    @property
    def keys(self) -> str:
        """The keys of its panels, as an attribute says them."""
        return " ".join(panel.key for panel in self.panels)


TABS = (
    Tab(
        "Compare",
        (
            Panel("compare", "Metrics", msg("panels.drawer.which_scheduler_better_by_which_metric")),
            Panel("difference", "Differences", msg("panels.drawer.what_changes_between_two_schedulers")),
            Panel("more", msg("shared.more_charts"), msg("panels.drawer.how_do_queue_waits_and_fair")),
        ),
    ),
    Tab(
        "Why",
        (
            Panel("why", "Decisions", msg("panels.drawer.why_was_container_placed_there_and")),
            Panel("job", msg("panels.drawer.job"), msg("panels.drawer.how_does_one_job_fare_under")),
        ),
    ),
    Tab(
        msg("panels.drawer.where_time_goes"),
        (
            Panel("capacity", "Capacity", msg("panels.drawer.what_cluster_used_for_and_how")),
            Panel("span", "Interval", msg("panels.drawer.what_happens_in_selected_interval_time")),
            Panel("nodes", "Nodes", msg("panels.drawer.what_does_each_node_hold_at")),
        ),
    ),
    Tab(
        msg("shared.what_if"),
        (Panel("whatif", msg("shared.what_if"), msg("panels.drawer.what_would_change_with_more_nodes")),),
    ),
    Tab("Measured", (Panel("replay", "Measured", msg("panels.drawer.how_close_simulation_to_measured")),)),
)


def layout(panels: Mapping[str, Sequence[Any]]) -> html.Section:
    """panels: what stands in each, by its key."""
    closed, name = {"aria-selected": "false", "aria-controls": "drawer-body"}, {"aria-label": "Details"}
    tabs = [
        button(tab.title, {"data-tab": tab.panels[0].key, "data-panels": tab.keys, **closed}, role="tab")
        for tab in TABS
    ]
    ways = [
        tour.offer(),
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
    bar = html.Div(tabs, className="tabs", role="tablist", **attributes(name))
    head = [bar, html.Div(ways, className="drawer-ways")]
    shown = [panel for tab in TABS for panel in tab.panels]
    choices = [_choice(tab) for tab in TABS if len(tab.panels) > 1]
    body = html.Div(
        [
            html.Div([*map(_question, shown), *choices], className="panel-head"),
            *(html.Div(list(panels[key]), id=f"tab-{key}", **_closed(key)) for key, *_ in shown),
        ],
        id="drawer-body",
        className="drawer-body",
        role="tabpanel",
        tabIndex="0",  # a keyboard scrolls it where nothing in it takes the focus
        **attributes(name),
    )
    return html.Section(
        [edge, html.Div(head, className="drawer-head"), body, dcc.Store(id="drawer-width")],
        id="drawer",
        className="drawer",
        **attributes(name),
    )


def _closed(keys: str) -> dict[str, Any]:
    """What is seen only while one of these panels is open."""
    return {"hidden": True, **attributes({"data-of": keys})}


def _question(panel: Panel) -> html.P:
    return html.P(panel.question, **_closed(panel.key))


def _choice(tab: Tab) -> html.Div:
    """The panels of a tab, to choose from."""
    choices = [button(name, {"data-panel": key, "aria-pressed": "false"}) for key, name, _ in tab.panels]
    label = attributes({"aria-label": tab.title})
    return html.Div(choices, className="switch", role="group", **_closed(tab.keys), **label)
