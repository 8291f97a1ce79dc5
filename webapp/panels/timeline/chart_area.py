"""The charts: one row with what colours mean, the map and the tools, the ruler, and room for a lane a
scheduler, which a script fills with drawings of the server.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import Dash, Input, Output, dcc, html, no_update
from dash.development.base_component import Component

from webapp import theme
from webapp.messages import msg
from webapp.panels.components import attributes, button, icon_button
from webapp.panels.timeline import play

IDLE = (theme.WASTED, *theme.IDLE_USES)
BY = (
    ("lane", "Containers"),
    ("node", "Nodes"),
    ("rack", "Racks"),
    ("job", "Jobs"),
    ("user", "Users"),
    ("queue", "Queues"),
)
SORTS = (
    ("order", msg("panels.chart_area.in_order")),
    ("name", msg("panels.chart_area.by_name")),
    ("busy", msg("panels.chart_area.busiest_first")),
    ("first", msg("panels.chart_area.first_start")),
)
COLOURS = (
    ("phase", "Phase"),
    ("job", "Job"),
    ("queue", "Queue"),
    ("user", "User"),
    ("stage", "Stage"),
)
STRIPS = (
    ("memory", msg("panels.chart_area.memory_in_use")),
    ("vcores", msg("panels.chart_area.vcores_in_use")),
    ("capacity", msg("panels.chart_area.where_capacity_goes")),
)
HELP = (
    (("W", "S"), msg("panels.chart_area.zoom_in_and_out_in_time")),
    (("A", "D"), msg("panels.chart_area.pan_in_time_also_left_and")),
    (("E", "Q"), msg("panels.chart_area.zoom_in_and_out_in_rows")),
    (("Up", "Down"), msg("panels.chart_area.pan_in_rows_once_zoomed_in")),
    (("F",), msg("panels.chart_area.fit_selected_interval_container_in_focus")),
    (("0",), msg("panels.chart_area.all_run_also_home_or_double")),
    ((".", ","), msg("panels.chart_area.next_and_previous_container_row")),
    (("Enter",), msg("panels.chart_area.why_container_in_focus_was_placed")),
    (("/",), msg("panels.chart_area.search_jobs_nodes_users_queues_and")),
    (("C",), msg("panels.chart_area.colour_by_phase_job_queue_or")),
    ((msg("panels.chart_area.shift_drag"),), msg("panels.chart_area.select_interval")),
    (("Space",), msg("panels.chart_area.play_and_pause")),
    (("[", "]"), msg("panels.chart_area.in_play_decision_before_and_next")),
    (("P",), msg("panels.chart_area.present_large_for_projector")),
    (("Esc",), msg("panels.chart_area.clear_interval_decision_then_highlight")),
    (("?",), msg("panels.chart_area.list")),
)


def layout() -> html.Section:
    """One row of tools, the ruler, then the lanes."""
    colours = attributes({"aria-label": "Colours"})
    legends = [
        html.Ul([_entry(phase) for phase in theme.LEGEND], id="legend", className="legend", **colours),
        html.Ul(id="legend-groups", className="legend", hidden=True, **colours),
    ]
    ruler = html.Div(
        [html.Div(className="times"), html.Div(className="times", hidden=True)],
        id="ruler",
        className="above",
        **attributes({"aria-hidden": "true"}),
    )
    return html.Section(
        [
            html.H2("Charts", className="unseen"),
            html.Div(
                [html.Div(legends, id="legends", className="legends"), _map(), _tools()], className="bar"
            ),
            ruler,
            html.Div([html.P("Running…", className="quiet waiting")], id="lanes", className="lanes"),
            html.Div(id="tip", className="tip", hidden=True),
            html.P(id="tip-says", className="unseen", role="status", **attributes({"aria-live": "polite"})),
            html.P(id="subtitle", className="subtitle", hidden=True),
        ],
        id="charts",
        className="charts",
        **attributes({"aria-label": "Charts"}),
    )


def _tools() -> html.Div:
    """What is the same for all charts: the player, the zoom, and how they are looked at."""
    return html.Div(
        [
            html.Span("", id="rows-hidden", className="quiet", role="status"),
            play.layout(),
            _zoom(),
            _view(),
        ],
        id="tools",
        className="chart-tools",
        role="group",
        **attributes({"aria-label": msg("panels.chart_area.tools_all_charts")}),
    )


def _view() -> html.Details:
    """What is rarely used: the search, what colours mean, what a row is, what stands below the rows."""
    fields = [
        _search(),
        _choice("colour-by", "Colour", COLOURS),
        _choice("rows-by", "Rows", BY),
        _choice("rows-sort", "Order", SORTS),
        _field("rows-find", "Filter", msg("panels.chart_area.show_only_rows_whose_name_contains")),
        _choice("play-speed", "Speed", play.SPEEDS),
    ]
    below = msg("panels.chart_area.what_stands_below_each_gantt_chart")
    strips = [_switch(title, {"data-strip": key}) for key, title in STRIPS]
    switches = [
        _switch(msg("panels.chart_area.distance_from_best_possible"), {"id": "show-gaps"}),
        _switch(msg("panels.chart_area.charts_side_by_side"), {"id": "card-columns"}),
        _switch(msg("panels.chart_area.drag_selects_interval_time"), {"id": "drag-mode"}),
        button(msg("panels.chart_area.keys_charts"), id="show-keys"),
    ]
    parts = [
        html.Div(fields, className="fields"),
        html.Div(strips, id="show-strips", role="group", **attributes({"aria-label": below})),
        html.Div(switches),
    ]
    summary = html.Summary("View", id="show-view", title=msg("panels.chart_area.search_colours_rows"))
    entries = html.Div(parts, className="menu-entries view-entries")
    return html.Details([summary, entries], id="view", className="menu")


def _switch(title: str, marks: dict[str, str]) -> html.Button:
    return button(title, {**marks, "aria-pressed": "false"})


def keys() -> dmc.Modal:
    """The keys of the charts, laid out once they are asked for."""
    return dmc.Modal(
        [],
        id="keys-dialog",
        title=msg("panels.chart_area.keys_while_chart_has_focus"),
        size="lg",
    )


def register(app: Dash) -> None:
    """Callbacks: the list of keys."""

    @app.callback(
        Output("keys-dialog", "children"), Input("keys-dialog", "opened"), prevent_initial_call=True
    )
    def list_keys(is_opened: bool):
        if not is_opened:
            return no_update
        rows = [html.Tr([html.Td([html.Kbd(key) for key in keys]), html.Td(what)]) for keys, what in HELP]
        return html.Table(html.Tbody(rows), className="keys-table")


def _choice(id: str, label: str, pairs: tuple[tuple[str, str], ...]) -> html.Label:
    options = [html.Option(title, value=key) for key, title in pairs]
    return html.Label([html.Span(label), html.Select(options, id=id)])


def _field(id: str, label: str, about: str) -> html.Label:
    return html.Label([html.Span(label), dcc.Input(id=id, type="search")], title=about)


def _search() -> html.Div:
    field = _field("find", "Search", msg("panels.chart_area.search_jobs_nodes_users_queues_or"))
    return html.Div([field, html.Span("", id="find-count", className="quiet", role="status")])


def _map() -> html.Div:
    """All of the first scheduler's run, with a frame around what the charts show."""
    picture = html.Img(id="map-picture", alt="", draggable="false")
    return html.Div(
        [picture, html.Div(id="map-frame", className="map-frame", hidden=True)],
        id="map",
        className="map",
        title=msg("panels.chart_area.part_run_charts_show_drag_or"),
        **attributes({"aria-hidden": "true"}),
    )


