"""Jobs from arrival to finish: marks, lines between them, rows and groups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.codes import NONE
from engine.schedulers.view import MAP
from engine.simulation.run import JobTimes, Run
from tests.phrases import phrase
from tests.webapp.handmade_runs import numbers, run
from webapp import theme
from webapp.figures.charts.job_lifecycles import (
    MAX_ROWS,
    NAMES,
    lifecycle_figure,
    lifecycle_rows,
    lifecycle_story,
    page_options,
    page_rows,
)

STUCK = [(0, 1_000, 5_000, 6_000, 9_000), (2_000, 4_000, NONE, NONE, NONE), (3_000, NONE, NONE, NONE, NONE)]


def living(times: list[tuple[int, ...]]) -> Run:
    made = run([{"kind": MAP, "start": 0, "end": 10_000}], jobs=len(times))
    status = "finished" if all(row[-1] != NONE for row in times) else "deadlock"
    nothing = np.zeros(len(times), np.int8)
    jobs = JobTimes(*np.array(times).T, nothing.astype(bool), nothing)
    return replace(made, jobs=jobs, status=status, at_ms=10_000)


def marks(figure: dict) -> dict[str, list[tuple[float, float]]]:
    rows = [trace for trace in figure["data"] if trace["mode"] == "markers"]
    return {
        trace["name"]: list(zip(numbers(trace["x"]).tolist(), numbers(trace["y"]).tolist())) for trace in rows
    }


def test_marks_stand_where_a_job_got() -> None:
    result = marks(lifecycle_figure(living(STUCK), "all"))
    assert tuple(result) == NAMES
    assert result["submitted"] == [(0, 0), (2, 1), (3, 2)]
    assert result["first container"] == [(1, 0), (4, 1)]
    assert result["finish"] == [(9, 0)]


def test_lines_have_the_colour_of_what_the_job_does_and_go_on_to_the_end_of_a_deadlock() -> None:
    waits, maps, shuffle, reduce = lifecycle_figure(living(STUCK), "all")["data"][:4]
    spans = lambda trace: [tuple(span[:2]) for span in numbers(trace["x"]).reshape(-1, 3).tolist()]
    assert spans(waits) == [(0, 1), (2, 4), (3, 10)]
    assert waits["line"]["dash"] == "dot"
    assert spans(maps) == [(1, 5), (4, 10)]
    assert spans(shuffle) == [(5, 6)]
    assert spans(reduce) == [(6, 9)]
    assert maps["line"]["color"] == theme.with_alpha(theme.colour("map", False), 1)


def test_a_job_without_reduces_has_no_shuffle() -> None:
    figure = lifecycle_figure(living([(0, 0, 5_000, NONE, 5_000)]), "all")
    assert marks(figure)["shuffle ends"] == []
    assert [len(numbers(trace["x"])) for trace in figure["data"][:4]] == [0, 3, 0, 0]


def test_the_highlighted_job_is_bold_and_the_others_dimmed() -> None:
    figure = lifecycle_figure(living(STUCK), "all", highlighted=np.array([False, True, False]))
    assert figure["layout"]["yaxis"]["ticktext"] == ["j0", "<b>j1</b>", "j2"]
    submitted = next(trace for trace in figure["data"] if trace.get("name") == "submitted")
    assert submitted["marker"]["opacity"] == [0.25, 1.0, 0.25]
    assert submitted["ids"] == ["job:j0", "job:j1", "job:j2"]


def test_many_jobs_are_medians_of_groups_or_a_window_of_rows() -> None:
    # Job n is submitted at n s and takes 10 s, but every seventh takes 100.
    made = living(
        [
            (1000 * n, 1000 * n, 1000 * n, NONE, 1000 * n + (100_000 if n % 7 == 0 else 10_000))
            for n in range(90)
        ]
    )
    assert page_options(90) == [
        ("all", phrase("charts.all_jobs_row", 90, 3)),
        ("0", "Jobs 1 to 40"),
        ("40", "Jobs 41 to 80"),
        ("80", "Jobs 81 to 90"),
    ]
    every = page_rows(made, "all")
    assert len(every.times) == 30 <= MAX_ROWS
    # The second group is jobs 3, 4 and 5: submitted at 4 s in the median, finished at 14 s; none has a
    # shuffle.
    assert every.times[1].tolist()[::4] == [4_000, 14_000]
    assert np.isnan(every.times[1][3])
    window = page_rows(made, "40")
    assert (len(window.times), window.names[0], window.grouped) == (40, "j40", False)
    assert page_rows(made, "4000").grouped
    assert page_rows(made, "nonsense").grouped
    assert phrase("charts.row_stands_for_up_jobs", 3) in lifecycle_story(made, "all")
    assert "A row" not in lifecycle_story(made, "40")


def test_in_words_and_as_a_table() -> None:
    assert lifecycle_story(living(STUCK), "all") == (
        phrase("charts.under_fifo_finished_job_takes", 1, 4, 1, 3, 2, 3)
    )
    assert lifecycle_rows(living(STUCK))[1] == {
        "Job": "j1",
        "Submitted (s)": 2.0,
        "First container (s)": 4.0,
        "Maps end (s)": None,
        "Shuffle ends (s)": None,
        "Finish (s)": None,
    }
    assert lifecycle_story(living(STUCK[1:]), "all") == phrase("charts.under_fifo_no_job_finished", 2, 2)
    assert page_options(1) == [("all", "The job")]
