"""What changed between two schedulers: which jobs gained and lost, both runs above one another, and each
container's shift.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import dash_mantine_components as dmc
import numpy as np
from dash import Dash, Input, Output, State, html, no_update

from engine import Run, difference, quantities
from engine.dashboard import NONE, OUTCOMES, WASTED, Difference, display_name, refusal_reasons
from webapp import theme
from webapp.figures.charts.container_shifts import shift_table, shifts_figure, strongest_ms
from webapp.figures.charts.job_gains import MAX_ROWS, changed_jobs, gains_figure, jobs_table, shift_text
from webapp.figures.charts.run_strips import strips_figure
from webapp.figures.highlight import chosen_jobs
from webapp.figures.timeline.scene import Scene
from webapp.messages import msg
from webapp.panels.compare import chart_card, scenario_differences
from webapp.panels.compare.chart_card import Picture, card
from webapp.panels.components import attributes, legend, scheduler_options
from webapp.panels.sections import content_width, tab, task_of_tab
from webapp.runs.task import Task

MAX_CACHED_PAIRS = 1  # of runs whose difference is held ready: it holds both runs
ONE_SCHEDULER = msg("panels.difference.one_scheduler_was_run_add_another")
SAME = msg("panels.difference.choose_two_different_schedulers_to_see")
IDENTICAL = msg("panels.difference.both_schedule_every_container_identically")
GAINS = msg("panels.difference.bar_to_left_job_finishes_so")
STRIPS = msg("panels.difference.same_rows_and_same_time_axis")
MARKS = msg("panels.difference.row_job_by_arrival_mark_container")
SHADES = msg("panels.difference.row_job_by_arrival_colour_shows")


@lru_cache(maxsize=MAX_CACHED_PAIRS)
def difference_between(task: Task, a: str, b: str) -> Difference:
    """From the one scheduler's run to the other's."""
    return difference(*(task.outcome(name).run for name in (a, b)))


def jobs_sentence(diff: Difference) -> str:
    """How many jobs gain and lose by the second scheduler, and how much in the mean."""
    change = diff.finish_ms[diff.compared]
    a, b = display_name(diff.a.scheduler), display_name(diff.b.scheduler)
    one = diff.a.noun.removesuffix("s")
    parts = _shift_parts(change, one, "finish")
    lacks_a, lacks_b = (run.jobs.finish == NONE for run in (diff.a, diff.b))
    for mask, word in (
        (~lacks_a & lacks_b, msg("panels.difference.only_under", a=a)),
        (lacks_a & ~lacks_b, msg("panels.difference.only_under_2", b=b)),
        (lacks_a & lacks_b, msg("panels.difference.under_neither")),
    ):
        if mask.any():
            parts.append(f"{_counted(int(mask.sum()), one, 'finish')} {word}")
    for name, run in ((a, diff.a), (b, diff.b)):
        if run.jobs.failed.any():
            count = quantities.count(int(run.jobs.failed.sum()), run.noun)
            parts.append(msg("panels.difference.failed_under", count=count, scheduler=name))
        if refused := len(refusal_reasons(run)):
            count = quantities.count(refused, run.noun)
            parts.append(msg("panels.difference.refused_under", count=count, scheduler=name))
    return msg("panels.difference.under_compared_with", b=b, a=a, parts="; ".join(parts))


def containers_sentence(diff: Difference) -> str:
    """How many containers start earlier, later and elsewhere, and how many have no counterpart."""
    if not len(diff.in_a):
        return msg("panels.difference.no_task_finishes_under_both_so", unmatched=_unmatched(diff)).strip()
    return msg(
        "panels.difference.run_on_another_node",
        parts="; ".join(_shift_parts(diff.start_ms, "container", "start")),
        count=quantities.count(len(diff.in_a), "containers"),
        share=quantities.percent(int(diff.moved.sum()) / len(diff.in_a)),
        unmatched=_unmatched(diff),
    ).strip()


def _shift_parts(shift: np.ndarray, noun: str, verb: str) -> list[str]:
    """How many of them are earlier and later, by how much in the mean, and how many neither; shift: in ms."""
    parts = []
    for shifts, word in ((shift[shift < 0], "earlier"), (shift[shift > 0], "later")):
        if len(shifts):
            mean = quantities.duration(abs(float(shifts.mean())))
            parts.append(
                f"{_counted(len(shifts), noun, verb)} {word}, "
                f"{'by' if len(shifts) == 1 else 'on average by'} {mean}"
            )
    if same := int((shift == 0).sum()):
        count = quantities.count(same, f"{noun}s") if parts else _counted(same, noun, verb)
        parts.append(msg("panels.difference.at_same_time", count=count))
    return parts


def _counted(count: int, noun: str, verb: str) -> str:
    """ "1 job finishes", "2 jobs finish"."""
    ending = ("es" if verb.endswith("sh") else "s") if count == 1 else ""
    return f"{quantities.count(count, noun + 's')} {verb}{ending}"


def _unmatched(diff: Difference) -> str:
    counts = []
    for run, count in ((diff.a, diff.only_a), (diff.b, diff.only_b)):
        if count:
            name, wasted = display_name(run.scheduler), _wasted(run)
            counts.append(msg("panels.difference.under", count=count, scheduler=name, wasted=wasted))
    return msg("panels.difference.without_counterpart_finished", counts=", ".join(counts)) if counts else ""


def _extremes(diff: Difference) -> str:
    """The largest gain and loss by name."""
    jobs, names, change = changed_jobs(diff), diff.a.workload.job_names, diff.finish_ms
    first, last = jobs[0], jobs[-1]
    texts = {job: shift_text(int(change[job])) for job in (first, last)}
    parts = []
    if change[first] < 0:
        parts.append(msg("panels.difference.largest_gain", names=names[first], shift_text=texts[first]))
    if change[last] > 0:
        parts.append(msg("panels.difference.largest_loss", names=names[last], shift_text=texts[last]))
    return " ".join(parts)


def _wasted(run: Run) -> str:
    """ " (2 killed, 1 failed)", "" where nothing was wasted."""
    counts = [(int((run.containers.outcome == outcome).sum()), OUTCOMES[outcome]) for outcome in WASTED]
    text = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    return f" ({text})" if text else ""


def pictures(
    diff: Difference,
    highlighted: np.ndarray | None,
    dark: bool,
    width: int,
    scenes: tuple[Scene, Scene] | None = None,
) -> list[Picture]:
    """What is shown of two runs that are not alike. scenes: theirs, where they are there already."""
    a, b = display_name(diff.a.scheduler), display_name(diff.b.scheduler)
    look: dict[str, Any] = {"dark": dark, "width": width}
    charts = []
    if jobs := len(changed_jobs(diff)):
        story = _extremes(diff)
        if jobs > MAX_ROWS:
            story += msg("panels.difference.drawn_largest_changes", max_rows=MAX_ROWS, jobs=jobs)
        charts.append(
            Picture(
                "difference-jobs",
                msg("panels.difference.which_jobs_gain_and_which_lose"),
                GAINS.format(a=a, b=b),
                story,
                gains_figure(diff, highlighted=highlighted, **look),
                jobs_table(diff, chart_card.MAX_ROWS),
            )
        )
    verb = lambda run: msg("panels.difference.deadlocked_after") if run.status == "deadlock" else "takes"
    lengths = "; ".join(
        f"{display_name(run.scheduler)} {verb(run)} {quantities.duration(run.until_ms - run.first_ms)}"
        for run in (diff.a, diff.b)
    )
    scenes = scenes or (Scene(diff.a), Scene(diff.b))
    drawn = scenes[0].legend | scenes[1].legend
    phases = theme.legend(drawn, (*theme.PHASES, *theme.WASTED_OUTCOMES))
    charts.append(
        Picture(
            "difference-runs",
            msg("panels.difference.what_do_both_runs_look_like"),
            STRIPS.format(a=a, b=b),
            f"{lengths}.",
            strips_figure(*scenes, **look),
            _runs_table(diff),
            legend(phases, msg("panels.difference.colours_phases")),
        )
    )
    if len(diff.in_a):
        figure = shifts_figure(diff, highlighted=highlighted, **look)
        exact = figure["layout"]["meta"]["mode"] == "exact"
        charts.append(
            Picture(
                "difference-containers",
                msg("panels.difference.which_containers_start_earlier_later_or"),
                (MARKS if exact else SHADES).format(a=a, b=b),
                containers_sentence(diff),
                figure,
                shift_table(diff),
                _legend(diff, exact),
            )
        )
    return charts


def layout() -> html.Div:
    """What differs between two scenarios; then of two schedulers the choice of both, the sentences, and room
    for the pictures.
    """
    first = _choice("difference-a", msg("panels.difference.from_scheduler"))
    second = _choice("difference-b", msg("panels.difference.to_scheduler"))
    pair = [html.Span("From"), first, html.Span("to"), second]
    schedulers = tab(
        "difference",
        msg("panels.difference.what_changed_between_two_schedulers"),
        html.Div(id="difference-says", className="finding"),
        html.Div(id="difference-room", className="wide-pictures"),
        tools=html.Div(pair, className="tools difference-pair"),
    )
    return html.Div([scenario_differences.layout(), schedulers])


def _choice(id: str, label: str) -> html.Div:
    portal, aria = {"withinPortal": True}, {"aria-label": label}
    select = dmc.Select(id=id, size="xs", data=[], allowDeselect=False, comboboxProps=portal, **aria)
    return html.Div(select, className="difference-choice")


def register(app: Dash) -> None:
    """Callbacks: which can be chosen, and filling it while it is open."""

    @app.callback(
        Output("difference-a", "data"),
        Output("difference-b", "data"),
        Output("difference-a", "value"),
        Output("difference-b", "value"),
        Input("open-difference", "data"),
        State("difference-a", "value"),
        State("difference-b", "value"),
        prevent_initial_call=True,
    )
    def offer(key: str | None, a: str | None, b: str | None):
        task = task_of_tab(key)
        if task is None:
            return [no_update] * 4
        names = list(task.names)
        options = scheduler_options(names)
        return options, options, *chosen_pair(names, a, b if a != b else None)

    @app.callback(
        Output("difference-says", "children"),
        Output("difference-room", "children"),
        Input("open-difference", "data"),
        Input("difference-a", "value"),
        Input("difference-b", "value"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def fill(key: str | None, a: str | None, b: str | None, highlight: Any, scheme: Any, width: Any):
        task = task_of_tab(key)
        if task is None:
            return no_update, no_update
        if len(task.names) < 2:
            return html.P(ONE_SCHEDULER), []
        a, b = chosen_pair(task.names, a, b)
        if a == b:
            return html.P(SAME), []
        diff = difference_between(task, a, b)
        if diff.alike:
            return html.P(html.Strong(IDENTICAL)), []
        scenes = task.outcome(a).scene, task.outcome(b).scene
        jobs, px = chosen_jobs(diff.a, highlight), content_width(width)
        charts = pictures(diff, jobs, scheme == "dark", px, scenes)
        sentences = [html.P(html.Strong(jobs_sentence(diff)))]
        if not len(diff.in_a):
            sentences.append(html.P(containers_sentence(diff)))
        return sentences, [card(chart) for chart in charts]


def chosen_pair(names: list[str] | tuple[str, ...], a: str | None, b: str | None) -> tuple[str, str]:
    """The two that are compared: what was chosen, if both were run, else the first and the second."""
    if a is not None and b is not None and a in names and b in names:
        return a, b
    return names[0], names[min(1, len(names) - 1)]


def _legend(diff: Difference, exact: bool) -> html.Ul:
    """What the marks, or the colours, mean."""
    if exact:
        marks = [
            *(("◀▶●"[place], shift.key, shift.title) for place, shift in enumerate(theme.SHIFTS)),
            ("◁▷", "alike", msg("panels.difference.hollow_on_another_node")),
        ]
    else:
        strongest = quantities.duration(strongest_ms(diff))
        scale_text = msg("panels.difference.fuller_more_up_to", strongest_ms=strongest)
        marks = [
            ("■", shift.key, shift.title if shift is theme.UNCHANGED else f"{shift.title}, {scale_text}")
            for shift in theme.SHIFTS
        ]
    hidden = attributes({"aria-hidden": "true"})
    items = [
        html.Li([html.Span(mark, className=f"shift shift-{key}", **hidden), title])
        for mark, key, title in marks
    ]
    label = msg("panels.difference.marks_earlier_and_later")
    return html.Ul(items, className="legend", **attributes({"aria-label": label}))


def _runs_table(diff: Difference) -> list[dict]:
    columns = {run.scheduler: _facts(run) for run in (diff.a, diff.b)}
    return [
        {"Of the run": title} | {name: facts[title] for name, facts in columns.items()}
        for title in columns[diff.a.scheduler]
    ]


def _facts(run: Run) -> dict[str, float]:
    outcomes = run.containers.outcome
    return {
        msg("panels.difference.length_s"): (run.until_ms - run.first_ms) / 1000,
        msg("panels.difference.jobs_finished"): int(
            ((run.jobs.finish != NONE) & ~run.jobs.failed.astype(bool)).sum()
        ),
        msg("panels.difference.jobs_failed"): int(run.jobs.failed.sum()),
        msg("shared.containers_started"): len(run.containers.job),
    } | {
        msg("panels.difference.containers", outcomes=OUTCOMES[one]): int((outcomes == one).sum())
        for one in WASTED
    }
