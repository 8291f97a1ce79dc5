"""Where an exercise that is written begins: with a scenario that an address names, with an exercise of the
course or of a class, or with nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from dash import get_relative_path

from engine import GantryError, presets
from engine.dashboard import Exercise, course
from webapp.classroom.shared_exercises import exercise_of_name
from webapp.messages import msg
from webapp.runs.warm_up import FIRST_SCHEDULERS
from webapp.url import url_state, url_view
from webapp.url.links import link_store
from webapp.url.url_state import RunRequest

FROM = "of"  # the key of an exercise's name in the address
PAGE = "/exercises/new"


class Start(NamedTuple):
    """exercise: JSON values, only a scenario and its schedulers where those are all there is; None of
    nothing. complaints: what is wrong with the address.
    """

    exercise: dict[str, Any] | None
    complaints: list[str]


def start(query: Mapping[str, Any]) -> Start:
    """What an address asks to begin with."""
    name = url_view.text(query, FROM)
    if name:
        exercise = _found(name)
        if exercise is None:
            return Start(None, [msg("panels.author_start.no_such_exercise")])
        return Start(exercise.model_dump(exclude_defaults=True), [])
    read = url_state.read(query)
    if read.request:
        return Start(_of_request(read.request), read.complaints)
    if not read.link:
        return Start(None, read.complaints)
    try:
        link = link_store().find(read.link)
    except GantryError as error:
        return Start(None, [str(error)])
    if link is None:
        return Start(None, [msg("panels.author_start.no_such_link")])
    return Start(_of_request(url_state.request_of_link(link)[0]), read.complaints)


def address(name: str) -> str:
    """Where an exercise of one's own begins with the exercise of this name."""
    return f"{get_relative_path(PAGE)}?{FROM}={name}"


def choices() -> dict[str, list[dict[str, str]]]:
    """What one may begin with: examples of scenarios, and the course."""
    schedulers = "".join(f"&s={name}" for name in FIRST_SCHEDULERS)
    page = get_relative_path(PAGE)
    return {
        "examples": [
            {"title": one.title, "href": f"{page}?preset={one.key}{schedulers}"} for one in presets()
        ],
        "exercises": [
            {"title": exercise.title, "href": address(name)}
            for lesson in course()
            for name, exercise in lesson.exercises.items()
        ],
    }


def _of_request(request: RunRequest) -> dict[str, Any]:
    return {"scenario": request.scenario, "schedulers": list(request.schedulers)}


def _found(name: str) -> Exercise | None:
    try:
        return exercise_of_name(name)
    except GantryError:
        return None
