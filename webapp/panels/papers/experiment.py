"""An experiment of a paper, run now: its claims with their lamps, the paper's charts and numbers beside
Gantry's, the schedule behind them, and why some claims do not hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, get_relative_path, html, no_update

from engine import GantryError, paper_experiments
from engine.dashboard import (
    Experiment,
    Finding,
    Result,
    Show,
    experiment_sentence,
    recorded,
    recorded_findings,
    tally,
)
from webapp import theme
from webapp.figures.charts.paper_charts import LARGE_SCALE
from webapp.jobs import paper_results
from webapp.jobs.job_manager import TASK_EXPIRED, Progress
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.components import card_menu, legend
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.papers import (
    claim_map,
    downloads,
    lamps,
    readings,
    sensitivity_panel,
    static_charts,
)
from webapp.panels.papers.claims import claims_table, reasons
from webapp.panels.papers.pieces import folded

WIDTHS = range(240, 2401)
INITIAL_WAIT_S = 0.3
MAX_DRAWN = 2  # schedulers whose charts are drawn; the others are a click away


def layout(name: str, experiment: Experiment) -> list:
    """Everything below the title; what is measured comes when it is there."""
    kept = list(recorded_findings(name)) if name in recorded() else []
    return [
        dcc.Store(id="paper-look"),
        dcc.Store(id="paper-name", data=name),
        dcc.Store(id="large-type-kept", storage_type="local"),
        *long_work.stores("experiment"),
        html.P(experiment.notice, className="says"),
        html.Div(_found(name, experiment, kept), id="paper-found", className="paper-room", role="status"),
        html.Section(
            [
                html.Div(
                    [
                        html.H2(msg("panels.experiment.schedule_behind")),
                        html.Div(
                            [
                                html.Span("Colours: ", className="quiet"),
                                legend(theme.USUAL_PHASES, msg("shared.colours_charts")),
                            ],
                            className="case-legend",
                        ),
                    ],
                    className="case-head",
                ),
                html.Div(html.P("Running…", className="quiet"), id="paper-charts", className="paper-charts"),
            ]
        ),
        html.Div(id="paper-why"),
        html.Div(
            [
                *_folded_lines(
                    msg("panels.experiment.setup"),
                    (experiment.setting, readings.calibration(experiment), *experiment.assumptions),
                ),
                *_folded_lines(msg("panels.experiment.where_paper_contradicts_itself"), experiment.conflicts),
                *_folded_lines(
                    msg("panels.experiment.what_no_physical_parameters_can_reproduce"),
                    experiment.unattainable,
                ),
                html.Div(id="paper-tried"),
                *sensitivity_panel.layout(name, experiment),
                *claim_map.experiment_layout(name),
                *_other_scenarios(experiment),
            ],
            className="folds",
        ),
    ]


def _other_scenarios(experiment: Experiment) -> list:
    links = [
        html.Li(html.A(msg("panels.experiment.open_in_dashboard", title=show.title), href=address(show)))
        for show in experiment.shows()[1:]
    ]
    return (
        [folded(msg("panels.experiment.other_scenarios"), html.Ul(links, className="opens"))] if links else []
    )


def address(show: Show) -> str:
    """Where the dashboard opens a scenario of an experiment under its schedulers."""
    return static_charts.address(show.scenario, show.schedulers)


def experiment_address(name: str) -> str:
    """Where the page of "paper/experiment" is."""
    return get_relative_path(f"/papers/{name}")


def register(app: Dash) -> None:
    """An experiment is run and drawn once the page knows how wide it is, whether it is dark and how large its
    letters are.
    """
    app.clientside_callback(
        ClientsideFunction("gantry", "paperLook"), Output("paper-look", "data"), Input("paper-look", "id")
    )
    app.clientside_callback(
        ClientsideFunction("gantry", "largeType"),
        Output("large-type-kept", "data"),
        Output("large-type", "aria-pressed"),
        Input("large-type", "n_clicks"),
        Input("large-type-kept", "modified_timestamp"),
        State("large-type-kept", "data"),
    )
    app.clientside_callback(ClientsideFunction("gantry", "claimAsked"), Input("paper-found", "children"))

    long_work.bind(app, WORK)

    @app.callback(
        Output("paper-found", "children"),
        Output("paper-why", "children"),
        Output("paper-tried", "children"),
        Output("experiment-ask", "data"),
        Input("paper-look", "data"),
        Input("experiment-found", "data"),
        State("paper-name", "data"),
        prevent_initial_call=True,
    )
    def show(style: Any, _found: Any, name: Any):
        if not isinstance(name, str) or name not in paper_experiments() or not isinstance(style, dict):
            return (no_update,) * 4
        result = paper_results.find_result(name)
        if result is None:
            return no_update, no_update, no_update, {"experiment": name}
        _begin_next(name)
        tried = [*readings.others(result), *readings.notes(result), *readings.fits(result)]
        why = reasons(result.experiment, result.shown.findings, dict(result.shown.notes))
        return _result(name, result, *_page_style(style)), why, tried, no_update

    @app.callback(
        Output("paper-charts", "children"),
        Input("paper-look", "data"),
        State("paper-name", "data"),
        prevent_initial_call=True,
    )
    def charts(style: Any, name: Any):
        if not isinstance(name, str) or name not in paper_experiments() or not isinstance(style, dict):
            return no_update
        dark, width, large = _page_style(style)
        chart_width = round(width / LARGE_SCALE) if large else width
        return _charts(paper_experiments()[name].shows()[0], f"{_file(name)}-schedule", dark, chart_width)


def _page_style(sent: dict) -> tuple[bool, int, bool]:
    """Dark, width in pixels, large; from what the page sent, which may be anything."""
    return (
        sent.get("dark") is True,
        static_charts.clamped_width(sent.get("width"), WIDTHS) or WIDTHS[0],
        sent.get("large") is True,
    )


def begin(sent: Any) -> Begun:
    """An experiment: {experiment: its name} of the page, untrusted."""
    name = sent.get("experiment") if isinstance(sent, dict) else None
    if not isinstance(name, str) or name not in paper_experiments():
        raise GantryError(msg("panels.sensitivity_panel.no_experiment_has_name"))
    return Begun(*paper_results.begin_experiment(name, INITIAL_WAIT_S), {"experiment": name})


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any] | Begun:
    """What was asked for, once its result is there; what was lost is begun again."""
    if progress.state == "finished" or progress.because == TASK_EXPIRED:
        begun = begin(asked)
        return {"found": asked} if begun.progress.state == "finished" else begun
    return {}


def says(progress: Progress) -> str:
    """How far it is."""
    if progress.done:
        return msg("panels.experiment.running_experiment", done=progress.done)
    return msg("panels.experiment.running_experiment_2")


WORK = LongWork("experiment", begin, says, answer, not_kept=TASK_EXPIRED, is_shared=True, poll_s=0.4)


def _found(name: str, experiment: Experiment, kept: list[Finding]) -> list:
    """What was recorded, and how far the experiment is that is run now."""
    label = msg("panels.experiment.progress_experiment")
    bar = dmc.Progress(id="experiment-progress", value=0, size="sm", animated=True, **{"aria-label": label})
    progress_text = html.P(says(Progress(0, 1, "", "queued")), id="experiment-says", className="quiet")
    running = html.Div([progress_text, html.Div(bar, id="experiment-under-way")], className="paper-running")
    if not kept:
        return [running]
    return [*_answer(name, experiment, kept, msg("panels.experiment.as_recorded_with_version")), running]


def _begin_next(name: str) -> None:
    """The experiment after this one is begun meanwhile: a class goes on without waiting."""
    names = list(paper_experiments())
    after = names[names.index(name) + 1 :][:1]
    if after:
        paper_results.begin_experiment(after[0], 0.0)


def _file(name: str) -> str:
    """What the files of an experiment are called."""
    return name.replace("/", "-")


def _answer(name: str, experiment: Experiment, findings: Sequence[Finding], when: str) -> list:
    """The sentence on an experiment, how many lamps are lit, and the claims; when: they were computed."""
    states = [finding.states for finding in findings]
    if not states:
        return [html.P(msg("panels.experiment.no_claim"))]
    menu = card_menu(msg("panels.experiment.claims"), [downloads.claims(_file(name), experiment, findings)])
    head = html.Div(
        [
            html.P([experiment_sentence(experiment, states), " ", html.Span(when, className="quiet")]),
            lamps.bars(tally(states), experiment.title),
        ],
        className="paper-answer",
    )
    title = html.Div(
        [html.H2(msg("shared.papers_numbers_and_gantrys")), lamps.key(), menu], className="paper-title"
    )
    return [head, title, *claims_table(experiment, findings), lamps.words()]


def _result(name: str, result: Result, dark: bool, width: int, large: bool) -> list:
    """Claims and pictures; name: "paper/experiment"."""
    experiment, findings = result.experiment, result.shown.findings
    return [
        *_answer(name, experiment, findings, msg("panels.experiment.computed_now")),
        *readings.pictures(result, _file(name), dark, width, large),
    ]


def _charts(show: Show, name: str, dark: bool, width: int) -> html.P | html.Div:
    """The Gantt charts of a scenario under its first scheduler and its last, which is the paper's own; name:
    of their files.
    """
    schedulers = (
        show.schedulers if len(show.schedulers) <= MAX_DRAWN else (show.schedulers[0], show.schedulers[-1])
    )
    try:
        beside = len(schedulers) if width >= readings.MIN_COLUMNS_PX else 1
        chart_width = (width - (beside - 1) * readings.GAP_PX) // beside
        charts = static_charts.schedules(show.title, show.scenario, schedulers, dark, chart_width)
    except GantryError as error:
        return html.P(str(error), className="deadlock")
    return html.Div(
        [
            html.Div(
                [html.H3(show.title), card_menu(show.title, downloads.chart(name))], className="paper-title"
            ),
            html.Div(charts, className="paper-pictures", style=readings.columns(beside)),
        ],
        className="card paper-schedule",
    )


def _folded_lines(title: str, lines: Sequence[str]) -> list:
    return [folded(title, html.Ul([html.Li(line) for line in lines]))] if lines else []
