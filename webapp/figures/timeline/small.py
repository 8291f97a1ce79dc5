"""Two runs of one small scenario as Gantt charts, one under the other on one time axis."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Run
from webapp.figures.frame import Panel, frame, margin
from webapp.figures.plotly_arrays import escaped
from webapp.figures.timeline.gantt import bars, open_ends
from webapp.figures.timeline.row_labels import axis
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.run_chart import CHARACTER_PX, whole
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.slices import slices


def case_figure(runs: Sequence[Run], names: Sequence[str], *, dark: bool = False, width: int = 700) -> dict:
    """A figure dict; names: what stands over each chart; width: pixels, margins included. It can't be zoomed, so that a page of it scrolls."""
    window, sides = whole(list(runs)), margin(width)
    plot = max(width - sides["l"] - sides["r"], 1)
    scenes = [Scene(run) for run in runs]
    of = rows(scenes)
    panels = []
    for run, scene, name in zip(runs, scenes, names, strict=True):
        every = slices(scene, of)
        traces = bars(run, every, of, (window[1] - window[0]) / plot, False, dark) + open_ends(run, every, dark)
        labels = axis(of, int((sides["l"] - 8) / CHARACTER_PX))
        panels.append(Panel(escaped(name), of.px, traces, labels))
    figure = frame(panels, window, sides, dark)
    figure["layout"] |= {"dragmode": False}
    figure["layout"]["xaxis"] |= {"fixedrange": True, "nticks": max(plot // 70, 3)}
    return figure
