"""A class as its teacher sees it by the secret link: who is where, first answers for the projector, a file of
all, and its end. It asks for what is new every few seconds, and where nothing is nothing is drawn.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Collection, Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import ALL, Dash, Input, Output, State, ctx, dcc, get_relative_path, html, no_update

from engine import GantryError, quantities
from engine.dashboard import Exercise
from webapp.classroom.class_table import class_csv, csv_file_name
from webapp.classroom.classes import (
    Class,
    ClassError,
    Overview,
    changes,
    delete_class,
    find_overview,
    overview,
)
from webapp.classroom.classes import State as Progress
from webapp.classroom.shared_exercises import exercise_of_name
from webapp.messages import msg
from webapp.panels.components import CLOSE, attributes, button, icon
from webapp.panels.exercises import first_answers
from webapp.panels.exercises.class_entry import day_text, kept_texts, state_text
from webapp.panels.papers.pieces import folded, region, sign
from webapp.panels.share.share import qr_code

log = logging.getLogger("gantry")
EVERY_MS = 4_000  # between two looks


def layout(secret: str, of: Class, host: str) -> list:
    """The page. host: scheme and host of this server's address, for the students' link."""
    seen = overview(of)
    exercises = _exercises(of)
    entries = [
        _entry(number, name, exercise, seen) for number, (name, exercise) in enumerate(exercises.items(), 1)
    ]
    address = f"{host}{get_relative_path(f'/class/{of.id}')}"
    heads = [
        html.Th(str(number), scope="col", title=exercise.title)
        for number, exercise in enumerate(exercises.values(), 1)
    ]
    table = html.Table(
        [
            html.Thead(html.Tr([html.Th(msg("panels.class_overview.student"), scope="col"), *heads])),
            html.Tbody(_rows(seen, exercises), id="class-rows"),
        ]
    )
    return [
        dcc.Store(id="class-key", data=secret),
        dcc.Store(id="class-stamp", data=""),
        dcc.Store(id="class-shown", data={}),
        dcc.Interval(id="class-look", interval=EVERY_MS),
        dcc.Download(id="class-file"),
        html.P(_counts(seen), id="class-counts", className="class-counts"),
        html.Div(
            [
                button([icon("down"), msg("panels.class_overview.csv")], id="class-csv"),
                button(msg("panels.class_overview.delete"), id="class-delete"),
            ],
            className="tools class-tools",
        ),
        html.P("", id="class-notice", role="status", className="wrong"),
        html.H2("Exercises"),
        html.Ol(entries, className="exercises class-exercises"),
        html.H2(msg("panels.class_overview.students")),
        region(msg("panels.class_overview.students"), table, "class-table"),
        html.P(msg("panels.class_overview.legend"), className="quiet"),
        folded(
            msg("panels.class_overview.students_link"),
            [html.P(html.A(address, href=address)), html.Div(qr_code(address), className="share-code")],
        ),
        folded(msg("panels.class_entry.kept"), [html.P(text) for text in kept_texts(of)]),
        _projector(),
        _deletion(of),
    ]


def _exercises(of: Class) -> dict[str, Exercise]:
    """Those of the class's that are still there."""
    return {name: exercise for name in of.exercises if (exercise := exercise_of_name(name))}


def _entry(number: int, name: str, exercise: Exercise, seen: Overview) -> html.Li:
    place = number - 1
    show = button(
        msg("panels.class_overview.first_answers"),
        {"aria-label": msg("panels.class_overview.first_answers_of", title=exercise.title)},
        id={"type": "class-show", "index": place},
        className="link-button",
    )
    says = html.P(_summary(seen, name), id={"type": "class-says", "index": place})
    return html.Li([sign(str(number), "exercises-number"), html.Div([html.H3(exercise.title), says, show])])


def _summary(seen: Overview, name: str) -> str:
    states = [states[name] for states in seen.states.values() if name in states]
    answered = sum(state.tries > 0 for state in states)
    solved = sum(state.solved_at_try is not None for state in states)
    first = sum(state.solved_at_try == 1 for state in states)
    return msg(
        "panels.class_overview.summary", opened=len(states), answered=answered, solved=solved, first=first
    )


