"""The most costly decisions of a run: found on request, listed with what another choice would have given; a
click shows the decision above.

The form and the clicks are handled in assets/scripts/decision.
"""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, html

from engine import quantities
from engine.dashboard import Regret, decision_sentence, display_name, nothing_sentence, tried_sentence
from webapp.jobs import regrets
from webapp.jobs.job_manager import Progress
from webapp.jobs.regrets import RegretRequest
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.components import attributes, button
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import said_text
from webapp.runs import saved_tasks
from webapp.runs.run_cache import ResultExpired

INITIAL_WAIT_S = 0.6
ABOUT = msg("panels.costly.which_choices_cost_run_most_each")


def note() -> html.P:
    """Above the decision: what it cost, if it is one of the list."""
    return html.P(id="costly-note", className="costly-note", hidden=True)


def layout() -> html.Section:
    """Below the decision, in its tab of the drawer."""
    bar = long_work.layout("costly", msg("panels.costly.progress_search_for_costly_decisions"))
    titled = attributes({"aria-labelledby": "costly-title"})
    return html.Section(
        [
            html.H3(msg("panels.costly.most_costly_decisions"), id="costly-title"),
            html.P(ABOUT, className="help costly-about"),
            html.Form(id="costly-form", className="costly-form", **titled),
            html.Div(bar, className="study-bar costly-bar"),
            html.Div(id="costly-list", className="costly-list"),
        ],
        id="costly",
        className="costly",
        **titled,
    )


def register(app: Dash) -> None:
    """Callbacks: begin and follow, and the list."""
    long_work.bind(app, WORK)
    app.clientside_callback(
        ClientsideFunction("gantry", "costlyFound"),
        Input("costly-list", "children"),
        prevent_initial_call=True,
    )

    @app.callback(Output("costly-list", "children"), Input("costly-found", "data"), prevent_initial_call=True)
    def fill(asked: Any):
        ask, regret = _found(asked)
        return content(regret, ask.place) if ask and regret else []


def begin(sent: dict) -> Begun:
    """sent: {key, place} from the page, untrusted."""
    ask = RegretRequest.find(sent)
    shown = regrets.shown_run(ask) if ask else None
    if ask is None or shown is None:
        raise ResultExpired(saved_tasks.TASK_EXPIRED)
    return Begun(*regrets.begin_regret(ask, shown, INITIAL_WAIT_S), ask.plain())


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """What it has found once it has ended, also before its time."""
    return {} if progress.is_active else {"found": asked if _found(asked)[1] else None}


def _found(asked: Any) -> tuple[RegretRequest | None, Regret | None]:
    ask = RegretRequest.find(asked)
    shown = regrets.shown_run(ask) if ask else None
    return ask, regrets.find_last_regret(shown) if shown else None


WORK = LongWork(
    "costly",
    begin,
    said_text,
    answer,
    not_kept=msg("panels.costly.result_lost_because_servers_cache_unavailabl"),
    cancelled=msg("panels.costly.stopped_list_shows_what_was_found"),
)


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
        marks = {"data-costly": str(decision.number), "data-place": str(run_index)}
        content_ = [cost, html.Span(decision_sentence(regret, decision))]
        rows.append(html.Li(button(content_, marks, title=msg("panels.costly.see_why_was_decided_so"))))
    label = msg("panels.costly.most_costly_decisions_under", scheduler=regret.scheduler)
    return [html.Ol(rows, **attributes({"aria-label": label})), tried]
