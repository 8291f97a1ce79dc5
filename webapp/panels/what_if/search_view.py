"""What a search has found: the setting in sentences with how sure they are, of two metrics the trade-off curve, and the way of each into the charts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html, no_update

from engine import MEASURES, Found, GantryError, SearchResult, Trial, Tunable, curve_words, setting_words, tried_words
from webapp import theme
from webapp.figures.charts.trade_off import Mark, Measure, trade_off_figure
from webapp.panels.compare.chart_card import Picture, card, filled, outputs
from webapp.panels.sections import inner
from webapp.panels.what_if import search_words, study_text
from webapp.services import runs, searches
from webapp.services.fault_text import error_text
from webapp.services.searches import SearchAsk

READING = "A mark a setting, grey as the seeds of the search have it; the answer, connected, as fresh seeds have it, with its 95 % intervals."
PICTURE = Picture("best-curve", "What trades for what?", READING)
OPEN = "Run it, with the present setting pinned beside it; Undo takes it back"


def layout() -> html.Section:
    """Hidden until something is found."""
    return html.Section(
        [
            html.Div(id="best-answer"),
            html.Div(card(PICTURE, late=True), id="best-curve-room", hidden=True),
            html.P(id="best-stale", className="help study-stale"),
            *(dcc.Store(id=f"best-{name}") for name in ("open", "opened")),
        ],
        id="best-shown",
        className="best-shown",
        hidden=True,
        **{"aria-label": "The best setting"},
    )


def register(app: Dash) -> None:
    """Callbacks: the answer, and a setting for the charts."""
    app.clientside_callback(ClientsideFunction("gantry", "bestOpened"), Input("best-opened", "data"), prevent_initial_call=True)

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
        found = looked_up(shown)
        rest = [no_update] * (1 + len(outputs(PICTURE.key)))
        if found is None:
            return [[], True, True, *rest]
        known = search_words.by_path(found.search)
        is_curve = len(found.search.objectives) > 1 and any(not one.because for one in found.trials)
        made = picture(found, known, scheme == "dark", inner(width)) if is_curve else None
        return [answered(found, known), False, not is_curve, *([made.title, *filled(made)] if made else rest)]

    @app.callback(Output("best-opened", "data"), Output("best-says", "children", allow_duplicate=True), Input("best-open", "data"), prevent_initial_call=True)
    def for_charts(sent: Any):
        found = looked_up(sent)
        try:
            made = opened(found, sent.get("trial")) if found else None
        except GantryError as error:
            return no_update, error_text(error, None)
        return (made | {"at": sent.get("at")}, "") if made else (no_update, searches.NOT_KEPT)


def looked_up(shown: Any) -> SearchResult | None:
    """The answer that a page says it shows, or what had been found when it was ended; None for anything else."""
    try:
        ask = SearchAsk.of(shown.get("asked") if isinstance(shown, dict) else None)
        task = runs.known(ask.key)
        found = searches.last_of(searches.search_of(ask, task)) if task else None
    except GantryError:
        return None
    return found if found and found.trials else None


def opened(found: SearchResult, number: Any) -> dict[str, Any] | None:
    """{draft, pinned} of a trial by its number and of the present setting; None where there is none of this number. ScenarioError where it was refused."""
    trial = next((one for one in found.trials if type(number) is int and one.number == number), None)
    if trial is None:
        return None
    present, name = found.trials[0], found.search.name
    pinned = {"scenario": found.scenario(present), "schedulers": [present.scheduler], "name": name or "Before"}
    return {"draft": {"scenario": found.scenario(trial), "schedulers": [trial.scheduler]}, "pinned": pinned}


def answered(found: SearchResult, known: dict[str, Tunable]) -> list:
    """The answer, and how much was tried."""
    refused = next((one for one in found.trials if one.because), None)
    tried = tried_words(found)
    if refused and setting_words(found, refused):
        tried = tried.replace(setting_words(found, refused), search_words.setting_text(found, refused, known), 1)
    return [*_head(found, known), html.P(tried, className="help")]


def _head(found: SearchResult, known: dict[str, Tunable]) -> list:
    if found.best is None:
        first, *others = search_words.nothing(found, known)
        return [_first(first, found.nearest), _lines(others)]
    if len(found.search.objectives) == 1:
        first, *others = search_words.answer(found, found.best, known)
        return [_first(first, found.best.trial), _lines(others)]
    return [_first(f"{curve_words(found).rstrip(':.')}.", None), html.Div(table(found, known), className="best-room")]


def _first(text: str, trial: Trial | None) -> html.Div:
    """The answer's first sentence, with what can be done with it."""
    ways = [open_button(trial, "Open this setting")] if trial and trial.number else []
    close = html.Button("Close", id="best-close", type="button", title="Put the answer away")
    return html.Div([html.P(text, className="study-answer"), *ways, close], className="study-head best-head")


