"""The pages and what stands around each of them.

May import: classroom, documents, figures, http, jobs, messages, panels, report, runs, theme, url.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dash
import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html
from flask import request

from engine.dashboard import guides
from webapp import panels, theme
from webapp.figures.timeline import style
from webapp.messages import msg, style_messages
from webapp.pages import (
    checked,
    classroom,
    exercises,
    exercises_new,
    help,
    limits,
    main,
    not_found,
    painting,
    papers,
    parts,
    prediction,
    schedulers,
)
from webapp.panels import components, header
from webapp.panels.share import embed, preview

ABOUT = msg("pages.pages.see_every_container_hadoop_yarns_schedulers")
THEME = {
    "primaryColor": "indigo",
    "primaryShade": {"light": 8, "dark": 7},  # white reads on both, 4.5:1
    "defaultRadius": "sm",
    "fontFamily": theme.FONT,
    "cursorType": "pointer",
}


def index(icon: str) -> str:
    """The document around every page, as Dash fills it in; icon: the address of its picture."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
{{%metas%}}
<meta name="color-scheme" content="light dark">
<title>{{%title%}}</title>
<link rel="icon" type="image/svg+xml" href="{icon}">
{{%css%}}
<style>body{{font-family:{theme.FONT};line-height:1.55}}{theme.css()}{style.css()}{style_messages()}</style>
</head>
<body>
{style.hatches()}
{{%app_entry%}}
<footer>{{%config%}}{{%scripts%}}{{%renderer%}}</footer>
</body>
</html>"""


STATIC_PATHS = {
    "",
    "checked-against-hadoop",
    "exercises",
    "exercises/new",
    "help",
    "model",
    "papers",
    "prediction",
    "schedulers",
}


def has_page(path: str) -> bool:
    """Whether there is a page at this path, which comes without its outer slashes; any other shows that
    nothing is here.
    """
    section, _, name = path.partition("/")
    if section == "help" and name:
        return help.has_document(name)
    return (
        path in STATIC_PATHS
        or (section == "schedulers" and name in guides())
        or (section == "papers" and papers.has_page(name))
        or (section == "exercises" and exercises.has_exercise(name))
        or classroom.has_page(section, name)
    )


def first_paint(app: Dash) -> str:
    """What the page of this request shows before any script has run."""
    is_dashboard = request.path == app.config.routes_pathname_prefix
    query = {key: values if len(values) > 1 else values[0] for key, values in request.args.lists()}
    return painting.html(query) if is_dashboard else ""


_CHECKED, _PREDICTION = msg("shared.checked_against_hadoop"), msg("shared.how_well_does_predict")
_OVERVIEW = msg("pages.classroom.overview")
TEXT_PAGES = (  # the pages of text: key, path, title, name, layout, and its place in the head
    ("model", "/model", msg("shared.limits_model"), "Model", limits.layout, "/model"),
    ("checked", "/checked-against-hadoop", _CHECKED, _CHECKED, checked.layout, ""),
    ("prediction", "/prediction", _PREDICTION, _PREDICTION, prediction.layout, ""),
    ("schedulers", "/schedulers", "Schedulers", "Schedulers", schedulers.index, "/schedulers"),
    ("scheduler", "/schedulers/<name>", schedulers.title, "Scheduler", schedulers.layout, "/schedulers/"),
    ("exercises", "/exercises", "Exercises", "Exercises", exercises.index, "/exercises"),
    ("author", "/exercises/new", exercises_new.TITLE, "New", exercises_new.layout, "/exercises/"),
    ("exercise", "/exercises/<name>", exercises.title, "Exercise", exercises.layout, "/exercises/"),
    ("class", "/class/<name>", classroom.title, "Class", classroom.entry, "/exercises/"),
    ("overview", "/overview/<secret>", _OVERVIEW, _OVERVIEW, classroom.teacher_layout, "/exercises/"),
    ("papers", "/papers", "Papers", "Papers", papers.index, "/papers"),
    ("paper", "/papers/<paper>", papers.paper_title, "Paper", papers.paper_layout, "/papers/"),
    ("help", "/help", "Help", "Help", help.index, "/help"),
    ("help_document", "/help/<name>", help.title, "Help", help.layout, "/help/"),
    ("experiment", "/papers/<paper>/<experiment>", papers.title, "Experiment", papers.layout, "/papers/"),
)


def _with_header(page: Callable[..., Any], current_path: str = "") -> Callable[..., html.Div]:
    """A page of text below the head of all pages. current_path: as header.layout has it."""
    return lambda **query: html.Div(
        [header.layout(current_path), page(**query), html.Footer(components.version(), className="foot")]
    )


def register(app: Dash) -> None:
    """Every page, the frame around them, and every panel's callbacks."""
    app.index_string = index(app.get_asset_url("favicon.svg"))
    dash.register_page(
        "main",
        path="/",
        description=lambda: preview.description(ABOUT),
        title=lambda: preview.window_title(msg("pages.pages.gantry_yarn_schedulers_side_by_side")),
        name="Dashboard",
        layout=main.layout,
    )
    for key, path, title, name, page, current_path in TEXT_PAGES:
        route = {"path_template": path} if "<" in path else {"path": path}
        title = title if callable(title) else parts.window_title(title)
        layout = _with_header(page, current_path)
        dash.register_page(key, **route, description=ABOUT, title=title, name=name, layout=layout)
    layout = _with_header(not_found.layout)
    dash.register_page("not_found_404", title=parts.window_title(None), layout=layout)
    app.layout = dmc.MantineProvider(
        [
            html.A(msg("pages.pages.skip_to_results"), href="#results", className="skip"),
            html.P(id="notice", className="notice", role="alert"),
            dash.page_container,
            embed.way_out(),
            dcc.Store(id="scheme", storage_type="local"),
        ],
        id="mantine",
        theme=THEME,
    )
    app.clientside_callback(
        ClientsideFunction("gantry", "scheme"),
        Output("scheme", "data"),
        Output("mantine", "forceColorScheme"),
        Input("turn-scheme", "n_clicks"),
        State("scheme", "data"),
    )
    panels.register(app)
    main.register(app)
    classroom.register(app)
    help.register(app)
