"""The schedulers' pages: one for each policy, one that lists them, and a sentence for a name that none
has.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import pytest
from dash import Dash

from engine import CATALOGUE
from engine.dashboard import guide, guides, pieces
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json
from webapp.pages import schedulers
from webapp.panels.papers import guide as panel
from webapp.panels.papers import static_charts
from webapp.url import url_state

NAMES = list(guides())


@pytest.fixture(autouse=True)
def app() -> Iterator[Dash]:
    """Addresses on a page are those of an application."""
    yield Dash("test")


def test_the_list_has_every_policy_with_its_sentence_and_its_page() -> None:
    text = as_json(schedulers.index())
    for name, entry in guides().items():
        assert f'"/schedulers/{name}"' in text
        assert entry.says[0] in text
    for group in ("Orders", "Reduce start", "Admission"):
        assert f'"{group}"' in text


def words_of(lines: Iterable[str]) -> list[str]:
    """What stands around their mathematics, which test_mathml.py looks at."""
    return [piece for line in lines for piece in pieces(line) if isinstance(piece, str)]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_tells_all_of_its_guide_and_of_its_parameters(name: str) -> None:
    text, entry = as_json(schedulers.layout(name)), guide(name)
    for sentence in (
        *entry.says,
        *words_of((*entry.formula, *entry.assumptions, *(one.meaning for one in entry.symbols))),
        entry.source,
        entry.wins.story,
        entry.loses.story,
    ):
        assert json.dumps(sentence, ensure_ascii=False)[1:-1] in text
    for parameter in CATALOGUE[entry.role][name].parameters:
        assert json.dumps(parameter.meaning, ensure_ascii=False) in text
        assert f'"children": "{parameter.name}"' in text
    assert schedulers.title(name) == f"{entry.title} - Gantry"


@pytest.mark.parametrize("name", NAMES)
def test_each_case_of_a_page_opens_in_the_dashboard(name: str) -> None:
    text = as_json(schedulers.layout(name))
    for case in panel.all_cases(guide(name)):
        address = static_charts.address(case.scenario, case.schedulers)
        assert json.dumps(address)[1:-1] in text
        asked = url_state.read({"s": address.partition("?s=")[2]}).request
        assert asked == url_state.RunRequest(case.scenario.plain(), case.schedulers)


@pytest.mark.parametrize("name", ["nothing", "", "fair(shares=kind)", "../fifo", "x" * 5000, "\x00"])
def test_a_name_that_no_policy_has_is_the_page_that_says_so(name: str) -> None:
    assert phrase("pages.this_address_has_no_page") in as_json(schedulers.layout(name))
    assert schedulers.title(name) == "Not found - Gantry"


def test_previous_and_next_go_through_all_of_them() -> None:
    walked, at = [NAMES[0]], panel.neighbours(NAMES[0])[1]
    while at:
        assert panel.neighbours(at.name)[0].name == walked[-1]
        walked.append(at.name)
        at = panel.neighbours(at.name)[1]
    assert walked == NAMES
    assert panel.neighbours(NAMES[0])[0] is None
