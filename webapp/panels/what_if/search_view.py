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
    Metric,
    Objective,
    SearchResult,
    Trial,
    Tunable,
    curve_words,
    tried_words,
)
from webapp.figures.charts.trade_off import Mark, Measure, trade_off_figure
from webapp.http.fault_text import error_text
from webapp.jobs import searches
from webapp.jobs.searches import SearchRequest
from webapp.messages import msg
from webapp.panels.compare.chart_card import Picture, card, output_values, outputs
from webapp.panels.components import attributes, button, table_row
from webapp.panels.sections import content_width
from webapp.panels.what_if import search_words, study_text
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
        content = answer_content(result, tunables)
        if len(result.search.objectives) == 1 or all(trial.because for trial in result.trials):
            return [content, False, True, *unchanged]
        curve = picture(result, tunables, scheme == "dark", content_width(width))
        return [content, False, False, curve.title, *output_values(curve)]

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
    draft, pinned = (
        {"scenario": result.scenario(one), "schedulers": [one.scheduler]} for one in (trial, result.trials[0])
    )
    return {"draft": draft, "pinned": pinned | {"name": result.search.name or "Before"}}


def answer_content(result: SearchResult, tunables: dict[str, Tunable]) -> list:
    """The answer, and how much was tried."""
    tried = tried_words(result)
    if refused := next((trial for trial in result.trials if trial.because), None):
        tried = search_words.retold(tried, result, refused, tunables)
    return [*_head(result, tunables), html.P(tried, className="help")]


def _head(result: SearchResult, tunables: dict[str, Tunable]) -> list:
    if result.best is None:
        return _sentences(search_words.nothing_feasible(result, tunables), result.nearest)
    if len(result.search.objectives) == 1:
        return _sentences(search_words.answer(result, result.best, tunables), result.best.trial)
    curve = _sentences([f"{curve_words(result).rstrip(':.')}."], None)
    return [*curve, html.Div(table(result, tunables), className="best-room")]


def _sentences(texts: list[str], trial: Trial | None) -> list:
    """The answer's first sentence with what can be done with it, and the others."""
    first, *others = texts
    opening = open_button(trial, msg("panels.search_view.open_setting")) if trial and trial.number else None
    close = button("Close", id="best-close", title=msg("panels.search_view.close_answer"))
    head = [html.P(first, className="study-answer"), opening, close]
    lines = html.Ul([html.Li(line) for line in others], className="best-lines") if others else None
    return [html.Div(head, className="study-head best-head"), lines]


def open_button(trial: Trial, title: str, of: str = "") -> html.Button:
    """Of a trial; of: what a screen reader says is opened, where the title alone would not tell."""
    marks = {"data-best-trial": str(trial.number)} | ({"aria-label": f"{title}: {of}"} if of else {})
    return button(title, marks, title=OPEN, className="best-open")


def table(result: SearchResult, tunables: dict[str, Tunable]) -> html.Table:
    """A row a setting of the trade-off curve, both metrics beside the present setting's."""
    metrics = search_words.metrics(result)
    headings = ["Setting", *(item.title for item in metrics), ""]
    head = html.Thead(html.Tr([html.Th(text, scope="col") if text else html.Td() for text in headings]))
    rows = [_row(result, item, tunables) for item in result.front]
    if result.present.estimates and all(item.trial.number for item in result.front):
        rows.append(_row(result, result.present, tunables))
    caption = html.Caption(msg("panels.search_view.trade_off_curve"), className="unseen")
    return html.Table([caption, head, html.Tbody(rows)], className="best-table")


def _row(result: SearchResult, candidate: ConfirmedTrial, tunables: dict[str, Tunable]) -> html.Tr:
    setting = search_words.capitalized(search_words.setting_text(result, candidate.trial, tunables))
    broken = [
        msg("panels.search_view.beyond_its_bound_on_fresh_seeds", title=MEASURES[bound.metric].title)
        for bound in result.search.constraints
        if candidate.holds(bound) is False
    ]
    cells: list[Any] = [_cell(result, candidate, index) for index in range(len(result.search.objectives))]
    cells.append(open_button(candidate.trial, "Open", setting) if candidate.trial.number else "")
    return table_row([setting, *(html.Span(text, className="best-broken") for text in broken)], cells)


