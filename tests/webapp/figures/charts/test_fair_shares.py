"""Held and fair shares: which entities are drawn, where, and the words beside them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dashboard import DominantShares, dominant_shares
from tests.handmade_runs import container, run, scenario, stage
from tests.phrases import phrase
from tests.webapp.handmade_runs import numbers
from webapp.figures.charts.fair_shares import (
    MAX_STRIPS,
    STRIP_FILL,
    column_count,
    drawn_entities,
    fair_share_figure,
    fair_share_rows,
    fair_share_story,
)


def two() -> tuple:
    """The first job holds 3 of 4 GB to 60 s and 2 to 100 s, the second 1 and then 2: it lacks 1 of 4 for 60
    s.
    """
    of = scenario([(4, 100)], [{"name": "a<", "maps": stage(3, 1, 1)}, {"name": "b", "maps": stage(2, 1, 1)}])
    rows = [container(0, "map", 0, 0, 60_000 + 40_000 * (index > 0), index=index) for index in range(3)]
    rows += [
        container(1, "map", 0, 0, 100_000),
        container(1, "map", 0, 60_000, 100_000, index=1, requested=0),
    ]
    made = run(of, rows)
    return made, dominant_shares(made, "job", 5)


def many(entities: int) -> DominantShares:
    empty = np.zeros((entities, 3), np.float32)
    lacked = np.arange(entities, dtype=float) % 7
    counts = np.where(lacked > 0, 1000, 0)
    edges = np.array([0, 1000, 2000, 3000])
    return DominantShares(
        [f"j{n}" for n in range(entities)],
        np.ones(entities),
        edges,
        empty,
        empty,
        empty,
        counts,
        counts * 3,
        lacked,
        np.arange(entities),
        1,
    )


def test_a_strip_an_entity_with_what_it_holds_and_lacks() -> None:
    made, result = two()
    figure = fair_share_figure(result, "job", [0, 1], None)
    lacking, due, held_a, held_b = figure["data"]
    # The scale ends at 3/4, the most anyone holds; the second strip's foot is at 1.96. It holds 1/4 in the
    # first of five columns.
    assert numbers(held_b["y"])[0] == pytest.approx(1.96 - STRIP_FILL * (1 / 4) / (3 / 4))
    assert numbers(held_b["x"]).tolist() == [0, 20, 20, 40, 40, 60, 60, 80, 80, 100]
    assert numbers(held_b["customdata"]).reshape(-1, 2)[0] == pytest.approx([25, 50])
    # It lacks 1/4 in three columns: a rectangle each, of five corners and a gap.
    assert len(numbers(lacking["x"])) == 3 * 6
    assert np.nanmax(numbers(lacking["x"])) == 60
    assert (held_a["meta"], held_b["meta"]) == ("job:a<", "job:b")
    assert figure["layout"]["yaxis"]["ticktext"] == ["a&lt;", "b"]
    assert "75 %" in figure["layout"]["annotations"][0]["text"]
    assert [trace["showlegend"] for trace in figure["data"]] == [True, True, True, False]


def test_others_are_dimmed() -> None:
    _, result = two()
    figure = fair_share_figure(result, "job", [0, 1], np.array([False, True]))
    strong, weak = (
        next(trace["line"]["color"] for trace in figure["data"] if trace.get("meta") == name)
        for name in ("job:b", "job:a<")
    )
    assert strong.endswith(",1)")
    assert weak.endswith(",0.3)")
    assert figure["layout"]["yaxis"]["ticktext"] == ["a&lt;", "<b>b</b>"]


def test_in_words_and_as_a_table() -> None:
    made, result = two()
    assert fair_share_story(made, result, [0, 1], "jobs") == phrase(
        "charts.under_by_hand_jobs_was", 1, 2, "1 min", "1 min 40 s"
    )
    first, second = fair_share_rows(result)
    assert first == {
        "Name": "b",
        phrase("charts.below_fair_share_s"): 60.0,
        phrase("charts.time_with_demand"): 60.0,
        phrase("charts.deficit_cluster_x_s"): 1500.0,  # 25 % x 60 s
        "Mean share (%)": 35.0,  # 25 % for 60 s and 50 % for 40 s
        "Mean fair share (%)": 50.0,
        "Weight": 1.0,
    }
    assert second[phrase("charts.below_fair_share_s")] == 0


def test_of_many_the_largest_deficits_are_drawn_and_the_highlighted_one() -> None:
    result = many(40)
    shown = drawn_entities(result, None)
    assert len(shown) == MAX_STRIPS
    # five of 6, six of 5, and one of 4
    assert {float(result.total_deficit[shown_run]) for shown_run in shown} == {
        6.0,
        5.0,
        4.0,
    }
    highlighted = np.zeros(40, bool)
    highlighted[7] = True  # lacked nothing
    assert drawn_entities(result, highlighted)[0] == 7
    made, _ = two()
    assert phrase("charts.with_largest_deficits_drawn_jobs", 12, 28) in fair_share_story(
        made, result, shown, "jobs"
    )
    assert len(fair_share_rows(result)) == 40


def test_nobody_lacks_anything() -> None:
    made, _ = two()
    calm = many(3)._replace(total_deficit=np.zeros(3), below_ms=np.zeros(3, np.int64), step_ms=5)
    assert fair_share_story(made, calm, [0, 1, 2], "jobs") == (phrase("charts.under_by_hand_none_was", 5))
    assert numbers(fair_share_figure(calm, "job", [0, 1, 2], None)["data"][2]["y"]) == pytest.approx(
        [0.96] * 6
    )


def test_columns_follow_the_width() -> None:
    assert column_count(900) > column_count(400) > column_count(1) == 1
