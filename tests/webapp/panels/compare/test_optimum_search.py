"""What the panel of the optimum says and draws."""

from __future__ import annotations

import re

import pytest

from engine import GantryError, presets
from engine.dashboard import OPTIMUM, SearchProgress
from tests.phrases import phrase
from webapp.jobs import optima
from webapp.jobs.job_manager import Progress
from webapp.panels import long_work
from webapp.panels.compare import optimum_search
from webapp.panels.long_work import Begun
from webapp.runs import saved_tasks
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest


def heights(parts: list) -> list[str]:
    columns = next(part for part in parts[0].children if getattr(part, "className", "") == "gap-columns")
    return [bar.style["height"] for bar in columns.children]


def test_a_column_is_as_high_as_the_gap_was_when_it_begins() -> None:
    """60 columns of 1 s each: 50 % for 2 s, then 25 %, until 4 s; before the first line is heard the first
    gap stands.
    """
    way = [
        SearchProgress(0.5, 150.0, 100.0),
        SearchProgress(2.0, 125.0, 100.0),
        SearchProgress(4.0, 125.0, 100.0),
    ]
    chart = optimum_search.gap_chart(way, 60)
    assert heights(chart) == ["100%", "100%", "50%", "50%", "50%"]
    columns = chart[0].children[1]
    assert getattr(columns, "aria-label") == phrase("compare.gap_over_time_after_ms", 50, 500, 25, 4)


def test_a_proved_optimum_has_columns_without_height_and_no_bound_no_picture() -> None:
    assert heights(optimum_search.gap_chart([SearchProgress(1.0, 100.0, 100.0)], 1.0)) == ["0%"] * 60
    assert (
        optimum_search.gap_chart([SearchProgress(1.0, 100.0, 0.0)], 10)
        == []
        == optimum_search.gap_chart([], 10)
    )


def status(progress: Progress) -> dict:
    asked = {"key": "0" * 16, "seconds": 10, "search": ["a", "c" * 16, "d" * 16]}
    return long_work.status(optimum_search.WORK, Begun("a", progress, asked), {})


def test_under_way_it_says_where_it_stands(cache: SharedCache) -> None:
    answer = status(Progress(3, 10, "Best found 2 min, proved at least 1 min 40 s, gap 20 %"))
    assert answer["says"] == phrase("compare.best_found_s_proved_at", "2 min", "1 min 40 s", 20)
    assert answer["found"]["steps"] == 0 and answer["job"]["asked"]["seconds"] == 10


@pytest.mark.parametrize(
    ("state", "because", "says"),
    [
        ("cancelled", "", optimum_search.NOTHING),
        ("failed", "It broke.", "It broke."),
        ("finished", "", optimum_search.WORK.not_kept),
    ],
)
def test_ended_without_an_optimum(cache: SharedCache, state: str, because: str, says: str) -> None:
    answer = status(Progress(0, 10, "", state, because))
    assert answer["says"] == says and "found" not in answer


@pytest.mark.parametrize(
    "asked",
    [
        None,
        [],
        [1],
        {"key": "0" * 16, "seconds": 10},
        {"key": 1, "seconds": 10},
        {"key": "0" * 16, "seconds": 11},
    ],
)
def test_what_is_asked_of_nothing_is_answered(cache: SharedCache, asked: object) -> None:
    with pytest.raises(GantryError, match=saved_tasks.TASK_EXPIRED):
        optimum_search.begin(asked)
    with pytest.raises(GantryError, match=saved_tasks.TASK_EXPIRED):
        optimum_search.answer(asked, Progress(0, 1, ""), {})


def test_beside_what_preempts_the_button_says_why_not(cache: SharedCache) -> None:
    task = build_task(RunRequest(presets()[0].scenario.plain(), ("fifo",)))
    assert optimum_search.output_values(task)[:3] == (False, "", [])
    none = build_task(RunRequest(presets()[0].scenario.plain(), ("fair(preemption=yes)",)))
    saved_tasks.save_task(none).result()
    disabled, because, *_ = optimum_search.output_values(none)
    assert disabled and because.startswith(phrase("compare.optimum_cant_be_told_beside"))
    with pytest.raises(GantryError, match=re.escape(because)):
        optimum_search.begin(optima.OptimumRequest(none.key, 10).plain())
    assert OPTIMUM not in none.names
