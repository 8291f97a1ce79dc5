"""The bar of the dashboard, in the head of the page: the scenario, Run, what it says, how far it is, and what
can be done with a result.
"""

from __future__ import annotations

from dash import ClientsideFunction, Dash, Input, dcc, html

from webapp.messages import msg
from webapp.panels.components import attributes, icon
from webapp.panels.run import recent, run_routes
from webapp.panels.share import export, share, slides


def layout() -> html.Section:
    """Edit, the title, Run, status and progress; a script speaks in it."""
    return html.Section(
        [
            html.Button(
                [icon("edit"), "Edit"],
                id="turn-rail",
                type="button",
                className="rail-button",
                title=msg("panels.runbar.edit_scenario"),
                **attributes({"aria-expanded": "false", "aria-controls": "rail"}),
            ),
            html.Span("", id="rail-title", className="rail-title"),
            html.Button(
                [icon("play"), "Run"],
                id="run",
                type="button",
                className="run-button",
                title=msg("panels.runbar.run_ctrl_enter"),
                **attributes({"aria-describedby": "run-reason"}),
            ),
            html.Div(
                [
                    html.P("", id="run-reason", className="reason"),
                    html.P("Opening…", id="run-status", role="status", **attributes({"aria-live": "polite"})),
                ],
                className="run-says",
            ),
            html.Div(
                [
                    html.Progress(
                        id="run-progress",
                        max="100",
                        value="0",
                        **attributes({"aria-label": msg("panels.runbar.progress_run")}),
                    ),
                    html.Button("Cancel", id="cancel", type="button"),
                ],
                id="run-under-way",
                className="under-way",
                hidden=True,
            ),
            dcc.Store(id="run-again"),
            html.Div(
                [share.button(), export.button(), slides.layout(), recent.button()],
                className="result-tools",
            ),
        ],
        className="runbar",
        **attributes({"aria-label": "Run"}),
    )


def register(app: Dash) -> None:
    """The routes of the runs, and what the choice of schedulers says on its way into the page's state."""
    run_routes.register(app)
    app.clientside_callback(ClientsideFunction("gantry", "unknown"), Input("scheduler-faults", "data"))
    app.clientside_callback(
        ClientsideFunction("gantry", "runAgain"), Input("run-again", "data"), prevent_initial_call=True
    )
