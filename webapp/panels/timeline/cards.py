"""The charts: one card a scheduler with its Gantt, curves and capacity split; all share one time axis, the same rows and one highlight."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, html

from engine import Run
from webapp import theme
from webapp.figures import describe
from webapp.panels.components import heading, icon
from webapp.panels.timeline import drawing
from webapp.services.runs import Shown, Task

MOST_NAMES = 5_000  # jobs the search box suggests; others can be typed
GRAPH_CONFIG = theme.GRAPH_CONFIG | {"scrollZoom": False, "displayModeBar": False, "responsive": True, "doubleClick": False}
KEYS = "W A S D E Q F 0 . , / ? Enter ArrowUp ArrowDown ArrowLeft ArrowRight"
BY = (("lane", "Containers"), ("node", "Nodes"), ("rack", "Racks"), ("job", "Jobs"), ("user", "Users"), ("queue", "Queues"))
SORTS = (("order", "In order"), ("name", "By name"), ("busy", "Busiest first"), ("first", "First start"))
FACTS = (  # over each chart: title, metric, its unit
    ("Makespan", "makespan_s", "s"),
    ("Mean turnaround", "mean_turnaround_s", "s"),
    ("Vcores used", "vcore_utilization", "share"),
    ("Memory used", "memory_utilization", "share"),
)
HELP = (
    (("W", "S"), "zoom in and out in time (also + and -, or Ctrl and the wheel)"),
    (("A", "D"), "pan in time (also Left and Right, Shift and the wheel, or drag)"),
    (("E", "Q"), "zoom in and out in rows (also Alt and the wheel)"),
    (("Up", "Down"), "pan in rows, once zoomed in"),
    (("F",), "fit the selected interval, the container in focus, or what is highlighted; else all of the run"),
    (("0",), "all of the run (also Home, or a double click)"),
    ((".", ","), "next and previous container of the row"),
    (("Enter",), "why the container in focus was placed there and then"),
    (("/",), "search a job, user, queue, node or rack, or a container such as wordcount1/1/map/0"),
    (("Shift drag",), "select an interval of time for its statistics (also Shift and Left or Right)"),
    (("Space",), "play and pause"),
    (("[", "]"), "in Play, the decision before and the next"),
    (("Esc",), "clear the interval, the decision, then the highlight"),
    (("?",), "this list"),
)


def tools() -> html.Div:
    """What is the same for all charts: colours, what is highlighted, the rows, the zoom."""
    return html.Div([_legend(), _finder(), _rows(), _zoom()], className="chart-tools")


def layout() -> html.Section:
    """The room for the map and the cards."""
    return html.Section(
        [
            html.Div([html.Span("Free capacity: ", className="quiet"), _legend(theme.IDLE)], className="legend-more"),
            _map(),
            html.Div([html.Div(className="card waiting") for _ in range(2)], id="cards", className="cards"),
            html.Div(id="tip", className="tip", hidden=True),
            html.P(id="tip-says", className="unseen", role="status", **{"aria-live": "polite"}),
            dcc.Store(id="drawn"),
            dcc.Store(id="width"),
            dcc.Store(id="chart-addresses", data=drawing.addresses()),
        ],
        id="charts",
        **{"aria-label": "Charts"},
    )


def cards(task: Task, drawn: list[dict]) -> list[html.Article]:
    """One card a scheduler."""
    return [_card(number, task, one, figure) for number, (one, figure) in enumerate(zip(task.shown, drawn, strict=True))]


def heads(task: Task, drawn: list[dict]) -> list[list]:
    """What stands over each chart, for cards that are already there."""
    return [_head(number, task, one, figure) for number, (one, figure) in enumerate(zip(task.shown, drawn, strict=True))]


def names(run: Run) -> list[dict]:
    """What can be highlighted, by kind, as the search box lists it."""
    work = run.workload
    queues = [work.queues.names[queue] for queue in work.job_queue.tolist()]
    kinds = {"user": work.job_users, "queue": queues, "node": work.node_names, "rack": work.node_racks}
    found = [{"group": "Jobs", "items": list(work.job_names[:MOST_NAMES])}]
    for kind, every in kinds.items():
        items = [f"{kind}:{name}" for name in dict.fromkeys(every) if name]
        if len(items) > 1:
            found.append({"group": f"{kind.capitalize()}s", "items": items[:MOST_NAMES]})
    return [*found, {"group": "Phases", "items": [f"phase:{phase.key}" for phase in theme.PHASES]}]


def keys() -> dmc.Modal:
    """The keys of the charts."""
    rows = [html.Tr([html.Td([html.Kbd(key) for key in keys]), html.Td(what)]) for keys, what in HELP]
    return dmc.Modal(html.Table(html.Tbody(rows), className="keys-table"), id="keys-dialog", title="Keys, while a chart has the focus", size="lg")


def register(app: Dash) -> None:
    """Callbacks: bounds of a new result, what to draw anew, drawing it, highlight by name, rows."""
    drawing.register(app)
    gantry = lambda name: ClientsideFunction("gantry", name)
    graphs = {"type": "graph", "index": ALL}
    app.clientside_callback(gantry("bounds"), Output("charts", "className"), Input("result", "data"), prevent_initial_call=True)
    app.clientside_callback(
        gantry("need"),
        Output("cards", "className"),
        Input("viewport", "data"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input("width", "data"),
        Input("arranged", "data"),
        Input("result", "data"),
        State("chart-addresses", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        gantry("draw"),
        Output(graphs, "figure"),
        Output(graphs, "style"),
        Output({"type": "badge", "index": ALL}, "children"),
        Input("drawn", "data"),
        State(graphs, "id"),
        prevent_initial_call=True,
    )
    app.clientside_callback(gantry("sized"), Output("width", "data"), Input("charts", "id"))
    app.clientside_callback(gantry("finder"), Output("find-job", "data"), Output("find-job", "value"), Input("result", "data"), Input("highlight", "data"))
    app.clientside_callback(
        gantry("found"),
        Output("highlight", "data", allow_duplicate=True),
        Input("find-job", "value"),
        State("highlight", "data"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        gantry("arrange"),
        Output("arranged", "data", allow_duplicate=True),
        Input("rows-by", "value"),
        Input("rows-sort", "value"),
        Input("rows-find", "value"),
        State("arranged", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        gantry("arrangedNow"), Output("rows-by", "value"), Output("rows-sort", "value"), Output("rows-find", "value"), Input("arranged", "data")
    )


def _card(number: int, task: Task, shown: Shown, figure: dict) -> html.Article:
    name = heading(task, shown)
    return html.Article(
        [
            html.Div(_head(number, task, shown, figure), id={"type": "head", "index": number}),
            html.Div(
                [
                    html.Div(
                        dcc.Graph(
                            id={"type": "graph", "index": number},
                            figure=figure,
                            config=GRAPH_CONFIG,
                            responsive=True,
                            style={"height": figure["layout"]["height"]},
                        ),
                        **{"aria-hidden": "true"},
                    ),
                    html.Div(className="cursor", hidden=True),
                    html.Div(className="mark", hidden=True),
                    html.Div(className="span", hidden=True),
                ],
                className="chart",
                tabIndex="0",
                role="group",
                **{"aria-labelledby": f"name-{number}", "aria-describedby": f"story-{number}", "aria-keyshortcuts": KEYS},
            ),
            html.Section(id={"type": "signals", "index": number}, className="signals", **{"aria-label": f"Signals of {name}"}),
        ],
        className="card",
    )


def _head(number: int, task: Task, shown: Shown, figure: dict) -> list:
    outcome, meta = shown.outcome, figure["layout"]["meta"]
    run, name = outcome.run, shown.name
    pinned = [] if shown.task is task else [html.Span(["Pinned: ", html.Strong(shown.task.scenario.name or "Untitled")], className="badge badge-pinned")]
    found = [
        html.Header(
            [
                html.H3(name, id=f"name-{number}"),
                *pinned,
                html.Span(_badge(meta), className=f"badge badge-{meta['mode']}", id={"type": "badge", "index": number}),
                html.Div(_pictures(name), className="card-tools"),
            ]
        ),
        html.Dl([html.Div([html.Dt(title), html.Dd(theme.amount(outcome.metrics[key], unit))]) for title, key, unit in FACTS], className="facts"),
        html.P(describe(run, outcome.metrics), id=f"story-{number}", className="unseen"),
    ]
    if run.status != "finished":
        found.append(html.P([html.Strong("Deadlock. "), run.because], className="deadlock"))
    return found


def _badge(meta: dict) -> str:
    """Empty where the chart draws every slice of every row."""
    sampled = ["sampled"] if meta["mode"] != "exact" else []
    hidden = [f"{theme.count(meta['hidden'], 'rows')} filtered out"] if meta["hidden"] else []
    return ", ".join(sampled + hidden)


def _legend(phases: tuple[theme.Phase, ...] = theme.PHASES) -> html.Ul:
    """Colours; a phase of tasks can be pressed, which highlights it."""
    own = phases is theme.PHASES
    return html.Ul(
        [html.Li(_phase(phase, own), title=phase.about) for phase in ((*phases, theme.KILLED) if own else phases)],
        className="legend",
        **{"aria-label": "Colours" if own else "Colours of free capacity"},
    )


def _phase(phase: theme.Phase, pressed: bool) -> list | html.Button:
    words = [html.Span(className=f"swatch swatch-{phase.key}"), phase.title]
    if not pressed or phase is theme.KILLED:
        return words
    return html.Button(words, type="button", className="pick-phase", **{"data-select": f"phase:{phase.key}", "aria-pressed": "false"})


def _pictures(name: str) -> list:
    return [
        html.Button(kind.upper(), type="button", title=f"Download this chart as {kind.upper()}", **{"data-picture": kind, "data-name": name})
        for kind in ("png", "svg")
    ]


def _finder() -> dmc.Autocomplete:
    return dmc.Autocomplete(
        id="find-job",
        placeholder="Highlight a job, node, user …",
        size="xs",
        limit=24,
        clearable=True,
        leftSection=icon("search"),
        **{"aria-label": "Highlight a job, user, queue, node or rack by its name, or go to a container such as wordcount1/1/map/0"},
    )


def _rows() -> html.Div:
    """What a row is, in which order rows stand, and which are shown."""
    choices = lambda pairs: [{"value": key, "label": title} for key, title in pairs]
    select = {"size": "xs", "allowDeselect": False, "comboboxProps": {"width": 170}}
    return html.Div(
        [
            dmc.Select(id="rows-by", data=choices(BY), value="lane", **select, **{"aria-label": "Rows"}),
            dmc.Select(id="rows-sort", data=choices(SORTS), value="order", **select, **{"aria-label": "Order of the rows"}),
            dmc.TextInput(id="rows-find", placeholder="Filter rows", size="xs", debounce=300, **{"aria-label": "Show only rows whose name contains this"}),
        ],
        className="rows-tools",
        role="group",
        **{"aria-label": "Rows of all charts"},
    )


def _map() -> html.Div:
    """All of the first scheduler's run, with a frame around what the charts show."""
    return html.Div(
        [
            html.Img(id="map-picture", alt="", draggable="false"),
            html.Div(id="map-frame", className="map-frame"),
        ],
        id="map",
        className="map",
        hidden=True,
        title="Where the charts are in the whole run: drag the frame, or click",
        **{"aria-hidden": "true"},
    )


_PRESSED = {"aria-label": "Charts side by side", "aria-pressed": "true"}


def _zoom() -> html.Div:
    keys = (("out", "minus", "Zoom out (S or -)"), ("in", "plus", "Zoom in (W or +)"), ("all", "reset", "Show all of the run (0)"))
    buttons = [html.Button(icon(picture), type="button", title=title, **{"data-zoom": zoom, "aria-label": title}) for zoom, picture, title in keys]
    drag = "Drag selects an interval of time; press to let it pan again. Shift and drag does the other."
    more = [
        html.Button(icon("columns"), type="button", id="card-columns", title="Charts side by side or one below the other", **_PRESSED),
        html.Button(icon("span"), type="button", id="drag-mode", title=drag, **{"aria-label": "Drag selects an interval of time", "aria-pressed": "false"}),
        html.Button("?", type="button", id="show-keys", className="letter", title="Keys (?)", **{"aria-label": "Keys of the charts"}),
    ]
    return html.Div([*buttons, *more], className="zoom", role="group", **{"aria-label": "Zoom of all charts"})
