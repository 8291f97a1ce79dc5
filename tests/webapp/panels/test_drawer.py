"""The drawer: tabs of panels, each with the question it answers, none open before it is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from dash import html

from webapp.panels import drawer
from webapp.panels.drawer import TABS, Panel
from webapp.url import url_view

PANELS = [panel for tab in TABS for panel in tab.panels]


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
    return parts(drawer.layout({key: [html.P(f"panel of {key}")] for key, *_ in PANELS}))


def seen_with(found: list[Any], panel: Panel) -> list[Any]:
    """What is seen while this panel is open."""
    return [one for one in found if panel.key in getattr(one, "data-of", "").split()]


def test_each_tab_opens_the_first_of_its_panels(found: list[Any]) -> None:
    tabs = [component for component in found if getattr(component, "role", None) == "tab"]
    assert [(tab.children, getattr(tab, "data-tab")) for tab in tabs] == [
        (tab.title, tab.panels[0].key) for tab in TABS
    ]
    assert [getattr(tab, "data-panels").split() for tab in tabs] == [
        [panel.key for panel in tab.panels] for tab in TABS
    ]
    assert {getattr(tab, "aria-controls") for tab in tabs} == {"drawer-body"}


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.key)
def test_a_panel_stands_under_its_question_and_the_choice_of_its_tab(found: list[Any], panel: Panel) -> None:
    question, *choices, body = seen_with(found, panel)
    assert question.children == panel.question and question.children.endswith("?")
    assert body.id == f"tab-{panel.key}" and [part.children for part in body.children] == [
        f"panel of {panel.key}"
    ]
    [tab] = [tab for tab in TABS if panel in tab.panels]
    offered = [[(getattr(one, "data-panel"), one.children) for one in choice.children] for choice in choices]
    assert offered == ([[(one.key, one.name) for one in tab.panels]] if len(tab.panels) > 1 else [])


def test_nothing_is_open_until_it_is_asked_for(found: list[Any]) -> None:
    assert all(part.hidden for panel in PANELS for part in seen_with(found, panel))
    states = {getattr(part, "aria-selected", None) for part in found} - {None}
    assert states == {"false"}


def test_every_button_says_what_it_does(found: list[Any]) -> None:
    buttons = [component for component in found if isinstance(component, html.Button)]
    choices = sum(len(tab.panels) for tab in TABS if len(tab.panels) > 1)
    assert len(buttons) == len(TABS) + choices + len(("dock", "close", "tour", "no tour"))
    assert all(
        isinstance(component.children, str) or getattr(component, "aria-label", None) for component in buttons
    )


def test_every_tab_can_stand_in_an_address() -> None:
    assert sorted(panel.key for panel in PANELS) == sorted(url_view.TABS)
