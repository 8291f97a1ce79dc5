"""The course of exercises, and a page an exercise."""

from __future__ import annotations

from typing import Any

from dash import html

from engine import GantryError
from webapp.classroom.shared_exercises import exercise_of_name
from webapp.messages import msg
from webapp.pages import not_found, parts
from webapp.panels.exercises import author_start, class_dialog, class_entry, course_list, exercise_page
from webapp.panels.exercises.course_list import MAX_CLASS_CHARS, exercise_address
from webapp.panels.exercises.exercise_store import class_of, note_opened


def index(**_query: str) -> html.Main:
    """The lessons with their exercises."""
    intro = html.P(msg("pages.exercises.intro"))
    write = parts.link(msg("shared.write_an_exercise"), author_start.PAGE)
    in_class = html.Div([class_dialog.open_button(), class_dialog.layout()], className="share class-new")
    content = [html.H1("Exercises"), intro, in_class, html.P(write), *course_list.layout()]
    return parts.page(content, "wide exercises-page")


def layout(name: str = "", **query: Any) -> html.Main:
    """The page of one; for a name that none has, the page that says so."""
    try:
        exercise = exercise_of_name(name)
    except GantryError as error:  # a shared one, and the database is away
        return parts.page([html.H1("Exercise"), html.P(str(error))])
    if exercise is None:
        return not_found.layout()
    given = query.get("class")
    class_id = given if isinstance(given, str) and len(given) <= MAX_CLASS_CHARS else ""
    student, of = note_opened(class_id, name), class_of(class_id)
    whole = parts.link(of.heading, f"/class/{of.id}") if of else parts.link("Exercises", "/exercises")
    where = parts.navigation(
        [whole, html.Span(" / "), course_list.lesson_title(name) or msg("pages.exercises.shared")],
        "crumbs",
        msg("shared.where"),
    )
    kept = parts.link(msg("panels.class_entry.kept"), f"/class/{class_id}")
    other = parts.link(msg("panels.class_entry.other"), f"/class/{class_id}")
    who = [html.P([class_entry.who(student), " ", other, " · ", kept])] if student else []
    content = [
        where,
        html.H1(exercise.title),
        *who,
        *exercise_page.layout(name, exercise, class_id),
        _navigation(name, class_id),
        html.P(html.A(msg("pages.exercises.own"), href=author_start.address(name)), hidden=bool(class_id)),
    ]
    return parts.page(content, "wide exercise")


def title(name: str = "", **_query: Any) -> str:
    """The title of the window."""
    try:
        exercise = exercise_of_name(name)
    except GantryError:
        return parts.window_title("Exercise")
    return parts.window_title(exercise.title if exercise else None)


def has_exercise(name: str) -> bool:
    """Is there an exercise of this name? Yes as well where the database does not answer, as the page says."""
    try:
        return exercise_of_name(name) is not None
    except GantryError:
        return True


def _navigation(name: str, class_id: str) -> html.Nav:
    """To the exercise before, to all of them, and to the next."""
    before, after = (
        (one[1].title, exercise_address(one[0], class_id)) if one else None
        for one in course_list.neighbours(name, class_id)
    )
    whole = (
        parts.link(msg("pages.exercises.to_class"), f"/class/{class_id}")
        if class_of(class_id)
        else parts.link(msg("pages.exercises.all"), "/exercises")
    )
    return parts.ways(before, whole, after, msg("pages.exercises.others"))
