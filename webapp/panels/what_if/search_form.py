"""Search for the best setting: what is asked for, how large that is, and how far it has come. The form itself
is made by assets/scripts/what_if.
"""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, html

from engine import GantryError, quantities
from engine.dashboard import MEASURES
from webapp.jobs import searches, studies
from webapp.jobs.job_manager import Progress
from webapp.jobs.searches import SearchRequest
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.components import COMPARED, attributes
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import said_text
from webapp.panels.what_if import search_view, search_words
from webapp.panels.what_if.study_form import reason
from webapp.runs import saved_tasks

INITIAL_WAIT_S = 0.6


def layout() -> html.Details:
    """Folded: its form, the price under it, how far it is, and the answer."""
    title = msg("panels.search_form.search_for_best_setting")
    about = html.Span(msg("panels.search_form.up_to_six_sliders_and_scheduler"))
    bar = long_work.layout("best", msg("panels.search_form.progress_search"))
    return html.Details(
        [
            html.Summary([html.H3(title), about]),
            html.Form(id="best-form", className="best-form", **attributes({"aria-label": title})),
            html.P(id="best-price", className="help best-price"),
            html.Div(bar, id="best-bar", className="study-bar"),
            search_view.layout(),
            dcc.Store(id="best-facts", data=facts()),
            dcc.Store(id="best-wish"),
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
    long_work.bind(app, WORK)
    app.clientside_callback(client("bestFacts"), Output("best", "aria-busy"), Input("best-facts", "data"))
    app.clientside_callback(client("bestFound"), Input("best-found", "data"), prevent_initial_call=True)
    search_view.register(app)

    @app.callback(Output("best-price", "children"), Input("best-wish", "data"), prevent_initial_call=True)
    def price(wish: Any):
        return price_or_reason(wish) if wish else ""


def price_or_reason(wish: Any) -> str:
    """How large what is chosen would be, or why it can't be run."""
    try:
        ask = SearchRequest.of(wish)
        search = searches.checked_search(ask, saved_tasks.require_task(ask.key))
    except GantryError as error:
        return reason(error, wish)
    return search_words.price_text(search, searches.estimate_search_seconds(search))


def begin(sent: dict) -> Begun:
    """sent: of a search that was ended it has `ended`, and what was found is shown."""
    try:
        ask = SearchRequest.of(sent)
        task = saved_tasks.require_task(ask.key)
        if sent.get("ended") is True:
            return Begun("", Progress(0, 1, "", "cancelled"), ask.plain())
        return Begun(*searches.begin_search(task, ask, INITIAL_WAIT_S), ask.plain())
    except GantryError as error:
        raise GantryError(reason(error, sent)) from None


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """What was found once it has ended, also before its time."""
    if progress.is_active:
        return {}
    found = {"asked": asked, "ended": progress.state != "finished"}
    return {"found": found if found["ended"] or search_view.stored_result(found) else None}


WORK = LongWork(
    "best",
    begin,
    said_text,
    answer,
    not_kept=searches.NOT_STORED,
    cancelled=msg("panels.search_form.stopped_page_shows_what_was_found"),
)
