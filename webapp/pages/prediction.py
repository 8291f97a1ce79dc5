"""How well does it predict: what a real cluster did, what Gantry had said it would, and how far two real runs
of the same batch are apart.
"""

from __future__ import annotations

from dash import get_relative_path, html

from engine import PredictedBatch, PredictionAccuracy, prediction_accuracy
from webapp import theme
from webapp.panels.components import card_menu, policy_address
from webapp.panels.papers import downloads
from webapp.panels.replay import collector

TARGET_ERROR = 0.05  # the median error that is aimed at
COLUMNS = (
    ("Batch", "its scheduler"),
    ("Prediction", "median; 90 %"),
    ("Of another run", "median; 90 %"),
    ("Two real runs", "median; 90 %"),
    ("Fitted on", ""),
    ("Jobs", "their tasks"),
)
FIELDS = PredictedBatch._fields
COLUMN_HELP = (
    ("Prediction", "Each task computes as long as it was measured to; all else is fitted on another batch."),
    ("Of another run", "The same, set beside the batch's other run, whose durations it does not know."),
    (
        "Two real runs",
        "How far the batch, run twice on the real cluster, is from itself: no prediction can be expected "
        "to be nearer.",
    ),
)
ERROR_SOURCES = (
    "The start of a job's master and of each task's JVM: on a busy machine they take as long as the work "
    "of short tasks, and not twice the same time.",
    "The launch of containers and the beat by which a master asks for more.",
    "Reservations: which node a large container waits for depends on tenths of a second, and holds up "
    "jobs for half a minute.",
    "A master's container outlives its job by some seconds and holds room meanwhile.",
)


def layout(**_query: str) -> html.Main:
    """The page."""
    report = prediction_accuracy()
    return html.Main(
        [
            html.H1("How well does it predict?"),
            html.P(
                f"A real Hadoop{f' {report.hadoop}' if report.hadoop else ''} runs on one machine: a "
                "ResourceManager, a JobHistoryServer and NodeManagers, "
                "each a process of its own, on loopback. It runs batches of MapReduce jobs (WordCount, "
                "TeraSort, Grep, and jobs that sleep) in two queues of a "
                "user each. Gantry reads the history, fits from one batch what no history says, such as "
                "how long a container takes to launch, and then "
                "simulates another batch that it was not fitted on. What is judged is when each job finishes."
            ),
            *(_results(report) if report.rows else _no_record()),
            html.H2("What explains the errors"),
            html.Ul([html.Li(line) for line in ERROR_SOURCES]),
            *_list_section("What is covered", report.covered),
            *_list_section("What is not covered", report.not_covered),
            html.H2("Measure it on your own cluster"),
            html.Ol(
                [
                    html.Li(
                        [
                            "Run ",
                            collector.link(),
                            " where the cluster is. It needs Python alone, and writes one archive; it "
                            "anonymises names if you ask it to.",
                        ]
                    ),
                    html.Li(
                        [
                            "Drop the archive on the ",
                            html.A("dashboard", href=get_relative_path("/")),
                            " and run: what was measured stands first in every chart.",
                        ]
                    ),
                    html.Li(
                        "Open the tab Replay: it says how far off the simulation is, job by job, with the "
                        "reason where the record shows one."
                    ),
                ]
            ),
            html.P(
                [
                    html.Code("python -m engine replay FILE…"),
                    " says the same on the command line; ",
                    html.Code("make cluster"),
                    " repeats what stands here.",
                ]
            ),
            html.P(
                [
                    "See also ",
                    html.A("Checked against Hadoop", href=get_relative_path("/checked-against-hadoop")),
                    " and the ",
                    html.A("limits of the model", href=get_relative_path("/model")),
                    ".",
                ]
            ),
        ],
        id="results",
        className="prose wide guide checked how-well",
    )


def headline(report: PredictionAccuracy) -> str:
    """Over all batches: in how many the prediction is within what is aimed at, or nearer than two real runs
    are to each other.
    """
    within_target = sum(row.median < TARGET_ERROR for row in report.rows)
    repeated = [row for row in report.rows if row.noise_median is not None]
    within_noise = sum(row.median <= row.noise_median for row in repeated)
    text = (
        f"In {within_target} of {theme.count(len(report.rows), 'batches')} the median error of a job's "
        f"finish is under {theme.percent(TARGET_ERROR)}"
    )
    return (
        f"{text}; in {within_noise} of {len(repeated)} it is not above the difference between two real runs."
        if repeated
        else f"{text}."
    )


