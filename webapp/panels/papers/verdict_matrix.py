"""All verdicts at a glance: a row a paper, a cell an experiment, with how many of its claims of each kind
hold; and below, a cell a claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dash import get_relative_path, html

from engine import paper_experiments
from engine.dashboard import BASES, PAPERS, VERDICTS, Experiment, Paper, Recorded, holding_claims, recorded
from webapp.messages import msg
from webapp.panels.components import attributes, card_menu
from webapp.panels.papers import downloads
from webapp.panels.papers.claims import BADGES, BASIS_HELP, MARKS, verdict_badge

DEPENDS, NO_VERDICT = "depends on the reading", msg("shared.no_verdict")
KEY = (
    ("agrees", msg("panels.verdict_matrix.agrees_or_holds")),
    ("same direction", "same direction"),
    ("differs", msg("panels.verdict_matrix.differs_or_does_not_hold")),
    (DEPENDS, DEPENDS),
    ("too little to judge", "too little to judge"),
)
CLAIM_KEY = (
    ("agrees", "formula", "formula"),
    ("agrees", "algorithm", "algorithm"),
    ("agrees", "test bed", "test bed"),
    (NO_VERDICT, "test bed", NO_VERDICT),
)


def layout() -> html.Section:
    """The matrix of experiments with its key, and what of each kind holds, as recorded with this version."""
    key = html.Ul(
        [html.Li([_mark(outcome), title]) for outcome, title in KEY],
        className="matrix-key",
        **attributes({"aria-label": msg("panels.verdict_matrix.signs_verdicts")}),
    )
    menu = card_menu(
        msg("panels.verdict_matrix.all_verdicts"),
        [
            downloads.table(
                "verdicts",
                (
                    "Paper",
                    "Experiment",
                    "Verdict",
                    msg("shared.rests_on"),
                    msg("panels.verdict_matrix.claims_hold"),
                    msg("panels.verdict_matrix.claims_judged"),
                ),
                _held_rows(),
            )
        ],
    )
    first = next(iter(recorded()), "")
    return html.Section(
        [
            html.Div(
                [html.H2("Verdicts"), html.Span(_counted(recorded()), className="quiet"), key, menu],
                className="matrix-head",
            ),
            html.Div(
                [_row(paper, first) for paper in PAPERS],
                className="verdicts",
                **attributes({"data-walk": ""}),
            ),
            html.H3(msg("panels.verdict_matrix.what_holds_by_what_rests_on")),
            html.P(
                [
                    piece
                    for basis in BASES
                    for piece in (html.Strong(basis.capitalize()), f": {BASIS_HELP[basis]} ")
                ],
                className="quiet",
            ),
            _held_table(),
        ],
        **attributes({"aria-label": msg("panels.verdict_matrix.verdicts_on_every_experiment")}),
    )


def claims() -> html.Section:
    """A row an experiment, a cell a claim, each a link to where it is judged."""
    key = [html.Li([_mark(outcome, basis), title]) for outcome, basis, title in CLAIM_KEY]
    first = next((name for name, _ in _recorded_experiments() if _outcomes(recorded()[name])), "")
    menu = card_menu(
        msg("panels.verdict_matrix.all_claims"),
        [
            downloads.table(
                "claims",
                (
                    "Paper",
                    "Experiment",
                    "Reading",
                    "Claim",
                    "What",
                    "Where",
                    msg("shared.rests_on"),
                    "Outcome",
                    msg("panels.verdict_matrix.why_no_verdict"),
                ),
                _claim_rows(),
            )
        ],
    )
    return html.Section(
        [
            html.Div(
                [
                    html.H2("Claims"),
                    html.Ul(
                        key,
                        className="matrix-key",
                        **attributes({"aria-label": msg("panels.verdict_matrix.shapes_claims")}),
                    ),
                    menu,
                ],
                className="matrix-head",
            ),
            html.Div(
                [_paper(paper, first) for paper in PAPERS],
                className="matrices",
                **attributes({"data-walk": ""}),
            ),
        ],
        **attributes({"aria-label": msg("panels.verdict_matrix.verdicts_on_every_claim")}),
    )


def address(name: str) -> str:
    """Where the page of "paper/experiment" is."""
    return get_relative_path(f"/papers/{name}")


def _recorded_experiments() -> Iterator[tuple[str, Experiment]]:
    """The recorded experiments by "paper/experiment"."""
    return ((name, one) for name, one in paper_experiments().items() if name in recorded())


def _outcomes(record: Recorded) -> list[str]:
    """What became of each claim under all readings that judge it; that it depends on them, where it does."""
    outcomes_by_claim = [
        {one for one in outcomes if one != NO_VERDICT}
        for outcomes in zip(*(one.outcomes for one in record.readings.values()))
    ]
    return [DEPENDS if len(judged) > 1 else next(iter(judged), NO_VERDICT) for judged in outcomes_by_claim]


def _counted(names: Iterable[str]) -> str:
    """How many experiments came to which verdict, in words."""
    counts = Counter(recorded()[name].verdict for name in names if name in recorded())
    return "; ".join(f"{verdict}: {counts[verdict]}" for verdict in VERDICTS if counts[verdict])


def _names(paper: Paper) -> list[str]:
    return [f"{paper.key}/{experiment.key}" for experiment in paper.experiments]


def _row(paper: Paper, first: str) -> html.Div:
    """A paper, and a cell for each of its experiments; the first of all is where the Tab key stops."""
    title = html.H3(
        [
            html.A(paper.title, href=get_relative_path(f"/papers/{paper.key}")),
            html.Span(_counted(_names(paper)), className="where"),
        ]
    )
    cells = html.Ul(
        [html.Li(_cell(name, name == first)) for name in _names(paper)],
        className="verdict-cells",
        **attributes({"data-walk-row": ""}),
    )
    return html.Div([title, cells], className="verdict-row")


def _cell(name: str, is_tab_stop: bool) -> html.A:
    """An experiment: its verdict's sign, its title, and of each kind of claim how many hold."""
    experiment, record = paper_experiments()[name], recorded().get(name)
    verdict = record.verdict if record else msg("shared.not_run_yet")
    counts = (
        [(basis, hold, total) for basis, (hold, total) in holding_claims([name], recorded()).items() if total]
        if record
        else []
    )
    lines = [
        html.Span([html.Span(f"{hold}/{total}", className="tally"), f" {basis}"])
        for basis, hold, total in counts
    ]
    description = "; ".join(
        [
            verdict,
            *(
                msg("panels.verdict_matrix.claims_hold_2", hold=hold, total=total, basis=basis)
                for basis, hold, total in counts
            ),
        ]
    )
    return html.A(
        [
            _mark(verdict),
            html.Span(experiment.title, className="cell-title"),
            html.Span(lines or msg("panels.verdict_matrix.no_claim_judged"), className="kinds"),
        ],
        href=address(name),
        title=f"{experiment.title} ({experiment.where}): {description}",
        tabIndex="0" if is_tab_stop else "-1",
        className=f"verdict-cell {BADGES.get(verdict, 'open')}",
        **attributes({"aria-label": f"{experiment.title}: {description}"}),
    )


