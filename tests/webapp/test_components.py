"""How many components make dash-renderer walk the layout of the whole page at every change: those whose class
asks to see its children's changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import dash_mantine_components as dmc
import pytest
from dash import Dash, dcc
from dash.development.base_component import Component

from webapp.pages import main
from webapp.panels import header
from webapp.panels.menu import menu
from webapp.panels.run import runbar
from webapp.panels.share import export, share
from webapp.runs.cache import SharedCache

SCRIPT = Path(dmc.__file__).with_name("dash_mantine_components.js")


@cache
def walking() -> set[str]:
    """The classes of dash_mantine_components with that property, as its script says."""
    text = SCRIPT.read_text("utf-8")
    inner = re.findall(r"([\w$]+)\.dashChildrenUpdate=!0;const ([\w$]+)=\1\b", text)
    assert len(inner) == text.count("dashChildrenUpdate")
    return {name for _, local in inner for name in re.findall(rf"\b(\w+):\(\)=>{re.escape(local)}\b", text)}


def costly(layout: Component) -> Iterator[str]:
    """The names of such components in a layout."""
    names = walking()
    for part in [layout, *layout._traverse()]:
        if (
            isinstance(part, Component)
            and part._namespace == "dash_mantine_components"
            and part._type in names
        ) or isinstance(part, dcc.Tabs):
            yield part._type


def test_the_classes_are_found() -> None:
    assert {"Tooltip", "MenuItem", "MenuDropdown", "PopoverDropdown", "HoverCardDropdown"} <= walking()
    assert list(costly(dmc.Group([dmc.Tooltip("x", label="y"), dcc.Tabs()]))) == ["Tooltip", "Tabs"]


FRAME = (lambda: header.layout("/"), runbar.layout, share.layout, share.button, export.button)


@pytest.fixture
def app(cache: SharedCache) -> Dash:
    """Layouts ask it for addresses."""
    return Dash("tests")


@pytest.mark.parametrize("part", FRAME, ids=lambda part: f"{part.__module__}.{part.__name__}")
def test_there_are_none_in_the_frame(part: Callable[[], Component], app: Dash) -> None:
    assert list(costly(part())) == []


def test_there_are_none_on_the_page(app: Dash) -> None:
    assert list(costly(main.layout())) == []


def test_a_menu_is_the_browser_s_own() -> None:
    made = menu("show", "Show", [dmc.Anchor("One", href="/one")], "down", "What is there")
    assert (made._type, made.children[0]._type, made.children[0].id) == ("Details", "Summary", "show")
    assert list(costly(made)) == []
