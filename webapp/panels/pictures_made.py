"""Each picture of the section "Pictures", made of a task: its figure, words and table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from engine import Run, Shares, dominant_shares, most_scattered
from webapp import runs
from webapp.figures import due, heat, lifelines, queue, scattered, spread
from webapp.panels.picture import Picture
from webapp.runs import Outcome, Task
from webapp.selection import chosen_jobs, chosen_nodes

BY = {"job": "Jobs", "user": "Users", "queue": "Queues"}
RESOURCES = {"memory": "Memory", "vcores": "Vcores"}
WIDTHS = range(200, 4001)
EMPTY = {
    picture.key: picture
    for picture in (
        Picture("queue", "How long is the queue?", "Jobs that are submitted and have no container yet; a line that stays low means jobs start soon."),
        Picture(
            "waits",
            "How long does a job wait to start?",
            "The share of jobs whose first container starts within a time; the line further to the left is better; highlighted jobs are dots.",
        ),
        Picture(
            "turnarounds",
            "How long does a job take?",
            "The share of jobs that finish within a time of their submission; the line further left is better; highlighted jobs are dots.",
        ),
        Picture(
            "dues",
            "Who got less than their due?",
            "Solid is the share of the cluster that one holds, memory or vcores, whichever is more; dotted is the fair share by weight and demand; "
            "shaded is what is lacking, where that is a container or more.",
        ),
        Picture(
            "lifelines",
            "Where does each job's time go?",
            "From the left: waiting (dotted), maps, shuffle, reduces, as the colours of all charts; of several iterations, maps and shuffle end with the last.",
        ),
        Picture(
            "heat", "How full is each node?", "A row is a node, time goes to the right; the further the colour is from the paper's, the more of it is held."
        ),
        Picture(
            "scattered",
            "Is there room that fits no one?",
            "A circle is a node by what is free on it; a container that waits fits the nodes on or above and right of its corner, if they have a slot for it.",
        ),
    )
}


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


def outcome(task: Task, name: str | None) -> Outcome:
    """The outcome of the named scheduler, of the first where the task has no such."""
    return runs.outcome(task.scenario, name if name in task.schedulers else task.schedulers[0])


def known(value: Any, choices: dict[str, str]) -> str:
    """The value if it is one of the choices, else the first of them."""
    return value if isinstance(value, str) and value in choices else next(iter(choices))


def queued(task: Task, look: Look) -> Picture:
    """Jobs waiting over time."""
    found = _runs(task)
    figure = queue.queue_figure(found, dark=look.dark, width=look.width)
    return replace(EMPTY["queue"], figure=figure, story=queue.queue_story(found), table=queue.queue_rows(found))


def spreading(task: Task, key: str, look: Look) -> Picture:
    """The distribution of waits or turnarounds."""
    found, what = _runs(task), {"waits": "wait", "turnarounds": "turnaround"}[key]
    figure = spread.spread_figure(found, what, lit=chosen_jobs(found[0], look.highlight), dark=look.dark, width=look.width)
    return replace(EMPTY[key], figure=figure, story=spread.spread_story(found, what), table=spread.spread_rows(found, what))


def dues(task: Task, name: str | None, by: str, look: Look) -> Picture:
    """Dominant shares and dues of jobs, users or queues; by: a key of BY, the first for anything else."""
    run, by = outcome(task, name).run, known(by, BY)
    found = _shares(task, run.scheduler, by, due.columns(look.width))
    jobs = chosen_jobs(run, look.highlight)
    lit = np.bincount(found.of_job, jobs, len(found.names)) > 0 if jobs is not None else None
    shown = due.chosen(found, lit)
    figure = due.due_figure(found, by, shown, lit, dark=look.dark, width=look.width)
    return replace(EMPTY["dues"], figure=figure, story=due.due_story(run, found, shown, BY[by].lower()), table=due.due_rows(found), of=run.scheduler)


def living(task: Task, name: str | None, page: str, look: Look) -> Picture:
    """The moments of each job; page: a value of lifelines.pages, all jobs for anything else."""
    run = outcome(task, name).run
    figure = lifelines.lifelines_figure(run, page, lit=chosen_jobs(run, look.highlight), dark=look.dark, width=look.width)
    return replace(EMPTY["lifelines"], figure=figure, story=lifelines.lifelines_story(run, page), table=lifelines.lifelines_rows(run), of=run.scheduler)


def heated(task: Task, name: str | None, resource: str, look: Look) -> Picture:
    """Utilization of nodes over time; resource: a key of RESOURCES, the first for anything else."""
    run, resource = outcome(task, name).run, known(resource, RESOURCES)
    figure = heat.heat_figure(run, resource, lit=chosen_nodes(run, look.highlight), dark=look.dark, width=look.width)
    return replace(EMPTY["heat"], figure=figure, story=heat.heat_story(run, resource), table=heat.heat_rows(run), of=run.scheduler)


def scattering(task: Task, name: str | None, at: int | None, look: Look) -> Picture:
    """Free room at a time in ms, where it is most scattered for None."""
    run = outcome(task, name).run
    worst = worst_moment(task, name)
    at = worst if at is None else min(max(at, run.first_ms), run.until_ms)
    figure = scattered.scattered_figure(run, at, lit=chosen_nodes(run, look.highlight), dark=look.dark, width=look.width)
    story = scattered.scattered_story(run, at, ", the worst moment" if at == worst else "")
    return replace(EMPTY["scattered"], figure=figure, story=story, table=scattered.scattered_rows(run, at), of=run.scheduler)


def worst_moment(task: Task, name: str | None) -> int:
    """When most capacity is wanted but fits no node, in ms."""
    return most_scattered(outcome(task, name).split)


def _runs(task: Task) -> list[Run]:
    return [one.run for one in task.outcomes()]


@lru_cache(maxsize=8)
def _shares(task: Task, name: str, by: str, columns: int) -> Shares:
    """Held ready for another highlight or colour scheme."""
    return dominant_shares(runs.outcome(task.scenario, name).run, by, columns)
