"""What a search found: the setting in sentences with their confidence, the trade-off curve of two metrics,
and buttons that open a setting in the charts.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html, no_update

from engine import GantryError, quantities
from engine.dashboard import (
    MEASURES,
    ConfirmedTrial,
    SearchResult,
    Trial,
    Tunable,
    curve_words,
    setting_words,
    tried_words,
)
from webapp.figures.charts.trade_off import Mark, Measure, trade_off_figure
from webapp.http.fault_text import error_text
from webapp.jobs import searches
from webapp.jobs.searches import SearchRequest
from webapp.messages import msg
from webapp.panels.compare.chart_card import Picture, card, output_values, outputs
from webapp.panels.components import attributes
from webapp.panels.sections import content_width
from webapp.panels.what_if import search_words
from webapp.runs import saved_tasks

READING = msg("panels.search_view.mark_setting_grey_as_seeds_search")
PICTURE = Picture("best-curve", msg("panels.search_view.what_trades_for_what"), READING)
OPEN = msg("panels.search_view.run_with_present_setting_pinned_beside")


def layout() -> html.Section:
    """Hidden until something is found."""
    return html.Section(
        [
            html.Div(id="best-answer"),
            html.Div(card(PICTURE, lazy=True), id="best-curve-room", hidden=True),
            html.P(id="best-stale", className="help study-stale"),
            *(dcc.Store(id=f"best-{name}") for name in ("open", "opened")),
        ],
        id="best-shown",
        className="best-shown",
        hidden=True,
        **attributes({"aria-label": msg("panels.search_view.best_setting")}),
    )


def register(app: Dash) -> None:
    """Callbacks: the answer, and a setting for the charts."""
    app.clientside_callback(
        ClientsideFunction("gantry", "bestOpened"), Input("best-opened", "data"), prevent_initial_call=True
    )

    @app.callback(
        Output("best-answer", "children"),
        Output("best-shown", "hidden"),
        Output("best-curve-room", "hidden"),
        Output(f"{PICTURE.key}-head", "children"),
        *outputs(PICTURE.key),
        Input("best-found", "data"),
        Input("scheme", "data"),
        State("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def show(shown: Any, scheme: str | None, width: Any):
        result = stored_result(shown)
        unchanged = [no_update] * (1 + len(outputs(PICTURE.key)))
        if result is None:
            return [[], True, True, *unchanged]
        tunables = search_words.by_path(result.search)
        is_curve = len(result.search.objectives) > 1 and any(not trial.because for trial in result.trials)
        curve = picture(result, tunables, scheme == "dark", content_width(width)) if is_curve else None
        return [
            answer_content(result, tunables),
            False,
            not is_curve,
            *([curve.title, *output_values(curve)] if curve else unchanged),
        ]

    @app.callback(
        Output("best-opened", "data"),
        Output("best-says", "children", allow_duplicate=True),
        Input("best-open", "data"),
        prevent_initial_call=True,
    )
    def for_charts(sent: Any):
        result = stored_result(sent)
        try:
            drafts = opened(result, sent.get("trial")) if result else None
        except GantryError as error:
            return no_update, error_text(error, None)
        return (drafts | {"at": sent.get("at")}, "") if drafts else (no_update, searches.NOT_STORED)


def stored_result(shown: Any) -> SearchResult | None:
    """The answer that a page says it shows, or what had been found when it was ended; None for anything
    else.
    """
    try:
        ask = SearchRequest.of(shown.get("asked") if isinstance(shown, dict) else None)
        task = saved_tasks.load_task(ask.key)
        result = searches.find_last_result(searches.build_search(ask, task)) if task else None
    except GantryError:
        return None
    return result if result and result.trials else None


def opened(result: SearchResult, number: Any) -> dict[str, Any] | None:
    """{draft, pinned} of a trial by its number and of the present setting; None where there is none of this
    number. ScenarioError where it was refused.
    """
    trial = next((one for one in result.trials if type(number) is int and one.number == number), None)
    if trial is None:
        return None
    present, name = result.trials[0], result.search.name
    pinned = {
        "scenario": result.scenario(present),
        "schedulers": [present.scheduler],
        "name": name or "Before",
    }
    return {"draft": {"scenario": result.scenario(trial), "schedulers": [trial.scheduler]}, "pinned": pinned}


def answer_content(result: SearchResult, tunables: dict[str, Tunable]) -> list:
    """The answer, and how much was tried."""
    refused = next((trial for trial in result.trials if trial.because), None)
    tried = tried_words(result)
    if refused and setting_words(result, refused):
        tried = tried.replace(
            setting_words(result, refused), search_words.setting_text(result, refused, tunables), 1
        )
    return [*_head(result, tunables), html.P(tried, className="help")]


def _head(result: SearchResult, tunables: dict[str, Tunable]) -> list:
    if result.best is None:
        first, *others = search_words.nothing_feasible(result, tunables)
        return [_headline(first, result.nearest), _lines(others)]
    if len(result.search.objectives) == 1:
        first, *others = search_words.answer(result, result.best, tunables)
        return [_headline(first, result.best.trial), _lines(others)]
    return [
        _headline(f"{curve_words(result).rstrip(':.')}.", None),
        html.Div(table(result, tunables), className="best-room"),
    ]


def _headline(text: str, trial: Trial | None) -> html.Div:
    """The answer's first sentence, with what can be done with it."""
    buttons = [open_button(trial, msg("panels.search_view.open_setting"))] if trial and trial.number else []
    close = html.Button("Close", id="best-close", type="button", title=msg("panels.search_view.close_answer"))
    return html.Div(
        [html.P(text, className="study-answer"), *buttons, close], className="study-head best-head"
    )


