"""A table of claims, the paper's numbers beside Gantry's under each reading, and the badge of a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from dash import html

from engine import Claim, Finding, Printed, Result, band_text, named_numbers, outcome, printed_text, stated

MARKS = {"agrees": "✓", "holds": "✓", "same direction": "→", "differs": "✗", "does not hold": "✗", "depends on the reading": "⇄", "too little to judge": "?"}
BADGES = {"agrees": "good", "holds": "good", "same direction": "near", "differs": "bad", "does not hold": "bad", "depends on the reading": "both"}
BASES_SAY = {
    "formula": "A formula that is evaluated: nothing is simulated, and it has no say in the verdict.",
    "algorithm": "It follows from the policy's rule, whatever the cluster.",
    "test bed": "A measurement on the paper's cluster.",
}


def verdict_badge(verdict: str) -> html.Span:
    """A verdict or outcome as a sign and a word, so that colour alone says nothing."""
    return html.Span([html.Span(MARKS.get(verdict, "–"), **{"aria-hidden": "true"}), f" {verdict}"], className=f"paper-verdict {BADGES.get(verdict, 'open')}")


def basis_mark(basis: str) -> html.Span:
    """What a claim rests on, in a word."""
    return html.Span(basis, title=BASES_SAY[basis], className=f"basis basis-{basis.replace(' ', '-')}")


def claims_table(result: Result) -> html.Div:
    """A row a claim, in the paper's order, with Gantry's number, its error and verdict; its id is claim-N, from 1 on.

    Where there are several readings each has a column of its own, with all three.
    """
    titles = [reading.title for reading in result.experiment.readings]
    beside = len(titles) > 1
    heads = ("What", "Paper", *(titles if beside else ("Gantry", "Error", "Verdict")))
    lines = zip(result.experiment.claims, *(judged.findings for judged in result.readings))
    body = [html.Tr(_row(claim, each, heads), id=f"claim-{number}") for number, (claim, *each) in enumerate(lines, start=1)]
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in heads]))
    table = html.Table([head, html.Tbody(body)], className="claims claims-beside" if beside else "claims")
    return html.Div(table, className="claims-room", tabIndex="0", role="region", **{"aria-label": "The paper's numbers and Gantry's"})


def _row(claim: Claim, each: Sequence[Finding], heads: Sequence[str]) -> list:
    judged_on = f", judged on the distance from {claim.of:g}" if isinstance(claim, Printed) and claim.of else ""
    what = html.Th([claim.what, html.Span([basis_mark(claim.basis), f" {claim.where}{judged_on}"], className="where")], scope="row")
    paper = [printed_text(claim), html.Span(band_text(claim), className="where band")] if isinstance(claim, Printed) else stated(claim)
    cells = [paper, *map(_together, each)] if len(each) > 1 else [paper, _numbers(each[0]), _error(each[0]), _verdict(each[0])]
    return [what, *(html.Td(cell, **{"data-head": head}) for cell, head in zip(cells, heads[1:]))]


def _together(found: Finding) -> list:
    """All of a claim under one of several readings."""
    error = [html.Span(f"{_error(found)} off", className="of")] if _error(found) else []
    return [html.Div([_verdict(found), " ", *error], className="verdict-of"), html.Div(_numbers(found))]


def _numbers(found: Finding) -> list[html.Div]:
    return [html.Div([html.Span(name, className="of") if name else None, html.Span(value, className="amount")]) for name, value in named_numbers(found)]


def _error(found: Finding) -> str:
    return "" if found.error is None else f"{100 * found.error:.1f} %" if found.error < 1e4 else "deadlock"


def _verdict(found: Finding) -> html.Span | str:
    word = outcome(found)
    return verdict_badge(word) if found.judged else word
