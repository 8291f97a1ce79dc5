"""All verdicts at a glance: a row an experiment, a cell a claim, each a link to where it is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dash import get_relative_path, html

from engine import PAPERS, VERDICTS, Experiment, Paper, Recorded, recorded
from webapp.panels.components import card_menu
from webapp.panels.papers import downloads
from webapp.panels.papers.claims import BADGES, MARKS, verdict_badge

KEY = (("agrees", "agrees or holds"), ("same direction", "same direction"), ("differs", "differs or does not hold"), ("no verdict", "no verdict"))


def layout() -> html.Section:
    """The matrix with its key, as recorded with this version."""
    key = html.Ul([html.Li([_mark(outcome), title]) for outcome, title in KEY], className="matrix-key", **{"aria-label": "Signs of the claims"})
    first = next(name for name, _ in _named() if _outcomes(recorded()[name]))
    menu = card_menu("all verdicts", [downloads.table("verdicts", ("Paper", "Experiment", "Claim", "What", "Where", "Outcome"), _rows())])
    return html.Section(
        [
            html.Div([html.H2("Verdicts"), html.Span(_counted([name for name, _ in _named()]), className="quiet"), key, menu], className="matrix-head"),
            html.Div([_paper(paper, first) for paper in PAPERS], className="matrices"),
        ],
        **{"aria-label": "Verdicts on every claim"},
    )


def address(name: str) -> str:
    """Where the page of "paper/experiment" is."""
    return get_relative_path(f"/papers/{name}")


def _named() -> Iterator[tuple[str, Experiment]]:
    """The recorded experiments by "paper/experiment"."""
    every = ((f"{paper.key}/{one.key}", one) for paper in PAPERS for one in paper.experiments)
    return ((name, one) for name, one in every if name in recorded())


def _rows() -> Iterator[tuple]:
    for name, one in _named():
        paper, _, _ = name.partition("/")
        for number, (claim, outcome) in enumerate(zip(one.claims, _outcomes(recorded()[name])), start=1):
            yield paper, one.title, number, claim.what, claim.where, outcome


def _outcomes(known: Recorded) -> tuple[str, ...]:
    """What became of each claim, under the first reading."""
    return next(iter(known.readings.values())).outcomes


def _counted(names: Iterable[str]) -> str:
    """How many experiments came to which verdict, in words."""
    counted = Counter(recorded()[name].verdict for name in names if name in recorded())
    return "; ".join(f"{one}: {counted[one]}" for one in VERDICTS if counted[one])


def _paper(paper: Paper, first: str) -> html.Table:
    """A paper's title with how many of its experiments came to which verdict, then a row an experiment."""
    verdicts = {f"{paper.key}/{one.key}": one for one in paper.experiments}
    title = html.A(paper.title, href=f"#{paper.key}")
    says = html.Span(_counted(verdicts), className="where")
    heads = html.Thead(html.Tr([html.Th(head, scope="col") for head in ("Experiment", "Verdict", "Claims")]), className="unseen")
    rows = [_experiment(name, one, recorded().get(name), name == first) for name, one in verdicts.items()]
    return html.Table([html.Caption([title, says]), heads, html.Tbody(rows)], className="matrix")


def _experiment(name: str, one: Experiment, known: Recorded | None, first: bool) -> html.Tr:
    cells = [_claim(name, number, one, outcome, first) for number, outcome in enumerate(_outcomes(known), start=1)] if known else []
    badge = verdict_badge(known.verdict) if known else "not run yet"
    claims = html.Td(html.Div(cells or html.Span("none", className="quiet"), className="matrix-claims"))
    return html.Tr([html.Th(html.A(one.title, href=address(name), title=one.where), scope="row"), html.Td(badge), claims])


def _claim(name: str, number: int, one: Experiment, outcome: str, first: bool) -> html.A:
    """The cell of a claim; the first of all is where the Tab key stops, and arrows go on from there (assets/papers.js)."""
    says = f"Claim {number}, {one.claims[number - 1].what}: {outcome}"
    stop = "0" if first and number == 1 else "-1"
    return html.A(
        MARKS.get(outcome, "–"),
        href=f"{address(name)}#claim-{number}",
        title=says,
        tabIndex=stop,
        className=BADGES.get(outcome, "open"),
        **{"aria-label": says},
    )


def _mark(outcome: str) -> html.Span:
    return html.Span(MARKS.get(outcome, "–"), className=BADGES.get(outcome, "open"), **{"aria-hidden": "true"})
