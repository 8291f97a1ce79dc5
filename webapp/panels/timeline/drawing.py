"""What the page's scripts fetch while charts are looked at: figures for another zoom, what is under the pointer, its neighbours, and found names.

Plain routes, not callbacks: they answer in the time a frame or two take, and the script lets only one be under way.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from dash import Dash, get_relative_path
from flask import Response, jsonify, request

from engine import NONE
from webapp.figures.timeline.minimap import minimap
from webapp.figures.timeline.tooltips import details
from webapp.panels.timeline import picking
from webapp.panels.timeline.viewport import View, bounds, figures, rows_beside, rows_seen
from webapp.services import runs
from webapp.services.runs import Task

ADDRESSES = ("draw", "map", "at", "row", "next", "find", "extent")


def addresses() -> dict[str, str]:
    """Where the page's scripts find each of the routes."""
    return {name: get_relative_path(f"/charts/{name}") for name in ADDRESSES}


def drawn(task: Task, sent: dict) -> dict:
    """Figures for what is looked at now."""
    return {"figures": figures(task, View.of(sent))}


def mapped(task: Task, sent: dict) -> dict:
    """The map of the first scheduler's whole run."""
    view = View.of(sent)
    return {"map": minimap(task.outcomes()[0].scene, runs.rows_of(task, view.wanted), bounds(task), view.dark, view.highlight)}


def row(task: Task, sent: dict) -> dict:
    """Whose row it is: the group's name, and the selection that highlights it."""
    of, place = rows_seen(task, View.of(sent)), sent.get("row")
    found = picking.group_of(of, round(place)) if isinstance(place, (int, float)) and abs(place) < 1e9 else None
    return {} if found is None else {"name": found.name, "group": found.text}


def extent(task: Task, sent: dict) -> dict:
    """From when to when, and in which rows, what is highlighted ran under any scheduler."""
    view = View.of(sent)
    of = rows_seen(task, view)
    found = [one for outcome in task.outcomes() if (one := picking.extent(outcome.scene, of, view.highlight))]
    if not found:
        return {}
    first, last, top, bottom = zip(*found)
    return {"x0": min(first), "x1": max(last), "y0": min(top), "y1": max(bottom)}


def at(task: Task, sent: dict) -> dict:
    """The container under the pointer, as text and place."""
    click = picking.Click.of(sent)
    if click is None or not 0 <= click.number < len(task.shown):
        return {}
    view = View.of(sent)
    shown = task.shown[click.number]
    one, of = shown.outcome, rows_beside(task, shown, view)
    group = picking.group_at(one.scene, of, click.row, click.ms)
    if group is not None:
        return group
    found = picking.container_at(one.scene, of, *click[1:])
    return {} if found is None else _container_answer(task, click.number, found, view)


def neighbour(task: Task, sent: dict) -> dict:
    """The container of the same row before (by -1) or after (by 1) one; without one, the first of what is looked at."""
    number, container, by = sent.get("index"), sent.get("container"), sent.get("by")
    if not isinstance(number, int) or not 0 <= number < len(task.shown) or by not in (-1, 1):
        return {}
    view, shown = View.of(sent), task.shown[number]
    one, of = shown.outcome, rows_beside(task, shown, view)
    if isinstance(container, int) and 0 <= container < len(one.run.containers.job):
        found = picking.beside(one.scene, of, container, by)
    else:
        found = picking.first_seen(one.scene, of, view.window or bounds(task))
    return {} if found is None else _container_answer(task, number, found, view)


def found(task: Task, sent: dict) -> dict:
    """A container by its name, job/iteration/kind/task, under one scheduler."""
    number, name = sent.get("index"), sent.get("name")
    if not isinstance(number, int) or not 0 <= number < len(task.shown) or not isinstance(name, str):
        return {}
    container = picking.named(task.shown[number].outcome.run, name)
    return {} if container is None else _container_answer(task, number, container, View.of(sent))


def _container_answer(task: Task, number: int, container: int, view: View) -> dict:
    shown = task.shown[number]
    one = shown.outcome
    c = one.run.containers
    text = details(one.run, np.array([container]))[0]
    bar = picking.bar(one.scene, rows_beside(task, shown, view), container)
    return {"key": task.key, "index": number, "container": container, "text": text.split("<br>"), **bar, "open": int(c.end[container]) == NONE}


def register(app: Dash) -> None:
    """The routes; an answer to nonsense is a sentence and 400, to a forgotten run 410."""
    acts: dict[str, Callable[[Task, dict], dict]] = {
        "draw": drawn, "map": mapped, "at": at, "row": row, "next": neighbour, "find": found, "extent": extent,
    }  # fmt: skip

    @app.server.post(f"{app.config.routes_pathname_prefix}charts/<name>")
    def charts(name: str) -> Response | tuple[str, int]:
        sent = request.get_json(silent=True)
        if name not in acts or not isinstance(sent, dict):
            return "Expected a JSON object with a key.", 400
        task = runs.known(str(sent.get("key")))
        return jsonify(acts[name](task, sent)) if task else ("Result expired: run again.", 410)
