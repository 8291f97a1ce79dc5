"""A job's life and its tasks in numbers, a column a scheduler; the strips show the life as bars over one
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dash import html

from engine import Run, quantities
from engine.dashboard import NONE, JobLife, JobProfile, Quartiles, job_profile
from webapp import theme
from webapp.messages import msg
from webapp.panels.components import attributes

NEVER_TEXT = "never"
ABSENT = msg("panels.life.no_such_job")
MIN_PX, LETTER_PX, PADDING_PX = 400, 7, 8  # of a strip, of a letter in it, and on both sides of its text
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
    "am_wait": msg("panels.life.waiting_time_applicationmaster"),
    "map_wait": msg("panels.life.wait_map"),
    "reduce_wait": msg("panels.life.wait_reduce"),
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
    when in ms, and its row from the top.
    """

    phase: str
    title: str
    start: int
    end: int
    row: int


def column(name: str, run: Run, job: str) -> Column:
    """The column of a job by its name."""
    names = run.workload.job_names
    return Column(name, run, job_profile(run, names.index(job)) if job in names else None)


def clock(ms: int) -> str:
    """m:ss."""
    return quantities.clock(ms / 1000)


def parts(life: JobLife, until: int) -> list[Bar]:
    """The bars of a life: above its wait, master and maps, below its shuffle and reduces; what never ends
    goes on to `until`.
    """

    def end(ms: int) -> int:
        return until if ms == NONE else ms

    first = end(life.first_map) if life.master == NONE else life.master
    bars = [Bar("", msg("panels.life.waiting_time_for_first_container"), life.submitted, first, 0)]
    if life.master != NONE:
        bars.append(
            Bar("master", msg("panels.life.master_before_first_map"), life.master, end(life.first_map), 0)
        )
    if life.first_map != NONE:
        bars.append(Bar("map", "Maps", life.first_map, end(life.maps_end), 0))
    if life.first_reduce != NONE:
        bars.append(Bar("shuffle", "Shuffle", life.first_reduce, end(life.shuffle_end), 1))
    if life.shuffle_end != NONE:
        bars.append(
            Bar(
                "reduce", msg("panels.life.reduces_after_last_shuffle"), life.shuffle_end, end(life.finish), 1
            )
        )
    return [bar for bar in bars if bar.end > bar.start]


def strips(columns: Sequence[Column]) -> html.Div:
    """The life under each scheduler over one time. The table says the same, so it is hidden from assistive
    technology.
    """
    lives = [(column_, column_.profile.life) for column_ in columns if column_.profile]
    ends = [column_.run.until_ms if life.finish == NONE else life.finish for column_, life in lives]
    start = min((life.submitted for _, life in lives), default=0)
    length = max(max(ends, default=0) - start, 1)
    strips_ = [_strip(column_, life, end, start, length) for (column_, life), end in zip(lives, ends)]
    axis = html.Div([html.Span(clock(start)), html.Span(clock(start + length))], className="job-axis")
    return html.Div([*strips_, axis], className="job-strips", **attributes({"aria-hidden": "true"}))


def _strip(column_: Column, life: JobLife, end: int, start: int, length: int) -> html.Div:
    bars = []
    for bar in parts(life, end):
        left, width = 100 * (bar.start - start) / length, 100 * (bar.end - bar.start) / length
        style = {"left": f"{left:.3f}%", "width": f"{width:.3f}%"}
        if bar.phase:
            phase = theme.PHASES_BY_KEY[bar.phase]
            style["color"] = f"light-dark({theme.text_on(phase.light)}, {theme.text_on(phase.dark)})"
        length_text = quantities.duration(bar.end - bar.start)
        text = length_text if width / 100 * MIN_PX >= LETTER_PX * len(length_text) + PADDING_PX else ""
        title = f"{bar.title}: {clock(bar.start)} to {clock(bar.end)}"
        bars.append(
            html.Span(
                text,
                style=style,
                title=title,
                className=f"job-bar job-row-{bar.row} {f'swatch-{bar.phase}' if bar.phase else 'job-waits'}",
            )
        )
    return html.Div(
        [
            html.Div(column_.name, title=column_.run.scheduler, className="job-strip-name"),
            html.Div(bars, className="job-strip"),
        ]
    )


def life_table(columns: Sequence[Column]) -> html.Div:
    """A row a moment; those that this kind of job has not are left out."""
    rows = []
    for key, title in MOMENTS.items():
        cells = [_moment(column_, key) for column_ in columns]
        if any(text not in (quantities.NO_VALUE, ABSENT) for text, _ in cells):
            rows.append(
                html.Tr([html.Th(title, scope="row"), *(html.Td(text, title=exact) for text, exact in cells)])
            )
    return table("Life", columns, [html.Tbody(rows)])


def _moment(column_: Column, key: str) -> tuple[str, str | None]:
    """Its text and, as a tooltip, its time to the millisecond."""
    if column_.profile is None:
        return ABSENT, None
    if key == MAPS_BEFORE:
        share = column_.profile.maps_before_reduces
        return (quantities.NO_VALUE if share is None else quantities.percent(share)), None
    ms = getattr(column_.profile.life, key)
    if ms == NONE:
        return (
            NEVER_TEXT
            if column_.profile.life.finish == NONE and _applies(column_.run, column_.profile.job, key)
            else quantities.NO_VALUE
        ), None
    failed = key == "finish" and column_.run.jobs.failed[column_.profile.job]
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
        if all(spread is None or spread.count == 1 for spread in spreads):
            bodies.append(
                html.Tbody(
                    html.Tr(
                        [html.Th(title, scope="row"), *(_quarter(spread, "most") for spread in spreads)],
                        className="job-measure",
                    )
                )
            )
            continue
        counts = [html.Td(f"{spread.count:,}" if spread else quantities.NO_VALUE) for spread in spreads]
        rows = [html.Tr([html.Th(title, scope="rowgroup"), *counts], className="job-measure")]
        for name, label in QUARTERS.items():
            rows.append(
                html.Tr([html.Th(label, scope="row"), *(_quarter(spread, name) for spread in spreads)])
            )
        bodies.append(html.Tbody(rows))
    return table("Tasks", columns, bodies)


def _quarter(spread: Quartiles | None, name: str) -> html.Td:
    if spread is None:
        return html.Td(quantities.NO_VALUE)
    ms = getattr(spread, name)
    return html.Td(quantities.duration(ms), title=quantities.duration(ms, exact=True))


def table(name: str, columns: Sequence[Column], bodies: list[html.Tbody]) -> html.Div:
    """A table of schedulers that scrolls sideways by itself; by keyboard once it has the focus."""
    head = html.Thead(
        html.Tr(
            [
                html.Td(),
                *(html.Th(column_.name, title=column_.run.scheduler, scope="col") for column_ in columns),
            ]
        )
    )
    return html.Div(
        html.Table([head, *bodies]),
        className="job-table",
        tabIndex="0",
        role="group",
        **attributes({"aria-label": name}),
    )
