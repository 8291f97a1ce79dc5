"""Replay: the jobs of a record, simulated as they were submitted, beside what was measured of them."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
import numpy as np
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine.dashboard import Prediction
from webapp.figures.highlight import chosen_jobs
from webapp.jobs import prediction
from webapp.jobs.job_manager import Progress
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.compare.more_charts import card_width
from webapp.panels.components import button, scheduler_options
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import step_text
from webapp.panels.replay import fit_table, job_table, no_record, replay_pictures, replay_text
from webapp.panels.sections import content_width, tab, task_of_tab
from webapp.runs import run_cache, saved_tasks
from webapp.runs.task import Task

INITIAL_WAIT_S = 0.5


def layout() -> html.Section:
    """The tab, empty until it is opened."""
    scheduler = dmc.Select(
        id="replay-scheduler",
        size="xs",
        w=220,
        data=[],
        allowDeselect=False,
        **{"aria-label": msg("panels.replay_tab.scheduler_replay")},
    )
    views = [{"value": key, "label": title} for key, title in replay_text.VIEWS]
    view = dmc.SegmentedControl(
        id="replay-view",
        data=views,
        value=replay_text.HELD_OUT,
        size="xs",
        **{"aria-label": msg("panels.replay_tab.jobs_shown")},
    )
    use = msg("panels.replay_tab.use_fitted_cluster_in_draft")
    put = msg("panels.replay_tab.put_scenario_with_what_was_fitted")
    tools = [
        html.Div(scheduler, id="replay-under"),
        view,
        button(use, id="replay-use", className="replay-use", title=put),
        html.P(id="replay-draft-says", role="status", className="help"),
    ]
    again = dmc.Button("Replay", id="replay-again", variant="default", size="compact-sm")
    bar = long_work.layout("replay", msg("panels.replay_tab.progress_replay"))
    return tab(
        "replay",
        msg("panels.replay_tab.how_far_off_simulation"),
        html.Div([*bar, html.Div(again, id="replay-again-room", hidden=True)], className="repeat-bar"),
        html.Div(id="replay-answer"),
        html.Div(tools, id="replay-tools", className="replay-tools", hidden=True),
        html.Div(id="replay-pictures", className="replay-two"),
        html.Div(id="replay-jobs"),
        html.Div([html.Div(id="replay-variants-room"), html.Div(id="replay-fit")], className="replay-two"),
        *(dcc.Store(id=f"replay-{name}") for name in ("fitted", "sample-asked")),
    )


def register(app: Dash) -> None:
    """Callbacks: begin and follow, cancel, fill what is done, and the fitted scenario for the draft."""
    client = lambda name: ClientsideFunction("gantry", name)
    long_work.bind(app, WORK)
    app.clientside_callback(
        client("jobSucceeds"),
        Output("replay-again-room", "hidden"),
        Input("replay-state", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(client("replayFitted"), Input("replay-fitted", "data"), prevent_initial_call=True)
    jobs = Input("replay-jobs", "children")
    app.clientside_callback(client("replayMarked"), jobs, prevent_initial_call=True)
    for key in (replay_pictures.SCATTER, replay_pictures.ERRORS):
        click, figure = Input(f"{key}-graph", "clickData"), State(f"{key}-graph", "figure")
        app.clientside_callback(client("pickedInChart"), click, figure, prevent_initial_call=True)

    @app.callback(
        Output("replay-scheduler", "data"),
        Output("replay-scheduler", "value"),
        Output("replay-under", "hidden"),
        Input("open-replay", "data"),
        State("replay-scheduler", "value"),
        prevent_initial_call=True,
    )
    def offer(key: str | None, chosen: str | None):
        task = task_of_tab(key)
        if task is None:
            return [no_update] * 3
        names = prediction.replayable_schedulers(task)
        return scheduler_options(names), chosen_scheduler(task, chosen), len(names) < 2

    @app.callback(
        Output("replay-ask", "data"),
        Input("open-replay", "data"),
        Input("replay-scheduler", "value"),
        Input("replay-again", "n_clicks"),
        State("replay-ask", "data"),
        prevent_initial_call=True,
    )
    def ask(key: str | None, scheduler: str | None, _clicks: int | None, asked: Any):
        task = task_of_tab(key)
        if task is None:
            return no_update
        wanted = {"key": key, "scheduler": chosen_scheduler(task, scheduler)}
        return no_update if asked == wanted and ctx.triggered_id != "replay-again" else wanted

    @app.callback(
        Output("replay-answer", "children"),
        Output("replay-tools", "hidden"),
        Output("replay-jobs", "children"),
        Output("replay-fit", "children"),
        Input("replay-found", "data"),
        Input("replay-view", "value"),
        prevent_initial_call=True,
    )
    def fill(shown: Any, view: str | None):
        task, prediction_ = task_and_prediction(shown)
        if prediction_ is None:
            return no_record.layout(task) if task else [], True, [], []
        errors = replay_text.errors_of_view(prediction_, view)
        return finding(prediction_), False, job_table.layout(errors), fit_table.layout(prediction_.whole)

    @app.callback(
        Output("replay-pictures", "children"),
        Output("replay-variants-room", "children"),
        Input("replay-found", "data"),
        Input("replay-view", "value"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def draw(shown: Any, view: str | None, highlight: str | None, scheme: str | None, width: float | None):
        task, prediction_ = task_and_prediction(shown)
        if task is None or prediction_ is None:
            return [], []
        dark, px = scheme == "dark", card_width(content_width(width), max_columns=2)
        errors, jobs = replay_text.errors_of_view(prediction_, view), selected(task, highlight)
        cards = replay_pictures.pictures(prediction_, errors, jobs, dark, px)
        return cards, replay_pictures.variants(prediction_, dark, px)

    @app.callback(
        Output("replay-fitted", "data"),
        Input("replay-use", "n_clicks"),
        State("replay-found", "data"),
        prevent_initial_call=True,
    )
    def use(_clicks: int | None, shown: Any):
        _, prediction_ = task_and_prediction(shown)
        return {"scenario": prediction.fitted_scenario(prediction_).plain()} if prediction_ else no_update


def chosen_scheduler(task: Task, chosen: str | None) -> str | None:
    """The scheduler that a task is replayed under: the chosen one, else its first that is simulated; None
    where none is.
    """
    names = prediction.replayable_schedulers(task)
    return chosen if chosen in names else next(iter(names), None)


def task_and_prediction(shown: Any) -> tuple[Task | None, Prediction | None]:
    """The task and what was found of it, by what the store holds, which may be anything."""
    keys = shown if isinstance(shown, dict) else {}
    task, scheduler = task_of_tab(keys.get("key")), keys.get("scheduler")
    if task is None or not isinstance(scheduler, str):
        return task, None
    return task, prediction.find_prediction(task.scenario, scheduler)


def finding(prediction_: Prediction) -> html.Div:
    """How far off it is, large; and what that means."""
    last = max((row.simulated_s for row in prediction_.replay.rows), default=0.0)
    facts = [html.Div([html.Dt(head), html.Dd(text)]) for head, text in replay_text.facts(prediction_)]
    return html.Div(
        [
            html.P(html.Strong(replay_text.headline(prediction_)), className="replay-headline"),
            html.P(replay_text.band_text(prediction_, last)),
            html.Dl(facts, className="facts"),
            html.P(replay_text.basis(prediction_), className="help"),
        ],
        className="finding",
    )


def selected(task: Task, highlight: str | None) -> set[str]:
    """Names of the jobs that are highlighted: one, or those of a queue or a user."""
    run = run_cache.outcome(task.scenario, task.schedulers[0]).run
    mask = chosen_jobs(run, highlight)
    return set() if mask is None else {run.workload.job_names[job] for job in np.flatnonzero(mask).tolist()}


def begin(sent: dict) -> Begun:
    """sent: {key, scheduler} from the page, untrusted."""
    task = saved_tasks.require_task(str(sent.get("key")))
    scheduler = sent.get("scheduler")
    asked = {"key": task.key, "scheduler": scheduler}
    if (
        not task.scenario.measured
        or scheduler not in prediction.replayable_schedulers(task)
        or prediction.find_prediction(task.scenario, scheduler)
    ):
        return Begun("", Progress(1, 1, "", "finished"), asked)
    return Begun(*prediction.begin_prediction(task, scheduler, INITIAL_WAIT_S), asked)


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """What was replayed once it is there, or has no record; until then nothing."""
    if progress.state != "finished":
        return {"found": None}
    task, prediction_ = task_and_prediction(asked)
    has_none = task and not (task.scenario.measured and prediction.replayable_schedulers(task))
    return {"found": asked if prediction_ or has_none else None}


WORK = LongWork(
    "replay",
    begin,
    lambda progress: msg("panels.replay_tab.replaying", step_text=step_text(progress)),
    answer,
    not_kept=prediction.NOT_STORED,
)
