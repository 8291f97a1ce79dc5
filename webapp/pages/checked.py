"""Checked against Hadoop: how many decisions of Hadoop's own schedulers are Gantry's too, feature by
feature.
"""

from __future__ import annotations

from dash import get_relative_path, html

from engine import Agreement, CheckedAgainstHadoop, CheckedFeature, checked_against_hadoop
from webapp import theme
from webapp.panels.components import card_menu, policy_address
from webapp.panels.papers import downloads


def layout(**_query: str) -> html.Main:
    """The page."""
    report = checked_against_hadoop()
    total = report.total(report.schedulers)
    facts = (
        ("Decisions compared", total.decisions),
        ("Identical", total.identical),
        ("Scripts", report.scripts),
        ("Reservations compared", report.reservations),
    )
    return html.Main(
        [
            html.H1("Checked against Hadoop"),
            html.P(
                f"The FifoScheduler, FairScheduler and CapacityScheduler of Hadoop {report.hadoop} are "
                "run in process, without a ResourceManager and without "
                "threads. They and Gantry play the same scripts: the same nodes, queues and jobs, the "
                "same masters and the same clock. Most scripts are "
                "random, made from a seed; the others are real jobs. Every decision is compared: when it "
                "was taken, on which node, for which job, and "
                "whether it was a map, a reduce or the master; where nodes are reserved, each reservation "
                "too."
            ),
            html.Dl(
                [html.Div([html.Dt(head), html.Dd(f"{count:,}")]) for head, count in facts], className="facts"
            ),
            html.Div(
                [html.H2("Decisions by scheduler and feature"), card_menu("the decisions", [_csv(report)])],
                className="paper-title",
            ),
            html.P(
                "Identical decisions, of all that Hadoop took. A script's decisions count as identical up "
                "to the first that is not.",
                className="quiet",
            ),
            html.Div(
                _table(report),
                className="parameters",
                tabIndex="0",
                role="region",
                **{"aria-label": "Decisions by scheduler and feature"},
            ),
            html.H2("What is not identical"),
            _differences(report),
            html.H2("What is not compared"),
            html.Ul([html.Li(line) for line in report.not_compared]),
            html.H2("Run it"),
            html.P(
                [
                    html.Code("make referee"),
                    " builds the small Java project that runs Hadoop's classes, asks them again, prints "
                    "which decisions changed, and renews this table. It "
                    "needs Java 17 and Maven. ",
                    html.Code("make test"),
                    " compares Gantry with the decisions that were kept, without Java; it switches each "
                    "rule off and sees decisions differ; and where "
                    "Java is there, it asks Hadoop for decisions on scripts that nobody has seen before.",
                ]
            ),
            html.P(
                [
                    "See also the ",
                    html.A("limits of the model", href=get_relative_path("/model")),
                    " and ",
                    html.A("How well does it predict?", href=get_relative_path("/prediction")),
                ]
            ),
        ],
        id="results",
        className="prose wide guide checked",
    )


def _table(report: CheckedAgainstHadoop) -> html.Table:
    """A row a feature, a column a scheduler."""
    head = [
        html.Th("Feature", scope="col"),
        *(html.Th(_scheduler(name), scope="col") for name in report.schedulers.values()),
    ]
    everything = CheckedFeature(
        "all", "", report.scripts, {key: report.total([key]) for key in report.schedulers}
    )
    rows = [
        html.Tr(
            [
                html.Th([row.name, html.Span(row.about)] if row.about else row.name, scope="row"),
                *(html.Td(_cell(row.agreement.get(key))) for key in report.schedulers),
            ]
        )
        for row in (*report.features, everything)
    ]
    return html.Table([html.Thead(html.Tr(head)), html.Tbody(rows)])


def _csv(report: CheckedAgainstHadoop) -> downloads.Entry:
    """A row for each scheduler that was compared in a feature."""
    rows = [
        (row.name, report.schedulers[key], agreement.identical, agreement.decisions)
        for row in report.features
        for key, agreement in row.agreement.items()
    ]
    return downloads.table(
        "checked-against-hadoop", ("Feature", "Scheduler", "Identical decisions", "Decisions"), rows
    )


def _scheduler(name: str) -> list:
    """A column's head: the order, linked to its page, and with which parameters it was checked."""
    order, _, parameters = name.partition("(")
    return [
        html.A(html.Code(order), href=policy_address(order)),
        *([" ", html.Span(html.Code(parameters.rstrip(")")))] if parameters else []),
    ]


def _cell(agreement: Agreement | None) -> str:
    return f"{agreement.identical:,} of {agreement.decisions:,}" if agreement else theme.NO_VALUE


def _differences(report: CheckedAgainstHadoop) -> html.Ul | html.P:
    if not report.differences:
        return html.P("Nothing: all decisions are the same, and all reservations.")
    return html.Ul(
        [
            html.Li(
                [
                    html.Code(report.schedulers[difference.scheduler]),
                    f", {difference.feature}: {difference.decisions:,} decisions, {difference.reason}.",
                ]
            )
            for difference in report.differences
        ]
    )
