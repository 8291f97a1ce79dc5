"""How well does it predict: what a real cluster did, what Gantry had said it would, and how far two real runs
of the same batch are apart.
"""

from __future__ import annotations

from dash import html

from engine import quantities
from engine.dashboard import PredictedBatch, PredictionAccuracy, prediction_accuracy
from webapp.messages import msg
from webapp.pages import parts
from webapp.panels.components import attributes, policy_address, table_row
from webapp.panels.papers import downloads
from webapp.panels.replay import collector

TARGET_ERROR = 0.05  # the median error that is aimed at
COLUMNS = (
    ("Batch", msg("pages.prediction.its_scheduler")),
    ("Prediction", "median; 90 %"),
    (msg("pages.prediction.another_run"), "median; 90 %"),
    (msg("pages.prediction.two_real_runs"), "median; 90 %"),
    (msg("pages.prediction.fitted_on"), ""),
    ("Jobs", msg("pages.prediction.their_tasks")),
)
FIELDS = PredictedBatch._fields
COLUMN_HELP = (
    ("Prediction", msg("pages.prediction.each_task_computes_as_long_as")),
    (msg("pages.prediction.another_run"), msg("pages.prediction.same_set_beside_batchs_other_run")),
    (msg("pages.prediction.two_real_runs"), msg("pages.prediction.how_far_batch_run_twice_on")),
)
ERROR_SOURCES = (
    msg("pages.prediction.start_jobs_master_and_each_tasks"),
    msg("pages.prediction.launch_containers_and_beat_by_which"),
    msg("pages.prediction.reservations_which_node_large_container_wait"),
    msg("pages.prediction.masters_container_outlives_its_job_by"),
)


def layout(**_query: str) -> html.Main:
    """The page."""
    report = prediction_accuracy()
    hadoop = f" {report.hadoop}" if report.hadoop else ""
    measuring = html.Ol(
        [
            html.Li(["Run ", collector.link(), msg("pages.prediction.where_cluster_needs_python_alone_and")]),
            html.Li(
                [
                    msg("pages.prediction.drop_archive_on"),
                    parts.link("dashboard", "/"),
                    msg("pages.prediction.and_run_measured_run_comes_first"),
                ]
            ),
            html.Li(msg("pages.prediction.open_tab_measured_says_how_far")),
        ]
    )
    content = [
        html.H1(msg("shared.how_well_does_predict")),
        html.P(msg("pages.prediction.real_hadoop_runs_on_one_machine", hadoop=hadoop)),
        *(_results(report) if report.rows else _no_record()),
        *_list_section(msg("pages.prediction.what_explains_errors"), ERROR_SOURCES),
        *_list_section(msg("pages.prediction.what_covered"), report.covered),
        *_list_section(msg("pages.prediction.what_not_covered"), report.not_covered),
        html.H2(msg("pages.prediction.measure_on_your_own_cluster")),
        measuring,
        html.P(
            [
                html.Code("python -m engine replay FILE…"),
                " says the same on the command line; ",
                html.Code("make cluster"),
                msg("pages.prediction.repeats_measurement_on_page"),
            ]
        ),
        html.P(
            [
                msg("pages.prediction.see_also"),
                parts.link(msg("shared.checked_against_hadoop"), "/checked-against-hadoop"),
                msg("pages.prediction.and"),
                parts.link(msg("shared.limits_model_2"), "/model"),
                ".",
            ]
        ),
    ]
    return parts.page(content, "wide guide checked how-well")


def headline(report: PredictionAccuracy) -> str:
    """Over all batches: in how many the prediction is within what is aimed at, or nearer than two real runs
    are to each other.
    """
    within_target = sum(row.median < TARGET_ERROR for row in report.rows)
    repeated = [row for row in report.rows if row.noise_median is not None]
    text = msg(
        "pages.prediction.in_median_error_jobs_finish_under",
        within_target=within_target,
        count=quantities.count(len(report.rows), "batches"),
        percent=quantities.percent(TARGET_ERROR),
    )
    if not repeated:
        return f"{text}."
    return msg(
        "pages.prediction.in_not_above_difference_between_two",
        text=text,
        within_noise=sum(map(_is_within_noise, repeated)),
        repeated=len(repeated),
    )


