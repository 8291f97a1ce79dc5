"""Replications: the same batch over 30 seeds, so that random variation is not read as a winner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import dash_mantine_components as dmc
from dash import Dash, Input, Output, State, ctx, html, no_update

from engine import quantities
from engine.dashboard import UNDONE, Estimate, Metric, Replications, display_name
from webapp.figures import interval_figure
from webapp.jobs import seed_replications
from webapp.jobs.job_manager import Progress
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.compare.chart_card import Picture, card, output_values, outputs
from webapp.panels.compare.metric_tables import chosen_metric, grid, tools, value_text
from webapp.panels.components import COMPARED, attributes, icon, metric_choice
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import count_text
from webapp.panels.sections import content_width, task_of_tab
from webapp.runs import saved_tasks

INITIAL_WAIT_S = 0.5
SPREAD = Picture(
    "spread",
    msg("panels.replications.how_much_do_results_vary_between"),
    msg("panels.replications.mark_mean_over_seeds_its_line"),
)
NOT_RANDOM = msg("panels.replications.deterministic_all_seeds_equal")


def best_schedulers(replications: Replications, metric: Metric) -> set[int]:
    """The schedulers that may be the best: the one with the best mean, and those whose paired difference to
    it is not significant; none under which significantly more jobs fail or are refused, as of `contenders`.

    Empty where that is every one of them, none has a mean, or no value is better than another.
    """
    means = {
        index: mean
        for index in range(len(replications.schedulers))
        if (mean := replications.estimates(index)[metric.key].mean) is not None
    }
    if metric.better is None or not means:
        return set()
    best = set(means)
    for key in UNDONE if metric.key not in UNDONE else ():
        best = _not_significantly_above(replications, best, key)
    best = _not_significantly_above(replications, best, metric.key, -1 if metric.better == "larger" else 1)
    return set() if len(best) == len(replications.schedulers) else best


def _not_significantly_above(
    replications: Replications, among: set[int], key: str, sign: int = 1
) -> set[int]:
    """Of some schedulers that with the smallest mean, or the largest where sign is -1, and those that do not
    differ from it.
    """
    means = {index: sign * (replications.estimates(index)[key].mean or 0) for index in among}
    least = min(means, key=lambda index: means[index])
    return {
        index
        for index in among
        if index == least or not is_significant(replications.difference(index, least, key))
    }


def is_significant(difference: Estimate) -> bool:
    """Whether the 95 % interval of a difference excludes zero."""
    low, high = difference.low, difference.high
    return low is not None and high is not None and (low > 0 or high < 0)


def rows(replications: Replications) -> list[dict[str, Any]]:
    """The table: a row a metric, a cell a scheduler with mean, half of the interval, difference to the first
    and whether it is more than noise.
    """
    table = []
    for metric in COMPARED:
        row: dict[str, Any] = {"title": metric.title, "about": metric.formula}
        best = best_schedulers(replications, metric)
        for index in range(len(replications.schedulers)):
            row[f"s{index}"] = _cell(replications, index, metric) | {"best": index in best}
        table.append(row)
    return table


def _cell(replications: Replications, index: int, metric: Metric) -> dict[str, Any]:
    estimate = replications.estimates(index)[metric.key]
    text = value_text(estimate.mean, metric.unit)
    if estimate.low is not None and estimate.high is not None:
        text += f" ± {value_text((estimate.high - estimate.low) / 2, metric.unit)}"
    if estimate.count < len(replications.seeds):
        text += msg("panels.replications.runs", count=estimate.count, seeds=len(replications.seeds))
    cell: dict[str, Any] = {"value": estimate.mean, "text": text, "percent": None}
    first = replications.estimates(0)[metric.key].mean
    difference = replications.difference(index, 0, metric.key) if index else None
    if difference and difference.mean is not None and first:
        cell["percent"] = 100 * difference.mean / first
        cell["noise"] = not is_significant(difference)
    return cell


def layout() -> html.Section:
    """The button, its progress and the room for the table and the picture."""
    repeat = dmc.Button(
        msg("panels.replications.repeat_over_seeds", seeds=seed_replications.SEEDS),
        id="repeat",
        variant="default",
        size="compact-sm",
        leftSection=icon("dice"),
    )
    bar = long_work.layout("repeat", msg("panels.replications.progress_replications"))
    parts = [
        html.Div([html.H2(msg("panels.replications.variation_over_seeds"))], className="table-head"),
        html.Div([repeat, *bar], className="repeat-bar"),
        html.Div(id="repeat-room", className="table"),
    ]
    label = msg("panels.replications.variation_over_seeds_same_batch_with")
    return html.Section(parts, id="variation", **attributes({"aria-label": label}))


def register(app: Dash) -> None:
    """Callbacks: begin and follow, cancel, and the picture of one metric."""
    long_work.bind(app, WORK)

    @app.callback(
        Output("repeat-ask", "data"),
        Input("open-more", "data"),
        Input("repeat", "n_clicks"),
        State("repeat-ask", "data"),
        prevent_initial_call=True,
    )
    def ask(key: str | None, _clicks: int | None, asked: Any):
        is_pressed = ctx.triggered_id == "repeat"
        is_asked = isinstance(asked, dict) and asked.get("key") == key
        return no_update if key is None or (is_asked and not is_pressed) else {"key": key, "run": is_pressed}

    @app.callback(
        Output("repeat", "disabled"),
        Input("repeat-state", "data"),
        Input("repeat-found", "data"),  # of another result, whose state may be the same
        State("open-more", "data"),
        prevent_initial_call=True,
    )
    def disable(state: str | None, _found: Any, key: str | None):
        task = task_of_tab(key)
        return state in ("queued", "running") or not (task and task.random)

    @app.callback(
        Output("repeat-room", "children"),
        Input("repeat-found", "data"),
        State("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def fill(key: str | None, width: float | None):
        task = task_of_tab(key)
        found = seed_replications.find_replications(task) if task else None
        return _results(found, content_width(width)) if task else no_update

    @app.callback(
        *outputs(SPREAD.key),
        Input("repeat-metric", "value"),
        Input("scheme", "data"),
        Input("drawer-width", "data"),
        State("open-more", "data"),
    )
    def spread(metric: str, scheme: str | None, width: float | None, key: str | None):
        task, chosen = task_of_tab(key), chosen_metric(metric)
        replications = seed_replications.find_replications(task) if task else None
        picture = replications and _spread_card(replications, chosen, scheme == "dark", content_width(width))
        return output_values(picture) if picture else [no_update] * len(outputs(SPREAD.key))


def begin(sent: dict) -> Begun:
    """sent: {key, run} from the page, untrusted; run: not only what there is."""
    task = saved_tasks.require_task(str(sent.get("key")))
    if sent.get("run") is not True:
        return Begun("", Progress(1, 1, "", "finished"), {"key": task.key, "run": False})
    return Begun(*seed_replications.begin_replications(task, INITIAL_WAIT_S), {"key": task.key, "run": True})


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """The key of the task whose replications are there, or of which nobody has asked for any."""
    if progress.state != "finished" or not isinstance(asked, dict):
        return {}
    task = saved_tasks.require_task(str(asked.get("key")))
    if asked.get("run") is not True:
        says = msg("panels.replications.mean_and_interval_all_schedulers_run") if task.random else NOT_RANDOM
        return {"found": task.key, "says": says}
    if seed_replications.find_replications(task) is None:
        return {}
    runs = seed_replications.SEEDS * len(task.simulated)
    seeds = quantities.count(seed_replications.SEEDS, "seeds")
    return {"found": task.key, "says": f"{seeds}, {quantities.count(runs, 'runs')}."}


WORK = LongWork("repeat", begin, count_text, answer, not_kept=seed_replications.NOT_STORED)


def _results(replications: Replications | None, width_px: int) -> list:
    if replications is None:
        return []
    full_names = {display_name(name): name for name in replications.schedulers}
    table = grid(
        "repeat",
        "Metric",
        rows(replications),
        list(map(display_name, replications.schedulers)),
        width_px=width_px,
        colour_indices=range(len(replications.schedulers)),
        two_lines=True,
        full_names=full_names,
    )
    about = html.P(msg("panels.replications.best_or_not_significantly_worse_no"), className="help")
    choice = metric_choice("repeat-metric", msg("panels.replications.mean_and_interval"), 260)
    return [about, html.Div([tools("repeat")], className="table-head"), table, card(SPREAD, above=choice)]


def _spread_card(replications: Replications, metric: Metric, dark: bool, width: int) -> Picture | None:
    """The card of one metric; what has no interval is not drawn. None where nothing has one."""
    places, drawn, words, table = [], [], [], []
    times, unit = quantities.display_unit(metric.unit)
    headings = [quantities.title_with_unit(word, unit) for word in ("Mean", "From", "To")]
    for index, scheduler in enumerate(replications.schedulers):
        estimate = replications.estimates(index)[metric.key]
        if estimate.mean is None or estimate.low is None or estimate.high is None:
            continue
        numbers = (estimate.mean, estimate.low, estimate.high)
        mean, low, high = (quantities.amount(number, metric.unit) for number in numbers)
        places.append(index)
        drawn.append((display_name(scheduler), *numbers))
        words.append(f"{display_name(scheduler)} {mean} ({low} to {high})")
        table.append({"Scheduler": scheduler} | dict(zip(headings, (times * one for one in numbers))))
    if not drawn:
        return None
    figure = interval_figure(drawn, places, title=metric.title, unit=metric.unit, dark=dark, width=width)
    story = "; ".join(words)
    return replace(SPREAD, story=f"{metric.title}: {story}.", figure=figure, table=table)
