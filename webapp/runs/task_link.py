"""A task as a link that the server keeps."""

from __future__ import annotations

from dataclasses import replace

from engine import VERSION, Scenario
from engine.dashboard import names_of
from webapp.runs.task import Task
from webapp.url.links import Link, described_id, link_id, link_store, now


def make_link(task: Task, original: Task | None = None, sentence: str = "", read_only: bool = False) -> Link:
    """A stored link for a task; StoreError when it can't be kept.

    original: the same task under the title it was run with, for its numbers are the same under any.
    """
    original = original or task
    metrics = [original.outcome(name).metrics for name in names_of(original.schedulers)]
    id, request = described_id(task.link, sentence, read_only), task.request
    kept = request.scenario, request.schedulers, metrics, VERSION, now()
    link = Link(id, task.scenario.name, *kept, sentence, read_only)
    link_store().save(link)
    return link


def with_title(task: Task, title: str) -> Task:
    """The same task under another title, which is the scenario's name and so part of the link's id."""
    scenario = Scenario.of(task.scenario.plain() | {"name": printable(title)})
    key = link_id(scenario.canonical, names_of(task.schedulers), VERSION)
    return replace(task, key=key, scenario=scenario, optimum="")


def printable(text: str) -> str:
    """A line of what somebody wrote, without control characters."""
    return " ".join("".join(filter(str.isprintable, word)) for word in text.split()).strip()
