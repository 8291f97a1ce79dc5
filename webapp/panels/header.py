"""The head of every page: name, links, and light or dark."""

from __future__ import annotations

from typing import Any

from dash import get_asset_url, get_relative_path, html

from webapp.messages import msg
from webapp.panels.components import attributes, icon_button

LINKS = (
    ("/", "Dashboard"),
    ("/schedulers", "Schedulers"),
    ("/papers", "Papers"),
    ("/exercises", "Exercises"),
    ("/model", "Limits"),
    ("/help", "Help"),
)


def layout(current_path: str, middle: Any = None) -> html.Header:
    """The same on every page. current_path: its path, or that of the link it belongs to with a slash at the
    end; middle: what the dashboard has in it.
    """
    picture = html.Img(src=get_asset_url("favicon.svg"), alt="", width="26", height="26")
    brand = html.A(
        [picture, html.Span("Gantry")],
        href=get_relative_path("/"),
        className="brand",
        **attributes({"aria-label": "Gantry"}),
    )
    links = [
        html.A(title, href=get_relative_path(path), **attributes(_current(path, current_path)))
        for path, title in LINKS
    ]
    label = msg("panels.header.switch_between_light_and_dark")
    scheme = icon_button(
        "scheme", msg("panels.header.light_or_dark"), label=label, id="turn-scheme", className="turn-scheme"
    )
    middle = middle or html.P(msg("panels.header.yarn_schedulers_side_by_side"), className="tagline")
    nav = html.Nav(links, **attributes({"aria-label": "Pages"}))
    return html.Header([brand, middle, nav, scheme], className="head")


def _current(path: str, current_path: str) -> dict[str, str]:
    """Which of the links this page is, or belongs to."""
    if path == current_path:
        return {"aria-current": "page"}
    return {"aria-current": "true"} if current_path == f"{path}/" else {}
