"""A job's page: its life and tasks under each scheduler, its containers under one, and why it waited longest
there.

The page's script writes the store open-job, {key: the result's, job: name, scheduler: place among those
shown}, None when it is closed; and it hears clicks on data-open-job (a name: open that job), data-select
("job:NAME") and data-job-fit (the name).
"""

from __future__ import annotations

from typing import Any

import dash_ag_grid as dag
import dash_mantine_components as dmc
from dash import Dash, Input, Output, State, dcc, html, no_update, set_props

from engine import Job, Run, quantities
from engine.dashboard import KINDS, MASTER, NONE, OUTCOMES, job_profile, request_of
from webapp.figures.container_words import task_text
from webapp.messages import msg
from webapp.panels.components import attributes, button, heading, icon
from webapp.panels.job import executor_panel, life, reasons
from webapp.runs import saved_tasks
from webapp.runs.task import ShownRun, Task

HINT = msg("panels.job.click_jobs_name_to_see_its")
NO_CONTAINER = msg("panels.job.no_container_started")
MAX_CONTAINERS = 1_000
SECONDS = {
    "type": "rightAligned",
    "width": 118,
    "valueFormatter": {"function": "params.value == null ? '–' : d3.format(',.3~f')(params.value)"},
}
COLUMNS = (
    {"field": "task", "headerName": "Task", "pinned": "left", "width": 160, "tooltipField": "task"},
    {"field": "attempt", "headerName": "Attempt", "type": "rightAligned", "width": 92},
    {"field": "node", "headerName": "Node", "minWidth": 110, "flex": 1},
    {"field": "requested", "headerName": msg("panels.job.requested_s")} | SECONDS,
    {"field": "started", "headerName": msg("panels.job.started_s")} | SECONDS,
    {"field": "ended", "headerName": msg("panels.job.ended_s")} | SECONDS,
    {"field": "waited", "headerName": msg("panels.job.waited_s")} | SECONDS,
    {"field": "outcome", "headerName": "Outcome", "width": 110},
)


def layout() -> html.Section:
    """The page of a job, empty until one is opened."""
    choice = dmc.Select(
        id="job-scheduler",
        size="xs",
        data=[],
        allowDeselect=False,
        comboboxProps={"withinPortal": True},
        **{"aria-label": "Scheduler"},
    )
    tip = msg("panels.job.download_table_as_sorted_as_csv")
    save = button([icon("down"), "CSV"], {"data-csv": "job"}, title=tip)
    explain = msg("panels.job.explain_its_longest_waits")
    why = html.Div(id="job-reasons", **attributes({"aria-live": "polite"}))
    head = [
        html.Div([html.H2("Job", id="job-title"), html.P(HINT, id="job-where", className="quiet")]),
        html.Div(
            [
                button("Executors", id="job-executors", title=msg("panels.executor_panel.ask"), hidden=True),
                html.Div(id="job-tools", className="tools"),
            ],
            className="tools",
        ),
    ]
    body = [
        executor_panel.layout(),
        html.Div(id="job-life"),
        html.Div([html.H3("Containers"), choice, html.Div(save, className="tools")], className="job-head"),
        html.P(id="job-count", className="help"),
        html.Div(id="job-table"),
        html.H3("Waits"),
        button(explain, id="job-why", className="job-button"),
        dcc.Loading(why, delay_show=300),
    ]
    return html.Section(
        [
            dcc.Store(id="open-job"),
            html.Header(head),
            html.Div(body, id="job-body", className="job-body", hidden=True),
        ],
        id="job",
        className="job",
        **attributes({"aria-labelledby": "job-title"}),
    )


def grid(rows: list[dict[str, Any]]) -> dag.AgGrid:
    """The table of the containers; it comes with the first job, for the library of tables is large."""
    return dag.AgGrid(
        id="job-grid",
        rowData=rows,
        columnDefs=list(COLUMNS),
        defaultColDef={"sortable": True, "resizable": True},
        dashGridOptions={
            "theme": {"function": "themeQuartz"},
            "tooltipShowDelay": 300,
            "rowHeight": 28,
            "headerHeight": 32,
            "ensureDomOrder": True,
        },
        className="job-grid",
    )


