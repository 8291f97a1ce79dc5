"""The charts of a run as one drawing that needs nothing else: SVG made here, and for many slices a picture in it.

Light colours only: it is for paper. What is drawn comes from the page's figures; `_picture` and `_curves` are the only places that know them.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from engine import KILLED, CapacitySplit, Run
from webapp import theme
from webapp.figures.plotly_arrays import shortened
from webapp.figures.timeline import capacity_areas, raster, usage_curves
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene
from webapp.report.html import Markup

WIDTH, LEFT, RIGHT = 690, 78, 8  # pixels, as wide as the paper's text
PLOT = WIDTH - LEFT - RIGHT
MOST_BARS = 1_500
ROW_PX, MOST_PX, LEAST_PX = 11, 190, 54  # of a Gantt's row, and of all its rows
LEAST_ROW_PX = 3  # bars of lower rows run into each other
TITLE_PX, TICKS_PX, LEGEND_PX = 17, 30, 16
CURVE_PX, SPLIT_PX = 26, 46
FINER = 2  # pixels of a picture to one of the paper
LETTER_PX, LEGEND_LETTER_PX, NAME_PX = 5.0, 4.4, 11
TICKS = 9
LOOK = theme.look(False)


def patterns() -> Markup:
    """The hatches of all drawings, once a page."""
    lines = [_pattern(phase) for phase in theme.LEGEND if phase.hatch]
    return Markup(f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{"".join(lines)}</defs></svg>')


def drawing(scene: Scene, parts: CapacitySplit, of: Rows, window: tuple[int, int], about: str) -> Markup:
    """Gantt chart, memory, vcores and where the capacity goes, over one time axis.

    of: the rows that the runs share; about: what it shows, for those who don't see it.
    """
    tall = min(max(of.count * ROW_PX, LEAST_PX), MOST_PX)
    found, top = [], 0.0
    for title, height, draw in _panels(scene, parts, of, window, tall):
        found.append(f'<text x="{LEFT}" y="{top + 12:g}" font-weight="600">{escape(title)}</text>')
        top += TITLE_PX
        found += [f'<g transform="translate({LEFT} {top:g})">', *_grid(window, height), *draw, "</g>"]
        top += height + 5
    found.append(f'<g transform="translate({LEFT} {top - 5:g})">{"".join(_ticks(window))}</g>')
    found.append(f'<g transform="translate(0 {top + TICKS_PX:g})">{"".join(_legend())}</g>')
    box = f'viewBox="0 0 {WIDTH} {top + TICKS_PX + LEGEND_PX:g}"'
    look = f'font-family="{escape(theme.FONT)}" font-size="10" fill="{LOOK.ink}"'
    return Markup(f'<svg {box} role="img" aria-label="{escape(about)}" {look}>{"".join(found)}</svg>')


def _panels(scene: Scene, parts: CapacitySplit, of: Rows, window: tuple[int, int], tall: int) -> Iterator[tuple[str, float, Sequence[str]]]:
    yield "Containers by node", tall, [*_gantt(scene, of, window, tall), *_names(of, tall)]
    yield from _curves(scene.run, parts, window)


def _gantt(scene: Scene, of: Rows, window: tuple[int, int], tall: int) -> list[str]:
    if len(scene.run.containers.job) <= MOST_BARS and tall / of.count >= LEAST_ROW_PX:
        return _bars(scene, of, window, tall / of.count)
    return [f'<image width="{PLOT}" height="{tall}" preserveAspectRatio="none" style="image-rendering:pixelated" href="{_picture(scene, of, window)}"/>']


def _picture(scene: Scene, of: Rows, window: tuple[int, int]) -> str:
    """The page's own picture of many slices, as an address that holds it."""
    return raster.picture(scene, of, window, FINER * PLOT, False)["source"]


def _curves(run: Run, parts: CapacitySplit, window: tuple[int, int]) -> Iterator[tuple[str, float, Sequence[str]]]:
    """The page's own curves and areas."""
    resources = (usage_curves.memory(run), usage_curves.vcores(run))
    held = [capacity_areas.levels(parts, what.unit, window, PLOT) for what in resources]
    for what, level in zip(resources, held):
        traces, axis = usage_curves.curve(level.held, None, what, window, PLOT, False)
        yield f"{what.title} in use", CURVE_PX, _traced(traces, axis, window, CURVE_PX)
    traces, axis = capacity_areas.areas(held[1], resources[1], window, PLOT, False)
    yield "Where the capacity goes (vcores)", SPLIT_PX, _traced(traces, axis, window, SPLIT_PX)


