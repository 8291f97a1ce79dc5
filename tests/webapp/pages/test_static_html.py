"""Dash's components as HTML."""

from __future__ import annotations

import json
from typing import Any

from dash import dcc, html
from plotly.io.json import to_json_plotly

from webapp.pages.static_html import static_html
from webapp.panels.components import attributes


def written(component: Any, **contents: str) -> str:
    return static_html(json.loads(to_json_plotly(component)), contents)


def test_an_element_keeps_its_marks_and_loses_its_id() -> None:
    label = html.Label("a < b", id="x", htmlFor="y", hidden=True, **attributes({"data-k": "v"}))
    opening, _, rest = written(label).partition(">")
    assert sorted(opening.split()) == ["<label", 'data-k="v"', 'data-of="x"', 'for="y"', 'hidden=""']
    assert rest == "a &lt; b</label>"
    assert written(html.Div([html.Br(), html.Img(alt="")])) == '<div><br><img alt=""></div>'


def test_what_is_given_for_an_id_stands_in_it_and_is_seen() -> None:
    page = html.Div([html.P("Opening…", id="says", hidden=True), html.P("other")])
    assert written(page, says="<done>") == '<div><p data-of="says">&lt;done&gt;</p><p>other</p></div>'


def test_other_libraries_leave_no_trace() -> None:
    assert written(html.Div([dcc.Store(id={"kind": "a"}), "text", None])) == "<div>text</div>"
