"""The cases of a policy's page: their numbers, their charts, and links to the pages."""

from __future__ import annotations

import pytest
from dash import Dash, no_update

from engine import Parameter
from engine.dashboard import guide
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json
from webapp.panels.components import allowed_values, default_text
from webapp.panels.papers import guide as panel
from webapp.runs.cache import SharedCache


@pytest.fixture(autouse=True)
def app() -> Dash:
    return Dash("test")


def test_a_case_shows_both_numbers_the_difference_and_both_charts(cache: SharedCache) -> None:
    menu, numbers, *charts = panel._case_content({"type": "case", "name": "fifo", "place": "0"}, False, 600)
    offered = [entry.children.to_plotly_json()["props"] for entry in menu.children[1].children]
    assert [one.get("data-picture") for one in offered] == ["png", "svg", None]
    assert (offered[0]["data-name"], offered[2]["download"]) == ("fifo-case-1", "gantry-fifo-case-1.csv")
    text = as_json(numbers)
    assert all(word in text for word in ("Mean turnaround", "40 s", "53.3 s", "25 % less", '"better"'))
    assert [chart.alt.partition(":")[0] for chart in charts] == ["fifo", "fair"]
    assert charts[0].alt.startswith("fifo: 3 jobs, 24 containers")
    assert '"worse"' in as_json(panel._case_content({"name": "fifo", "place": "1"}, True, 600)[1])


def test_a_random_case_tells_its_seeds_and_how_sure_the_difference_is(cache: SharedCache) -> None:
    text = as_json(panel._case_content({"name": "saf", "place": "1"}, False, 600)[1])
    assert "mean of 30 seeds" in text
    assert "±" in text


def test_variants_have_cases_of_their_own() -> None:
    entry = guide("fair")
    assert panel.all_cases(entry) == [*entry.cases, *entry.variants[0].cases]


@pytest.mark.parametrize(
    "id",
    [
        None,
        {},
        {"name": "fifo"},
        {"name": "fifo", "place": "9"},
        {"name": "nothing", "place": "0"},
        {"name": [], "place": {}},
    ],
)
def test_an_unknown_case_changes_nothing(id: object) -> None:
    assert panel._case_content(id, False, 600) is no_update


def test_links_go_to_the_pages_of_known_policies_once_each() -> None:
    links = panel.links(["fair", "mine", "fair", "lazy-start"])
    assert [one if isinstance(one, str) else one.href for one in links] == [
        "/schedulers/fair",
        ", ",
        "/schedulers/lazy-start",
    ]


def test_parameters_in_words() -> None:
    chosen = Parameter("a", "one", "", "", choices=("one", "two"))
    assert (allowed_values(chosen), default_text(chosen)) == ("one, two", "one")
    never = Parameter("a", 0.5, "", "", low=0.001, high=1e9, excluded=1)
    assert (allowed_values(never), default_text(never)) == ("0.001 to 1 × 10⁹, not 1", "0.5")
    worded = Parameter("a", None, "", "", low=0, none_word="auto")
    assert (allowed_values(worded), default_text(worded)) == (phrase("papers.at_least_or_auto", 0), "auto")
    free = Parameter("a", None, "", "")
    assert (allowed_values(free), default_text(free)) == ("any number", "–")
