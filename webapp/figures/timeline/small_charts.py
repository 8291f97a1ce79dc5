"""Runs of one small scenario as Gantt charts, one under the other on one time axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine import Run
from webapp.figures.timeline import standalone
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.run_chart import full_window
from webapp.figures.timeline.scene import Scene

NARROW_PX = 480


class TimeMark(NamedTuple):
    """A line across the chart of the run at `place`, at a time in ms, with what it says."""

    place: int
    at_ms: int
    text: str


def case_charts(
    runs: Sequence[Run],
    names: Sequence[str],
    abouts: Sequence[str],
    *,
    dark: bool = False,
    width: int = 700,
    mark: TimeMark | None = None,
) -> list[str]:
    """An address of a picture a run, on the same rows and times. names: what stands over each; abouts: what
    each shows; width: px; mark: the time axis reaches beyond it.
    """
    window = full_window(runs)
    if mark:
        beyond = round(standalone.MARK_MARGIN * (mark.at_ms - window[0]))
        window = window[0], max(window[1], mark.at_ms + beyond)
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
                mark=(mark.at_ms, mark.text) if mark and mark.place == place else None,
            ),
            dark,
        )
        for place, (scene, name, text) in enumerate(cases)
    ]
