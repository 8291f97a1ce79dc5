"""The charts of the section "More charts": a record each, and how its figure, words and table are made of a task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from engine import DominantShares, Run, dominant_shares, most_fragmented
from webapp.figures.charts import distributions, fair_shares, fragmentation, job_lifecycles, jobs_waiting, node_heatmap
from webapp.figures.highlight import chosen_jobs, chosen_nodes
from webapp.panels.compare.chart_card import Picture
from webapp.panels.compare.chart_controls import Control, choice, moment, pages
from webapp.services.outcome import Outcome
from webapp.services.runs import Task

BY = {"job": "Jobs", "user": "Users", "queue": "Queues"}
RESOURCES = {"memory": "Memory", "vcores": "Vcores"}
WIDTHS = range(200, 4001)


@dataclass(frozen=True)
class Look:
    """How pictures are drawn. width: of a card in pixels."""

    highlight: str | None = None
    dark: bool = False
    width: int = 700

    @classmethod
    def of(cls, highlight: Any, scheme: Any, width: Any) -> Look:
        """From what the page sent, which may be anything."""
        width = round(width) if isinstance(width, (int, float)) and abs(width) < 1e9 else cls.width
        return cls(highlight if isinstance(highlight, str) else None, scheme == "dark", min(max(width, WIDTHS[0]), WIDTHS[-1]))


class Drawn(NamedTuple):
    """What a chart shows of a task, as in Picture."""

    figure: dict
    story: str
    table: Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Chart:
    """One chart of the section.

    key, title, reading: as in Picture. make: (task, look) -> Drawn; of one scheduler (task, its name or None, look, *the controls' values) -> Drawn,
    where what the page sends for a control may be anything.
    """

    key: str
    title: str
    reading: str
    make: Callable[..., Drawn]
    of_one: bool = False
    controls: tuple[Control, ...] = ()

    @property
    def empty(self) -> Picture:
        """The card before anything is drawn."""
        return Picture(self.key, self.title, self.reading)

    def picture(self, task: Task, look: Look, name: str | None = None, *values: Any) -> Picture:
        """The card of a task; name: of the scheduler, where it is of one."""
        of = outcome(task, name).run.scheduler if self.of_one else ""
        drawn = self.make(task, name, look, *values) if self.of_one else self.make(task, look)
        return Picture(self.key, self.title, self.reading, drawn.story, drawn.figure, drawn.table, of=of)


def outcome(task: Task, name: str | None) -> Outcome:
    """The outcome of the named scheduler, of the first where the task has no such."""
    return task.outcome(name if name in task.names else task.names[0])


def known(value: Any, choices: dict[str, str]) -> str:
    """The value if it is one of the choices, else the first of them."""
    return value if isinstance(value, str) and value in choices else next(iter(choices))


def queued(task: Task, look: Look) -> Drawn:
    """Jobs waiting over time."""
    found = _runs(task)
    figure = jobs_waiting.queue_figure(found, dark=look.dark, width=look.width)
    return Drawn(figure, jobs_waiting.queue_story(found), jobs_waiting.queue_rows(found))


def spreading(task: Task, look: Look, what: str) -> Drawn:
    """The distribution of waits or turnarounds; what: a key of distributions.MEASURES."""
    found = _runs(task)
    figure = distributions.spread_figure(found, what, highlighted=chosen_jobs(found[0], look.highlight), dark=look.dark, width=look.width)
    return Drawn(figure, distributions.spread_story(found, what), distributions.spread_rows(found, what))


def fair_share_chart(task: Task, name: str | None, look: Look, by: str | None = None) -> Drawn:
    """Dominant and fair shares of jobs, users or queues; by: a key of BY, the first for anything else."""
    run, by = outcome(task, name).run, known(by, BY)
    found = _shares(task, run.scheduler, by, fair_shares.columns(look.width))
    jobs = chosen_jobs(run, look.highlight)
    highlighted = np.bincount(found.of_job, jobs, len(found.names)) > 0 if jobs is not None else None
    shown = fair_shares.chosen(found, highlighted)
    figure = fair_shares.fair_share_figure(found, by, shown, highlighted, dark=look.dark, width=look.width)
    return Drawn(figure, fair_shares.fair_share_story(run, found, shown, BY[by].lower()), fair_shares.fair_share_rows(found))


def lifecycle_chart(task: Task, name: str | None, look: Look, page: str | None = None) -> Drawn:
    """The moments of each job; page: a value of job_lifecycles.pages, all jobs for anything else."""
    run, page = outcome(task, name).run, str(page)
    figure = job_lifecycles.lifecycle_figure(run, page, highlighted=chosen_jobs(run, look.highlight), dark=look.dark, width=look.width)
    return Drawn(figure, job_lifecycles.lifecycle_story(run, page), job_lifecycles.lifecycle_rows(run))


def heated(task: Task, name: str | None, look: Look, resource: str | None = None) -> Drawn:
    """Utilization of nodes over time; resource: a key of RESOURCES, the first for anything else."""
    run, resource = outcome(task, name).run, known(resource, RESOURCES)
    figure = node_heatmap.heat_figure(run, resource, highlighted=chosen_nodes(run, look.highlight), dark=look.dark, width=look.width)
    return Drawn(figure, node_heatmap.heat_story(run, resource), node_heatmap.heat_rows(run))


def fragmentation_chart(task: Task, name: str | None, look: Look, seconds: float | None = None) -> Drawn:
    """Free resources at a time in s, when most fragmented for what is no time."""
    run, at = outcome(task, name).run, in_ms(seconds)
    worst = worst_moment(task, name)
    at = worst if at is None else min(max(at, run.first_ms), run.until_ms)
    figure = fragmentation.fragmentation_figure(run, at, highlighted=chosen_nodes(run, look.highlight), dark=look.dark, width=look.width)
    story = fragmentation.fragmentation_story(run, at, ", the worst moment" if at == worst else "")
    return Drawn(figure, story, fragmentation.fragmentation_rows(run, at))


def in_ms(seconds: Any) -> int | None:
    """What the slider says, in ms; None for what is no time."""
    return round(1000 * seconds) if isinstance(seconds, (int, float)) and abs(seconds) < 1e13 else None


def worst_moment(task: Task, name: str | None) -> int:
    """When most capacity is wanted but fits no node, in ms."""
    return most_fragmented(outcome(task, name).split)


def _runs(task: Task) -> list[Run]:
    return [one.run for one in task.outcomes()]


@lru_cache(maxsize=8)
def _shares(task: Task, name: str, by: str, columns: int) -> DominantShares:
    """Held ready for another highlight or colour scheme."""
    return dominant_shares(task.outcome(name).run, by, columns)


CHARTS = (
    Chart(
        "queue",
        "How long is the queue?",
        "Jobs that are submitted and have no container yet; a line that stays low means jobs start soon.",
        queued,
    ),
    Chart(
        "waits",
        "How long does a job wait to start?",
        "The share of jobs whose first container starts within a time; the line further to the left is better; highlighted jobs are dots.",
        lambda task, look: spreading(task, look, "wait"),
    ),
    Chart(
        "turnarounds",
        "How long does a job take?",
        "The share of jobs that finish within a time of their submission; the line further left is better; highlighted jobs are dots.",
        lambda task, look: spreading(task, look, "turnaround"),
    ),
    Chart(
        "fair-shares",
        "Fair-share deficit",
        "Solid is the share of the cluster that one holds, memory or vcores, whichever is more; dotted is the fair share by weight and demand; "
        "shaded is the deficit, where that is a container or more.",
        fair_share_chart,
        of_one=True,
        controls=(choice("fair-shares-by", BY, "Whose shares"),),
    ),
    Chart(
        "lifecycles",
        "Where does each job's time go?",
        "From the left: waiting (dotted), maps, shuffle, reduces, as the colours of all charts; of several iterations, maps and shuffle end with the last.",
        lifecycle_chart,
        of_one=True,
        controls=(pages("lifecycles-page"),),
    ),
    Chart(
        "heat",
        "How full is each node?",
        "A row is a node, time goes to the right; the further the colour is from the paper's, the more of it is held.",
        heated,
        of_one=True,
        controls=(choice("heat-resource", RESOURCES, "Resource"),),
    ),
    Chart(
        "fragmentation",
        "Fragmentation",
        "A circle is a node by what is free on it; a container that waits fits the nodes on or above and right of its corner, if they have a slot for it.",
        fragmentation_chart,
        of_one=True,
        controls=(moment("fragmentation-at", "fragmentation-worst"),),
    ),
)
