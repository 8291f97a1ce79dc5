"""The head of every page: name, ways, and light or dark."""

from __future__ import annotations

from dash import get_asset_url, get_relative_path, html

from webapp.panels.components import icon


def layout() -> html.Header:
    """The same on every page."""
    return html.Header(
        [
            html.A(
                [html.Img(src=get_asset_url("favicon.svg"), alt="", width="26", height="26"), html.Span("Gantry")],
                href=get_relative_path("/"),
                className="brand",
            ),
            html.P("YARN schedulers, side by side", className="tagline"),
            html.Nav(
                [
                    html.A("Dashboard", href=get_relative_path("/")),
                    html.A("Schedulers", href=get_relative_path("/schedulers")),
                    html.A("Papers", href=get_relative_path("/papers")),
                    html.A("Limits", href=get_relative_path("/model")),
                ],
                **{"aria-label": "Pages"},
            ),
            html.Button(icon("scheme"), id="turn-scheme", type="button", title="Light or dark", **{"aria-label": "Switch between light and dark"}),
        ],
        className="head",
    )
