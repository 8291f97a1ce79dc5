"""The schedulers in numbers: every metric with its best and the difference to the first, and each job's times
under each of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

import dash_ag_grid as dag
import dash_mantine_components as dmc
import numpy as np
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from engine import METRICS, VERSION, GantryError, Run, quantities
from engine.dashboard import (
    NONE,
    Metric,
    contenders,
    differing_rules,
    display_name,
    refusal_reasons,
    turnaround_ms,
    wait_ms,
)
from webapp.figures import finish_figure
from webapp.messages import msg
from webapp.panels.compare import bounds_table, chart_card, optimum_search
from webapp.panels.compare.metric_tables import (
    EQUALS,
    NARROW_PX,
    OPTIONS,
    WRAPPED,
    grid,
    paging,
    tools,
    value_text,
)
from webapp.panels.components import attributes, full_headings, heading
from webapp.panels.papers.guide import links
from webapp.panels.sections import content_width, task_of_tab
from webapp.report import optimality_gap, summary_text
from webapp.runs import saved_tasks
from webapp.runs.identical_runs import equal_groups, first_equal
from webapp.runs.outcome import NOT_SCHEDULED, Outcome
from webapp.runs.task import Task
from webapp.url.links import Link, link_store

JOB_TIMES = {
    "finish": ("Finish", lambda run: run.jobs.finish),
    "turnaround": ("Turnaround", turnaround_ms),
    "wait": ("Wait", wait_ms),
}
LEGEND = msg("panels.compare.best_in_brackets_difference_to_first")
MAX_JOBS = 1_000
ROOMS = ("metrics-room", "stored-room", "about-schedulers", "rules-differ")
JOBS_A_PAGE, STORED_A_PAGE = 20, 10


def rows(
    titles: Sequence[dict[str, Any]],
    values: Sequence[Sequence[float | None]],
    better: Sequence[str | None],
    text: Sequence[Any],
    excluded: Collection[int] = (),
    base_columns: Sequence[int] | None = None,
    never_best: Sequence[Collection[int]] = (),
) -> list[dict[str, Any]]:
    """Rows of a table whose columns s0, s1, … are the schedulers. excluded: columns that are not compared;
    never_best: of each row columns that are, but are never marked as best.

    titles: what else stands in each row; values: a row's numbers, None where there is none; better:
    "smaller", "larger" or None;
    text: a row's number -> text; base_columns: the column each is compared to, by default the first. A cell
    is {value, text, percent (to that column, None where there is none), best}.
    """
    table = []
    never_best = never_best or [()] * len(titles)
    for title, numbers, direction, to_text, barred in zip(
        titles, values, better, text, never_best, strict=True
    ):
        barred = {*excluded, *barred}
        comparable = {
            number for index, number in enumerate(numbers) if number is not None and index not in barred
        }
        differ = len(comparable) > 1
        best = {"smaller": min, "larger": max}[direction](comparable) if direction and differ else None
        row = dict(title)
        for index, number in enumerate(numbers):
            base = base_columns[index] if base_columns else 0
            is_compared = index != base and base not in excluded and index not in excluded
            row[f"s{index}"] = {
                "value": number,
                "text": to_text(number),
                "percent": percent(number, numbers[base]) if is_compared else None,
                "best": best is not None and number == best and index not in barred,
            }
        table.append(row)
    return table


def percent(number: float | None, first: float | None) -> float | None:
    """The difference to the first in percent; None where it is undefined."""
    if number is None or first is None or (first == 0 and number != 0):
        return None
    return 0.0 if number == first else 100 * (number - first) / first


def base_columns(task: Task) -> list[int]:
    """The column that each is compared to: the same scheduler of what is pinned, else the first pinned;
    without, the first.
    """
    pinned = {shown.name: index for index, shown in enumerate(task.shown) if shown.task is not task}
    first = min(pinned.values(), default=0)
    return [
        pinned.get(shown.name, first) if shown.task is task else index
        for index, shown in enumerate(task.shown)
    ]


def metric_rows(
    metrics: Sequence[dict[str, Any]],
    catalogue: Sequence[Metric] = METRICS,
    base_columns: Sequence[int] | None = None,
    never_best: Collection[int] = (),
) -> list[dict[str, Any]]:
    """The table of metrics; metrics: a dict a scheduler; base_columns: as of `rows`; never_best: columns that
    are never marked as best.

    A run that ended in a deadlock is not compared: its means cover what had started.
    """
    columns = range(len(metrics))
    compared = [column for column in columns if column not in never_best]
    return rows(
        [{"title": metric.title, "about": metric.formula} for metric in catalogue],
        [[_number(values.get(metric.key)) for values in metrics] for metric in catalogue],
        [metric.better for metric in catalogue],
        [lambda number, unit=metric.unit: value_text(number, unit) for metric in catalogue],
        excluded={index for index, values in enumerate(metrics) if values.get("makespan_s") is None},
        base_columns=base_columns,
        never_best=[
            {column for column in columns if column not in contenders(metrics, compared, metric.key)}
            for metric in catalogue
        ],
    )


def add_gap_to_best(
    table: list[dict[str, Any]],
    outcomes: Sequence[Outcome],
    is_narrow: bool,
    catalogue: Sequence[Metric] = METRICS,
) -> None:
    """Adds to the cells of `metric_rows` how far each is above the lower bound, `above`, and what that means,
    `about`. is_narrow: the sign alone.
    """
    for row, metric in zip(table, catalogue, strict=True):
        for index, outcome in enumerate(outcomes) if metric.key in optimality_gap.BOUNDED_METRICS else ():
            if above := optimality_gap.gap_of(outcome, metric.key, outcomes):
                is_short = is_narrow or above.is_best
                sign = above.sign if is_short else msg("panels.compare.above_best", sign=above.sign)
                row[f"s{index}"] |= {"above": sign, "about": above.about}


def job_rows(runs: Sequence[Run], measure: str) -> list[dict[str, Any]]:
    """The table of jobs: finish, turnaround or wait under each scheduler; its values are seconds."""
    times = [JOB_TIMES[measure][1](run)[:MAX_JOBS] for run in runs]
    names = runs[0].workload.job_names[:MAX_JOBS]
    values = [[None if ms == NONE else ms / 1000 for ms in row] for row in np.stack(times, axis=1).tolist()]
    when = lambda number: quantities.NO_VALUE if number is None else quantities.moment(1000 * number)
    to_text = when if measure == "finish" else lambda number: quantities.amount(number, "s")
    table = rows(
        [{"title": name} for name in names],
        values,
        ["smaller"] * len(names),
        [to_text] * len(names),
        never_best=[measured_columns(runs)] * len(names),
    )
    for index, run in enumerate(runs) if measure == "finish" else ():
        for job in np.flatnonzero(run.jobs.failed[:MAX_JOBS]).tolist():
            cell = table[job][f"s{index}"]
            cell |= {"text": msg("panels.compare.failed", text=cell["text"]), "best": False}
    for index, run in enumerate(runs):
        for job, reason in refusal_reasons(run).items():
            if job < MAX_JOBS:
                table[job][f"s{index}"] |= {"text": "refused", "about": reason}
    return table


def measured_columns(runs: Sequence[Run]) -> set[int]:
    """The places of what was measured, and of the optimum."""
    return {index for index, run in enumerate(runs) if run.scheduler in NOT_SCHEDULED}


def stored_rows(link: Link, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """What the link kept beside what this version computes: one row a metric and scheduler, those that differ
    marked.
    """
    table = []
    for name, old, new in zip(link.schedulers, link.metrics, outcomes):
        for metric in METRICS:
            before, now = _number(old.get(metric.key)), _number(new.metrics.get(metric.key))
            if before is None or now is None:
                same = before is now
            else:
                same = math.isclose(before, now, rel_tol=1e-9)
            row = {
                "title": metric.title,
                "scheduler": display_name(name),
                "stored": quantities.amount(before, metric.unit),
                "now": quantities.amount(now, metric.unit),
                "differs": "" if same else "≠ differs",
            }
            table.append(row)
    return sorted(table, key=lambda row: not row["differs"])


def layout() -> html.Section:
    """Both tables with their tools; a third appears for a link of another version."""
    turn = dmc.Switch(id="turn-metrics", label=msg("panels.compare.schedulers_as_rows"), size="xs")
    times = dmc.SegmentedControl(
        id="job-time",
        size="xs",
        value="finish",
        data=[{"value": key, "label": title} for key, (title, _) in JOB_TIMES.items()],
    )
    title = html.H2("Compare", className="unseen")
    return html.Section(
        [
            html.Div(id="stored-room"),
            html.Div([title, tools("metrics", turn)], className="table-head"),
            dcc.Store(id="open-compare"),
            html.P(LEGEND, className="help"),
            html.Div(id="metrics-room", className="table"),
            bounds_table.layout(),
            optimum_search.layout(),
            html.P(id="about-schedulers", className="help"),
            html.P(id="rules-differ", className="help"),
            html.Div([html.H2("Jobs"), tools("jobs", times)], className="table-head"),
            # the table below says the same
            html.Div(id="finish-room", **attributes({"aria-hidden": "true"})),
            html.Div(id="jobs-room", className="table"),
        ],
        id="compare",
        className="drawer-tab",
        **attributes({"aria-label": "Compare"}),
    )


def register(app: Dash) -> None:
    """Callbacks: fill the tables and the picture of the jobs for a new result."""

    @app.callback(
        *(Output(id, "children") for id in ROOMS),
        *bounds_table.outputs(),
        *optimum_search.outputs(),
        Input("open-compare", "data"),
        Input("turn-metrics", "checked"),
        Input("drawer-width", "data"),
        Input(bounds_table.OPEN_STORE, "data"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    def metrics(key: str | None, turned: bool | None, width: Any, unfolded: bool | None, result: Any):
        task = task_of_tab(key)
        if task is None:
            return [no_update] * 12
        px = content_width(width)
        columns, heads = distinct_columns(task)
        outcomes = [task.shown[index].outcome for index in columns]
        colours = [task.places[index] for index in columns]
        bounds = bounds_table.output_values(task, list(zip(heads, colours, outcomes)), px, unfolded)
        if ctx.triggered_id == bounds_table.OPEN_STORE:
            return *[no_update] * 4, *bounds, *[no_update] * 4
        base_of, first_equal_place = base_columns(task), equal_groups(task)
        base_of = [columns.index(first_equal_place[base_of[index]]) for index in columns]
        measured = measured_columns([outcome.run for outcome in outcomes])
        rows_ = metric_rows([one.metrics for one in outcomes], base_columns=base_of, never_best=measured)
        add_gap_to_best(rows_, outcomes, is_narrow=px < NARROW_PX)
        look: dict[str, Any] = {"width_px": px, "full_names": full_headings(task)}
        if turned:
            table = _transposed(rows_, heads, look)
        else:
            table = grid("metrics", "Metric", rows_, heads, colour_indices=colours, **look)
        parts = [one.order.policy.name for one in task.simulated]
        parts += [rule.policy.name for one in task.simulated for _, rule in one.rules]
        stored = _stored_table(saved_tasks.part_of_result(result, "link"), task.outcomes())
        guide_links = [msg("panels.compare.how_they_work"), *links(parts)] if parts else []
        rules = other_rules_sentence([outcome.name for outcome in task.shown if outcome.is_scheduled])
        return table, stored, guide_links, rules, *bounds, *optimum_search.output_values(task)

    app.clientside_callback(
        ClientsideFunction("gantry", "pickJob"), Input("jobs-grid", "cellClicked"), prevent_initial_call=True
    )

    @app.callback(
        Output("jobs-room", "children"),
        Input("open-compare", "data"),
        Input("job-time", "value"),
        Input("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def jobs(key: str | None, what: str, width: float | None):
        task = task_of_tab(key)
        if task is None or what not in JOB_TIMES:
            return no_update
        groups = group_equal(first_equal(task.outcomes()))
        first = [places[0] for places in groups]
        runs = [task.outcomes()[place].run for place in first]
        heads = [EQUALS.join(display_name(task.names[index]) for index in places) for places in groups]
        table = grid(
            "jobs",
            "Job",
            job_rows(runs, what),
            heads,
            width_px=content_width(width),
            colour_indices=first,
            page_size=JOBS_A_PAGE,
            full_names=full_headings(task),
        )
        if (count := len(runs[0].workload.job_names)) <= MAX_JOBS:
            return table
        note = msg("panels.compare.first_jobs_export_has_all", max_jobs=MAX_JOBS, count=count)
        return [table, html.P(note, className="help")]

    @app.callback(
        Output("finish-room", "children"),
        Input("open-compare", "data"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def finish(key: str | None, highlight: str | None, scheme: str | None, width: float | None):
        task = task_of_tab(key)
        if task is None:
            return no_update
        job = (highlight if isinstance(highlight, str) else "").removeprefix("job:")
        runs, px = [one.run for one in task.outcomes()], content_width(width)
        figure = finish_figure(runs, highlight=job, dark=scheme == "dark", width=px)
        return dcc.Graph(
            id="finish-graph",
            figure=figure,
            config=chart_card.CONFIG,
            responsive=True,
            style=chart_card.room(figure["layout"]),
            className="panel",
        )


def distinct_columns(task: Task) -> tuple[list[int], list[str]]:
    """The places of what is shown that stand for themselves, and what their columns are headed: equal runs
    stand once, under all their names.
    """
    groups = group_equal(equal_groups(task))
    heads = [heading(task, one) for one in task.shown]
    joined = [EQUALS.join(heads[place] for place in places) for places in groups]
    return [places[0] for places in groups], joined


def group_equal(first_equal_: Sequence[int]) -> list[list[int]]:
    """The indices of each group of equal runs. first_equal_: for each the index of its first equal, as
    identical_runs has it.
    """
    groups: dict[int, list[int]] = {}
    for place, first in enumerate(first_equal_):
        groups.setdefault(first, []).append(place)
    return list(groups.values())


RULE_WORDS = {
    "resources=both": msg("panels.compare.both_resources"),
    "resources=memory": msg("panels.compare.memory_alone"),
    "reservations=yes": msg("panels.compare.reservations"),
    "reservations=no": msg("panels.compare.no_reservations"),
    "update_ms=0": msg("panels.compare.updates_each_heartbeat"),
    "user_limits=yes": msg("panels.compare.user_limits"),
    "user_limits=no": msg("panels.compare.no_user_limits"),
}


def _rule_words(rule: str) -> str:
    """A rule as people read it; those of an order's parameters in words."""
    key, _, value = rule.partition("=")
    every = msg("panels.compare.updates_every", ms=value) if key == "update_ms" else rule
    return RULE_WORDS.get(rule, every)


