"""The charts of a replay as cards: simulated against measured, each job's error, and what explains them."""

from __future__ import annotations

from collections.abc import Collection

from dash import html

from engine import quantities
from engine.dashboard import Prediction, ReplayErrors
from webapp.figures.charts.job_errors import MAX_ROWS, errors_figure
from webapp.figures.charts.measured_scatter import scatter_figure
from webapp.figures.charts.replay_variants import VariantError, variants_figure
from webapp.messages import msg
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
    share = msg(
        "panels.replay_pictures.jobs_held_out",
        value="80 % of the"
        if prediction.turnaround_band.of >= replay_text.MIN_JOBS_FOR_80_PERCENT
        else "all",
    )
    figure = scatter_figure(
        errors.rows, band=band, band_title=share.capitalize(), highlighted=highlighted, dark=dark, width=width
    )
    count = quantities.count(len(errors.rows), "jobs")
    median_text, p90_text = _percent(errors.turnaround_median), _percent(errors.turnaround_p90)
    story = msg(
        "panels.replay_pictures.from_submission_to_finish_half_within",
        count=count,
        median_text=median_text,
        p90_text=p90_text,
    )
    story += (
        msg(
            "panels.replay_pictures.for_measured_time_to_simulated_one",
            share=share,
            percent=quantities.percent(low),
            percent2=quantities.percent(high),
        )
        if band
        else ""
    )
    reading = msg("panels.replay_pictures.on_dashed_line_job_takes_as")
    return Picture(
        SCATTER,
        msg("panels.replay_pictures.does_job_take_as_long_as"),
        reading,
        story,
        figure,
        _table(errors),
    )


def _percent(share: float | None) -> str:
    return quantities.NO_VALUE if share is None else quantities.percent(share)


def _errors(errors: ReplayErrors, highlighted: Collection[str], dark: bool, width: int) -> Picture:
    figure = errors_figure(
        errors.rows, median=errors.median, p90=errors.p90, highlighted=highlighted, dark=dark, width=width
    )
    early = sum(row.error < 0 for row in errors.rows)
    late = sum(row.error > 0 for row in errors.rows)
    truncation_note = (
        msg("panels.replay_pictures.chart_shows_worst", max_rows=MAX_ROWS)
        if len(errors.rows) > MAX_ROWS
        else ""
    )
    story = msg(
        "panels.replay_pictures.simulated_too_early_too_late",
        count=quantities.count(early, "jobs"),
        count2=quantities.count(late, "jobs"),
        truncation_note=truncation_note,
    )
    reading = msg("panels.replay_pictures.bar_job_largest_errors_on_top")
    return Picture(
        ERRORS,
        msg("panels.replay_pictures.which_jobs_have_largest_errors"),
        reading,
        story,
        figure,
        _table(errors),
    )


def variants(prediction: Prediction, dark: bool, width: int) -> html.Article:
    """The card of what each part of the record brings."""
    rows = [
        VariantError(variant.title, variant.judged.median, variant.judged.p90)
        for variant in prediction.variants
        if variant.judged.median is not None and variant.judged.p90 is not None
    ]
    story = "; ".join(
        msg(
            "panels.replay_pictures.in_median_at",
            title=variant.title,
            percent=quantities.percent(variant.median),
            percent2=quantities.percent(variant.p90),
        )
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
    reading = msg("panels.replay_pictures.same_jobs_each_time_with_one")
    return card(
        Picture(
            VARIANTS,
            msg("panels.replay_pictures.what_does_simulation_need_to_know"),
            reading,
            f"{story}.",
            variants_figure(rows, dark=dark, width=width),
            table,
        )
    )
