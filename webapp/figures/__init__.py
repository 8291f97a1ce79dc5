"""Run -> plotly figure as a plain dict; pure, no dash.

May import: theme.
"""

from webapp.figures.charts.finish_times import finish_figure, interval_figure
from webapp.figures.descriptions import describe
from webapp.figures.timeline.rows import AS_USUAL, BY, SORTS, Rows, Wanted, rows
from webapp.figures.timeline.run_chart import run_chart, whole
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.small import case_charts

__all__ = [
    "AS_USUAL", "BY", "SORTS", "Rows", "Scene", "Wanted", "case_charts", "describe", "finish_figure", "interval_figure", "rows", "run_chart", "whole",
]  # fmt: skip
