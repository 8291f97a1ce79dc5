"""What the page's scripts fetch while charts are looked at: figures for another zoom, what is under the
pointer, its neighbours, and found names.

Plain routes, not callbacks: they answer in the time a frame or two take, and the script lets only one be
under way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from dash import Dash
from flask import Response, jsonify, request

from engine import GantryError, quantities
from engine.dashboard import NONE
from webapp.figures.highlight import Selection
from webapp.figures.timeline import colouring, outage_bands, standalone
from webapp.figures.timeline.run_chart import STRIPS
from webapp.figures.timeline.signals import MAX_STRIPS, SignalStrip, draw_strip
from webapp.figures.timeline.time_scale import TimeScale
from webapp.figures.timeline.tooltips import container_lines, task_lines
from webapp.http import disconnects, json_bodies
from webapp.messages import msg
from webapp.panels.share import slides
from webapp.panels.timeline import lose_node, picking, play
from webapp.panels.timeline.lane import strip
from webapp.panels.timeline.viewport import (
    View,
    bounds,
    is_number,
    minimap_image,
    render_view,
    rows_of_chart,
    visible_rows,
)
from webapp.runs import rerun_details, run_cache, saved_tasks, text_search
from webapp.runs.task import ShownRun, Task

FILE_PX = 1200  # width of a downloaded drawing
FILE_STRIPS = {"memory": 48, "vcores": 48, "capacity": 110}


def draw(task: Task, sent: dict) -> dict:
    """Charts of what is looked at now."""
    return render_view(task, View.of(sent))


def overview(task: Task, sent: dict) -> dict:
    """The map of the first scheduler's whole run."""
    return {"map": minimap_image(task, View.of(sent))}


def picture(task: Task, sent: dict) -> dict:
    """One chart as a drawing of its own, as it is looked at: {name, svg}."""
    view, shown = View.of(sent), _shown(task, sent.get("index"))
    if shown is None:
        return {}
    outcome, row_layout = shown.outcome, rows_of_chart(task, shown, view)
    title = " under ".join(part for part in (shown.task.scenario.name, outcome.run.scheduler) if part)
    drawing = standalone.draw_run(
        outcome.scene,
        outcome.split,
        standalone.with_full_height(row_layout),
        view.window or bounds(task),
        title=title,
        about=title,
        colouring=colouring.colouring(outcome.run, view.colour),
        strips=FILE_STRIPS,
        highlight=view.highlight,
        dark=view.dark,
        width=FILE_PX,
    )
    return {"name": shown.name, "svg": standalone.svg_document(drawing, view.dark)}


def _shown(task: Task, index: Any) -> ShownRun | None:
    """The run in a chart's place; None where the page sent no such place."""
    return task.shown[index] if isinstance(index, int) and 0 <= index < len(task.shown) else None


def signals(task: Task, sent: dict) -> dict:
    """What the schedulers measure and compute inside: by the chart's place {strips, of, says}; all: also
    beyond the first MAX_STRIPS of them.
    """
    view, whole_window = View.of(sent), bounds(task)
    place = TimeScale.of(view.window or whole_window, whole_window, view.width)
    chosen = Selection.of(view.highlight)
    job = chosen.name if chosen and chosen.kind == "job" else None
    count = None if sent.get("all") is True else MAX_STRIPS
    by_chart = {
        index: _signals_of(task.shown[index], place, job, count, view.margin)
        for index in view.drawn_charts(len(task.shown))
        if rerun_details.has_signals(task.shown[index].scheduler)
    }
    return {
        "key": task.key,
        "drawn": {"x0": place.drawn[0], "x1": place.drawn[1]},
        "looked": {"x0": place.window[0], "x1": place.window[1]},
        "signals": by_chart,
    }


def _signals_of(shown: ShownRun, place: TimeScale, job: str | None, count: int | None, room: float) -> dict:
    try:
        strips = SignalStrip.of(rerun_details.scheduler_signals(shown))
    except GantryError as error:
        return {"strips": [], "of": 0, "says": str(error)}
    drawn = [strip(**draw_strip(one, place, job), room=room) for one in strips[:count]]
    return {"strips": drawn, "of": len(strips), "says": ""}


def row(task: Task, sent: dict) -> dict:
    """Whose row it is: the group's name, and the selection that highlights it."""
    row_layout, place = visible_rows(task, View.of(sent)), sent.get("row")
    group = picking.group_of(row_layout, round(place)) if is_number(place) else None
    return {} if group is None else {"name": group.name, "group": group.text}


def extent(task: Task, sent: dict) -> dict:
    """From when to when, and in which rows, what is highlighted ran under any scheduler."""
    view = View.of(sent)
    row_layout = visible_rows(task, view)
    extents = [picking.extent(outcome.scene, row_layout, view.highlight) for outcome in task.outcomes()]
    found = [one for one in extents if one]
    if not found:
        return {}
    first, last, top, bottom = zip(*found)
    return {"x0": min(first), "x1": max(last), "y0": min(top), "y1": max(bottom)}


