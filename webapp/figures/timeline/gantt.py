"""The Gantt chart as exact bars: a path a colour, over them what was wasted, which attempts were speculative,
what is highlighted, and the names of jobs.
"""

from __future__ import annotations

import numpy as np

from engine import Run
from engine.dashboard import OUTCOMES, RUNNING
from webapp import theme
from webapp.figures.short_names import cut_names
from webapp.figures.timeline import svg
from webapp.figures.timeline.colouring import BY_PHASE, OWNER_COLOURS, Colouring
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.slices import Slices
from webapp.figures.timeline.time_scale import TimeScale
from webapp.messages import msg

MIN_CHARACTERS = 5  # of a name that is too long for its bar
MIN_PX = 0.5  # of a bar, however short
EDGE_PX = 4.0  # bars narrower than this on average get no edge, it would hide them
EDGE = 0.4
LABEL_ROW_PX = 13.0  # rows from this height on have room for letters
FRAME_ROW_PX = 9.0  # rows from this height on have room for a frame around what is highlighted
ARROW_PX = 5


def draw_bars(
    run: Run,
    slices: Slices,
    rows: Rows,
    time_scale: TimeScale,
    colouring: Colouring = BY_PHASE,
    any_highlighted: bool = False,
) -> str:
    """SVG of the slices, in px of the place's drawing and from the upper edge of the first row that is drawn.

    Classes: p-PHASE or g-NUMBER, tex-PHASE over the latter, dim around what is not highlighted, lit or, in
    low rows, plain around what is.
    """
    left, right = time_scale.x(slices.start), time_scale.x(slices.end)
    row_height = rows.row_px
    gap = min(1.6 / row_height, 0.2) * row_height
    top = (slices.row - rows.drawn[0]) * row_height + gap / 2
    edge = EDGE if len(left) and (right - left).mean() >= EDGE_PX and not any_highlighted else 0.0
    widths = np.maximum(right - left - 2 * edge, MIN_PX)

    def group(mask: np.ndarray) -> str:
        paths = [
            svg.box_path(left[chosen] + edge, top[chosen], widths[chosen], row_height - gap, kind)
            for kind, chosen in _class_masks(run, slices, mask, colouring)
        ]
        return "".join(paths)

    if any_highlighted:
        kind = "lit" if row_height >= FRAME_ROW_PX else "plain"
        drawn = (
            f'<g class="dim">{group(~slices.highlighted)}</g><g '
            f'class="{kind}">{group(slices.highlighted)}</g>'
        )
    else:
        drawn = group(np.ones(len(left), bool))
    speculative_frames = svg.box_path(
        left[slices.speculative] + edge,
        top[slices.speculative],
        widths[slices.speculative],
        row_height - gap,
        "p-speculative",
    )
    return (
        drawn
        + speculative_frames
        + _labels(run, slices, left, right, top + (row_height - gap) / 2, rows, time_scale, colouring)
        + _deadlock_arrows(run, slices, right, top, row_height - gap)
    )


def _class_masks(
    run: Run, slices: Slices, mask: np.ndarray, colouring: Colouring
) -> list[tuple[str, np.ndarray]]:
    """Pairs of class and bool[slices], in the order in which they are painted."""
    masks: list[tuple[str, np.ndarray]] = []
    wasted = slices.wasted
    alive, lost_work = mask & ~wasted, mask & wasted
    if colouring.owner_colour is None:
        masks += [
            (f"p-{phase.key}", alive & (slices.phase == number)) for number, phase in enumerate(theme.PHASES)
        ]
        masks += [
            (msg("figures.gantt.p_wasted", key=phase.key), lost_work & (slices.phase == number))
            for number, phase in enumerate(theme.PHASES)
        ]
    else:
        group = colouring.owner_colour[run.containers.job[slices.container]]
        for number in range(len(OWNER_COLOURS)):
            owned = mask & (group == number)
            masks += [
                (f"g-{number}", owned & ~wasted),
                (msg("figures.gantt.g_wasted", number=number), owned & wasted),
            ]
        masks += [
            (f"tex-{phase.key}", alive & (slices.phase == number))
            for number, phase in enumerate(theme.PHASES)
            if phase.key != "map"
        ]
    return [
        *masks,
        *(
            (f"p-{phase.key}", mask & (slices.outcome == OUTCOMES.index(phase.key)))
            for phase in theme.WASTED_OUTCOMES
        ),
    ]


def _labels(
    run: Run,
    slices: Slices,
    left: np.ndarray,
    right: np.ndarray,
    middle: np.ndarray,
    rows: Rows,
    time_scale: TimeScale,
    colouring: Colouring,
) -> str:
    """The job's name in what is seen of its bars, unless the last bar with a name left of it in the row says
    the same.
    """
    if rows.row_px < LABEL_ROW_PX:
        return ""
    names, jobs = tuple(run.workload.job_names), run.containers.job[slices.container]
    visible_left = np.maximum(left, time_scale.window_px[0])
    room = (
        np.where(left < time_scale.window_px[1], np.minimum(right, time_scale.window_px[1]) - visible_left, 0)
        - 8
    )
    fits = room / svg.LETTER_PX >= np.minimum([len(name) for name in names], MIN_CHARACTERS)[jobs]
    order = np.lexsort((slices.start, slices.row))
    order = order[(fits & slices.highlighted & ~slices.wasted)[order]]
    repeated = (slices.row[order][1:] == slices.row[order][:-1]) & (jobs[order][1:] == jobs[order][:-1])
    labels = []
    for bar in order[np.concatenate([[True], ~repeated])[: len(order)]].tolist():
        words = cut_names(names, int(room[bar] / svg.LETTER_PX))[jobs[bar]]
        phase = theme.PHASES[slices.phase[bar]].key
        kind = (
            f"on-{phase}"
            if colouring.owner_colour is None or phase == "master"
            else "word"
            if phase == "waiting"
            else f"on-g-{colouring.owner_colour[jobs[bar]]}"
        )
        labels.append(svg.text_element(visible_left[bar] + 4, middle[bar] + 4, words, kind))
    return f'<g class="labels">{"".join(labels)}</g>' if labels else ""


def _deadlock_arrows(run: Run, slices: Slices, right: np.ndarray, top: np.ndarray, height: float) -> str:
    """An arrow at the end of each container that still runs in a deadlock."""
    last = np.flatnonzero((run.containers.outcome[slices.container] == RUNNING) & (slices.end == run.at_ms))
    arrows = "".join(
        msg(
            "figures.gantt.m_l_l_z", right=right[bar], top=top[bar] + height / 2 - ARROW_PX, arrow_px=ARROW_PX
        )
        for bar in last.tolist()
    )
    return svg.path_element(arrows, "open-end") if arrows else ""
