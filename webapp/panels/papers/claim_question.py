"""A claim of a paper as a question over the charts: "Run this paper" opens its scenario with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from dash import get_relative_path, html

from engine import paper_experiments
from engine.dashboard import (
    ORDER,
    PAPERS,
    TEST_BED,
    Claim,
    Show,
    named_numbers,
    recorded_findings,
    recorded_states,
)
from webapp.messages import msg
from webapp.panels.components import attributes
from webapp.panels.papers import static_charts
from webapp.panels.papers.lamps import lamps_of_claim

QUERY = "claim"  # of the dashboard's address: "paper/experiment"


def asked_claim(name: str) -> tuple[int, Claim] | None:
    """The claim that an experiment asks about, with its number: one that the sentence on the paper speaks of,
    else one on an order, else the first; None where it makes none.
    """
    claims = list(enumerate(paper_experiments()[name].claims, start=1))
    states = recorded_states([name]).get(name, [])
    is_order = lambda number: bool(states) and ORDER in states[number - 1]
    key = lambda entry: (not entry[1].theme, not is_order(entry[0]), entry[1].basis != TEST_BED)
    return min(claims, key=key, default=None)


def run_link(name: str, show: Show) -> html.A:
    """To the dashboard, with the experiment's scenario, its schedulers and its claim as a question."""
    address = static_charts.address(show.scenario, show.schedulers)
    return html.A(
        msg("panels.claim_question.run_this_paper"),
        href=f"{address}&{QUERY}={quote(name, safe='/')}",
        title=msg("panels.claim_question.run_title"),
        className="opening",
    )


def line(query: Mapping[str, Any]) -> Sequence[html.Div]:
    """The question of an address, with the answer folded; nothing where it names no experiment."""
    name = query.get(QUERY)
    if not isinstance(name, str) or name not in paper_experiments() or not (asked := asked_claim(name)):
        return []
    number, claim = asked
    paper = next(paper for paper in PAPERS if paper.key == name.partition("/")[0])
    question = msg("panels.claim_question.question", paper=paper.title, where=claim.where, what=claim.what)
    finding = recorded_findings(name)[number - 1]
    numbers = "; ".join(f"{of} {value}".strip() for of, value in named_numbers(finding))
    answer = html.Div(
        [msg("panels.claim_question.over_all_seeds", numbers=numbers), lamps_of_claim(finding.lamps)]
    )
    back = html.A(
        msg("panels.claim_question.to_experiment"), href=get_relative_path(f"/papers/{name}#claim-{number}")
    )
    summary = html.Summary(msg("panels.claim_question.answer"))
    return [
        html.Div(
            [html.Strong(question), html.Details([summary, answer, back])],
            id="claim-question",
            className="claim-question",
            role="status",
            **attributes({"data-claim": name}),
        )
    ]
