"""gantry-collect, to be taken from the page to where the cluster is: one file that needs Python alone."""

from __future__ import annotations

from dash import Dash, get_relative_path, html
from flask import Response

from engine.dashboard import single_file_program

NAME = "gantry_collect.py"


def link() -> html.A:
    """Downloads it."""
    return html.A("gantry-collect", href=get_relative_path(f"/{NAME}"), download=NAME)


def register(app: Dash) -> None:
    """The address of the file."""

    @app.server.get(app.config.routes_pathname_prefix + NAME)
    def collect() -> Response:
        return Response(
            single_file_program(),
            mimetype="text/x-python",
            headers={"Content-Disposition": f"attachment; filename={NAME}"},
        )