def _counts(seen: Overview) -> str:
    students = quantities.count(len(seen.students), "students")
    return msg("panels.class_overview.counts", students=students, until=day_text(seen.of))


def _rows(seen: Overview, names: Collection[str]) -> list[html.Tr]:
    rows = []
    for student in seen.students:
        states = seen.states.get(student.number, {})
        latest = max(states.values(), key=lambda state: state.changed, default=None)
        cells = [_cell(states.get(name), latest) for name in names]
        number = html.Span(str(student.number), className="class-number") if student.name else ""
        rows.append(html.Tr([html.Th([number, student.title], scope="row"), *cells], key=str(student.number)))
    return rows


def _cell(state: Progress | None, latest: Progress | None) -> html.Td:
    """How far one is, in signs, and in words for a screen reader."""
    if state is None:
        return html.Td()
    text = "✓" if state.solved_at_try else "·"
    marks = [
        text,
        str(state.tries) if state.tries else "",
        "?" * min(state.hints, 3),
        "!" if state.shown else "",
    ]
    here = state is latest
    words = f"{state_text(state)}{msg('panels.class_overview.here') if here else ''}"
    kinds = ["solved"] if state.solved_at_try else []
    kinds += ["here"] if here else []
    signs = sign(" ".join(filter(None, marks)), "")
    return html.Td([signs, html.Span(words, className="unseen")], className=" ".join(kinds), title=words)


def _projector() -> dmc.Modal:
    reveal = button(msg("panels.class_overview.reveal"), id="class-reveal", className="share-do")
    return dmc.Modal(
        html.Div([html.Div(id="class-first"), reveal], className="share first-answers"),
        id="class-projector",
        title="",
        fullScreen=True,
        closeButtonProps=CLOSE,
    )


def _deletion(of: Class) -> dmc.Modal:
    buttons = [
        button(msg("shared.delete"), id="class-delete-now", className="share-do"),
        button(msg("panels.class_overview.keep"), id="class-keep", className="share-do"),
    ]
    return dmc.Modal(
        html.Div(
            [
                html.P(msg("panels.class_overview.delete_about", title=of.title)),
                html.Div(buttons, className="class-tools"),
            ],
            className="share",
        ),
        id="class-deletion",
        title=msg("panels.class_overview.delete_title"),
        closeButtonProps=CLOSE,
    )


def _of(secret: Any) -> Class:
    """The class of a secret; ClassError where there is none any more."""
    found = find_overview(secret) if isinstance(secret, str) else None
    if found is None:
        raise ClassError(msg("panels.class_overview.over"))
    return found


def _stamp(changes: tuple, shown: Any) -> str:
    """Changes with what is drawn."""
    return hashlib.sha256(repr((changes, shown)).encode()).hexdigest()[:16]


def _shown_part(shown: Any, key: str) -> Any:
    return shown.get(key) if isinstance(shown, dict) else None


def _is_revealed(shown: Any) -> bool:
    return _shown_part(shown, "revealed") is True


def _first(seen: Overview, chosen: tuple[str, Exercise] | None, shown: Any) -> tuple[Any, bool]:
    """What the projector shows, and whether that is as meant: whatever fails here, the table is drawn."""
    if chosen is None:
        return "", True
    try:
        return first_answers.layout(seen, *chosen, _is_revealed(shown)), True
    except GantryError as error:
        return html.P(str(error)), False
    except Exception:
        log.exception("first answers failed")
        return html.P(msg("shared.server_error_its_log_has_details")), False


def _shown_exercise(exercises: Mapping[str, Exercise], shown: Any) -> tuple[str, Exercise] | None:
    """The exercise whose first answers are shown."""
    place = _shown_part(shown, "place")
    is_one = type(place) is int and 0 <= place < len(exercises)
    return list(exercises.items())[place] if is_one else None


