"""An exercise: what it is about, its scenario, its question with a form, hints and what is said of an answer,
its charts. A script makes the form of the question's fields.
"""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, html

from engine import GantryError
from engine.dashboard import Exercise, Question, question
from webapp import theme
from webapp.messages import msg
from webapp.panels.components import attributes, button, legend
from webapp.panels.exercises import answer_routes, course_list, exercise_scenario
from webapp.panels.exercises.bounded_runs import answer_bound, bounded_run
from webapp.panels.papers.pieces import column_heads, region


def layout(name: str, exercise: Exercise, class_id: str, draft: dict[str, Any] | None = None) -> list:
    """Everything below the title; class_id: "" for none; draft: the exercise's JSON values, of one that has
    no name yet.
    """
    try:
        with answer_bound():
            asked = question(exercise, bounded_run)
    except GantryError as error:
        return [html.P(str(error), className="deadlock")]
    about = [html.P(text.strip()) for text in exercise.text.split("\n\n") if text.strip()]
    return [
        dcc.Store(id="exercise-data", data=_data(name, exercise, asked, class_id) | {"draft": draft}),
        dcc.Store(id="exercise-look"),
        html.Div(
            [
                html.Div(about, className="exercise-about"),
                _question(exercise, asked),
                exercise_scenario.layout(exercise, asked),
                _charts(asked),
            ],
            className="exercise-parts",
        ),
    ]


def _data(name: str, exercise: Exercise, asked: Question, class_id: str) -> dict[str, Any]:
    """What the script makes the page of."""
    fields = [
        {**field._asdict(), "choices": [one._asdict() for one in field.choices]} for field in asked.fields
    ]
    _, after = course_list.neighbours(name, class_id)
    return {
        "name": name,
        "class": class_id,
        "kind": exercise.task.kind,
        "fields": fields,
        "hints": exercise.hints,
        "learn": exercise.learn,
        "hidden": asked.charts_until_ms is not None,
        "next": after and {"title": after[1].title, "href": course_list.exercise_address(after[0], class_id)},
    }


def _question(exercise: Exercise, asked: Question) -> html.Section:
    tables = [
        html.Div(
            [html.H3(table.title), region(table.title, _table(table.columns, table.rows), "exercise-table")]
        )
        for table in asked.tables
    ]
    solved = html.Span(msg("panels.exercise_page.solved"), id="exercise-solved", hidden=True)
    says = attributes({"tabIndex": "-1", "aria-live": "polite"})
    tools = [
        button("", id="exercise-hint", className="exercise-tool", hidden=not exercise.hints),
        button(msg("panels.exercise_page.show"), id="exercise-show", className="exercise-tool", hidden=True),
        button(
            msg("panels.exercise_page.reset"), id="exercise-reset", className="exercise-tool", hidden=True
        ),
    ]
    content = [
        html.P([course_list.kind_text(exercise), solved], className="exercise-kind"),
        html.H2(asked.prompt, id="exercise-prompt"),
        html.Div(tables, className="exercise-state"),
        html.Form(
            id="exercise-form", **attributes({"aria-labelledby": "exercise-prompt", "noValidate": "true"})
        ),
        html.Div(id="exercise-says", className="exercise-says", role="status", **says),
        html.Ol(
            id="exercise-hints",
            className="exercise-hints",
            tabIndex="-1",
            **attributes({"aria-live": "polite"}),
        ),
        html.Div(tools, className="exercise-tools"),
        html.Div(id="exercise-tries"),
    ]
    label = attributes({"aria-labelledby": "exercise-prompt"})
    return html.Section(content, className="exercise-question", **label)


def _table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> html.Table:
    body = [
        html.Tr([html.Th(first, scope="row"), *(html.Td(cell) for cell in rest)]) for first, *rest in rows
    ]
    return html.Table([column_heads(columns), html.Tbody(body)])


def _charts(asked: Question) -> html.Section:
    """Filled by the script once it knows how wide they are."""
    label = attributes({"aria-labelledby": "exercise-charts-title"})
    colours = legend(theme.USUAL_PHASES, msg("shared.colours_charts"))
    return html.Section(
        [
            html.H2(msg("panels.exercise_page.charts"), id="exercise-charts-title"),
            html.P(id="exercise-charts-about", className="quiet"),
            html.Div(id="exercise-charts", className="exercise-room"),
            html.Div([colours, html.P(id="exercise-open")], className="exercise-below"),
        ],
        className="exercise-charts card",
        **label,
    )


def register(app: Dash) -> None:
    """The script takes over once the page is there; the charts follow its width and its scheme."""
    answer_routes.register(app)
    app.clientside_callback(
        ClientsideFunction("gantry", "exerciseOpened"),
        Output("exercise-look", "data"),
        Input("exercise-data", "data"),
    )
    app.clientside_callback(
        ClientsideFunction("gantry", "exerciseDrawn"),
        Input("exercise-look", "data"),
        prevent_initial_call=True,
    )
