"""An experiment of a paper, run now: the verdict, the paper's charts and numbers beside Gantry's, and the
Gantt charts behind them.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html, no_update

from engine import GantryError, paper_experiments
from engine.dashboard import Experiment, Result, Show, recorded
from webapp import theme
from webapp.figures.charts.paper_charts import LARGE_SCALE
from webapp.jobs import paper_results
from webapp.jobs.job_manager import TASK_EXPIRED, Progress
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.components import card_menu, legend
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.papers import claim_map, downloads, readings, sensitivity_panel, static_charts
from webapp.panels.papers.claims import claims_table, verdict_badge
from webapp.panels.papers.readings import rests_on

WIDTHS = range(240, 2401)
INITIAL_WAIT_S = 0.3
MAX_DRAWN_SHOWS = 2  # whose charts are drawn; the others are a click away


def layout(name: str, experiment: Experiment) -> list:
    """Everything below the title; what is measured comes when it is there."""
    return [
        dcc.Store(id="paper-look"),
        dcc.Store(id="paper-name", data=name),
        dcc.Store(id="large-type-kept", storage_type="local"),
        *long_work.stores("experiment"),
        html.P(experiment.notice, className="says"),
        html.Div(_running(name), id="paper-found", className="paper-room", role="status"),
        *sensitivity_panel.layout(name, experiment),
        *claim_map.experiment_layout(name),
        html.Section(
            [
                html.H2(msg("panels.experiment.schedule_behind")),
                html.Div(
                    [
                        html.Span("Colours: ", className="quiet"),
                        legend(theme.USUAL_PHASES, msg("shared.colours_charts")),
                    ],
                    className="case-legend",
                ),
                html.Div(html.P("Running…", className="quiet"), id="paper-charts", className="paper-charts"),
                html.Ul(
                    [
                        html.Li(
                            html.A(
                                msg("panels.experiment.open_in_dashboard", title=show.title),
                                href=address(show),
                            )
                        )
                        for show in experiment.shows()
                    ],
                    className="opens",
                ),
            ]
        ),
        html.Section(
            [
                html.H2(msg("panels.experiment.setup")),
                html.P(experiment.setting),
                *_list_part(msg("shared.what_assumed"), experiment.assumptions),
            ]
        ),
        *_section(
            msg("panels.experiment.what_no_physical_parameters_can_reproduce"), experiment.unattainable
        ),
        *_section(msg("panels.experiment.where_paper_contradicts_itself"), experiment.conflicts),
    ]


def address(show: Show) -> str:
    """Where the dashboard opens a scenario of an experiment under its schedulers."""
    return static_charts.address(show.scenario, show.schedulers)


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
        Output("experiment-ask", "data"),
        Input("paper-look", "data"),
        Input("experiment-found", "data"),
        State("paper-name", "data"),
        prevent_initial_call=True,
    )
    def show(style: Any, _found: Any, name: Any):
        if not isinstance(name, str) or name not in paper_experiments() or not isinstance(style, dict):
            return no_update, no_update
        result = paper_results.find_result(name)
        if result is None:
            return no_update, {"experiment": name}
        _begin_next(name)
        return _result(name, result, *_page_style(style)), no_update

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
        return [
            _charts(show, f"{_file(name)}-schedule-{number}", dark, chart_width)
            for number, show in enumerate(paper_experiments()[name].shows()[:MAX_DRAWN_SHOWS], start=1)
        ]


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


def _running(name: str) -> html.Div:
    """How far it is, and what came of it when it was last recorded."""
    label = msg("panels.experiment.progress_experiment")
    bar = dmc.Progress(id="experiment-progress", value=0, size="sm", animated=True, **{"aria-label": label})
    record = recorded().get(name)
    last_answer = (
        _answer(paper_experiments()[name], record.verdict, msg("panels.experiment.as_recorded_with_version"))
        if record
        else None
    )
    progress_text = html.P(says(Progress(0, 1, "", "queued")), id="experiment-says", className="quiet")
    under_way = html.Div(bar, id="experiment-under-way")
    return html.Div([last_answer, progress_text, under_way], className="paper-running")


def _begin_next(name: str) -> None:
    """The experiment after this one is begun meanwhile: a class goes on without waiting."""
    names = list(paper_experiments())
    after = names[names.index(name) + 1 :][:1]
    if after:
        paper_results.begin_experiment(after[0], 0.0)


def _file(name: str) -> str:
    """What the files of an experiment are called."""
    return name.replace("/", "-")


def _answer(experiment: Experiment, verdict: str, says: str) -> html.Div:
    """The verdict, and beside it why it is no better."""
    why = (
        [html.Div([html.H2(msg("panels.experiment.why_differs")), html.P(experiment.why)])]
        if experiment.why and verdict != "agrees"
        else []
    )
    return html.Div(
        [html.P([verdict_badge(verdict), html.Span(says, className="quiet")]), *why], className="paper-answer"
    )


def _result(name: str, result: Result, dark: bool, width: int, large: bool) -> list:
    """Verdict, readings, pictures and claims; name: "paper/experiment"."""
    experiment = result.experiment
    basis = (
        msg("panels.experiment.computed_now", rests_on=rests_on(result.readings[0]))
        if len(result.readings) == 1
        else msg("panels.experiment.computed_now_under_each_readings", readings=len(result.readings))
    )
    menu = card_menu(msg("panels.experiment.claims"), [downloads.claims(_file(name), result)])
    return [
        _answer(experiment, result.verdict, basis),
        *readings.heads(result, width),
        *readings.pictures(result, _file(name), dark, width, large),
        html.Div([html.H2(msg("shared.papers_numbers_and_gantrys")), menu], className="paper-title"),
        claims_table(result),
        *readings.fits(result, width),
        *readings.notes(result, width),
    ]


def _charts(show: Show, name: str, dark: bool, width: int) -> html.P | html.Div:
    """The Gantt charts of a scenario under its schedulers; name: of their files."""
    try:
        charts = static_charts.schedules(show.title, show.scenario, show.schedulers, dark, width)
    except GantryError as error:
        return html.P(str(error), className="deadlock")
    return html.Div(
        [
            html.Div(
                [html.H3(show.title), card_menu(show.title, downloads.chart(name))], className="paper-title"
            ),
            *charts,
        ],
        className="card paper-schedule",
    )


def _section(title: str, lines: tuple[str, ...]) -> list:
    return [html.Section([html.H2(title), html.Ul([html.Li(line) for line in lines])])] if lines else []


def _list_part(title: str, lines: tuple[str, ...]) -> list:
    return [html.H3(title), html.Ul([html.Li(line) for line in lines])] if lines else []