def _held_table() -> html.Div:
    """Of each paper and of all: how many of the claims that are judged hold, by what they rest on."""
    rows = [(paper.title, [name for name in _names(paper) if name in recorded()]) for paper in PAPERS] + [
        (msg("panels.verdict_matrix.all_five_papers"), list(recorded()))
    ]
    body = []
    for title, names in rows:
        cells = [
            html.Td(f"{hold} of {total}" if total else "none", className="" if total else "quiet")
            for hold, total in holding_claims(names, recorded()).values()
        ]
        body.append(html.Tr([html.Th(title, scope="row"), *cells]))
    heads = html.Thead(
        html.Tr(
            [
                html.Th(head, scope="col")
                for head in (
                    "Paper",
                    *(msg("panels.verdict_matrix.claims", capitalize=basis.capitalize()) for basis in BASES),
                )
            ]
        )
    )
    table = html.Table(
        [
            html.Caption(
                msg("panels.verdict_matrix.claims_hold_under_every_reading_judges"), className="unseen"
            ),
            heads,
            html.Tbody(body),
        ],
        className="held",
    )
    return html.Div(table, className="held-room")


def _held_rows() -> Iterator[tuple]:
    for name, experiment in _recorded_experiments():
        counts = [
            (basis, hold, total)
            for basis, (hold, total) in holding_claims([name], recorded()).items()
            if total
        ]
        for basis, hold, total in counts or [("", 0, 0)]:
            yield name.partition("/")[0], experiment.title, recorded()[name].verdict, basis, hold, total


