"""The Gantt chart as a picture, for more slices than a browser draws as bars.

Where a row is a lane, a pixel has the colour of the phase that covers most of it, the fainter the less of it
is covered; work that was wasted is drawn over all else, and a wait where waits are rare, so that they are
never averaged away; then what is highlighted over the rest. Where a row holds all of a node or job, phases
are stacked in it.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from engine.dashboard import NONE
from webapp import theme
from webapp.figures.highlight import PHASE_KEYS as KEYS
from webapp.figures.highlight import chosen_phase, highlighted_containers
from webapp.figures.png import data_url, png
from webapp.figures.timeline.colouring import BY_PHASE, OWNER_COLOURS, Colouring
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.style import DIM_OPACITY

SHADES = 6
MIN_OPACITY = 0.3
GAP_FROM_PX = 4  # rows from this height on are parted by an empty line
STRIPE_PX = 4
STACK_FROM_PX = 6  # rows that hold all of something are stacked from this height on
RARE_SHARE = 0.02  # of what is covered
UNUSED = [KEYS.index(key) for key in ("executor_idle", "slots_free", "held_idle")]
MIN_COVERED = 0.02  # of a pixel and row, below it nothing is drawn


def draw_picture(
    scene: Scene,
    rows: Rows,
    window: tuple[int, int],
    width: int,
    dark: bool,
    highlight: str | None = None,
    colouring: Colouring = BY_PHASE,
) -> tuple[str, int, int]:
    """(address of the picture, the first row it shows, the one after the last): the window, `width` pixels
    wide, of the rows looked at.
    """
    pixels, top, until = draw_pixels(scene, rows, window, width, highlight, colouring)
    colours = _SliceColours.of_scene(scene, colouring).colours
    return data_url(png(pixels, palette(dark, colours))), top, until


def draw_pixels(
    scene: Scene,
    rows: Rows,
    window: tuple[int, int],
    width: int,
    highlight: str | None = None,
    colouring: Colouring = BY_PHASE,
) -> tuple[np.ndarray, int, int]:
    """The same as uint8[height, width], indices of `palette`."""
    top, count = rows.drawn
    per_line = -(-count // rows.px) if count > rows.px else 1
    lines = -(-count // per_line)
    row_height = max(round(rows.px / lines), 1) if per_line == 1 else 1
    row = rows.rows_of(scene)
    line = np.where((row >= top) & (row < top + count), (row - top) // per_line, -1).astype(np.int32)
    kinds = _SliceColours.of_scene(scene, colouring)
    highlighted, dim = _covered_shares(scene, rows, line, window, (lines, width), highlight, kinds)
    count_of_colours = len(kinds.colours)
    pixels = _blend(highlighted, dim, per_line, count_of_colours)
    if colouring.is_by_phase:
        _draw_rare_waits(pixels, highlighted, scene, line, window, highlight)
    _draw_wasted(pixels, scene, line, window, highlight, count_of_colours)
    pixels = np.repeat(pixels, row_height, axis=0)
    is_aggregate = rows.is_aggregate[top : top + count]
    if row_height >= STACK_FROM_PX and per_line == 1:
        whole = np.flatnonzero(is_aggregate)
        stacked = _stack(highlighted[whole], None if dim is None else dim[whole], row_height - 1)
        for place, start in enumerate((whole * row_height).tolist()):
            pixels[start] = 0
            pixels[start + 1 : start + row_height] = stacked[place]
    if row_height >= GAP_FROM_PX:
        pixels[np.flatnonzero(~is_aggregate) * row_height + row_height - 1] = 0
    if colouring.is_by_phase:
        pixels = _hatch_waits(pixels, count_of_colours)
    return pixels, top, top + lines * per_line


class _SliceColours(NamedTuple):
    """What a slice's colour says: int8[slices], and the colours there are."""

    colour: np.ndarray
    colours: tuple[theme.ColourPair, ...]

    @classmethod
    def of_scene(cls, scene: Scene, colouring: Colouring) -> _SliceColours:
        if colouring.is_by_phase:
            return cls(scene.phase, theme.PHASES[: scene.phase_count])
        colour = colouring.of_slices(scene.run, scene.container, scene.task)
        if scene.task is None and colouring.stage_colour is None:
            return cls(colour, OWNER_COLOURS)
        # a picture has no textures: where executors have no task, they have the colour for that
        of_phase = (colour == NONE) | np.isin(scene.phase, UNUSED)
        with_phases = np.where(of_phase, len(OWNER_COLOURS) + scene.phase, colour).astype(np.int8)
        return cls(with_phases, (*OWNER_COLOURS, *theme.PHASES))


