"""The charts of the section "More charts": a record each, and how its figure, words and table are made of a
task.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

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
from webapp.panels.compare.chart_controls import Control, choice, moment, pages
from webapp.runs.outcome import Outcome
from webapp.runs.task import Task

GROUPINGS = {"job": "Jobs", "user": "Users", "queue": "Queues"}
RESOURCES = {"memory": "Memory", "vcores": "Vcores"}
WIDTHS = range(200, 4001)


@dataclass(frozen=True)
class ChartStyle:
    """How pictures are drawn. width: of a card in pixels."""

    highlight: str | None = None
    dark: bool = False
    width: int = 700

    @classmethod
    def of(cls, highlight: Any, scheme: Any, width: Any) -> ChartStyle:
        """From what the page sent, which may be anything."""
        width = round(width) if isinstance(width, (int, float)) and abs(width) < 1e9 else cls.width
        return cls(
            highlight if isinstance(highlight, str) else None,
            scheme == "dark",
            min(max(width, WIDTHS[0]), WIDTHS[-1]),
        )


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
        scheduler = display_name(outcome(task, name).run.scheduler) if self.is_per_scheduler else ""
        content = self.make(task, name, style, *values) if self.is_per_scheduler else self.make(task, style)
        return Picture(
            self.key, self.title, self.reading, content.story, content.figure, content.table, of=scheduler
        )


def outcome(task: Task, name: str | None) -> Outcome:
    """The outcome of the named scheduler, of the first where the task has no such."""
    return task.outcome(name if name in task.names else task.names[0])


def valid_or_first(value: Any, choices: dict[str, str]) -> str:
    """The value if it is one of the choices, else the first of them."""
    return value if isinstance(value, str) and value in choices else next(iter(choices))


def queue_chart(task: Task, style: ChartStyle) -> ChartContent:
    """Jobs waiting over time."""
    runs = _runs(task)
    figure = jobs_waiting.waiting_figure(runs, dark=style.dark, width=style.width)
    return ChartContent(figure, jobs_waiting.waiting_story(runs), jobs_waiting.waiting_rows(runs))


def distribution_chart(task: Task, style: ChartStyle, measure: str) -> ChartContent:
    """The distribution of waits or turnarounds; measure: a key of distributions.MEASURES."""
    runs = _runs(task)
    figure = distributions.distribution_figure(
        runs, measure, highlighted=chosen_jobs(runs[0], style.highlight), dark=style.dark, width=style.width
    )
    return ChartContent(
        figure,
        distributions.distribution_story(runs, measure),
        distributions.distribution_rows(runs, measure),
    )


def fair_share_chart(task: Task, name: str | None, style: ChartStyle, by: str | None = None) -> ChartContent:
    """Dominant and fair shares of jobs, users or queues; grouping: a key of GROUPINGS, the first for anything
    else.
    """
    run, by = outcome(task, name).run, valid_or_first(by, GROUPINGS)
    shares = _shares(task, run.scheduler, by, fair_shares.column_count(style.width))
    jobs = chosen_jobs(run, style.highlight)
    highlighted = np.bincount(shares.of_job, jobs, len(shares.names)) > 0 if jobs is not None else None
    shown = fair_shares.drawn_entities(shares, highlighted)
    figure = fair_shares.fair_share_figure(shares, by, shown, highlighted, dark=style.dark, width=style.width)
    return ChartContent(
        figure,
        fair_shares.fair_share_story(run, shares, shown, GROUPINGS[by].lower()),
        fair_shares.fair_share_rows(shares),
    )


def lifecycle_chart(task: Task, name: str | None, style: ChartStyle, page: str | None = None) -> ChartContent:
    """The moments of each job; page: a value of job_lifecycles.pages, all jobs for anything else."""
    run, page = outcome(task, name).run, str(page)
    figure = job_lifecycles.lifecycle_figure(
        run, page, highlighted=chosen_jobs(run, style.highlight), dark=style.dark, width=style.width
    )
    return ChartContent(figure, job_lifecycles.lifecycle_story(run, page), job_lifecycles.lifecycle_rows(run))


def heatmap_chart(
    task: Task, name: str | None, style: ChartStyle, resource: str | None = None
) -> ChartContent:
    """Utilization of nodes over time; resource: a key of RESOURCES, the first for anything else."""
    run, resource = outcome(task, name).run, valid_or_first(resource, RESOURCES)
    figure = node_heatmap.heat_figure(
        run, resource, highlighted=chosen_nodes(run, style.highlight), dark=style.dark, width=style.width
    )
    return ChartContent(figure, node_heatmap.heat_story(run, resource), node_heatmap.heat_rows(run))


def fragmentation_chart(
    task: Task, name: str | None, style: ChartStyle, seconds: float | None = None
) -> ChartContent:
    """Free resources at a time in s, when most fragmented for what is no time."""
    run, at_ms = outcome(task, name).run, in_ms(seconds)
    worst_ms = worst_moment(task, name)
    at_ms = worst_ms if at_ms is None else min(max(at_ms, run.first_ms), run.until_ms)
    figure = fragmentation.fragmentation_figure(
        run, at_ms, highlighted=chosen_nodes(run, style.highlight), dark=style.dark, width=style.width
    )
    story = fragmentation.fragmentation_story(
        run, at_ms, msg("panels.chart_catalogue.worst_moment") if at_ms == worst_ms else ""
    )
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
