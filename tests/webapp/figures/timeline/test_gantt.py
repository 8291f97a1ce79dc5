"""The Gantt chart as bars: exact, named, and safe against names that look like markup."""

from __future__ import annotations

import pytest

from engine.schedulers.view import MAP, MASTER, REDUCE
from engine.simulation.run import KILLED, NONE, RUNNING, Run
from tests.webapp.made import numbers, run
from webapp import theme
from webapp.figures import Scene, rows, run_figure
from webapp.figures.timeline import gantt, run_chart

JOB = [
    {"kind": MASTER, "start": 0, "end": 90_000},
    {"kind": MAP, "start": 1_000, "end": 41_000},
    {"kind": REDUCE, "index": 2, "requested": 2_000, "start": 5_000, "shuffle_end": 41_100, "end": 80_500},
]
KILL = [*JOB, {"kind": REDUCE, "start": 6_000, "end": 9_000, "outcome": KILLED, "attempt": 2}]


def figure_of(made: Run, **look) -> dict:
    return run_figure(Scene(made), None, **look)


def bars(made: Run, **look) -> list[dict]:
    return [trace for trace in figure_of(made, **look)["data"] if trace["type"] == "bar"]


def real(values) -> list:
    """Without the two bars that spare plotly.js its search."""
    return list(values)[2:]


def test_bars_are_exact_and_in_seconds() -> None:
    found = {trace["name"]: trace for trace in bars(run(JOB))}
    assert {name: (real(numbers(bar["base"])), real(numbers(bar["x"]))) for name, bar in found.items()} == {
        "Master": ([0.0], [90.0]),
        "Map": ([1.0], [40.0]),
        "Waiting for maps": ([5.0], [36.0]),
        "Shuffle": ([41.0], [0.1]),
        "Reduce": ([41.1], [39.4]),
    }
    assert real(numbers(found["Reduce"]["y"])) == real(numbers(found["Shuffle"]["y"])) == [2]


def test_each_trace_has_a_longer_and_a_shorter_bar_than_none_where_nobody_looks() -> None:
    for trace in bars(run(KILL)):
        assert numbers(trace["x"])[:2].tolist() == [1e-9, -1e-9]
        assert (numbers(trace["y"])[:2] < 0).all()
        lengths = {len(numbers(trace["base"])), len(numbers(trace["x"])), len(numbers(trace["y"])), len(trace["hovertext"]), len(trace["customdata"])}
        assert len(lengths) == 1
        assert 0 < trace["width"] < 1


def test_colour_means_phase() -> None:
    for dark in (False, True):
        for trace in bars(run(JOB), dark=dark):
            assert trace["marker"]["color"] == next(phase for phase in theme.PHASES if phase.title == trace["name"]).colour(dark)


def test_a_bar_tells_what_it_is_with_units() -> None:
    # 1 map x 0.3 MB / 3 reduces at 1 MB/s: 0.1 s of the 36.1 s go into fetching.
    text = next(trace for trace in bars(run(JOB)) if trace["name"] == "Shuffle")["hovertext"][2]
    assert text.split("<br>") == [
        "<b>j0</b> reduce 2",
        "n: 1 GB, 1 vcore",
        "asked for at 2 s, waited 3 s",
        "shuffle 36.1 s, 5 s to 41.1 s",
        "of it 100 ms fetching, 36 s waiting for maps",
        "reduce 39.4 s, 41.1 s to 80.5 s",
    ]


def test_a_killed_container_is_hatched_and_says_so() -> None:
    hatched = [trace for trace in bars(run(KILL)) if trace["marker"].get("pattern", {}).get("fgcolor") == theme.KILLED.light]
    assert len(hatched) == 1
    assert "attempt 2" in hatched[0]["hovertext"][2]
    assert hatched[0]["hovertext"][2].endswith("killed after 3 s: work lost")


def test_names_are_no_markup() -> None:
    for trace in bars(run(JOB, names=["<b>&x"])):
        assert all("<b>&x" not in text for text in trace["hovertext"])
        assert trace["hovertext"][2].startswith("<b>&lt;b&gt;&amp;x</b> ")
        assert set(trace.get("text", [])) <= {"", "&lt;b&gt;&amp;x"}


def test_the_job_is_written_where_it_fits_once_in_a_run_of_bars() -> None:
    maps = [{"kind": MAP, "start": start, "end": start + 9_000} for start in (0, 10_000, 20_000)]
    short = {"kind": MAP, "start": 30_000, "end": 30_100, "job": 1}
    after = {"kind": MAP, "start": 31_000, "end": 99_000, "job": 1}
    (trace,) = bars(run([*maps, short, after], jobs=2))
    assert real(trace["text"]) == ["j0", "", "", "", "j1"]
    (small,) = bars(run([*maps, short, after], jobs=2), width=120)
    assert real(small["text"]) == ["", "", "", "", "j1"]


