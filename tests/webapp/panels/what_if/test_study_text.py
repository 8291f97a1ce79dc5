"""What a study says, from numbers written down by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine import METRICS, Study, Vary, quantities, tunables
from engine.dashboard import StudyResult, Tunable, winners
from engine.scenario.model import Scenario
from tests.phrases import phrase
from webapp.panels.what_if import study_pictures, study_text, study_view

MAKESPAN = METRICS[0]
NODES, MAPS = "cluster.nodes.total", "jobs[0].maps.count"


def study_of(small: dict, schedulers: int = 2, curve_card: bool = True, **more) -> Study:
    if curve_card:
        small["jobs"][0]["maps"]["duration_s"] = {"dist": "exponential", "mean": 10}
    vary = more.pop("vary", (Vary(NODES, (1, 2, 3)),))
    return Study(small, ("fifo", "fair", "drf")[:schedulers], vary, **more)


def result_of(study: Study, values: list) -> StudyResult:
    """values: a makespan of each point, scheduler and seed."""
    result = StudyResult.empty(study)
    result.values[..., study.metrics.index("makespan_s")] = values
    result.state[...] = 1
    return result


def turned(study: Study) -> list[Tunable]:
    tunables_by_path = {one.path: one for one in tunables(Scenario.of(study.scenario), study.schedulers)}
    return [tunables_by_path[one.path] for one in study.vary]


def text_at(found: StudyResult, point: int) -> str:
    return study_text.answer_text(found, MAKESPAN, point, turned(found.study))


def test_a_difference_is_paired_corrected_and_clear_or_not(small) -> None:
    """Seed by seed fair takes 10, 12 and 14 s more: 12 ± t(2, 95 %) 4.303 x 2 / sqrt(3) = 4.97 s, one pair
    being compared; and 0 ± 8.6 s.
    """
    study = study_of(small, seeds=3)
    result = result_of(
        study,
        [[[100, 200, 300], [110, 212, 314]], [[100, 200, 300], [102, 196, 302]], [[1, 1, 1], [1, 1, 1]]],
    )
    [gap] = study_text.gaps_to_best(result, MAKESPAN, 0)
    assert (gap.scheduler, gap.best, gap.mean, gap.is_clear) == (1, 0, 12, True)
    assert gap.half == pytest.approx(4.3027 * 2 / 3**0.5, abs=0.001)
    assert text_at(result, 0) == phrase("what_if.at_node_fifo_has_best", 1, 12, 5)
    assert text_at(result, 1) == phrase("what_if.at_nodes_fifo_and_fair", 2, 0, 8.6)
    assert text_at(result, 2) == phrase("what_if.at_nodes_all_schedulers_have", 3)
    table = str(study_view.differences_table(result, MAKESPAN, 0, turned(study)).to_plotly_json())
    assert "+12 s ± 5 s" in table and "'clear'" in table and "Makespan at 1 node" in table


def test_of_three_schedulers_all_pairs_are_counted(small) -> None:
    """3 pairs: each interval has 1 - 0.05 / 3, whose quantile with 2 degrees of freedom is 7.649."""
    result = result_of(study_of(small, 3, seeds=3), [[[1, 2, 3], [2, 3, 4.5], [1, 2, 3]]] * 3)
    same, other = study_text.gaps_to_best(result, MAKESPAN, 0)
    assert same.is_same and same.scheduler == 2 and not other.is_same
    assert other.half / (np.std([1, 1, 1.5], ddof=1) / 3**0.5) == pytest.approx(7.649, abs=0.001)
    assert text_at(result, 0).startswith(phrase("what_if.at_node_fifo_drf_and", 1, 1.2))


def test_a_star_is_told_only_beyond_doubt(small) -> None:
    study = study_of(small, seeds=3)
    far = [[[100, 101, 102], [9, 10, 11]], [[50, 51, 52], [9, 10, 12]], [[90, 91, 92], [10, 9, 11]]]
    story = study_text.curve_story(result_of(study, far), MAKESPAN, turned(study)[0])
    assert story == phrase("what_if.best_fifo_at_nodes_s", 2, 51, 2.5)
    one = study_of(small)
    assert (
        study_text.curve_story(result_of(one, [[[3], [2]], [[1], [1]], [[2], [2]]]), MAKESPAN, turned(one)[0])
        == study_text.ONE_SEED
    )
    fixed = result_of(
        study_of(
            {**small, "jobs": [small["jobs"][0] | {"maps": small["jobs"][0]["maps"] | {"duration_s": 10}}]},
            curve_card=False,
        ),
        [[[3], [2]], [[1], [1]], [[2], [2]]],
    )
    assert (
        study_text.curve_story(fixed, MAKESPAN, turned(one)[0]).startswith(
            phrase("what_if.best_fifo_fair_at_nodes", "=", 2, 1)
        )
        is False
    )
    assert phrase("what_if.best_fifo_at_nodes_s_fair", 2, 1, 2, 1) in study_text.curve_story(
        fixed, MAKESPAN, turned(one)[0]
    )


def test_a_map_counts_its_cells_and_says_each(small) -> None:
    study = study_of(small, seeds=3, vary=(Vary(NODES, (1, 2)), Vary(MAPS, (2, 4))))
    clear, open_, same = [[10, 20, 30], [60, 71, 82]], [[10, 20, 30], [31, 20, 10]], [[1, 2, 3], [1, 2, 3]]
    result = result_of(study, [clear, open_, same, clear[::-1]])
    winners_by_point = winners(result, "makespan_s")
    assert [(one.scheduler_index, one.is_clear) for one in winners_by_point] == [
        (0, True),
        (0, False),
        (0, False),
        (1, True),
    ]
    cells = study_pictures.cells(result, MAKESPAN, winners_by_point)
    assert (cells["x"], cells["y"]) == ([1, 2], [2, 4])
    assert cells["texts"][0].startswith("fifo by 51 s ± ") and cells["texts"][1].endswith(
        ", no significant difference"
    )
    story = study_text.map_story(result, MAKESPAN, winners_by_point, turned(study))
    assert story.startswith(phrase("what_if.cells_best_beyond_doubt_fifo", 4, 1, 1, 2, 51) + " ")
    row = study_text.rows(result, MAKESPAN, turned(study))[0]
    assert (row["Best"], row["Told apart"], row["Margin (s)"], row["fifo (s)"]) == ("fifo", "clear", 51, 20)


def test_runs_without_a_value_are_told(small) -> None:
    study = study_of(small, seeds=2)
    result = result_of(study, [[[1, 2], [1, 2]]] * 3)
    result.values[0, 1], result.state[0, 1] = np.nan, 3
    result.because[0, 1] = "maps.memory_mb: fits no node"
    story = study_text.curve_story(result, MAKESPAN, turned(study)[0])
    assert phrase("what_if.fair_has_runs_without_value", 1, "maps.memory_mb") in story
    assert text_at(result, 0) == phrase("what_if.at_node_no_two_schedulers", 1)
    assert study_text.rows(result, MAKESPAN, turned(study))[0]["fair (s)"] is None


@pytest.mark.parametrize(
    "at, point", [(None, 1), ([2.6], 2), ([-5], 0), (["x"], 1), ({}, 1), ([float("inf")], 1), ([1, 2, 3], 0)]
)
def test_the_point_nearest_to_the_sliders_whatever_is_sent(small, at, point: int) -> None:
    assert study_view.nearest(result_of(study_of(small), [[[1], [2]]] * 3), at) == point


def test_sizes_and_signs() -> None:
    assert quantities.estimate(-61, 9, "s", is_difference=True) == "−1 min 1 s ± 9 s"
    assert quantities.estimate(0.031, float("nan"), "share", is_difference=True) == "+3.1 pp"
    assert quantities.estimate(float("nan"), 1, "s") == "–"