def _bars(scene: Scene, of: Rows, window: tuple[int, int], high: float) -> list[str]:
    """One path a phase, then what was killed, then the names of jobs where they fit."""
    found, run = scene, scene.run
    row = of.of(scene)[found.container]
    left, right = (_x(time, window) for time in (found.start, found.end))
    killed = (run.containers.outcome == KILLED)[found.container]
    thick = max(high - 1, 1)
    drawn = []
    for fill, mask in [*((_fill(phase), found.phase == number) for number, phase in enumerate(theme.PHASES)), (_fill(theme.KILLED), killed)]:
        boxes = [f"M{x:.1f} {y * high:.1f}h{max(w, 0.4):.1f}v{thick:.1f}h-{max(w, 0.4):.1f}z" for x, y, w in zip(left[mask], row[mask], (right - left)[mask])]
        if boxes:
            drawn.append(f'<path d="{"".join(boxes)}" fill="{fill}" stroke="{LOOK.paper}" stroke-width=".4"/>')
    if high >= 9:
        drawn += _labels(run, found.container, found.phase, row, left, right, high)
    return drawn


def _labels(run: Run, container: np.ndarray, phase: np.ndarray, row: np.ndarray, left: np.ndarray, right: np.ndarray, high: float) -> Iterator[str]:
    """A job's name in the first of its slices in a row that has room for it."""
    names, jobs = run.workload.job_names, run.containers.job[container]
    labelled: dict[int, int] = {}
    for place in np.lexsort((left, row)).tolist():
        job, line = int(jobs[place]), int(row[place])
        if right[place] - left[place] < LETTER_PX * min(len(names[job]), 12) + 5 or labelled.get(line) == job:
            continue
        labelled[line] = job
        colour = theme.text_on(theme.PHASES[phase[place]].colour(False))
        text = escape(shortened(names[job], int((right[place] - left[place] - 5) / LETTER_PX)))
        yield f'<text x="{left[place] + 2.5:.1f}" y="{(line + 0.5) * high + 2.5:.1f}" font-size="8" fill="{colour}">{text}</text>'


def _names(of: Rows, tall: float) -> Iterator[str]:
    """As many names of nodes as fit beside their rows."""
    scale = tall / (of.range[1] + 0.5)
    middle = (of.starts[:-1] + of.starts[1:]) / 2 * scale
    apart = float(np.diff(middle).min()) if len(middle) > 1 else tall
    every = next(step for step in (10**power * one for power in range(9) for one in (1, 2, 5)) if step * apart >= NAME_PX)
    for place in range(0, len(of.names), every):
        name = escape(shortened(of.names[place], 14))
        yield f'<text x="-5" y="{middle[place] + 3:.1f}" text-anchor="end" font-size="9" fill="{LOOK.muted}">{name}</text>'


def _traced(traces: Sequence[dict], levels: dict, window: tuple[int, int], tall: float) -> list[str]:
    """Step lines and areas of a figure's traces; areas of a stack stand on each other."""
    top = levels["range"][1]
    y = lambda values: tall * (1 - np.asarray(values, float) / top)
    found, stack, last = [], None, None
    for trace in traces:
        if "hovertext" in trace:
            continue
        value = _array(trace["y"])
        x = _array(trace["x"]) if "x" in trace else trace["x0"] + trace["dx"] * np.arange(len(value))
        x = _x(1000 * x, window)
        if "stackgroup" in trace:
            under = np.zeros(len(x)) if stack is None else stack
            stack = under + value
            found.append(_area(x, y(under), y(stack), _hatched(trace)))
        elif trace.get("fill") == "tonexty":
            found.append(_area(x, y(last), y(value), _fill(theme.KILLED)))
        elif trace.get("fill") == "tozeroy":
            found.append(_area(x, y(np.zeros(len(x))), y(value), trace["fillcolor"]))
        line = trace["line"]
        if line.get("width"):
            dash = ' stroke-dasharray="5 4"' if line.get("dash") else ""
            found.append(f'<path d="{_steps(x, y(value))}" fill="none" stroke="{line["color"]}" stroke-width="{line["width"]:g}"{dash}/>')
        last = value
    for level, text in zip(levels["tickvals"], levels["ticktext"]):
        found.append(f'<text x="-5" y="{float(y(level)) + 3:.1f}" text-anchor="end" font-size="9" fill="{LOOK.muted}">{escape(text)}</text>')
    return found


