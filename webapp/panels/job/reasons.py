"""Why a job waited: its longest waits, who held the cluster meanwhile, and the decision that ended each."""

from __future__ import annotations

from typing import Any

import numpy as np
from dash import html

from engine import GantryError, Run, quantities
from engine.dashboard import (
    EXECUTOR,
    KINDS,
    NONE,
    TASK,
    Holder,
    holders,
    job_waits,
    name_of,
    refusal_reasons,
)
from webapp.messages import msg
from webapp.panels.components import button, scrolling_table, table_row
from webapp.panels.decision import waiting
from webapp.runs import rerun_details
from webapp.runs.task import ShownRun

MAX_WAITS = 3
MAX_HOLDERS = 4
NO_WAIT = msg("panels.reasons.never_waited_whatever_requested_started_at")


def content(shown: ShownRun, name: str) -> list:
    """The longest waits of a job under one scheduler, the longest first."""
    run = shown.outcome.run
    job = run.workload.job_names.index(name)
    if reason := refusal_reasons(run).get(job):
        return [html.P(msg("shared.refused", because=reason))]
    waits = job_waits(run, job)
    lengths = waits.until - waits.since
    if not len(lengths):
        return [html.P(NO_WAIT)]
    stuck = waits.container == NONE
    text = msg(
        "panels.reasons.waited_while_nothing_started_in_all",
        count=quantities.count(len(lengths), "times"),
        sum=quantities.duration(int(lengths.sum())),
        until=msg("panels.reasons.until_deadlock") if stuck.any() else "",
    )
    parts: list[Any] = [html.P(text)]
    for index in np.lexsort((-lengths, ~stuck))[:MAX_WAITS].tolist():
        parts += _wait(shown, job, *(int(column[index]) for column in waits))
    return parts


def _wait(shown: ShownRun, job: int, since: int, until: int, container: int) -> list:
    run, moment = shown.outcome.run, quantities.moment(since)
    table = _holders_table(run, job, holders(run, since, max(until, since + 1)))
    if container == NONE:
        head = html.H4(msg("panels.reasons.from_on_never_started", moment=moment))
        return [head, *_never_started(shown, job), table]
    length, end = quantities.duration(until - since), quantities.moment(until)
    head = html.H4(msg("panels.reasons.from_to", length=length, moment=moment, end=end))
    try:
        explanation = rerun_details.explain_container(shown, container)
        parts = [explanation, *(explanation[key] for key in ("admitted", "asked") if explanation.get(key))]
        reasons = [part["because"] for part in parts]
        kept = waiting.spans(explanation["waits"])
    except GantryError as error:
        reasons, kept = [str(error)], []
    node = run.workload.node_names[int(run.containers.node[container])]
    started = msg("panels.reasons.started_on", node=node)
    then = html.P(["Then ", html.Code(name_of(run, container)), started])
    return [
        head,
        *kept,
        table,
        then,
        *(_because(text if text.endswith(".") else f"{text}.") for text in reasons),
    ]


def _never_started(shown: ShownRun, job: int) -> list:
    """What keeps the first of what a job waits for, in a deadlock."""
    run = shown.outcome.run
    place = int(np.flatnonzero(run.waiting.job == job)[0])
    kind = int(run.waiting.kind[place])
    placed = (run.containers.job == job) & (run.containers.kind == kind)
    stage, task = int(run.waiting.stage[place]) or 1, 0
    if kind in (EXECUTOR, TASK):
        placed &= run.containers.stage == stage
    if placed.any():
        stage = int(run.containers.stage[placed].max())
        task = int(run.containers.index[placed & (run.containers.stage == stage)].max()) + 1
    name = f"{run.workload.job_names[job]}/{stage}/{KINDS[kind]}/{task}"
    try:
        explanation = rerun_details.never_placed(shown, name)
    except GantryError as error:
        return [_because(str(error))]
    return waiting.spans(explanation["waits"])


def _because(text: str) -> html.P:
    return html.P(text, className="because")


def _holders_table(run: Run, job: int, holders_: list[Holder]) -> html.Div:
    """What each job held of the cluster in the mean, itself included, and what was free."""
    shares = [(_job(run, holder.job, job), holder.memory, holder.vcores) for holder in holders_[:MAX_HOLDERS]]
    if others := holders_[MAX_HOLDERS:]:
        shares.append((quantities.count(len(others), "other jobs"), *_sums(others)))
    memory, vcores = _sums(holders_)
    shares.append(("Free", 1 - memory, max(1 - vcores, 0)))
    rows = [table_row(who, map(quantities.percent, held)) for who, *held in shares]
    title = msg("panels.reasons.held_meanwhile")
    head = [html.Th(text, scope="col") for text in (title, "Memory", "Vcores")]
    return scrolling_table(title, head, [html.Tbody(rows)], "job-table")


def _sums(holders_: list[Holder]) -> tuple[float, float]:
    """Memory and vcores that they held together."""
    return sum(holder.memory for holder in holders_), sum(holder.vcores for holder in holders_)


def _job(run: Run, other: int, job: int) -> Any:
    """A job's name, which opens its page; the job itself is not opened again."""
    name = run.workload.job_names[other]
    if other == job:
        return html.Span(msg("panels.reasons.itself", name=name))
    return button(name, {"data-open-job": name}, className="link-button")
