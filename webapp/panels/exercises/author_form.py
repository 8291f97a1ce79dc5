"""An exercise is written: a script makes the form (assets/scripts/exercises/author/), the server what of it a
student sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, html

from engine import GantryError
from engine.dashboard import exercise_of_values
from webapp.messages import msg
from webapp.panels.components import attributes, button
from webapp.panels.exercises import author_routes, author_start, class_dialog, exercise_page


def layout(query: Mapping[str, Any]) -> list:
    """Everything below the title, for an address; what is wrong with that is said first."""
    begin = author_start.start(query)
    complaints = [html.P(text, role="alert") for text in begin.complaints]
    back = button(msg("panels.author_form.back"), id="author-back", className="exercise-tool")
    bar = html.Div(
        [html.P(msg("panels.author_form.as_a_student")), back],
        id="author-bar",
        className="author-bar",
        tabIndex="-1",
    )
    tried = [bar, html.Div(id="author-tried", className="exercise")]
    return [
        html.Div(complaints, className="complaints"),
        dcc.Store(id="author-start", data={"exercise": begin.exercise, **author_start.choices()}),
        dcc.Store(id="author-try"),
        html.Div(id="author", className="author exercise", **attributes({"aria-busy": "true"})),
        html.Div([class_dialog.open_button(), class_dialog.layout()], hidden=True),
        html.Div(tried, id="author-preview", hidden=True),
    ]


def tried(values: Any) -> list:
    """What a student sees of an exercise's JSON values, or what is wrong with them; nothing of None."""
    if values is None:
        return []
    try:
        exercise = exercise_of_values(values)
    except GantryError as error:
        return [html.P(line) for line in str(error).splitlines()]
    return [html.H1(exercise.title), *exercise_page.layout("", exercise, "", values)]


def register(app: Dash) -> None:
    """The form's addresses, the script that makes it, and the exercise as it is tried."""
    author_routes.register(app)
    app.clientside_callback(
        ClientsideFunction("gantry", "authorOpened"),
        Output("author", "aria-busy"),
        Input("author-start", "data"),
    )

    app.callback(Output("author-tried", "children"), Input("author-try", "data"), prevent_initial_call=True)(
        tried
    )
