"""The charts of a replay as cards: simulated against measured, each job's error, and what explains them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from dash import html

from engine import quantities
from engine.dashboard import Prediction, ReplayErrors, replayed_noun
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
        card(_errors(prediction, errors, highlighted, dark, width)),
    ]


def _table(errors: ReplayErrors) -> list[dict]:
    return [dict(zip(job_table.CSV_COLUMNS, row)) for row in job_table.rows(errors)]


def _scatter(
    prediction: Prediction, errors: ReplayErrors, highlighted: Collection[str], dark: bool, width: int
) -> Picture:
    judged = prediction.turnaround_band
    band = (judged.low, judged.high) if judged.of else None
    share = "80 % of the" if judged.of >= replay_text.MIN_JOBS_FOR_80_PERCENT else "all"
    nouns = replayed_noun(prediction.scenario)
    share = msg("panels.replay_pictures.jobs_held_out", value=share, nouns=nouns)
    story = msg(
        "panels.replay_pictures.from_submission_to_finish_half_within",
        count=quantities.count(len(errors.rows), nouns),
        median_text=_percent(errors.turnaround_median),
        p90_text=_percent(errors.turnaround_p90),
    )
    if band:
        story += msg(
            "panels.replay_pictures.for_measured_time_to_simulated_one",
            share=share,
            percent=quantities.percent(judged.low),
            percent2=quantities.percent(judged.high),
        )
    look: dict[str, Any] = {"highlighted": highlighted, "dark": dark, "width": width}
    return Picture(
        SCATTER,
        msg("panels.replay_pictures.does_job_take_as_long_as"),
        msg("panels.replay_pictures.on_dashed_line_job_takes_as"),
        story,
        scatter_figure(errors.rows, band=band, band_title=share.capitalize(), **look),
        _table(errors),
    )


def _percent(share: float | None) -> str:
    return quantities.NO_VALUE if share is None else quantities.percent(share)


def _errors(
    prediction: Prediction, errors: ReplayErrors, highlighted: Collection[str], dark: bool, width: int
) -> Picture:
    nouns = replayed_noun(prediction.scenario)
    is_cut = len(errors.rows) > MAX_ROWS
    story = msg(
        "panels.replay_pictures.simulated_too_early_too_late",
        count=quantities.count(sum(row.error < 0 for row in errors.rows), nouns),
        count2=quantities.count(sum(row.error > 0 for row in errors.rows), nouns),
        truncation_note=msg("panels.replay_pictures.chart_shows_worst", max_rows=MAX_ROWS) if is_cut else "",
    )
    look: dict[str, Any] = {"highlighted": highlighted, "dark": dark, "width": width}
    return Picture(
        ERRORS,
        msg("panels.replay_pictures.which_jobs_have_largest_errors"),
        msg("panels.replay_pictures.bar_job_largest_errors_on_top"),
        story,
        errors_figure(errors.rows, median=errors.median, p90=errors.p90, **look),
        _table(errors),
    )


def variants(prediction: Prediction, dark: bool, width: int) -> html.Article:
    """The card of what each part of the record brings."""
    rows = []
    for variant in prediction.variants:
        errors = variant.judged if prediction.held_out.rows else variant.all_jobs
        if errors.median is not None and errors.p90 is not None:
            rows.append(VariantError(variant.title, errors.median, errors.p90))
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
    picture = Picture(
        VARIANTS,
        msg("panels.replay_pictures.what_does_simulation_need_to_know"),
        msg("panels.replay_pictures.same_jobs_each_time_with_one"),
        f"{story}.",
        variants_figure(rows, dark=dark, width=width),
        table,
    )
    return card(picture)
