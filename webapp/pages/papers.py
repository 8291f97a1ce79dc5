"""The gallery: all experiments of the five papers, and a page for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from engine import paper_experiments
from engine.dashboard import PAPERS, Experiment, Paper, Recorded, holding_claims, recorded
from webapp.messages import msg
from webapp.pages import not_found, parts
from webapp.panels.components import button
from webapp.panels.papers import claim_map, optimum_table, verdict_matrix
from webapp.panels.papers import experiment as panel
from webapp.panels.papers.claims import verdict_badge
from webapp.panels.papers.verdict_matrix import address

VERDICT_RULES = (
    msg("pages.papers.only_numbers_printed_in_paper_papers"),
    msg("pages.papers.number_agrees_if_ours_within_one"),
    msg("pages.papers.experiment_agrees_if_every_claim_does"),
    msg("pages.papers.claim_rests_on_formula_algorithm_or"),
    msg("pages.papers.claim_cant_fail_or_no_claim"),
    msg("pages.papers.what_paper_does_not_say_its"),
    msg("pages.papers.where_two_calibrations_or_readings_paper"),
    msg("pages.papers.random_experiments_run_up_to_seeds"),
)


def index(**_query: str) -> html.Main:
    """All verdicts at a glance, then the papers with their experiments."""
    first = address(next(iter(paper_experiments())))
    start = html.A(msg("pages.papers.start_with_first_experiment"), href=first, className="start")
    rules = [html.Summary(msg("pages.papers.how_verdicts_computed")), parts.lines(VERDICT_RULES)]
    content = [
        html.H1("Papers"),
        html.P(msg("pages.papers.every_experiment_five_papers_on_scheduling")),
        html.P(start),
        verdict_matrix.layout(),
        html.P(msg("pages.papers.as_recorded_with_version_each_computed"), className="quiet"),
        html.Details(rules, className="honesty"),
        verdict_matrix.claims(),
        *(piece for paper in PAPERS for piece in _paper(paper)),
    ]
    return parts.page(content, "wide papers")


def has_page(name: str) -> bool:
    """Whether a paper or an experiment has this name."""
    return name in paper_experiments() or _find_paper(name) is not None


def _find_paper(key: str) -> Paper | None:
    return next((paper for paper in PAPERS if paper.key == key), None)


def paper_layout(paper: str = "", **_query: str) -> html.Main:
    """The experiments of one paper; for a name that none has, the page that says so."""
    shown_paper = _find_paper(paper)
    if shown_paper is None:
        return not_found.layout()
    back = html.P(parts.link(msg("pages.papers.all_papers"), "/papers"))
    pictures = [*optimum_table.paper_layout(paper), *claim_map.paper_layout(paper)]
    content = [html.H1(shown_paper.title), back, *_paper(shown_paper, pictures)[1:]]
    return parts.page(content, "wide papers")


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
    dashboard = panel.address(shown_experiment.shows()[0])
    head = [
        parts.navigation(path, "crumbs", msg("shared.where")),
        html.Span(msg("pages.papers.experiment", number=number, names=len(names)), className="quiet"),
        html.A(msg("pages.papers.open_in_dashboard"), href=dashboard, className="opening"),
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


def _paper(paper: Paper, picture: Sequence = ()) -> list:
    """A paper's head, the map of its headline where that is shown, and its experiments."""
    entries = []
    for experiment in paper.experiments:
        name = f"{paper.key}/{experiment.key}"
        record = recorded().get(name)
        badge = html.Span(msg("shared.not_run_yet"), className="quiet")
        if record:
            badge = verdict_badge(record.verdict)
        link, where = (
            html.A(experiment.title, href=address(name)),
            html.Span(experiment.where, className="where"),
        )
        result = html.Div([badge, *_claims(name, record), _why(experiment, record)])
        entries.append(html.Li([html.Div([link, where]), result]))
    about = html.P([paper.about, " ", html.Cite(paper.source)])
    unreadable = [html.P(paper.unreadable, className="quiet")] if paper.unreadable else []
    experiments = html.Ul(entries, className="experiments")
    return [html.H2(paper.title, id=paper.key), about, *unreadable, *picture, experiments]


def _claims(name: str, record: Recorded | None) -> list[html.Span]:
    """How many of its claims hold, by what they rest on."""
    if record is None:
        return []
    return [
        html.Span(f"{basis}: {hold} of {of}", className="where")
        for basis, (hold, of) in holding_claims([name], recorded()).items()
        if of
    ]


def _why(experiment: Experiment, record: Recorded | None) -> html.Details | None:
    """Why it differs, beside the verdict, folded: most reasons are long."""
    if not experiment.why or record is None or record.verdict == "agrees":
        return None
    return html.Details([html.Summary("Why"), html.P(experiment.why)])


def _navigation(names: list[str], index: int) -> html.Nav:
    """To the experiment before, to all of them, and to the next; also by the arrow keys."""
    before: Component = html.Span()
    after: Component = html.Span()
    if index:
        title = msg("pages.papers.previous", title=paper_experiments()[names[index - 1]].title)
        before = dcc.Link(title, href=address(names[index - 1]), id="paper-before")
    if index + 1 < len(names):
        title = msg("pages.papers.next", title=paper_experiments()[names[index + 1]].title)
        after = dcc.Link(title, href=address(names[index + 1]), id="paper-after")
    keys: list[Any] = ["Keys: ", html.Kbd("←"), " and ", html.Kbd("→"), " experiments, ", html.Kbd("L")]
    links = [
        before,
        parts.link(msg("pages.papers.all_experiments"), "/papers"),
        after,
        html.P([*keys, msg("pages.papers.large_type_2")], className="quiet"),
    ]
    return parts.navigation(links, "ways", msg("pages.papers.other_experiments"))
