"""The row of questions, the fields of the chosen one, and how far its answer is; the row and the fields are made by assets/questions.js."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import GantryError, has_record
from webapp.panels.components import under_way
from webapp.panels.progress_text import step_text
from webapp.panels.questions import answer_cards
from webapp.panels.sections import opened
from webapp.services import questions, runs
from webapp.services.questions import Asked
from webapp.services.tasks import Progress, named, works

PATIENCE_S = 0.5
MOST_LISTED = 12  # answers one under the other
NOT_KEPT = "It was answered, but the server's cache is away: ask again."
WITH_BAND = "Each is answered with a band: how far the replay of this cluster's record was off."
WITHOUT_BAND = "This result has no record of a cluster, so answers stand without a band."


def layout() -> html.Section:
    """Empty until the tab is opened."""
    scheduler = dmc.Select(id="questions-scheduler", size="xs", w=200, data=[], allowDeselect=False, **{"aria-label": "Asked under"})
    head = html.Div(
        [html.H3("Ask", id="questions-title"), html.P(id="questions-of", className="help"), html.Div(scheduler, id="questions-under", hidden=True)],
        className="questions-head",
    )
    return html.Section(
        [
            dcc.Store(id="open-whatif"),
            head,
            html.Div(id="questions-row", className="questions-row", role="group", **{"aria-label": "Questions"}),
            html.Form(id="questions-form", className="questions-form", hidden=True, **{"aria-label": "Values of the question"}),
            html.Div([html.P(id="questions-says", role="status", className="help"), under_way("questions", "Progress of the answer")], className="repeat-bar"),
            html.Div(id="questions-answers"),
            *(dcc.Store(id=f"questions-{name}") for name in ("base", "ask", "work", "poke", "done", "list", "open", "opened")),
        ],
        id="questions",
        className="questions",
        **{"aria-labelledby": "questions-title"},
    )


def register(app: Dash) -> None:
    """Callbacks: what can be asked, begin and follow, cancel, the answers, and an answer for the charts."""
    client = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(client("poke"), Input("questions-work", "data"), State("questions-poke", "id"), prevent_initial_call=True)
    app.clientside_callback(client("questionsBase"), Input("questions-base", "data"), prevent_initial_call=True)
    app.clientside_callback(client("questionsDone"), Input("questions-done", "data"), prevent_initial_call=True)
    app.clientside_callback(client("questionsOpened"), Input("questions-opened", "data"), prevent_initial_call=True)

    @app.callback(
        Output("questions-base", "data"),
        Output("questions-of", "children"),
        Output("questions-scheduler", "data"),
        Output("questions-scheduler", "value"),
        Output("questions-under", "hidden"),
        Input("open-whatif", "data"),
        Input("questions-scheduler", "value"),
        prevent_initial_call=True,
    )
    def base(key: str | None, chosen: str | None):
        task = opened(key)
        if task is None:
            return [no_update] * 5
        of = questions.about(task)
        names = questions.schedulers(of, chosen)
        under = chosen if chosen in names else names[0]
        says = WITH_BAND if has_record(of.scenario) else WITHOUT_BAND
        says += f" Asked about {of.scenario.name or 'what is pinned'}, which is pinned." if of is not task else ""
        runs.keep(of).exception()  # an answer may be made by another process
        return {"key": of.key, "scheduler": under, "questions": questions.offered(of, under)}, says, names, under, len(names) < 2

    @app.callback(
        Output("questions-done", "data"),
        Output("questions-says", "children"),
        Output("questions-work", "data"),
        Output("questions-under-way", "hidden"),
        Output("questions-progress", "value"),
        Input("questions-ask", "data"),
        Input("questions-poke", "data"),
        State("questions-work", "data"),
        prevent_initial_call=True,
    )
    def follow(sent: Any, _poke: int | None, work: dict | None):
        work = named(work)
        if ctx.triggered_id != "questions-ask":
            return followed(work, works.progress(work["id"])) if work else [no_update] * 5
        if work:
            works.cancel(work["id"])
        try:
            asked = Asked.of(sent)
            name, progress = questions.begin(asked, PATIENCE_S)
        except runs.NotAtHand:
            return no_update, runs.FORGOTTEN, None, True, 0
        except GantryError as error:
            return no_update, f"{str(error).partition(chr(10))[0].rstrip('.')}.", None, True, 0
        return followed({"id": name, "asked": asked.plain()}, progress)

    @app.callback(
        Output("questions-says", "children", allow_duplicate=True),
        Input("questions-cancel", "n_clicks"),
        State("questions-work", "data"),
        prevent_initial_call=True,
    )
    def cancel(_clicks: int | None, work: dict | None):
        if named(work):
            works.cancel(work["id"])
        return "Cancelling…"

    @app.callback(Output("questions-answers", "children"), Input("questions-list", "data"), prevent_initial_call=True)
    def fill(listed: Any):
        ids = listed[:MOST_LISTED] if isinstance(listed, list) else []
        return answer_cards.layout([found for found in map(_found, ids) if found])

    @app.callback(
        Output("questions-opened", "data"),
        Output("questions-says", "children", allow_duplicate=True),
        Input("questions-open", "data"),
        prevent_initial_call=True,
    )
    def for_charts(sent: Any):
        found = _found(sent)
        task = found and runs.known(found.asked.key)
        if not task:
            return no_update, NOT_KEPT
        before = ["measured"] if has_record(task.scenario) else [found.asked.scheduler]
        pinned = {"scenario": task.scenario.plain(), "schedulers": before, "name": task.scenario.name or "Before"}
        after = {"scenario": found.scenario.plain(), "schedulers": [found.answer.scheduler_after]}
        return {"draft": after, "pinned": pinned, "title": found.answer.title, "at": sent.get("at")}, ""


def _found(sent: Any) -> questions.Answered | None:
    try:
        return questions.answered(Asked.of(sent))
    except GantryError:
        return None


def followed(work: dict, progress: Progress) -> tuple:
    """The stores, the sentence and the bar of work that is under way or has ended."""
    if progress.under_way:
        return no_update, f"Answering: {step_text(progress)}", work, False, 100 * progress.done / max(progress.of, 1)
    if progress.state == "finished":
        done = _found(work.get("asked"))
        return ({"asked": work["asked"], "of": work["id"]} if done else no_update), ("" if done else NOT_KEPT), None, True, 0
    because = "Cancelled." if progress.state == "cancelled" else progress.because
    return no_update, because, None, True, 0
