"""Share: a link made by one click, its title, and the address that needs no store."""

from __future__ import annotations

from dataclasses import replace

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import VERSION, GantryError, Scenario
from webapp.panels.components import CLOSE, icon
from webapp.services import runs, url_state
from webapp.services.links import Link, id_of, now, store
from webapp.services.runs import Task
from webapp.services.url_state import Asked

MOST_TITLE = 200


def layout() -> html.Div:
    """The dialog; the buttons that open it stand in the run bar."""
    return html.Div(
        [
            dmc.Modal(
                dmc.Stack(
                    [
                        dmc.Group(
                            [
                                dmc.TextInput(id="share-title", label="Title", inputProps={"maxLength": MOST_TITLE}, flex=1),
                                dmc.Button("New link with this title", id="share-retitle", variant="default"),
                            ],
                            align="end",
                        ),
                        _address("share-link", "Link", "It opens to this scenario, these schedulers, this zoom and highlight."),
                        html.Div(
                            _address("share-inline", "The same without the server's store", "The whole scenario stands in the address."), id="share-inline-room"
                        ),
                        html.P("", id="share-says", role="status", className="help"),
                    ]
                ),
                id="share-dialog",
                title="Share this result",
                size="lg",
                closeButtonProps=CLOSE,
            ),
            dcc.Store(id="shared"),
        ]
    )


def button() -> dmc.Button:
    """One click makes the link and copies it."""
    return dmc.Button("Share", id="share", variant="default", size="compact-sm", leftSection=icon("link"))


def made(task: Task, title: str | None = None) -> Link:
    """A stored link for a task, under another title if one is given; StoreError when it can't be kept."""
    if title is not None:
        task = titled(task, title)
    metrics = [one.metrics for one in task.outcomes()]
    link = Link(task.link, task.scenario.name, task.scenario.plain(), task.schedulers, metrics, VERSION, now())
    store().save(link)
    return link


def titled(task: Task, title: str) -> Task:
    """The same task under another title, which is the scenario's name and so part of the link's id."""
    clean = "".join(letter for letter in title if letter.isprintable()).strip()[:MOST_TITLE]
    scenario = Scenario.of(task.scenario.plain() | {"name": clean})
    return replace(task, key=id_of(scenario.canonical, task.schedulers, VERSION), scenario=scenario)


def register(app: Dash) -> None:
    """Callbacks: make the link, show and copy it."""

    @app.callback(
        Output("shared", "data"),
        Output("share-says", "children"),
        Input("share", "n_clicks"),
        Input("share-retitle", "n_clicks"),
        State("share-title", "value"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    def share(_clicks: int | None, retitle: int | None, title: str | None, result: dict | None):
        task = runs.known(result["key"]) if result else None
        if task is None:
            return no_update, "There is no result to share yet; press Run first."
        if ctx.triggered_id == "share-retitle" and title is not None:
            task = titled(task, title)
        inline = url_state.address(asked=Asked(task.scenario.plain(), task.schedulers))
        try:
            link = made(task)
        except GantryError as error:
            return {"link": None, "inline": inline, "title": task.scenario.name}, str(error)
        pinned = made(task.pinned).id if task.pinned else None
        return {"link": url_state.address(link=link.id), "inline": inline, "title": link.title, "pinned": pinned}, "The link is in your clipboard."

    app.clientside_callback(
        ClientsideFunction("gantry", "share"),
        Output("share-dialog", "opened"),
        Output("share-link", "value"),
        Output("share-inline", "value"),
        Output("share-title", "value"),
        Output("share-inline-room", "hidden"),
        Input("shared", "data"),
        State("share-dialog", "opened"),
        prevent_initial_call=True,
    )


def _address(id: str, label: str, help: str) -> dmc.TextInput:
    copy = dmc.ActionIcon(icon("copy"), variant="subtle", **{"data-copy-field": id, "aria-label": f"Copy: {label}"})
    return dmc.TextInput(id=id, label=label, description=help, readOnly=True, rightSection=copy)
