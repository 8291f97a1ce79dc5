"""The gallery: all experiments of the five papers, and a page for each."""

from __future__ import annotations

from collections.abc import Sequence

from dash import dcc, get_relative_path, html

from engine import PAPERS, Experiment, Paper, Recorded, holding_claims, paper_experiments, recorded
from webapp.pages import not_found
from webapp.panels.papers import claim_map, optimum_table, verdict_matrix
from webapp.panels.papers import experiment as panel
from webapp.panels.papers.claims import verdict_badge
from webapp.panels.papers.verdict_matrix import address

VERDICT_RULES = (
    "Only numbers printed in a paper are the paper's. A figure whose values are lost is judged on the "
    "percentages and orders that the text states.",
    "A number agrees if ours is within 15 % of one that the print allows: the printed number, half of its "
    "last digit more or less, and the noise of the "
    "paper's own runs where that can be told. The band stands beside each number. An order holds if every "
    "difference does, over seeds by its 95 % interval.",
    "An experiment agrees if every claim does; it has the same direction if numbers are further off but "
    "every change points the paper's way; else it differs. "
    "Fewer than two claims are too little to judge.",
    "A claim rests on a formula, the algorithm or the test bed. A formula is evaluated with nothing "
    "simulated: ours must be the printed number, and it is "
    "counted apart, without a say in the verdict. What follows from a policy's rule holds on any cluster; "
    "only the test bed's claims test the simulation.",
    "A claim that can't fail, or that is no claim of the paper, gets no verdict, and the reason stands in "
    "its place.",
    "What a paper's test bed leaves open, at most four parameters, is fixed by one calibration a test "
    "bed, on numbers of baselines that are named in advance. "
    "Numbers used in a fit get no verdict; everything else is a prediction with those parameters unchanged.",
    "Where two calibrations or readings of a paper can be defended, both are run and stand beside each "
    "other; if their verdicts part, the experiment's "
    "depends on the reading. None is chosen by its verdict.",
    "Experiments with chance in them run up to 100 seeds, fewer where intervals are narrow, and intervals "
    "are 95 %. Nothing of the engine or of a scheduler "
    "is changed for an experiment's sake.",
)


def index(**_query: str) -> html.Main:
    """All verdicts at a glance, then the papers with their experiments."""
    first = next(iter(paper_experiments()))
    return html.Main(
        [
            html.H1("Papers"),
            html.P(
                "Every experiment of five papers on scheduling in Hadoop: the paper's numbers, Gantry's, "
                "and the schedules behind them. "
                "Open one, and it is computed in front of you; open its scenario in the dashboard, and "
                "everything in it can be changed."
            ),
            html.P(html.A("Start with the first experiment", href=address(first), className="start")),
            verdict_matrix.layout(),
            html.P(
                "As recorded with this version; each is computed anew when you open its experiment.",
                className="quiet",
            ),
            html.Details(
                [
                    html.Summary("How verdicts are computed"),
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
    back = html.P(html.A("All papers", href=get_relative_path("/papers")))
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
            **{"aria-label": "Where this is"},
        ),
        html.Span(f"experiment {names.index(name) + 1} of {len(names)}", className="quiet"),
        html.A("Open in the dashboard", href=panel.address(shown_experiment.shows()[0]), className="opening"),
        html.Button(
            "Large type",
            id="large-type",
            type="button",
            title="Larger letters, for a class (L)",
            **{"aria-pressed": "false"},
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
    return f"{shown_paper.title} - Gantry" if shown_paper else "Not found - Gantry"


def title(paper: str = "", experiment: str = "", **_query: str) -> str:
    """The title of the window."""
    shown_experiment = paper_experiments().get(f"{paper}/{experiment}")
    return f"{shown_experiment.title} - Gantry" if shown_experiment else "Not found - Gantry"


def _paper(paper: Paper, picture: Sequence = ()) -> list:
    """A paper's head, the map of its headline where that is shown, and its experiments."""
    entries = []
    for experiment in paper.experiments:
        name = f"{paper.key}/{experiment.key}"
        record = recorded().get(name)
        badge = verdict_badge(record.verdict) if record else html.Span("not run yet", className="quiet")
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
        dcc.Link(f"← Previous: {paper_experiments()[before].title}", href=address(before), id="paper-before")
        if before
        else html.Span(),
        html.A("All experiments", href=get_relative_path("/papers")),
        dcc.Link(f"Next: {paper_experiments()[after].title} →", href=address(after), id="paper-after")
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
                    " large type",
                ],
                className="quiet",
            ),
        ],
        className="ways",
        **{"aria-label": "Other experiments"},
    )
