"""The charts: one row of tools, the map and the ruler that stay, and room for a lane a scheduler, which a
script fills with drawings of the server.
"""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import dcc, html

from webapp import theme
from webapp.panels.components import icon

IDLE = (theme.WASTED, *theme.IDLE_USES)
BY = (
    ("lane", "Containers"),
    ("node", "Nodes"),
    ("rack", "Racks"),
    ("job", "Jobs"),
    ("user", "Users"),
    ("queue", "Queues"),
)
SORTS = (("order", "In order"), ("name", "By name"), ("busy", "Busiest first"), ("first", "First start"))
COLOURS = (("phase", "Phase"), ("job", "Job"), ("queue", "Queue"), ("user", "User"))
STRIPS = (("memory", "Memory in use"), ("vcores", "Vcores in use"), ("capacity", "Where the capacity goes"))
HELP = (
    (("W", "S"), "zoom in and out in time (also + and -, or Ctrl and the wheel)"),
    (("A", "D"), "pan in time (also Left and Right, Shift and the wheel, or drag)"),
    (("E", "Q"), "zoom in and out in rows (also Alt and the wheel)"),
    (("Up", "Down"), "pan in rows, once zoomed in"),
    (
        ("F",),
        "fit the selected interval, the container in focus, or what is highlighted; else all of the run",
    ),
    (("0",), "all of the run (also Home, or a double click)"),
    ((".", ","), "next and previous container of the row"),
    (("Enter",), "why the container in focus was placed there and then"),
    (
        ("/",),
        "search jobs, nodes, users, queues and containers such as wordcount1/1/map/0; Enter goes on to "
        "the next match",
    ),
    (("C",), "colour by phase, job, queue or user"),
    (("Shift drag",), "select an interval of time for its statistics (also Shift and Left or Right)"),
    (("Space",), "play and pause"),
    (("[", "]"), "in Play, the decision before and the next"),
    (("P",), "present: for a class, on a projector"),
    (("Esc",), "clear the interval, the decision, then the highlight"),
    (("?",), "this list"),
)


def tools(play: html.Section) -> html.Div:
    """What is the same for all charts: what colours mean, what a row is, the search, the player, the zoom."""
    return html.Div(
        [
            _choice("colour-by", "Colour by", COLOURS),
            _choice("rows-by", "Rows", BY, arranges="by"),
            _choice("rows-sort", "Order of the rows", SORTS, arranges="sort"),
            _field("rows-find", "Filter rows", "Show only rows whose name contains this"),
            html.Span("", id="rows-hidden", className="quiet", role="status"),
            _show(),
            _search(),
            play,
            _zoom(),
        ],
        id="tools",
        className="chart-tools",
        role="group",
        **{"aria-label": "Tools of all charts"},
    )


def layout() -> html.Section:
    """Map and ruler, then the lanes."""
    return html.Section(
        [
            html.H2("Charts", className="unseen"),
            html.Div(
                [
                    _legend(),
                    html.Ul(id="legend-groups", className="legend", hidden=True, **{"aria-label": "Colours"}),
                ],
                className="legends",
            ),
            html.Div(
                [
                    _map(),
                    html.Div(
                        [html.Div(className="times"), html.Div(className="times", hidden=True)],
                        id="ruler",
                        **{"aria-hidden": "true"},
                    ),
                ],
                className="above",
            ),
            html.Div([html.P("Running…", className="quiet waiting")], id="lanes", className="lanes"),
            html.Div(id="tip", className="tip", hidden=True),
            html.P(id="tip-says", className="unseen", role="status", **{"aria-live": "polite"}),
            html.P(id="subtitle", className="subtitle", hidden=True),
        ],
        id="charts",
        className="charts",
        **{"aria-label": "Charts"},
    )


def keys() -> dmc.Modal:
    """The keys of the charts."""
    rows = [html.Tr([html.Td([html.Kbd(key) for key in keys]), html.Td(what)]) for keys, what in HELP]
    return dmc.Modal(
        html.Table(html.Tbody(rows), className="keys-table"),
        id="keys-dialog",
        title="Keys, while a chart has the focus",
        size="lg",
    )


