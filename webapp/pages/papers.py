"""The five papers and what holds of each; a page a paper, and one an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from engine import paper_experiments
from engine.dashboard import (
    LAMP_WORDS,
    LAMPS,
    PAPERS,
    Experiment,
    Paper,
    overall_sentence,
    paper_sentence,
    recorded,
    recorded_findings,
    recorded_states,
    tallies,
    tally,
)
from webapp.messages import msg
from webapp.pages import not_found, parts
from webapp.panels.components import button, card_menu
from webapp.panels.papers import claim_map, claim_question, downloads, lamps, optimum_table
from webapp.panels.papers import experiment as panel
from webapp.panels.papers.experiment import experiment_address
from webapp.panels.papers.pieces import folded

CLAIM_COLUMNS = (
    *("Paper", "Experiment", "Claim", "What", "Where", msg("shared.rests_on")),
    *(LAMP_WORDS[lamp].capitalize() for lamp in LAMPS),
    *(msg("pages.papers.standing"), "Cause", msg("shared.why_not_testable")),
)


def index(**_query: str) -> html.Main:
    """What holds of all five papers, and of each."""
    states = recorded_states()
    csv = downloads.table("claims", CLAIM_COLUMNS, _claim_rows())
    menu = card_menu(msg("pages.papers.all_claims"), [csv])
    content = [
        html.Div([html.H1("Papers"), menu], className="paper-title"),
        html.P(overall_sentence(states), className="says"),
        html.Div(
            [lamps.bars(tallies(states), msg("pages.papers.all_five")), lamps.key()], className="all-lamps"
        ),
        lamps.words(),
        *(_summary(paper) for paper in PAPERS),
        html.P(msg("pages.papers.as_recorded_with_version_each_computed"), className="quiet"),
    ]
    return parts.page(content, "wide papers")


def _summary(paper: Paper) -> html.Section:
    """A paper on the page of all: its sentence, its bars, and its experiments a click away."""
    count = msg("pages.papers.experiments", count=len(paper.experiments))
    return html.Section(
        [
            html.H2(parts.link(paper.title, f"/papers/{paper.key}"), id=paper.key),
            html.Div([*_sentence(paper), folded(count, _experiments(paper))]),
            lamps.bars(tallies(recorded_states(), paper.key), paper.title),
        ],
        className="paper-summary",
    )


def _sentence(paper: Paper) -> list:
    return [html.P(paper_sentence(paper, recorded_states())), html.Cite(paper.source)]


def _experiments(paper: Paper) -> html.Ul:
    """The experiments of a paper, each with its bars."""
    states = recorded_states()
    entries = []
    for experiment in paper.experiments:
        name = f"{paper.key}/{experiment.key}"
        of_claims = states.get(name, [])
        link = html.A(experiment.title, href=experiment_address(name))
        where = html.Span(experiment.where, className="where")
        bars = lamps.bars(tally(of_claims), experiment.title) if of_claims else html.Span()
        entries.append(html.Li([html.Div([link, where]), bars]))
    return html.Ul(entries, className="experiments")


def has_page(name: str) -> bool:
    """Whether a paper or an experiment has this name."""
    return name in paper_experiments() or _find_paper(name) is not None


def _find_paper(key: str) -> Paper | None:
    return next((paper for paper in PAPERS if paper.key == key), None)


def paper_layout(paper: str = "", **_query: str) -> html.Main:
    """What holds of one paper, and its experiments; for a name that none has, the page that says so."""
    shown = _find_paper(paper)
    if shown is None:
        return not_found.layout()
    content = [
        html.P(parts.link(msg("pages.papers.all_papers"), "/papers")),
        html.H1(shown.title),
        html.P([shown.about, " ", html.Cite(shown.source)]),
        *_unreadable(shown),
        html.P(paper_sentence(shown, recorded_states()), className="says"),
        html.Div(
            [lamps.bars(tallies(recorded_states(), paper), shown.title), lamps.key()], className="all-lamps"
        ),
        lamps.words(),
        html.H2("Experiments"),
        _experiments(shown),
        *claim_map.paper_layout(paper),
        *optimum_table.paper_layout(paper),
    ]
    return parts.page(content, "wide papers")


def _unreadable(paper: Paper) -> list[html.P]:
    return [html.P(paper.unreadable, className="notice")] if paper.unreadable else []


def layout(paper: str = "", experiment: str = "", **_query: str) -> html.Main:
    """The page of one experiment; for a name that none has, the page that says so."""
    name = f"{paper}/{experiment}"
    if name not in paper_experiments():
        return not_found.layout()
    shown_experiment = paper_experiments()[name]
    shown_paper = next(one for one in PAPERS if one.key == paper)
    names = list(paper_experiments())
    number = names.index(name) + 1
    path = [parts.link("Papers", "/papers"), " / ", parts.link(shown_paper.title, f"/papers/{paper}")]
    head = [
        parts.navigation(path, "crumbs", msg("shared.where")),
        html.Span(msg("pages.papers.experiment", number=number, names=len(names)), className="quiet"),
        claim_question.run_link(name, shown_experiment.shows()[0]),
        button(
            msg("pages.papers.large_type"),
            {"aria-pressed": "false"},
            id="large-type",
            title=msg("pages.papers.larger_letters_for_class_l"),
        ),
    ]
    content = [
        html.Div(head, className="paper-head"),
        html.H1(shown_experiment.title),
        html.P([shown_experiment.where, " of ", html.Cite(shown_paper.source)], className="paper-where"),
        *panel.layout(name, shown_experiment),
        _navigation(names, number - 1),
    ]
    return parts.page(content, "wide paper")


def paper_title(paper: str = "", **_query: str) -> str:
    """The title of the window on a paper's page."""
    shown_paper = _find_paper(paper)
    return parts.window_title(shown_paper.title if shown_paper else None)


