"""Two runs one above the other: a small Gantt picture of each, on the same rows and the same time axis."""

from __future__ import annotations

from engine.dashboard import display_name
from webapp import theme
from webapp.figures.frame import Panel, frame, margin
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.timeline import raster
from webapp.figures.timeline.rows import Rows, rows
from webapp.figures.timeline.run_chart import full_window
from webapp.figures.timeline.scene import Scene

STRIP_PX = 150
ROW_PX = 14
CHARACTER_PX = 7


def strips_figure(a: Scene, b: Scene, *, dark: bool = False, width: int = 700) -> dict:
    """a on top of b; a row is the same lane of the same node in both."""
    window = full_window((a.run, b.run))
    sides = margin(width)
    plot = max(width - sides["l"] - sides["r"], 1)
    row_layout = rows((a, b))
    row_layout = row_layout._replace(
        px=-(-row_layout.row_count // -(-row_layout.row_count // STRIP_PX))
        if row_layout.row_count > STRIP_PX
        else row_layout.row_count * min(STRIP_PX // row_layout.row_count, ROW_PX)
    )
    panels, images = [], []
    for number, scene in enumerate((a, b)):
        images.append(_image(scene, row_layout, window, plot, dark) | {"yref": "y2" if number else "y"})
        top, bottom = row_layout.range
        axis = {
            "range": [bottom, top],
            "showticklabels": False,
            "title": {"text": "nodes", "standoff": 4, "font": {"size": 12}},
        }
        title = escaped(shortened(display_name(scene.run.scheduler), int(plot / CHARACTER_PX)))
        panels.append(Panel(title, row_layout.px, [], axis))
    panels[0] = panels[0]._replace(traces=_legend_traces(a.legend | b.legend, dark))
    figure = frame(panels, window, sides, dark)
    figure["layout"]["images"] = images
    figure["layout"]["xaxis"]["fixedrange"] = True
    return figure


def _image(scene: Scene, row_layout: Rows, window: tuple[int, int], plot: int, dark: bool) -> dict:
    """An entry of layout.images: all of a run."""
    source, first, until = raster.draw_picture(scene, row_layout, window, plot, dark)
    place = {
        "xref": "x",
        "x": window[0] / 1000,
        "y": first - 0.5,
        "sizex": (window[1] - window[0]) / 1000,
        "sizey": until - first,
    }
    return place | {
        "source": source,
        "xanchor": "left",
        "yanchor": "top",
        "sizing": "stretch",
        "layer": "above",
    }


def _legend_traces(sometimes: frozenset[str], dark: bool) -> list[dict]:
    """Bars of nothing, for the legend alone."""
    phases = [
        *theme.legend(sometimes, theme.PHASES),
        *(phase for phase in theme.WASTED_OUTCOMES if phase.key in sometimes),
    ]
    traces = []
    for phase in phases:
        marker: dict = {"color": phase.colour(dark)}
        if phase.hatch:
            marker["pattern"] = {
                "shape": phase.hatch,
                "fgcolor": theme.hatch_colour(phase.key, dark),
                "bgcolor": phase.colour(dark),
                "size": 6,
                "solidity": 0.2,
            }
        traces.append(
            {
                "type": "bar",
                "x": [None],
                "y": [None],
                "name": phase.title,
                "showlegend": True,
                "marker": marker,
                "hoverinfo": "skip",
            }
        )
    return traces
