"""A Spark application beside a job's life: its stages on a strip, the critical path marked, its executors
over time, and both in numbers, a column a scheduler.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from dash import html

from engine import Run, quantities
from engine.dashboard import NONE, StageTimes, Steps, executor_use, stage_times
from webapp.messages import msg

CURVE_PX = 40
MAX_POINTS = 400  # of a curve of executors; of more the most of each part of the time is drawn


class Row(NamedTuple):
    """A row of the table: its title and what it says, "" where the application has nothing of it."""

    title: str
    text: str


def stages(run: Run, job: int) -> list[StageTimes]:
    """Those of an application that have begun; none of a MapReduce job."""
    return [stage for stage in stage_times(run, job) if stage.start != NONE]


def stage_title(stage: StageTimes) -> str:
    """What a stage is called, and whether it is on the critical path."""
    title = msg("panels.application.stage", name=stage.name)
    return msg("panels.application.on_critical_path", stage=title) if stage.is_critical else title


def curves(run: Run, job: int, start: int, length: int) -> html.Div | None:
    """Executors over the time of the strips, in ms: those that have registered, and in front those that run a
    task; None where there are none.
    """
    use = executor_use(run, job)
    most = int(use.registered.count.max(initial=0))
    if not most:
        return None
    drawn = [
        html.Div(className=f"job-curve swatch-{phase}", style={"clipPath": _area(steps, start, length, most)})
        for phase, steps in (("executor_idle", use.registered), ("task", use.running))
    ]
    label = msg("panels.application.executors_over_time", most=quantities.count(most, "executors"))
    return html.Div([*drawn, html.Span(label)], className="job-curves", style={"height": f"{CURVE_PX}px"})


def _area(steps: Steps, start: int, length: int, most: int) -> str:
    """The area under a number over time, as a polygon of CSS."""
    at, count = steps.at, steps.count
    if len(at) > MAX_POINTS:
        place = np.minimum((at - start) * MAX_POINTS // length, MAX_POINTS - 1)
        first = np.flatnonzero(np.diff(place, prepend=-1))
        at, count = at[first], np.maximum.reduceat(count, first)
    x = (100 * (at - start) / length).round(2).tolist()
    y = (100 * (1 - count / most)).round(2).tolist()
    points = [(x[0] if x else 0, 100)]
    for across, down in zip(x, y):
        points += [(across, points[-1][1]), (across, down)]
    points.append((points[-1][0], 100))
    return f"polygon({', '.join(f'{across}% {down}%' for across, down in points)})"


def rows(run: Run, job: int) -> list[Row]:
    """Its stages from when to when, and what its executors did; none of a MapReduce job."""
    group = run.scenario.jobs[run.workload.job_group[job]]
    if not group.stages:
        return []
    found = {stage.name: stage for stage in stage_times(run, job)}
    listed = [_stage_row(name, found.get(name)) for name in group.stage_names]
    use = executor_use(run, job)
    idle = quantities.NO_VALUE if use.idle_share is None else quantities.percent(use.idle_share)
    return [
        *listed,
        Row(msg("panels.application.most_executors"), f"{int(use.registered.count.max(initial=0)):,}"),
        Row(msg("panels.application.idle_share"), idle),
    ]


def _stage_row(name: str, stage: StageTimes | None) -> Row:
    title = msg("panels.application.stage", name=name)
    if stage is None or stage.start == NONE:
        return Row(title, "never")
    start = quantities.clock(stage.start / 1000)
    if stage.end == NONE:
        return Row(title, msg("panels.application.unfinished", start=start))
    words = msg("panels.application.span", start=start, end=quantities.clock(stage.end / 1000))
    return Row(title, msg("panels.application.critical", span=words) if stage.is_critical else words)