def register(app: Dash) -> None:
    """Callbacks: a job that is opened fills the page; its containers follow the chosen scheduler; its waits
    are explained when that is asked for.
    """
    executor_panel.register(app)

    @app.callback(
        Output("job-title", "children"),
        Output("job-where", "children"),
        Output("job-tools", "children"),
        Output("job-life", "children"),
        Output("job-scheduler", "data"),
        Output("job-scheduler", "value"),
        Output("job-executors", "hidden"),
        Output("job-body", "hidden"),
        Input("open-job", "data"),
        prevent_initial_call=True,
    )
    def fill(opened_job: Any):
        task, name, index = opened(opened_job)
        if task is None:
            if opened_job:
                set_props("notice", {"children": saved_tasks.TASK_EXPIRED})
            return "Job", HINT, [], [], [], None, True, True
        runs = runs_with_job(task, name)
        if not runs:
            return name, msg("panels.job.result_has_no_such_job"), [], [], [], None, True, True
        choices = [{"value": value, "label": heading(task, shown)} for value, shown in runs.items()]
        chosen = str(index) if str(index) in runs else next(iter(runs))
        run = runs[chosen].outcome.run
        is_spark = executor_panel.application_of(runs[chosen], name) is not None
        facts = name, about(run, name), tools(run, name), numbers(task, name)
        return *facts, choices, chosen, not is_spark, False

    @app.callback(
        Output("job-table", "children"),
        Output("job-count", "children"),
        Output("job-reasons", "children"),
        Input("open-job", "data"),
        Input("job-scheduler", "value"),
        prevent_initial_call=True,
    )
    def list_containers(opened_job: Any, place: str | None):
        task, name, _ = opened(opened_job)
        shown = chosen_run(task, name, place)
        if shown is None:
            return [], "", []
        rows, count = containers(shown.outcome.run, name)
        return grid(rows), count, []

    @app.callback(
        Output("job-reasons", "children", allow_duplicate=True),
        Input("job-why", "n_clicks"),
        State("open-job", "data"),
        State("job-scheduler", "value"),
        prevent_initial_call=True,
    )
    def explain(_: int | None, opened_job: Any, place: str | None):
        task, name, _ = opened(opened_job)
        shown = chosen_run(task, name, place)
        return reasons.content(shown, name) if shown else no_update


def opened(sent: Any) -> tuple[Task | None, str, int]:
    """(task, name of the job, place of the scheduler) of what the store holds, which may be anything; the
    task is None where nothing is open or known.
    """
    given = sent if isinstance(sent, dict) else {}
    key, name, index = given.get("key"), given.get("job"), given.get("scheduler")
    if not isinstance(key, str) or not isinstance(name, str):
        return None, "", 0
    return saved_tasks.load_task(key), name, index if isinstance(index, int) else 0


def runs_with_job(task: Task, name: str) -> dict[str, ShownRun]:
    """The runs that have a job of this name, by their places, as the choice of the scheduler has them."""
    return {
        str(index): shown
        for index, shown in enumerate(task.shown)
        if name in shown.outcome.run.workload.job_names
    }


def chosen_run(task: Task | None, name: str, index: Any) -> ShownRun | None:
    """The run that is chosen; None where the result has no such run, as while another comes, or that has no
    such job.
    """
    return runs_with_job(task, name).get(index) if task and isinstance(index, str) else None


def about(run: Run, name: str) -> str:
    """Whose job it is and what it is made of."""
    work = run.workload
    job = work.job_names.index(name)
    user, rounds = work.job_users[job], int(work.job_iterations[job])
    parts = [
        msg("panels.job.user", user=user) if user else "",
        msg("panels.job.queue", queue=work.queues.names[int(work.job_queue[job])]),
        _tasks(run, job, int(work.job_maps[job]), "map"),
        _tasks(run, job, int(work.job_reduces[job]), "reduce"),
        _stages(run.scenario.jobs[work.job_group[job]]),
    ]
    text = ", ".join(part for part in parts if part)
    iterations = msg("panels.job.iterations", rounds=rounds) if rounds > 1 else ""
    return f"{text[0].upper()}{text[1:]}{iterations}"


