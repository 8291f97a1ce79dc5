"""The charts: one row of tools, the map and the ruler that stay, and room for a lane a scheduler, which a
script fills with drawings of the server.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from webapp import theme
from webapp.messages import msg
from webapp.panels.components import attributes, icon

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
COLOURS = (("phase", "Phase"), ("job", "Job"), ("queue", "Queue"), ("user", "User"))
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
    (
        ("F",),
        msg("panels.chart_area.fit_selected_interval_container_in_focus"),
    ),
    (("0",), msg("panels.chart_area.all_run_also_home_or_double")),
    ((".", ","), msg("panels.chart_area.next_and_previous_container_row")),
    (("Enter",), msg("panels.chart_area.why_container_in_focus_was_placed")),
    (
        ("/",),
        msg("panels.chart_area.search_jobs_nodes_users_queues_and"),
    ),
    (("C",), msg("panels.chart_area.colour_by_phase_job_queue_or")),
    (
        (msg("panels.chart_area.shift_drag"),),
        msg("panels.chart_area.select_interval_time_for_its_statistics"),
    ),
    (("Space",), msg("panels.chart_area.play_and_pause")),
    (("[", "]"), msg("panels.chart_area.in_play_decision_before_and_next")),
    (("P",), msg("panels.chart_area.present_large_for_projector")),
    (("Esc",), msg("panels.chart_area.clear_interval_decision_then_highlight")),
    (("?",), msg("panels.chart_area.list")),
)


def tools(play: html.Section) -> html.Div:
    """What is the same for all charts: what colours mean, what a row is, the search, the player, the zoom."""
    return html.Div(
        [
            _choice("colour-by", msg("panels.chart_area.colour_by"), COLOURS),
            _choice("rows-by", "Rows", BY, arranges="by"),
            _choice("rows-sort", msg("panels.chart_area.order_rows"), SORTS, arranges="sort"),
            _field(
                "rows-find",
                msg("panels.chart_area.filter_rows"),
                msg("panels.chart_area.show_only_rows_whose_name_contains"),
            ),
            html.Span("", id="rows-hidden", className="quiet", role="status"),
            _show(),
            _search(),
            play,
            _zoom(),
        ],
        id="tools",
        className="chart-tools",
        role="group",
        **attributes({"aria-label": msg("panels.chart_area.tools_all_charts")}),
    )


def layout() -> html.Section:
    """Map and ruler, then the lanes."""
    return html.Section(
        [
            html.H2("Charts", className="unseen"),
            html.Div(
                [
                    _legend(),
                    html.Ul(
                        id="legend-groups",
                        className="legend",
                        hidden=True,
                        **attributes({"aria-label": "Colours"}),
                    ),
                ],
                className="legends",
            ),
            html.Div(
                [
                    _map(),
                    html.Div(
                        [html.Div(className="times"), html.Div(className="times", hidden=True)],
                        id="ruler",
                        **attributes({"aria-hidden": "true"}),
                    ),
                ],
                className="above",
            ),
            html.Div([html.P("Running…", className="quiet waiting")], id="lanes", className="lanes"),
            html.Div(id="tip", className="tip", hidden=True),
            html.P(id="tip-says", className="unseen", role="status", **attributes({"aria-live": "polite"})),
            html.P(id="subtitle", className="subtitle", hidden=True),
        ],
        id="charts",
        className="charts",
        **attributes({"aria-label": "Charts"}),
    )


def keys() -> dmc.Modal:
    """The keys of the charts."""
    rows = [html.Tr([html.Td([html.Kbd(key) for key in keys]), html.Td(what)]) for keys, what in HELP]
    return dmc.Modal(
        html.Table(html.Tbody(rows), className="keys-table"),
        id="keys-dialog",
        title=msg("panels.chart_area.keys_while_chart_has_focus"),
        size="lg",
    )


def _choice(id: str, label: str, pairs: tuple[tuple[str, str], ...], arranges: str = "") -> html.Select:
    more = attributes({"data-arranges": arranges} if arranges else {})
    words = (
        {
            "phase": msg("panels.chart_area.colour_phase"),
            "job": msg("panels.chart_area.colour_job"),
            "queue": msg("panels.chart_area.colour_queue"),
            "user": msg("panels.chart_area.colour_user"),
        }
        if id == "colour-by"
        else {}
    )
    return html.Select(
        [html.Option(words.get(key, title), value=key) for key, title in pairs],
        id=id,
        title=label,
        **attributes({"aria-label": label}),
        **more,
    )


def _field(id: str, placeholder: str, about: str) -> html.Label:
    return html.Label(
        [html.Span(about, className="unseen"), dcc.Input(id=id, type="search", placeholder=placeholder)],
        title=about,
    )


def _show() -> html.Details:
    boxes = [
        html.Button(title, type="button", **attributes({"data-strip": key, "aria-pressed": "false"}))
        for key, title in STRIPS
    ]
    about = msg("panels.chart_area.what_stands_below_each_gantt_chart")
    entries = html.Div(
        boxes, className="menu-entries menu-left", role="group", **attributes({"aria-label": about})
    )
    return html.Details([html.Summary("Show", title=about), entries], className="menu", id="show-strips")


def _search() -> html.Div:
    about = msg("panels.chart_area.search_jobs_nodes_users_queues_or")
    return html.Div(
        [
            icon("search"),
            _field("find", "Search", about),
            html.Span("", id="find-count", className="quiet", role="status"),
        ],
        className="search",
        title=about,
    )


def _map() -> html.Div:
    """All of the first scheduler's run, with a frame around what the charts show."""
    return html.Div(
        [
            html.Img(id="map-picture", alt="", draggable="false"),
            html.Div(id="map-frame", className="map-frame", hidden=True),
        ],
        id="map",
        className="map",
        title=msg("panels.chart_area.part_run_charts_show_drag_or"),
        **attributes({"aria-hidden": "true"}),
    )