def _lines(lines: list[str]) -> html.Ul | None:
    return html.Ul([html.Li(line) for line in lines], className="best-lines") if lines else None


def open_button(trial: Trial, title: str, of: str = "") -> html.Button:
    """Of a trial; of: what a screen reader says is opened, where the title alone would not tell."""
    label = attributes({"aria-label": f"{title}: {of}"} if of else {})
    return html.Button(
        title,
        type="button",
        title=OPEN,
        className="best-open",
        **attributes({"data-best-trial": str(trial.number)}),
        **label,
    )


def table(result: SearchResult, tunables: dict[str, Tunable]) -> html.Table:
    """A row a setting of the trade-off curve, both metrics beside the present setting's."""
    metrics = search_words.metrics(result)
    headings = ["Setting", *(item.title for item in metrics), ""]
    head = html.Thead(html.Tr([html.Th(text, scope="col") if text else html.Td() for text in headings]))
    rows = [_row(result, item, tunables) for item in result.front]
    if result.present.estimates and all(item.trial.number for item in result.front):
        rows.append(_row(result, result.present, tunables))
    return html.Table(
        [html.Caption(msg("panels.search_view.trade_off_curve"), className="unseen"), head, html.Tbody(rows)],
        className="best-table",
    )


def _row(result: SearchResult, candidate: ConfirmedTrial, tunables: dict[str, Tunable]) -> html.Tr:
    setting = search_words.setting_text(result, candidate.trial, tunables)
    setting = setting[:1].upper() + setting[1:]
    broken = [
        msg("panels.search_view.beyond_its_bound_on_fresh_seeds", title=MEASURES[bound.metric].title)
        for bound in result.search.constraints
        if candidate.holds(bound) is False
    ]
    cells = [_cell(result, candidate, index) for index in range(len(result.search.objectives))]
    button_cell = html.Td(open_button(candidate.trial, "Open", setting) if candidate.trial.number else "")
    return html.Tr(
        [
            html.Th([setting, *(html.Span(text, className="best-broken") for text in broken)], scope="row"),
            *cells,
            button_cell,
        ]
    )