def _results(report: PredictionAccuracy) -> list:
    facts = (
        ("Jobs predicted", f"{report.jobs:,}"),
        ("Batches", str(len(report.rows))),
        ("Median error", _range([row.median for row in report.rows])),
        ("Of a job's own time", _range([row.turnaround_median for row in report.rows])),
        ("Masters' own start-up known", _range([row.replay_median for row in report.rows])),
    )
    return [
        html.P(html.Strong(headline(report)), className="says"),
        html.Dl([html.Div([html.Dt(head), html.Dd(text)]) for head, text in facts], className="facts"),
        html.Div(
            [html.H2("Error of a job's finish"), card_menu("the errors", [_csv(report)])],
            className="paper-title",
        ),
        html.Dl(
            [html.Div([html.Dt(head), html.Dd(text)]) for head, text in COLUMN_HELP],
            className="how-well-reading",
        ),
        html.Div(
            _table(report),
            className="parameters",
            tabIndex="0",
            role="region",
            **{"aria-label": "Error of a job's finish"},
        ),
    ]


def _no_record() -> list:
    return [
        html.H2("Error of a job's finish"),
        html.P(
            "This version has no record of a real cluster yet: make cluster runs the batches and writes it.",
            className="quiet",
        ),
    ]


def _table(report: PredictionAccuracy) -> html.Table:
    """A row a batch and scheduler: the prediction beside the noise."""
    head = html.Tr([html.Th([title, html.Span(more)], scope="col") for title, more in COLUMNS])
    max_error = (
        max(
            share
            for row in report.rows
            for share in (row.median, row.again_median, row.noise_median)
            if share is not None
        )
        or 1.0
    )
    return html.Table([html.Thead(head), html.Tbody([_row(row, max_error) for row in report.rows])])


def _row(row: PredictedBatch, max_error: float) -> html.Tr:
    name = row.scheduler.partition("(")[0]
    is_good = row.median < TARGET_ERROR or (row.noise_median is not None and row.median <= row.noise_median)
    runs = f", {row.runs} runs" if row.runs > 1 else ""
    return html.Tr(
        [
            html.Th(
                [row.batch, html.Span([html.A(html.Code(name), href=policy_address(name)), runs])],
                scope="row",
            ),
            html.Td(
                [
                    html.Strong(theme.percent(row.median), className="better" if is_good else "worse"),
                    f"; {theme.percent(row.p90)}",
                    _bar(row.median, max_error),
                ]
            ),
            html.Td([_median_and_p90(row.again_median, row.again_p90), _bar(row.again_median, max_error)]),
            html.Td([_median_and_p90(row.noise_median, row.noise_p90), _bar(row.noise_median, max_error)]),
            html.Td(row.fitted_on),
            html.Td(f"{row.jobs:,}; {row.tasks:,}" if row.tasks else f"{row.jobs:,}"),
        ]
    )


def _bar(share: float | None, max_error: float) -> html.Span:
    """A median as a bar, the largest of the table as long as its cell."""
    return html.Span(
        className="how-well-bar",
        style={"width": f"{100 * (share or 0) / max_error:.1f}%"},
        **{"aria-hidden": "true"},
    )


def _csv(report: PredictionAccuracy) -> downloads.Entry:
    return downloads.table("how-well-it-predicts", FIELDS, report.rows)


def _median_and_p90(median: float | None, p90: float | None) -> str:
    return (
        theme.NO_VALUE if median is None or p90 is None else f"{theme.percent(median)}; {theme.percent(p90)}"
    )


def _list_section(head: str, lines: tuple[str, ...]) -> list:
    return [html.H2(head), html.Ul([html.Li(line) for line in lines])] if lines else []


def _range(shares: list[float | None]) -> str:
    shares = [share for share in shares if share is not None]
    if not shares:
        return theme.NO_VALUE
    low, high = theme.percent(min(shares)), theme.percent(max(shares))
    return low if low == high else f"{low} to {high}"
