"""Lines of schedulers: the queue, waits and turnarounds, their labels, words and tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.codes import NONE
from engine.schedulers.view import MAP
from engine.simulation.run import Run
from tests.phrases import phrase
from tests.webapp.handmade_runs import numbers, run
from webapp import theme
from webapp.figures.charts.distributions import (
    distribution_figure,
    distribution_rows,
    distribution_story,
    percentile,
)
from webapp.figures.charts.jobs_waiting import MAX_ROWS, waiting_figure, waiting_rows, waiting_story
from webapp.figures.charts.step_lines import PLOT_PX, Axes, Line, downsample_line, legend_lines, place_labels

AXES = Axes("time (s)", "jobs", (0.0, 100.0), 10.0, "")


def starting(*ms: int, scheduler: str = "fifo", finish: int | None = 10_000) -> Run:
    """Jobs that are all submitted at 0 and start then."""
    made = run([{"kind": MAP, "start": 0, "end": 10_000}], jobs=len(ms))
    times = made.jobs._replace(
        start=np.array(ms), finish=np.array([NONE if at == NONE or finish is None else finish for at in ms])
    )
    return replace(
        made, scheduler=scheduler, jobs=times, status="finished" if finish and NONE not in ms else "deadlock"
    )


def test_the_queue_is_a_step_line_a_scheduler() -> None:
    # Three jobs at 0: two start at 2 s, one at 5 s; under <b> all start at once.
    figure = waiting_figure([starting(2_000, 2_000, 5_000), starting(0, 0, 0, scheduler="<b>")])
    one, other = figure["data"]
    assert (numbers(one["x"]).tolist(), numbers(one["y"]).tolist()) == ([0, 2, 5, 10], [3, 1, 0, 0])
    assert numbers(other["y"]).tolist() == [0, 0]
    assert one["line"]["shape"] == "hv"
    assert one["line"]["dash"] != other["line"]["dash"]
    assert [trace["line"]["color"] for trace in (one, other)] == [
        theme.scheduler(place, dark=False) for place in (0, 1)
    ]
    assert one["customdata"][0] == "0:00"
    assert other["name"] == "&lt;b&gt;"
    assert {note["text"] for note in figure["layout"]["annotations"]} == {"fifo", "&lt;b&gt;"}


def test_the_queue_in_words_and_as_a_table() -> None:
    runs = [starting(2_000, 2_000, 5_000), starting(0, 4_000, NONE, scheduler="fair")]
    # (3 x 2 s + 1 x 3 s) / 10 s, and (2 x 4 s + 1 x 6 s) / 10 s.
    assert waiting_story(runs) == (
        phrase("charts.jobs_waiting_under_fifo_on", 0.9, 3, "0:00", 1.4, 2, "0:00", 1)
    )
    assert waiting_rows(runs) == [
        {"From (s)": 0.0, "fifo (jobs waiting)": 3, "fair (jobs waiting)": 2},
        {"From (s)": 2.0, "fifo (jobs waiting)": 1, "fair (jobs waiting)": 2},
        {"From (s)": 4.0, "fifo (jobs waiting)": 1, "fair (jobs waiting)": 1},
        {"From (s)": 5.0, "fifo (jobs waiting)": 0, "fair (jobs waiting)": 1},
    ]
    assert len(waiting_rows([starting(*range(0, 1_000_000, 1_000))])) == MAX_ROWS


def test_the_share_of_jobs_that_have_started() -> None:
    (trace,) = distribution_figure([starting(1_000, 1_000, 3_000, NONE)], "wait")["data"]
    # 2 of 4 within 1 s, 3 of 4 within 3 s, and never more; the axis ends at 1.04 x 3 s.
    assert numbers(trace["x"]) == pytest.approx([0, 1, 3, 3.12])
    assert numbers(trace["y"]).tolist() == [0, 0.5, 0.75, 0.75]


def test_highlighted_jobs_are_marked_on_their_lines() -> None:
    runs = [starting(1_000, 3_000, 3_000, NONE), starting(0, 0, 2_000, 0, scheduler="fair")]
    *_, fifo, fair = distribution_figure(runs, "wait", highlighted=np.array([False, True, False, True]))[
        "data"
    ]
    # The second job is among the 3 of 4 that have started within 3 s, the last one never starts; under fair
    # both start at once, as 3 of 4 do.
    assert (numbers(fifo["x"]).tolist(), numbers(fifo["y"]).tolist()) == ([3], [0.75])
    assert (numbers(fair["x"]).tolist(), numbers(fair["y"]).tolist()) == ([0, 0], [0.75, 0.75])
    assert fifo["hovertext"] == ["<b>j1</b> under fifo<br>3 s"]


def test_waits_in_words_and_as_a_table() -> None:
    runs = [starting(1_000, 1_000, 3_000, NONE)]
    assert distribution_story(runs, "wait") == phrase("charts.half_jobs_and_them_have", 95, 1, 1, 4)
    table = {row["Percentile"]: row["fifo (s)"] for row in distribution_rows(runs, "wait")}
    assert (table[50], table[75], table[80]) == (1.0, 3.0, None)


def test_percentiles_by_nearest_rank() -> None:
    assert [percentile(np.array([5, 1, 3, NONE]), percent) for percent in (0, 25, 26, 75, 76)] == [
        1,
        1,
        3,
        5,
        NONE,
    ]


def test_nothing_ever_finished() -> None:
    figure = distribution_figure([starting(0, 0, finish=None)], "turnaround")
    assert numbers(figure["data"][0]["y"]).tolist() == [0, 0]


def test_labels_stand_at_their_lines_and_off_the_others() -> None:
    lines = [
        Line("low", np.array([0.0]), np.array([1.0]), 100),
        Line("high", np.array([0.0]), np.array([8.0]), 100),
    ]
    result = dict(place_labels(lines, ["low", "high"], AXES, 600))
    # 1 of 10 is at 22 px of 220, 8 at 176.
    assert abs(result["low"][1] - 22) < 20
    assert abs(result["high"][1] - 176) < 20


def test_lines_that_are_the_same_share_a_label_and_crowded_ones_have_none() -> None:
    same = [Line(name, np.array([0.0, 50.0]), np.array([4.0, 2.0]), 100) for name in "ab"]
    assert [text for text, _ in place_labels(same, ["a", "b"], AXES, 600)] == ["a, b"]
    crowd = [Line(str(number), np.array([0.0]), np.array([5 + number / 50]), 100) for number in range(8)]
    assert len(place_labels(crowd, [line.name for line in crowd], AXES, 600)) <= 2
    assert all(
        0 <= y <= PLOT_PX for _, (_, y, _) in place_labels(crowd, [line.name for line in crowd], AXES, 600)
    )


def test_a_long_line_has_a_few_points_a_pixel_and_keeps_its_peaks() -> None:
    x = np.arange(100_000.0)
    y = np.zeros(100_000)
    y[77_777] = 9
    thin_x, thin_y = downsample_line(Line("a", x, y, 100_000), (0, 100_000), 500)
    assert len(thin_x) <= 4 * 501
    assert thin_y.max() == 9


def test_names_wrap_where_they_have_no_room() -> None:
    assert legend_lines(["fifo", "fair"], 600) == 1
    assert legend_lines(["a scheduler of many words"] * 4, 400) == 2
    assert legend_lines(["a scheduler of many words"] * 4, 100) == 4