def _tasks(run: Run, job: int, count: int, kind: str) -> str:
    """ "4 maps of 1 GB and 1 vcore"; "" for none."""
    if not count:
        return ""
    request = request_of(run.workload, job, KINDS.index(kind))
    return msg(
        "panels.job.and",
        count=quantities.count(count, f"{kind}s"),
        memory=quantities.memory(int(run.workload.request_memory[request])),
        vcores=quantities.vcores(int(run.workload.request_vcores[request])),
    )


def _stages(group: Job) -> str:
    """ "3 stages of 40 tasks in all"; "" of a MapReduce job."""
    if not group.stages:
        return ""
    stages, tasks = quantities.count(len(group.stages), "stages"), sum(stage.tasks for stage in group.stages)
    if group.framework == "demand":
        containers = quantities.count(tasks, "containers")
        return msg("panels.job.stages_of_containers", stages=stages, containers=containers)
    return msg("panels.job.stages_of_tasks", stages=stages, tasks=quantities.count(tasks, "tasks"))


def tools(run: Run, name: str) -> list:
    """The jobs before and after it in the order of submission, and what the charts can do with it."""
    names = run.workload.job_names
    index = names.index(name)
    highlight, zoom = msg("panels.job.highlight_in_every_chart"), msg("panels.job.zoom_charts_to")
    return [
        _other_job(names[index - 1] if index else None, "left", msg("panels.job.previous_job")),
        _other_job(next(iter(names[index + 1 :]), None), "right", msg("panels.job.next_job")),
        button("Highlight", {"data-select": f"job:{name}"}, title=highlight),
        button(msg("panels.job.show_in_charts"), {"data-job-fit": name}, title=zoom),
    ]


def _other_job(name: str | None, picture: str, title: str) -> html.Button:
    """name: None where there is none."""
    words = [icon(picture), html.Span(title, className="unseen")]
    if name is None:
        return button(words, title=title, disabled=True)
    return button(words, {"data-open-job": name}, title=f"{title}: {name}", disabled=False)


def numbers(task: Task, name: str) -> list:
    """Life and tasks, a column a scheduler."""
    columns = [life.column(heading(task, shown), shown.outcome.run, name) for shown in task.shown]
    parts = [html.H3("Life"), *life.refusals(columns), life.strips(columns), life.life_table(columns)]
    if any(shown.profile and shown.profile.spreads for shown in columns):
        help = html.P(msg("panels.job.durations_finished_tasks_reduces_from_end"), className="help")
        parts += [html.H3("Tasks"), help, life.tasks_table(columns)]
    return parts


def containers(run: Run, name: str) -> tuple[list[dict[str, Any]], str]:
    """Rows of the job's first containers in the order of start, and in words how many there are of all. Times
    in s.
    """
    job = run.workload.job_names.index(name)
    profile, rounds = job_profile(run, job), int(run.workload.job_iterations[job])
    c, rows = run.containers, []
    for one in profile.containers[:MAX_CONTAINERS].tolist():
        requested, started, task = int(c.requested[one]), int(c.start[one]), task_text(run, one)
        if rounds > 1 and c.kind[one] != MASTER:
            task += msg("shared.iteration", stage=int(c.stage[one]))
        row = {
            "task": task,
            "attempt": int(c.attempt[one]),
            "node": run.workload.node_names[c.node[one]],
            "requested": _seconds(requested),
            "started": _seconds(started),
            "ended": _seconds(int(c.end[one])),
            "waited": _seconds(started - requested),
            "outcome": OUTCOMES[c.outcome[one]],
        }
        rows.append(row)
    return rows, _count(profile.outcomes, profile.never_started)


def _seconds(ms: int) -> float | None:
    return None if ms == NONE else ms / 1000


def _count(outcomes: tuple[int, ...], never_started: int) -> str:
    total, text = sum(outcomes), NO_CONTAINER
    if total:
        counts = ", ".join(f"{number:,} {outcome}" for number, outcome in zip(outcomes, OUTCOMES) if number)
        text = f"{quantities.count(total, 'containers')}: {counts}."
    if total > MAX_CONTAINERS:
        text = msg("panels.job.first_export_run_has_all", max_containers=MAX_CONTAINERS, text=text)
    if never_started:
        text = msg("panels.job.requested_never_started", text=text, never_started=never_started)
    return text
