"""Jobs that were refused, on the rows of jobs: a word where each was submitted, for its row has no bar."""

from __future__ import annotations

from html import escape

import numpy as np

from engine.dashboard import refusal_reasons
from webapp.figures.timeline import svg
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.time_scale import TimeScale
from webapp.messages import msg

MIN_ROW_PX = 12
WORD = "refused"
BASELINE_PX = 4  # of a word below the middle of its row


def draw_marks(scene: Scene, row_layout: Rows, time_scale: TimeScale) -> str:
    """SVG of the words, from the upper edge of the first row that is drawn; none where rows are not of
    single jobs, or are lower than a word.
    """
    if row_layout.options.by != "job" or row_layout.row_px < MIN_ROW_PX:
        return ""
    first, count = row_layout.drawn
    words = []
    for job, because in refusal_reasons(scene.run).items():
        row, arrival = int(row_layout.first[job]) - first, scene.run.jobs.arrival[job]
        if 0 <= row < count and time_scale.drawn[0] <= arrival <= time_scale.drawn[1]:
            x = min(float(time_scale.x(np.array(arrival))), time_scale.px - svg.LETTER_PX * len(WORD))
            word = svg.text_element(x, (row + 0.5) * row_layout.row_px + BASELINE_PX, WORD, "word")
            title = escape(msg("shared.refused", because=because))
            words.append(f"<g><title>{title}</title>{word}</g>")
    return "".join(words)


def refusal_at(scene: Scene, row_layout: Rows, job_name: str, ms: float) -> str:
    """What the pointer is told of a job that had been refused by then, in a row of jobs; "" of any other."""
    if row_layout.options.by != "job":
        return ""
    job = scene.run.workload.job_names.index(job_name)
    because = refusal_reasons(scene.run).get(job)
    return msg("shared.refused", because=because) if because and ms >= scene.run.jobs.arrival[job] else ""
