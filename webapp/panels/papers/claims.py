"""The claims of an experiment with their lamps, and why some do not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import html

from engine.dashboard import (
    CAUSES,
    FAILS,
    LAMP_WORDS,
    LAMPS,
    NOT_TESTABLE,
    Claim,
    Experiment,
    Finding,
    Printed,
    named_numbers,
    order_text,
    printed_text,
)
from webapp.messages import msg
from webapp.panels.papers.lamps import MEANINGS, lamp_cell
from webapp.panels.papers.pieces import column_heads, named_cells, region

MAX_AT_ONCE = 4  # claims in sight; more are a click away
CAUSE_MEANINGS = dict(
    zip(
        CAUSES,
        (
            msg("panels.claims.cause_reading"),
            msg("panels.claims.cause_physics"),
            msg("panels.claims.cause_contradiction"),
            msg("panels.claims.cause_noise"),
            msg("panels.claims.cause_unknown"),
        ),
    )
)


def paper_text(claim: Claim) -> str:
    """What the paper says: its number, or its order in signs."""
    return printed_text(claim) if isinstance(claim, Printed) else order_text(claim)


def claims_table(experiment: Experiment, findings: Sequence[Finding]) -> list:
    """A row a claim, its id is claim-N, from 1 on: in sight those that can be tested, first those of which
    the sentence on the paper speaks; all others folded.
    """
    numbered = list(enumerate(findings, start=1))
    rank = lambda entry: (entry[1].standing == NOT_TESTABLE, not entry[1].claim.theme)
    first = sorted(numbered, key=rank)[:MAX_AT_ONCE]
    in_sight = [entry for entry in numbered if entry in first]
    others = [entry for entry in numbered if entry not in first]
    columns = [lamp for lamp in LAMPS if any(lamp in finding.lamps for finding in findings)]
    parts: list = [_table(experiment, in_sight, columns, msg("panels.claims.claims"))]
    if others:
        summary = html.Summary(msg("panels.claims.more", count=len(others)))
        table = _table(experiment, others, columns, msg("panels.claims.other_claims"))
        parts.append(html.Details([summary, table], className="more-claims"))
    return parts


def _table(
    experiment: Experiment, entries: Sequence[tuple[int, Finding]], columns: Sequence[str], name: str
) -> html.Div:
    titles = ("Claim", *(LAMP_WORDS[lamp].capitalize() for lamp in columns), "Gantry")
    rows = [
        html.Tr(_row(experiment, finding, columns, titles), id=f"claim-{number}")
        for number, finding in entries
    ]
    widths = html.Colgroup([html.Col(className=f"col-{column}") for column in ("claim", *columns, "gantry")])
    table = html.Table([widths, column_heads(titles), html.Tbody(rows)], className="claims claims-lamps")
    return region(name, table, "claims-room")


def _row(experiment: Experiment, finding: Finding, columns: Sequence[str], titles: Sequence[str]) -> list:
    claim = finding.claim
    reason = experiment.reasons.get(claim.reason) if FAILS in finding.states.values() else None
    words: list[Any] = [html.Span(finding.standing, title=MEANINGS[finding.standing])]
    if reason:
        cause = msg("panels.claims.cause", cause=reason.cause)
        words += [" · ", html.Span(cause, title=CAUSE_MEANINGS[reason.cause])]
    head: list[Any] = [claim.what, html.Span([f"{claim.where} · ", *words], className="where")]
    lamps = [lamp_cell(finding.lamps[lamp]) if lamp in finding.lamps else "" for lamp in columns]
    numbers = [
        html.Div([html.Span(name, className="of") if name else None, html.Span(value, className="amount")])
        for name, value in named_numbers(finding)
    ]
    return [html.Th(head, scope="row"), *named_cells(titles[1:], [*lamps, numbers])]


def reasons(experiment: Experiment, findings: Sequence[Finding], notes: dict[str, str]) -> list:
    """Why claims do not hold: a sentence each, and the experiment that shows it; notes: by key, as far as
    they have been measured.
    """
    failing = {finding.claim.reason for finding in findings if FAILS in finding.states.values()}
    entries = []
    for key, reason in experiment.reasons.items():
        if key not in failing:
            continue
        numbers = [str(n) for n, finding in enumerate(findings, start=1) if finding.claim.reason == key]
        shown = [html.P(notes[reason.note], className="quiet")] if reason.note in notes else []
        head = html.B(f"{reason.cause.capitalize()}. ", title=CAUSE_MEANINGS[reason.cause])
        title = msg("panels.claims.of_claims", numbers=", ".join(numbers))
        entries.append(html.Li([html.P([head, reason.says], title=title), *shown]))
    return [html.H2(msg("panels.claims.why")), html.Ul(entries, className="reasons")] if entries else []
