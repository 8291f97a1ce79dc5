"""The dashboard, a workbench: in the middle what happened, around it what is composed and every question
about it.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html
from plotly.io.json import to_json_plotly

from engine import GantryError, presets
from webapp.messages import msg
from webapp.panels import components, drawer, header
from webapp.panels.compare import capacity_use, compare, difference, more_charts, replications
from webapp.panels.components import attributes
from webapp.panels.decision import costly, why
from webapp.panels.editor import editor, schedulers
from webapp.panels.job import job
from webapp.panels.questions import ask
from webapp.panels.replay import replay_tab
from webapp.panels.run import pin, recent, runbar
from webapp.panels.share import share
from webapp.panels.timeline import chart_area, interval, play
from webapp.panels.what_if import sliders
from webapp.runs.warm_up import FIRST_SCHEDULERS
from webapp.url import url_state
from webapp.url.links import Link, link_store
from webapp.url.url_state import RunRequest

STORES = ("load", "faults", "result", "highlight", "draft", "span")


def layout(**query: str) -> html.Div:
    """The page for an address; a broken link becomes a sentence over the visitor's own draft."""
    initial, note, complaints = initial_state(query)
    parts = _static_parts()
    return html.Div(
        [
            parts["header"],
            html.Main(
                [
                    *parts["stores"],
                    dcc.Store(id="start", data=initial),
                    html.H1(msg("pages.main.yarn_schedulers_side_by_side"), className="unseen"),
                    html.Div(
                        [
                            html.Div(
                                [html.P(text, role="alert") for text in complaints],
                                id="complaints",
                                className="complaints",
                            ),
                            html.P(note, id="meant", role="status", className="notice"),
                            *parts["top"],
                        ],
                        className="top",
                    ),
                    *parts["main"],
                ],
                id="workbench",
                className="workbench",
                **attributes(
                    {
                        "data-dock": "below",
                        "data-drawer": "closed",
                        "data-rail": "closed",
                        "data-pane": "result",
                    }
                ),
            ),
            *parts["dialogs"],
        ],
        className="dashboard",
    )


@cache
def _static_parts() -> dict[str, Any]:
    """What is the same at every address, made and turned to JSON values once: it is most of the page, and of
    the time that opening one takes.
    """
    panels: dict[str, list[Any]] = {
        "why": [costly.note(), why.layout(), costly.layout()],
        "compare": [compare.layout()],
        "capacity": [capacity_use.layout()],
        "difference": [difference.layout()],
        "replay": [replay_tab.layout()],
        "whatif": [ask.layout(), *sliders.layout()],
        "span": [interval.layout()],
        "nodes": [play.nodes()],
        "job": [job.layout()],
        "more": [more_charts.layout(), replications.layout()],
    }
    answer = [
        html.Ul(id="verdict", className="chips", **attributes({"aria-label": "Schedulers"})),
        html.P(id="answer-says", className="answer-says"),
    ]
    rail = html.Div([schedulers.layout(), editor.layout(), components.version()], className="left", id="left")
    parts = {
        "header": header.layout("/", runbar.layout()),
        "stores": [*(dcc.Store(id=name) for name in STORES), dcc.Store(id="recent", storage_type="local")],
        "top": [
            pin.layout(),
            html.Div(answer, className="answer", id="answer"),
            chart_area.tools(play.layout()),
        ],
        "main": [
            html.Aside(
                rail,
                id="rail",
                className="rail",
                **attributes({"aria-label": msg("pages.main.scenario_and_schedulers")}),
            ),
            html.Div(chart_area.layout(), id="results", className="results", tabIndex="-1"),
            drawer.layout(panels),
            _panes(),
        ],
        "dialogs": [share.layout(), recent.layout(), chart_area.keys()],
    }
    return json.loads(to_json_plotly(parts))


def initial_state(query: dict[str, str]) -> tuple[dict[str, Any], str, list[str]]:
    """What the page starts with, as JSON values; what the link's names meant, if something else than today;
    what is wrong with the address.
    """
    read = url_state.read(query)
    complaints = list(read.complaints)
    request, note, link = read.request, read.note, None
    if read.link:
        try:
            link = link_store().find(read.link)
            if link is None:
                complaints.append(msg("pages.main.server_does_not_know_link_incomplete"))
        except GantryError as error:
            complaints.append(str(error))
    if isinstance(link, Link):
        request, note = _request_of_link(link)
    first = presets()[0]
    return (
        {
            "asked": request.plain() if request else None,
            "link": link.id if link else None,
            "pinned": _pinned(read.pinned, complaints),
            "seen": read.start(),
            "base": get_relative_path("/"),
            "example": {
                "scenario": first.scenario.plain(),
                "schedulers": list(FIRST_SCHEDULERS),
                "ours": list(first.ours),
            },
        },
        note,
        complaints,
    )


def _pinned(id: str | None, complaints: list[str]) -> dict | None:
    """What a link has pinned, as JSON values."""
    try:
        link = link_store().find(id) if id else None
    except GantryError as error:
        complaints.append(str(error))
        return None
    if id and link is None:
        complaints.append(msg("pages.main.server_does_not_know_links_pinned"))
    return _request_of_link(link)[0].plain() if link else None


def _request_of_link(link: Link) -> tuple[RunRequest, str]:
    """What a link asks for, and what its names meant where that is something else today."""
    request = url_state.canonical_request(RunRequest(link.scenario, link.schedulers))
    return url_state.translate_0_1(request) if link.is_from_0_1 else (request, "")


def _panes() -> html.Nav:
    """On a phone one thing is shown at a time."""
    names = (
        ("result", "Result"),
        ("compare", "Compare"),
        ("whatif", msg("shared.what_if")),
        ("editor", "Edit"),
    )
    buttons = [
        html.Button(
            title,
            type="button",
            **attributes({"data-pane-of": pane, "aria-pressed": str(pane == "result").lower()}),
        )
        for pane, title in names
    ]
    return html.Nav(buttons, className="panes", **attributes({"aria-label": msg("pages.main.what_shown")}))


def register(app: Dash) -> None:
    """The start: link, draft or example."""
    app.clientside_callback(
        ClientsideFunction("gantry", "boot"), Output("complaints", "className"), Input("start", "data")
    )