def container_at_pointer(task: Task, sent: dict) -> dict:
    """The container under the pointer, as text and place."""
    click, view = picking.Click.of(sent), View.of(sent)
    shown = _shown(task, click.number) if click else None
    if click is None or shown is None:
        return {}
    outcome, row_layout = shown.outcome, rows_of_chart(task, shown, view)
    if sent.get("strip") in STRIPS:
        return {"text": picking.levels_at(outcome.run, outcome.split, sent["strip"], round(click.ms))}
    if group := picking.group_at(outcome.scene, row_layout, click.row, click.ms):
        return group
    container = picking.container_at(outcome.scene, row_layout, *click[1:])
    if container is None:
        lost_band = outage_bands.outage_at(outcome.scene, row_layout, click.row, click.ms)
        return {"text": lost_band} if lost_band else picking.gap_at(outcome.run, click.ms)
    answer = _container_answer(task, click.number, container, view)
    one = picking.task_at(outcome.scene, row_layout, container, click.row, click.ms)
    if one is not None:
        head, *others = answer["text"]
        answer["text"] = [head, *task_lines(outcome.run, one), *others]
    return answer


def neighbour(task: Task, sent: dict) -> dict:
    """The container of the same row before (by -1) or after (by 1) one; without one, the first of what is
    looked at.
    """
    view, shown = View.of(sent), _shown(task, sent.get("index"))
    container, by = sent.get("container"), sent.get("by")
    if shown is None or by not in (-1, 1):
        return {}
    outcome, row_layout = shown.outcome, rows_of_chart(task, shown, view)
    if type(container) is int and 0 <= container < len(outcome.run.containers.job):
        found = picking.neighbour_in_row(outcome.scene, row_layout, container, by)
    else:
        found = picking.first_visible(outcome.scene, row_layout, view.window or bounds(task))
    return {} if found is None else _container_answer(task, sent["index"], found, view)


def search_match(task: Task, sent: dict) -> dict:
    """The match of a text that is at this place among all: {count, at, bars by chart, highlight}; count 0
    where nothing matches.

    Places count in the first run that has a match, and go round.
    """
    text, at, view = sent.get("text"), sent.get("at"), View.of(sent)
    match = text_search.find_matches(task, text[: text_search.MAX_TEXT]) if isinstance(text, str) else None
    runs = [index for index, containers in enumerate(match.containers) if len(containers)] if match else []
    if match is None or not runs or not isinstance(at, int):
        return {"count": 0, "at": 0, "bars": {}}
    count = len(match.containers[runs[0]])
    container = match.container(runs[0], at % count)
    assert container is not None  # the run has a match
    others = enumerate(text_search.same_attempt_elsewhere(task, runs[0], container))
    bars = {index: _bar(task, index, other, view) for index, other in others if other is not None}
    return {"count": count, "at": at % count, "bars": bars, "highlight": match.selection}


def last_placed(task: Task, sent: dict) -> dict:
    """The last container placed up to a time (at, ms) in one chart: its bar, and why it was placed; brief:
    what it is alone, for a cursor that runs.
    """
    at, view, shown = sent.get("at"), View.of(sent), _shown(task, sent.get("index"))
    if shown is None or not is_number(at):
        return {}
    starts = shown.outcome.run.containers.start
    container = int(np.searchsorted(starts, at, "right")) - 1
    if container < 0:
        return {"text": "", "bar": None}
    head = container_lines(shown.outcome.run, container)[0]
    text = f"{quantities.clock(int(starts[container]) / 1000)} {head}"
    if sent.get("brief") is not True:
        try:
            text = f"{text}: {rerun_details.explain_container(shown, container)['because']}"
        except GantryError as error:
            text = f"{text}. {error}"
    return {"text": text, "bar": _bar(task, sent["index"], container, view)}


def _bar(task: Task, index: int, container: int, view: View) -> dict:
    """Where the page finds a container's bar."""
    shown = task.shown[index]
    bar = picking.bar(shown.outcome.scene, rows_of_chart(task, shown, view), container)
    return {"key": task.key, "index": index, "container": container} | bar


def _container_answer(task: Task, index: int, container: int, view: View) -> dict:
    run = task.shown[index].outcome.run
    is_open = int(run.containers.end[container]) == NONE
    return _bar(task, index, container, view) | {"text": container_lines(run, container), "open": is_open}


def register(app: Dash) -> None:
    """The routes; an answer to nonsense is a sentence and 400, to a run that is not at hand 410: the page
    runs it again. For who has gone nothing is drawn.
    """
    acts: dict[str, Callable[[Task, dict], dict]] = {
        "draw": draw,
        "map": overview,
        "at": container_at_pointer,
        "row": row,
        "next": neighbour,
        "extent": extent,
        "picture": picture,
        "slide": slides.draw,
        "animate": slides.animate,
        "signals": signals,
        "search": search_match,
        "placed": last_placed,
        "nodes": play.nodes_at,
        "step": play.step,
        "names": lose_node.names,
        "lost": lose_node.lose,
    }

    @app.server.post(f"{app.config.routes_pathname_prefix}charts/<name>")
    def charts(name: str) -> Response | tuple[str, int]:
        sent = json_bodies.request_json()
        if name not in acts or not isinstance(sent, dict):
            return msg("panels.drawing.expected_json_object_with_key"), 400
        if disconnects.is_disconnected(request.environ):
            return "", disconnects.CLIENT_CLOSED_REQUEST
        task = saved_tasks.load_task(str(sent.get("key")))
        if task is None:
            return saved_tasks.TASK_EXPIRED, 410
        try:
            return jsonify(acts[name](task, sent))
        except run_cache.ResultExpired as error:
            return str(error), 410
