"""What the charts look at: zoom and pan within the run, and one question to the server once a hand rests."""

from __future__ import annotations

import pytest

from tests.scripts import Scripts

# A run of 100 s on 8 rows is shown; the server answers when the test says so.
SHOWN = """() => {
  window.asked = [];
  gantry.post = (url, body) => new Promise(function (answer) {
    asked.push({ name: url.split("/").pop(), window: body.window, answer });
  });
  gantry.lanes = { move: () => {}, put: () => {}, room: () => ({}) };
  gantry.pointer = { focused: () => null, focusOn: () => {} };
  gantry.change({ base: "/" });
  const whole = { x0: 0, x1: 100000, rows: 8 };
  window.drawing = (window_) => ({ key: "one", whole, asked: {}, looked: window_ || { y1: 8 } });
  gantry.charts.show(drawing());
}"""
LOOKED = "() => [gantry.charts.view.window, gantry.charts.view.rows]"
ANSWERED = (
    "(number) => { const { answer, window: window_ } = asked[number]; answer({ ok: true, status: 200, "
    "json: async () => drawing(window_) }); }"
)


@pytest.fixture
def scripts() -> Scripts:
    scripts_ = Scripts("charts.js")
    scripts_.evaluate(SHOWN)
    return scripts_


def looked(scripts: Scripts, act: str) -> list:
    """The window of time and of rows after this, None for all."""
    scripts.evaluate(f"() => {{ gantry.charts.{act}; }}")
    return scripts.evaluate(LOOKED)


def test_a_zoom_keeps_what_is_under_the_hand_where_it_is(scripts: Scripts) -> None:
    assert looked(scripts, "zoom(0.5, 20000)") == [{"x0": 10_000, "x1": 60_000}, None]
    assert looked(scripts, "zoom(0.5, 20000)") == [{"x0": 15_000, "x1": 40_000}, None]
    assert looked(scripts, "zoomRows(0.5)") == [{"x0": 15_000, "x1": 40_000}, {"y0": 2, "y1": 6}]


def test_no_window_is_smaller_than_ten_ms_or_a_row_or_larger_than_all(scripts: Scripts) -> None:
    assert looked(scripts, "zoom(1e-9, 50000)") == [{"x0": 50_000, "x1": 50_010}, None]
    assert looked(scripts, "zoomRows(1e-9)")[1] == {"y0": 4, "y1": 5}
    assert looked(scripts, "zoom(1e9)")[0] is None
    assert looked(scripts, "zoomRows(1e9)") == [None, None]
    assert looked(scripts, "zoom(1 / gantry.charts.STEP)") == [None, None]


def test_a_window_never_leaves_the_run(scripts: Scripts) -> None:
    assert looked(scripts, "zoom(0.5, 0)") == [{"x0": 0, "x1": 50_000}, None]
    assert looked(scripts, "pan(-0.2)") == [{"x0": 0, "x1": 50_000}, None]
    assert looked(scripts, "pan(0.2)") == [{"x0": 10_000, "x1": 60_000}, None]
    assert looked(scripts, "pan(5)") == [{"x0": 50_000, "x1": 100_000}, None]
    assert looked(scripts, "panRows(1)")[1] is None  # all rows are seen
    assert looked(scripts, "zoomRows(0.25)")[1] == {"y0": 3, "y1": 5}
    assert looked(scripts, "panRows(9)")[1] == {"y0": 6, "y1": 8}
    assert looked(scripts, "all()") == [None, None]


def test_what_is_revealed_comes_into_the_middle_unless_it_is_seen(scripts: Scripts) -> None:
    looked(scripts, "look({ x0: 10000, x1: 30000 }, { y0: 0, y1: 2 })")
    assert looked(scripts, "reveal(30000, 1)") == [{"x0": 10_000, "x1": 30_000}, {"y0": 0, "y1": 2}]
    assert looked(scripts, "reveal(50000, 4)") == [{"x0": 40_000, "x1": 60_000}, {"y0": 3.5, "y1": 5.5}]
    assert looked(scripts, "reveal(99999, -1)") == [{"x0": 80_000, "x1": 100_000}, {"y0": 3.5, "y1": 5.5}]


def test_many_turns_of_a_wheel_ask_once_and_a_late_answer_moves_nothing(scripts: Scripts) -> None:
    for _ in range(12):
        scripts.evaluate("() => { gantry.charts.zoom(0.9, 50000, true); }")
        scripts.passes(40)
    assert scripts.evaluate("asked.length") == 0
    scripts.passes(60)
    assert scripts.evaluate("asked.length") == 1
    first = scripts.evaluate(LOOKED)
    scripts.evaluate("() => { gantry.charts.zoom(0.9, 50000); }")
    scripts.passes(60)
    assert scripts.evaluate("asked.length") == 1  # one at a time
    reached = scripts.evaluate(LOOKED)
    assert reached != first
    scripts.evaluate(ANSWERED, 0)
    scripts.passes(60)
    assert scripts.evaluate(LOOKED) == reached
    assert scripts.evaluate("asked.map(({ window }) => window)") == [first[0], reached[0]]


def test_while_the_hand_holds_the_charts_nothing_is_asked(scripts: Scripts) -> None:
    scripts.evaluate("() => { gantry.charts.zoom(0.5); }")
    scripts.passes(100)
    scripts.evaluate(ANSWERED, 0)
    scripts.evaluate("() => { gantry.charts.hold(true); gantry.charts.pan(0.1); gantry.charts.pan(0.1); }")
    scripts.passes(1000)
    assert scripts.evaluate("asked.length") == 1
    scripts.evaluate("() => { gantry.charts.hold(false); }")
    scripts.passes(100)
    assert scripts.evaluate("asked.length") == 2
