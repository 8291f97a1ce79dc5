"""Play: a cursor that runs through time, decision by decision if one likes, and the cluster as nodes that fill up."""

from __future__ import annotations

import numpy as np
from dash import html

from webapp.figures.timeline import node_boxes
from webapp.panels.components import icon
from webapp.panels.timeline import lose_node
from webapp.panels.timeline.viewport import View, pixels
from webapp.report.html import Markup, tag
from webapp.services.runs import Shown, Task

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
ROOM_PX, ALONE_PX = 130, 260  # the height of all boxes of a scheduler, of one that is shown alone


def layout() -> html.Section:
    """The transport: buttons, slider and clock in the row of tools."""
    buttons = [
        html.Button(icon(picture), type="button", title=title, **{"data-play": act, "aria-label": title, "aria-keyshortcuts": keys})
        for act, picture, title, keys in BUTTONS
    ]
    speed = html.Select([html.Option(title, value=value) for value, title in SPEEDS], id="play-speed", title="Speed", **{"aria-label": "Speed"})
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
    """The cluster's nodes and what they hold at the cursor, a tab of the drawer; a script fills it while it is open."""
    about = "A box a node: left its memory, right its vcores; empty is free. Press Play, or step with [ and ]."
    return html.Div([lose_node.layout(), html.Div(id="play-nodes", className="play-nodes"), html.P(about, className="help")])


def shown(task: Task, view: View) -> list[Shown]:
    """The runs whose charts are open."""
    return [one for place, one in enumerate(task.shown) if view.charts is None or place in view.charts]


def nodes_at(task: Task, sent: dict) -> dict:
    """Every open run's nodes at a time as HTML: {html}; sent: at in ms, px of a scheduler's boxes."""
    at, view = sent.get("at"), View.of(sent)
    if not isinstance(at, (int, float)) or not abs(at) < 1e15:
        return {}
    every = shown(task, view)
    width, room = pixels(sent.get("px"), WIDTHS, 300), ALONE_PX if len(every) == 1 else ROOM_PX
    return {"html": "".join(_figure(one.name, node_boxes.nodes(one.outcome.scene, round(at), width, room, view.highlight)) for one in every)}


def _figure(name: str, drawn: node_boxes.Nodes) -> Markup:
    """One run's nodes: its name, how much runs and waits, the boxes, and what happened last."""
    facts = f"{drawn.running:,} running, {drawn.waiting:,} waiting"
    head = tag("figcaption", tag("strong", name), tag("span", facts, cls="quiet"))
    parts = (head, tag("div", Markup(drawn.svg), cls="play-frame"), tag("p", drawn.happened, cls="play-happened"))
    says = f"Nodes under {name}: {facts}. {drawn.happened}"
    return tag("figure", *parts, cls="play-run", role="img", aria_label=says, data_running=drawn.running, data_waiting=drawn.waiting)


def step(task: Task, sent: dict) -> dict:
    """The time of the next decision of any open run after a time (by 1), or of the last one before it (by -1): {at}, None beyond them."""
    at, by = sent.get("at"), sent.get("by")
    if not isinstance(at, (int, float)) or not abs(at) < 1e15 or by not in (-1, 1):
        return {}
    found = []
    for one in shown(task, View.of(sent)):
        starts = one.outcome.run.containers.start
        place = int(np.searchsorted(starts, at, "right" if by > 0 else "left")) - (by < 0)
        if 0 <= place < len(starts):
            found.append(int(starts[place]))
    return {"at": (min if by > 0 else max)(found) if found else None}
