"""The cluster at an instant: a box a node, filled as far as the node is."""

from __future__ import annotations

import pytest

from engine.codes import NONE, RUNNING
from engine.schedulers.view import MAP, REDUCE
from tests.phrases import phrase
from tests.webapp.handmade_runs import run
from tests.webapp.svg_reading import classes, read
from webapp.figures.timeline.node_boxes import draw_nodes, last_event_text
from webapp.figures.timeline.scene import Scene

MADE = run(
    [{"kind": MAP, "start": 1_000, "end": 9_000}, {"kind": MAP, "start": 2_000, "end": 5_000, "node": 1}],
    nodes=2,
)


def test_what_runs_is_counted_as_long_as_it_runs() -> None:
    assert [
        draw_nodes(Scene(MADE), at, 300, 100).running for at in (0, 1_000, 2_000, 4_999, 5_000, 9_000)
    ] == [0, 1, 2, 2, 1, 0]


def test_what_never_ends_runs_for_good() -> None:
    stuck = run(
        [
            {"kind": REDUCE, "start": 5_000, "end": NONE, "outcome": RUNNING},
            {"kind": MAP, "start": 0, "end": 20_000},
        ],
        status="deadlock",
    )
    assert draw_nodes(Scene(stuck), 90_000, 300, 100).running == 1


@pytest.mark.parametrize(
    ("count", "width", "room"), [(1, 300, 130), (12, 300, 130), (400, 120, 130), (5_000, 800, 260)]
)
def test_a_drawing_is_as_wide_as_there_is_room(count: int, width: int, room: int) -> None:
    made = run([{"kind": MAP, "start": 0, "end": 9, "node": node} for node in range(count)], nodes=count)
    result = read(draw_nodes(Scene(made), 5, width, room).svg).find("svg")
    assert float(result.get("width")) == width
    assert float(result.get("height")) <= room or count == 5_000


def test_what_happened_last_is_said() -> None:
    said = [last_event_text(MADE, at) for at in (500, 1_000, 4_000, 5_000)]
    assert said == [
        phrase("timeline.nothing_has_happened_yet"),
        "0:01 n-1 gets map 0 of j0",
        "0:02 n-2 gets map 0 of j0",
        phrase("timeline.map_ends_on", "0:05", 0, "j0", "n-2"),
    ]


def test_what_is_not_highlighted_is_dimmed() -> None:
    assert "dim" in classes(draw_nodes(Scene(MADE), 3_000, 300, 100, "node:n-1").svg)
    assert "dim" not in classes(draw_nodes(Scene(MADE), 3_000, 300, 100).svg)