def title(paper: str = "", experiment: str = "", **_query: str) -> str:
    """The title of the window."""
    shown_experiment = paper_experiments().get(f"{paper}/{experiment}")
    return parts.window_title(shown_experiment.title if shown_experiment else None)


def _claim_rows() -> Iterator[Sequence[Any]]:
    """Every claim of all papers, as recorded."""
    for name in recorded():
        experiment: Experiment = paper_experiments()[name]
        for number, finding in enumerate(recorded_findings(name), start=1):
            claim, lamps_ = finding.claim, finding.lamps
            reason = experiment.reasons.get(claim.reason)
            yield [
                *(name.partition("/")[0], experiment.title, number, claim.what, claim.where, claim.basis),
                *(lamps_[lamp].state if lamp in lamps_ else "" for lamp in LAMPS),
                *(
                    finding.standing,
                    reason.cause if reason else "",
                    next((one.because for one in lamps_.values()), ""),
                ),
            ]


def _navigation(names: list[str], index: int) -> html.Nav:
    """To the experiment before, to all of them, and to the next; also by the arrow keys."""
    before: Component = html.Span()
    after: Component = html.Span()
    if index:
        title = msg("pages.papers.previous", title=paper_experiments()[names[index - 1]].title)
        before = dcc.Link(title, href=experiment_address(names[index - 1]), id="paper-before")
    if index + 1 < len(names):
        title = msg("shared.next", title=paper_experiments()[names[index + 1]].title)
        after = dcc.Link(title, href=experiment_address(names[index + 1]), id="paper-after")
    keys: list[Any] = ["Keys: ", html.Kbd("←"), " and ", html.Kbd("→"), " experiments, ", html.Kbd("L")]
    links = [
        before,
        parts.link(msg("pages.papers.all_experiments"), "/papers"),
        after,
        html.P([*keys, msg("pages.papers.large_type_2")], className="quiet"),
    ]
    return parts.navigation(links, "ways", msg("pages.papers.other_experiments"))