def _claim_rows() -> Iterator[tuple]:
    for name, experiment in _recorded_experiments():
        for reading in experiment.readings:
            for number, (claim, outcome) in enumerate(
                zip(experiment.claims, recorded()[name].readings[reading.key].outcomes), start=1
            ):
                yield (
                    name.partition("/")[0],
                    experiment.title,
                    reading.title,
                    number,
                    claim.what,
                    claim.where,
                    claim.basis,
                    outcome,
                    claim.unjudged,
                )


def _paper(paper: Paper, first: str) -> html.Table:
    """A paper's title, then a row an experiment."""
    heads = html.Thead(
        html.Tr([html.Th(head, scope="col") for head in ("Experiment", "Verdict", "Claims")]),
        className="unseen",
    )
    rows = [
        _experiment(name, paper_experiments()[name], recorded().get(name), name == first)
        for name in _names(paper)
    ]
    return html.Table(
        [html.Caption(html.A(paper.title, href=f"#{paper.key}")), heads, html.Tbody(rows)], className="matrix"
    )


def _experiment(name: str, experiment: Experiment, record: Recorded | None, is_tab_stop: bool) -> html.Tr:
    cells = (
        [
            _claim(name, number, experiment, outcome, is_tab_stop)
            for number, outcome in enumerate(_outcomes(record), start=1)
        ]
        if record
        else []
    )
    badge = verdict_badge(record.verdict) if record else msg("shared.not_run_yet")
    claims = html.Td(
        html.Div(
            cells or html.Span("none", className="quiet"),
            className="matrix-claims",
            **attributes({"data-walk-row": ""}),
        )
    )
    return html.Tr(
        [
            html.Th(html.A(experiment.title, href=address(name), title=experiment.where), scope="row"),
            html.Td(badge),
            claims,
        ]
    )


def _claim(name: str, number: int, experiment: Experiment, outcome: str, is_tab_stop: bool) -> html.A:
    """The cell of a claim, its shape by what it rests on; the first of all is where the Tab key stops, and
    arrows go on from there (assets/papers.js).
    """
    claim = experiment.claims[number - 1]
    description = msg(
        "panels.verdict_matrix.claim", number=number, basis=claim.basis, what=claim.what, outcome=outcome
    )
    return html.A(
        MARKS.get(outcome, "–"),
        href=f"{address(name)}#claim-{number}",
        title=description,
        tabIndex="0" if is_tab_stop and number == 1 else "-1",
        className=f"{BADGES.get(outcome, 'open')} on-{claim.basis.replace(' ', '-')}",
        **attributes({"aria-label": description}),
    )


def _mark(outcome: str, basis: str = "test bed") -> html.Span:
    return html.Span(
        MARKS.get(outcome, "–"),
        className=f"verdict-sign {BADGES.get(outcome, 'open')} on-{basis.replace(' ', '-')}",
        **attributes({"aria-hidden": "true"}),
    )
