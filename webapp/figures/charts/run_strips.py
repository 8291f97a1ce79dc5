"""Two runs one above the other: a small Gantt picture of each, on the same rows and the same time axis."""

from __future__ import annotations

from engine.dashboard import display_name
from webapp import theme
from webapp.figures.frame import Panel, frame, margin
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.timeline import raster
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.run_chart import full_window
from webapp.figures.timeline.scene import Scene
from webapp.figures.traces import UNTOLD, image, phase_marker

STRIP_PX = 150
ROW_PX = 14
CHARACTER_PX = 7


def strips_figure(a: Scene, b: Scene, *, dark: bool = False, width: int = 700) -> dict:
    """a on top of b; a row is the same lane of the same node in both."""
    window = full_window((a.run, b.run))
    sides = margin(width)
    plot = max(width - sides["l"] - sides["r"], 1)
    row_layout = rows((a, b))
    count = row_layout.row_count
    px = -(-count // -(-count // STRIP_PX)) if count > STRIP_PX else count * min(STRIP_PX // count, ROW_PX)
    row_layout = row_layout._replace(px=px)
    top, bottom = row_layout.range
    title = {"text": "nodes", "standoff": 4, "font": {"size": 12}}
    axis = {"range": [bottom, top], "showticklabels": False, "title": title}
    panels = []
    for scene in (a, b):
        name = escaped(shortened(display_name(scene.run.scheduler), int(plot / CHARACTER_PX)))
        source, first, until = raster.draw_picture(scene, row_layout, window, plot, dark)
        span_s = (window[1] - window[0]) / 1000
        picture = image(source, window[0] / 1000, first - 0.5, span_s, until - first)
        panels.append(Panel(name, px, [], axis, images=(picture,)))
    panels[0] = panels[0]._replace(traces=_legend_traces(a.legend | b.legend, dark))
    figure = frame(panels, window, sides, dark)
    figure["layout"]["xaxis"]["fixedrange"] = True
    return figure


def _legend_traces(sometimes: frozenset[str], dark: bool) -> list[dict]:
    """Bars of nothing, for the legend alone."""
    wasted = [phase for phase in theme.WASTED_OUTCOMES if phase.key in sometimes]
    nothing = UNTOLD | {"type": "bar", "x": [None], "y": [None], "showlegend": True}
    return [
        nothing | {"name": phase.title, "marker": phase_marker(phase, dark)}
        for phase in [*theme.legend(sometimes, theme.PHASES), *wasted]
    ]
