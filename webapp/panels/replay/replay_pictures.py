"""The charts of a replay as cards: simulated against measured, each job's error, and what explains them."""

from __future__ import annotations

from collections.abc import Collection

from dash import html

from engine import Prediction, ReplayErrors
from webapp import theme
from webapp.figures.charts.job_errors import MAX_ROWS, errors_figure
from webapp.figures.charts.measured_scatter import scatter_figure
from webapp.figures.charts.replay_variants import VariantError, variants_figure
from webapp.panels.compare.chart_card import Picture, card
from webapp.panels.replay import job_table, replay_text

SCATTER, ERRORS, VARIANTS = "replay-scatter", "replay-errors", "replay-variants"


def pictures(
    prediction: Prediction, errors: ReplayErrors, highlighted: Collection[str], dark: bool, width: int
) -> list[html.Article]:
    """The cards of the jobs; highlighted: names of the selected ones; width: px of a card."""
    return [
        card(_scatter(prediction, errors, highlighted, dark, width)),
        card(_errors(errors, highlighted, dark, width)),
    ]


def _table(errors: ReplayErrors) -> list[dict]:
    return [dict(zip(job_table.CSV_COLUMNS, row)) for row in job_table.rows(errors)]


def _scatter(
    prediction: Prediction, errors: ReplayErrors, highlighted: Collection[str], dark: bool, width: int
) -> Picture:
    low, high = prediction.turnaround_band.low, prediction.turnaround_band.high
    band = (low, high) if prediction.turnaround_band.of else None
    share = (
        f"{'80 % of the' if prediction.turnaround_band.of >= replay_text.MIN_JOBS_FOR_80_PERCENT else 'all'} "
        "jobs held out"
    )
    figure = scatter_figure(
        errors.rows, band=band, band_title=share.capitalize(), highlighted=highlighted, dark=dark, width=width
    )
    count = theme.count(len(errors.rows), "jobs")
    median_text, p90_text = _percent(errors.turnaround_median), _percent(errors.turnaround_p90)
    story = (
        f"From submission to finish, half of {count} are within {median_text} of what was measured, 90 % "
        f"within {p90_text}."
    )
    story += (
        f" For {share} it was measured as {theme.percent(low)} to {theme.percent(high)} of what is simulated."
        if band
        else ""
    )
    reading = (
        "On the dashed line a job takes as long as it was measured to; the line to it is its error. Click "
        "a job to highlight it in every chart."
    )
    return Picture(
        SCATTER, "Does a job take as long as it was measured to?", reading, story, figure, _table(errors)
    )


def _percent(share: float | None) -> str:
    return theme.NO_VALUE if share is None else theme.percent(share)


def _errors(errors: ReplayErrors, highlighted: Collection[str], dark: bool, width: int) -> Picture:
    figure = errors_figure(
        errors.rows, median=errors.median, p90=errors.p90, highlighted=highlighted, dark=dark, width=width
    )
    early = sum(row.error < 0 for row in errors.rows)
    late = sum(row.error > 0 for row in errors.rows)
    truncation_note = f" Drawn are the {MAX_ROWS} worst." if len(errors.rows) > MAX_ROWS else ""
    story = (
        f"{theme.count(early, 'jobs')} simulated too early, {theme.count(late, 'jobs')} too "
        f"late.{truncation_note}"
    )
    reading = (
        "A bar is a job, the largest errors on top; counted from the first submission. Half of the jobs "
        "are within the darker shade, 90 % within the lighter."
    )
    return Picture(ERRORS, "Which jobs are worst explained?", reading, story, figure, _table(errors))


def variants(prediction: Prediction, dark: bool, width: int) -> html.Article:
    """The card of what each part of the record brings."""
    rows = [
        VariantError(variant.title, variant.judged.median, variant.judged.p90)
        for variant in prediction.variants
        if variant.judged.median is not None
    ]
    story = "; ".join(
        f"{variant.title}: {theme.percent(variant.median)} in the median, {theme.percent(variant.p90)} at "
        "90 %"
        for variant in rows
    )
    table = [
        {
            "Simulated with": variant.title,
            "Median error (%)": round(100 * variant.median, 3),
            "At 90 % (%)": round(100 * variant.p90, 3),
        }
        for variant in rows
    ]
    reading = (
        "The same jobs, each time with one thing more taken from the record. A bar is the median error of "
        "a job's finish, the mark is where 90 % are within."
    )
    return card(
        Picture(
            VARIANTS,
            "What does the simulation need to know?",
            reading,
            f"{story}.",
            variants_figure(rows, dark=dark, width=width),
            table,
        )
    )
