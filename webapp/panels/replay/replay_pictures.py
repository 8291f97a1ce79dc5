"""The charts of a replay as cards: simulated against measured, each job's error, and what explains them."""

from __future__ import annotations

from collections.abc import Collection

from dash import html

from engine import Errors, Prediction
from webapp import theme
from webapp.figures.charts.job_errors import MOST_ROWS, errors_figure
from webapp.figures.charts.measured_scatter import scatter_figure
from webapp.figures.charts.replay_variants import VariantError, variants_figure
from webapp.panels.compare.chart_card import Picture, card
from webapp.panels.replay import job_table

SCATTER, ERRORS, VARIANTS = "replay-scatter", "replay-errors", "replay-variants"


def pictures(of: Prediction, errors: Errors, highlighted: Collection[str], dark: bool, width: int) -> list[html.Article]:
    """The cards; highlighted: names of the selected jobs; width: px of one."""
    return [card(_scatter(of, errors, highlighted, dark, width)), card(_errors(errors, highlighted, dark, width)), card(_variants(of, dark, width))]


def _table(errors: Errors) -> list[dict]:
    return [dict(zip(job_table.HEADS, row)) for row in job_table.rows(errors)]


def _scatter(of: Prediction, errors: Errors, highlighted: Collection[str], dark: bool, width: int) -> Picture:
    band = (of.band.low, of.band.high) if of.band.of else None
    share = "80 % of the jobs held out" if of.band.of >= 10 else "All jobs held out"
    figure = scatter_figure(errors.rows, band=band, band_title=share, highlighted=highlighted, dark=dark, width=width)
    within = sum(of.band.low <= row.measured_s / row.simulated_s <= of.band.high for row in errors.rows if row.simulated_s) if band else 0
    story = f"{within:,} of {theme.count(len(errors.rows), 'jobs')} {'is' if within == 1 else 'are'} within the band." if band else ""
    reading = "On the dashed line a job finishes as it was measured; its distance from it is the error. Click a job to highlight it in every chart."
    return Picture(SCATTER, "Does it finish when it was measured to?", reading, story, figure, _table(errors))


def _errors(errors: Errors, highlighted: Collection[str], dark: bool, width: int) -> Picture:
    figure = errors_figure(errors.rows, median=errors.median, p90=errors.p90, highlighted=highlighted, dark=dark, width=width)
    early = sum(row.error < 0 for row in errors.rows)
    late = sum(row.error > 0 for row in errors.rows)
    some = f" Drawn are the {MOST_ROWS} worst." if len(errors.rows) > MOST_ROWS else ""
    story = f"{theme.count(early, 'jobs')} simulated too early, {theme.count(late, 'jobs')} too late.{some}"
    reading = "A bar is a job, the worst explained first. Half of all jobs are within the darker shade, 90 % within the lighter one."
    return Picture(ERRORS, "Which jobs are worst explained?", reading, story, figure, _table(errors))


def _variants(of: Prediction, dark: bool, width: int) -> Picture:
    rows = [VariantError(one.title, one.median, one.p90) for one in of.variants]
    story = "; ".join(f"{one.title}: {theme.percent(one.median)}, {theme.percent(one.p90)}" for one in rows)
    table = [{"Simulated with": one.title, "Median error (%)": round(100 * one.median, 3), "At 90 % (%)": round(100 * one.p90, 3)} for one in rows]
    reading = "The same jobs, each time with one thing more taken from the record. A bar is the median error of a job's finish, the mark is where 90 % are within."
    return Picture(VARIANTS, "What does the simulation need to know?", reading, f"{story}.", variants_figure(rows, dark=dark, width=width), table)