def _steps(x: np.ndarray, y: np.ndarray) -> str:
    """A level that holds until the next point; points that change nothing are left out."""
    keep = np.concatenate([[True], y[1:] != y[:-1]])
    keep[-1] = True
    return "M" + "".join(f"{'H' if number else ''}{a:.1f}{'V' if number else ' '}{b:.1f}" for number, (a, b) in enumerate(zip(x[keep], y[keep])))


def _area(x: np.ndarray, low: np.ndarray, high: np.ndarray, fill: str) -> str:
    back = np.concatenate([low[:1], low[:-1]])[::-1]  # from the right each level reaches back to its own beginning
    under = "".join(f"V{b:.1f}H{a:.1f}" for a, b in zip(np.concatenate([x[-2::-1], x[:1]]) if len(x) > 1 else x, back))
    return f'<path d="{_steps(x, high)}{under}z" fill="{fill}"/>'


def _array(values: dict) -> np.ndarray:
    return np.frombuffer(base64.b64decode(values["bdata"]), "<" + values["dtype"]).astype(float)


def _x(ms: np.ndarray, window: tuple[int, int]) -> np.ndarray:
    return (ms - window[0]) * (PLOT / (window[1] - window[0]))


def _marks(window: tuple[int, int]) -> list[float]:
    """Whole steps of 1, 2 or 5 in seconds, at most TICKS of them."""
    first, last = window[0] / 1000, window[1] / 1000
    step = next(step for step in (10.0**power * one for power in range(-3, 15) for one in (1, 2, 5)) if (last - first) / step <= TICKS)
    return [step * number for number in range(int(np.ceil(first / step)), int(last / step) + 1)]


def _grid(window: tuple[int, int], tall: float) -> Iterator[str]:
    lines = "".join(f"M{float(_x(1000 * second, window)):.1f} 0v{tall:g}" for second in _marks(window))
    yield f'<path d="{lines}" stroke="{LOOK.grid}"/><path d="M0 0v{tall:g}h{PLOT}" fill="none" stroke="{LOOK.line}"/>'


def _ticks(window: tuple[int, int]) -> Iterator[str]:
    for second in _marks(window):
        yield f'<text x="{float(_x(1000 * second, window)):.1f}" y="12" text-anchor="middle" font-size="9" fill="{LOOK.muted}">{second:,.10g}</text>'
    yield f'<text x="{PLOT / 2:g}" y="25" text-anchor="middle" font-size="9" fill="{LOOK.muted}">time (s)</text>'


def _legend() -> Iterator[str]:
    """All colours in one line, so that each drawing can stand alone."""
    left = 0.0
    for phase in theme.LEGEND:
        yield f'<rect x="{left + 0.5:.1f}" y="2.5" width="9" height="9" fill="{_fill(phase)}" stroke="{LOOK.line}"/>'
        yield f'<text x="{left + 13:.1f}" y="10.5" font-size="8">{phase.title}</text>'
        left += 20 + LEGEND_LETTER_PX * len(phase.title)


def _hatched(trace: dict) -> str:
    """A plain colour, or the pattern of the phase that is drawn in it."""
    return next((_fill(phase) for phase in theme.LEGEND if phase.title == trace["name"]), trace["fillcolor"])


def _fill(phase: theme.Phase) -> str:
    return f"url(#{phase.key})" if phase.hatch else phase.light


def _pattern(phase: theme.Phase) -> str:
    over = theme.hatching(phase.key, False)
    lines = {
        "/": f'<path d="M-1 1l2-2M0 5l5-5M4 6l2-2" stroke="{over}" stroke-width=".9"/>',
        ".": f'<circle cx="2.5" cy="2.5" r=".9" fill="{over}"/>',
        "x": f'<path d="M0 0l5 5M5 0l-5 5" stroke="{phase.light}" stroke-width="1.1"/>',
    }
    under = "none" if phase.hatch == "x" else phase.light
    ground = f'<rect width="5" height="5" fill="{under}"/>'
    return f'<pattern id="{phase.key}" width="5" height="5" patternUnits="userSpaceOnUse">{ground}{lines[phase.hatch]}</pattern>'
