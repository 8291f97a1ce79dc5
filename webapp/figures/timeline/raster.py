"""The Gantt chart as a picture, for more slices than a browser draws as bars.

Where a row is a lane, a pixel has the colour of the phase that covers most of it, the fainter the less of it is covered; work that
was wasted is drawn over all else, and a wait where waits are rare, so that they are never averaged away; then what is highlighted over
the rest. Where a row holds all of a node or job, phases are stacked in it.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from engine import covered
from webapp import theme
from webapp.figures.highlight import chosen_phase, highlighted_containers
from webapp.figures.png import data_url, png
from webapp.figures.timeline.colouring import KINDS, PHASE, Colouring
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.style import DIM

SHADES = 6
FAINTEST = 0.3
GAP_ROW_PX = 4  # rows from this height on are parted by an empty line
STRIPE_PX = 4
STACK_PX = 6  # rows that hold all of something are stacked from this height on
RARE = 0.02  # of what is covered
PHASES = len(theme.PHASES)
KEYS = tuple(phase.key for phase in theme.PHASES)
LEAST = 0.02  # of a pixel and row, below it nothing is drawn


def picture(
    scene: Scene, rows: Rows, window: tuple[int, int], width: int, dark: bool, highlight: str | None = None, colouring: Colouring = PHASE
) -> tuple[str, int, int]:
    """(address of the picture, the first row it shows, the one after the last): the window, `width` pixels wide, of the rows looked at."""
    top, count = rows.drawn
    per_line = -(-count // rows.px) if count > rows.px else 1
    lines = -(-count // per_line)
    tall = max(round(rows.px / lines), 1) if per_line == 1 else 1
    row = rows.of(scene)
    line = np.where((row >= top) & (row < top + count), (row - top) // per_line, -1).astype(np.int32)
    kinds = _Kinds.of_scene(scene, colouring)
    highlighted, dim = _cells(scene, rows, line, window, (lines, width), highlight, kinds)
    pixels = _blended(highlighted, dim, per_line, kinds.count)
    if colouring.of is None:
        _rare(pixels, highlighted, scene, line, window, highlight)
    pixels = np.repeat(_wasted(pixels, scene, line, window, highlight, kinds.count), tall, axis=0)
    if tall >= STACK_PX and per_line == 1:
        whole = np.flatnonzero(rows.whole[top : top + count])
        for start in (whole * tall).tolist():
            pixels[start : start + tall] = 0
        stacked = _stacked(highlighted[whole], None if dim is None else dim[whole], tall - 1)
        for place, start in enumerate((whole * tall).tolist()):
            pixels[start + 1 : start + tall] = stacked[place]
    if tall >= GAP_ROW_PX:
        laned = np.flatnonzero(~rows.whole[top : top + count])
        pixels[laned * tall + tall - 1] = 0
    if colouring.of is None:
        pixels = _hatched(pixels)
    return data_url(png(pixels, palette(dark, colouring.of is not None))), top, top + lines * per_line


class _Kinds(NamedTuple):
    """What a slice's colour says: int8[slices], and how many there are."""

    of: np.ndarray
    count: int

    @classmethod
    def of_scene(cls, scene: Scene, colouring: Colouring) -> _Kinds:
        if colouring.of is None:
            return cls(scene.phase, PHASES)
        return cls(colouring.of[scene.run.containers.job[scene.container]], len(KINDS))


@cache
def palette(dark: bool, owners: bool = False) -> np.ndarray:
    """uint8[colours, 4], not to be written to: nothing, then each phase (or owner) and wasted in SHADES shades, then the same dimmed."""
    found = [(0, 0, 0, 0)]
    kinds = KINDS if owners else theme.PHASES
    for share in (1.0, DIM):
        for kind in (*kinds, theme.WASTED):
            found += [(*theme.rgb(kind.colour(dark)), round(255 * share * (FAINTEST + (1 - FAINTEST) * shade / (SHADES - 1)))) for shade in range(SHADES)]
    return np.array(found, np.uint8)


def _cells(
    scene: Scene, rows: Rows, line: np.ndarray, window: tuple[int, int], shape: tuple[int, int], highlight: str | None, kinds: _Kinds
) -> tuple[np.ndarray, np.ndarray | None]:
    """float64[lines, kinds, width] each: the share of its row that each kind of the highlighted holds in each pixel, and of the rest.

    The rest is None when nothing is highlighted.
    """
    c = scene.run.containers
    unit = c.job if rows.by_job else c.node
    weight = np.where(rows.laned, 0, 1 / rows.full)[unit] * scene.vcores + rows.laned[unit] if rows.whole.any() else np.ones(len(unit))
    chosen, phase = highlighted_containers(scene.run, highlight), chosen_phase(highlight, KEYS)

    some = scene.between(window)

    def cells(owners: np.ndarray) -> np.ndarray:
        seen = scene.container[some], kinds.of[some], scene.start[some], scene.end[some]
        return covered(*seen, owners, weight, window, (shape[0], kinds.count, shape[1]))

    if chosen is not None:
        return cells(np.where(chosen, line, -1)), cells(np.where(chosen, -1, line))
    every = cells(line)
    if phase is None or kinds.of is not scene.phase:
        return every, None
    highlighted = np.zeros_like(every)
    highlighted[:, phase], every[:, phase] = every[:, phase], 0
    return highlighted, every


