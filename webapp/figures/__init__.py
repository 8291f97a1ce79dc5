"""Run -> plotly figure as a plain dict; pure, no dash.

May import: messages, theme.
"""

from webapp.figures.charts.finish_times import finish_figure, interval_figure
from webapp.figures.descriptions import describe
from webapp.figures.timeline.rows import DEFAULT_OPTIONS, GROUPINGS, SORTS, RowOptions, Rows, rows
from webapp.figures.timeline.run_chart import full_window, run_chart
from webapp.figures.timeline.run_so_far import run_so_far
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.small_charts import TimeMark, case_charts

__all__ = [
    "DEFAULT_OPTIONS",
    "GROUPINGS",
    "SORTS",
    "Rows",
    "Scene",
    "RowOptions",
    "TimeMark",
    "case_charts",
    "describe",
    "finish_figure",
    "interval_figure",
    "rows",
    "run_chart",
    "run_so_far",
    "full_window",
]
