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
from webapp.panels.papers.pieces import column_heads, sign

DEPENDS, NO_VERDICT = "depends on the reading", msg("shared.no_verdict")
NOT_RUN = msg("shared.not_run_yet")
KEY = (  # outcome, basis, title
    ("agrees", "test bed", msg("panels.verdict_matrix.agrees_or_holds")),
    ("same direction", "test bed", "same direction"),
    ("differs", "test bed", msg("panels.verdict_matrix.differs_or_does_not_hold")),
    (DEPENDS, "test bed", DEPENDS),
    ("too little to judge", "test bed", "too little to judge"),
)
CLAIM_KEY = (*(("agrees", basis, basis) for basis in BASES), (NO_VERDICT, "test bed", NO_VERDICT))
VERDICT_COLUMNS = (
    "Paper",
    "Experiment",
    "Verdict",
    msg("shared.rests_on"),
    msg("panels.verdict_matrix.claims_hold"),
    msg("panels.verdict_matrix.claims_judged"),
)
CLAIM_COLUMNS = (
    "Paper",
    "Experiment",
    "Reading",
    "Claim",
    "What",
    "Where",
    msg("shared.rests_on"),
    "Outcome",
    msg("panels.verdict_matrix.why_no_verdict"),
)
# the cells are one stop of the Tab key, and arrows go on from there (assets/scripts/papers/papers.ts)
WALK, WALK_ROW = attributes({"data-walk": ""}), attributes({"data-walk-row": ""})


def layout() -> html.Section:
    """The matrix of experiments with its key, and what of each kind holds, as recorded with this version."""
    csv = downloads.table("verdicts", VERDICT_COLUMNS, _held_rows())
    head = [
        html.H2("Verdicts"),
        html.Span(_counted(recorded()), className="quiet"),
        _key(KEY, msg("panels.verdict_matrix.signs_verdicts")),
        card_menu(msg("panels.verdict_matrix.all_verdicts"), [csv]),
    ]
    first = next(iter(recorded()), "")
    bases = [(html.Strong(basis.capitalize()), f": {BASIS_HELP[basis]} ") for basis in BASES]
    return html.Section(
        [
            html.Div(head, className="matrix-head"),
            html.Div([_row(paper, first) for paper in PAPERS], className="verdicts", **WALK),
            html.H3(msg("panels.verdict_matrix.what_holds_by_what_rests_on")),
            html.P([piece for pieces in bases for piece in pieces], className="quiet"),
            _held_table(),
        ],
        **attributes({"aria-label": msg("panels.verdict_matrix.verdicts_on_every_experiment")}),
    )


def claims() -> html.Section:
    """A row an experiment, a cell a claim, each a link to where it is judged."""
    csv = downloads.table("claims", CLAIM_COLUMNS, _claim_rows())
    head = [
        html.H2("Claims"),
        _key(CLAIM_KEY, msg("panels.verdict_matrix.shapes_claims")),
        card_menu(msg("panels.verdict_matrix.all_claims"), [csv]),
    ]
    first = next((name for name, _ in _recorded_experiments()), "")
    tables = [_paper(paper, first) for paper in PAPERS]
    return html.Section(
        [html.Div(head, className="matrix-head"), html.Div(tables, className="matrices", **WALK)],
        **attributes({"aria-label": msg("panels.verdict_matrix.verdicts_on_every_claim")}),
    )


def address(name: str) -> str:
    """Where the page of "paper/experiment" is."""
    return get_relative_path(f"/papers/{name}")


def _key(entries: Iterable[tuple[str, str, str]], name: str) -> html.Ul:
    items = [html.Li([_mark(outcome, basis), title]) for outcome, basis, title in entries]
    return html.Ul(items, className="matrix-key", **attributes({"aria-label": name}))


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


def _tallies(name: str) -> list[tuple[str, int, int]]:
    """Each basis on which claims of an experiment are judged: how many of them hold, and of how many."""
    if name not in recorded():
        return []
    counts = holding_claims([name], recorded())
    return [(basis, hold, total) for basis, (hold, total) in counts.items() if total]


def _row(paper: Paper, first: str) -> html.Div:
    """A paper, and a cell for each of its experiments; first: of all, where the Tab key stops."""
    link = html.A(paper.title, href=address(paper.key))
    title = html.H3([link, html.Span(_counted(_names(paper)), className="where")])
    cells = [html.Li(_cell(name, name == first)) for name in _names(paper)]
    return html.Div([title, html.Ul(cells, className="verdict-cells", **WALK_ROW)], className="verdict-row")


