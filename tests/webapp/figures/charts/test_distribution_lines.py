"""The share of seeds that have at most so much."""

from __future__ import annotations

import numpy as np
import pytest

from tests.webapp.handmade_runs import numbers
from webapp.figures.charts.distribution_lines import seeds_figure


def test_a_line_steps_up_at_each_seed() -> None:
    """Of three seeds a third has at most 10 s, two thirds at most 20 s, all at most 40 s; the axis begins 4 %
    of the 30 s before.
    """
    figure = seeds_figure(["fifo"], [np.array([10.0, 20.0, 40.0])], "Makespan", "s")
    line = figure["data"][0]
    assert numbers(line["x"])[1:4].tolist() == [10, 20, 40]
    assert numbers(line["y"])[:4].tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert line["customdata"][1:4] == ["10 s", "20 s", "40 s"]
    assert figure["layout"]["xaxis"]["range"] == pytest.approx([8.8, 41.2])


def test_other_units_and_schedulers_without_a_value() -> None:
    figure = seeds_figure(["fifo", "fair"], [np.array([0.5, 0.75]), np.array([])], "Fairness", "share")
    assert figure["layout"]["xaxis"]["title"]["text"] == "Fairness (%)"
    assert figure["data"][0]["customdata"][1:3] == ["50 %", "75 %"]
    assert set(numbers(figure["data"][1]["y"]).tolist()) == {0}
    assert seeds_figure(["fifo"], [np.array([])], "Makespan", "s")["layout"]["xaxis"][
        "range"
    ] == pytest.approx([-0.04, 1.04])