def _cell(result: SearchResult, candidate: ConfirmedTrial, index: int) -> html.Td:
    metric = search_words.metrics(result)[index]
    estimate, difference = candidate.estimates.get(metric.key), candidate.differences.get(metric.key)
    if estimate is None:
        text = quantities.amount(candidate.trial.values[index], metric.unit)
        note = msg("panels.search_view.not_run_on_fresh_seeds")
    else:
        text = quantities.estimate(estimate.mean, estimate.half, metric.unit)
        is_known = difference is not None and difference.count
        note = _change(candidate, difference, result.search.objectives[index], metric) if is_known else ""
    parts = [html.Strong(text), html.Span(note) if note else None]
    return html.Td(html.Div(parts), **attributes({"data-head": metric.title}))


def _change(candidate: ConfirmedTrial, difference: Any, objective: Objective, metric: Metric) -> str:
    """The difference to the present setting, and whether it may be luck."""
    mean, half = difference.mean, difference.half
    if not mean and not half:
        return msg("panels.search_view.as_now")
    is_sure = not half or candidate.is_surely_better(objective) or objective.sign * mean - half > 0
    text = quantities.estimate(mean, half, metric.unit, is_difference=True)
    return text if is_sure else text + msg("panels.search_view.may_be_luck")


def picture(result: SearchResult, tunables: dict[str, Tunable], dark: bool, width: int) -> Picture:
    """Two metrics against each other."""
    x, y = search_words.metrics(result)
    front_numbers = {item.trial.number for item in result.front}
    marks: dict[bool, list[Mark]] = {True: [], False: []}  # by whether it holds all constraints
    for trial in result.trials[1:]:
        if trial.number not in front_numbers and not any(map(math.isnan, trial.values[:2])):
            text = search_words.setting_text(result, trial, tunables)
            marks[trial.is_feasible].append(Mark(trial.values[0], trial.values[1], text))
    present = None if 0 in front_numbers else _answer(result, result.present, tunables)
    if present and (math.isnan(present.x) or math.isnan(present.y)):
        present = None
    figure = trade_off_figure(
        Measure(x.title, x.unit),
        Measure(y.title, y.unit),
        marks[True],
        marks[False],
        [_answer(result, item, tunables) for item in result.front],
        present,
        dark=dark,
        width=width,
    )
    lower = y.title.lower() if not y.title[1:2].isupper() else y.title
    title = msg("panels.search_view.against", title=x.title, lower=lower)
    rows = [_trial_row(result, trial, tunables) for trial in result.trials]
    return replace(PICTURE, title=title, figure=figure, table=rows)


def _answer(result: SearchResult, candidate: ConfirmedTrial, known: dict[str, Tunable]) -> Mark:
    """As the fresh seeds have it, where it was run on them."""
    text = search_words.setting_text(result, candidate.trial, known)
    if not candidate.estimates:
        return Mark(candidate.trial.values[0], candidate.trial.values[1], text)
    x, y = (candidate.estimates[metric.key] for metric in search_words.metrics(result))
    half = lambda estimate: 0.0 if math.isnan(estimate.half) else estimate.half
    return Mark(x.mean, y.mean, text, half(x), half(y))


def _trial_row(result: SearchResult, trial: Trial, tunables: dict[str, Tunable]) -> dict[str, Any]:
    """A trial as a row, as the seeds of the search have it."""
    row: dict[str, Any] = {"Setting": search_words.setting_text(result, trial, tunables)}
    for value, metric in zip(trial.values, search_words.metrics(result)):
        times, unit = quantities.display_unit(metric.unit)
        row[quantities.title_with_unit(metric.title, unit)] = study_text.rounded(value * times)
    return row | {"Within the constraints": "yes" if trial.is_feasible else "no"}