def _blended(highlighted: np.ndarray, dim: np.ndarray | None, per_line: int, kinds: int) -> np.ndarray:
    """uint8[lines, width]: the kind that covers most of each pixel, shaded by how much is covered; what is highlighted covers the rest and is never faint."""
    pixels = np.zeros((highlighted.shape[0], highlighted.shape[2]), np.uint8)
    for cells, base, shades in ((dim, 1 + SHADES * (kinds + 1), SHADES / per_line), (highlighted, 1, SHADES / per_line if dim is None else SHADES)):
        if cells is None:
            continue
        amount, kind = _most(cells)
        shown = amount > LEAST * per_line if dim is None else amount > LEAST
        shade = np.minimum(amount * shades, SHADES - 1).astype(np.uint8)
        np.copyto(pixels, base + kind * SHADES + shade, where=shown)
    return pixels


def _most(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(float64, uint8)[lines, width]: how much is covered by all kinds, and the kind that covers most, of several the first.

    Kind by kind, for their cells lie far apart: three times as fast as a sum and an argmax along them.
    """
    amount, most, kind = cells[:, 0].copy(), cells[:, 0].copy(), np.zeros((len(cells), cells.shape[2]), np.uint8)
    for number in range(1, cells.shape[1]):
        one = cells[:, number]
        if not one.any():
            continue
        amount += one
        more = one > most
        np.copyto(most, one, where=more)
        kind[more] = number
    return amount, kind


def _stacked(highlighted: np.ndarray, dim: np.ndarray | None, tall: int) -> np.ndarray:
    """uint8[rows, tall, width]: kinds stacked from the bottom, what is highlighted below the rest."""
    parts, kinds = highlighted if dim is None else np.concatenate([highlighted, dim], axis=1), highlighted.shape[1]
    codes = np.arange(kinds) * SHADES + SHADES
    codes = codes if dim is None else np.concatenate([codes, codes + SHADES * (kinds + 1)])
    tops = np.cumsum(parts, axis=1) * tall
    pixels = np.zeros((len(parts), tall, parts.shape[2]), np.uint8)
    height = (tall - 1 - np.arange(tall) + 0.5)[None, :, None]
    for number in reversed(range(parts.shape[1])):
        pixels[(height < tops[:, None, number]) & (parts[:, None, number] > 0)] = codes[number]
    return pixels


def _rare(pixels: np.ndarray, highlighted: np.ndarray, scene: Scene, line: np.ndarray, window: tuple[int, int], highlight: str | None) -> None:
    """Where waits are rare, one pixel of each that nothing of is seen."""
    if not 0 < highlighted[:, theme.WAITING_PHASE].sum() < RARE * highlighted.sum():
        return
    some = np.flatnonzero((scene.phase == theme.WAITING_PHASE) & scene.within(window))
    chosen = highlighted_containers(scene.run, highlight)
    some = some[chosen[scene.container[some]]] if chosen is not None else some
    at, first, until = _spans(scene, some, line, window, pixels.shape[1])
    code = 1 + theme.WAITING_PHASE * SHADES
    seen = np.cumsum(np.pad((pixels >= code) & (pixels < code + SHADES), ((0, 0), (1, 0))), axis=1)
    lost = seen[at, until] == seen[at, first]
    pixels[at[lost], (first[lost] + until[lost]) // 2] = code + SHADES - 1


def _wasted(pixels: np.ndarray, scene: Scene, line: np.ndarray, window: tuple[int, int], highlight: str | None, kinds: int) -> np.ndarray:
    """Stripes over work that was wasted, at least one pixel of them."""
    some = scene.wasted[(scene.start[scene.wasted] < window[1]) & (scene.end[scene.wasted] > window[0])]
    chosen, phase = highlighted_containers(scene.run, highlight), chosen_phase(highlight, KEYS)
    bright = np.ones(len(some), bool) if chosen is None else chosen[scene.container[some]]
    bright &= phase is None or scene.phase[some] == phase
    for which, base in ((some[~bright], 1 + SHADES * (kinds + 1)), (some[bright], 1)):
        if not len(which):
            continue
        at, first, until = _spans(scene, which, line, window, pixels.shape[1])
        ends = np.zeros((pixels.shape[0], pixels.shape[1] + 1), np.int32)
        np.add.at(ends, (at, first), 1)
        np.add.at(ends, (at, until), -1)
        stripe = np.arange(pixels.shape[1]) % STRIPE_PX < STRIPE_PX // 2
        mask = (np.cumsum(ends, axis=1)[:, :-1] > 0) & stripe
        mask[at, until - 1] = True
        pixels[mask] = base + kinds * SHADES + SHADES - 1
    return pixels


def _spans(scene: Scene, some: np.ndarray, line: np.ndarray, window: tuple[int, int], width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Line, first pixel and the one after the last of these slices, at least one pixel each; those without a line are left out."""
    at = line[scene.container[some]]
    some, at = some[at >= 0], at[at >= 0]
    scale = width / (window[1] - window[0])
    first = np.clip((scene.start[some] - window[0]) * scale, 0, width - 1).astype(np.int64)
    until = np.ceil(np.clip((scene.end[some] - window[0]) * scale, 0, width)).astype(np.int64)
    return at, first, np.maximum(until, first + 1)


def _hatched(pixels: np.ndarray) -> np.ndarray:
    """Waiting for maps with stripes of shuffle, its neighbour in the palette."""
    codes = np.arange(256).astype(np.uint8)
    for first in (1 + theme.WAITING_PHASE * SHADES, 1 + (PHASES + 1 + theme.WAITING_PHASE) * SHADES):
        codes[first : first + SHADES] -= SHADES * (theme.WAITING_PHASE - theme.SHUFFLE_PHASE)
    for down in range(STRIPE_PX):
        stripe = pixels[down::STRIPE_PX, -down % STRIPE_PX :: STRIPE_PX]
        stripe[:] = codes[stripe]
    return pixels