def _legend() -> html.Ul:
    """Colours of phases; a phase of tasks can be pressed, which highlights it."""
    return html.Ul(
        [_entry(phase) for phase in theme.LEGEND],
        id="legend",
        className="legend",
        **attributes({"aria-label": "Colours"}),
    )


def _entry(phase: theme.Phase) -> html.Li:
    """One of the legend; what only some runs have is shown by a script, where a run has it."""
    is_rare = phase.key in theme.OPTIONAL_KEYS
    return html.Li(
        _phase(phase, phase in theme.PHASES),
        title=phase.about,
        className="idle" if phase in IDLE else "",
        hidden=is_rare,
        **attributes({"data-phase": phase.key} if is_rare else {}),
    )


def _phase(phase: theme.Phase, pressed: bool) -> html.Button | html.Span:
    words: list[Any] = [html.Span(className=f"swatch swatch-{phase.key}"), phase.title]
    if not pressed:
        return html.Span(words, className="pick-phase")
    return html.Button(
        words,
        type="button",
        className="pick-phase",
        **attributes({"data-select": f"phase:{phase.key}", "aria-pressed": "false"}),
    )


def _zoom() -> html.Div:
    ways = (
        ("out", "minus", msg("panels.chart_area.zoom_out_s_or")),
        ("in", "plus", msg("panels.chart_area.zoom_in_w_or")),
        ("all", "reset", msg("panels.chart_area.show_all_run")),
    )
    buttons = [
        html.Button(
            icon(picture), type="button", title=title, **attributes({"data-zoom": zoom, "aria-label": title})
        )
        for zoom, picture, title in ways
    ]
    drag = msg("panels.chart_area.drag_selects_interval_time_press_to")
    more = [
        html.Button(
            icon("columns"),
            type="button",
            id="card-columns",
            title=msg("panels.chart_area.charts_side_by_side_where_there"),
            **_label(msg("panels.chart_area.charts_side_by_side"), "true"),
        ),
        html.Button(
            icon("span"),
            type="button",
            id="drag-mode",
            title=drag,
            **_label(msg("panels.chart_area.drag_selects_interval_time"), "false"),
        ),
        html.Button(
            icon("present"),
            type="button",
            id="present",
            title=msg("panels.chart_area.present_for_class_p"),
            **_label("Present", "false"),
        ),
        html.Button(
            "?",
            type="button",
            id="show-keys",
            className="letter",
            title="Keys (?)",
            **attributes({"aria-label": msg("panels.chart_area.keys_charts")}),
        ),
    ]
    return html.Div(
        [*buttons, *more],
        className="zoom",
        role="group",
        **attributes({"aria-label": msg("panels.chart_area.zoom_and_view")}),
    )


def _label(words: str, pressed: str) -> dict[str, Any]:
    return attributes({"aria-label": words, "aria-pressed": pressed})
