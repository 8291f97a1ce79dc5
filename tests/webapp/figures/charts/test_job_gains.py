"""Jobs that gain and lose: bars to the left and to the right, the largest of many."""

from __future__ import annotations

import numpy as np

from tests.phrases import phrase
from tests.webapp.figures.charts.changing import OF, changing
from tests.webapp.handmade_runs import numbers
from webapp.figures.charts.job_gains import MAX_ROWS, drawn_jobs, gains_figure, jobs_table, shift_text


def test_gains_stand_to_the_left_and_losses_to_the_right() -> None:
    earlier, later = gains_figure(OF)["data"]
    assert (numbers(earlier["x"]).tolist(), earlier["text"]) == ([-1.0], ["−1 s"])
    assert (numbers(later["x"]).tolist(), later["text"]) == ([2.5], ["+2.5 s"])
    assert later["hovertext"] == [
        "<b>&lt;j0&gt;</b><br>finishes at 0:10 under fifo<br>at 0:12.5 under fair: 2.5 s later"
    ]


def test_rows_go_from_the_largest_gain_to_the_largest_loss() -> None:
    figure = gains_figure(OF, highlighted=np.array([True, False, False, False, False]))
    assert figure["layout"]["yaxis"]["ticktext"] == ["&lt;j2&gt;", "<b>&lt;j0&gt;</b>"]
    low, high = figure["layout"]["xaxis"]["range"]
    assert low < -1 and high > 2.5


def test_of_many_jobs_the_largest_changes_are_drawn() -> None:
    # 100 jobs finish 1, -2, 3, -4 … s later: the 24 largest are those from 77 on.
    shifts = [1000 * number * (-1) ** (number + 1) for number in range(1, 101)]
    of = changing([200_000] * 100, [200_000 + shift for shift in shifts])
    change = of.finish_ms[drawn_jobs(of)]
    assert len(change) == MAX_ROWS
    assert sorted(abs(change).tolist()) == [1000 * number for number in range(77, 101)]
    assert (np.diff(change) > 0).all()


def test_the_table_has_the_largest_first_and_nothing_where_there_is_nothing() -> None:
    rows = jobs_table(OF, 10)
    assert [row["Job"] for row in rows] == ["<j0>", "<j2>", "<j1>", "<j3>", "<j4>"]
    assert rows[0] == {
        "Job": "<j0>",
        phrase("charts.finish_under_fifo_s"): 10.0,
        phrase("charts.finish_under_fair_s"): 12.5,
        "Difference (s)": 2.5,
    }
    assert (rows[3][phrase("charts.finish_under_fair_s")], rows[3]["Difference (s)"]) == (None, None)
    assert len(jobs_table(OF, 2)) == 2


def test_a_shift_in_words() -> None:
    assert [shift_text(ms) for ms in (-1_500, 0, 61_000)] == ["1.5 s earlier", "as before", "1 min 1 s later"]