def _lines(lines: list[str]) -> html.Ul | None:
    return html.Ul([html.Li(line) for line in lines], className="best-lines") if lines else None


def open_button(trial: Trial, title: str, of: str = "") -> html.Button:
    """Of a trial; of: what a screen reader says is opened, where the title alone would not tell."""
    label = {"aria-label": f"{title}: {of}"} if of else {}
    return html.Button(title, type="button", title=OPEN, className="best-open", **{"data-best-trial": str(trial.number)}, **label)


def table(found: SearchResult, known: dict[str, Tunable]) -> html.Table:
    """A row a setting of the trade-off curve, both metrics beside the present setting's."""
    metrics = search_words.metrics(found)
    heads = ["Setting", *(one.title for one in metrics), ""]
    head = html.Thead(html.Tr([html.Th(text, scope="col") if text else html.Td() for text in heads]))
    rows = [_row(found, one, known) for one in found.front]
    if found.present.estimates and all(one.trial.number for one in found.front):
        rows.append(_row(found, found.present, known))
    return html.Table([html.Caption("Trade-off curve", className="unseen"), head, html.Tbody(rows)], className="best-table")


def _row(found: SearchResult, one: Found, known: dict[str, Tunable]) -> html.Tr:
    words = search_words.setting_text(found, one.trial, known)
    words = words[:1].upper() + words[1:]
    broken = [f"{MEASURES[bound.metric].title} is beyond its bound on the fresh seeds" for bound in found.search.constraints if one.holds(bound) is False]
    cells = [_cell(found, one, place) for place in range(len(found.search.objectives))]
    way = html.Td(open_button(one.trial, "Open", words) if one.trial.number else "")
    return html.Tr([html.Th([words, *(html.Span(text, className="best-broken") for text in broken)], scope="row"), *cells, way])


def _cell(found: SearchResult, one: Found, place: int) -> html.Td:
    objective, metric = found.search.objectives[place], search_words.metrics(found)[place]
    known, apart = one.estimates.get(metric.key), one.differences.get(metric.key)
    if known is None:
        alone = [html.Strong(theme.amount(one.trial.values[place], metric.unit)), html.Span("not run on fresh seeds")]
        return html.Td(html.Div(alone), **{"data-head": metric.title})
    said = [html.Strong(study_text.plus_minus(known.mean, known.half, metric.unit))]
    if apart is not None and apart.count:
        sure = "" if one.is_surely_better(objective) or objective.sign * apart.mean - apart.half > 0 else ", may be luck" if apart.half else ""
        same = not apart.mean and not apart.half
        said.append(html.Span("as now" if same else f"{study_text.plus_minus(apart.mean, apart.half, metric.unit, signed=True)}{sure}"))
    return html.Td(html.Div(said), **{"data-head": metric.title})


def picture(found: SearchResult, known: dict[str, Tunable], dark: bool, width: int) -> Picture:
    """Two metrics against each other."""
    x, y = search_words.metrics(found)
    number = {one.trial.number for one in found.front}
    others = [one for one in found.trials[1:] if one.number not in number and not any(map(math.isnan, one.values[:2]))]
    mark = lambda one: Mark(*one.values[:2], search_words.setting_text(found, one, known))
    front = [_answer(found, one, known) for one in found.front]
    tried, beyond = [mark(one) for one in others if one.is_feasible], [mark(one) for one in others if not one.is_feasible]
    present = None if 0 in number else _answer(found, found.present, known)
    if present and (math.isnan(present.x) or math.isnan(present.y)):
        present = None
    figure = trade_off_figure(Measure(x.title, x.unit), Measure(y.title, y.unit), tried, beyond, front, present, dark=dark, width=width)
    rows = [_plain(found, one, known) for one in found.trials]
    return replace(PICTURE, title=f"{x.title} against {y.title.lower() if not y.title[1:2].isupper() else y.title}", figure=figure, table=rows)


def _answer(found: SearchResult, one: Found, known: dict[str, Tunable]) -> Mark:
    """As the fresh seeds have it, where it was run on them."""
    text = search_words.setting_text(found, one.trial, known)
    if not one.estimates:
        return Mark(*one.trial.values[:2], text)
    x, y = (one.estimates[metric.key] for metric in search_words.metrics(found))
    half = lambda known: 0.0 if math.isnan(known.half) else known.half
    return Mark(x.mean, y.mean, text, half(x), half(y))


def _plain(found: SearchResult, one: Trial, known: dict[str, Tunable]) -> dict[str, Any]:
    """A trial as a row, as the seeds of the search have it."""
    row: dict[str, Any] = {"Setting": search_words.setting_text(found, one, known)}
    for place, metric in enumerate(search_words.metrics(found)):
        times, unit = theme.column(metric.unit)
        row[theme.titled(metric.title, unit)] = None if math.isnan(one.values[place]) else float(f"{one.values[place] * times:.6g}")
    return row | {"Within the constraints": "yes" if one.is_feasible else "no"}