def register(app: Dash) -> None:
    """The callbacks: what is new, first answers, the file, the end."""

    @app.callback(
        {
            "rows": Output("class-rows", "children"),
            "says": Output({"type": "class-says", "index": ALL}, "children"),
            "counts": Output("class-counts", "children"),
            "first": Output("class-first", "children"),
            "stamp": Output("class-stamp", "data"),
            "notice": Output("class-notice", "children"),
        },
        Input("class-look", "n_intervals"),
        Input("class-shown", "data"),
        State("class-key", "data"),
        State("class-stamp", "data"),
        prevent_initial_call=True,
    )
    def look(_times: Any, shown: Any, secret: Any, stamp: Any) -> Any:
        places = [None] * len(ctx.outputs_grouping["says"])
        same: dict[str, Any] = dict.fromkeys(("rows", "counts", "first", "stamp", "notice"), no_update)
        same["says"] = [no_update] * len(places)
        try:
            of = _of(secret)
            now = _stamp(changes(of), shown)
            if now == stamp:
                return no_update
            exercises = _exercises(of)
            chosen = _shown_exercise(exercises, shown)
            seen = overview(of, chosen[0] if chosen else "")
        except GantryError as error:
            return same | {"notice": str(error), "stamp": ""}
        first, is_drawn = _first(seen, chosen, shown)
        return {
            "rows": _rows(seen, exercises),
            "says": [_summary(seen, name) for name in exercises],
            "counts": _counts(seen),
            "first": first,
            "stamp": now if is_drawn else "",  # the next look tries again
            "notice": "",
        }

    @app.callback(
        Output("class-shown", "data"),
        Output("class-projector", "opened"),
        Output("class-projector", "title"),
        Output("class-first", "children", allow_duplicate=True),
        Output("class-notice", "children", allow_duplicate=True),
        Input({"type": "class-show", "index": ALL}, "n_clicks"),
        Input("class-reveal", "n_clicks"),
        State("class-shown", "data"),
        State("class-key", "data"),
        prevent_initial_call=True,
    )
    def show(clicks: Any, _reveals: Any, shown: Any, secret: Any) -> Any:
        if ctx.triggered_id == "class-reveal":
            return {"place": _shown_part(shown, "place"), "revealed": True}, *(no_update,) * 4
        if not ctx.triggered_id or not any(clicks):
            return (no_update,) * 5
        asked = {"place": ctx.triggered_id["index"], "revealed": False}
        try:
            chosen = _shown_exercise(_exercises(_of(secret)), asked)
        except GantryError as error:
            return *(no_update,) * 4, str(error)
        if chosen is None:
            return (no_update,) * 5
        # what is shown of another one goes at once
        return asked, True, chosen[1].title, "", ""

    @app.callback(Output("class-reveal", "hidden"), Input("class-shown", "data"), prevent_initial_call=True)
    def hide_reveal(shown: Any) -> bool:
        return _is_revealed(shown)

    @app.callback(
        Output("class-file", "data"),
        Output("class-notice", "children", allow_duplicate=True),
        Input("class-csv", "n_clicks"),
        State("class-key", "data"),
        prevent_initial_call=True,
    )
    def download(_clicks: Any, secret: Any) -> Any:
        try:
            seen = overview(_of(secret))
        except GantryError as error:
            return no_update, str(error)
        titles = {name: exercise.title for name, exercise in _exercises(seen.of).items()}
        file = {"content": class_csv(seen, titles), "filename": csv_file_name(seen.of), "type": "text/csv"}
        return file, ""

    @app.callback(
        Output("class-deletion", "opened"),
        Output("class-page", "children"),
        Output("class-notice", "children", allow_duplicate=True),
        Input("class-delete", "n_clicks"),
        Input("class-keep", "n_clicks"),
        Input("class-delete-now", "n_clicks"),
        State("class-key", "data"),
        prevent_initial_call=True,
    )
    def delete(_clicks: Any, _keeps: Any, _deletes: Any, secret: Any) -> Any:
        if ctx.triggered_id != "class-delete-now":
            return ctx.triggered_id == "class-delete", no_update, no_update
        try:
            delete_class(str(secret))
        except GantryError as error:
            return False, no_update, str(error)
        return no_update, deleted(), no_update


def deleted() -> list:
    """What is left of a class that was deleted."""
    return [
        html.H1(msg("panels.class_overview.deleted")),
        html.P(msg("panels.class_overview.deleted_about"), role="status", **attributes({"tabIndex": "-1"})),
    ]
