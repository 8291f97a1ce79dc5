"""What was measured against what is simulated, and how far apart they are."""

from __future__ import annotations

from engine.dashboard import JobError
from webapp.figures.charts.measured_scatter import hover_text, scatter_figure

ROWS = (
    JobError(1, "<late", 10.0, 100.0, 119.0, 0.19, 19 / 90, "Its master took long."),
    JobError(0, "early", 0.0, 50.0, 49.0, -0.02, -0.02, ""),
)


def test_a_job_stands_at_what_it_took_both_ways() -> None:
    *_, early, late = scatter_figure(ROWS)["data"]
    assert (early["x"], early["y"], early["ids"]) == ([50.0], [49.0], ["job:early"])
    assert (late["x"], late["y"], late["ids"]) == ([90.0], [109.0], ["job:<late"])
    assert late["text"] == ["&lt;late"]
    assert early["marker"]["symbol"] != late["marker"]["symbol"]


def test_its_error_is_a_line_to_the_diagonal() -> None:
    line, apart = (trace for trace in scatter_figure(ROWS)["data"] if trace["mode"] == "lines")
    assert line["x"] == line["y"]
    assert (apart["x"][:3], apart["y"][:3]) == ([90.0, 90.0, None], [90.0, 109.0, None])


def test_the_band_holds_what_was_measured_at_such_shares_of_what_is_simulated() -> None:
    band = scatter_figure(ROWS, band=(0.5, 2.0), band_title="All jobs")["data"][0]
    for measured, simulated, share in zip(band["x"], band["y"], (2.0, 2.0, 0.5, 0.5)):
        assert measured == share * simulated
    assert band["name"] == "All jobs"


def test_the_highlighted_job_is_larger_and_has_its_name() -> None:
    plain, marked = (
        scatter_figure(ROWS, highlighted=names)["data"][-1]["marker"] for names in ((), {"<late"})
    )
    assert marked["size"][0] > plain["size"][0] and marked["line"]["width"] == [2]


def test_without_jobs_there_is_a_chart_of_nothing() -> None:
    assert all(not trace.get("ids") for trace in scatter_figure(())["data"])


def test_words() -> None:
    assert hover_text(ROWS[0]) == (
        "<b>&lt;late</b><br>measured 1:40, simulated 1:59<br>+19 %: simulated 19 s too late<br>Its "
        "master took long."
    )
