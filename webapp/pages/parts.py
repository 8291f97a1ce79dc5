"""What the pages of text are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dash import get_relative_path, html
from dash.development.base_component import Component

from webapp.messages import msg
from webapp.panels.components import attributes, card_menu
from webapp.panels.papers.downloads import Entry


def page(content: Sequence[Any], kind: str = "") -> html.Main:
    """A page of text; kind: its classes."""
    return html.Main(content, id="results", className=f"prose {kind}".rstrip())


def link(title: Any, path: str, **more: Any) -> html.A:
    """A link to another page of this server, by its path."""
    return html.A(title, href=get_relative_path(path), **more)


def window_title(title: str | None) -> str:
    """The title of the window of a page with this title; None: there is no such page."""
    return msg("shared.not_found_gantry") if title is None else msg("shared.gantry", title=title)


def facts(pairs: Iterable[tuple[Any, Any]], kind: str | None = None) -> html.Dl:
    """Terms, and what is said of each."""
    entries = [html.Div([html.Dt(head), html.Dd(text)]) for head, text in pairs]
    return html.Dl(entries, className=kind) if kind else html.Dl(entries)


def lines(texts: Iterable[str]) -> html.Ul:
    """A list of sentences."""
    return html.Ul([html.Li(text) for text in texts])


def title_with_menu(title: str, of: str, entries: Sequence[Entry]) -> html.Div:
    """A heading beside a menu of downloads; of: what they are of."""
    return html.Div([html.H2(title), card_menu(of, entries)], className="paper-title")


def scrolling(table: html.Table, name: str) -> html.Div:
    """A table that scrolls by itself; name: what a screen reader says of it."""
    label = attributes({"aria-label": name})
    return html.Div(table, className="parameters", tabIndex="0", role="region", **label)


def navigation(links: Sequence[Any], kind: str, name: str) -> html.Nav:
    """Links to other pages; kind: its class; name: what a screen reader says of it."""
    return html.Nav(links, className=kind, **attributes({"aria-label": name}))


def ways(before: tuple[str, str] | None, whole: html.A, after: tuple[str, str] | None, name: str) -> html.Nav:
    """To the page before, by its title and address, to all of them, and to the next; name: what a screen
    reader says of it.
    """
    back: Component = html.Span()
    onward: Component = html.Span()
    if before:
        back = html.A([html.Span("← Previous: "), before[0]], href=before[1], rel="prev")
    if after:
        onward = html.A([html.Span("Next: "), after[0], " →"], href=after[1], rel="next")
    return navigation([back, whole, onward], "ways", name)
