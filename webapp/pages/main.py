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
from webapp.panels.decision import costly, pasted_line, why
from webapp.panels.editor import editor, schedulers
from webapp.panels.job import job
from webapp.panels.papers import claim_question
from webapp.panels.questions import ask
from webapp.panels.replay import replay_tab
from webapp.panels.run import compare_with, other_scenario, recent, runbar
from webapp.panels.share import preview, share
from webapp.panels.timeline import chart_area, interval, play
from webapp.panels.what_if import sliders
from webapp.runs.warm_up import FIRST_SCHEDULERS
from webapp.url import url_state
from webapp.url.links import Link, link_store

STORES = ("load", "faults", "result", "highlight", "draft", "span", "lay-out-whatif")


def layout(**query: str) -> html.Div:
    """The page for an address; a broken link becomes a sentence over the visitor's own draft."""
    initial, note, complaints = initial_state(query)
    shared = initial["shared"]
    preview.set_title(shared["title"] if shared else "")
    parts = static_parts()
    alerts = [html.P(text, role="alert") for text in complaints]
    top = [
        html.Div(alerts, id="complaints", className="complaints"),
        html.P(note, id="meant", role="status", className="notice"),
        share.line(shared),
        *claim_question.line(query),
        *parts["top"],
    ]
    content = [
        *parts["stores"],
        dcc.Store(id="start", data=initial),
        html.H1(msg("pages.main.yarn_schedulers_side_by_side"), className="unseen"),
        html.Div(top, className="top"),
        *parts["main"],
    ]
    look = {"dock": "below", "drawer": "closed", "rail": "closed", "pane": "result"}
    marks = attributes({f"data-{key}": value for key, value in look.items()})
    workbench = html.Main(content, id="workbench", className="workbench", **marks)
    return html.Div([parts["header"], workbench, *parts["dialogs"]], className="dashboard")


@cache
def static_parts() -> dict[str, Any]:
    """What is the same at every address, made and turned to JSON values once: it is most of the page, and of
    the time that opening one takes.
    """
    panels: dict[str, list[Any]] = {
        "why": [costly.note(), why.layout(), pasted_line.layout(), costly.layout()],
        "compare": [compare.layout()],
        "capacity": [capacity_use.layout()],
        "difference": [difference.layout()],
        "replay": [replay_tab.layout()],
        "whatif": [],  # the largest, laid out once it is opened
        "span": [interval.layout()],
        "nodes": [play.nodes()],
        "job": [job.layout()],
        "more": [more_charts.layout(), replications.layout()],
    }
    forms = html.Div([editor.layout(), components.version()], className="rail-forms")
    rail = html.Div([forms, schedulers.layout()], className="left", id="left")
    rail_label = attributes({"aria-label": msg("pages.main.scenario_and_schedulers")})
    parts = {
        "header": header.layout("/", runbar.layout()),
        "stores": [dcc.Store(id=name) for name in STORES],
        "top": [
            other_scenario.layout(),
            _answer(),
        ],
        "main": [
            html.Aside(rail, id="rail", className="rail", **rail_label),
            html.Div(chart_area.layout(), id="results", className="results", tabIndex="-1"),
            drawer.layout(panels),
            _panes(),
        ],
        "dialogs": [share.layout(), recent.layout(), chart_area.keys()],
    }
    return json.loads(to_json_plotly(parts))


def _answer() -> html.Div:
    """What a result says in a sentence, the other sentences, and more schedulers to compare with."""
    more = msg("pages.main.more_about_result")
    says = html.P(id="answer-says", className="answer-says", role="status")
    summary = html.Summary("⋯", title=more, **attributes({"aria-label": more}))
    others = html.Div(id="answer-others", className="menu-entries")
    chips = html.Ul(id="verdict", className="chips", **attributes({"aria-label": "Schedulers"}))
    return html.Div(
        [
            says,
            html.Details([summary, others], id="answer-more", className="menu", hidden=True),
            chips,
            compare_with.layout(),
        ],
        id="answer",
        className="answer",
    )


def initial_state(query: dict[str, str]) -> tuple[dict[str, Any], str, list[str]]:
    """What the page starts with, as JSON values; what the link's names meant, if something else than today;
    what is wrong with the address.
    """
    read = url_state.read(query)
    complaints, request, note = list(read.complaints), read.request, read.note
    link = _find_link(read.link, msg("pages.main.server_does_not_know_link_incomplete"), complaints)
    if link:
        request, note = url_state.request_of_link(link)
    pinned = _find_link(read.pinned, msg("pages.main.server_does_not_know_links_pinned"), complaints)
    first = presets()[0]
    initial = {
        "asked": request.plain() if request else None,
        "link": link.id if link else None,
        "shared": _shared(link, read.pinned if pinned else None) if link else None,
        "pinned": url_state.request_of_link(pinned)[0].plain() if pinned else None,
        "seen": read.start(),
        "base": get_relative_path("/"),
        "example": {
            "scenario": first.scenario.plain(),
            "schedulers": list(FIRST_SCHEDULERS),
            "ours": list(first.ours),
        },
    }
    return initial, note, complaints


def _shared(link: Link, pinned: str | None) -> dict[str, Any]:
    """What its sharer says of a link. read_only: the address that the page keeps of one that is, else ""."""
    read_only = (url_state.address(link=link.id, pinned=pinned) or "") if link.read_only else ""
    return {"title": link.title, "sentence": link.sentence, "read_only": read_only.removeprefix("?")}


def _find_link(id: str | None, unknown: str, complaints: list[str]) -> Link | None:
    """The link with this id, if one is asked for; else a complaint, `unknown` where there is none."""
    try:
        link = link_store().find(id) if id else None
    except GantryError as error:
        complaints.append(str(error))
        return None
    if id and link is None:
        complaints.append(unknown)
    return link


def _panes() -> html.Nav:
    """On a phone one thing is shown at a time."""
    names = (
        ("result", "Result"),
        ("compare", "Compare"),
        ("whatif", msg("shared.what_if")),
        ("editor", "Edit"),
    )
    buttons = [
        components.button(title, {"data-pane-of": pane, "aria-pressed": str(pane == "result").lower()})
        for pane, title in names
    ]
    return html.Nav(buttons, className="panes", **attributes({"aria-label": msg("pages.main.what_shown")}))


def register(app: Dash) -> None:
    """The start: link, draft or example; the panel What if, once it is wanted."""
    app.clientside_callback(
        ClientsideFunction("gantry", "boot"), Output("complaints", "className"), Input("start", "data")
    )

    @app.callback(
        Output("tab-whatif", "children"), Input("lay-out-whatif", "data"), prevent_initial_call=True
    )
    def lay_out_whatif(_is_wanted: bool):
        return [ask.layout(), *sliders.layout()]