def _entry(phase: theme.Phase) -> html.Li:
    """A colour of the legend. A phase of tasks can be pressed, which highlights it; what only some runs have
    is shown by a script, where a run has it; MapReduce's until one is drawn.
    """
    is_rare = phase.key in theme.OPTIONAL_KEYS
    words: list[Any] = [html.Span(className=f"swatch swatch-{phase.key}"), phase.title]
    if phase in theme.PHASES:
        marks = {"data-select": f"phase:{phase.key}", "aria-pressed": "false"}
        entry: Component = button(words, marks, className="pick-phase")
    else:
        entry = html.Span(words, className="pick-phase")
    return html.Li(
        entry,
        title=phase.about,
        className="idle" if phase in IDLE else "",
        hidden=is_rare and phase.key not in theme.OF_MAPREDUCE,
        **attributes({"data-phase": phase.key} if is_rare else {}),
    )


def _zoom() -> html.Div:
    buttons = [
        icon_button("minus", msg("panels.chart_area.zoom_out_s_or"), {"data-zoom": "out"}),
        icon_button("plus", msg("panels.chart_area.zoom_in_w_or"), {"data-zoom": "in"}),
        icon_button("reset", msg("panels.chart_area.show_all_run"), {"data-zoom": "all"}),
        icon_button("link", msg("panels.chart_area.share_shown"), label="Share", id="present-share"),
        icon_button(
            "present",
            msg("panels.chart_area.present_for_class_p"),
            {"aria-pressed": "false"},
            "Present",
            id="present",
        ),
    ]
    label = msg("panels.chart_area.zoom_and_view")
    return html.Div(buttons, className="zoom", role="group", **attributes({"aria-label": label}))