def _cell(name: str, is_tab_stop: bool) -> html.A:
    """An experiment: its verdict's sign, its title, and of each kind of claim how many hold."""
    experiment, tallies = paper_experiments()[name], _tallies(name)
    verdict = recorded()[name].verdict if name in recorded() else NOT_RUN
    lines = [
        html.Span([html.Span(f"{hold}/{total}", className="tally"), f" {basis}"])
        for basis, hold, total in tallies
    ]
    counts = [
        msg("panels.verdict_matrix.claims_hold_2", hold=hold, total=total, basis=basis)
        for basis, hold, total in tallies
    ]
    description = "; ".join([verdict, *counts])
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
    names_by_title = {paper.title: [name for name in _names(paper) if name in recorded()] for paper in PAPERS}
    names_by_title[msg("panels.verdict_matrix.all_five_papers")] = list(recorded())
    body = []
    for title, names in names_by_title.items():
        cells = [
            html.Td(f"{hold} of {total}" if total else "none", className="" if total else "quiet")
            for hold, total in holding_claims(names, recorded()).values()
        ]
        body.append(html.Tr([html.Th(title, scope="row"), *cells]))
    heads = [msg("panels.verdict_matrix.claims", capitalize=basis.capitalize()) for basis in BASES]
    caption = msg("panels.verdict_matrix.claims_hold_under_every_reading_judges")
    table = html.Table(
        [html.Caption(caption, className="unseen"), column_heads(["Paper", *heads]), html.Tbody(body)],
        className="held",
    )
    return html.Div(table, className="held-room")


def _held_rows() -> Iterator[tuple]:
    for name, experiment in _recorded_experiments():
        for tally in _tallies(name) or [("", 0, 0)]:
            yield name.partition("/")[0], experiment.title, recorded()[name].verdict, *tally


def _claim_rows() -> Iterator[tuple]:
    for name, experiment in _recorded_experiments():
        paper = name.partition("/")[0]
        for reading in experiment.readings:
            outcomes = recorded()[name].readings[reading.key].outcomes
            for number, (claim, outcome) in enumerate(zip(experiment.claims, outcomes), start=1):
                about = (claim.what, claim.where, claim.basis, outcome, claim.untestable)
                yield paper, experiment.title, reading.title, number, *about


def _paper(paper: Paper, first: str) -> html.Table:
    """A paper's title, then a row an experiment."""
    caption = html.Caption(html.A(paper.title, href=f"#{paper.key}"))
    heads = column_heads(("Experiment", "Verdict", "Claims"), className="unseen")
    rows = [_experiment(name, name == first) for name in _names(paper)]
    return html.Table([caption, heads, html.Tbody(rows)], className="matrix")


def _experiment(name: str, is_tab_stop: bool) -> html.Tr:
    experiment, record = paper_experiments()[name], recorded().get(name)
    cells = [
        _claim(name, number, outcome, is_tab_stop and number == 1)
        for number, outcome in enumerate(_outcomes(record) if record else [], start=1)
    ]
    claims = cells or html.Span("none", className="quiet")
    title = html.A(experiment.title, href=address(name), title=experiment.where)
    return html.Tr(
        [
            html.Th(title, scope="row"),
            html.Td(verdict_badge(record.verdict) if record else NOT_RUN),
            html.Td(html.Div(claims, className="matrix-claims", **WALK_ROW)),
        ]
    )


def _claim(name: str, number: int, outcome: str, is_tab_stop: bool) -> html.A:
    """The cell of a claim, its shape by what it rests on."""
    claim = paper_experiments()[name].claims[number - 1]
    description = msg(
        "panels.verdict_matrix.claim", number=number, basis=claim.basis, what=claim.what, outcome=outcome
    )
    return html.A(
        MARKS.get(outcome, "–"),
        href=f"{address(name)}#claim-{number}",
        title=description,
        tabIndex="0" if is_tab_stop else "-1",
        className=_look(outcome, claim.basis),
        **attributes({"aria-label": description}),
    )


def _mark(outcome: str, basis: str = "test bed") -> html.Span:
    return sign(MARKS.get(outcome, "–"), f"verdict-sign {_look(outcome, basis)}")


def _look(outcome: str, basis: str) -> str:
    """The classes of an outcome's colour, and of the shape of what it rests on."""
    return f"{BADGES.get(outcome, 'open')} on-{basis.replace(' ', '-')}"
