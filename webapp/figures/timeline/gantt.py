"""The Gantt chart as exact bars: a path a colour, over them what was wasted, which attempts were speculative, what is highlighted, and the names of jobs."""

from __future__ import annotations

import numpy as np

from engine import OUTCOMES, RUNNING, Run
from webapp import theme
from webapp.figures.short_names import cut_names
from webapp.figures.timeline import svg
from webapp.figures.timeline.colouring import KINDS, PHASE, Colouring
from webapp.figures.timeline.place import Place
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.slices import Slices

LEAST_CHARACTERS = 5  # of a name that is too long for its bar
LEAST_PX = 0.5  # of a bar, however short
EDGE_PX = 4.0  # bars narrower than this on average get no edge, it would hide them
EDGE = 0.4
LETTERED_PX = 13.0  # rows from this height on have room for letters
FRAMED_PX = 9.0  # rows from this height on have room for a frame around what is highlighted
ARROW_PX = 5


def bars(run: Run, slices: Slices, rows: Rows, place: Place, colouring: Colouring = PHASE, any_highlighted: bool = False) -> str:
    """SVG of the slices, in px of the place's drawing and from the upper edge of the first row that is drawn.

    Classes: p-PHASE or g-NUMBER, tex-PHASE over the latter, dim around what is not highlighted, lit or, in low rows, plain around what is.
    """
    left, right = place.x(slices.start), place.x(slices.end)
    high = rows.row_px
    gap = min(1.6 / high, 0.2) * high
    top = (slices.row - rows.drawn[0]) * high + gap / 2
    edge = EDGE if len(left) and (right - left).mean() >= EDGE_PX and not any_highlighted else 0.0
    wide = np.maximum(right - left - 2 * edge, LEAST_PX)

    def group(mask: np.ndarray) -> str:
        found = [svg.boxes(left[some] + edge, top[some], wide[some], high - gap, kind) for kind, some in _kinds(run, slices, mask, colouring)]
        return "".join(found)

    if any_highlighted:
        kind = "lit" if high >= FRAMED_PX else "plain"
        drawn = f'<g class="dim">{group(~slices.highlighted)}</g><g class="{kind}">{group(slices.highlighted)}</g>'
    else:
        drawn = group(np.ones(len(left), bool))
    beside = svg.boxes(left[slices.speculative] + edge, top[slices.speculative], wide[slices.speculative], high - gap, "p-speculative")
    return drawn + beside + _labels(run, slices, left, right, top + (high - gap) / 2, rows, place, colouring) + _open_ends(run, slices, right, top, high - gap)


def _kinds(run: Run, slices: Slices, mask: np.ndarray, colouring: Colouring) -> list[tuple[str, np.ndarray]]:
    """Pairs of class and bool[slices], in the order in which they are painted."""
    found: list[tuple[str, np.ndarray]] = []
    wasted = slices.wasted
    alive, vain = mask & ~wasted, mask & wasted
    if colouring.of is None:
        found += [(f"p-{phase.key}", alive & (slices.phase == number)) for number, phase in enumerate(theme.PHASES)]
        found += [(f"p-{phase.key} wasted", vain & (slices.phase == number)) for number, phase in enumerate(theme.PHASES)]
    else:
        group = colouring.of[run.containers.job[slices.container]]
        for number in range(len(KINDS)):
            own = mask & (group == number)
            found += [(f"g-{number}", own & ~wasted), (f"g-{number} wasted", own & wasted)]
        found += [(f"tex-{phase.key}", alive & (slices.phase == number)) for number, phase in enumerate(theme.PHASES) if phase.key != "map"]
    return [*found, *((f"p-{phase.key}", mask & (slices.outcome == OUTCOMES.index(phase.key))) for phase in theme.WASTES)]


def _labels(run: Run, slices: Slices, left: np.ndarray, right: np.ndarray, middle: np.ndarray, rows: Rows, place: Place, colouring: Colouring) -> str:
    """The job's name in what is seen of its bars, unless the last bar with a name left of it in the row says the same."""
    if rows.row_px < LETTERED_PX:
        return ""
    names, jobs = tuple(run.workload.job_names), run.containers.job[slices.container]
    seen = np.maximum(left, place.seen[0])
    room = np.where(left < place.seen[1], np.minimum(right, place.seen[1]) - seen, 0) - 8
    fits = room / svg.LETTER_PX >= np.minimum([len(name) for name in names], LEAST_CHARACTERS)[jobs]
    order = np.lexsort((slices.start, slices.row))
    order = order[(fits & slices.highlighted & ~slices.wasted)[order]]
    repeated = (slices.row[order][1:] == slices.row[order][:-1]) & (jobs[order][1:] == jobs[order][:-1])
    found = []
    for bar in order[np.concatenate([[True], ~repeated])[: len(order)]].tolist():
        words = cut_names(names, int(room[bar] / svg.LETTER_PX))[jobs[bar]]
        phase = theme.PHASES[slices.phase[bar]].key
        kind = f"on-{phase}" if colouring.of is None or phase == "master" else "word" if phase == "waiting" else f"on-g-{colouring.of[jobs[bar]]}"
        found.append(svg.text(seen[bar] + 4, middle[bar] + 4, words, kind))
    return f'<g class="labels">{"".join(found)}</g>' if found else ""


def _open_ends(run: Run, slices: Slices, right: np.ndarray, top: np.ndarray, high: float) -> str:
    """An arrow at the end of each container that still runs in a deadlock."""
    last = np.flatnonzero((run.containers.outcome[slices.container] == RUNNING) & (slices.end == run.at_ms))
    arrows = "".join(f"M{right[one]:.1f} {top[one] + high / 2 - ARROW_PX:.1f}l{ARROW_PX} {ARROW_PX}l-{ARROW_PX} {ARROW_PX}z" for one in last.tolist())
    return svg.path(arrows, "open-end") if arrows else ""
