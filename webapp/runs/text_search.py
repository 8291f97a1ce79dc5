"""What a search finds in every run that is shown: containers in the order of time, so that a step leads from
one to the next.

A text is, in this order: a container as the command line writes it (JOB/STAGE/KIND, then /INDEX and /ATTEMPT
if wanted), the whole name of a job, node, user or queue, or a part of one. The first of these that names
anything counts; upper and lower case are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from engine import Run
from engine.dashboard import KINDS
from webapp.runs.task import Task

MAX_TEXT = 300  # characters of what is searched
CONTAINER = re.compile(
    r"([^/]+)/(\d{1,9})/(am|master|map|reduce|executor|task)(?:/(\d{1,9})(?:/(\d{1,9}))?)?"
)
KIND_ALIASES = {"master": "am"}
NAMED_KINDS = ("job", "node", "user", "queue")


class SearchMatches(NamedTuple):
    """What a text matches. kind: "container", "job", "node", "user" or "queue"; names: those that match,
    without repeats, in the order of the run.

    containers: for each of the task's `shown` int64, indices into run.containers in the order of start.
    """

    kind: str
    names: tuple[str, ...]
    containers: tuple[np.ndarray, ...]

    @property
    def selection(self) -> str | None:
        """What can be highlighted for it, "kind:name"; None where it is a container or several names."""
        return f"{self.kind}:{self.names[0]}" if self.kind != "container" and len(self.names) == 1 else None

    def container(self, place: int, number: int) -> int | None:
        """The match of this number, from 0 and round again, in the run at this place of `shown`; None where
        that run has no match.
        """
        matches = self.containers[place]
        return int(matches[number % len(matches)]) if len(matches) else None


def find_matches(task: Task, text: str) -> SearchMatches | None:
    """What the text names in the runs shown; None where it names nothing. Cost: linear in names and in
    containers, 3 ms a run of a million.
    """
    text = text.strip()
    if not text:
        return None
    all_runs = [shown_run.outcome.run for shown_run in task.shown]
    return _match_container(all_runs, text) or _match_names(all_runs, text)


def same_attempt_elsewhere(task: Task, place: int, container: int) -> list[int | None]:
    """Of each of `shown`, the last attempt of what this container of the run at `place` does; None where it
    never started.
    """
    run = task.shown[place].outcome.run
    c = run.containers
    identity = [int(column[container]) for column in (c.stage, c.kind, c.index)]
    job, attempts = run.workload.job_names[int(c.job[container])], []
    for number, shown_run in enumerate(task.shown):
        candidates = _attempts_of(shown_run.outcome.run, lambda name: name == job, identity)
        attempts.append(container if number == place else int(candidates[-1]) if len(candidates) else None)
    return attempts


def _match_container(all_runs: Sequence[Run], text: str) -> SearchMatches | None:
    parts = CONTAINER.fullmatch(text)
    if not parts:
        return None
    job, kind = parts[1].casefold(), KIND_ALIASES.get(parts[3], parts[3])
    identity = [int(parts[2]), KINDS.index(kind), *(int(part) for part in parts.groups()[3:] if part)]
    matches = tuple(_attempts_of(run, lambda name: name.casefold() == job, identity) for run in all_runs)
    return SearchMatches("container", (text,), matches) if any(map(len, matches)) else None


def _attempts_of(run: Run, is_job: Callable[[str], bool], wanted: Sequence[int]) -> np.ndarray:
    """Containers of these jobs, by their names, with this stage, kind, index and attempt, as many of them as
    are given.
    """
    c = run.containers
    of_job = np.array([is_job(name) for name in run.workload.job_names], bool)
    candidates = np.flatnonzero(of_job[c.job])
    for column, value in zip((c.stage, c.kind, c.index, c.attempt), wanted):
        candidates = candidates[column[candidates] == value]
    return candidates


def _match_names(all_runs: Sequence[Run], text: str) -> SearchMatches | None:
    part = text.casefold()
    for fits in (lambda name: name.casefold() == part, lambda name: part in name.casefold()):
        for kind in NAMED_KINDS:
            masks: dict[str, np.ndarray] = {}  # by scenario: only what is pinned may have another
            names: dict[str, None] = {}
            for run in all_runs:
                if run.scenario.digest not in masks:
                    unit_names = _unit_names(run, kind)
                    is_match = {name: fits(name) for name in dict.fromkeys(unit_names)}
                    masks[run.scenario.digest] = np.array([is_match[name] for name in unit_names], bool)
                    names |= dict.fromkeys(filter(is_match.get, is_match))
            if names:
                units = [run.containers.node if kind == "node" else run.containers.job for run in all_runs]
                fitting = (masks[run.scenario.digest][unit] for run, unit in zip(all_runs, units))
                return SearchMatches(kind, tuple(names), tuple(map(np.flatnonzero, fitting)))
    return None


def _unit_names(run: Run, kind: str) -> Sequence[str]:
    """Of each job, or each node."""
    work = run.workload
    if kind == "queue":
        return [work.queues.names[queue] for queue in work.job_queue.tolist()]
    return {"job": work.job_names, "node": work.node_names, "user": work.job_users}[kind]
