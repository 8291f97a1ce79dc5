"""What the page's scripts fetch while charts are looked at: figures for another zoom, what is under the pointer, its neighbours, and found names.

Plain routes, not callbacks: they answer in the time a frame or two take, and the script lets only one be under way.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from dash import Dash
from flask import Response, jsonify, request

from engine import NONE, GantryError
from webapp import theme
from webapp.figures.highlight import Selection
from webapp.figures.timeline import colouring, lost_nodes, standalone
from webapp.figures.timeline.place import Place
from webapp.figures.timeline.run_chart import STRIPS
from webapp.figures.timeline.signals import MOST_STRIPS, Strip
from webapp.figures.timeline.signals import drawn as drawn_signal
from webapp.figures.timeline.tooltips import details
from webapp.panels.timeline import lose_node, picking, play
from webapp.panels.timeline.viewport import View, bounds, drawn, mapped, rows_beside, rows_seen
from webapp.services import bodies, clients, replays, runs, search
from webapp.services.runs import Task

FILE_PX = 1200  # width of a downloaded drawing
FILE_STRIPS = {"memory": 48, "vcores": 48, "capacity": 110}


def draw(task: Task, sent: dict) -> dict:
    """Charts of what is looked at now."""
    return drawn(task, View.of(sent))


def overview(task: Task, sent: dict) -> dict:
    """The map of the first scheduler's whole run."""
    return {"map": mapped(task, View.of(sent))}


def picture(task: Task, sent: dict) -> dict:
    """One chart as a drawing of its own, as it is looked at: {name, svg}."""
    number, view = sent.get("index"), View.of(sent)
    if not isinstance(number, int) or not 0 <= number < len(task.shown):
        return {}
    shown = task.shown[number]
    one, of = shown.outcome, rows_beside(task, shown, view)
    title = " under ".join(part for part in (shown.task.scenario.name, one.run.scheduler) if part)
    look = {"strips": FILE_STRIPS, "highlight": view.highlight, "dark": view.dark, "width": FILE_PX}
    colours = colouring.colouring(one.run, view.colour)
    drawing = standalone.drawing(one.scene, one.split, standalone.tall(of), view.window or bounds(task), title=title, about=title, colouring=colours, **look)
    return {"name": shown.name, "svg": standalone.document(drawing, view.dark)}


def signals(task: Task, sent: dict) -> dict:
    """What the schedulers measure and compute inside: by the chart's place {strips, of, says}; all: also beyond the first MOST_STRIPS of them."""
    view = View.of(sent)
    every = bounds(task)
    place = Place.of(view.window or every, every, view.width)
    chosen = Selection.of(view.highlight)
    job = chosen.name if chosen and chosen.kind == "job" else None
    found = {}
    for number, shown in enumerate(task.shown):
        if (view.charts is not None and number not in view.charts) or not replays.has_signals(shown.name):
            continue
        try:
            strips = Strip.of(replays.inner(shown.task, shown.name))
        except GantryError as error:
            found[number] = {"strips": [], "of": 0, "says": str(error)}
            continue
        some = strips if sent.get("all") is True else strips[:MOST_STRIPS]
        found[number] = {"strips": [drawn_signal(strip, place, job) for strip in some], "of": len(strips), "says": ""}
    return {"key": task.key, "drawn": {"x0": place.drawn[0], "x1": place.drawn[1]}, "looked": {"x0": place.window[0], "x1": place.window[1]}, "signals": found}


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
    if sent.get("strip") in STRIPS:
        return {"text": picking.levels_at(one.run, one.split, sent["strip"], round(click.ms))}
    group = picking.group_at(one.scene, of, click.row, click.ms)
    if group is not None:
        return group
    found = picking.container_at(one.scene, of, *click[1:])
    if found is None:
        lost = lost_nodes.band_at(one.scene, of, click.row, click.ms)
        return {"text": lost} if lost else {}
    return _container_answer(task, click.number, found, view)


