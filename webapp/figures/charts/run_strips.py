"""Two runs one above the other: a small Gantt picture of each, on the same rows and the same time axis."""

from __future__ import annotations

from webapp import theme
from webapp.figures.frame import Panel, frame, margin
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.timeline import raster
from webapp.figures.timeline.rows import Rows, rows
from webapp.figures.timeline.run_chart import whole
from webapp.figures.timeline.scene import Scene

STRIP_PX = 150
ROW_PX = 14
CHARACTER_PX = 7


def strips_figure(a: Scene, b: Scene, *, dark: bool = False, width: int = 700) -> dict:
    """a on top of b; a row is the same lane of the same node in both."""
    window = whole((a.run, b.run))
    sides = margin(width)
    plot = max(width - sides["l"] - sides["r"], 1)
    of = rows((a, b))
    of = of._replace(px=-(-of.count // -(-of.count // STRIP_PX)) if of.count > STRIP_PX else of.count * min(STRIP_PX // of.count, ROW_PX))
    panels, images = [], []
    for number, scene in enumerate((a, b)):
        images.append(_image(scene, of, window, plot, dark) | {"yref": "y2" if number else "y"})
        top, bottom = of.range
        axis = {"range": [bottom, top], "showticklabels": False, "title": {"text": "nodes", "standoff": 4, "font": {"size": 12}}}
        title = escaped(shortened(scene.run.scheduler, int(plot / CHARACTER_PX)))
        panels.append(Panel(title, of.px, [], axis))
    panels[0] = panels[0]._replace(traces=_keys(a.legend | b.legend, dark))
    figure = frame(panels, window, sides, dark)
    figure["layout"]["images"] = images
    figure["layout"]["xaxis"]["fixedrange"] = True
    return figure


def _image(scene: Scene, of: Rows, window: tuple[int, int], plot: int, dark: bool) -> dict:
    """An entry of layout.images: all of a run."""
    source, first, until = raster.picture(scene, of, window, plot, dark)
    place = {"xref": "x", "x": window[0] / 1000, "y": first - 0.5, "sizex": (window[1] - window[0]) / 1000, "sizey": until - first}
    return place | {"source": source, "xanchor": "left", "yanchor": "top", "sizing": "stretch", "layer": "above"}


def _keys(sometimes: frozenset[str], dark: bool) -> list[dict]:
    """Bars of nothing, for the legend alone."""
    phases = [*theme.legend(sometimes, theme.PHASES), *(one for one in theme.WASTES if one.key in sometimes)]
    found = []
    for phase in phases:
        marker: dict = {"color": phase.colour(dark)}
        if phase.hatch:
            marker["pattern"] = {"shape": phase.hatch, "fgcolor": theme.hatching(phase.key, dark), "bgcolor": phase.colour(dark), "size": 6, "solidity": 0.2}
        found.append({"type": "bar", "x": [None], "y": [None], "name": phase.title, "showlegend": True, "marker": marker, "hoverinfo": "skip"})
    return found
