"""The schedulers in numbers: every metric with its best and the difference to the first, and each job's times under each of them."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

import dash_ag_grid as dag
import dash_mantine_components as dmc
import numpy as np
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import METRICS, NONE, VERSION, GantryError, Metric, Run, differing_rules, parse, turnaround_ms, wait_ms
from webapp import theme
from webapp.figures import finish_figure
from webapp.panels.compare import bounds_table, chart_card, optimum_search
from webapp.panels.compare.metric_tables import NARROW_PX, OPTIONS, WRAPPED, grid, tools, words
from webapp.panels.components import heading
from webapp.panels.papers.guide import links
from webapp.panels.sections import inner, opened
from webapp.report import best_possible, summary_text
from webapp.services.outcome import UNSCHEDULED, Outcome
from webapp.services.runs import Task
from webapp.services.same_runs import equal_groups, first_equal
from webapp.store.links import Link, store

JOB_TIMES = {
    "finish": ("Finish", lambda run: run.jobs.finish),
    "turnaround": ("Turnaround", turnaround_ms),
    "wait": ("Wait", wait_ms),
}
EQUALS = " = "  # between the names of runs that are equal
SIGNS = "★ best; in brackets the difference to the first column, or to what is pinned; ≤: at most so far above the best possible."
MOST_JOBS = 1_000
JOBS_A_PAGE = 20


def rows(
    titles: Sequence[dict[str, Any]],
    values: Sequence[Sequence[float | None]],
    better: Sequence[str | None],
    text: Sequence[Any],
    unfair: Collection[int] = (),
    to: Sequence[int] | None = None,
    measured: Collection[int] = (),
) -> list[dict[str, Any]]:
    """Rows of a table whose columns s0, s1, … are the schedulers. unfair: columns that are not compared; measured: columns that are, but are never best.

    titles: what else stands in each row; values: a row's numbers, None where there is none; better: "smaller", "larger" or None;
    text: a row's number -> text; to: the column each is compared to, by default the first. A cell is {value, text, percent (to that column,
    None where there is none), best}.
    """
    found = []
    for title, numbers, wish, say in zip(titles, values, better, text, strict=True):
        given = [number for place, number in enumerate(numbers) if number is not None and place not in unfair and place not in measured]
        best = {"smaller": min, "larger": max}[wish](given) if wish and given else None
        differ = len(set(given)) > 1
        row = dict(title)
        for place, number in enumerate(numbers):
            other = to[place] if to else 0
            row[f"s{place}"] = {
                "value": number,
                "text": say(number),
                "percent": percent(number, numbers[other]) if place != other and not {other, place} & set(unfair) else None,
                "best": differ and number == best and place not in unfair and place not in measured,
            }
        found.append(row)
    return found


def percent(number: float | None, first: float | None) -> float | None:
    """How much more than the first it is, in percent; None where that means nothing."""
    if number is None or first is None or (first == 0 and number != 0):
        return None
    return 0.0 if number == first else 100 * (number - first) / first


def reference(task: Task) -> list[int]:
    """The column that each is compared to: the same scheduler of what is pinned, else the first pinned; without, the first."""
    pinned = {one.name: place for place, one in enumerate(task.shown) if one.task is not task}
    first = min(pinned.values(), default=0)
    return [place if one.task is not task else pinned.get(one.name, first) for place, one in enumerate(task.shown)]


def metric_rows(
    metrics: Sequence[dict[str, Any]], catalogue: Sequence[Metric] = METRICS, to: Sequence[int] | None = None, measured: Collection[int] = ()
) -> list[dict[str, Any]]:
    """The table of metrics; metrics: a dict a scheduler; to, measured: as of `rows`.

    A run that ended in a deadlock is not compared: its means cover what had started.
    """
    return rows(
        [{"title": metric.title, "about": metric.formula} for metric in catalogue],
        [[_number(one.get(metric.key)) for one in metrics] for metric in catalogue],
        [metric.better for metric in catalogue],
        [lambda number, unit=metric.unit: words(number, unit) for metric in catalogue],
        unfair={place for place, one in enumerate(metrics) if one.get("makespan_s") is None},
        to=to,
        measured=measured,
    )


def beside_best(found: list[dict[str, Any]], outcomes: Sequence[Outcome], narrow: bool, catalogue: Sequence[Metric] = METRICS) -> None:
    """Adds to the cells of `metric_rows` how far each is above the best possible, `above`, and what that means, `about`. narrow: the sign alone."""
    for row, metric in zip(found, catalogue, strict=True):
        for place, one in enumerate(outcomes) if metric.key in best_possible.TIMES else ():
            if above := best_possible.above_best(one, metric.key, outcomes):
                row[f"s{place}"] |= {"above": above.sign if narrow or above.is_best else f"{above.sign} above best", "about": above.about}


def job_rows(found: Sequence[Run], what: str) -> list[dict[str, Any]]:
    """The table of jobs: finish, turnaround or wait under each scheduler; its values are seconds."""
    times = [JOB_TIMES[what][1](run)[:MOST_JOBS] for run in found]
    names = found[0].workload.job_names[:MOST_JOBS]
    values = [[None if ms == NONE else ms / 1000 for ms in row] for row in np.stack(times, axis=1).tolist()]
    when = lambda number: theme.NOTHING if number is None else theme.moment(1000 * number)
    say = when if what == "finish" else lambda number: theme.amount(number, "s")
    found_rows = rows([{"title": name} for name in names], values, ["smaller"] * len(names), [say] * len(names), measured=measured_columns(found))
    for place, run in enumerate(found) if what == "finish" else ():
        for job in np.flatnonzero(run.jobs.failed[:MOST_JOBS]).tolist():
            cell = found_rows[job][f"s{place}"]
            cell |= {"text": f"{cell['text']} (failed)", "best": False}
    return found_rows


def measured_columns(found: Sequence[Run]) -> set[int]:
    """The places of what was measured, and of the optimum."""
    return {place for place, run in enumerate(found) if run.scheduler in UNSCHEDULED}


def stored_rows(link: Link, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """What the link kept beside what this version computes: one row a metric and scheduler, those that differ marked."""
    found = []
    for name, old, new in zip(link.schedulers, link.metrics, outcomes):
        for metric in METRICS:
            before, now = _number(old.get(metric.key)), _number(new.metrics.get(metric.key))
            same = before == now or (before is not None and now is not None and math.isclose(before, now, rel_tol=1e-9))
            found.append(
                {
                    "title": metric.title,
                    "scheduler": name,
                    "stored": theme.amount(before, metric.unit),
                    "now": theme.amount(now, metric.unit),
                    "differs": "" if same else "≠ differs",
                }
            )
    return sorted(found, key=lambda row: not row["differs"])


def layout() -> html.Section:
    """Both tables with their tools; a third appears for a link of another version."""
    turn = dmc.Switch(id="turn-metrics", label="Schedulers as rows", size="xs")
    times = dmc.SegmentedControl(id="job-time", size="xs", value="finish", data=[{"value": key, "label": title} for key, (title, _) in JOB_TIMES.items()])
    return html.Section(
        [
            html.Div(id="stored-room"),
            html.Div([html.H2("Compare", className="unseen"), tools("metrics", turn)], className="table-head"),
            dcc.Store(id="open-compare"),
            html.P(SIGNS, className="help"),
            html.Div(id="metrics-room", className="table"),
            bounds_table.layout(),
            optimum_search.layout(),
            html.P(id="about-schedulers", className="help"),
            html.P(id="rules-differ", className="help"),
            html.Div([html.H2("Jobs"), tools("jobs", times)], className="table-head"),
            html.Div(
                id="finish-room",
                **{"aria-hidden": "true"},  # the table below says the same
            ),
            html.Div(id="jobs-room", className="table"),
        ],
        id="compare",
        className="drawer-tab",
        **{"aria-label": "Compare"},
    )


def register(app: Dash) -> None:
    """Callbacks: fill the tables and the picture of the jobs for a new result."""

    @app.callback(
        Output("metrics-room", "children"),
        Output("stored-room", "children"),
        Output("about-schedulers", "children"),
        Output("rules-differ", "children"),
        *bounds_table.outputs(),
        *optimum_search.outputs(),
        Input("open-compare", "data"),
        Input("turn-metrics", "checked"),
        Input("drawer-width", "data"),
        Input(bounds_table.OPENED, "data"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    def metrics(key: str | None, turned: bool | None, width: float | None, unfolded: bool | None, result: dict | None):
        task = opened(key)
        if task is None:
            return [no_update] * 12
        columns, heads = distinct(task)
        outcomes = [task.shown[place].outcome for place in columns]
        places = [task.places[place] for place in columns]
        bounds = bounds_table.filled(task, list(zip(heads, places, outcomes)), inner(width), unfolded)
        if ctx.triggered_id == bounds_table.OPENED:
            return *[no_update] * 4, *bounds, *[no_update] * 4
        to = reference(task)
        first = equal_groups(task)
        to = [columns.index(first[to[place]]) for place in columns]
        found = metric_rows([one.metrics for one in outcomes], to=to, measured=measured_columns([one.run for one in outcomes]))
        beside_best(found, outcomes, narrow=inner(width) < NARROW_PX)
        table = _turned(found, heads, inner(width)) if turned else grid("metrics", "Metric", found, heads, room=inner(width), places=places)
        chosen = [parse(name) for name in task.simulated]
        parts = [one.order.policy.name for one in chosen] + [rule.policy.name for one in chosen for _, rule in one.rules]
        stored = _stored((result or {}).get("link"), task.outcomes())
        how = ["How they work: ", *links(parts)] if parts else []
        rules = beside_the_order([one.name for one in task.shown if one.is_scheduled])
        return table, stored, how, rules, *bounds, *optimum_search.filled(task)

    app.clientside_callback(ClientsideFunction("gantry", "pickJob"), Input("jobs-grid", "cellClicked"), prevent_initial_call=True)

    @app.callback(
        Output("jobs-room", "children"), Input("open-compare", "data"), Input("job-time", "value"), Input("drawer-width", "data"), prevent_initial_call=True
    )
    def jobs(key: str | None, what: str, width: float | None):
        task = opened(key)
        if task is None or what not in JOB_TIMES:
            return no_update
        outcomes = task.outcomes()
        groups = together(first_equal(outcomes))
        found = [outcomes[places[0]].run for places in groups]
        count = len(found[0].workload.job_names)
        heads = [EQUALS.join(task.names[place] for place in places) for places in groups]
        first = [places[0] for places in groups]
        table = grid("jobs", "Job", job_rows(found, what), heads, room=inner(width), places=first, page=JOBS_A_PAGE)
        return [table, html.P(f"The first {MOST_JOBS:,} of {count:,} jobs; the export has all.", className="help")] if count > MOST_JOBS else table

    @app.callback(
        Output("finish-room", "children"),
        Input("open-compare", "data"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def finish(key: str | None, highlight: str | None, scheme: str | None, width: float | None):
        task = opened(key)
        if task is None:
            return no_update
        job = (highlight if isinstance(highlight, str) else "").removeprefix("job:")
        figure = finish_figure([one.run for one in task.outcomes()], highlight=job, dark=scheme == "dark", width=inner(width))
        return dcc.Graph(
            id="finish-graph", figure=figure, config=chart_card.CONFIG, responsive=True, style=chart_card.room(figure["layout"]), className="panel"
        )


def distinct(task: Task) -> tuple[list[int], list[str]]:
    """The places of what is shown that stand for themselves, and what their columns are headed: equal runs stand once, under all their names."""
    groups = together(equal_groups(task))
    heads = [heading(task, one) for one in task.shown]
    return [places[0] for places in groups], [EQUALS.join(heads[place] for place in places) for places in groups]


def together(first: Sequence[int]) -> list[list[int]]:
    """The places of each group of equals. first: for each the place of its first, as same_runs has it."""
    return [[place for place, one in enumerate(first) if one == head] for head in dict.fromkeys(first)]


def beside_the_order(names: Sequence[str]) -> str:
    """What the schedulers differ in beside the order, in a sentence that says which has which; nothing where the order is all."""
    values = list(zip(*differing_rules(names)))
    if not values:
        return ""
    having = {which: [name for name, own in zip(names, values) if own == which] for which in values}
    parts = [f"{summary_text.listed(who)} {'has' if len(who) == 1 else 'have'} {summary_text.listed(which)}" for which, who in having.items()]
    return f"These schedulers differ in more than the order: {'; '.join(parts)}."


def _stored(id: str | None, outcomes: list[Outcome]) -> Any:
    try:
        link = store().find(id) if id else None
    except GantryError:
        return None
    if link is None or link.version == VERSION:
        return None
    found = stored_rows(link, outcomes)
    differing = sum(bool(row["differs"]) for row in found)
    verdict = f"{theme.count(differing, 'numbers')} {'differs' if differing == 1 else 'differ'}." if differing else "All numbers are the same."
    text = f"This link was made on {link.created:%d %B %Y} with engine {link.version}; here runs {VERSION}. {verdict}"
    columns = [
        {"field": "title", "headerName": "Metric"},
        {"field": "scheduler", "headerName": "Scheduler"},
        {"field": "stored", "headerName": f"Stored ({link.version})"},
    ]
    columns += [{"field": "now", "headerName": f"Now ({VERSION})"}, {"field": "differs", "headerName": ""}]
    grid = dag.AgGrid(
        id="stored-grid",
        rowData=found,
        columnDefs=columns,
        defaultColDef={"sortable": True, "flex": 1, "minWidth": 110} | WRAPPED,
        dashGridOptions=OPTIONS | {"pagination": True, "paginationPageSize": 10, "paginationPageSizeSelector": False},
        rowClassRules={"row-differs": "params.data.differs"},
    )
    return html.Div([html.H2("Stored and new"), html.P(text, className="help"), html.Div(grid, className="table")])


def _turned(found: list[dict], schedulers: Sequence[str], room: int) -> dag.AgGrid:
    rows = [{"title": name} | {f"s{number}": row[f"s{place}"] for number, row in enumerate(found)} for place, name in enumerate(schedulers)]
    return grid("metrics", "Scheduler", rows, [row["title"] for row in found], room=room, about=[row["about"] for row in found])


def _number(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) else None
