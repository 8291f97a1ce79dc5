"""The most costly decisions of a run: found on request, listed with what another choice would have given; a
click shows the decision above.

The form and the clicks are handled in assets/costly.js.
"""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import GantryError, quantities
from engine.dashboard import Regret, decision_sentence, display_name, nothing_sentence, tried_sentence
from webapp.jobs import regrets
from webapp.jobs.job_manager import Progress, job_manager, task_reference
from webapp.jobs.regrets import RegretRequest
from webapp.messages import msg
from webapp.panels.components import attributes, progress_bar
from webapp.panels.progress_text import said_text
from webapp.runs import saved_tasks

INITIAL_WAIT_S = 0.6
ABOUT = msg("panels.costly.which_choices_cost_run_most_each")
ENDED = msg("panels.costly.stopped_list_shows_what_was_found")
NOT_KEPT = msg("panels.costly.result_lost_because_servers_cache_unavailabl")


def note() -> html.P:
    """Above the decision: what it cost, if it is one of the list."""
    return html.P(id="costly-note", className="costly-note", hidden=True)


def layout() -> html.Section:
    """Below the decision, in its tab of the drawer."""
    bar = [
        html.P(id="costly-says", role="status", className="help"),
        progress_bar("costly", msg("panels.costly.progress_search_for_costly_decisions")),
    ]
    return html.Section(
        [
            html.H3(msg("panels.costly.most_costly_decisions"), id="costly-title"),
            html.P(ABOUT, className="help costly-about"),
            html.Form(
                id="costly-form", className="costly-form", **attributes({"aria-labelledby": "costly-title"})
            ),
            html.Div(bar, className="study-bar costly-bar"),
            html.Div(id="costly-list", className="costly-list"),
            *(dcc.Store(id=f"costly-{name}") for name in ("ask", "work", "poke")),
        ],
        id="costly",
        className="costly",
        **attributes({"aria-labelledby": "costly-title"}),
    )


def register(app: Dash) -> None:
    """Callbacks: begin and follow, and cancel."""
    client = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(
        client("poke"), Input("costly-work", "data"), State("costly-poke", "id"), prevent_initial_call=True
    )
    app.clientside_callback(
        client("costlyFound"), Input("costly-list", "children"), prevent_initial_call=True
    )

    @app.callback(
        Output("costly-list", "children"),
        Output("costly-says", "children"),
        Output("costly-work", "data"),
        Output("costly-under-way", "hidden"),
        Output("costly-progress", "value"),
        Input("costly-ask", "data"),
        Input("costly-poke", "data"),
        State("costly-work", "data"),
        prevent_initial_call=True,
    )
    def follow(asked: Any, _poke: int | None, work: dict | None):
        work = task_reference(work)
        if ctx.triggered_id == "costly-ask":
            if work:
                job_manager.cancel(work["id"])
            return start_search(asked) if asked else ([], "", None, True, 0)
        return progress_values(work, job_manager.progress(work["id"])) if work else [no_update] * 5

    @app.callback(
        Output("costly-says", "children", allow_duplicate=True),
        Input("costly-cancel", "n_clicks"),
        State("costly-work", "data"),
        prevent_initial_call=True,
    )
    def cancel(_clicks: int | None, work: dict | None):
        if reference := task_reference(work):
            job_manager.cancel(reference["id"])
        return "Cancelling…"


def start_search(sent: Any) -> tuple:
    """sent: {key, place} from the page, untrusted."""
    ask = RegretRequest.of(sent)
    try:
        shown = regrets.shown_run(ask) if ask else None
        if ask is None or shown is None:
            return [], saved_tasks.TASK_EXPIRED, None, True, 0
        name, progress = regrets.begin_regret(ask, shown, INITIAL_WAIT_S)
    except GantryError as error:
        return [], str(error), None, True, 0
    return progress_values({"id": name, "asked": ask.plain()}, progress)


def progress_values(work: dict, progress: Progress) -> tuple:
    """Where a piece of work stands, or what it has found."""
    if progress.is_active:
        return no_update, said_text(progress), work, False, 100 * progress.done / max(progress.total, 1)
    ask = RegretRequest.of(work.get("asked"))
    shown = regrets.shown_run(ask) if ask else None
    regret = regrets.find_last_regret(shown) if shown else None
    items = content(regret, ask.place) if ask and regret else []
    if progress.state == "finished":
        return items, "" if regret else NOT_KEPT, None, True, 0
    return items, progress.because or ENDED, None, True, 0


def content(regret: Regret, run_index: int) -> list:
    """The list, each with its cost first, and how many were tried; run_index: of the run among those
    shown.
    """
    regret = regret._replace(scheduler=display_name(regret.scheduler))  # in the sentences
    tried = html.P(tried_sentence(regret), className="help")
    if not regret.costly:
        return [html.P(nothing), tried] if (nothing := nothing_sentence(regret)) else [tried]
    rows = []
    for decision in regret.costly:
        cost = html.Strong(quantities.amount(decision.regret_s, "s"))
        data = {"data-costly": str(decision.number), "data-place": str(run_index)}
        button = html.Button(
            [cost, html.Span(decision_sentence(regret, decision))],
            type="button",
            title=msg("panels.costly.see_why_was_decided_so"),
            **attributes(data),
        )
        rows.append(html.Li(button))
    return [
        html.Ol(
            rows,
            **attributes(
                {"aria-label": msg("panels.costly.most_costly_decisions_under", scheduler=regret.scheduler)}
            ),
        ),
        tried,
    ]
