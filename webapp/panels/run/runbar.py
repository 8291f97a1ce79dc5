"""The bar above the results: Run, why it can't, how far it is, Cancel; its callback runs what the page asks for."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import GantryError, ScenarioError
from webapp import theme
from webapp.panels.components import icon, under_way
from webapp.panels.run import pin, recent
from webapp.panels.share import export, share
from webapp.panels.timeline import cards, viewport
from webapp.services import runs
from webapp.services.fault_text import error_text
from webapp.services.runs import Task
from webapp.services.tasks import Progress, works
from webapp.services.url_state import Asked

PATIENCE_S = 0.6  # a shorter run is answered at once; a longer one is followed


def layout() -> html.Section:
    """Button, reason, status and progress."""
    return html.Section(
        [
            html.Div(
                [
                    dmc.Button("Run", id="run", className="run-button", leftSection=icon("play"), **{"aria-describedby": "run-reason"}),
                    html.Span("Ctrl Enter", className="keys"),
                ],
                className="run-do",
            ),
            html.Div(
                [
                    html.P("", id="run-reason", className="reason", tabIndex="-1"),
                    html.P("Opening…", id="run-status", role="status", **{"aria-live": "polite"}),
                ],
                className="run-says",
            ),
            under_way("run", "Progress of the run", "cancel"),
            html.Div([pin.button(), share.button(), export.button(), recent.button()], className="result-tools"),
            dcc.Store(id="work"),
            dcc.Store(id="poke"),
        ],
        className="runbar",
        **{"aria-label": "Run"},
    )


def register(app: Dash) -> None:
    """Callbacks: press, reason, run and follow, cancel."""
    app.clientside_callback(
        ClientsideFunction("gantry", "run"),
        Output("run", "className", allow_duplicate=True),
        Input("run", "n_clicks"),
        State("draft", "data"),
        State("faults", "data"),
        State("scheduler-faults", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction("gantry", "reason"),
        Output("run-reason", "children"),
        Output("run-reason", "className"),
        Output("run", "className"),
        Input("faults", "data"),
        Input("draft", "data"),
        Input("request", "data"),
        Input("scheduler-faults", "data"),
    )

    app.clientside_callback(ClientsideFunction("gantry", "poke"), Output("run-under-way", "className"), Input("work", "data"), prevent_initial_call=True)

    @app.callback(
        Output("result", "data"),
        Output("cards", "children"),
        Output("drawn", "data"),
        Output({"type": "head", "index": ALL}, "children"),
        Output("run-status", "children"),
        Output("work", "data"),
        Output("run-under-way", "hidden"),
        Output("run-progress", "value"),
        Input("request", "data"),
        Input("poke", "data"),
        State("work", "data"),
        State("viewport", "data"),
        State("highlight", "data"),
        State("scheme", "data"),
        State("arranged", "data"),
        State({"type": "head", "index": ALL}, "id"),
        prevent_initial_call=True,
    )
    def run(request: Any, _poke: int, work: Any, window: Any, highlight: Any, scheme: str | None, arranged: Any, heads: list):
        if ctx.triggered_id == "request" and request:
            if work:
                works.cancel(work["id"])
            answer = _begin(request, window)
        elif work:
            answer = _follow(work, works.progress(work["id"]))
        else:
            return [no_update, no_update, no_update, [no_update] * len(heads), no_update, no_update, no_update, no_update]
        if not isinstance(answer, Ready):
            return no_update, no_update, no_update, [no_update] * len(heads), answer.says, answer.work, answer.work is None, answer.percent
        look = {"window": answer.window, "highlight": highlight, "dark": scheme == "dark", "rows": arranged}
        drawn = viewport.figures(answer.task, viewport.View.of(look | {"width": answer.request.get("width")}))
        over = answer.says(), None, True, 0
        if len(heads) != len(drawn):
            return answer.result(drawn), cards.cards(answer.task, drawn), no_update, [no_update] * len(heads), *over
        return answer.result(drawn), no_update, drawn, cards.heads(answer.task, drawn), *over

    @app.callback(
        Output("run-status", "children", allow_duplicate=True),
        Input("cancel", "n_clicks"),
        State("work", "data"),
        prevent_initial_call=True,
    )
    def cancel(_clicks: int, work: dict | None):
        if not work:
            return no_update
        works.cancel(work["id"])
        return "Cancelling; the running scheduler is finished first."


class Ready:
    """A task whose every run is there to be shown."""

    def __init__(self, task: Task, request: dict, window: dict | None, note: str = "") -> None:
        self.task, self.request, self.note = task, request, note
        self.window = window

    def result(self, drawn: list[dict]) -> dict:
        """What the page keeps of it; drawn: its figures."""
        first = self.task.outcomes()[0].run
        return {
            "key": self.task.key,
            "schedulers": list(self.task.schedulers),
            "name": self.task.scenario.name,
            "whole": drawn[0]["layout"]["meta"]["drawn"]["whole"],
            "window": self.window,
            "jobs": first.workload.job_names[: cards.MOST_NAMES],
            "names": cards.names(first),
            "link": self.request.get("link"),
            "random": self.task.random,
            "signals": any(runs.has_signals(one.name) for one in self.task.shown),
            "pinned": self.task.pinned.link if self.task.pinned else None,
            "room": viewport.View.of({"width": self.request.get("room")}).width,
        }

    def says(self) -> str:
        """One sentence for the status line."""
        outcomes = [one.outcome for one in self.task.shown]
        stuck = [one.run.scheduler for one in outcomes if one.run.status != "finished"]
        containers = sum(len(one.run.containers.job) for one in outcomes)
        text = f"{self.task.scenario.name or 'Untitled'}: {theme.count(len(outcomes), 'schedulers')}, {theme.count(containers, 'containers')}."
        if stuck:
            text += f" {', '.join(stuck)} ended in a deadlock."
        return f"{self.note} {text}".strip()


class Under:
    """A task not there yet, or one that won't be: what the status line says, and the work to follow, if any."""

    def __init__(self, says: str, work: dict | None = None, percent: float = 0) -> None:
        self.says, self.work, self.percent = says, work, percent


