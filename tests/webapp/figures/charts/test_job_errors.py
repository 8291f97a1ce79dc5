"""By how much each job is off: too early to the left, too late to the right, the largest on top."""

from __future__ import annotations

from engine.dashboard import JobError
from webapp.figures.charts.job_errors import MAX_ROWS, errors_figure


def row(name: str, error: float) -> JobError:
    return JobError(0, name, 0.0, 100.0, 100.0 * (1 + error), error, error, "")


def test_the_largest_errors_stand_on_top_each_on_its_side() -> None:
    figure = errors_figure([row("a", 0.01), row("<b", -0.3), row("c", 0.2)], highlighted={"c"})
    early, late = figure["data"]
    assert (early["x"], early["y"], early["ids"]) == ([-0.3], [0], ["job:<b"])
    assert (late["x"], late["y"], late["text"]) == ([0.2, 0.01], [1, 2], ["+20 %", "+1 %"])
    assert figure["layout"]["yaxis"]["ticktext"] == ["&lt;b", "<b>c</b>", "a"]


def test_the_shades_are_as_wide_as_the_median_and_ninety_percent() -> None:
    layout = errors_figure([row("a", 0.01), row("b", 0.2)], median=0.1, p90=0.18)["layout"]
    assert [(shape["x0"], shape["x1"]) for shape in layout["shapes"]] == [(-0.18, 0.18), (-0.1, 0.1)]
    assert [annotation["text"] for annotation in layout["annotations"]] == ["median: 10 %", "90 %: 18 %"]
    low, high = layout["xaxis"]["range"]
    assert low < -0.18 and high > 0.2


def test_of_many_jobs_the_largest_errors_are_drawn() -> None:
    rows = [row(f"j{number}", (-1) ** number * number / 1000) for number in range(100)]
    drawn = sorted(abs(x) for bars in errors_figure(rows)["data"] for x in bars["x"])
    assert drawn == [number / 1000 for number in range(100 - MAX_ROWS, 100)]