def _is_within_noise(row: PredictedBatch) -> bool:
    return row.noise_median is not None and row.median <= row.noise_median


def _results(report: PredictionAccuracy) -> list:
    facts = (
        (msg("pages.prediction.jobs_predicted"), f"{report.jobs:,}"),
        ("Batches", str(len(report.rows))),
        (msg("shared.median_error"), _range([row.median for row in report.rows])),
        (msg("shared.jobs_own_time"), _range([row.turnaround_median for row in report.rows])),
        (
            msg("pages.prediction.applicationmasters_own_startup_known"),
            _range([row.replay_median for row in report.rows]),
        ),
        (
            msg("pages.prediction.held_out_in_one_history"),
            _range([row.held_out_median for row in report.rows]),
        ),
        (
            msg("pages.prediction.spark_executors_as_they_came"),
            _range([row.alone_turnaround_median for row in report.rows]),
        ),
    )
    errors = msg("pages.prediction.error_jobs_finish")
    return [
        html.P(html.Strong(headline(report)), className="says"),
        parts.facts(facts, "facts"),
        parts.title_with_menu(errors, msg("pages.prediction.errors"), [_csv(report)]),
        parts.facts(COLUMN_HELP, "how-well-reading"),
        parts.scrolling(_table(report), errors),
    ]


def _no_record() -> list:
    return [
        html.H2(msg("pages.prediction.error_jobs_finish")),
        html.P(msg("pages.prediction.version_has_no_record_real_cluster"), className="quiet"),
    ]


def _table(report: PredictionAccuracy) -> html.Table:
    """A row a batch and scheduler: the prediction beside the noise."""
    head = html.Tr([html.Th([title, html.Span(more)], scope="col") for title, more in COLUMNS])
    shares = [share for row in report.rows for share in (row.median, row.again_median, row.noise_median)]
    max_error = max(share for share in shares if share is not None) or 1.0
    return html.Table([html.Thead(head), html.Tbody([_row(row, max_error) for row in report.rows])])


def _row(row: PredictedBatch, max_error: float) -> html.Tr:
    name = row.scheduler.partition("(")[0]
    is_good = row.median < TARGET_ERROR or _is_within_noise(row)
    runs = msg("pages.prediction.runs", runs=row.runs) if row.runs > 1 else ""
    median = html.Strong(quantities.percent(row.median), className="better" if is_good else "worse")
    cells = [
        [median, f"; {quantities.percent(row.p90)}", _bar(row.median, max_error)],
        [_median_and_p90(row.again_median, row.again_p90), _bar(row.again_median, max_error)],
        [_median_and_p90(row.noise_median, row.noise_p90), _bar(row.noise_median, max_error)],
        row.fitted_on,
        f"{row.jobs:,}; {row.tasks:,}" if row.tasks else f"{row.jobs:,}",
    ]
    scheduler = html.Span([html.A(html.Code(name), href=policy_address(name)), runs])
    return table_row([row.batch, scheduler], cells)


def _bar(share: float | None, max_error: float) -> html.Span:
    """A median as a bar, the largest of the table as long as its cell."""
    return html.Span(
        className="how-well-bar",
        style={"width": f"{100 * (share or 0) / max_error:.1f}%"},
        **attributes({"aria-hidden": "true"}),
    )


def _csv(report: PredictionAccuracy) -> downloads.Entry:
    return downloads.table("how-well-it-predicts", FIELDS, report.rows)


def _median_and_p90(median: float | None, p90: float | None) -> str:
    if median is None or p90 is None:
        return quantities.NO_VALUE
    return f"{quantities.percent(median)}; {quantities.percent(p90)}"


def _list_section(head: str, lines: tuple[str, ...]) -> list:
    return [html.H2(head), parts.lines(lines)] if lines else []


def _range(shares: list[float | None]) -> str:
    known = [share for share in shares if share is not None]
    if not known:
        return quantities.NO_VALUE
    low, high = quantities.percent(min(known)), quantities.percent(max(known))
    return low if low == high else f"{low} to {high}"
