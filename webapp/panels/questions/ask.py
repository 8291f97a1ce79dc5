"""The row of questions, the fields of the chosen one, and how far its answer is; the row and the fields are
made by assets/scripts/questions.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, dcc, html, no_update

from engine import GantryError
from engine.dashboard import has_record
from webapp.jobs import questions
from webapp.jobs.job_manager import Progress
from webapp.jobs.questions import QuestionRequest
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.components import attributes, scheduler_options
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import step_text
from webapp.panels.questions import answer_cards
from webapp.panels.sections import task_of_tab
from webapp.runs import saved_tasks
from webapp.runs.run_cache import ResultExpired

INITIAL_WAIT_S = 0.5
MAX_LISTED = 12  # answers one under the other
NOT_KEPT = msg("panels.ask.answer_lost_because_servers_cache_unavailabl")
WITH_BAND = msg("panels.ask.each_answered_with_band_how_far")
WITHOUT_BAND = msg("panels.ask.result_has_no_record_cluster_so")


def layout() -> html.Section:
    """Empty until the tab is opened."""
    scheduler = dmc.Select(
        id="questions-scheduler",
        size="xs",
        w=200,
        data=[],
        allowDeselect=False,
        **{"aria-label": msg("panels.ask.scheduler_question")},
    )
    head = [
        html.H3("Ask", id="questions-title"),
        html.P(id="questions-of", className="help"),
        html.Div(scheduler, id="questions-under", hidden=True),
    ]
    row = attributes({"className": "questions-row", "role": "group", "aria-label": "Questions"})
    form = attributes({"className": "questions-form", "aria-label": msg("panels.ask.values_question")})
    bar = long_work.layout("questions", msg("panels.ask.progress_answer"))
    return html.Section(
        [
            dcc.Store(id="open-whatif"),
            html.Div(head, className="questions-head"),
            html.Div(id="questions-row", **row),
            html.Form(id="questions-form", hidden=True, **form),
            html.Div(bar, className="repeat-bar"),
            html.Div(id="questions-answers"),
            *(dcc.Store(id=f"questions-{name}") for name in ("base", "list", "open", "opened")),
        ],
        id="questions",
        className="questions",
        **attributes({"aria-labelledby": "questions-title"}),
    )


def register(app: Dash) -> None:
    """Callbacks: what can be asked, begin and follow, cancel, the answers, and an answer for the charts."""
    long_work.bind(app, WORK)
    for name, part, prop in (
        ("Base", "base", "data"),
        ("Done", "found", "data"),
        ("Shown", "answers", "children"),
        ("Opened", "opened", "data"),
    ):
        client = ClientsideFunction("gantry", f"questions{name}")
        app.clientside_callback(client, Input(f"questions-{part}", prop), prevent_initial_call=True)

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
        task = task_of_tab(key)
        if task is None:
            return [no_update] * 5
        asked_about = questions.questioned_task(task)
        names = questions.questionable_schedulers(asked_about, chosen)
        scheduler = chosen if chosen in names else names[0]
        sentence = WITH_BAND if has_record(asked_about.scenario) else WITHOUT_BAND
        if asked_about is not task:
            name = asked_about.scenario.name or msg("shared.untitled")
            sentence += msg("panels.ask.asked_about_which_pinned", value=name)
        saved_tasks.save_task(asked_about).exception()  # an answer may be made by another process
        offered = questions.offered_questions(asked_about, scheduler)
        data = {"key": asked_about.key, "scheduler": scheduler, "questions": offered}
        return data, sentence, scheduler_options(names), scheduler, len(names) < 2

    @app.callback(
        Output("questions-answers", "children"), Input("questions-list", "data"), prevent_initial_call=True
    )
    def fill(listed: Any):
        ids = listed[:MAX_LISTED] if isinstance(listed, list) else []
        return answer_cards.layout([answered for answered in map(_stored_answer, ids) if answered])

    @app.callback(
        Output("questions-opened", "data"),
        Output("questions-says", "children", allow_duplicate=True),
        Input("questions-open", "data"),
        prevent_initial_call=True,
    )
    def for_charts(sent: Any):
        answered = _stored_answer(sent)
        task = answered and saved_tasks.load_task(answered.request.key)
        if answered is None or not task:
            return no_update, NOT_KEPT
        scenario = questions.asked_about(task, answered.request)
        before = ["measured"] if has_record(scenario) else [answered.request.scheduler]
        name = scenario.name or "Before"
        pinned = {"scenario": scenario.plain(), "schedulers": before, "name": name}
        after = {"scenario": answered.scenario.plain(), "schedulers": [answered.answer.scheduler_after]}
        return {"draft": after, "pinned": pinned, "title": answered.answer.title, "at": sent.get("at")}, ""


def _stored_answer(sent: Any) -> questions.AnsweredQuestion | None:
    try:
        return questions.find_answer(QuestionRequest.of(sent))
    except GantryError:
        return None


def begin(sent: dict) -> Begun:
    """A question that the page asks."""
    try:
        request = QuestionRequest.of(sent)
        return Begun(*questions.begin_answer(request, INITIAL_WAIT_S), request.plain())
    except ResultExpired:
        raise ResultExpired(saved_tasks.TASK_EXPIRED) from None
    except GantryError as error:
        raise GantryError(f"{str(error).partition(chr(10))[0].rstrip('.')}.") from None


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """What was asked, once it is answered."""
    return {"found": asked} if progress.state == "finished" and _stored_answer(asked) else {}


WORK = LongWork(
    "questions",
    begin,
    lambda progress: msg("panels.ask.answering", step_text=step_text(progress)),
    answer,
    not_kept=NOT_KEPT,
)
