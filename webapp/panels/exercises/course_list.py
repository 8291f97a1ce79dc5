"""The course: its lessons, their exercises, and which of them this browser has solved."""

from __future__ import annotations

from urllib.parse import urlencode

from dash import ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html

from engine.dashboard import Exercise, Lesson, course
from webapp.classroom.shared_exercises import exercise_of_name
from webapp.messages import msg
from webapp.panels.components import attributes, button
from webapp.panels.exercises.exercise_store import class_of
from webapp.panels.papers.pieces import sign

MAX_CLASS_CHARS = 64  # letters of a class's id in an address


def kind_text(exercise: Exercise) -> str:
    """What is to be done, in plain words."""
    task = exercise.task
    return {
        "first": msg("panels.course_list.first"),
        "makespan": msg("panels.course_list.makespan"),
        "next": msg("panels.course_list.next"),
        "place": msg("panels.course_list.place"),
        "reach": msg("panels.course_list.reach"),
        "explain": msg("panels.course_list.explain"),
        "compute": msg("panels.course_list.compute"),
    }[task.ask if task.kind == "predict" else task.kind]


def exercise_address(name: str, class_id: str = "") -> str:
    """The address of an exercise's page; class_id: of the class that it is done in."""
    return get_relative_path(f"/exercises/{name}") + (
        f"?{urlencode({'class': class_id})}" if class_id else ""
    )


def course_names() -> list[str]:
    """The course's exercises, in their order."""
    return [name for lesson in course() for name in lesson.exercises]


def layout() -> list:
    """The lessons in their order."""
    forget = button(
        msg("panels.course_list.forget"), id="exercises-forget", className="link-button", hidden=True
    )
    progress = html.Div(
        [html.P(id="exercises-progress", role="status", tabIndex="-1"), forget],
        className="exercises-progress",
    )
    return [
        dcc.Store(id="exercises-names", data=course_names()),
        progress,
        *(_lesson(number, lesson) for number, lesson in enumerate(course(), start=1)),
    ]


def _entry(number: int, name: str, exercise: Exercise) -> html.Li:
    """An exercise in the list; a script marks it once it is solved."""
    head = html.H3(html.A(exercise.title, href=exercise_address(name)))
    kind = html.Span(kind_text(exercise), className="badge")
    content = html.Div([head, html.P(exercise.learn), kind])
    done = html.Span(msg("panels.course_list.solved"), className="exercises-done unseen")
    return html.Li(
        [sign(str(number), "exercises-number"), content, done], **attributes({"data-exercise": name})
    )


def _lesson(number: int, lesson: Lesson) -> html.Section:
    entries = [_entry(place, *one) for place, one in enumerate(lesson.exercises.items(), start=1)]
    title = html.H2([html.Span(f"{msg('panels.course_list.lesson', number=number)} "), lesson.title])
    about = html.P(lesson.about, className="quiet")
    return html.Section([title, about, html.Ol(entries, className="exercises")])


def neighbours(
    name: str, class_id: str = ""
) -> tuple[tuple[str, Exercise] | None, tuple[str, Exercise] | None]:
    """The exercises before and after this one in the class, else in the course; none of one that is in
    neither.
    """
    of = class_of(class_id)
    names = ["", *(of.exercises if of else course_names()), ""]
    place = names.index(name) if name in names else 0
    return (_named(names[place - 1]), _named(names[place + 1])) if place else (None, None)


def _named(name: str) -> tuple[str, Exercise] | None:
    exercise = exercise_of_name(name) if name else None
    return (name, exercise) if exercise else None


def lesson_title(name: str) -> str:
    """The lesson of an exercise, "" of one that is not in the course."""
    titles = (
        f"{msg('panels.course_list.lesson', number=number)} {lesson.title}"
        for number, lesson in enumerate(course(), start=1)
        if name in lesson.exercises
    )
    return next(titles, "")


def register(app: Dash) -> None:
    """A script says what is solved, for only the browser knows."""
    app.clientside_callback(
        ClientsideFunction("gantry", "exercisesListed"),
        Output("exercises-progress", "children"),
        Input("exercises-names", "data"),
    )
