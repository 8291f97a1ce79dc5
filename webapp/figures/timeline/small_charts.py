"""Two runs of one small scenario as Gantt charts, one under the other on one time axis."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Run
from webapp.figures.timeline import standalone
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.run_chart import full_window
from webapp.figures.timeline.scene import Scene

NARROW_PX = 480


def case_charts(
    runs: Sequence[Run], names: Sequence[str], abouts: Sequence[str], *, dark: bool = False, width: int = 700
) -> list[str]:
    """An address of a picture a run, on the same rows and times. names: what stands over each; abouts: what
    each shows; width: px.
    """
    window = full_window(runs)
    scenes = [Scene(run) for run in runs]
    row_layout = standalone.with_full_height(rows(scenes))
    left = 62 if width < NARROW_PX else 92
    cases = zip(scenes, names, abouts, strict=True)
    return [
        standalone.svg_data_url(
            standalone.draw_run(
                scene,
                None,
                row_layout,
                window,
                title=name,
                about=text,
                legend=False,
                width=width,
                left=left,
                dark=dark,
            ),
            dark,
        )
        for scene, name, text in cases
    ]
