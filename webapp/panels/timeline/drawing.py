"""What the page's scripts fetch while charts are looked at: figures for another zoom, what is under the
pointer, its neighbours, and found names.

Plain routes, not callbacks: they answer in the time a frame or two take, and the script lets only one be
under way.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from dash import Dash
from flask import Response, jsonify, request

from engine import GantryError, quantities
from engine.dashboard import NONE
from webapp.figures.highlight import Selection
from webapp.figures.timeline import colouring, outage_bands, standalone
from webapp.figures.timeline.run_chart import STRIPS
from webapp.figures.timeline.signals import MAX_STRIPS, SignalStrip
from webapp.figures.timeline.signals import draw_strip as drawn_signal
from webapp.figures.timeline.time_scale import TimeScale
from webapp.figures.timeline.tooltips import container_lines
from webapp.http import disconnects, json_bodies
from webapp.messages import msg
from webapp.panels.timeline import lose_node, picking, play
from webapp.panels.timeline.viewport import (
    View,
    bounds,
    minimap_image,
    render_view,
    rows_of_chart,
    visible_rows,
)
from webapp.runs import rerun_details, run_cache, saved_tasks, text_search
from webapp.runs.task import Task

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
    index, view = sent.get("index"), View.of(sent)
    if not isinstance(index, int) or not 0 <= index < len(task.shown):
        return {}
    shown = task.shown[index]
    outcome, row_layout = shown.outcome, rows_of_chart(task, shown, view)
    title = " under ".join(part for part in (shown.task.scenario.name, outcome.run.scheduler) if part)
    colours = colouring.colouring(outcome.run, view.colour)
    drawing = standalone.draw_run(
        outcome.scene,
        outcome.split,
        standalone.with_full_height(row_layout),
        view.window or bounds(task),
        title=title,
        about=title,
        colouring=colours,
        strips=FILE_STRIPS,
        highlight=view.highlight,
        dark=view.dark,
        width=FILE_PX,
    )
    return {"name": shown.name, "svg": standalone.svg_document(drawing, view.dark)}


def signals(task: Task, sent: dict) -> dict:
    """What the schedulers measure and compute inside: by the chart's place {strips, of, says}; all: also
    beyond the first MAX_STRIPS of them.
    """
    view = View.of(sent)
    whole_window = bounds(task)
    place = TimeScale.of(view.window or whole_window, whole_window, view.width)
    chosen = Selection.of(view.highlight)
    job = chosen.name if chosen and chosen.kind == "job" else None
    by_chart = {}
    for index, shown in enumerate(task.shown):
        if (view.charts is not None and index not in view.charts) or not rerun_details.has_signals(
            shown.name
        ):
            continue
        try:
            strips = SignalStrip.of(rerun_details.scheduler_signals(shown.task, shown.name))
        except GantryError as error:
            by_chart[index] = {"strips": [], "of": 0, "says": str(error)}
            continue
        shown_strips = strips if sent.get("all") is True else strips[:MAX_STRIPS]
        by_chart[index] = {
            "strips": [drawn_signal(strip, place, job) for strip in shown_strips],
            "of": len(strips),
            "says": "",
        }
    return {
        "key": task.key,
        "drawn": {"x0": place.drawn[0], "x1": place.drawn[1]},
        "looked": {"x0": place.window[0], "x1": place.window[1]},
        "signals": by_chart,
    }


def row(task: Task, sent: dict) -> dict:
    """Whose row it is: the group's name, and the selection that highlights it."""
    row_layout, place = visible_rows(task, View.of(sent)), sent.get("row")
    group = (
        picking.group_of(row_layout, round(place))
        if isinstance(place, (int, float)) and abs(place) < 1e9
        else None
    )
    return {} if group is None else {"name": group.name, "group": group.text}


def extent(task: Task, sent: dict) -> dict:
    """From when to when, and in which rows, what is highlighted ran under any scheduler."""
    view = View.of(sent)
    row_layout = visible_rows(task, view)
    extents = [
        result
        for outcome in task.outcomes()
        if (result := picking.extent(outcome.scene, row_layout, view.highlight))
    ]
    if not extents:
        return {}
    first, last, top, bottom = zip(*extents)
    return {"x0": min(first), "x1": max(last), "y0": min(top), "y1": max(bottom)}