def _cell(result: SearchResult, candidate: ConfirmedTrial, index: int) -> html.Td:
    objective, metric = result.search.objectives[index], search_words.metrics(result)[index]
    estimate, difference = candidate.estimates.get(metric.key), candidate.differences.get(metric.key)
    if estimate is None:
        alone = [
            html.Strong(quantities.amount(candidate.trial.values[index], metric.unit)),
            html.Span(msg("panels.search_view.not_run_on_fresh_seeds")),
        ]
        return html.Td(html.Div(alone), **attributes({"data-head": metric.title}))
    parts: list[Any] = [html.Strong(quantities.estimate(estimate.mean, estimate.half, metric.unit))]
    if difference is not None and difference.count:
        doubt = (
            ""
            if candidate.is_surely_better(objective) or objective.sign * difference.mean - difference.half > 0
            else msg("panels.search_view.may_be_luck")
            if difference.half
            else ""
        )
        is_same = not difference.mean and not difference.half
        parts.append(
            html.Span(
                msg("panels.search_view.as_now")
                if is_same
                else quantities.estimate(difference.mean, difference.half, metric.unit, is_difference=True)
                + doubt
            )
        )
    return html.Td(html.Div(parts), **attributes({"data-head": metric.title}))


def picture(result: SearchResult, tunables: dict[str, Tunable], dark: bool, width: int) -> Picture:
    """Two metrics against each other."""
    x, y = search_words.metrics(result)
    front_numbers = {item.trial.number for item in result.front}
    others = [
        item
        for item in result.trials[1:]
        if item.number not in front_numbers and not any(map(math.isnan, item.values[:2]))
    ]
    mark = lambda item: _mark(item, search_words.setting_text(result, item, tunables))
    front = [_answer(result, item, tunables) for item in result.front]
    feasible, infeasible = (
        [mark(item) for item in others if item.is_feasible],
        [mark(item) for item in others if not item.is_feasible],
    )
    present = None if 0 in front_numbers else _answer(result, result.present, tunables)
    if present and (math.isnan(present.x) or math.isnan(present.y)):
        present = None
    figure = trade_off_figure(
        Measure(x.title, x.unit),
        Measure(y.title, y.unit),
        feasible,
        infeasible,
        front,
        present,
        dark=dark,
        width=width,
    )
    rows = [_trial_row(result, item, tunables) for item in result.trials]
    return replace(
        PICTURE,
        title=msg(
            "panels.search_view.against",
            title=x.title,
            lower=y.title.lower() if not y.title[1:2].isupper() else y.title,
        ),
        figure=figure,
        table=rows,
    )


def _answer(result: SearchResult, candidate: ConfirmedTrial, known: dict[str, Tunable]) -> Mark:
    """As the fresh seeds have it, where it was run on them."""
    text = search_words.setting_text(result, candidate.trial, known)
    if not candidate.estimates:
        return _mark(candidate.trial, text)
    x, y = (candidate.estimates[metric.key] for metric in search_words.metrics(result))
    half = lambda known: 0.0 if math.isnan(known.half) else known.half
    return Mark(x.mean, y.mean, text, half(x), half(y))


def _mark(trial: Trial, text: str) -> Mark:
    """As the search's own seeds have it."""
    x, y = trial.values[:2]
    return Mark(x, y, text)


def _trial_row(result: SearchResult, trial: Trial, tunables: dict[str, Tunable]) -> dict[str, Any]:
    """A trial as a row, as the seeds of the search have it."""
    row: dict[str, Any] = {"Setting": search_words.setting_text(result, trial, tunables)}
    for index, metric in enumerate(search_words.metrics(result)):
        times, unit = quantities.display_unit(metric.unit)
        row[quantities.title_with_unit(metric.title, unit)] = (
            None if math.isnan(trial.values[index]) else float(f"{trial.values[index] * times:.6g}")
        )
    return row | {"Within the constraints": "yes" if trial.is_feasible else "no"}
