"""The stages of an application as a graph: boxes with name and tasks, from left to right, and lines from
a stage to those that read its output.
"""

from __future__ import annotations

from html import escape
from statistics import fmean
from typing import Any

from engine import quantities
from webapp.figures.timeline import svg

MAX_STAGES = 100  # more can't be read
WIDTH_PX, HEIGHT_PX = 116, 38  # of a box
LANE_PX = 6  # what a line has that passes a column
GAP_PX, BETWEEN_PX, MARGIN_PX = 8, 30, 2  # from box to box, from column to column, around all
INSET_PX, BASELINES_PX = 7, (16, 31)  # of a box's two lines of text


def draw_stages(stages: list[dict]) -> str:
    """SVG text of stages as a draft has them; "" of more than MAX_STAGES. What a stage comes after that is no
    earlier stage is not drawn.
    """
    if len(stages) > MAX_STAGES:
        return ""
    names = [str(stage.get("name") or f"stage{number}") for number, stage in enumerate(stages, start=1)]
    sources = [_sources(stage.get("after"), names[:place]) for place, stage in enumerate(stages)]
    depths: list[int] = []
    for own in sources:
        depths.append(1 + max((depths[source] for source in own), default=-1))
    columns = _columns(sources, depths)
    middles, height = _middles(columns, depths)
    lines = [_line(source, target, depths, middles) for target, own in enumerate(sources) for source in own]
    boxes = [
        _box(name, stage.get("tasks"), _left(depth), middles[place, depth])
        for place, (name, stage, depth) in enumerate(zip(names, stages, depths, strict=True))
    ]
    width = _left(len(columns)) - BETWEEN_PX + MARGIN_PX
    return svg.svg_element(width, height, svg.path_element("".join(lines), "stage-lines"), *boxes)


def _sources(after: Any, earlier: list[str]) -> list[int]:
    names = after if isinstance(after, list) else []
    return [earlier.index(name) for name in dict.fromkeys(map(str, names)) if name in earlier]


def _columns(sources: list[list[int]], depths: list[int]) -> list[list[int]]:
    """The stages in each column from its top, those too whose line passes it: each as high as what it comes
    from, so that few lines cross.
    """
    last = list(depths)
    for target, own in enumerate(sources):
        for source in own:
            last[source] = max(last[source], depths[target] - 1)
    columns: list[list[int]] = []
    for column in range(max(depths, default=-1) + 1):
        ranks = {stage: rank for rank, stage in enumerate(columns[-1])} if columns else {}
        heights = {
            stage: fmean([ranks.get(source, 0) for source in own if source in ranks] or [0])
            if depths[stage] == column
            else ranks[stage]
            for stage, own in enumerate(sources)
            if depths[stage] <= column <= last[stage]
        }
        columns.append(sorted(heights, key=lambda stage: heights[stage]))
    return columns


def _middles(columns: list[list[int]], depths: list[int]) -> tuple[dict[tuple[int, int], float], float]:
    """Of each stage in each column, in px from the top; and the height of all."""
    heights = [
        [HEIGHT_PX if depths[stage] == place else LANE_PX for stage in column]
        for place, column in enumerate(columns)
    ]
    totals = [sum(column) + GAP_PX * (len(column) - 1) for column in heights]
    middles, height = {}, max(totals, default=0)
    for place, column in enumerate(columns):
        top = MARGIN_PX + (height - totals[place]) / 2
        for stage, own in zip(column, heights[place], strict=True):
            middles[stage, place] = top + own / 2
            top += own + GAP_PX
    return middles, height + 2 * MARGIN_PX


def _left(column: int) -> float:
    return MARGIN_PX + column * (WIDTH_PX + BETWEEN_PX)


def _line(source: int, target: int, depths: list[int], middles: dict[tuple[int, int], float]) -> str:
    """Its path: straight through columns, bent between them."""
    y = middles[source, depths[source]]
    path = f"M{_left(depths[source]) + WIDTH_PX:g} {y:g}"
    for column in range(depths[source] + 1, depths[target] + 1):
        x, before = _left(column), y
        y = middles[target if column == depths[target] else source, column]
        bend = x - BETWEEN_PX / 2
        path += f"C{bend:g} {before:g} {bend:g} {y:g} {x:g} {y:g}"
        if column < depths[target]:
            path += f"H{x + WIDTH_PX:g}"
    return path


def _box(name: str, tasks: Any, left: float, middle: float) -> str:
    is_whole = isinstance(tasks, int) and not isinstance(tasks, bool)
    words = quantities.count(tasks, "tasks") if is_whole else "?"
    top, room = middle - HEIGHT_PX / 2, WIDTH_PX - 2 * INSET_PX
    texts = [
        svg.text_element(left + INSET_PX, top + baseline, svg.fit_text(line, room), kind)
        for line, baseline, kind in zip((name, words), BASELINES_PX, ("stage-name", ""), strict=True)
    ]
    box = f'<rect x="{left:g}" y="{top:g}" width="{WIDTH_PX}" height="{HEIGHT_PX}" rx="4"/>'
    return f"<g><title>{escape(f'{name}: {words}')}</title>{box}{''.join(texts)}</g>"
