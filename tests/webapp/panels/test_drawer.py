"""The drawer: a tab a question, each with its panel, none open before it is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from dash import html

from webapp.panels import drawer
from webapp.panels.drawer import TABS
from webapp.services import url_view


def parts(of: Any) -> list[Any]:
    """A component and all in it."""
    inner = getattr(of, "children", None)
    inner = inner if isinstance(inner, (list, tuple)) else [inner]
    return [of, *(found for one in inner if hasattr(one, "to_plotly_json") for found in parts(one))]


@pytest.fixture
def found() -> list[Any]:
    return parts(drawer.layout({key: [html.P(title)] for key, title in TABS}))


def test_each_tab_opens_its_own_panel(found: list[Any]) -> None:
    ids = {one.id: one for one in found if getattr(one, "id", None)}
    tabs = [one for one in found if getattr(one, "data-tab", None)]
    assert [(getattr(one, "data-tab"), one.children) for one in tabs] == list(TABS)
    for one in tabs:
        panel = ids[getattr(one, "aria-controls")]
        assert [part.children for part in panel.children] == [one.children]


def test_nothing_is_open_until_it_is_asked_for(found: list[Any]) -> None:
    assert all(one.hidden for one in found if str(getattr(one, "id", "")).startswith("tab-"))
    assert {getattr(one, "aria-expanded") for one in found if getattr(one, "data-tab", None)} == {"false"}


def test_every_button_says_what_it_does(found: list[Any]) -> None:
    buttons = [one for one in found if isinstance(one, html.Button)]
    assert len(buttons) == len(TABS) + 2
    assert all(isinstance(one.children, str) or getattr(one, "aria-label", None) for one in buttons)


def test_every_tab_can_stand_in_an_address() -> None:
    assert {key for key, _ in TABS} == set(url_view.TABS)
