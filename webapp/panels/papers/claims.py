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
from webapp.panels.papers.pieces import column_heads, named_cells, region

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
    mark = html.Span(MARKS.get(verdict, "–"), **attributes({"aria-hidden": "true"}))
    return html.Span([mark, f" {verdict}"], className=f"paper-verdict {BADGES.get(verdict, 'open')}")


def paper_texts(claim: Claim) -> tuple[str, str]:
    """What the paper says, and how far our number may be from it; "" for an order."""
    return (printed_text(claim), band_text(claim)) if isinstance(claim, Printed) else (order_text(claim), "")


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
    kind = "claims claims-beside" if has_readings else "claims"
    table = html.Table([column_heads(headings), html.Tbody(body)], className=kind)
    return region(msg("shared.papers_numbers_and_gantrys"), table, "claims-room")


def _row(claim: Claim, findings: Sequence[Finding], headings: Sequence[str]) -> list:
    judged_on = (
        msg("panels.claims.judged_on_distance_from", relative_to=claim.relative_to)
        if isinstance(claim, Printed) and claim.relative_to
        else ""
    )
    kind = f"basis basis-{claim.basis.replace(' ', '-')}"
    basis = html.Span(claim.basis, title=BASIS_HELP[claim.basis], className=kind)
    where = html.Span([basis, f" {claim.where}{judged_on}"], className="where")
    says, band = paper_texts(claim)
    paper = [says, html.Span(band, className="where band")] if band else says
    cells: list[Any] = (
        [_reading_cell(finding) for finding in findings]
        if len(findings) > 1
        else [_numbers(findings[0]), _error(findings[0]), _verdict(findings[0])]
    )
    return [html.Th([claim.what, where], scope="row"), *named_cells(headings[1:], [paper, *cells])]


def _reading_cell(finding: Finding) -> list:
    """All of a claim under one of several readings."""
    verdict = [_verdict(finding), " "]
    if error := _error(finding):
        verdict.append(html.Span(msg("panels.claims.off", error=error), className="of"))
    return [html.Div(verdict, className="verdict-of"), html.Div(_numbers(finding))]


def _numbers(finding: Finding) -> list[html.Div]:
    return [
        html.Div([html.Span(name, className="of") if name else None, html.Span(value, className="amount")])
        for name, value in named_numbers(finding)
    ]


def _error(finding: Finding) -> str:
    if finding.error is None:
        return ""
    return quantities.percent(finding.error) if finding.error < 1e4 else "deadlock"


def _verdict(finding: Finding) -> html.Span | str:
    word = outcome(finding)
    return verdict_badge(word) if finding.judged else word
