"""The gallery: all experiments of the five papers, and a page for each."""

from __future__ import annotations

from collections.abc import Sequence

from dash import dcc, get_relative_path, html

from engine import paper_experiments
from engine.dashboard import PAPERS, Experiment, Paper, Recorded, holding_claims, recorded
from webapp.messages import msg
from webapp.pages import not_found
from webapp.panels.components import attributes
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
    first = next(iter(paper_experiments()))
    return html.Main(
        [
            html.H1("Papers"),
            html.P(msg("pages.papers.every_experiment_five_papers_on_scheduling")),
            html.P(
                html.A(
                    msg("pages.papers.start_with_first_experiment"), href=address(first), className="start"
                )
            ),
            verdict_matrix.layout(),
            html.P(
                msg("pages.papers.as_recorded_with_version_each_computed"),
                className="quiet",
            ),
            html.Details(
                [
                    html.Summary(msg("pages.papers.how_verdicts_computed")),
                    html.Ul([html.Li(line) for line in VERDICT_RULES]),
                ],
                className="honesty",
            ),
            verdict_matrix.claims(),
            *(piece for paper in PAPERS for piece in _paper(paper)),
        ],
        id="results",
        className="prose wide papers",
    )


def has_page(name: str) -> bool:
    """Whether a paper or an experiment has this name."""
    return name in paper_experiments() or any(paper.key == name for paper in PAPERS)


def paper_layout(paper: str = "", **_query: str) -> html.Main:
    """The experiments of one paper; for a name that none has, the page that says so."""
    shown_paper = next((paper_ for paper_ in PAPERS if paper_.key == paper), None)
    if shown_paper is None:
        return not_found.layout()
    back = html.P(html.A(msg("pages.papers.all_papers"), href=get_relative_path("/papers")))
    pictures = [*optimum_table.paper_layout(paper), *claim_map.paper_layout(paper)]
    return html.Main(
        [html.H1(shown_paper.title), back, *_paper(shown_paper, pictures)[1:]],
        id="results",
        className="prose wide papers",
    )


def layout(paper: str = "", experiment: str = "", **_query: str) -> html.Main:
    """The page of one experiment; for a name that none has, the page that says so."""
    name = f"{paper}/{experiment}"
    if name not in paper_experiments():
        return not_found.layout()
    shown_experiment = paper_experiments()[name]
    shown_paper = next(one for one in PAPERS if one.key == paper)
    names = list(paper_experiments())
    head = [
        html.Nav(
            [
                html.A("Papers", href=get_relative_path("/papers")),
                " / ",
                html.A(shown_paper.title, href=get_relative_path(f"/papers/{paper}")),
            ],
            className="crumbs",
            **attributes({"aria-label": msg("shared.where")}),
        ),
        html.Span(
            msg("pages.papers.experiment", index=names.index(name) + 1, names=len(names)), className="quiet"
        ),
        html.A(
            msg("pages.papers.open_in_dashboard"),
            href=panel.address(shown_experiment.shows()[0]),
            className="opening",
        ),
        html.Button(
            msg("pages.papers.large_type"),
            id="large-type",
            type="button",
            title=msg("pages.papers.larger_letters_for_class_l"),
            **attributes({"aria-pressed": "false"}),
        ),
    ]
    return html.Main(
        [
            html.Div(head, className="paper-head"),
            html.H1(shown_experiment.title),
            html.P([shown_experiment.where, " of ", html.Cite(shown_paper.source)], className="paper-where"),
            *panel.layout(name, shown_experiment),
            _navigation(names, names.index(name)),
        ],
        id="results",
        className="prose wide paper",
    )


def paper_title(paper: str = "", **_query: str) -> str:
    """The title of the window on a paper's page."""
    shown_paper = next((one for one in PAPERS if one.key == paper), None)
    return msg("shared.gantry", title=shown_paper.title) if shown_paper else msg("shared.not_found_gantry")


def title(paper: str = "", experiment: str = "", **_query: str) -> str:
    """The title of the window."""
    shown_experiment = paper_experiments().get(f"{paper}/{experiment}")
    return (
        msg("shared.gantry", title=shown_experiment.title)
        if shown_experiment
        else msg("shared.not_found_gantry")
    )


def _paper(paper: Paper, picture: Sequence = ()) -> list:
    """A paper's head, the map of its headline where that is shown, and its experiments."""
    entries = []
    for experiment in paper.experiments:
        name = f"{paper.key}/{experiment.key}"
        record = recorded().get(name)
        badge = (
            verdict_badge(record.verdict)
            if record
            else html.Span(msg("shared.not_run_yet"), className="quiet")
        )
        title = html.Div(
            [html.A(experiment.title, href=address(name)), html.Span(experiment.where, className="where")]
        )
        entries.append(html.Li([title, html.Div([badge, *_claims(name, record), _why(experiment, record)])]))
    unreadable = [html.P(paper.unreadable, className="quiet")] if paper.unreadable else []
    head = [
        html.H2(paper.title, id=paper.key),
        html.P([paper.about, " ", html.Cite(paper.source)]),
        *unreadable,
    ]
    return [*head, *picture, html.Ul(entries, className="experiments")]


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
    before = names[index - 1] if index else None
    after = names[index + 1] if index + 1 < len(names) else None
    links = [
        dcc.Link(
            msg("pages.papers.previous", title=paper_experiments()[before].title),
            href=address(before),
            id="paper-before",
        )
        if before
        else html.Span(),
        html.A(msg("pages.papers.all_experiments"), href=get_relative_path("/papers")),
        dcc.Link(
            msg("pages.papers.next", title=paper_experiments()[after].title),
            href=address(after),
            id="paper-after",
        )
        if after
        else html.Span(),
    ]
    return html.Nav(
        [
            *links,
            html.P(
                [
                    "Keys: ",
                    html.Kbd("←"),
                    " and ",
                    html.Kbd("→"),
                    " experiments, ",
                    html.Kbd("L"),
                    msg("pages.papers.large_type_2"),
                ],
                className="quiet",
            ),
        ],
        className="ways",
        **attributes({"aria-label": msg("pages.papers.other_experiments")}),
    )
