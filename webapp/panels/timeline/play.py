"""Play: a cursor that runs through time, decision by decision if one likes, and the cluster as nodes that
fill up.
"""

from __future__ import annotations

import numpy as np
from dash import html

from webapp.figures.timeline import node_boxes
from webapp.messages import msg
from webapp.panels.components import attributes, icon_button
from webapp.panels.sections import pixels
from webapp.panels.timeline import lose_node
from webapp.panels.timeline.viewport import View, is_number
from webapp.report.html import Markup, tag
from webapp.runs.task import ShownRun, Task

SPEEDS = (
    ("w10", msg("panels.play.all_in_s")),
    ("w30", msg("panels.play.all_in_s_2")),
    ("w60", msg("panels.play.all_in_s_3")),
    ("x1", msg("panels.play.real_time")),
    ("x10", msg("panels.play.x_real_time")),
    ("x100", msg("panels.play.x_real_time_2")),
)
BUTTONS = (
    ("first", "first", msg("panels.play.to_start_home"), "Home"),
    ("back", "left", msg("panels.play.previous_decision"), "["),
    ("play", "play", msg("shared.play"), "Space"),
    ("next", "right", msg("panels.play.next_decision"), "]"),
    ("last", "last", msg("panels.play.to_end_end"), "End"),
)
WIDTHS = range(60, 4001)  # px for the boxes of a scheduler
BOXES_PX, SINGLE_RUN_PX = 130, 260  # the height of all boxes of a scheduler, of one that is shown alone


def layout() -> html.Section:
    """The transport: buttons, slider and clock in the row of tools."""
    buttons = [
        icon_button(picture, title, {"data-play": act, "aria-keyshortcuts": keys})
        for act, picture, title, keys in BUTTONS
    ]
    says = html.P(
        "", id="play-says", className="unseen", role="status", **attributes({"aria-live": "polite"})
    )
    return html.Section(
        [
            html.Div(buttons, className="play-buttons"),
            html.Div(id="play-slider", className="play-slider"),
            html.Span("", id="play-time", className="play-time"),
            says,
        ],
        id="play",
        className="play",
        **attributes({"aria-label": "Play"}),
    )


def nodes() -> html.Div:
    """The cluster's nodes and what they hold at the cursor, a tab of the drawer; a script fills it while it
    is open.
    """
    about = html.P(msg("panels.play.box_node_left_its_memory_right"), className="help")
    return html.Div([lose_node.layout(), html.Div(id="play-nodes", className="play-nodes"), about])


def open_charts(task: Task, view: View) -> list[ShownRun]:
    """The runs whose charts are open."""
    return [task.shown[index] for index in view.drawn_charts(len(task.shown))]


def nodes_at(task: Task, sent: dict) -> dict:
    """Every open run's nodes at a time as HTML: {html}; sent: at in ms, px of a scheduler's boxes."""
    at, view = sent.get("at"), View.of(sent)
    if not is_number(at):
        return {}
    open_runs = open_charts(task, view)
    width, height = pixels(sent.get("px"), WIDTHS, 300), SINGLE_RUN_PX if len(open_runs) == 1 else BOXES_PX
    pictures = [
        node_boxes.draw_nodes(run.outcome.scene, round(at), width, height, view.highlight)
        for run in open_runs
    ]
    return {"html": "".join(_figure(run.display_name, boxes) for run, boxes in zip(open_runs, pictures))}


def _figure(name: str, boxes: node_boxes.NodesPicture) -> Markup:
    """One run's nodes: its name, how much runs and waits, the boxes, and what happened last."""
    facts = msg("panels.play.running_waiting", running=boxes.running, waiting=boxes.waiting)
    return tag(
        "figure",
        tag("figcaption", tag("strong", name), tag("span", facts, cls="quiet")),
        tag("div", Markup(boxes.svg), cls="play-frame"),
        tag("p", boxes.happened, cls="play-happened"),
        cls="play-run",
        role="img",
        aria_label=msg("panels.play.nodes_under", name=name, facts=facts, happened=boxes.happened),
        data_running=boxes.running,
        data_waiting=boxes.waiting,
    )


def step(task: Task, sent: dict) -> dict:
    """The time of the next decision of any open run after a time (by 1), or of the last one before it (by
    -1): {at}, None beyond them.
    """
    at, by = sent.get("at"), sent.get("by")
    if not is_number(at) or by not in (-1, 1):
        return {}
    times = []
    for run in open_charts(task, View.of(sent)):
        starts = run.outcome.run.containers.start
        index = int(np.searchsorted(starts, at, "right" if by > 0 else "left")) - (by < 0)
        if 0 <= index < len(starts):
            times.append(int(starts[index]))
    return {"at": (min if by > 0 else max)(times) if times else None}
