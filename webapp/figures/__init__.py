"""Run -> plotly figure as a plain dict; pure, no dash here."""

from webapp.figures.case import case_figure
from webapp.figures.compare import finish_figure, interval_figure
from webapp.figures.describe import describe
from webapp.figures.rows import shared_rows
from webapp.figures.story import run_figure, whole

__all__ = ["case_figure", "describe", "finish_figure", "interval_figure", "run_figure", "shared_rows", "whole"]
