"""Make a class link: which exercises, for how many days; then the students' link with its code, and the
secret link of the overview, which is shown this once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import (
    ALL,
    ClientsideFunction,
    Dash,
    Input,
    Output,
    State,
    ctx,
    dcc,
    get_relative_path,
    html,
    no_update,
)
from flask import request

from engine import GantryError
from engine.dashboard import course, course_exercise
from webapp import settings
from webapp.classroom.classes import MAX_TITLE_CHARS, ClassError, create_class, plain_line
from webapp.classroom.pseudonyms import visitor
from webapp.classroom.shared_exercises import find_exercise
from webapp.messages import msg
from webapp.panels.components import CLOSE, button, icon
from webapp.panels.copy_field import copy_field, labelled_field, register_copies
from webapp.panels.exercises.course_list import course_names
from webapp.panels.share.export import dashboard_address
from webapp.panels.share.share import qr_code

# an exercise's id by itself, or at the end of its address
SHARED_ID = re.compile(r"(?:^|[\s,;/])([0-9a-f]{16})(?=$|[\s,;?#])")
MAX_OWN_CHARS = 4_000
OUTPUTS = {
    "made": Output("class-made", "hidden"),
    "title": Output("class-made-title", "children"),
    "students": Output("class-students", "value"),
    "code": Output("class-code", "children"),
    "secret": Output("class-secret", "value"),
    "open": Output("class-open", "href"),
    "says": Output("class-says", "children"),
    "make": Output("class-make", "children"),
    "former": Output("class-former", "children"),
}


def open_button() -> html.Button:
    """Opens the dialog."""
    return button([icon("link"), msg("panels.class_dialog.open")], id="class-new", className="share-do")


def layout() -> dmc.Modal:
    """The dialog."""
    return dmc.Modal(
        html.Div([*_form(), _made()], className="share class-dialog"),
        id="class-dialog",
        title=msg("panels.class_dialog.open"),
        size="lg",
        closeButtonProps=CLOSE,
        closeOnClickOutside=False,  # a secret would be lost by it
    )


def _form() -> list:
    title = dcc.Input(id="class-title", maxLength=MAX_TITLE_CHARS, value="")
    own = dcc.Input(id="class-own", maxLength=MAX_OWN_CHARS, value="")
    lessons = html.Div([_lesson(number) for number in range(len(course()))], className="class-lessons")
    days = dmc.NumberInput(
        id="class-days",
        label=msg("panels.class_dialog.days"),
        description=msg("panels.class_dialog.days_about"),
        value=settings.class_days(),
        min=1,
        max=settings.class_days(),
        allowDecimal=False,
        size="xs",
    )
    return [
        labelled_field("class-title", msg("panels.class_dialog.class_title"), title),
        dmc.CheckboxGroup(lessons, id="class-names", label="Exercises", value=course_names(), size="xs"),
        labelled_field(
            "class-own",
            msg("panels.class_dialog.own"),
            own,
            html.P(msg("panels.class_dialog.own_about"), className="help"),
        ),
        html.Div(
            [days, button(msg("panels.class_dialog.make"), id="class-make", className="share-do")],
            className="class-last",
        ),
        html.P("", id="class-says", role="status", className="help"),
    ]


def _lesson(number: int) -> html.Div:
    lesson = course()[number]
    toggle = button(
        f"{msg('panels.course_list.lesson', number=number + 1)} {lesson.title}",
        id={"type": "class-lesson", "index": number},
        className="link-button",
        title=msg("panels.class_dialog.lesson_about"),
    )
    boxes = [
        dmc.Checkbox(value=name, label=exercise.title, size="xs")
        for name, exercise in lesson.exercises.items()
    ]
    return html.Div([toggle, *boxes], className="class-lesson")


def _made() -> html.Div:
    about = msg("panels.class_dialog.secret_about")
    opened = html.A(msg("panels.class_dialog.open_overview"), id="class-open", href="", target="_blank")
    return html.Div(
        [
            html.H3(id="class-made-title", tabIndex="-1"),
            copy_field(
                "class-students",
                msg("panels.class_overview.students_link"),
                msg("panels.class_dialog.students_about"),
            ),
            html.Div(id="class-code", className="share-code"),
            copy_field("class-secret", msg("panels.class_dialog.secret"), about),
            html.P(opened, className="help"),
            html.Div(id="class-former"),
        ],
        id="class-made",
        className="class-made",
        hidden=True,
    )


def chosen_names(names: Any, own: Any) -> list[str]:
    """The exercises that were chosen: names of the course, and shared ones by their ids or addresses. Raises
    ClassError for one that is not there.
    """
    listed = names if isinstance(names, list) else []
    text = own if isinstance(own, str) else ""
    chosen = [name for name in listed if isinstance(name, str) and course_exercise(name)]
    ids = SHARED_ID.findall(text[:MAX_OWN_CHARS])
    if text.strip() and not ids:
        raise ClassError(msg("panels.class_dialog.no_id"))
    for id in ids:
        if find_exercise(id) is None:
            raise ClassError(msg("panels.class_dialog.not_shared", id=id))
    return chosen + ids


def made(title: Any, names: Any, own: Any, days: Any, href: Any) -> dict[str, Any]:
    """What the dialog shows of a class that was made; its keys are those of OUTPUTS but for "former". href:
    the address of the page that asks.
    """
    who = visitor()
    if who is None:
        raise ClassError(msg("shared.no_cookies"))
    title = title if isinstance(title, str) else ""
    days = days if type(days) is int else 0
    id, secret = create_class(title, chosen_names(names, own), days, who)
    students, overview = _address(href, f"/class/{id}"), _address(href, f"/overview/{secret}")
    return {
        "made": False,
        "title": plain_line(title, MAX_TITLE_CHARS) or msg("classroom.classes.untitled"),
        "students": students,
        "code": qr_code(students),
        "secret": overview,
        "open": overview,
        "says": msg("panels.class_dialog.made"),
        "make": msg("panels.class_dialog.make_another"),
    }


def empty() -> dict[str, Any]:
    """What it shows when it is opened: nothing of what was made before."""
    return dict.fromkeys(OUTPUTS, "") | {"made": True, "make": msg("panels.class_dialog.make")}


def with_former(former: Any, title: Any, students: Any, secret: Any) -> list:
    """The links of the classes made before, the latest first; those of one that is replaced are added."""
    listed = former if isinstance(former, list) else []
    if not students:
        return listed
    links = (
        (msg("panels.class_overview.students_link"), students),
        (msg("panels.class_dialog.secret"), secret),
    )
    lines = [html.P([f"{label}: ", html.A(link, href=link, target="_blank")]) for label, link in links]
    return [html.Div([html.H3(title), *lines], className="class-former"), *listed]


def _address(href: Any, path: str) -> str:
    """The whole address of one of this server's pages; of what the page says of itself only the scheme is
    taken, which a proxy may not tell.
    """
    page = dashboard_address(str(href), request.host)
    scheme = page.partition(":")[0] or request.scheme
    return f"{scheme}://{request.host}{get_relative_path(path)}"


def toggled(names: Sequence[str], lesson: Sequence[str]) -> list[str]:
    """The names with all of a lesson's, or without them where all are there."""
    if set(lesson) <= set(names):
        return [name for name in names if name not in lesson]
    return [*names, *(name for name in lesson if name not in names)]


