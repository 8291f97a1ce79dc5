"""What changed between two schedulers, in words; and that whatever ran can be shown."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from plotly.graph_objects import Figure

from engine import difference, simulate
from engine.codes import KILLED, RUNNING
from engine.dashboard import NONE
from engine.schedulers.view import MAP, REDUCE
from tests.phrases import phrase
from tests.strategies import scenarios, scheduler_text, schedulers
from tests.webapp.figures.charts.changing import OF, changing
from tests.webapp.figures.charts.shifting import shifting
from tests.webapp.handmade_runs import run
from webapp.panels.compare.difference import chosen_pair, containers_sentence, jobs_sentence, pictures


def test_jobs_that_gain_and_lose_are_counted() -> None:
    assert jobs_sentence(OF) == (phrase("compare.under_fair_compared_with_fifo", 1, 1, 1, 2.5, 1, 1, 1))


def test_of_several_jobs_the_mean_is_told() -> None:
    # 1 and 3 s earlier: 2 s on average.
    assert jobs_sentence(changing([10_000, 10_000], [9_000, 7_000])) == phrase(
        "compare.under_fair_compared_with_fifo_jobs", 2, 2
    )


def test_containers_are_counted() -> None:
    of = shifting([(0, 0), (1_000, 3_000), (2_000, 500), (4_000, 3_500)], [(0, 0), (0, 1), (0, 0), (0, 0)])
    assert containers_sentence(of) == (
        phrase("compare.containers_start_earlier_on_average", 2, 1, 1, 2, 1, 4, 25)
    )


def test_what_has_no_counterpart_is_counted() -> None:
    rows = [{"kind": MAP, "start": 0, "end": 1_000}]
    more = [
        *rows,
        {"kind": REDUCE, "start": 0, "end": 500, "outcome": KILLED},
        {"kind": REDUCE, "start": 600, "end": NONE, "outcome": RUNNING},
    ]
    of = difference(run(rows), replace(run(more, status="deadlock"), scheduler="fair"))
    assert containers_sentence(of).endswith(phrase("compare.without_counterpart_finished_under_fair", 2, 1))


def test_nothing_to_compare_is_said() -> None:
    stuck = run([{"kind": MAP, "start": 0, "end": NONE, "outcome": RUNNING}], status="deadlock")
    of = difference(run([{"kind": MAP, "start": 0, "end": 1_000}]), replace(stuck, scheduler="fair"))
    assert containers_sentence(of) == (phrase("compare.no_task_finishes_under_both", 1, 1))
    assert [one.key for one in pictures(of, None, False, 700)] == ["difference-runs"]


@pytest.mark.parametrize(
    ("a", "b", "chosen"),
    [
        (None, None, ("fifo", "fair")),
        ("drf", "fifo", ("drf", "fifo")),
        ("fair", None, ("fifo", "fair")),
        ("gone", "fifo", ("fifo", "fair")),
        ("fair", "fair", ("fair", "fair")),  # as chosen: it is answered in a sentence
    ],
)
def test_what_was_chosen_is_kept_if_both_were_run(
    a: str | None, b: str | None, chosen: tuple[str, str]
) -> None:
    assert chosen_pair(["fifo", "fair", "drf"], a, b) == chosen


def test_of_one_scheduler_there_is_no_pair() -> None:
    assert chosen_pair(["fifo"], None, None) == ("fifo", "fifo")


@settings(max_examples=40)
@given(scenarios(), schedulers(), schedulers())
def test_any_two_runs_can_be_shown(of, first, second) -> None:
    diff = difference(*(simulate(of, scheduler_text(chosen)) for chosen in (first, second)))
    shown = [] if diff.alike else pictures(diff, None, False, 360)
    for one in shown:
        Figure(one.figure)  # plotly knows every property
        json.dumps([one.figure, one.table], allow_nan=False)
        assert one.story.endswith(".")