def _begin(request: dict, window: dict | None) -> Ready | Under:
    try:
        task, note = _beside(runs.task(Asked.of(request)), request.get("pinned"))
    except GantryError as error:
        try:
            task, _ = _beside(runs.task(Asked.of(request.get("spare"))), request.get("pinned"))
        except GantryError:
            return Under(_refusal(error, request))
        note = f"{_refusal(error, request)} Shown instead:"
    if request.get("why") == "run":
        window = None
    runs.keep(task)
    name, progress = works.start(task.do, len(task.shown), PATIENCE_S)
    return _follow(
        {"id": name, "key": task.key, "request": {key: request.get(key) for key in ("link", "width", "room")}, "window": window, "note": note}, progress
    )


def _beside(task: Task, pinned: Any) -> tuple[Task, str]:
    """The task beside what is pinned, and a sentence where that can't be run here."""
    if not pinned:
        return task, ""
    try:
        return runs.beside(task, runs.task(Asked.of(pinned))), ""
    except GantryError as error:
        return task, f"The pinned scenario can't be run: {_refusal(error, pinned)}"


def _follow(work: dict, progress: Progress) -> Ready | Under:
    if progress.state == "failed":
        return Under(progress.because)
    if progress.state == "cancelled":
        return Under("Cancelled; the previous result is still shown.")
    if progress.state == "finished":
        task = runs.known(work["key"])
        return Ready(task, work["request"], work["window"], work["note"]) if task else Under("Result expired: run again.")
    return Under(f"{progress.done + 1} of {progress.of}: {progress.now}…", work, 100 * (progress.done + 0.3) / progress.of)


def _refusal(error: GantryError, asked: Any) -> str:
    """Faults of what was asked for as one sentence for the status line."""
    if not isinstance(error, ScenarioError):
        return str(error)
    more = f" (and {len(error.faults) - 1} more)" if len(error.faults) > 1 else ""
    return f"Not run: {error_text(error, Asked.of(asked).scenario)}{more}."
