"""Schedulers beside each other, and a run in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.analysis.metrics import summary
from engine.codes import KILLED, NONE, RUNNING
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import Run
from tests.phrases import phrase
from tests.webapp.handmade_runs import numbers, run
from webapp import theme
from webapp.figures import describe, finish_figure, interval_figure

MAPS = [{"kind": MAP, "start": 0, "end": 9_000}, {"kind": MAP, "start": 1_000, "end": 4_000, "job": 1}]


def finishing(*ms: int, scheduler: str = "fifo") -> Run:
    made = run(MAPS, jobs=len(ms), names=[f"<j{number}>" for number in range(len(ms))])
    return replace(made, scheduler=scheduler, jobs=made.jobs._replace(finish=np.array(ms)))


def test_each_job_has_a_row_and_each_scheduler_a_symbol() -> None:
    figure = finish_figure(
        [finishing(9_000, 4_000), finishing(5_000, NONE, scheduler="fair")], highlight="<j1>"
    )
    spans, fifo, fair = figure["data"]
    assert numbers(fifo["x"]).tolist() == [9.0, 4.0]
    assert numbers(fair["x"]).tolist() == [5.0]
    assert fifo["marker"]["symbol"] != fair["marker"]["symbol"]
    assert [trace["marker"]["color"] for trace in (fifo, fair)] == [
        theme.scheduler(place, dark=False) for place in (0, 1)
    ]
    assert figure["layout"]["xaxis"]["ticktext"][:2] == ["0:00", "0:02"]
    assert figure["layout"]["xaxis"]["title"]["text"] == phrase("charts.finish_each_job_m_ss")
    assert fifo["hovertext"][0] == "<b>&lt;j0&gt;</b> under fifo<br>finishes at 0:09"
    assert numbers(spans["x"])[[0, 1, 3, 4]].tolist() == [5.0, 9.0, 4.0, 4.0]
    assert figure["layout"]["yaxis"]["ticktext"] == ["&lt;j0&gt;", "<b>&lt;j1&gt;</b>"]


def test_many_jobs_are_a_curve_of_those_finished() -> None:
    figure = finish_figure(
        [
            finishing(*range(1_000, 31_000, 1_000)),
            finishing(*range(2_000, 61_000, 2_000), NONE, scheduler="fair"),
        ]
    )
    assert [numbers(trace["y"])[-1] for trace in figure["data"]] == [30, 30]
    assert len({trace["line"]["dash"] for trace in figure["data"]}) == 2


def test_intervals_reach_from_their_lower_to_their_upper_end() -> None:
    (trace,) = interval_figure(
        [("fifo", 10.0, 9.0, 12.0), ("fair", 8.0, 7.5, 8.25)], [0, 2], title="Makespan", unit="s"
    )["data"]
    assert numbers(trace["x"]).tolist() == [10.0, 8.0]
    assert (trace["error_x"]["array"], trace["error_x"]["arrayminus"]) == ([2.0, 0.25], [1.0, 0.5])
    assert trace["marker"]["color"] == [theme.scheduler(place, dark=False) for place in (0, 2)]
    assert trace["hovertext"][0] == "<b>fifo</b><br>mean 10 s<br>interval 9 s to 12 s"


def test_a_run_in_words() -> None:
    # 9 s + 3 s of a vcore, and 12 s of 1 GB, of 4 vcores and 4 GB for 9 s: a third of both.
    made = replace(run(MAPS, jobs=2), jobs=finishing(9_000, 4_000).jobs)
    assert describe(made, summary(made)) == (
        phrase("charts.fifo_jobs_containers_on_node", 2, 2, 1, 9, 33.3, 33.3, "j1", "0:04", "j0", "0:09")
    )


def test_a_deadlock_in_words() -> None:
    stuck = [
        {"kind": REDUCE, "start": 0, "end": NONE, "outcome": RUNNING},
        {"kind": REDUCE, "start": 0, "end": 2_000, "outcome": KILLED},
    ]
    made = run(stuck, status="deadlock")
    text = describe(made, summary(made))
    assert "deadlock at 0:02" in text
    assert phrase("charts.container_killed_no_job_finished", 1) in text


def test_many_jobs_are_cut_short_in_words() -> None:
    made = finishing(*range(1_000, 31_000, 1_000))
    measured = {"makespan_s": 30.0, "vcore_utilization": 0.5, "memory_utilization": 0.5}
    assert describe(made, measured).endswith(phrase("charts.at_last_at", "0:05", 30, "0:30"))
