"""Files of a study: itself, to be opened again, its runs as a table, and figures for print."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from dash import Dash, get_relative_path, html
from flask import Response, request

from engine import GantryError, study_figure
from engine.dashboard import (
    Metric,
    StudyResult,
    require_matplotlib,
    require_pyarrow,
    study_csv,
    study_parquet,
)
from webapp.jobs import studies
from webapp.messages import msg
from webapp.panels.compare.metric_tables import chosen_metric
from webapp.panels.components import attributes

ADDRESS = "study/files"
ID = re.compile("[0-9a-f]{32}")
EXPIRED = msg("panels.study_downloads.study_has_expired_open_page_and")


class Writer(NamedTuple):
    """title, about: for its link; write: the bytes of a result, drawn for a metric where it is a figure;
    check_available: raises GantryError with one sentence where this server lacks what it takes.
    """

    title: str
    about: str
    media_type: str
    write: Callable[[StudyResult, Metric], bytes]
    check_available: Callable[[], None] = lambda: None


def _figure(file_format: str) -> Callable[[StudyResult, Metric], bytes]:
    return lambda found, metric: study_figure(found, metric.key, file_format)


WRITERS: dict[str, Writer] = {
    "study.json": Writer(
        "Study",
        msg("panels.study_downloads.json_opens_here_again_and_runs"),
        "application/json",
        lambda found, _: found.study.json().encode(),
    ),
    "runs.csv": Writer(
        "CSV",
        msg("panels.study_downloads.one_row_run_all_metrics_seeds"),
        "text/csv",
        lambda found, _: "".join(study_csv(found)).encode(),
    ),
    "runs.parquet": Writer(
        "Parquet",
        msg("panels.study_downloads.same_with_its_types_study_in"),
        "application/vnd.apache.parquet",
        lambda found, _: study_parquet(found),
        require_pyarrow,
    ),
    "figure.svg": Writer(
        "SVG",
        msg("panels.study_downloads.figure_for_print_with_seeds_and"),
        "image/svg+xml",
        _figure("svg"),
        require_matplotlib,
    ),
    "figure.pdf": Writer(
        "PDF",
        msg("panels.study_downloads.same_as_pdf_its_font_embedded"),
        "application/pdf",
        _figure("pdf"),
        require_matplotlib,
    ),
}


def layout() -> html.Div:
    """Their links, which a script points to the study shown."""
    links = [_link(name, writer) for name, writer in WRITERS.items()]
    where = {
        "data-at": get_relative_path(f"/{ADDRESS}/"),
        "aria-label": msg("panels.study_downloads.files_study"),
    }
    return html.Div(links, id="study-files", className="study-files", role="group", **where)


def _link(name: str, writer: Writer) -> html.A | html.Span:
    """What this server can't write stands there with the reason."""
    try:
        writer.check_available()
    except GantryError as error:
        return html.Span(writer.title, title=str(error), className="study-file-missing")
    return html.A(writer.title, title=writer.about, download="", **attributes({"data-study-file": name}))


def register(app: Dash) -> None:
    """The addresses of the files."""

    @app.server.get(f"{app.config.routes_pathname_prefix}{ADDRESS}/<name>/<file>")
    def study_file(name: str, file: str) -> Response:
        writer = WRITERS.get(file)
        result = studies.find_by_id(name) if writer and ID.fullmatch(name) else None
        if writer is None or result is None:
            return Response(EXPIRED, 404, mimetype="text/plain")
        try:
            content = writer.write(result, chosen_metric(request.args.get("metric")))
        except GantryError as error:
            return Response(f"{error}\n", 501, mimetype="text/plain")
        stem = re.sub(r"[^A-Za-z0-9]+", "-", result.study.name).strip("-").lower()[:60] or "gantry"
        as_file = {"Content-Disposition": f'attachment; filename="{stem}-{file}"'}
        return Response(content, mimetype=writer.media_type, headers=as_file)
