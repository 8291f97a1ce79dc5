"""The drawer: a tab a question, each with its panel, none open before it is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from dash import html

from webapp.panels import drawer
from webapp.panels.drawer import TABS
from webapp.url import url_view


def parts(of: Any) -> list[Any]:
    """A component and all in it."""
    inner = getattr(of, "children", None)
    inner = inner if isinstance(inner, (list, tuple)) else [inner]
    return [
        of,
        *(
            result
            for component in inner
            if hasattr(component, "to_plotly_json")
            for result in parts(component)
        ),
    ]


@pytest.fixture
def found() -> list[Any]:
    return parts(drawer.layout({key: [html.P(title)] for key, title in TABS}))


def test_each_tab_opens_its_own_panel(found: list[Any]) -> None:
    ids = {component.id: component for component in found if getattr(component, "id", None)}
    tabs = [component for component in found if getattr(component, "data-tab", None)]
    assert [(getattr(component, "data-tab"), component.children) for component in tabs] == list(TABS)
    for component in tabs:
        panel = ids[getattr(component, "aria-controls")]
        assert [part.children for part in panel.children] == [component.children]


def test_nothing_is_open_until_it_is_asked_for(found: list[Any]) -> None:
    assert all(
        component.hidden for component in found if str(getattr(component, "id", "")).startswith("tab-")
    )
    assert {
        getattr(component, "aria-expanded") for component in found if getattr(component, "data-tab", None)
    } == {"false"}


def test_every_button_says_what_it_does(found: list[Any]) -> None:
    buttons = [component for component in found if isinstance(component, html.Button)]
    assert len(buttons) == len(TABS) + 2
    assert all(
        isinstance(component.children, str) or getattr(component, "aria-label", None) for component in buttons
    )


def test_every_tab_can_stand_in_an_address() -> None:
    assert {key for key, _ in TABS} == set(url_view.TABS)
