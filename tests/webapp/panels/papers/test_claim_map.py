"""The map of a headline: cells, colours, contour, the experiment's own place, and points that are
computed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from dash import Dash

from engine import GantryError, paper_experiments
from engine.papers import Printed, headline_maps
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from tests.webapp.panels.papers.made_up_map import X, Y, a_map, grid
from webapp import theme
from webapp.jobs import live_claims
from webapp.panels.papers import claim_map, map_table

ONE = a_map()
GRID = grid(ONE, lambda x, y: math.inf if (x, y) == (16, 0) else x - y, lambda x, y: x < y)
SHEET = (Path(__file__).parents[4] / "assets" / "papers_sensitivity.css").read_text("utf-8")


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dash]:
    for module in (claim_map, live_claims):
        monkeypatch.setattr(module, "headline_maps", lambda: {"haste": ONE})
    monkeypatch.setattr(claim_map, "recorded_maps", lambda: {"haste": GRID})
    point = live_claims.map_point
    point.cache_clear()
    yield Dash("test")
    point.cache_clear()


def cells() -> dict[tuple[str, str], object]:
    body = map_table.map_table(ONE, GRID).children[2].children
    return {
        (getattr(cell.children[0], "data-x"), getattr(cell.children[0], "data-y")): cell
        for row in body
        for cell in row.children[1:]
    }


def test_every_point_is_a_cell_that_says_its_number_and_whether_the_claim_holds() -> None:
    cells_ = cells()
    assert len(cells_) == 12
    assert getattr(cells_["1.0", "10.0"].children[0], "aria-label") == phrase(
        "papers.fetch_rate_mb_s_staggered", 1, 10, "−9"
    )
    assert getattr(cells_["16.0", "0.0"].children[0], "aria-label").endswith(
        phrase("papers.deadlock_does_not_hold")
    )
    assert words(cells_["16.0", "2.0"]) == "14" and words(cells_["1.0", "10.0"]) == "−9.0 ✓"
    assert as_json(list(cells_.values())).count('"tabIndex": "0"') == 1, "the map is one stop of the Tab key"


def test_the_largest_value_of_y_is_on_top() -> None:
    rows = map_table.map_table(ONE, GRID).children[2].children
    assert [words(row.children[0]).strip(" ◆") for row in rows] == ["10", "4", "2", "0"]


def test_colours_part_at_zero_and_are_strongest_at_the_farthest() -> None:
    cells_ = cells()
    assert "map-worse" in cells_["16.0", "2.0"].className and cells_["16.0", "2.0"].style == {
        "--share": "1.00"
    }
    assert "map-better" in cells_["1.0", "2.0"].className and cells_["1.0", "2.0"].style == {
        "--share": "0.07"
    }
    assert (
        "map-better" not in cells_["4.0", "4.0"].className
        and "map-worse" not in cells_["4.0", "4.0"].className
    )
    assert "map-deadlock" in cells_["16.0", "0.0"].className


def test_what_is_no_change_parts_at_the_papers_number_or_at_the_worst() -> None:
    claim_map_ = a_map(claim=Printed("Makespan", "change", 293, "s", "Table 2"), unit="s")
    assert map_table.middle(claim_map_, grid(claim_map_, lambda x, y: 250 + x, lambda x, y: True)) == 293
    assert map_table.middle(claim_map_, grid(claim_map_, lambda x, y: x - 10, lambda x, y: True)) == 0
    score = a_map(better="larger", name="Score")
    shares = grid(score, lambda x, y: 50 + x, lambda x, y: True)
    assert map_table.middle(score, shares) == 51
    text = as_json(map_table.map_key(score, shares))
    assert phrase("papers.score_larger_better", 51, 66) in text, "shares have no plus"
    assert "map-above map-better" in text and "map-below" not in text


def test_a_line_runs_around_where_the_claim_holds() -> None:
    cells_ = cells()
    sides = {
        side
        for side in ("top", "bottom", "left", "right")
        if f"map-{side}" in cells_["1.0", "2.0"].className.split()
    }
    assert sides == {"bottom", "left", "right"}
    assert not any(name.startswith("map-left") for name in cells_["4.0", "2.0"].className.split())


def test_the_experiments_own_place_is_marked_between_its_neighbours() -> None:
    marked = [at for at, cell in cells().items() if "◆" in words(cell)]
    assert marked == [("16.0", "4.0")]
    assert cells()["16.0", "4.0"].children[1].style == {"left": "0%", "top": "100%"}


def test_each_colour_is_one_that_ink_reads_on() -> None:
    """4.5:1 (WCAG 2.2, 1.4.3) at the strongest shade; the weaker ones are nearer to paper."""
    for name in ("better", "worse"):
        light, dark = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", SHEET).groups()
        assert theme.contrast(light, theme.LIGHT.ink) >= 4.5
        assert theme.contrast(dark, theme.DARK.ink) >= 4.5


def test_the_map_is_on_the_pages_of_its_paper_and_its_experiment_alone() -> None:
    assert claim_map.experiment_layout("haste/simple") == [] == claim_map.paper_layout("saf")
    assert phrase("papers.where_before_b") in as_json(claim_map.experiment_layout("haste/mixed"))
    text = as_json(claim_map.paper_layout("haste"))
    assert '"/papers/haste/mixed"' in text and paper_experiments()["haste/mixed"].title in text


def test_it_says_where_it_holds_and_offers_its_numbers() -> None:
    text = as_json(claim_map.layout("haste", ONE))
    assert phrase("papers.before_b_holds") in text and "gantry-haste-map.csv" in text
    assert phrase("papers.as_makespan_beside_bs_smaller", "−9", 0, "+14") in text


def test_a_map_that_is_not_recorded_can_still_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim_map, "recorded_maps", dict)
    text = as_json(claim_map.layout("haste", ONE))
    assert phrase("papers.no_map_recorded_with_this") in text and text.count('"data-x"') == 12
    assert "Nothing is recorded." in claim_map.answer({"paper": "haste", "x": 1, "y": 2})["says"]


def test_stops_lie_between_the_values_and_stay_whole() -> None:
    assert claim_map.stops(X) == [1, 2, 4, 8, 16]
    assert claim_map.stops(Y) == [0, 1, 2, 3, 4, 7, 10]
    assert claim_map.stops(X._replace(values=(1.0, 2.0))) == [1, 2], "nothing whole lies between"
    assert claim_map.stops(Y._replace(values=(0.0, 0.5))) == [0, 0.25, 0.5]


def test_a_point_is_computed_and_stands_beside_the_recorded_one() -> None:
    says = claim_map.answer({"paper": "haste", "x": 4, "y": 10})["says"]
    assert says == phrase("papers.fetch_rate_mb_s_staggered_masters", 4, 10, "−6", "−6")
    assert claim_map.answer({"paper": "haste", "x": 8, "y": 10})["says"].endswith(
        phrase("papers.lies_between_recorded_points")
    )


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"paper": "saf", "x": 1, "y": 2},
        {"paper": [], "x": 1, "y": 2},
        {"paper": "haste", "x": 1.1, "y": 2},
        {"paper": "haste", "x": "1", "y": 2},
    ],
)
def test_a_point_that_the_map_has_not_is_refused(asked: dict) -> None:
    assert claim_map.answer(asked) == {"because": claim_map.UNKNOWN}


def test_why_a_point_cannot_be_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_):
        raise GantryError("No node has room for it.")

    monkeypatch.setattr(live_claims, "map_point", broken)
    assert claim_map.answer({"paper": "haste", "x": 1, "y": 2}) == {"because": "No node has room for it."}


def test_each_paper_s_map_belongs_to_one_of_its_experiments() -> None:
    for paper, claim_map_ in headline_maps().items():
        assert claim_map_.experiment in paper_experiments() and claim_map_.experiment.startswith(f"{paper}/")
