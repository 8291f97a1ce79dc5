"""A table of claims, the paper's numbers beside Gantry's, and the badge of a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from dash import html

from engine import Finding, Printed, named_numbers, outcome, printed_text, stated

MARKS = {"agrees": "✓", "holds": "✓", "same direction": "→", "differs": "✗", "does not hold": "✗", "too little to judge": "?"}
BADGES = {"agrees": "good", "holds": "good", "same direction": "near", "differs": "bad", "does not hold": "bad"}


def verdict_badge(verdict: str) -> html.Span:
    """A verdict or outcome as a sign and a word, so that colour alone says nothing."""
    return html.Span([html.Span(MARKS.get(verdict, "–"), **{"aria-hidden": "true"}), f" {verdict}"], className=f"paper-verdict {BADGES.get(verdict, 'open')}")


def claims_table(findings: Sequence[Finding]) -> html.Div:
    """A row a claim, in the paper's order; its id is claim-N, from 1 on."""
    heads = ("What", "Paper", "Gantry", "Error", "Verdict")
    body = [html.Tr(_row(found), id=f"claim-{number}") for number, found in enumerate(findings, start=1)]
    table = html.Table([html.Thead(html.Tr([html.Th(head, scope="col") for head in heads])), html.Tbody(body)], className="claims")
    return html.Div(table, className="claims-room", tabIndex="0", role="region", **{"aria-label": "The paper's numbers and Gantry's"})


def _row(found: Finding) -> list:
    claim = found.claim
    judged_on = f", judged on the distance from {claim.of:g}" if isinstance(claim, Printed) and claim.of else ""
    what = html.Th([claim.what, html.Span(claim.where + judged_on, className="where")], scope="row")
    numbers = [html.Div([html.Span(name, className="of") if name else None, value]) for name, value in named_numbers(found)]
    error = "" if found.error is None else f"{100 * found.error:.1f} %" if found.error < 1e4 else "deadlock"
    word = outcome(found)
    return [
        what,
        html.Td(printed_text(claim) if isinstance(claim, Printed) else stated(claim), **{"data-head": "Paper"}),
        html.Td(numbers, **{"data-head": "Gantry"}),
        html.Td(error, **{"data-head": "Error"}),
        html.Td(verdict_badge(word) if found.judged else word, **{"data-head": "Verdict"}),
    ]