@cache
def palette(dark: bool, colours_of: tuple[theme.ColourPair, ...]) -> np.ndarray:
    """uint8[colours, 4], not to be written to: nothing, then each of these and wasted in SHADES shades, then
    the same dimmed.
    """
    colours = [(0, 0, 0, 0)]
    opacity = [MIN_OPACITY + (1 - MIN_OPACITY) * shade / (SHADES - 1) for shade in range(SHADES)]
    for share in (1.0, DIM_OPACITY):
        for kind in (*colours_of, theme.WASTED):
            colours += [(*theme.rgb(kind.colour(dark)), round(255 * share * part)) for part in opacity]
    return np.array(colours, np.uint8)


def _covered_shares(
    scene: Scene,
    rows: Rows,
    line: np.ndarray,
    window: tuple[int, int],
    shape: tuple[int, int],
    highlight: str | None,
    kinds: _SliceColours,
) -> tuple[np.ndarray, np.ndarray | None]:
    """float64[lines, kinds, width] each: the share of its row that each kind of the highlighted holds in each
    pixel, and of the rest.

    The rest is None when nothing is highlighted.
    """
    c = scene.run.containers
    unit = c.job if rows.by_job else c.node
    weight = (
        np.where(rows.has_lanes, 0, 1 / rows.full)[unit] * scene.vcores + rows.has_lanes[unit]
        if rows.is_aggregate.any()
        else np.ones(len(unit))
    )
    chosen, phase = highlighted_containers(scene.run, highlight), chosen_phase(highlight, KEYS)

    def cells(owners: np.ndarray) -> np.ndarray:
        cell_shape = (shape[0], len(kinds.colours), shape[1])
        return scene.coverage(kinds.colour, owners, weight, window, cell_shape)

    if chosen is not None:
        return cells(np.where(chosen, line, -1)), cells(np.where(chosen, -1, line))
    shares = cells(line)
    if phase is None or kinds.colour is not scene.phase:
        return shares, None
    highlighted = np.zeros_like(shares)
    if phase < scene.phase_count:
        highlighted[:, phase], shares[:, phase] = shares[:, phase], 0
    return highlighted, shares


def _blend(highlighted: np.ndarray, dim: np.ndarray | None, per_line: int, kinds: int) -> np.ndarray:
    """uint8[lines, width]: the kind that covers most of each pixel, shaded by how much is covered; what is
    highlighted covers the rest and is never faint.
    """
    pixels = np.zeros((highlighted.shape[0], highlighted.shape[2]), np.uint8)
    for cells, base, shades in (
        (dim, 1 + SHADES * (kinds + 1), SHADES / per_line),
        (highlighted, 1, SHADES / per_line if dim is None else SHADES),
    ):
        if cells is None:
            continue
        amount, kind = _dominant_kind(cells)
        shown = amount > MIN_COVERED * per_line if dim is None else amount > MIN_COVERED
        shade = np.minimum(amount * shades, SHADES - 1).astype(np.uint8)
        np.copyto(pixels, base + kind * SHADES + shade, where=shown)
    return pixels


