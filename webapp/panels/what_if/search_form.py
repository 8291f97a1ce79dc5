"""Search for the best setting: what is asked for, how large that is, and how far it has come. The form itself
is made by assets/whatif_search.js.
"""

from __future__ import annotations

import time
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import GantryError, quantities
from engine.dashboard import MEASURES
from webapp.http.fault_text import error_text
from webapp.jobs import searches, studies
from webapp.jobs.job_manager import Progress, job_manager, task_reference
from webapp.jobs.searches import SearchRequest
from webapp.messages import msg
from webapp.panels.components import COMPARED, attributes, progress_bar
from webapp.panels.progress_text import said_text
from webapp.panels.what_if import search_view, search_words
from webapp.runs import saved_tasks

INITIAL_WAIT_S = 0.6
ENDED = msg("panels.search_form.stopped_page_shows_what_was_found")


def layout() -> html.Details:
    """Folded: its form, the price under it, how far it is, and the answer."""
    head = html.Summary(
        [
            html.H3(msg("panels.search_form.search_for_best_setting")),
            html.Span(msg("panels.search_form.up_to_six_sliders_and_scheduler")),
        ]
    )
    bar = [
        html.P(id="best-says", role="status", className="help"),
        progress_bar("best", msg("panels.search_form.progress_search")),
    ]
    return html.Details(
        [
            head,
            html.Form(
                id="best-form",
                className="best-form",
                **attributes({"aria-label": msg("panels.search_form.search_for_best_setting")}),
            ),
            html.P(id="best-price", className="help best-price"),
            html.Div(bar, id="best-bar", className="study-bar"),
            search_view.layout(),
            dcc.Store(id="best-facts", data=facts()),
            *(dcc.Store(id=f"best-{name}") for name in ("wish", "ask", "work", "poke", "found")),
        ],
        id="best",
        className="best-search",
    )


def facts() -> dict[str, Any]:
    """What the form is made of."""
    metric_facts = lambda metric: {
        "key": metric.key,
        "title": metric.title,
        "better": metric.better,
        "unit": quantities.display_unit(metric.unit)[1],
    }
    return {
        "metrics": [metric_facts(item) for item in COMPARED if item.better],
        "measures": [metric_facts(item) for item in MEASURES.values()],
        "trials": searches.TRIALS,
        "seeds": searches.SEEDS,
        "jitters": [{"value": item, "title": quantities.percent(item)} for item in studies.JITTERS],
        "most": {"dimensions": searches.MAX_DIMENSIONS, "constraints": searches.MAX_CONSTRAINTS},
        "empty": searches.NO_SLIDER,
    }


def register(app: Dash) -> None:
    """Callbacks: the price of what is chosen, begin and follow, cancel, and the answer."""
    client = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(
        client("poke"), Input("best-work", "data"), State("best-poke", "id"), prevent_initial_call=True
    )
    app.clientside_callback(client("bestFacts"), Output("best", "aria-busy"), Input("best-facts", "data"))
    app.clientside_callback(client("bestFound"), Input("best-found", "data"), prevent_initial_call=True)
    search_view.register(app)

    @app.callback(Output("best-price", "children"), Input("best-wish", "data"), prevent_initial_call=True)
    def price(wish: Any):
        return price_or_reason(wish) if wish else ""

    @app.callback(
        Output("best-found", "data"),
        Output("best-says", "children"),
        Output("best-work", "data"),
        Output("best-under-way", "hidden"),
        Output("best-progress", "value"),
        Input("best-ask", "data"),
        Input("best-poke", "data"),
        State("best-work", "data"),
        prevent_initial_call=True,
    )
    def follow(asked: Any, _poke: int | None, work: dict | None):
        work = task_reference(work)
        if ctx.triggered_id == "best-ask":
            if work:
                job_manager.cancel(work["id"])
            return _start(asked) if asked else (None, "", None, True, 0)
        return _progress_values(work, job_manager.progress(work["id"])) if work else [no_update] * 5

    @app.callback(
        Output("best-says", "children", allow_duplicate=True),
        Input("best-cancel", "n_clicks"),
        State("best-work", "data"),
        prevent_initial_call=True,
    )
    def cancel(_clicks: int | None, work: dict | None):
        if reference := task_reference(work):
            job_manager.cancel(reference["id"])
        return "Cancelling…"


def price_or_reason(wish: Any) -> str:
    """How large what is chosen would be, or why it can't be run."""
    task = None
    try:
        ask = SearchRequest.of(wish)
        task = saved_tasks.load_task(ask.key)
        if task is None:
            return saved_tasks.TASK_EXPIRED
        search = searches.checked_search(ask, task)
        return search_words.price_text(search, searches.estimate_search_seconds(search))
    except GantryError as error:
        return error_text(error, task and task.scenario.plain())


def _start(sent: Any) -> tuple:
    """sent: of a search that was ended it has `ended`, and what was found is shown."""
    task = None
    try:
        ask = SearchRequest.of(sent)
        task = saved_tasks.load_task(ask.key)
        if task is None:
            return None, saved_tasks.TASK_EXPIRED, None, True, 0
        if isinstance(sent, dict) and sent.get("ended") is True:
            return {"asked": ask.plain(), "at": time.time(), "ended": True}, ENDED, None, True, 0
        name, progress = searches.begin_search(task, ask, INITIAL_WAIT_S)
    except GantryError as error:
        return None, error_text(error, task and task.scenario.plain()), None, True, 0
    return _progress_values({"id": name, "asked": ask.plain()}, progress)


def _progress_values(work: dict, progress: Progress) -> tuple:
    if progress.is_active:
        return no_update, said_text(progress), work, False, 100 * progress.done / max(progress.total, 1)
    shown = {"asked": work.get("asked"), "at": time.time(), "ended": progress.state != "finished"}
    if progress.state == "finished":
        return shown, "" if search_view.stored_result(shown) else searches.NOT_STORED, None, True, 0
    return shown, progress.because or ENDED, None, True, 0
