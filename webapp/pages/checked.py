"""Checked against Hadoop: how many decisions of Hadoop's own schedulers are Gantry's too, feature by
feature.
"""

from __future__ import annotations

from dash import get_relative_path, html

from engine import quantities
from engine.dashboard import Agreement, CheckedAgainstHadoop, CheckedFeature, checked_against_hadoop
from webapp.messages import msg
from webapp.panels.components import attributes, card_menu, policy_address
from webapp.panels.papers import downloads


def layout(**_query: str) -> html.Main:
    """The page."""
    report = checked_against_hadoop()
    total = report.total(report.schedulers)
    facts = (
        (msg("pages.checked.decisions_compared"), total.decisions),
        ("Identical", total.identical),
        ("Scripts", report.scripts),
        (msg("pages.checked.reservations_compared"), report.reservations),
    )
    return html.Main(
        [
            html.H1(msg("shared.checked_against_hadoop")),
            html.P(msg("pages.checked.fifoscheduler_fairscheduler_and_capacitysche", hadoop=report.hadoop)),
            html.Dl(
                [html.Div([html.Dt(head), html.Dd(f"{count:,}")]) for head, count in facts], className="facts"
            ),
            html.Div(
                [
                    html.H2(msg("pages.checked.decisions_by_scheduler_and_feature")),
                    card_menu(msg("pages.checked.decisions_2"), [_csv(report)]),
                ],
                className="paper-title",
            ),
            html.P(
                msg("pages.checked.identical_decisions_all_hadoop_took_scripts"),
                className="quiet",
            ),
            html.Div(
                _table(report),
                className="parameters",
                tabIndex="0",
                role="region",
                **attributes({"aria-label": msg("pages.checked.decisions_by_scheduler_and_feature")}),
            ),
            html.H2(msg("pages.checked.what_not_identical")),
            _differences(report),
            html.H2(msg("pages.checked.what_not_compared")),
            html.Ul([html.Li(line) for line in report.not_compared]),
            html.H2(msg("pages.checked.run")),
            html.P(
                [
                    html.Code("make referee"),
                    msg("pages.checked.builds_small_java_project_runs_hadoops"),
                    html.Code("make test"),
                    msg("pages.checked.compares_gantry_with_decisions_were_kept"),
                ]
            ),
            html.P(
                [
                    msg("pages.checked.see_also"),
                    html.A(msg("shared.limits_model_2"), href=get_relative_path("/model")),
                    " and ",
                    html.A(msg("shared.how_well_does_predict"), href=get_relative_path("/prediction")),
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
        "checked-against-hadoop",
        ("Feature", "Scheduler", msg("pages.checked.identical_decisions"), "Decisions"),
        rows,
    )


def _scheduler(name: str) -> list:
    """A column's head: the order, linked to its page, and with which parameters it was checked."""
    order, _, parameters = name.partition("(")
    return [
        html.A(html.Code(order), href=policy_address(order)),
        *([" ", html.Span(html.Code(parameters.rstrip(")")))] if parameters else []),
    ]


def _cell(agreement: Agreement | None) -> str:
    return f"{agreement.identical:,} of {agreement.decisions:,}" if agreement else quantities.NO_VALUE


def _differences(report: CheckedAgainstHadoop) -> html.Ul | html.P:
    if not report.differences:
        return html.P(msg("pages.checked.nothing_all_decisions_same_and_all"))
    return html.Ul(
        [
            html.Li(
                [
                    html.Code(report.schedulers[difference.scheduler]),
                    msg(
                        "pages.checked.decisions",
                        feature=difference.feature,
                        decisions=difference.decisions,
                        reason=difference.reason,
                    ),
                ]
            )
            for difference in report.differences
        ]
    )
