"""Run -> plotly figure as a plain dict; pure, no dash here."""

from webapp.figures.case import case_figure
from webapp.figures.compare import finish_figure, interval_figure
from webapp.figures.describe import describe
from webapp.figures.rows import AS_USUAL, BY, SORTS, Rows, Wanted, rows
from webapp.figures.scene import Scene
from webapp.figures.story import run_figure, whole

__all__ = [
    "AS_USUAL", "BY", "SORTS", "Rows", "Scene", "Wanted", "case_figure", "describe", "finish_figure", "interval_figure", "rows", "run_figure", "whole",
]  # fmt: skip
