"""Play: a cursor that runs through time, decision by decision if one likes, and the cluster as nodes that fill up."""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, get_relative_path, html
from flask import Response, jsonify, request

from webapp.panels.components import icon
from webapp.services import runs
from webapp.services.playback import MOST, pack

ADDRESS = "play"
KEPT_S = 86_400  # by the browser: a key's runs never change
SPEEDS = (
    ("w10", "All in 10 s"),
    ("w30", "All in 30 s"),
    ("w60", "All in 60 s"),
    ("x1", "Real time"),
    ("x10", "10 x real time"),
    ("x100", "100 x real time"),
)
BUTTONS = (
    ("first", "first", "To the start (Home)", "Home"),
    ("back", "left", "Previous decision ([)", "["),
    ("play", "play", "Play (Space)", "Space"),
    ("next", "right", "Next decision (])", "]"),
    ("last", "last", "To the end (End)", "End"),
)
GONE = "Result expired: run again.\n"
TOO_MANY = f"Play follows at most {MOST:,} containers of a scheduler at a time: zoom the charts in to fewer, then press Play again."


def layout() -> html.Section:
    """The transport bar; a script fills in the slider and, once it is used, the nodes."""
    buttons = [
        html.Button(icon(picture), type="button", title=title, **{"data-play": act, "aria-label": title, "aria-keyshortcuts": keys})
        for act, picture, title, keys in BUTTONS
    ]
    speed = html.Select([html.Option(title, value=value) for value, title in SPEEDS], id="play-speed", title="Speed", **{"aria-label": "Speed"})
    nodes = {"data-play": "nodes", "aria-expanded": "false", "aria-controls": "play-nodes"}
    return html.Section(
        [
            html.Div(
                [
                    html.Div(buttons, className="play-buttons"),
                    html.Div(id="play-slider", className="play-slider"),
                    html.Span("", id="play-time", className="play-time"),
                    speed,
                    html.Div(id="play-shown", className="play-shown"),
                    html.Button("Nodes", type="button", title="The cluster's nodes and what they hold at the cursor", **nodes),
                ],
                className="play-bar",
                role="group",
                **{"aria-label": "Playback"},
            ),
            html.P("", id="play-note", className="help", role="status"),
            html.P("", id="play-says", className="unseen", role="status", **{"aria-live": "polite"}),
            html.Div(id="play-nodes", className="play-nodes", hidden=True),
            html.P("", id="play-reading", className="help", hidden=True),
        ],
        id="play",
        className="play",
        **{"aria-label": "Play", "data-address": get_relative_path(f"/{ADDRESS}/")},
    )


def register(app: Dash) -> None:
    """The address of the runs as the page plays them, and the callback that tells the script of a new result."""
    inputs = [Input(store, "data") for store in ("result", "viewport", "highlight", "scheme")]
    app.clientside_callback(ClientsideFunction("gantry", "played"), Output("play", "className"), *inputs)

    @app.server.get(f"{app.config.routes_pathname_prefix}{ADDRESS}/<key>/<int:number>")
    def play(key: str, number: int) -> Response:
        task = runs.known(key)
        if task is None or number >= len(task.schedulers):
            return Response(GONE, 404, mimetype="text/plain")
        run = runs.outcome(task.scenario, task.schedulers[number]).run
        packed = pack(run, window(request.args))
        if packed is None:
            return jsonify({"says": TOO_MANY})  # no error: the page asks first for all of a run, then for what is looked at
        return Response(packed, mimetype="application/octet-stream", headers={"Cache-Control": f"private, max-age={KEPT_S}"})


def window(asked: Any) -> tuple[int, int] | None:
    """The window in ms that an address asks for; None: all of the run."""
    try:
        x0, x1 = int(asked["x0"]), int(asked["x1"])
    except (KeyError, ValueError):
        return None
    return (x0, x1) if 0 <= x0 < x1 < 2**53 else None
