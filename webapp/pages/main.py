"""The dashboard: left what is composed, right what happened."""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html

from engine import GantryError, presets
from webapp.panels.compare import capacity_use, compare, difference, more_charts, replications
from webapp.panels.decision import drawer
from webapp.panels.editor import editor, schedulers
from webapp.panels.run import headline, pin, recent, runbar
from webapp.panels.share import share
from webapp.panels.timeline import cards, interval, play, signals
from webapp.panels.what_if import sliders
from webapp.services import url_state
from webapp.services.links import Link, store
from webapp.services.url_state import Asked
from webapp.services.warm_up import FIRST


def layout(**query: str) -> html.Main:
    """The page for an address; a broken link becomes a sentence over the visitor's own draft."""
    start, note, complaints = opening(query)
    return html.Main(
        [
            *(dcc.Store(id=name) for name in ("load", "faults", "request", "result", "viewport", "highlight", "draft", "arranged", "span", "pinned")),
            *signals.stores(),
            dcc.Store(id="recent", storage_type="local"),
            dcc.Store(id="start", data=start),
            html.H1("YARN schedulers side by side", className="unseen"),
            html.Div([html.P(text, role="alert") for text in complaints], id="complaints", className="complaints"),
            html.P(note, id="meant", role="status", className="notice"),
            html.Div(
                [
                    html.Div([schedulers.layout(), editor.layout()], className="left", id="left"),
                    drawer.layout(),
                    html.Div(
                        [
                            html.Div([_panes(), runbar.layout(), pin.layout(), cards.tools()], className="bar"),
                            html.Section(_results(), id="results", className="results", tabIndex="-1", **{"aria-label": "Results"}),
                        ],
                        className="right",
                    ),
                ],
                className="columns",
                id="columns",
                **{"data-pane": "results"},
            ),
            share.layout(),
            recent.layout(),
            cards.keys(),
        ],
        className="dashboard",
    )


def _results() -> list:
    """What happened, from the charts down."""
    return [
        headline.layout(),
        html.H2("Charts", className="unseen"),
        html.Div([*sliders.layout(), play.layout(), cards.layout()]),
        interval.layout(),
        compare.layout(),
        capacity_use.layout(),
        difference.layout(),
        more_charts.layout(),
        replications.layout(),
    ]


def opening(query: dict[str, str]) -> tuple[dict[str, Any], str, list[str]]:
    """What the page starts with, as JSON values; what the link's names meant, if something else than today; what is wrong with the address."""
    read = url_state.read(query)
    complaints = list(read.complaints)
    asked, note, link = read.asked, read.note, None
    if read.link:
        try:
            link = store().find(read.link)
            if link is None:
                complaints.append("This link is not known here: it was cut, or made on a server with another database. Your own draft is shown instead.")
        except GantryError as error:
            complaints.append(str(error))
    if isinstance(link, Link):
        asked, note = _asked(link)
    first = presets()[0]
    return (
        {
            "asked": asked.plain() if asked else None,
            "link": link.id if link else None,
            "pinned": _pinned(read.pinned, complaints),
            "window": read.viewport,
            "highlight": read.highlight,
            "arranged": read.rows,
            "example": {"scenario": first.scenario.plain(), "schedulers": list(FIRST), "ours": list(first.ours)},
        },
        note,
        complaints,
    )


def _pinned(id: str | None, complaints: list[str]) -> dict | None:
    """What a link has pinned, as JSON values."""
    try:
        link = store().find(id) if id else None
    except GantryError as error:
        complaints.append(str(error))
        return None
    if id and link is None:
        complaints.append("What this link has pinned is not known here; it opens without it.")
    return _asked(link)[0].plain() if link else None


def _asked(link: Link) -> tuple[Asked, str]:
    """What a link asks for, and what its names meant where that is something else today."""
    asked = Asked(link.scenario, link.schedulers)
    return url_state.as_in_0_1(asked) if link.of_0_1 else (asked, "")


def _panes() -> html.Div:
    """Where both columns have no room beside each other, one of them is shown."""
    buttons = [
        html.Button(title, type="button", **{"data-pane": pane, "aria-pressed": str(pane == "results").lower()})
        for pane, title in (("editor", "Edit"), ("results", "Results"))
    ]
    return html.Div(buttons, className="panes", role="group", **{"aria-label": "What is shown"})


def register(app: Dash) -> None:
    """The start: link, draft or example; and the list of recent runs."""
    app.clientside_callback(ClientsideFunction("gantry", "boot"), Output("complaints", "className"), Input("start", "data"))
    app.clientside_callback(
        ClientsideFunction("gantry", "remember"),
        Output("recent", "data"),
        Input("result", "data"),
        State("request", "data"),
        State("recent", "data"),
        prevent_initial_call=True,
    )
