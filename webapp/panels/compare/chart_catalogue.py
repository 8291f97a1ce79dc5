"""The charts of the section "More charts": a record each, how its figure, words and table are made of a task,
and what one can turn on its card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import dash_mantine_components as dmc
import numpy as np
from dash import html

from engine import Run
from engine.dashboard import DominantShares, display_name, dominant_shares, most_fragmented
from webapp.figures.charts import (
    distributions,
    fair_shares,
    fragmentation,
    job_lifecycles,
    jobs_waiting,
    node_heatmap,
)
from webapp.figures.highlight import chosen_jobs, chosen_nodes
from webapp.messages import msg
from webapp.panels.compare.chart_card import Picture
from webapp.panels.components import button
from webapp.panels.sections import content_width
from webapp.runs.outcome import Outcome
from webapp.runs.task import Task

GROUPINGS = {"job": "Jobs", "user": "Users", "queue": "Queues"}
RESOURCES = {"memory": "Memory", "vcores": "Vcores"}


@dataclass(frozen=True)
class Control:
    """id: of the component whose value the chart is given; build: makes the components, that one among them;
    below: it stands under the drawing.
    """

    id: str
    build: Callable[[], list]
    below: bool = False


def choice(id: str, titles: dict[str, str], label: str) -> Control:
    """One of some values, each with its title; label: what it is for, for assistive technology."""
    data = [{"value": value, "label": title} for value, title in titles.items()]
    shown: dict[str, Any] = {"value": data[0]["value"], "data": data, "aria-label": label}
    return Control(id, lambda: [dmc.SegmentedControl(id=id, size="xs", **shown)])


def pages(id: str) -> Control:
    """A page of jobs; the section offers those there are."""
    label: dict[str, Any] = {"aria-label": msg("panels.chart_controls.jobs_shown")}
    look: dict[str, Any] = {"size": "xs", "w": 240, "data": [], "value": "all", "allowDeselect": False}
    return Control(id, lambda: [dmc.Select(id=id, **look, **label)])


def moment(id: str, worst: str) -> Control:
    """A time in seconds, with a button that goes to the worst one; the section gives the slider its ends."""

    def build() -> list:
        look = {"size": "sm", "className": "picture-slider"}
        label = msg("panels.chart_controls.time_picture_in_seconds")
        slider = dmc.Slider(id=id, min=0, max=1, value=0, thumbLabel=label, **look)
        to_worst = button(msg("panels.chart_controls.worst_moment"), id=worst, className="link-button")
        return [html.Span(msg("panels.chart_controls.time_s"), className="quiet"), slider, to_worst]

    return Control(id, build, below=True)


@dataclass(frozen=True)
class ChartStyle:
    """How pictures are drawn. width: of a card in pixels."""

    highlight: str | None = None
    dark: bool = False
    width: int = 700

    @property
    def drawing(self) -> dict[str, Any]:
        """What every figure is given."""
        return {"dark": self.dark, "width": self.width}

    @classmethod
    def of(cls, highlight: Any, scheme: Any, width: Any) -> ChartStyle:
        """From what the page sent, which may be anything."""
        chosen = highlight if isinstance(highlight, str) else None
        return cls(chosen, scheme == "dark", content_width(width))


class ChartContent(NamedTuple):
    """What a chart shows of a task, as in Picture."""

    figure: dict
    story: str
    table: Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Chart:
    """One chart of the section.

    key, title, reading: as in Picture. make: (task, style) -> ChartContent; of one scheduler (task, its name
    or None, style, *the controls' values) -> ChartContent, where what the page sends for a control may be
    anything.
    """

    key: str
    title: str
    reading: str
    make: Callable[..., ChartContent]
    is_per_scheduler: bool = False
    controls: tuple[Control, ...] = ()

    @property
    def empty(self) -> Picture:
        """The card before anything is drawn."""
        return Picture(self.key, self.title, self.reading)

    def picture(self, task: Task, style: ChartStyle, name: str | None = None, *values: Any) -> Picture:
        """The card of a task; name: of the scheduler, where it is of one."""
        if not self.is_per_scheduler:
            return replace(self.empty, **self.make(task, style)._asdict())
        scheduler = display_name(outcome(task, name).run.scheduler)
        return replace(self.empty, of=scheduler, **self.make(task, name, style, *values)._asdict())


def outcome(task: Task, name: str | None) -> Outcome:
    """The outcome of the named scheduler, of the first where the task has no such."""
    return task.outcome(name if name in task.names else task.names[0])


def valid_or_first(value: Any, choices: dict[str, str]) -> str:
    """The value if it is one of the choices, else the first of them."""
    return value if isinstance(value, str) and value in choices else next(iter(choices))


def queue_chart(task: Task, style: ChartStyle) -> ChartContent:
    """Jobs waiting over time."""
    runs = _runs(task)
    figure = jobs_waiting.waiting_figure(runs, **style.drawing)
    return ChartContent(figure, jobs_waiting.waiting_story(runs), jobs_waiting.waiting_rows(runs))


def distribution_chart(task: Task, style: ChartStyle, measure: str) -> ChartContent:
    """The distribution of waits or turnarounds; measure: a key of distributions.MEASURES."""
    runs = _runs(task)
    jobs = chosen_jobs(runs[0], style.highlight)
    figure = distributions.distribution_figure(runs, measure, highlighted=jobs, **style.drawing)
    story, table = distributions.distribution_story, distributions.distribution_rows
    return ChartContent(figure, story(runs, measure), table(runs, measure))


def fair_share_chart(task: Task, name: str | None, style: ChartStyle, by: str | None = None) -> ChartContent:
    """Dominant and fair shares of jobs, users or queues; grouping: a key of GROUPINGS, the first for anything
    else.
    """
    run, by = outcome(task, name).run, valid_or_first(by, GROUPINGS)
    shares = _shares(task, run.scheduler, by, fair_shares.column_count(style.width))
    jobs = chosen_jobs(run, style.highlight)
    highlighted = np.bincount(shares.of_job, jobs, len(shares.names)) > 0 if jobs is not None else None
    shown = fair_shares.drawn_entities(shares, highlighted)
    figure = fair_shares.fair_share_figure(shares, by, shown, highlighted, **style.drawing)
    story = fair_shares.fair_share_story(run, shares, shown, GROUPINGS[by].lower())
    return ChartContent(figure, story, fair_shares.fair_share_rows(shares))


def lifecycle_chart(task: Task, name: str | None, style: ChartStyle, page: str | None = None) -> ChartContent:
    """The moments of each job; page: a value of job_lifecycles.pages, all jobs for anything else."""
    run, page = outcome(task, name).run, str(page)
    jobs = chosen_jobs(run, style.highlight)
    figure = job_lifecycles.lifecycle_figure(run, page, highlighted=jobs, **style.drawing)
    return ChartContent(figure, job_lifecycles.lifecycle_story(run, page), job_lifecycles.lifecycle_rows(run))


def heatmap_chart(task: Task, name: str | None, style: ChartStyle, resource: Any = None) -> ChartContent:
    """Utilization of nodes over time; resource: a key of RESOURCES, the first for anything else."""
    run, resource = outcome(task, name).run, valid_or_first(resource, RESOURCES)
    nodes = chosen_nodes(run, style.highlight)
    figure = node_heatmap.heat_figure(run, resource, highlighted=nodes, **style.drawing)
    return ChartContent(figure, node_heatmap.heat_story(run, resource), node_heatmap.heat_rows(run))


def fragmentation_chart(task: Task, name: str | None, style: ChartStyle, seconds: Any = None) -> ChartContent:
    """Free resources at a time in s, when most fragmented for what is no time."""
    run, at_ms = outcome(task, name).run, in_ms(seconds)
    worst_ms = worst_moment(task, name)
    at_ms = worst_ms if at_ms is None else min(max(at_ms, run.first_ms), run.until_ms)
    nodes = chosen_nodes(run, style.highlight)
    figure = fragmentation.fragmentation_figure(run, at_ms, highlighted=nodes, **style.drawing)
    worst = msg("panels.chart_catalogue.worst_moment") if at_ms == worst_ms else ""
    story = fragmentation.fragmentation_story(run, at_ms, worst)
    return ChartContent(figure, story, fragmentation.fragmentation_rows(run, at_ms))


def in_ms(seconds: Any) -> int | None:
    """What the slider says, in ms; None for what is no time."""
    return round(1000 * seconds) if isinstance(seconds, (int, float)) and abs(seconds) < 1e13 else None


def worst_moment(task: Task, name: str | None) -> int:
    """When most capacity is wanted but fits no node, in ms."""
    return most_fragmented(outcome(task, name).split)


def _runs(task: Task) -> list[Run]:
    return [outcome.run for outcome in task.outcomes()]


@lru_cache(maxsize=8)
def _shares(task: Task, name: str, by: str, columns: int) -> DominantShares:
    """Held ready for another highlight or colour scheme."""
    return dominant_shares(task.outcome(name).run, by, columns)


CHARTS = (
    Chart(
        "queue",
        msg("panels.chart_catalogue.how_long_queue"),
        msg("panels.chart_catalogue.jobs_submitted_and_have_no_container"),
        queue_chart,
    ),
    Chart(
        "waits",
        msg("panels.chart_catalogue.how_long_does_job_wait"),
        msg("panels.chart_catalogue.share_jobs_whose_first_container_starts"),
        lambda task, style: distribution_chart(task, style, "wait"),
    ),
    Chart(
        "turnarounds",
        msg("panels.chart_catalogue.how_long_does_job_take"),
        msg("panels.chart_catalogue.share_jobs_finish_within_time_their"),
        lambda task, style: distribution_chart(task, style, "turnaround"),
    ),
    Chart(
        "fair-shares",
        msg("panels.chart_catalogue.fair_share_deficit"),
        msg("panels.chart_catalogue.solid_share_cluster_one_holds_memory"),
        fair_share_chart,
        is_per_scheduler=True,
        controls=(choice("fair-shares-by", GROUPINGS, msg("panels.chart_catalogue.whose_shares")),),
    ),
    Chart(
        "lifecycles",
        msg("panels.chart_catalogue.what_does_each_job_spend_its"),
        msg("panels.chart_catalogue.from_left_waiting_dotted_maps_shuffle"),
        lifecycle_chart,
        is_per_scheduler=True,
        controls=(pages("lifecycles-page"),),
    ),
    Chart(
        "heat",
        msg("panels.chart_catalogue.how_full_each_node"),
        msg("panels.chart_catalogue.row_node_time_goes_to_right"),
        heatmap_chart,
        is_per_scheduler=True,
        controls=(choice("heat-resource", RESOURCES, "Resource"),),
    ),
    Chart(
        "fragmentation",
        "Fragmentation",
        msg("panels.chart_catalogue.circle_node_by_what_free_on"),
        fragmentation_chart,
        is_per_scheduler=True,
        controls=(moment("fragmentation-at", "fragmentation-worst"),),
    ),
)
