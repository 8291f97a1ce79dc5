"""Small pieces that the papers' and schedulers' pages are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dash import html

from webapp.panels.components import attributes


def region(name: str, content: Any, kind: str) -> html.Div:
    """What scrolls by itself, by keyboard once it has the focus. name: what a screen reader says of it; kind:
    its class.
    """
    return html.Div(content, className=kind, tabIndex="0", role="region", **attributes({"aria-label": name}))


def column_heads(titles: Iterable[str], **more: Any) -> html.Thead:
    """The head of a table, a title a column."""
    return html.Thead(html.Tr([html.Th(title, scope="col") for title in titles]), **more)


def named_cells(titles: Iterable[str], contents: Iterable[Any]) -> list[html.Td]:
    """A row's cells with their columns' titles: on a phone each stands on a line of its own, under its."""
    return [html.Td(one, **attributes({"data-head": title})) for title, one in zip(titles, contents)]


def sign(text: str, kind: str, **more: Any) -> html.Span:
    """A sign that says nothing to a screen reader; kind: its class."""
    return html.Span(text, className=kind, **attributes({"aria-hidden": "true"}), **more)


def folded(title: str, content: Any) -> html.Details:
    """A part of a page that is a click away."""
    return html.Details([html.Summary(title), html.Div(content)], className="folded")