def test_a_long_name_is_shortened_to_its_bar_and_keeps_its_number() -> None:
    (trace,) = bars(run([{"kind": MAP, "start": 0, "end": 10_000}], names=["wordcount-of-all-books-12"]), window=(0, 100_000), width=700)
    # 59 px of 592 for the bar, 8 px of them its sides: 8 characters.
    assert real(trace["text"]) == ["wor…s-12"]


def test_the_highlighted_job_stands_out() -> None:
    made = run([*JOB, {"kind": MAP, "start": 3_000, "end": 8_000, "job": 1}], jobs=2)
    dim = [trace for trace in bars(made, highlight="job:j1") if trace["marker"].get("opacity") == gantt.DIM]
    highlighted = [trace for trace in bars(made, highlight="job:j1") if trace not in dim]
    assert [trace["name"] for trace in highlighted] == ["Map"]
    assert highlighted[0]["marker"]["line"]["width"] > 1
    assert bars(made, highlight="job:none of them") == bars(made)


def test_customdata_is_the_container() -> None:
    made = run(JOB)
    for trace in bars(made):
        for container in real(trace["customdata"]):
            assert made.containers.kind[container] == {"Master": MASTER, "Map": MAP}.get(trace["name"], REDUCE)


def test_what_never_ends_has_an_open_end() -> None:
    stuck = {"kind": REDUCE, "start": 5_000, "end": NONE, "outcome": RUNNING}
    figure = figure_of(run([stuck, {"kind": MAP, "start": 0, "end": 20_000}], status="deadlock"))
    (arrows,) = [trace for trace in figure["data"] if trace.get("mode") == "markers"]
    assert numbers(arrows["x"]).tolist() == [20.0]
    assert any("never ends: deadlock" in text for trace in figure["data"] for text in trace.get("hovertext", []))


def many(count: int, nodes: int = 5) -> Run:
    return run([{"kind": MAP, "start": 10 * number, "end": 10 * number + 9, "node": number % nodes} for number in range(count)], nodes=nodes)


@pytest.mark.parametrize(("count", "mode"), [(run_chart.MOST_BARS, "exact"), (run_chart.MOST_BARS + 1, "raster")])
def test_more_slices_than_a_browser_likes_become_a_picture(count: int, mode: str) -> None:
    figure = figure_of(many(count))
    assert figure["layout"]["meta"] == {"mode": mode, "slices": count, "hidden": 0, "complete": False, "rows": 5}
    assert bool(figure["layout"]["images"]) == (mode == "raster")


def test_a_narrow_window_of_a_large_run_is_exact() -> None:
    figure = figure_of(many(5_000), window=(1_000, 2_000))
    assert figure["layout"]["meta"]["mode"] == "exact"
    assert figure["layout"]["meta"]["slices"] == 100
    assert sum(len(real(trace["customdata"])) for trace in figure["data"] if trace["type"] == "bar") == 200  # half a window on either side too
    assert figure["layout"]["xaxis"]["range"] == [1.0, 2.0]


def test_a_small_run_is_complete_whatever_the_window() -> None:
    found = [figure_of(run(KILL), window=window) for window in ((0, 95_000), (6_000, 8_000))]
    assert [figure["layout"]["meta"]["complete"] for figure in found] == [True, True]
    assert [sum(len(real(trace["customdata"])) for trace in figure["data"] if trace["type"] == "bar") for figure in found] == [6, 6]


def test_rows_too_low_for_bars_become_a_picture_until_few_of_them_are_looked_at() -> None:
    assert figure_of(many(400, nodes=400))["layout"]["meta"]["mode"] == "raster"
    scene = Scene(many(400, nodes=400))
    figure = figure_of(scene.run, of=rows([scene]).looked((50.0, 150.0)))
    assert figure["layout"]["meta"] == {"mode": "exact", "slices": 100, "hidden": 0, "complete": False, "rows": 400}
    assert figure["layout"]["yaxis"]["range"] == [149.5, 49.5]


def test_charts_of_one_width_align() -> None:
    one, other = run(KILL), run(JOB[:1])
    layouts = [figure_of(made, window=(0, 90_000), width=700)["layout"] for made in (one, other)]
    assert layouts[0]["margin"] == layouts[1]["margin"]
    assert not any(axis["automargin"] for layout in layouts for name, axis in layout.items() if "axis" in name)
    of = rows([Scene(one), Scene(other)])
    heights = {figure_of(made, of=of)["layout"]["height"] for made in (one, other)}
    assert len(heights) == 1


def test_racks_are_named_and_parted() -> None:
    containers = [{"kind": MAP, "start": lane, "end": 90, "node": node} for node in (0, 1) for lane in range(3)]
    layout = figure_of(run(containers, nodes=2, racks=["<a>", "b"]))["layout"]
    assert [shape["y0"] for shape in layout["shapes"]] == [2.5]
    assert [mark["text"] for mark in layout["annotations"]][-2:] == ["&lt;a&gt;", "b"]
    assert not figure_of(run(containers, nodes=2))["layout"]["shapes"]
