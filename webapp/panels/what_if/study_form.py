"""Studies: what is asked for, how large that is, and how far it has come. The form's values and what they are of live in assets/whatif_study.js."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html
from flask import Response, jsonify

from engine import GantryError
from webapp import theme
from webapp.panels.progress_text import count_text
from webapp.panels.what_if import study_text
from webapp.services import bodies, runs, studies
from webapp.services.fault_text import error_text
from webapp.services.studies import StudyAsk
from webapp.services.tasks import FORGOTTEN, Progress, named, works

ADDRESS = "study"
PATIENCE_S = 0.6
DRAW_S = 1.0  # between two drawings of what there is so far
HERE_S = 0.25  # that an answer waits for what this process does, which is soon done
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
    cancel = html.Button("Cancel", id="study-cancel", type="button")
    under_way = html.Div([html.Progress(id="study-progress", max="100", value="0", **{"aria-label": "Progress of the study"}), cancel], id="study-under-way")
    under_way.className, under_way.hidden = "under-way", True
    return html.Div(
        [
            html.Div(choices, className="study-form", role="group", **{"aria-label": "Study: many runs of this curve"}),
            html.P(id="study-price", className="help study-price"),
            html.Div([html.P(id="study-says", role="status", className="help"), under_way], id="study-bar", className="study-bar"),
            html.P(id="study-stale", className="help study-stale"),
            *(dcc.Store(id=f"study-{name}") for name in ("wish", "found", "point", "room")),
        ],
        id="study-form",
        **{"data-at": get_relative_path(f"/{ADDRESS}/")},
    )


def register(app: Dash) -> None:
    """Callbacks: the form's choices and their price; and the addresses by which a study is begun, followed and ended, plain ones: a callback that is asked
    each second makes the renderer walk the whole page each time."""
    choices = [Input(f"study-{name}", "value") for name in ("seeds", "by", "values", "jitter")]
    chosen = ClientsideFunction("gantry", "studyChosen")
    app.clientside_callback(chosen, *choices, Input("whatif-metric", "value"), prevent_initial_call=True)

    @app.callback(Output("study-price", "children"), Output("study-run", "disabled"), Input("study-wish", "data"), prevent_initial_call=True)
    def price(wish: dict | None):
        return priced(wish) if wish else ("", True)

    @app.server.post(f"{app.config.routes_pathname_prefix}{ADDRESS}/<act>")
    def study(act: str) -> Response | tuple[str, int]:
        try:
            sent = bodies.sent()
        except GantryError as error:
            return jsonify({"says": f"Not run: {error}."})
        acts = {"begin": begun, "follow": followed, "cancel": cancelled}
        if act not in acts or not isinstance(sent, dict):
            return "Expected a JSON object.", 400
        return jsonify(acts[act](sent))


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


def begun(sent: dict) -> dict[str, Any]:
    """A study that the page asks for, or why it can't be run."""
    task = None
    try:
        ask = StudyAsk.of(sent)
        task = runs.known(ask.key)
        if task is None:
            return {"says": runs.FORGOTTEN}
        name, progress = studies.begin_study(task, ask, PATIENCE_S)
    except GantryError as error:
        return {"says": error_text(error, task and task.scenario.plain())}
    return _where({"id": name, "asked": ask.plain()}, progress)


def followed(sent: dict) -> dict[str, Any]:
    """How far a piece of work is, {work: {id, asked}}."""
    work = named(sent.get("work"))
    return _where(work, works.progress(work["id"], HERE_S)) if work else {"says": FORGOTTEN}


def cancelled(sent: dict) -> dict[str, Any]:
    """Ends it: {work: {id}}."""
    if work := named(sent.get("work")):
        works.cancel(work["id"])
    return {}


def _where(work: dict, progress: Progress) -> dict[str, Any]:
    """What the page says: {work, says, percent, wait} while it goes on, wait in ms; says at its end. done: of its runs, for what there is so far."""
    if progress.under_way:
        wait = 0 if progress.here else round(1000 * DRAW_S)
        return {"work": work, "says": count_text(progress), "percent": 100 * progress.done / max(progress.of, 1), "wait": wait, "done": progress.done}
    if progress.state == "finished":
        return {"done": progress.of, "says": "" if _is_there(work.get("asked")) else studies.NOT_KEPT}
    return {"done": progress.done, "says": CANCELLED if progress.state == "cancelled" and not progress.because else progress.because}


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
