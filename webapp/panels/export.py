"""Files of the result shown: the scenario, the contract's result as JSON and CSV. Each chart's own picture stands in its card."""

from __future__ import annotations

import re
from collections.abc import Iterator

import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, get_relative_path, html
from flask import Response

from engine import csv_tables, json_text, trace_text
from webapp import runs
from webapp.panels.parts import icon
from webapp.runs import Task

FILES = (
    ("scenario.json", "Scenario", "JSON, to open here or run by the command line"),
    ("result.json", "Result", "JSON: metrics, jobs and every container"),
    ("runs.csv", "Schedulers", "CSV, one row each, all metrics"),
    ("jobs.csv", "Jobs", "CSV, one row a job and scheduler"),
    ("containers.csv", "Containers", "CSV, one row a container"),
    ("trace.json", "Trace", "JSON, opens in Perfetto: a process a node, a row a lane"),
)
ADDRESS = "export"


def button() -> dmc.Menu:
    """The menu of files; a script points its links to the result shown."""
    links = [dmc.MenuItem([title, html.Small(about)], href="", id={"type": "export", "file": file}, refresh=True) for file, title, about in FILES]
    opener = dmc.Button("Export", id="show-export", variant="default", size="compact-sm", leftSection=icon("down"))
    where = dcc.Store(id="export-address", data=get_relative_path(f"/{ADDRESS}/"))
    return dmc.Menu([where, dmc.MenuTarget(opener), dmc.MenuDropdown([dmc.MenuLabel("The result shown"), *links])], position="bottom-end", keepMounted=True)


def content(task: Task, file: str) -> tuple[Iterator[str], str] | None:
    """A file's text in chunks and its type; None for a name that is none."""
    if file == "scenario.json":
        return iter([task.scenario.json()]), "application/json"
    found = [one.run for one in task.outcomes()]
    if file == "result.json":
        return json_text(task.scenario, found), "application/json"
    if file == "trace.json":
        return trace_text(found), "application/json"
    text = csv_tables(found).get(file)
    return (text, "text/csv") if text else None


def file_name(task: Task, file: str) -> str:
    """What a browser saves it as: the scenario's name in plain letters, then the file's."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", task.scenario.name).strip("-").lower()[:60]
    return f"{stem or 'gantry'}-{file}"


def register(app: Dash) -> None:
    """The addresses of the files, and the callback that points the links to them."""
    app.clientside_callback(
        ClientsideFunction("gantry", "exports"),
        Output({"type": "export", "file": ALL}, "href"),
        Input("result", "data"),
        State("export-address", "data"),
        State({"type": "export", "file": ALL}, "id"),
        prevent_initial_call=True,
    )

    @app.server.get(f"{app.config.routes_pathname_prefix}{ADDRESS}/<key>/<file>")
    def export(key: str, file: str) -> Response:
        task = runs.known(key)
        found = content(task, file) if task else None
        if found is None:
            return Response("This result is no longer on the server: open the dashboard, press Run and export again.\n", 404, mimetype="text/plain")
        text, kind = found
        return Response(text, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{file_name(task, file)}"'})
