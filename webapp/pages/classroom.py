"""A class: the page that its students open, and its teacher's by the secret link."""

from __future__ import annotations

from typing import Any

from dash import Dash, html
from flask import Response, request

from engine import GantryError
from webapp.classroom.classes import find_class, find_overview, find_student, progress
from webapp.classroom.pseudonyms import visitor
from webapp.messages import msg
from webapp.pages import parts
from webapp.panels.exercises import class_entry, class_overview


def has_page(section: str, name: str) -> bool:
    """Is there a class at /class/NAME, or an overview at /overview/NAME? Yes as well where the database does
    not answer, which the page says.
    """
    finds = {"class": find_class, "overview": find_overview}
    try:
        return section in finds and finds[section](name) is not None
    except GantryError:
        return True


def entry(name: str = "", **_query: Any) -> html.Main:
    """The students' page of a class, by its id."""
    try:
        of = find_class(name)
        if of is None:
            return _sentence(msg("pages.classroom.no_class"), msg("pages.classroom.no_class_about"))
        own = visitor()
        if own is None:
            return _sentence(of.heading, msg("shared.no_cookies"))
        content = class_entry.layout(of, find_student(of.id, own), progress(of.id, own))
    except GantryError as error:
        return _sentence(msg("pages.classroom.away"), str(error))
    return parts.page([html.H1(of.heading), *content], "wide class-entry")


def teacher_layout(secret: str = "", **_query: Any) -> html.Main:
    """The teacher's page of a class, by the overview's secret."""
    try:
        of = find_overview(secret)
        if of is None:
            return _sentence(msg("pages.classroom.no_class"), msg("pages.classroom.no_overview"))
        content = class_overview.layout(secret, of, f"{request.scheme}://{request.host}")
    except GantryError as error:
        return _sentence(msg("pages.classroom.away"), str(error))
    page = [html.H1([of.heading, " ", html.Span(msg("pages.classroom.overview"), className="badge")])]
    return parts.page([html.Div([*page, *content], id="class-page")], "wide class-overview")


def title(name: str = "", **_query: Any) -> str:
    """Of the students' window."""
    try:
        of = find_class(name)
    except GantryError:
        of = None
    return parts.window_title(of.heading if of else None)


def _sentence(title: str, text: str) -> html.Main:
    more = parts.link(msg("pages.classroom.to_exercises"), "/exercises")
    return parts.page([html.H1(title), html.P(text), html.P(more)])


def register(app: Dash) -> None:
    """The address of an overview is its secret: no page that it leads to is told of it, and nobody on the way
    keeps it.
    """

    @app.server.after_request
    def keep_secret(response: Response) -> Response:
        if request.path.startswith(f"{app.config.routes_pathname_prefix}overview/"):
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["Cache-Control"] = "no-store"
        return response
