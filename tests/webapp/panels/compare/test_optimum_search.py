"""What the panel of the optimum says and draws."""

from __future__ import annotations

import pytest

from engine import OPTIMUM, SearchProgress, presets
from tests.phrases import phrase
from webapp.panels.compare import optimum_search
from webapp.services import optima, runs
from webapp.services.cache import Shared
from webapp.services.tasks import Progress
from webapp.services.url_state import Asked


def heights(parts: list) -> list[str]:
    columns = next(part for part in parts[0].children if getattr(part, "className", "") == "gap-columns")
    return [bar.style["height"] for bar in columns.children]


def test_a_column_is_as_high_as_the_gap_was_when_it_begins() -> None:
    """60 columns of 1 s each: 50 % for 2 s, then 25 %, until 4 s; before the first line is heard the first gap stands."""
    way = [SearchProgress(0.5, 150.0, 100.0), SearchProgress(2.0, 125.0, 100.0), SearchProgress(4.0, 125.0, 100.0)]
    made = optimum_search.picture(way, 60)
    assert heights(made) == ["100%", "100%", "50%", "50%", "50%"]
    columns = made[0].children[1]
    assert getattr(columns, "aria-label") == phrase("compare.gap_over_time_after_ms", 50, 500, 25, 4)


def test_a_proved_optimum_has_columns_without_height_and_no_bound_no_picture() -> None:
    assert heights(optimum_search.picture([SearchProgress(1.0, 100.0, 100.0)], 1.0)) == ["0%"] * 60
    assert optimum_search.picture([SearchProgress(1.0, 100.0, 0.0)], 10) == [] == optimum_search.picture([], 10)


def test_under_way_it_says_where_it_stands(cache: Shared) -> None:
    work = {"id": "a", "asked": {"key": "b", "seconds": 10}, "begun": ["a", "c", "d"]}
    says, kept, hidden, percent, picture, shown = optimum_search.followed(work, Progress(3, 10, "Best found 120.0 s, proved at least 100.0 s, gap 20 %"))
    assert (says, kept, hidden, percent, picture) == (phrase("compare.best_found_s_proved_at", "120.0", "100.0", 20), work, False, 30, [])


@pytest.mark.parametrize(
    ("state", "because", "says"), [("cancelled", "", optimum_search.NOTHING), ("failed", "It broke.", "It broke."), ("finished", "", optimum_search.NOT_KEPT)]
)
def test_ended_without_an_optimum(cache: Shared, state: str, because: str, says: str) -> None:
    work = {"id": "a", "asked": {"key": "0" * 16, "seconds": 10}, "begun": ["a", "c" * 16, "d" * 16]}
    assert optimum_search.followed(work, Progress(0, 10, "", state, because))[:3] == (says, None, True)


@pytest.mark.parametrize("asked", [None, [], {"key": "0" * 16, "seconds": 10}, {"key": 1, "seconds": 10}, {"key": "0" * 16, "seconds": 11}])
def test_what_is_asked_of_nothing_is_answered(cache: Shared, asked: object) -> None:
    assert optimum_search.begun(asked)[:3] == (runs.FORGOTTEN, None, True)
    assert optimum_search.followed({"id": "a", "asked": asked}, Progress(0, 1, ""))[:3] == ("", None, True)


def test_beside_what_preempts_the_button_says_why_not(cache: Shared) -> None:
    task = runs.task(Asked(presets()[0].scenario.plain(), ("fifo",)))
    assert optimum_search.filled(task)[:3] == (False, "", [])
    none = runs.task(Asked(presets()[0].scenario.plain(), ("fair(preemption=yes)",)))
    runs.keep(none).result()
    disabled, because, *_ = optimum_search.filled(none)
    assert disabled and because.startswith(phrase("compare.optimum_cant_be_told_beside"))
    assert optimum_search.begun(optima.OptimumAsk(none.key, 10).plain())[0] == because
    assert OPTIMUM not in none.names
