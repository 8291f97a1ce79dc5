"""Studies: what is asked for, how large that is, and how far it has come. The form's values and what they are of live in assets/whatif_study.js."""

from __future__ import annotations

import time
from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import GantryError
from webapp import theme
from webapp.panels.components import under_way
from webapp.panels.progress_text import count_text
from webapp.panels.what_if import study_text
from webapp.services import runs, studies
from webapp.services.fault_text import error_text
from webapp.services.studies import StudyAsk
from webapp.services.tasks import Progress, named, works

PATIENCE_S = 0.6
DRAW_S = 1.0  # between two drawings of what there is so far
CANCELLED = "Cancelled: what is drawn is of the runs until then."
JITTER = {"aria-label": "Jitter: coefficient of variation that durations are given which have none"}
LITTLE = {"size": "xs", "allowDeselect": False}


def layout() -> html.Div:
    """The choices in one line, their price under it, and how far it is."""
    seeds = dmc.SegmentedControl(id="study-seeds", data=[str(one) for one in studies.SEEDS], value=str(studies.SEEDS[1]), size="xs", **{"aria-label": "Seeds"})
    jitter = [{"value": f"{one:g}", "label": theme.percent(one)} for one in studies.JITTERS]
    values = [{"value": str(one), "label": f"at most {one}"} for one in studies.VALUES]
    choices = [
        html.Div([html.Span("Seeds", className="study-label"), seeds], className="study-field"),
        dmc.Select(id="study-by", label="And by", data=[{"value": "", "label": "none"}], value="", w=230, **LITTLE),
        dmc.Select(id="study-values", label="Values", data=values, value=str(studies.VALUES[2]), w=150, **LITTLE),
        dmc.Select(id="study-jitter", label="Jitter", data=jitter, value="0", w=190, **LITTLE, **JITTER),
        html.Button("Run study", id="study-run", type="button", className="study-run"),
    ]
    return html.Div(
        [
            html.Div(choices, className="study-form", role="group", **{"aria-label": "Study: many runs of this curve"}),
            html.P(id="study-price", className="help study-price"),
            html.Div(
                [html.P(id="study-says", role="status", className="help"), under_way("study", "Progress of the study")], id="study-bar", className="study-bar"
            ),
            html.P(id="study-stale", className="help study-stale"),
            *(dcc.Store(id=f"study-{name}") for name in ("wish", "ask", "work", "poke", "found", "point", "room")),
        ]
    )


def register(app: Dash) -> None:
    """Callbacks: the form's choices, their price, begin and follow, cancel."""
    client = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(client("poke"), Input("study-work", "data"), State("study-poke", "id"), prevent_initial_call=True)
    choices = [Input(f"study-{name}", "value") for name in ("seeds", "by", "values", "jitter")]
    app.clientside_callback(client("studyChosen"), *choices, Input("whatif-metric", "value"), prevent_initial_call=True)

    @app.callback(Output("study-price", "children"), Output("study-run", "disabled"), Input("study-wish", "data"), prevent_initial_call=True)
    def price(wish: dict | None):
        return priced(wish) if wish else ("", True)

    @app.callback(
        Output("study-found", "data"),
        Output("study-says", "children"),
        Output("study-work", "data"),
        Output("study-under-way", "hidden"),
        Output("study-progress", "value"),
        Input("study-ask", "data"),
        Input("study-poke", "data"),
        State("study-work", "data"),
        prevent_initial_call=True,
    )
    def follow(asked: dict | None, _poke: int | None, work: dict | None):
        work = named(work)
        if ctx.triggered_id == "study-ask":
            if work:
                works.cancel(work["id"])
            return _begun(asked) if asked else (None, None, None, True, 0)
        return _followed(work, works.progress(work["id"])) if work else [no_update] * 5

    @app.callback(
        Output("study-says", "children", allow_duplicate=True), Input("study-cancel", "n_clicks"), State("study-work", "data"), prevent_initial_call=True
    )
    def cancel(_clicks: int | None, work: dict | None):
        if named(work):
            works.cancel(work["id"])
        return "Cancelling…"


def priced(wish: Any) -> tuple[str, bool]:
    """How large what is chosen would be, with what would make more of it, or why it can't be run; and whether that is so."""
    task = None
    try:
        ask = StudyAsk.of(wish)
        task = runs.known(ask.key)
        if task is None:
            return runs.FORGOTTEN, True
        study = studies.checked(ask, task)
    except GantryError as error:
        return error_text(error, task and task.scenario.plain()), True
    hint = "" if study.is_random or study.seeds == 1 else f" {study_text.DRAWS_NOTHING}"
    return study_text.size_text(study, studies.seconds_of_study(study)) + hint, False


def _begun(asked: dict) -> tuple:
    task = None
    try:
        ask = StudyAsk.of(asked)
        task = runs.known(ask.key)
        if task is None:
            return None, runs.FORGOTTEN, None, True, 0
        name, progress = studies.begin_study(task, ask, PATIENCE_S)
    except GantryError as error:
        return None, error_text(error, task and task.scenario.plain()), None, True, 0
    return _followed({"id": name, "asked": ask.plain(), "drawn": 0.0}, progress)


def _followed(work: dict, progress: Progress) -> tuple:
    """Where it stands; what there is so far is drawn about once a second."""
    asked, now = work.get("asked"), time.time()
    drawn = work.get("drawn") if isinstance(work.get("drawn"), (int, float)) else 0.0
    if progress.under_way:
        due = progress.done and not 0 <= now - drawn < DRAW_S
        shown = {"asked": asked, "at": now} if due else no_update
        return shown, count_text(progress), work | ({"drawn": now} if due else {}), False, 100 * progress.done / max(progress.of, 1)
    last = {"asked": asked, "at": now}
    if progress.state == "finished":
        return last, None if _is_there(asked) else studies.NOT_KEPT, None, True, 0
    return last, CANCELLED if progress.state == "cancelled" and not progress.because else progress.because, None, True, 0


def _is_there(asked: Any) -> bool:
    found = looked_up(asked)
    return found is not None and studies.result_of(found[2]) is not None


def looked_up(asked: Any) -> tuple | None:
    """(ask, task, study) of what a page says it shows; None for anything else."""
    try:
        ask = StudyAsk.of(asked)
        task = runs.known(ask.key)
        return (ask, task, studies.study_of(ask, task)) if task else None
    except GantryError:
        return None
