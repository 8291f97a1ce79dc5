"""A class as a student opens it: a name or a number, the exercises and how far they are with each."""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html, no_update

from engine import GantryError, quantities
from engine.dashboard import Exercise
from webapp.classroom.classes import Class, ClassError, Student, join
from webapp.classroom.classes import State as Progress
from webapp.classroom.pseudonyms import visitor
from webapp.classroom.shared_exercises import exercise_of_name
from webapp.jobs import job_manager
from webapp.messages import msg
from webapp.panels.components import attributes, button
from webapp.panels.copy_field import labelled_field
from webapp.panels.exercises.course_list import exercise_address, kind_text
from webapp.panels.papers.pieces import folded, sign

SOLVED, BEGUN = {"data-solved": "true"}, {"data-begun": "true"}


def layout(of: Class, student: Student | None, states: dict[str, Progress]) -> list:
    """The form for a name, the exercises, and what is kept."""
    name = dcc.Input(id="class-name", value=student.name if student else "", autoComplete="off")
    join_button = button(_join_text(student is not None), id="class-join", className="share-do")
    other = button(
        msg("panels.class_entry.other"), id="class-other", className="exercise-tool", hidden=student is None
    )
    says = html.P(who(student) if student else "", id="class-who", role="status")
    field = labelled_field(
        "class-name",
        msg("panels.class_entry.name"),
        name,
        join_button,
        html.P(msg("panels.class_entry.name_about"), className="help"),
    )
    entries = [
        _entry(number, name, exercise, of.id, states.get(name))
        for number, name in enumerate(of.exercises, 1)
        if (exercise := exercise_of_name(name))
    ]
    return [
        dcc.Store(id="class-of", data=of.id),
        dcc.Store(id="class-anew", data=False),
        dcc.Store(id="class-left"),
        html.Div([says, other], className="class-who"),
        html.Div(field, className="share class-join"),
        html.H2("Exercises"),
        html.Ol(entries, className="exercises"),
        folded(msg("panels.class_entry.kept"), [html.P(text) for text in kept_texts(of)]),
    ]


def who(student: Student) -> str:
    """Under which name they are in the class."""
    return msg("panels.class_entry.you_are", name=student.title)


def kept_texts(of: Class) -> tuple[str, ...]:
    """What is kept, for how long, and how it is deleted."""
    return (
        msg("panels.class_entry.kept_what"),
        msg("panels.class_entry.kept_how_long", until=day_text(of)),
        msg("panels.class_entry.kept_who"),
    )


def day_text(of: Class) -> str:
    """When the class is deleted, as a day."""
    return f"{of.expires:%-d %B %Y}"


def state_text(state: Progress | None) -> str:
    """How far a student is with an exercise; "" with one that they have not opened."""
    if state is None:
        return ""
    hints = quantities.count(state.hints, "hints") if state.hints else ""
    if state.solved_at_try:
        text = msg("panels.class_entry.solved_at", number=state.solved_at_try)
    elif state.tries:
        text = quantities.count(state.tries, "answers")
    else:
        text = msg("panels.class_entry.opened")
    shown = msg("panels.class_entry.answer_shown") if state.shown else ""
    return ", ".join(filter(None, (text, hints, shown)))


def _entry(number: int, name: str, exercise: Exercise, class_id: str, state: Progress | None) -> html.Li:
    head = html.H3(html.A(exercise.title, href=exercise_address(name, class_id)))
    says = html.Span(state_text(state), className="class-state")
    kind = html.Span(kind_text(exercise), className="badge")
    content = html.Div([head, html.P(exercise.learn), kind, says])
    mark = (SOLVED if state.solved_at_try else BEGUN) if state else {}
    return html.Li([sign(str(number), "exercises-number"), content], **attributes(mark))


def joined(class_id: Any, name: Any, anew: bool) -> str:
    """Joins the class under this name; what is said of it. anew: as someone else than who sat at this browser
    before, whose answers stay as they are.
    """
    own = visitor()
    if own is None:
        raise ClassError(msg("shared.no_cookies"))
    own = job_manager.new_visitor() if anew else own
    student = join(str(class_id), own, name if isinstance(name, str) else "")
    if anew:
        job_manager.name_visitor(own)
    return who(student)


def _join_text(is_known: bool) -> str:
    return msg("panels.class_entry.rename") if is_known else msg("shared.join")


def register(app: Dash) -> None:
    """The callback that joins; after someone else has, a script forgets what this browser kept of the former
    student, and loads the page again.
    """
    app.clientside_callback(
        ClientsideFunction("gantry", "classLeft"), Input("class-left", "data"), prevent_initial_call=True
    )

    @app.callback(
        Output("class-who", "children"),
        Output("class-other", "hidden"),
        Output("class-join", "children"),
        Output("class-left", "data"),
        Input("class-join", "n_clicks"),
        Input("class-name", "n_submit"),
        State("class-of", "data"),
        State("class-name", "value"),
        State("class-anew", "data"),
        prevent_initial_call=True,
    )
    def join_class(_clicks: Any, _submits: Any, class_id: Any, name: Any, anew: Any) -> tuple:
        try:
            said = joined(class_id, name, anew is True)
        except GantryError as error:
            return str(error), no_update, no_update, no_update
        return said, False, _join_text(True), True if anew is True else no_update
