"""Why a job waited: its longest waits, who held the cluster meanwhile, and the decision that ended each."""

from __future__ import annotations

from typing import Any

import numpy as np
from dash import html

from engine import GantryError, Run, quantities
from engine.dashboard import NONE, Holder, holders, job_waits, name_of
from webapp.messages import msg
from webapp.panels.components import attributes
from webapp.runs import rerun_details
from webapp.runs.task import ShownRun

MAX_WAITS = 3
MAX_HOLDERS = 4
NO_WAIT = msg("panels.reasons.never_waited_whatever_requested_started_at")


def content(shown: ShownRun, name: str) -> list:
    """The longest waits of a job under one scheduler, the longest first."""
    run = shown.outcome.run
    job = run.workload.job_names.index(name)
    waits = job_waits(run, job)
    lengths = waits.until - waits.since
    if not len(lengths):
        return [html.P(NO_WAIT)]
    stuck = waits.container == NONE
    until = msg("panels.reasons.until_deadlock") if stuck.any() else ""
    text = msg(
        "panels.reasons.waited_while_nothing_started_in_all",
        count=quantities.count(len(lengths), "times"),
        sum=quantities.duration(int(lengths.sum())),
        until=until,
    )
    longest = np.lexsort((-lengths, ~stuck))[:MAX_WAITS].tolist()
    return [
        html.P(text),
        *(
            part
            for index in longest
            for part in _wait(shown, run, job, *(int(column[index]) for column in waits))
        ),
    ]


def _wait(shown: ShownRun, run: Run, job: int, since: int, until: int, container: int) -> list:
    holders_ = holders(run, since, max(until, since + 1))
    if container == NONE:
        head = html.H4(msg("panels.reasons.from_on_never_started", moment=quantities.moment(since)))
        return [
            head,
            _holders_table(run, job, holders_),
            html.P(msg("panels.reasons.deadlock", because=run.because), className="because"),
        ]
    head = html.H4(
        msg(
            "panels.reasons.from_to",
            until=quantities.duration(until - since),
            moment=quantities.moment(since),
            moment2=quantities.moment(until),
        )
    )
    try:
        explanation = rerun_details.explain_container(shown.task, shown.name, container)
        reasons = [
            explanation["because"],
            *(explanation[key]["because"] for key in ("admitted", "asked") if explanation.get(key)),
        ]
    except GantryError as error:
        reasons = [str(error)]
    then = html.P(
        [
            "Then ",
            html.Code(name_of(run, container)),
            msg(
                "panels.reasons.started_on",
                node_names=run.workload.node_names[int(run.containers.node[container])],
            ),
        ]
    )
    return [
        head,
        _holders_table(run, job, holders_),
        then,
        *(html.P(text if text.endswith(".") else f"{text}.", className="because") for text in reasons),
    ]


def _holders_table(run: Run, job: int, holders_: list[Holder]) -> html.Div:
    """What each job held of the cluster in the mean, itself included, and what was free."""
    others = holders_[MAX_HOLDERS:]
    rows: list[tuple[Any, float, float]] = [
        (_job(run, holder.job, job), holder.memory, holder.vcores) for holder in holders_[:MAX_HOLDERS]
    ]
    if others:
        rows.append(
            (
                f"{quantities.count(len(others), 'other jobs')}",
                sum(holder.memory for holder in others),
                sum(holder.vcores for holder in others),
            )
        )
    rows.append(
        ("Free", 1 - sum(holder.memory for holder in holders_), 1 - sum(holder.vcores for holder in holders_))
    )
    head = html.Thead(
        html.Tr(
            [
                html.Th(text, scope="col")
                for text in (msg("panels.reasons.held_meanwhile"), "Memory", "Vcores")
            ]
        )
    )
    body = [
        html.Tr(
            [
                html.Th(who, scope="row"),
                html.Td(quantities.percent(memory)),
                html.Td(quantities.percent(max(vcores, 0))),
            ]
        )
        for who, memory, vcores in rows
    ]
    return html.Div(
        html.Table([head, html.Tbody(body)]),
        className="job-table",
        tabIndex="0",
        role="group",
        **attributes({"aria-label": msg("panels.reasons.held_meanwhile")}),
    )


def _job(run: Run, other: int, job: int) -> html.Span | html.Button:
    """A job's name, which opens its page; the job itself is not opened again."""
    name = run.workload.job_names[other]
    return (
        html.Span(msg("panels.reasons.itself", name=name))
        if other == job
        else html.Button(name, type="button", className="link-button", **attributes({"data-open-job": name}))
    )
