"""Play: a cursor that runs through time, decision by decision if one likes, and the cluster as nodes that
fill up.
"""

from __future__ import annotations

import numpy as np
from dash import html

from webapp.figures.timeline import node_boxes
from webapp.panels.components import icon
from webapp.panels.timeline import lose_node
from webapp.panels.timeline.viewport import View, pixels
from webapp.report.html import Markup, tag
from webapp.services.runs import ShownRun, Task

SPEEDS = (
    ("w10", "All in 10 s"),
    ("w30", "All in 30 s"),
    ("w60", "All in 60 s"),
    ("x1", "Real time"),
    ("x10", "10 x real time"),
    ("x100", "100 x real time"),
)
BUTTONS = (
    ("first", "first", "To the start (Home)", "Home"),
    ("back", "left", "Previous decision ([)", "["),
    ("play", "play", "Play (Space)", "Space"),
    ("next", "right", "Next decision (])", "]"),
    ("last", "last", "To the end (End)", "End"),
)
WIDTHS = range(60, 4001)  # px for the boxes of a scheduler
BOXES_PX, SINGLE_RUN_PX = 130, 260  # the height of all boxes of a scheduler, of one that is shown alone


def layout() -> html.Section:
    """The transport: buttons, slider and clock in the row of tools."""
    buttons = [
        html.Button(
            icon(picture),
            type="button",
            title=title,
            **{"data-play": act, "aria-label": title, "aria-keyshortcuts": keys},
        )
        for act, picture, title, keys in BUTTONS
    ]
    speed = html.Select(
        [html.Option(title, value=value) for value, title in SPEEDS],
        id="play-speed",
        title="Speed",
        **{"aria-label": "Speed"},
    )
    return html.Section(
        [
            html.Div(buttons, className="play-buttons"),
            html.Div(id="play-slider", className="play-slider"),
            html.Span("", id="play-time", className="play-time"),
            speed,
            html.P("", id="play-says", className="unseen", role="status", **{"aria-live": "polite"}),
        ],
        id="play",
        className="play",
        **{"aria-label": "Play"},
    )


def nodes() -> html.Div:
    """The cluster's nodes and what they hold at the cursor, a tab of the drawer; a script fills it while it
    is open.
    """
    about = (
        "A box a node: left its memory, right its vcores; empty is free. Press Play, or step with [ and ]."
    )
    return html.Div(
        [
            lose_node.layout(),
            html.Div(id="play-nodes", className="play-nodes"),
            html.P(about, className="help"),
        ]
    )


def open_charts(task: Task, view: View) -> list[ShownRun]:
    """The runs whose charts are open."""
    return [run for index, run in enumerate(task.shown) if view.charts is None or index in view.charts]


def nodes_at(task: Task, sent: dict) -> dict:
    """Every open run's nodes at a time as HTML: {html}; sent: at in ms, px of a scheduler's boxes."""
    at, view = sent.get("at"), View.of(sent)
    if not isinstance(at, (int, float)) or not abs(at) < 1e15:
        return {}
    open_runs = open_charts(task, view)
    width, height = pixels(sent.get("px"), WIDTHS, 300), SINGLE_RUN_PX if len(open_runs) == 1 else BOXES_PX
    return {
        "html": "".join(
            _figure(
                run.name, node_boxes.draw_nodes(run.outcome.scene, round(at), width, height, view.highlight)
            )
            for run in open_runs
        )
    }


def _figure(name: str, boxes: node_boxes.NodesPicture) -> Markup:
    """One run's nodes: its name, how much runs and waits, the boxes, and what happened last."""
    facts = f"{boxes.running:,} running, {boxes.waiting:,} waiting"
    head = tag("figcaption", tag("strong", name), tag("span", facts, cls="quiet"))
    parts = (
        head,
        tag("div", Markup(boxes.svg), cls="play-frame"),
        tag("p", boxes.happened, cls="play-happened"),
    )
    description = f"Nodes under {name}: {facts}. {boxes.happened}"
    return tag(
        "figure",
        *parts,
        cls="play-run",
        role="img",
        aria_label=description,
        data_running=boxes.running,
        data_waiting=boxes.waiting,
    )


def step(task: Task, sent: dict) -> dict:
    """The time of the next decision of any open run after a time (by 1), or of the last one before it (by
    -1): {at}, None beyond them.
    """
    at, by = sent.get("at"), sent.get("by")
    if not isinstance(at, (int, float)) or not abs(at) < 1e15 or by not in (-1, 1):
        return {}
    times = []
    for run in open_charts(task, View.of(sent)):
        starts = run.outcome.run.containers.start
        index = int(np.searchsorted(starts, at, "right" if by > 0 else "left")) - (by < 0)
        if 0 <= index < len(starts):
            times.append(int(starts[index]))
    return {"at": (min if by > 0 else max)(times) if times else None}
