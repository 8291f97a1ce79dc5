"""An application of stages beside a job's life: its stages on a strip, the critical path marked, its
containers over time against what it asked for, and both in numbers, a column a scheduler.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from dash import html

from engine import Job, Run, quantities
from engine.dashboard import NONE, StageTimes, Steps, containers_over_time, executor_use, stage_times
from webapp.messages import msg

CURVE_PX = 56
MAX_POINTS = 400  # of a curve; of more the most of each part of the time is drawn
MAX_DRAWN, MAX_LISTED = 20, 100  # stages of a strip, and of the table
ASKED = {
    "tez": msg("panels.application.containers_asked"),
    "spark": msg("panels.application.executors_asked"),
    "stages": msg("panels.application.containers_asked"),
    "demand": msg("panels.application.containers_asked"),
}
# What a curve's areas are behind what was asked for, from the back: a phase's key, and what it is called.
HELD = {
    "tez": ("held_idle", msg("panels.application.containers_idle")),
    "spark": ("executor_idle", msg("panels.application.executors_idle")),
    "stages": ("shuffle", msg("panels.application.waiting_or_fetching")),
    "demand": ("task", msg("panels.application.held")),
}
BUSY = {"tez": ("shuffle", msg("panels.application.fetching_in_held"))}
WORKING = {
    "tez": ("task", msg("panels.application.containers_computing")),
    "spark": ("task", msg("panels.application.executors_running")),
    "stages": ("task", msg("panels.application.computing")),
}
MOST = {"spark": msg("panels.application.most_executors")}
IDLE = {
    "spark": msg("panels.application.idle_share"),
    "tez": msg("panels.application.idle_share_of_containers"),
}


class Row(NamedTuple):
    """A row of the table: its title and what it says, "" where the application has nothing of it."""

    title: str
    text: str


def group_of(run: Run, job: int) -> Job:
    """The application that this job is a copy of."""
    return run.scenario.jobs[run.workload.job_group[job]]


def stages(run: Run, job: int) -> list[StageTimes]:
    """Those of an application that have begun; of very many those on the critical path and the longest. None
    of a MapReduce job.
    """
    begun = [stage for stage in _stages(run, job) if stage.start != NONE]
    last = lambda stage: run.until_ms if stage.end == NONE else stage.end
    ranked = sorted(begun, key=lambda stage: (not stage.is_critical, stage.start - last(stage)))
    shown = {stage.name for stage in ranked[:MAX_DRAWN]}
    return [stage for stage in begun if stage.name in shown]


def _stages(run: Run, job: int) -> list[StageTimes]:
    """Demand's wait for none: no path is critical."""
    if group_of(run, job).framework == "demand":
        return [stage._replace(is_critical=False) for stage in stage_times(run, job)]
    return stage_times(run, job)


def stage_title(stage: StageTimes) -> str:
    """What a stage is called, and whether it is on the critical path."""
    title = msg("panels.application.stage", name=stage.name)
    return msg("panels.application.on_critical_path", stage=title) if stage.is_critical else title


def curves(run: Run, job: int, start: int, length: int) -> list[html.Div]:
    """Containers over the time of the strips, in ms: those asked for, in front those held, and in front of
    these those that work; none where there are none.
    """
    framework, over = group_of(run, job).framework, containers_over_time(run, job)
    asked, most = (int(steps.count.max(initial=0)) for steps in (over.asked, over.held))
    if not max(asked, most):
        return []
    areas = [("", over.asked)]
    for titled, count in ((HELD, over.held), (BUSY, over.busy), (WORKING, over.working)):
        if framework in titled:
            areas.append((titled[framework][0], count))
    top = max(asked, most)
    drawn = [
        html.Div(
            className=f"job-curve {f'swatch-{phase}' if phase else 'job-asked'}",
            style={"clipPath": _area(steps, start, length, top)},
        )
        for phase, steps in areas
    ]
    counts = {"most": quantities.count(most, "containers"), "asked": f"{asked:,}"}
    if framework == "spark":
        counts |= {"most": quantities.count(most, "executors"), "idle": _idle_share(run, job)}
        label = msg("panels.application.executors_over_time", **counts)
        if run.targets is None:  # no record of a cluster has what a driver wanted
            label = msg("panels.application.executors_recorded", most=counts["most"], idle=counts["idle"])
    elif framework == "tez":
        label = msg("panels.application.held_over_time", **counts, idle=_idle_share(run, job))
    else:
        label = msg("panels.application.over_time", **counts)
    curve = html.Div(drawn, className="job-curves", style={"height": f"{CURVE_PX}px"})
    return [html.Div(label, className="job-curve-name"), curve]


def legend(run: Run, job: int) -> html.P | None:
    """What the marks of its strips mean; None of a MapReduce job."""
    framework = group_of(run, job).framework
    if framework not in ASKED:
        return None
    entries = [("job-asked", ASKED[framework])]
    for titled in (HELD, BUSY, WORKING):
        if framework in titled:
            entries.append((f"swatch-{titled[framework][0]}", titled[framework][1]))
    if framework != "demand":
        entries.insert(0, ("job-critical", msg("panels.application.critical_stage")))
    begun = sum(stage.start != NONE for stage in _stages(run, job))
    more = msg("panels.application.more_stages", more=begun - MAX_DRAWN) if begun > MAX_DRAWN else ""
    marks = [html.Span([html.Span(className=f"swatch {mark}"), words]) for mark, words in entries]
    return html.P([*marks, more], className="job-legend")


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
    """Its stages from when to when, and what its containers did; none of a MapReduce job."""
    group = group_of(run, job)
    if not group.stages:
        return []
    found = {stage.name: stage for stage in _stages(run, job)}
    listed = [_stage_row(name, found.get(name)) for name in group.stage_names[:MAX_LISTED]]
    if (more := len(group.stages) - MAX_LISTED) > 0:
        listed.append(Row(msg("panels.application.further_stages"), f"{more:,}"))
    over = containers_over_time(run, job)
    most = f"{int(over.held.count.max(initial=0)):,}"
    most_title = MOST.get(group.framework, msg("panels.application.most_containers"))
    listed.append(Row(most_title, most))
    if group.framework in IDLE:
        listed.append(Row(IDLE[group.framework], _idle_share(run, job)))
    return listed


def _idle_share(run: Run, job: int) -> str:
    share = executor_use(run, job).idle_share
    return quantities.NO_VALUE if share is None else quantities.percent(share)


def _stage_row(name: str, stage: StageTimes | None) -> Row:
    title = msg("panels.application.stage", name=name)
    if stage is None or stage.start == NONE:
        return Row(title, "never")
    start = quantities.clock(stage.start / 1000)
    if stage.end == NONE:
        return Row(title, msg("panels.application.unfinished", start=start))
    words = msg("panels.application.span", start=start, end=quantities.clock(stage.end / 1000))
    return Row(title, msg("panels.application.critical", span=words) if stage.is_critical else words)
