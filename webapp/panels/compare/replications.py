"""Replications: the same batch over 30 seeds, so that random variation is not read as a winner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import Estimate, GantryError, Metric, Replications
from webapp import theme
from webapp.figures import interval_figure
from webapp.panels.compare.chart_card import Picture, card, filled, outputs
from webapp.panels.compare.metric_tables import grid, tools, words
from webapp.panels.components import COMPARED, icon, metric_choice, under_way
from webapp.panels.progress_text import count_text
from webapp.panels.sections import inner, opened
from webapp.services import repeats
from webapp.services.runs import Task
from webapp.services.tasks import Progress, named, works

PATIENCE_S = 0.5
SPREAD = Picture("spread", "How far do the seeds spread?", "A mark is the mean over the seeds, its line the 95 % interval of that mean.")
NOT_RANDOM = "Nothing in this scenario is random, so every seed gives the same run. Durations such as normal(20, 5) make it random."


def stars(found: Replications, metric: Metric) -> set[int]:
    """The schedulers that may be the best: the one of the best mean, and those whose difference to it, seed by seed, may be nothing.

    Empty where that is every one of them, none has a mean, or no value is better than another.
    """
    if metric.better is None:
        return set()
    means = {place: mean for place in range(len(found.schedulers)) if (mean := found.estimates(place)[metric.key].mean) is not None}
    if not means:
        return set()
    best = (min if metric.better == "smaller" else max)(means, key=means.get)
    near = {best} | {place for place in means if place != best and not significant(found.difference(place, best, metric.key))}
    return set() if len(near) == len(found.schedulers) else near


def significant(difference: Estimate) -> bool:
    """Does the 95 % interval of a difference leave out nothing at all?"""
    if difference.low is None:
        return False
    return difference.low > 0 or difference.high < 0


def rows(found: Replications) -> list[dict[str, Any]]:
    """The table: a row a metric, a cell a scheduler with mean, half of the interval, difference to the first and whether it is more than noise."""
    table = []
    for metric in COMPARED:
        row: dict[str, Any] = {"title": metric.title, "about": metric.formula}
        marked = stars(found, metric)
        for place in range(len(found.schedulers)):
            row[f"s{place}"] = _cell(found, place, metric) | {"best": place in marked}
        table.append(row)
    return table


def _cell(found: Replications, place: int, metric: Metric) -> dict[str, Any]:
    one = found.estimates(place)[metric.key]
    text = words(one.mean, metric.unit)
    if one.low is not None:
        text += f" ± {words((one.high - one.low) / 2, metric.unit)}"
    if one.count < len(found.seeds):
        text += f", {one.count} of {len(found.seeds)} runs"
    cell: dict[str, Any] = {"value": one.mean, "text": text, "percent": None}
    first = found.estimates(0)[metric.key].mean
    difference = found.difference(place, 0, metric.key) if place else None
    if difference and difference.mean is not None and first:
        cell["percent"] = 100 * difference.mean / first
        cell["noise"] = not significant(difference)
    return cell


def layout() -> html.Section:
    """The button, its progress and the room for the table and the picture."""
    return html.Section(
        [
            html.Div([html.H2("Variation over seeds")], className="table-head"),
            html.Div(
                [
                    dmc.Button(f"Repeat over {repeats.SEEDS} seeds", id="repeat", variant="default", size="compact-sm", leftSection=icon("dice")),
                    html.P(id="repeat-says", role="status", className="help"),
                    under_way("repeat", "Progress of the replications"),
                ],
                className="repeat-bar",
            ),
            html.Div(id="repeat-room", className="table"),
            dcc.Store(id="repeat-work"),
            dcc.Store(id="repeat-poke"),
            dcc.Store(id="repeat-shown"),
        ],
        id="variation",
        **{"aria-label": "Variation over seeds: the same batch with many seeds"},
    )


def register(app: Dash) -> None:
    """Callbacks: begin and follow, cancel, and the picture of one metric."""
    app.clientside_callback(ClientsideFunction("gantry", "poke"), Input("repeat-work", "data"), State("repeat-poke", "id"), prevent_initial_call=True)

    @app.callback(
        Output("repeat-room", "children"),
        Output("repeat-says", "children"),
        Output("repeat-work", "data"),
        Output("repeat-under-way", "hidden"),
        Output("repeat-progress", "value"),
        Output("repeat", "disabled"),
        Input("open-more", "data"),
        Input("repeat", "n_clicks"),
        Input("repeat-poke", "data"),
        State("repeat-work", "data"),
        State("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def repeat(key: str | None, _clicks: int | None, _poke: int | None, work: dict | None, width: float | None):
        task, work = opened(key), named(work)
        if task is None:
            return [no_update] * 6
        if ctx.triggered_id == "open-more":
            if work and work.get("key") == task.key:
                return [no_update] * 6
            if work:
                works.cancel(work["id"])
            says = "Mean and 95 % interval; all schedulers run the same random durations." if task.random else NOT_RANDOM
            return (_shown(repeats.repeated(task), inner(width)), says, None, True, 0, not task.random)
        if ctx.triggered_id == "repeat":
            try:
                name, progress = repeats.begin(task, PATIENCE_S)
            except GantryError as error:
                return no_update, str(error), None, True, 0, False
            work = {"id": name, "key": task.key}
        elif work and work.get("key") == task.key:
            progress = works.progress(work["id"])
        else:
            return [no_update] * 6
        return _followed(task, work, progress, inner(width))

    @app.callback(
        Output("repeat-says", "children", allow_duplicate=True), Input("repeat-cancel", "n_clicks"), State("repeat-work", "data"), prevent_initial_call=True
    )
    def cancel(_clicks: int, work: dict | None):
        if named(work):
            works.cancel(work["id"])
        return "Cancelling…"

    @app.callback(
        *outputs(SPREAD.key),
        Input("repeat-metric", "value"),
        Input("scheme", "data"),
        Input("drawer-width", "data"),
        State("open-more", "data"),
    )
    def spread(metric: str, scheme: str | None, width: float | None, key: str | None):
        task = opened(key)
        found = repeats.repeated(task) if task else None
        chosen = next((one for one in COMPARED if one.key == metric), COMPARED[0])
        if found is None or not any(found.estimates(place)[chosen.key].low is not None for place in range(len(found.schedulers))):
            return [no_update] * len(outputs(SPREAD.key))
        return list(filled(_spread(found, chosen, scheme == "dark", inner(width))))


def _followed(task: Task, work: dict, progress: Progress, room: int) -> tuple:
    if progress.under_way:
        return no_update, count_text(progress), work, False, 100 * progress.done / max(progress.of, 1), True
    if progress.state == "finished" and repeats.repeated(task) is None:
        return no_update, repeats.NOT_KEPT, None, True, 0, False
    if progress.state == "finished":
        return _shown(repeats.repeated(task), room), f"{theme.count(repeats.SEEDS, 'seeds')}, {theme.count(progress.of, 'runs')}.", None, True, 0, False
    says = "Cancelled." if progress.state == "cancelled" else progress.because
    return no_update, says, None, True, 0, False


def _shown(found: Replications | None, room: int) -> list:
    if found is None:
        return []
    return [
        html.P("★ best, or not significantly worse; ≈ no significant difference to the first (95 %).", className="help"),
        html.Div([tools("repeat")], className="table-head"),
        grid("repeat", "Metric", rows(found), found.schedulers, room=room, places=range(len(found.schedulers)), two_lines=True),
        card(SPREAD, above=metric_choice("repeat-metric", "Mean and 95 % interval of", 260)),
    ]


def _spread(found: Replications, metric: Metric, dark: bool, width: int) -> Picture:
    """The card of one metric; what has no interval is not drawn."""
    known = [(place, found.estimates(place)[metric.key]) for place in range(len(found.schedulers))]
    shown = [(place, (found.schedulers[place], one.mean, one.low, one.high)) for place, one in known if one.low is not None]
    rows = [row for _, row in shown]
    figure = interval_figure(rows, [place for place, _ in shown], title=metric.title, unit=metric.unit, dark=dark, width=width)
    times, unit = theme.column(metric.unit)
    heads = ["Scheduler", *(theme.titled(word, unit) for word in ("Mean", "From", "To"))]
    words = [(name, *(theme.amount(number, metric.unit) for number in numbers)) for name, *numbers in rows]
    story = "; ".join(f"{name} {mean} ({low} to {high})" for name, mean, low, high in words)
    table = [dict(zip(heads, (name, *(times * number for number in numbers)))) for name, *numbers in rows]
    return replace(SPREAD, story=f"{metric.title}: {story}.", figure=figure, table=table)
