"""A table of claims, the paper's numbers beside Gantry's under each reading, and the badge of a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import html

from engine import quantities
from engine.dashboard import (
    Claim,
    Finding,
    Printed,
    Result,
    band_text,
    named_numbers,
    order_text,
    outcome,
    printed_text,
)
from webapp.messages import msg
from webapp.panels.components import attributes

MARKS = {
    "agrees": "✓",
    "holds": "✓",
    "same direction": "→",
    "differs": "✗",
    "does not hold": "✗",
    "depends on the reading": "⇄",
    "too little to judge": "?",
}
BADGES = {
    "agrees": "good",
    "holds": "good",
    "same direction": "near",
    "differs": "bad",
    "does not hold": "bad",
    "depends on the reading": "both",
}
BASIS_HELP = {
    "formula": msg("panels.claims.formula_evaluated_nothing_simulated_and_has"),
    "algorithm": msg("panels.claims.follows_from_policys_rule_whatever_cluster"),
    "test bed": msg("panels.claims.measurement_on_papers_cluster"),
}


def verdict_badge(verdict: str) -> html.Span:
    """A verdict or outcome as a sign and a word, so that colour alone says nothing."""
    return html.Span(
        [html.Span(MARKS.get(verdict, "–"), **attributes({"aria-hidden": "true"})), f" {verdict}"],
        className=f"paper-verdict {BADGES.get(verdict, 'open')}",
    )


def basis_mark(basis: str) -> html.Span:
    """What a claim rests on, in a word."""
    return html.Span(basis, title=BASIS_HELP[basis], className=f"basis basis-{basis.replace(' ', '-')}")


def claims_table(result: Result) -> html.Div:
    """A row a claim, in the paper's order, with Gantry's number, its error and verdict; its id is claim-N,
    from 1 on.

    Where there are several readings each has a column of its own, with all three.
    """
    titles = [reading.title for reading in result.experiment.readings]
    has_readings = len(titles) > 1
    headings = ("What", "Paper", *(titles if has_readings else ("Gantry", "Error", "Verdict")))
    lines = zip(result.experiment.claims, *(judged.findings for judged in result.readings))
    body = [
        html.Tr(_row(claim, findings, headings), id=f"claim-{number}")
        for number, (claim, *findings) in enumerate(lines, start=1)
    ]
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in headings]))
    table = html.Table(
        [head, html.Tbody(body)], className="claims claims-beside" if has_readings else "claims"
    )
    return html.Div(
        table,
        className="claims-room",
        tabIndex="0",
        role="region",
        **attributes({"aria-label": msg("shared.papers_numbers_and_gantrys")}),
    )


def _row(claim: Claim, findings: Sequence[Finding], headings: Sequence[str]) -> list:
    judged_on = (
        msg("panels.claims.judged_on_distance_from", relative_to=claim.relative_to)
        if isinstance(claim, Printed) and claim.relative_to
        else ""
    )
    what = html.Th(
        [claim.what, html.Span([basis_mark(claim.basis), f" {claim.where}{judged_on}"], className="where")],
        scope="row",
    )
    paper = (
        [printed_text(claim), html.Span(band_text(claim), className="where band")]
        if isinstance(claim, Printed)
        else order_text(claim)
    )
    cells: list[Any] = (
        [paper, *map(_reading_cell, findings)]
        if len(findings) > 1
        else [paper, _numbers(findings[0]), _error(findings[0]), _verdict(findings[0])]
    )
    return [
        what,
        *(html.Td(cell, **attributes({"data-head": head})) for cell, head in zip(cells, headings[1:])),
    ]


def _reading_cell(finding: Finding) -> list:
    """All of a claim under one of several readings."""
    error = (
        [html.Span(msg("panels.claims.off", error=_error(finding)), className="of")]
        if _error(finding)
        else []
    )
    return [html.Div([_verdict(finding), " ", *error], className="verdict-of"), html.Div(_numbers(finding))]


def _numbers(finding: Finding) -> list[html.Div]:
    return [
        html.Div([html.Span(name, className="of") if name else None, html.Span(value, className="amount")])
        for name, value in named_numbers(finding)
    ]


def _error(finding: Finding) -> str:
    return (
        ""
        if finding.error is None
        else quantities.percent(finding.error)
        if finding.error < 1e4
        else "deadlock"
    )


def _verdict(finding: Finding) -> html.Span | str:
    word = outcome(finding)
    return verdict_badge(word) if finding.judged else word