def other_rules_sentence(names: Sequence[str]) -> str:
    """What the schedulers differ in beside the order, in a sentence that says which has which; nothing where
    the order is all.
    """
    names_by_rules: dict[tuple, list[str]] = {}
    for name, *rules in zip(names, *differing_rules(names)):
        names_by_rules.setdefault(tuple(rules), []).append(display_name(name))
    if not any(names_by_rules):
        return ""
    join = summary_text.join_names
    parts = [
        f"{join(having)} {'has' if len(having) == 1 else 'have'} {join(list(map(_rule_words, rules)))}"
        for rules, having in names_by_rules.items()
    ]
    return msg("panels.compare.these_schedulers_differ_in_more_than", parts="; ".join(parts))


def _stored_table(id: Any, outcomes: list[Outcome]) -> Any:
    try:
        link = link_store().find(id) if isinstance(id, str) else None
    except GantryError:
        return None
    if link is None or link.version == VERSION:
        return None
    rows_ = stored_rows(link, outcomes)
    verdict = msg("panels.compare.all_numbers_same")
    if differing := sum(bool(row["differs"]) for row in rows_):
        verdict = f"{quantities.count(differing, 'numbers')} {'differs' if differing == 1 else 'differ'}."
    text = msg(
        "panels.compare.link_was_made_on_with_engine",
        created=link.created,
        version=link.version,
        version2=VERSION,
        verdict=verdict,
    )
    heads = {
        "title": "Metric",
        "scheduler": "Scheduler",
        "stored": msg("panels.compare.stored", version=link.version),
        "now": f"Now ({VERSION})",
        "differs": "",
    }
    grid = dag.AgGrid(
        id="stored-grid",
        rowData=rows_,
        columnDefs=[{"field": field, "headerName": head} for field, head in heads.items()],
        defaultColDef={"sortable": True, "flex": 1, "minWidth": 110} | WRAPPED,
        dashGridOptions=OPTIONS | paging(STORED_A_PAGE),
        rowClassRules={"row-differs": "params.data.differs"},
    )
    title = html.H2(msg("panels.compare.stored_and_new"))
    return html.Div([title, html.P(text, className="help"), html.Div(grid, className="table")])


def _transposed(metric_rows_: list[dict], schedulers: Sequence[str], look: dict[str, Any]) -> dag.AgGrid:
    """A row a scheduler. look: width_px and full_names of `grid`."""
    turned = [
        {"title": name} | {f"s{number}": row[f"s{index}"] for number, row in enumerate(metric_rows_)}
        for index, name in enumerate(schedulers)
    ]
    heads, tooltips = zip(*((row["title"], row["about"]) for row in metric_rows_))
    return grid("metrics", "Scheduler", turned, heads, head_tooltips=tooltips, **look)


def _number(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return value if is_number else None