def neighbour(task: Task, sent: dict) -> dict:
    """The container of the same row before (by -1) or after (by 1) one; without one, the first of what is looked at."""
    number, container, by = sent.get("index"), sent.get("container"), sent.get("by")
    if not isinstance(number, int) or not 0 <= number < len(task.shown) or by not in (-1, 1):
        return {}
    view, shown = View.of(sent), task.shown[number]
    one, of = shown.outcome, rows_beside(task, shown, view)
    if type(container) is int and 0 <= container < len(one.run.containers.job):
        found = picking.beside(one.scene, of, container, by)
    else:
        found = picking.first_seen(one.scene, of, view.window or bounds(task))
    return {} if found is None else _container_answer(task, number, found, view)


def searched(task: Task, sent: dict) -> dict:
    """The match of a text that is at this place among all: {count, at, bars by chart, highlight}; count 0 where nothing matches.

    Places count in the first run that has a match, and go round.
    """
    text, at, view = sent.get("text"), sent.get("at"), View.of(sent)
    match = search.matches(task, text[: search.MOST_TEXT]) if isinstance(text, str) else None
    first = next((place for place, some in enumerate(match.containers) if len(some)), None) if match else None
    if first is None or not isinstance(at, int):
        return {"count": 0, "at": 0, "bars": {}}
    count = len(match.containers[first])
    container = match.container(first, at % count)
    bars = {
        place: _bar(task, place, other, view)
        for place, other in enumerate(search.same_task(task, first, container))
        if other is not None
    }  # fmt: skip
    return {"count": count, "at": at % count, "bars": bars, "highlight": match.selection}


def placed(task: Task, sent: dict) -> dict:
    """The last container placed up to a time (at, ms) in one chart: its bar, and why it was placed; brief: what it is alone, for a cursor that runs."""
    number, at, view = sent.get("index"), sent.get("at"), View.of(sent)
    if not isinstance(number, int) or not 0 <= number < len(task.shown) or not isinstance(at, (int, float)) or not abs(at) < picking.MOST:
        return {}
    shown = task.shown[number]
    starts = shown.outcome.run.containers.start
    container = int(np.searchsorted(starts, at, "right")) - 1
    if container < 0:
        return {"text": "", "bar": None}
    head = details(shown.outcome.run, container)[0]
    text = f"{theme.clock(int(starts[container]) / 1000)} {head}"
    if sent.get("brief") is not True:
        try:
            text = f"{text}: {replays.why(shown.task, shown.name, container)['because']}"
        except GantryError as error:
            text = f"{text}. {error}"
    return {"text": text, "bar": _bar(task, number, container, view)}


def _bar(task: Task, number: int, container: int, view: View) -> dict:
    """Where the page finds a container's bar."""
    shown = task.shown[number]
    found = picking.bar(shown.outcome.scene, rows_beside(task, shown, view), container)
    return {"key": task.key, "index": number, "container": container} | found


def _container_answer(task: Task, number: int, container: int, view: View) -> dict:
    shown = task.shown[number]
    one = shown.outcome
    c = one.run.containers
    bar = picking.bar(one.scene, rows_beside(task, shown, view), container)
    return {"key": task.key, "index": number, "container": container, "text": details(one.run, container), **bar, "open": int(c.end[container]) == NONE}


def register(app: Dash) -> None:
    """The routes; an answer to nonsense is a sentence and 400, to a run that is not at hand 410: the page runs it again. For who has gone nothing is drawn."""
    acts: dict[str, Callable[[Task, dict], dict]] = {
        "draw": draw, "map": overview, "at": at, "row": row, "next": neighbour, "extent": extent, "picture": picture, "signals": signals,
        "search": searched, "placed": placed, "nodes": play.nodes_at, "step": play.step,
        "names": lose_node.names, "lost": lose_node.lose,
    }  # fmt: skip

    @app.server.post(f"{app.config.routes_pathname_prefix}charts/<name>")
    def charts(name: str) -> Response | tuple[str, int]:
        sent = bodies.sent()
        if name not in acts or not isinstance(sent, dict):
            return "Expected a JSON object with a key.", 400
        if clients.gone(request.environ):
            return "", clients.GONE
        task = runs.known(str(sent.get("key")))
        if task is None:
            return runs.FORGOTTEN, 410
        try:
            return jsonify(acts[name](task, sent))
        except runs.NotAtHand as error:
            return str(error), 410
