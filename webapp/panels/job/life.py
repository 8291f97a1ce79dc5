"""A job's life and its tasks in numbers, a column a scheduler; the strips show the life as bars over one
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dash import html

from engine import Run, quantities
from engine.dashboard import NONE, JobLife, JobProfile, Quartiles, job_profile, refusal, refusal_reasons
from webapp import theme
from webapp.messages import msg
from webapp.panels.components import attributes, scrolling_table, table_row
from webapp.panels.job import application

NEVER_TEXT = "never"
ABSENT = msg("panels.life.no_such_job")
MIN_PX, LETTER_PX, PADDING_PX = 400, 7, 8  # of a strip, of a letter in it, and on both sides of its text
MAX_NAMED = 0.55  # of a strip: a stage that ends later has its words before it, or inside where it is longer
ROW_PX, MIN_STRIP_PX = 19, 35  # of a row of bars, and of a strip
MAPS_BEFORE = "maps_before_reduces"
MOMENTS = {
    "submitted": "Submitted",
    "master": msg("panels.life.applicationmaster_started"),
    "first_map": msg("panels.life.first_map_started"),
    "reduces_asked": msg("panels.life.first_reduce_requested"),
    MAPS_BEFORE: msg("panels.life.maps_finished_by_then"),
    "maps_end": msg("panels.life.last_map_ended"),
    "first_reduce": msg("panels.life.first_reduce_started"),
    "last_reduce": msg("panels.life.last_reduce_started"),
    "shuffle_end": msg("panels.life.last_shuffle_ended"),
    "finish": "Finished",
}
REDUCE_MOMENTS = ("reduces_asked", "first_reduce", "last_reduce", "shuffle_end")
MEASURES = {
    "map": msg("panels.life.map_duration"),
    "shuffle": msg("panels.life.shuffle_duration"),
    "reduce": msg("panels.life.reduce_duration"),
    "task": msg("panels.life.task_duration"),
    "am_wait": msg("panels.life.waiting_time_applicationmaster"),
    "map_wait": msg("panels.life.wait_map"),
    "reduce_wait": msg("panels.life.wait_reduce"),
    "executor_wait": msg("panels.life.wait_executor"),
    "task_wait": msg("panels.life.wait_task"),
}
QUARTERS = {"least": "Least", "lower": "25 %", "median": "Median", "upper": "75 %", "most": "Most"}


class Column(NamedTuple):
    """A scheduler's column: its name, its run, and the job there; None where the run's scenario has no such
    job.
    """

    name: str
    run: Run
    profile: JobProfile | None


class Bar(NamedTuple):
    """A part of a job's life: what it is used for (a phase's key, "" for a wait), its title, from when to
    when in ms, and its row from the top; is_critical: of a stage on the critical path; name: a stage's,
    which has its row for itself.
    """

    phase: str
    title: str
    start: int
    end: int
    row: int
    is_critical: bool = False
    name: str = ""


def column(name: str, run: Run, job: str) -> Column:
    """The column of a job by its name."""
    names = run.workload.job_names
    return Column(name, run, job_profile(run, names.index(job)) if job in names else None)


def clock(ms: int) -> str:
    """m:ss."""
    return quantities.clock(ms / 1000)


def application_parts(column_: Column, until: int) -> list[Bar]:
    """The bars of an application's life: its wait and its master until the first task, below them its stages;
    none of a MapReduce job.
    """
    assert column_.profile
    run, job, life = column_.run, column_.profile.job, column_.profile.life
    group = application.group_of(run, job)
    if not group.stages:
        return []
    begun = application.stages(run, job)
    first_task = min((stage.start for stage in begun), default=until)
    started = first_task if life.master == NONE else life.master
    master = msg("panels.life.master_before_first_task")
    if group.framework == "spark":
        master = msg("panels.life.driver_before_first_task")
    bars = [
        Bar("", msg("panels.life.waiting_time_for_first_container"), life.submitted, started, 0),
        Bar("master", master, life.master, first_task, 0),
    ]
    for row, stage in enumerate(begun, start=1):
        end = until if stage.end == NONE else stage.end
        title = application.stage_title(stage)
        bars.append(Bar("task", title, stage.start, end, row, stage.is_critical, stage.name))
    return [bar for bar in bars if bar.start != NONE and bar.end > bar.start]


def parts(life: JobLife, until: int) -> list[Bar]:
    """The bars of a life: above its wait, master and maps, below its shuffle and reduces; what never ends
    goes on to `until`.
    """

    def end(ms: int) -> int:
        return until if ms == NONE else ms

    first_map = end(life.first_map)
    started = first_map if life.master == NONE else life.master
    bars = [
        Bar("", msg("panels.life.waiting_time_for_first_container"), life.submitted, started, 0),
        Bar("master", msg("panels.life.master_before_first_map"), life.master, first_map, 0),
        Bar("map", "Maps", life.first_map, end(life.maps_end), 0),
        Bar("shuffle", "Shuffle", life.first_reduce, end(life.shuffle_end), 1),
        Bar("reduce", msg("panels.life.reduces_after_last_shuffle"), life.shuffle_end, end(life.finish), 1),
    ]
    return [bar for bar in bars if bar.start != NONE and bar.end > bar.start]


def _lives(columns: Sequence[Column]) -> list[tuple[Column, JobLife]]:
    """Those in which the job is there and not refused."""
    return [
        (column_, column_.profile.life)
        for column_ in columns
        if column_.profile and not column_.run.jobs.refused[column_.profile.job]
    ]


def refusals(columns: Sequence[Column]) -> list:
    """Which schedulers refuse the job, why, and what would change it."""
    found: list = []
    for name, run, profile in columns:
        refused = refusal(run, profile.job) if profile else None
        if refused is None:
            continue
        reason = html.P([html.B(name), " ", msg("shared.refused", because=refused["reason"])])
        changes = [html.Li(one["sentence"]) for one in refused["properties"]]
        found += [reason, html.P(f"{refused['compared']}."), *([html.Ul(changes)] if changes else [])]
    return found


def strips(columns: Sequence[Column]) -> html.Div | None:
    """The life under each scheduler over one time; None where all refuse the job. The table says the same, so
    it is hidden from assistive technology.
    """
    lives = _lives(columns)
    if not lives:
        return None
    first = lives[0][0]
    assert first.profile
    ends = [column_.run.until_ms if life.finish == NONE else life.finish for column_, life in lives]
    start = min((life.submitted for _, life in lives), default=0)
    length = max(max(ends, default=0) - start, 1)
    strips_ = [
        _strip(column_, application_parts(column_, end) or parts(life, end), start, length)
        for (column_, life), end in zip(lives, ends)
    ]
    axis = html.Div([html.Span(clock(start)), html.Span(clock(start + length))], className="job-axis")
    hidden = attributes({"aria-hidden": "true"})
    return html.Div(
        [*strips_, axis, application.legend(first.run, first.profile.job)], className="job-strips", **hidden
    )


def _strip(column_: Column, bars: list[Bar], start: int, length: int) -> html.Div:
    assert column_.profile
    finish = column_.profile.life.finish
    over: list[Any] = (
        [] if finish == NONE else [" ", html.Span(msg("panels.life.finishes", finish=clock(finish)))]
    )
    name = html.Div([column_.name, *over], title=column_.run.scheduler, className="job-strip-name")
    drawn = [
        part
        for bar in bars
        for part in _bar(bar, (bar.start - start) / length, (bar.end - bar.start) / length)
    ]
    height = ROW_PX * (1 + max((bar.row for bar in bars), default=0)) + 1
    strip = html.Div(drawn, className="job-strip", style={"height": f"{max(height, MIN_STRIP_PX)}px"})
    return html.Div([name, strip, *application.curves(column_.run, column_.profile.job, start, length)])


def _bar(bar: Bar, left: float, width: float) -> list[html.Span]:
    """The bar and, where it has no room for its words, those of a stage beside it. left and width: of the
    strip's, which is 1.
    """
    style = {"left": f"{left:.3%}", "width": f"{width:.3%}", "top": f"{ROW_PX * bar.row}px"}
    if bar.phase:
        phase = theme.PHASES_BY_KEY[bar.phase]
        style["color"] = f"light-dark({theme.text_on(phase.light)}, {theme.text_on(phase.dark)})"
    text = f"{bar.name} {quantities.duration(bar.end - bar.start)}".lstrip()
    is_inside = width * MIN_PX >= LETTER_PX * len(text) + PADDING_PX or width > MAX_NAMED
    drawn = html.Span(
        text if is_inside else "",
        style=style,
        title=f"{bar.title}: {clock(bar.start)} to {clock(bar.end)}",
        className=f"job-bar {f'swatch-{bar.phase}' if bar.phase else 'job-waits'}"
        + (" job-critical" if bar.is_critical else ""),
    )
    if is_inside or not bar.name:
        return [drawn]
    side = {"left": f"{left + width:.3%}"} if left + width <= MAX_NAMED else {"right": f"{1 - left:.3%}"}
    return [drawn, html.Span(text, style={"top": style["top"], **side}, className="job-bar-name")]


def life_table(columns: Sequence[Column]) -> html.Div:
    """A row a moment; those that this kind of job has not are left out."""
    rows = []
    for key, title in MOMENTS.items():
        moments = [_moment(column_, key) for column_ in columns]
        if any(text not in (quantities.NO_VALUE, ABSENT) for text, _ in moments):
            rows.append(table_row(title, [html.Td(text, title=exact) for text, exact in moments]))
    rows += _application_rows(columns)
    return _table("Life", columns, [html.Tbody(rows)])


def _application_rows(columns: Sequence[Column]) -> list[html.Tr]:
    told = [
        dict(application.rows(column_.run, column_.profile.job)) if column_.profile else {}
        for column_ in columns
    ]
    titles = dict.fromkeys(title for one in told for title in one)
    return [table_row(title, [html.Td(one.get(title, ABSENT)) for one in told]) for title in titles]


def _moment(column_: Column, key: str) -> tuple[str, str | None]:
    """Its text and, as a tooltip, its time to the millisecond."""
    profile, run = column_.profile, column_.run
    if profile is None:
        return ABSENT, None
    if key == MAPS_BEFORE:
        share = profile.maps_before_reduces
        return (quantities.NO_VALUE if share is None else quantities.percent(share)), None
    ms = getattr(profile.life, key)
    if key == "finish" and (reason := refusal_reasons(run).get(profile.job)):
        return "refused", reason
    if ms == NONE and run.jobs.refused[profile.job]:
        return quantities.NO_VALUE, None
    if ms == NONE:
        is_missing = profile.life.finish == NONE and _applies(run, profile.job, key)
        return (NEVER_TEXT if is_missing else quantities.NO_VALUE), None
    failed = key == "finish" and run.jobs.failed[profile.job]
    return f"{clock(ms)}{' (failed)' if failed else ''}", quantities.moment(ms)


def _applies(run: Run, job: int, key: str) -> bool:
    work = run.workload
    if key == "master":
        return bool(work.job_startup[job] != NONE)
    return key not in REDUCE_MOMENTS or bool(work.job_reduces[job] > 0)


def tasks_table(columns: Sequence[Column]) -> html.Div:
    """How many containers there are and their durations and waits from the least to the most; of a single one
    it is one row, and of none it is left out.
    """
    bodies = []
    for key, title in MEASURES.items():
        spreads = [column_.profile.spreads.get(key) if column_.profile else None for column_ in columns]
        if not any(spreads):
            continue
        if key == "executor_wait" and _frameworks(columns) == {"tez"}:
            title = msg("panels.life.wait_container")
        if all(spread is None or spread.count == 1 for spread in spreads):
            single = table_row(
                title, [_quarter(spread, "most") for spread in spreads], className="job-measure"
            )
            bodies.append(html.Tbody(single))
            continue
        counts = [html.Td(f"{spread.count:,}" if spread else quantities.NO_VALUE) for spread in spreads]
        head = html.Tr([html.Th(title, scope="rowgroup"), *counts], className="job-measure")
        quarters = [
            table_row(label, [_quarter(spread, name) for spread in spreads])
            for name, label in QUARTERS.items()
        ]
        bodies.append(html.Tbody([head, *quarters]))
    return _table("Tasks", columns, bodies)


def _frameworks(columns: Sequence[Column]) -> set[str]:
    """What the job is under each scheduler."""
    return {application.group_of(one.run, one.profile.job).framework for one in columns if one.profile}


def _quarter(spread: Quartiles | None, name: str) -> html.Td:
    if spread is None:
        return html.Td(quantities.NO_VALUE)
    ms = getattr(spread, name)
    return html.Td(quantities.duration(ms), title=quantities.duration(ms, exact=True))


def _table(name: str, columns: Sequence[Column], bodies: list[html.Tbody]) -> html.Div:
    heads = [html.Th(column_.name, title=column_.run.scheduler, scope="col") for column_ in columns]
    return scrolling_table(name, [html.Td(), *heads], bodies, "job-table")
