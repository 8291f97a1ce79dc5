"""Two runs one above the other: the same rows, the same time, the same height."""

from __future__ import annotations

import base64
from dataclasses import replace

from engine.schedulers.view import MAP
from tests.webapp.figures.timeline.pixels import is_phase, unpacked
from tests.webapp.handmade_runs import run
from webapp.figures.charts.run_strips import STRIP_PX, strips_figure
from webapp.figures.timeline.scene import Scene

SHORT = Scene(
    run(
        [{"kind": MAP, "start": 0, "end": 10_000}, {"kind": MAP, "start": 0, "end": 5_000, "index": 1}],
        nodes=2,
    )
)
LONG = Scene(
    replace(run([{"kind": MAP, "start": 10_000, "end": 40_000, "node": 1}], nodes=2), scheduler="<fair>")
)


def test_both_have_the_same_rows_and_the_same_time() -> None:
    layout = strips_figure(SHORT, LONG, width=700)["layout"]
    first, second = layout["images"]
    assert (first["yref"], second["yref"]) == ("y", "y2")
    assert [first[key] for key in ("x", "sizex", "sizey")] == [second[key] for key in ("x", "sizex", "sizey")]
    assert first["sizey"] == 3  # two lanes on the first node, one on the second
    assert layout["yaxis"]["range"] == layout["yaxis2"]["range"] == [2.5, -0.5]
    assert layout["xaxis"]["range"][1] >= 40
    assert [note["text"] for note in layout["annotations"]] == ["fifo", "&lt;fair&gt;"]


def test_a_strip_is_the_gantt_chart_in_small() -> None:
    # 3 rows of 14 pixels; LONG runs in the last of them from 10 s on, of 40.8 s on 592 pixels.
    image = strips_figure(SHORT, LONG, width=700)["layout"]["images"][1]
    pixels, palette = unpacked(base64.b64decode(image["source"].removeprefix("data:image/png;base64,")))
    drawn = palette[pixels]
    assert drawn.shape == (42, 592, 4)
    assert not drawn[:28].any()
    assert not drawn[28:, :145].any()
    assert is_phase(drawn[30, 300], "map")


def test_a_large_cluster_is_no_higher() -> None:
    large = Scene(run([{"kind": MAP, "start": 0, "end": 1_000}], nodes=1_000))
    layout = strips_figure(large, large)["layout"]
    assert layout["images"][0]["sizey"] == 1_001  # 143 lines of 7 rows
    assert layout["height"] < 2 * STRIP_PX + 150


def test_the_legend_is_there_for_pictures_that_leave_the_page() -> None:
    figure = strips_figure(SHORT, LONG)
    assert [trace["name"] for trace in figure["data"]] == ["Master", "Map"]
    assert figure["layout"]["showlegend"] is False