def _choice(id: str, label: str, pairs: tuple[tuple[str, str], ...], arranges: str = "") -> html.Select:
    more = {"data-arranges": arranges} if arranges else {}
    words = (
        {"phase": "Colour: phase", "job": "Colour: job", "queue": "Colour: queue", "user": "Colour: user"}
        if id == "colour-by"
        else {}
    )
    return html.Select(
        [html.Option(words.get(key, title), value=key) for key, title in pairs],
        id=id,
        title=label,
        **{"aria-label": label},
        **more,
    )


def _field(id: str, placeholder: str, about: str) -> html.Label:
    return html.Label(
        [html.Span(about, className="unseen"), dcc.Input(id=id, type="search", placeholder=placeholder)],
        title=about,
    )


def _show() -> html.Details:
    boxes = [
        html.Button(title, type="button", **{"data-strip": key, "aria-pressed": "false"})
        for key, title in STRIPS
    ]
    about = "What stands below each Gantt chart"
    entries = html.Div(boxes, className="menu-entries menu-left", role="group", **{"aria-label": about})
    return html.Details([html.Summary("Show", title=about), entries], className="menu", id="show-strips")


def _search() -> html.Div:
    about = "Search jobs, nodes, users, queues, or a container such as wordcount1/1/map/0"
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
        title="Where the charts are in the whole run: drag, or click",
        **{"aria-hidden": "true"},
    )


def _legend() -> html.Ul:
    """Colours of phases; a phase of tasks can be pressed, which highlights it."""
    return html.Ul(
        [_entry(phase) for phase in theme.LEGEND],
        id="legend",
        className="legend",
        **{"aria-label": "Colours"},
    )


def _entry(phase: theme.Phase) -> html.Li:
    """One of the legend; what only some runs have is shown by a script, where a run has it."""
    rare = {"hidden": True, "data-phase": phase.key} if phase.key in theme.OPTIONAL_KEYS else {}
    return html.Li(
        _phase(phase, phase in theme.PHASES),
        title=phase.about,
        className="idle" if phase in IDLE else "",
        **rare,
    )


def _phase(phase: theme.Phase, pressed: bool) -> html.Button | html.Span:
    words = [html.Span(className=f"swatch swatch-{phase.key}"), phase.title]
    if not pressed:
        return html.Span(words, className="pick-phase")
    return html.Button(
        words,
        type="button",
        className="pick-phase",
        **{"data-select": f"phase:{phase.key}", "aria-pressed": "false"},
    )


def _zoom() -> html.Div:
    ways = (
        ("out", "minus", "Zoom out (S or -)"),
        ("in", "plus", "Zoom in (W or +)"),
        ("all", "reset", "Show all of the run (0)"),
    )
    buttons = [
        html.Button(icon(picture), type="button", title=title, **{"data-zoom": zoom, "aria-label": title})
        for zoom, picture, title in ways
    ]
    drag = "Drag selects an interval of time; press to let it pan again. Shift and drag does the other."
    more = [
        html.Button(
            icon("columns"),
            type="button",
            id="card-columns",
            title="Charts side by side where there is room",
            **_label("Charts side by side", "true"),
        ),
        html.Button(
            icon("span"),
            type="button",
            id="drag-mode",
            title=drag,
            **_label("Drag selects an interval of time", "false"),
        ),
        html.Button(
            icon("present"),
            type="button",
            id="present",
            title="Present, for a class (P)",
            **_label("Present", "false"),
        ),
        html.Button(
            "?",
            type="button",
            id="show-keys",
            className="letter",
            title="Keys (?)",
            **{"aria-label": "Keys of the charts"},
        ),
    ]
    return html.Div([*buttons, *more], className="zoom", role="group", **{"aria-label": "Zoom and view"})


def _label(words: str, pressed: str) -> dict[str, str]:
    return {"aria-label": words, "aria-pressed": pressed}
