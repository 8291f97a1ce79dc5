"""Files of the result shown: the scenario, the contract's result as JSON and CSV. Each chart's own picture
stands in its card.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from urllib.parse import urlsplit

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, get_relative_path, html
from flask import Response, request

from engine import GantryError, json_text, trace_text
from engine.dashboard import batsim_files, csv_tables, paje_text
from webapp import settings
from webapp.messages import msg
from webapp.panels.menu import menu
from webapp.report import report
from webapp.runs import saved_tasks
from webapp.runs.task import Task
from webapp.url import url_state
from webapp.url.links import link_store, now

FILES = (
    ("report.html", "Report", msg("panels.export.one_html_page_works_offline_and")),
    ("scenario.json", "Scenario", msg("panels.export.json_to_open_here_or_run")),
    ("result.json", "Result", msg("panels.export.json_metrics_jobs_and_every_container")),
    ("runs.csv", "Schedulers", msg("panels.export.csv_one_row_each_all_metrics")),
    ("jobs.csv", "Jobs", msg("panels.export.csv_one_row_job_and_scheduler")),
    ("containers.csv", "Containers", msg("panels.export.csv_one_row_container")),
    ("trace.json", "Trace", msg("panels.export.json_opens_in_perfetto_process_node")),
    ("paje.trace", "Pajé trace", msg("panels.export.opens_in_vite_and_pajeng")),
    ("batsim.zip", "Batsim CSV", msg("panels.export.zip_of_csv_opens_in_evalys")),
)
ADDRESS = "export"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def button() -> html.Div:
    """The menu of files; a script points its links to the result shown."""
    links = [
        html.A([title, html.Small(about)], href="", id={"type": "export", "file": file})
        for file, title, about in FILES
    ]
    where = dcc.Store(id="export-address", data=get_relative_path(f"/{ADDRESS}/"))
    return html.Div(
        [where, menu("show-export", "Export", links, "down", msg("panels.export.files_result_shown"))]
    )


def content(task: Task, file: str, page: str = "") -> tuple[Iterator[str] | bytes, str] | None:
    """A file's text in chunks or its bytes, and its type; None for a name that is none. page: the dashboard's
    own address, for links back to it; "" where it is not known.
    """
    if file == "report.html":
        return report(task, now(), _link(task, page), f"{page}model" if page else None), "text/html"
    if file == "scenario.json":
        return iter([task.scenario.json()]), "application/json"
    runs = [one.run for one in task.outcomes()]
    if file == "result.json":
        return json_text(task.scenario, runs), "application/json"
    if file == "trace.json":
        return trace_text(runs), "application/json"
    if file == "paje.trace":
        return paje_text(runs), "text/plain"
    if file == "batsim.zip":
        return _zipped(batsim_files(runs)), "application/zip"
    text = csv_tables(runs).get(file)
    return (text, "text/csv") if text else None


def _zipped(files: dict[str, Iterator[str]]) -> bytes:
    """An archive of them, whose bytes are the same each time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), "".join(text), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def dashboard_address(sent: str, host: str | None = None) -> str:
    """The dashboard's address as the browser has it: http or https, of this host if one is given; else "".
    What else stands in it is left out.
    """
    try:
        parts = urlsplit(sent)
    except ValueError:
        return ""
    path = parts.path.rstrip("/") + "/"
    is_trusted = parts.scheme in ("http", "https") and host in (parts.netloc, None)
    return f"{parts.scheme}://{parts.netloc}{path}" if is_trusted and parts.netloc and path.isascii() else ""


def trusted_host(host: str) -> str | None:
    """The host if it is trusted: one that the owner configured, or loopback. A Host header alone can be
    forged, and a report is read by others."""
    name = urlsplit(f"//{host}").hostname or ""
    # of named ones Flask has refused all others
    return host if settings.trusted_hosts() or name in LOOPBACK else None


def _link(task: Task, page: str) -> str | None:
    """The address of the shared result, if it was shared; what follows the dashboard's own where that is not
    known.
    """
    try:
        return f"{page}{url_state.address(link=task.link)}" if link_store().find(task.link) else None
    except GantryError:
        return None


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
        task, host = saved_tasks.load_task(key), trusted_host(request.host)
        page = dashboard_address(request.args.get("page", ""), host) if host else ""
        answer = content(task, file, page) if task and task.is_available else None
        if task is None or answer is None:
            expired = msg("panels.export.result_expired_open_dashboard_run_again")
            return Response(expired, 404, mimetype="text/plain")
        text, media_type = answer
        headers = {"Content-Disposition": f'attachment; filename="{file_name(task, file)}"'}
        return Response(text, mimetype=media_type, headers=headers)
