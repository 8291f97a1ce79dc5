"""Why a job waited: its longest waits, who held the cluster meanwhile, and the decision that ended each."""

from __future__ import annotations

import numpy as np
from dash import html

from engine import NONE, GantryError, Holder, Run, holders, job_waits, name_of
from webapp import theme
from webapp.services import replays
from webapp.services.runs import Shown

MOST_WAITS = 3
MOST_HOLDERS = 4
NO_WAIT = "It never waited: whatever it requested started at once."


def content(shown: Shown, name: str) -> list:
    """The longest waits of a job under one scheduler, the longest first."""
    run = shown.outcome.run
    job = run.workload.job_names.index(name)
    waits = job_waits(run, job)
    lengths = waits.until - waits.since
    if not len(lengths):
        return [html.P(NO_WAIT)]
    stuck = waits.container == NONE
    until = " until the deadlock" if stuck.any() else ""
    text = f"It waited {theme.count(len(lengths), 'times')} while nothing of it started, {theme.duration(int(lengths.sum()))} in all{until}."
    longest = np.lexsort((-lengths, ~stuck))[:MOST_WAITS].tolist()
    return [html.P(text), *(part for place in longest for part in _wait(shown, run, job, *(int(column[place]) for column in waits)))]


def _wait(shown: Shown, run: Run, job: int, since: int, until: int, container: int) -> list:
    held = holders(run, since, max(until, since + 1))
    if container == NONE:
        head = html.H4(f"From {theme.moment(since)} for ever")
        return [head, _held(run, job, held), html.P(f"Deadlock: {run.because}.", className="because")]
    head = html.H4(f"{theme.duration(until - since)}, from {theme.moment(since)} to {theme.moment(until)}")
    try:
        found = replays.why(shown.task, shown.name, container)
        reasons = [found["because"], *(found[key]["because"] for key in ("admitted", "asked") if found.get(key))]
    except GantryError as error:
        reasons = [str(error)]
    then = html.P(["Then ", html.Code(name_of(run, container)), f" started on {run.workload.node_names[int(run.containers.node[container])]}."])
    return [head, _held(run, job, held), then, *(html.P(text if text.endswith(".") else f"{text}.", className="because") for text in reasons)]


def _held(run: Run, job: int, held: list[Holder]) -> html.Div:
    """What each job held of the cluster in the mean, itself included, and what was free."""
    rest = held[MOST_HOLDERS:]
    rows = [(_job(run, one.job, job), one.memory, one.vcores) for one in held[:MOST_HOLDERS]]
    if rest:
        rows.append((f"{theme.count(len(rest), 'other jobs')}", sum(one.memory for one in rest), sum(one.vcores for one in rest)))
    rows.append(("Free", 1 - sum(one.memory for one in held), 1 - sum(one.vcores for one in held)))
    head = html.Thead(html.Tr([html.Th(text, scope="col") for text in ("Held meanwhile", "Memory", "Vcores")]))
    body = [html.Tr([html.Th(who, scope="row"), html.Td(theme.percent(memory)), html.Td(theme.percent(max(vcores, 0)))]) for who, memory, vcores in rows]
    return html.Div(html.Table([head, html.Tbody(body)]), className="job-table", tabIndex="0", role="group", **{"aria-label": "Held meanwhile"})


def _job(run: Run, one: int, job: int) -> html.Span | html.Button:
    """A job's name, which opens its page; the job itself is not opened again."""
    name = run.workload.job_names[one]
    return html.Span(f"{name}, itself") if one == job else html.Button(name, type="button", className="link-button", **{"data-open-job": name})
