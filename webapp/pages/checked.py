"""Checked against Hadoop: how many decisions of Hadoop's own schedulers are Gantry's too, feature by
feature, and how much of what they read in their files.
"""

from __future__ import annotations

from dash import html

from engine import quantities
from engine.dashboard import (
    Agreement,
    CheckedAgainstHadoop,
    CheckedFeature,
    CheckedFiles,
    checked_against_hadoop,
)
from webapp.messages import msg
from webapp.pages import parts
from webapp.panels.components import policy_address, table_row
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
    by_feature = msg("pages.checked.decisions_by_scheduler_and_feature")
    content = [
        html.H1(msg("shared.checked_against_hadoop")),
        html.P(msg("pages.checked.fifoscheduler_fairscheduler_and_capacitysche", hadoop=report.hadoop)),
        parts.facts(((head, f"{count:,}") for head, count in facts), "facts"),
        parts.title_with_menu(by_feature, msg("pages.checked.decisions_2"), [_csv(report)]),
        html.P(msg("pages.checked.identical_decisions_all_hadoop_took_scripts"), className="quiet"),
        parts.scrolling(_table(report), by_feature),
        html.H2(msg("pages.checked.what_not_identical")),
        _differences(report),
        *_files(report.files),
        html.H2(msg("pages.checked.what_not_compared")),
        parts.lines(report.not_compared),
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
                parts.link(msg("shared.limits_model_2"), "/model"),
                " and ",
                parts.link(msg("shared.how_well_does_predict"), "/prediction"),
            ]
        ),
    ]
    return parts.page(content, "wide guide checked")


def _table(report: CheckedAgainstHadoop) -> html.Table:
    """A row a feature, a column a scheduler."""
    names = (html.Th(_scheduler(name), scope="col") for name in report.schedulers.values())
    head = html.Tr([html.Th("Feature", scope="col"), *names])
    totals = {key: report.total([key]) for key in report.schedulers}
    rows = [
        table_row(
            [row.name, html.Span(row.about)] if row.about else row.name,
            [_cell(row.agreement.get(key)) for key in report.schedulers],
        )
        for row in (*report.features, CheckedFeature("all", "", report.scripts, totals))
    ]
    return html.Table([html.Thead(head), html.Tbody(rows)])


def _files(files: list[CheckedFiles]) -> list:
    """What both make of random files: a row a kind of value, a column a scheduler."""
    title = msg("pages.checked.what_hadoop_reads_in_its_files")
    counts = {
        msg("pages.checked.files_both_start_on"): [one.started for one in files],
        msg("pages.checked.files_both_refuse"): [one.refused for one in files],
        msg("pages.checked.refused_by_hadoop_alone"): [one.refused_by_hadoop for one in files],
        msg("pages.checked.refused_by_gantry_alone"): [one.refused_by_gantry for one in files],
    }
    kinds = dict.fromkeys(kind for one in files for kind in one.kinds)
    agreements: dict[str, list[Agreement | None]] = {
        msg("pages.checked.written_back_and_read_by_hadoop"): [one.written for one in files],
        **{kind: [one.kinds.get(kind) for one in files] for kind in kinds},
    }
    head = html.Tr([html.Th("Value", scope="col"), *(html.Th(one.scheduler, scope="col") for one in files)])
    rows = [
        *(table_row(name, [f"{count:,}" for count in row]) for name, row in counts.items()),
        *(table_row(name, map(_cell, row)) for name, row in agreements.items()),
    ]
    differences = [
        html.Li(
            [
                html.Code(one.feature),
                msg("pages.checked.files", scheduler=one.scheduler, files=one.decisions, reason=one.reason),
            ]
        )
        for of_scheduler in files
        for one in of_scheduler.differences
    ]
    return [
        html.H2(title),
        html.P(msg("pages.checked.schedulers_start_on_random_files", files=sum(one.cases for one in files))),
        parts.scrolling(html.Table([html.Thead(head), html.Tbody(rows)]), title),
        html.Ul(differences) if differences else html.P(msg("pages.checked.nothing_differs_in_files")),
    ]


def _csv(report: CheckedAgainstHadoop) -> downloads.Entry:
    """A row for each scheduler that was compared in a feature."""
    rows = [
        (row.name, report.schedulers[key], agreement.identical, agreement.decisions)
        for row in report.features
        for key, agreement in row.agreement.items()
    ]
    head = ("Feature", "Scheduler", msg("pages.checked.identical_decisions"), "Decisions")
    return downloads.table("checked-against-hadoop", head, rows)


def _scheduler(name: str) -> list:
    """A column's head: the order, linked to its page, and with which parameters it was checked."""
    order, _, parameters = name.partition("(")
    link = html.A(html.Code(order), href=policy_address(order))
    return [link, " ", html.Span(html.Code(parameters.rstrip(")")))] if parameters else [link]


def _cell(agreement: Agreement | None) -> str:
    return f"{agreement.identical:,} of {agreement.decisions:,}" if agreement else quantities.NO_VALUE


def _differences(report: CheckedAgainstHadoop) -> html.Ul | html.P:
    if not report.differences:
        return html.P(msg("pages.checked.nothing_all_decisions_same_and_all"))
    entries = []
    for difference in report.differences:
        feature, decisions, reason = difference.feature, difference.decisions, difference.reason
        text = msg("pages.checked.decisions", feature=feature, decisions=decisions, reason=reason)
        entries.append(html.Li([html.Code(report.schedulers[difference.scheduler]), text]))
    return html.Ul(entries)