def _dominant_kind(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(float64, uint8)[lines, width]: how much is covered by all kinds, and the kind that covers most, of
    several the first.

    Kind by kind, for their cells lie far apart: three times as fast as a sum and an argmax along them.
    """
    amount, max_amount = cells[:, 0].copy(), cells[:, 0].copy()
    kind = np.zeros(amount.shape, np.uint8)
    for number in range(1, cells.shape[1]):
        kind_amount = cells[:, number]
        if kind_amount.any():
            amount += kind_amount
            more = kind_amount > max_amount
            np.copyto(max_amount, kind_amount, where=more)
            kind[more] = number
    return amount, kind


def _stack(highlighted: np.ndarray, dim: np.ndarray | None, height: int) -> np.ndarray:
    """uint8[rows, tall, width]: kinds stacked from the bottom, what is highlighted below the rest."""
    parts, kinds = highlighted, highlighted.shape[1]
    codes = np.arange(kinds) * SHADES + SHADES
    if dim is not None:
        parts = np.concatenate([highlighted, dim], axis=1)
        codes = np.concatenate([codes, codes + SHADES * (kinds + 1)])
    tops = np.cumsum(parts, axis=1) * height
    pixels = np.zeros((len(parts), height, parts.shape[2]), np.uint8)
    row_heights = (height - 1 - np.arange(height) + 0.5)[None, :, None]
    for number in reversed(range(parts.shape[1])):
        pixels[(row_heights < tops[:, None, number]) & (parts[:, None, number] > 0)] = codes[number]
    return pixels


def _draw_rare_waits(
    pixels: np.ndarray,
    highlighted: np.ndarray,
    scene: Scene,
    line: np.ndarray,
    window: tuple[int, int],
    highlight: str | None,
) -> None:
    """Where waits are rare, one pixel of each that nothing of is seen."""
    if not 0 < highlighted[:, theme.WAITING_PHASE].sum() < RARE_SHARE * highlighted.sum():
        return
    waits = np.flatnonzero((scene.phase == theme.WAITING_PHASE) & scene.within(window))
    chosen = highlighted_containers(scene.run, highlight)
    waits = waits[chosen[scene.container[waits]]] if chosen is not None else waits
    at, first, until = _pixel_spans(scene, waits, line, window, pixels.shape[1])
    code = 1 + theme.WAITING_PHASE * SHADES
    seen = np.cumsum(np.pad((pixels >= code) & (pixels < code + SHADES), ((0, 0), (1, 0))), axis=1)
    lost = seen[at, until] == seen[at, first]
    pixels[at[lost], (first[lost] + until[lost]) // 2] = code + SHADES - 1


def _draw_wasted(
    pixels: np.ndarray,
    scene: Scene,
    line: np.ndarray,
    window: tuple[int, int],
    highlight: str | None,
    kinds: int,
) -> None:
    """Stripes over work that was wasted, at least one pixel of them."""
    wasted = scene.wasted[(scene.start[scene.wasted] < window[1]) & (scene.end[scene.wasted] > window[0])]
    chosen, phase = highlighted_containers(scene.run, highlight), chosen_phase(highlight, KEYS)
    bright = np.ones(len(wasted), bool) if chosen is None else chosen[scene.container[wasted]]
    bright &= phase is None or scene.phase[wasted] == phase
    for which, base in ((wasted[~bright], 1 + SHADES * (kinds + 1)), (wasted[bright], 1)):
        if not len(which):
            continue
        at, first, until = _pixel_spans(scene, which, line, window, pixels.shape[1])
        ends = np.zeros((pixels.shape[0], pixels.shape[1] + 1), np.int32)
        np.add.at(ends, (at, first), 1)
        np.add.at(ends, (at, until), -1)
        stripe = np.arange(pixels.shape[1]) % STRIPE_PX < STRIPE_PX // 2
        mask = (np.cumsum(ends, axis=1)[:, :-1] > 0) & stripe
        mask[at, until - 1] = True
        pixels[mask] = base + kinds * SHADES + SHADES - 1


def _pixel_spans(
    scene: Scene, slice_indices: np.ndarray, line: np.ndarray, window: tuple[int, int], width: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Line, first pixel and the one after the last of these slices, at least one pixel each; those without a
    line are left out.
    """
    at = line[scene.container[slice_indices]]
    slice_indices, at = slice_indices[at >= 0], at[at >= 0]
    scale = width / (window[1] - window[0])
    first = np.clip((scene.start[slice_indices] - window[0]) * scale, 0, width - 1).astype(np.int64)
    until = np.ceil(np.clip((scene.end[slice_indices] - window[0]) * scale, 0, width)).astype(np.int64)
    return at, first, np.maximum(until, first + 1)


def _hatch_waits(pixels: np.ndarray, phases: int) -> np.ndarray:
    """Waiting for input with stripes of shuffle, its neighbour in the palette."""
    codes = np.arange(256).astype(np.uint8)
    for first in (1 + theme.WAITING_PHASE * SHADES, 1 + (phases + 1 + theme.WAITING_PHASE) * SHADES):
        codes[first : first + SHADES] -= SHADES * (theme.WAITING_PHASE - theme.SHUFFLE_PHASE)
    for offset in range(STRIPE_PX):
        stripe = pixels[offset::STRIPE_PX, -offset % STRIPE_PX :: STRIPE_PX]
        stripe[:] = codes[stripe]
    return pixels