def register(app: Dash) -> None:
    """The callbacks: opened, a lesson chosen, the class made."""

    @app.callback(
        Output("class-dialog", "opened"),
        {
            name: Output(one.component_id, one.component_property, allow_duplicate=True)
            for name, one in OUTPUTS.items()
        },
        Input("class-new", "n_clicks"),
        prevent_initial_call=True,
    )
    def opened(_clicks: Any) -> tuple[bool, dict[str, Any]]:
        return True, empty()

    @app.callback(
        Output("class-names", "value"),
        Input({"type": "class-lesson", "index": ALL}, "n_clicks"),
        State("class-names", "value"),
        prevent_initial_call=True,
    )
    def choose(_clicks: Any, names: list[str] | None) -> Any:
        place = ctx.triggered_id["index"] if ctx.triggered_id else None
        if type(place) is not int or not 0 <= place < len(course()) or not any(_clicks):
            return no_update
        return toggled(names or [], list(course()[place].exercises))

    @app.callback(
        OUTPUTS,
        Input("class-make", "n_clicks"),
        State("class-title", "value"),
        State("class-names", "value"),
        State("class-own", "value"),
        State("class-days", "value"),
        State("_pages_location", "href"),
        State("class-former", "children"),
        State("class-made-title", "children"),
        State("class-students", "value"),
        State("class-secret", "value"),
        prevent_initial_call=True,
    )
    def make(
        _clicks: Any, title: Any, names: Any, own: Any, days: Any, href: Any, *before: Any
    ) -> dict[str, Any]:
        try:
            return made(title, names, own, days, href) | {"former": with_former(*before)}
        except GantryError as error:
            return dict.fromkeys(OUTPUTS, no_update) | {"says": str(error)}

    app.clientside_callback(
        ClientsideFunction("gantry", "classMade"), Input("class-students", "value"), prevent_initial_call=True
    )

    register_copies(app, ("class-students", "class-secret"))