def container_at_pointer(task: Task, sent: dict) -> dict:
    """The container under the pointer, as text and place."""
    click = picking.Click.of(sent)
    if click is None or not 0 <= click.number < len(task.shown):
        return {}
    view = View.of(sent)
    shown = task.shown[click.number]
    outcome, row_layout = shown.outcome, rows_of_chart(task, shown, view)
    if sent.get("strip") in STRIPS:
        return {"text": picking.levels_at(outcome.run, outcome.split, sent["strip"], round(click.ms))}
    group = picking.group_at(outcome.scene, row_layout, click.row, click.ms)
    if group is not None:
        return group
    container = picking.container_at(outcome.scene, row_layout, *click[1:])
    if container is None:
        lost_band = outage_bands.outage_at(outcome.scene, row_layout, click.row, click.ms)
        return {"text": lost_band} if lost_band else {}
    return _container_answer(task, click.number, container, view)


def neighbour(task: Task, sent: dict) -> dict:
    """The container of the same row before (by -1) or after (by 1) one; without one, the first of what is
    looked at.
    """
    index, container, by = sent.get("index"), sent.get("container"), sent.get("by")
    if not isinstance(index, int) or not 0 <= index < len(task.shown) or by not in (-1, 1):
        return {}
    view, shown = View.of(sent), task.shown[index]
    outcome, row_layout = shown.outcome, rows_of_chart(task, shown, view)
    if type(container) is int and 0 <= container < len(outcome.run.containers.job):
        neighbour_ = picking.neighbour_in_row(outcome.scene, row_layout, container, by)
    else:
        neighbour_ = picking.first_visible(outcome.scene, row_layout, view.window or bounds(task))
    return {} if neighbour_ is None else _container_answer(task, index, neighbour_, view)


def search_match(task: Task, sent: dict) -> dict:
    """The match of a text that is at this place among all: {count, at, bars by chart, highlight}; count 0
    where nothing matches.

    Places count in the first run that has a match, and go round.
    """
    text, container_at_pointer, view = sent.get("text"), sent.get("at"), View.of(sent)
    match = text_search.find_matches(task, text[: text_search.MAX_TEXT]) if isinstance(text, str) else None
    first = (
        next((index for index, containers in enumerate(match.containers) if len(containers)), None)
        if match
        else None
    )
    if match is None or first is None or not isinstance(container_at_pointer, int):
        return {"count": 0, "at": 0, "bars": {}}
    count = len(match.containers[first])
    container = match.container(first, container_at_pointer % count)
    assert container is not None  # the run has a match
    bars = {
        index: _bar(task, index, other, view)
        for index, other in enumerate(text_search.same_attempt_elsewhere(task, first, container))
        if other is not None
    }  # fmt: skip
    return {"count": count, "at": container_at_pointer % count, "bars": bars, "highlight": match.selection}


def last_placed(task: Task, sent: dict) -> dict:
    """The last container placed up to a time (at, ms) in one chart: its bar, and why it was placed; brief:
    what it is alone, for a cursor that runs.
    """
    index, container_at_pointer, view = sent.get("index"), sent.get("at"), View.of(sent)
    if (
        not isinstance(index, int)
        or not 0 <= index < len(task.shown)
        or not isinstance(container_at_pointer, (int, float))
        or not abs(container_at_pointer) < picking.MAX_DECISIONS
    ):
        return {}
    shown = task.shown[index]
    starts = shown.outcome.run.containers.start
    container = int(np.searchsorted(starts, container_at_pointer, "right")) - 1
    if container < 0:
        return {"text": "", "bar": None}
    head = container_lines(shown.outcome.run, container)[0]
    text = f"{quantities.clock(int(starts[container]) / 1000)} {head}"
    if sent.get("brief") is not True:
        try:
            text = f"{text}: {rerun_details.explain_container(shown.task, shown.name, container)['because']}"
        except GantryError as error:
            text = f"{text}. {error}"
    return {"text": text, "bar": _bar(task, index, container, view)}


def _bar(task: Task, index: int, container: int, view: View) -> dict:
    """Where the page finds a container's bar."""
    shown = task.shown[index]
    bar = picking.bar(shown.outcome.scene, rows_of_chart(task, shown, view), container)
    return {"key": task.key, "index": index, "container": container} | bar


def _container_answer(task: Task, index: int, container: int, view: View) -> dict:
    shown = task.shown[index]
    outcome = shown.outcome
    c = outcome.run.containers
    bar = picking.bar(outcome.scene, rows_of_chart(task, shown, view), container)
    return {
        "key": task.key,
        "index": index,
        "container": container,
        "text": container_lines(outcome.run, container),
        **bar,
        "open": int(c.end[container]) == NONE,
    }


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
